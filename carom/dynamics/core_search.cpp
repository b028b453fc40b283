// The search of Gilbert, Johnson and Keerthi, from one direction on: the point of B - A nearest to the origin, carried by up to four of its corners.
#include "carom/dynamics/core_search.h"

#include "carom/dynamics/convex_axis.h"
#include "carom/query/simplex.h"

#include <algorithm>

namespace carom {
namespace {

constexpr double converged = 1e-10; // of the size: the nearest points are found
constexpr int most_steps = 32;

/// Corners of B - A, and the points of A that they are made of.
struct CoreSimplex {
  Vec3 points[4], on_a[4];
  int count = 0;

  void keep(const Nearest& next) {
    int kept = 0;
    for (int i = 0; i <= count; ++i) {
      if (!(next.carriers >> i & 1)) continue;
      points[kept] = points[i];
      on_a[kept++] = on_a[i];
    }
    count = kept;
  }
  [[nodiscard]] bool has(const Vec3& w) const {
    return std::any_of(points, points + count, [&](const Vec3& p) { return p == w; });
  }
  /// The point of A that belongs to v, the nearest one.
  [[nodiscard]] Vec3 of_a(const Vec3& v) const {
    if (count == 1) return on_a[0];
    if (count == 2) {
      const Vec3 e = points[1] - points[0];
      const double whole = dot(e, e);
      const double t = whole > 0 ? dot(e, v - points[0]) / whole : 0;
      return lerp(on_a[0], on_a[1], t);
    }
    const Vec3 e = points[1] - points[0], f = points[2] - points[0], r = v - points[0];
    const Vec3 n = cross(e, f);
    const double whole = dot(n, n);
    if (!(whole > 0)) return on_a[0];
    const double s = dot(cross(r, f), n) / whole, t = dot(cross(e, r), n) / whole;
    return on_a[0] * (1 - s - t) + on_a[1] * s + on_a[2] * t;
  }
};

template<class B>
Nearness search(const ConvexForm& a, const B& b, double limit, double touching, MeetingAxis& axis) {
  CoreSimplex simplex;
  const double enough = converged * a.size();
  axis = measured(a, b, axis.normal);
  if (axis.gap > limit) return {false, true};
  simplex.points[0] = axis.on_b - axis.on_a;
  simplex.on_a[0] = axis.on_a;
  simplex.count = 1;
  Vec3 v = simplex.points[0];
  for (int i = 0; i < most_steps; ++i) {
    const double distance = length(v);
    if (!(distance > touching)) return {true, false};
    const MeetingAxis here = measured(a, b, v / distance);
    if (here.gap > axis.gap) axis = here;
    if (axis.gap > limit) return {false, true};
    const Vec3 w = here.on_b - here.on_a;
    if (distance - here.gap <= enough || simplex.has(w)) break;
    simplex.points[simplex.count] = w;
    simplex.on_a[simplex.count] = here.on_a;
    Nearest next{};
    if (simplex.count == 1)
      next = nearest_on_edge(simplex.points, 0, 1);
    else if (simplex.count == 2)
      next = nearest_on_triangle(simplex.points, 0, 1, 2);
    else
      next = nearest_on_tetrahedron(simplex.points);
    if (next.carriers == whole_tetrahedron) return {true, false};
    if (!(length_squared(next.v) < length_squared(v))) break;
    simplex.keep(next);
    v = next.v;
  }
  axis.on_a = simplex.of_a(v);
  axis.on_b = axis.on_a + v;
  axis.normal = v / length(v);
  return {};
}

} // namespace

Nearness search_nearest(const ConvexForm& a, const PlacedForm& b, double limit, double touching,
                        MeetingAxis& axis) {
  return search(a, b, limit, touching, axis);
}
Nearness search_nearest(const ConvexForm& a, const PlacedTriangle& b, double limit, double touching,
                        MeetingAxis& axis) {
  return search(a, b, limit, touching, axis);
}

} // namespace carom
