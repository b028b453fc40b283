#include "carom/query/mesh_separation.h"

#include "carom/math/tolerance.h"
#include "carom/tree/triangle_winding.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

/// Whether a component of `inner` is in `outer`; points of `inner` are taken to the frame of `outer` by the function.
template<class Place>
bool holds(const PlacedMesh& outer, const PlacedMesh& inner, const Place& place) {
  if (!outer.solid) return false;
  return std::any_of(inner.component_points.begin(), inner.component_points.end(), [&](const Vec3& p) {
    return winding_around(outer.triangles.tree, outer.triangles.surface, place(p)) >= 1;
  });
}

} // namespace

Frame relative_frame(const PlacedMesh& a, const PlacedMesh& b, const Vec3& t) {
  const Frame fa = a.pose.frame();
  Frame fb = b.pose.frame();
  Frame b_in_a;
  for (int k = 0; k < 3; ++k) b_in_a.basis[k] = fa.direction_to_local(fb.basis[k]);
  b_in_a.origin = fa.to_local(fb.origin + t);
  return b_in_a;
}

Separation separation(const PlacedMesh& a, const PlacedMesh& b, const Vec3& t,
                      double relative_error) {
  const Frame fa = a.pose.frame();
  const Frame b_in_a = relative_frame(a, b, t);
  if (any_meeting(a.triangles, b.triangles, b_in_a)) return {};
  if (holds(a, b, [&](const Vec3& p) { return b_in_a.to_world(p); })) return {};
  if (holds(b, a, [&](const Vec3& p) { return b_in_a.to_local(p); })) return {};
  const NearestTriangles near =
      nearest_pair(a.triangles, b.triangles, b_in_a, {.relative_error = relative_error});
  if (!near) return {};
  const Vec3 way = near.closest.on_b - near.closest.on_a;
  const double d = near.closest.distance;
  // What rounding may take: of coordinates in A's frame, of the frame itself and of the distance.
  const double size = a.size + b.size + length(fa.origin) + length(b.pose.position + t);
  Separation s;
  s.lower = std::max(d * (1 - relative_error) - 64 * tolerance::epsilon * size, 0.0);
  s.normal = d > 0 ? fa.direction_to_world(normalized(way)) : Vec3{1, 0, 0};
  s.on_a = fa.to_world(near.closest.on_a);
  s.on_b = fa.to_world(near.closest.on_b);
  return s;
}

} // namespace carom
