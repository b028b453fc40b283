// At a leaf the ray passes eight triangles at once, in floats, seen along the ray: the corners are sheared along its main axis so that it becomes a point, and
// that point is in a triangle where the three edges turn the same way around it. Each edge's number comes with a bound of its error, from the grid of the corners and from
// rounding; only a triangle that is certainly passed by is left out. The others are asked exactly, in doubles.
//
// Compiled once for each instruction set (everything between the HWY_ lines), and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "carom/tree/triangle_rays.cpp"
#include <hwy/foreach_target.h>

#include "carom/geometry/triangle_meeting.h"
#include "carom/tree/ray_walk-inl.h"
#include "carom/tree/triangle_rays.h"

#include <hwy/cache_control.h>

#include <algorithm>

#ifndef CAROM_TREE_TRIANGLE_RAYS_ONCE_
#define CAROM_TREE_TRIANGLE_RAYS_ONCE_
namespace carom {
namespace {

/// t of where the ray meets the triangle, from the right side and at most t_max; -1 where it does not.
double exact_t(const TriangleRay& query, const Triangle& triangle, double t_max) {
  const Ray& ray = query.ray;
  const cast_detail::Meeting m = cast_detail::meet({ray.origin, ray.direction}, triangle);
  if (!m.hit) return -1;
  const bool front = m.along_normal <= 0;
  if (query.faces != Faces::both && front != (query.faces == Faces::front)) return -1;
  if (m.in_plane) return m.exit >= 0 && m.enter <= t_max ? std::max(m.enter, 0.0) : -1;
  if (orient3d(triangle.a, triangle.b, triangle.c, ray.origin) * m.along_normal > 0) return -1;
  const double t = std::max(m.enter, 0.0);
  return t <= t_max ? t : -1;
}

} // namespace
} // namespace carom
#endif

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {

/// Bit i: the ray may meet triangle i before the limit.
HWY_INLINE unsigned may_meet(const TriangleBlock& block, const TreeRay& ray, float limit) {
  const int z = ray.major, x = z == 2 ? 0 : z + 1, y = z == 0 ? 2 : z - 1;
  const float step[3] = {block.grid(x).step(), block.grid(y).step(), block.grid(z).step()};
  const float from_z = block.origin[z] - ray.origin[z];
  const float from_x = block.origin[x] - ray.origin[x] - ray.shear[x] * from_z;
  const float from_y = block.origin[y] - ray.origin[y] - ray.shear[y] * from_z;
  const Float8 step_x = all_floats(step[0]), step_y = all_floats(step[1]);
  const Float8 turn_x = all_floats(ray.shear[x] * step[2]);
  const Float8 turn_y = all_floats(ray.shear[y] * step[2]);
  Float8 corner_x[3], corner_y[3], low, high;
  Float8 reach = all_floats(0);
  for (int c = 0; c < 3; ++c) {
    const Float8 at_z = floats_of(block.row[3 * c + z]);
    corner_x[c] = floats_of(block.row[3 * c + x]) * step_x - at_z * turn_x + all_floats(from_x);
    corner_y[c] = floats_of(block.row[3 * c + y]) * step_y - at_z * turn_y + all_floats(from_y);
    reach = max(reach, max(abs(corner_x[c]), abs(corner_y[c])));
    low = c == 0 ? at_z : min(low, at_z);
    high = c == 0 ? at_z : max(high, at_z);
  }
  // A corner is off by half a step on its own axis, half a step sheared, and the slack. The product of two corners, by that times their reach each, and a rounding.
  const float off = 0.5F * (std::max(step[0], step[1]) + step[2]) + ray.slack;
  const Float8 about = reach + all_floats(off);
  const Float8 error = about * (all_floats(4 * off) + about * all_floats(0x1p-21F));
  const Float8 u = corner_x[2] * corner_y[1] - corner_y[2] * corner_x[1];
  const Float8 v = corner_x[0] * corner_y[2] - corner_y[0] * corner_x[2];
  const Float8 w = corner_x[1] * corner_y[0] - corner_y[1] * corner_x[0];
  const Float8 least = min(min(u, v), w), most = max(max(u, v), w);
  const Float8 zero = all_floats(0);
  const FloatMask8 around = (zero <= least + error) | (most - error <= zero);
  // Along the ray, forward: from the nearest corner to the farthest.
  const Float8 step_z = all_floats(step[2]), start = all_floats(from_z);
  const Float8 first = low * step_z + start, last = high * step_z + start;
  const Float8 margin = all_floats(0.5F * step[2] + ray.slack);
  const bool backward = ray.inverse[z] < 0;
  const Float8 nearest = backward ? zero - last : first, farthest = backward ? zero - first : last;
  const FloatMask8 ahead = (nearest - margin <= all_floats(limit)) & (zero <= farthest + margin);
  return bits(around & ahead) & block.lanes();
}

/// Calls found(triangle, t) for those met at t or before. It gives the t up to which others matter, negative to end.
template<class Found>
HWY_INLINE void walk_triangles(const TriangleTree& tree, const TriangleSurface& surface,
                               const TriangleRay& query, Found&& found) {
  if (!(query.t_max >= 0)) return;
  const TreeRay ray = tree_ray(tree.frame(), query.ray, query.t_max);
  double t_max = query.t_max;
  const auto fetch = [&](std::uint32_t leaf) {
    const TriangleBlock& block = tree.blocks()[leaf];
    for (int line = 0; line < int{sizeof(block)}; line += 64)
      hwy::Prefetch(reinterpret_cast<const char*>(&block) + line);
  };
  walk_ray(tree.tree(), ray, fetch, [&](std::uint32_t leaf, float& limit) HWY_ATTR {
    const TriangleBlock& block = tree.blocks()[leaf];
    unsigned candidates = may_meet(block, ray, limit);
    for (; candidates != 0; candidates &= candidates - 1) {
      const int lane = std::countr_zero(candidates);
      const auto& [a, b, c] = block.corners[lane];
      const std::span<const Vec3> at = surface.vertices;
      const double t = exact_t(query, {at[a], at[b], at[c]}, t_max);
      if (t < 0) continue;
      t_max = found(tree.tree().leaf(leaf)[static_cast<std::size_t>(lane)], t);
      if (t_max < 0) return false;
      limit = std::min(limit, ray.farthest(t_max));
    }
    return true;
  });
}

RayTriangle first(const TriangleTree& tree, const TriangleSurface& surface,
                  const TriangleRay& ray) {
  RayTriangle best;
  const std::uint32_t* place = nullptr;
  walk_triangles(tree, surface, ray, [&](const std::uint32_t& triangle, double t) {
    // Looked up only where it matters: it is one more place in memory.
    if (!place || t < best.t || triangle < *place) place = &triangle;
    best.t = t;
    return t;
  });
  if (place) best.triangle = *place;
  return best;
}

bool any(const TriangleTree& tree, const TriangleSurface& surface, const TriangleRay& ray) {
  bool hit = false;
  walk_triangles(tree, surface, ray, [&](const std::uint32_t&, double) {
    hit = true;
    return -1.0;
  });
  return hit;
}

void all(const TriangleTree& tree, const TriangleSurface& surface, const TriangleRay& ray,
         const std::function<bool(const RayTriangle&)>& found) {
  walk_triangles(tree, surface, ray, [&](const std::uint32_t& triangle, double t) {
    return found({triangle, t}) ? ray.t_max : -1.0;
  });
}

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace carom {
namespace {

HWY_EXPORT(first);
HWY_EXPORT(any);
HWY_EXPORT(all);

} // namespace

RayTriangle first_hit(const TriangleTree& tree, const TriangleSurface& surface,
                      const TriangleRay& ray) {
  return HWY_DYNAMIC_DISPATCH(first)(tree, surface, ray);
}

bool any_hit(const TriangleTree& tree, const TriangleSurface& surface, const TriangleRay& ray) {
  return HWY_DYNAMIC_DISPATCH(any)(tree, surface, ray);
}

void all_hits(const TriangleTree& tree, const TriangleSurface& surface, const TriangleRay& ray,
              const std::function<bool(const RayTriangle&)>& found) {
  HWY_DYNAMIC_DISPATCH(all)(tree, surface, ray, found);
}

} // namespace carom
#endif
