// The proof of a triangle-triangle answer: a point of the intersection, or the axis with the widest gap found.
#include "carom/geometry/line.h"
#include "carom/geometry/separating_axis.h"
#include "carom/geometry/triangle_triangle.h"
#include "carom/math/tolerance.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

/// Keeps the axis with the widest gap.
struct WidestGap {
  const Triangle& a;
  const Triangle& b;
  double enough; ///< beyond the rounding of projections: the search may stop
  Vec3 axis{1, 0, 0};
  double gap = -INFINITY;

  bool try_axis(const Vec3& v) {
    const double l = length(v);
    if (!(l > 0 && l < INFINITY)) return false;
    const Vec3 n = v / l;
    const auto [a_min, a_max] = std::minmax({dot(n, a.a), dot(n, a.b), dot(n, a.c)});
    const auto [b_min, b_max] = std::minmax({dot(n, b.a), dot(n, b.b), dot(n, b.c)});
    const double forward = b_min - a_max;
    const double backward = a_min - b_max;
    if (forward > gap || backward > gap) {
      axis = forward >= backward ? n : -n;
      gap = std::max(forward, backward);
    }
    return gap > enough;
  }
};

Segment edge_of(const Triangle& t, int i) {
  return {t[i], t[(i + 1) % 3]};
}

/// From the line of the edge straight to p.
Vec3 to_point(const Segment& edge, const Vec3& p) {
  return cross(accurate_cross(edge.a, edge.b, edge.a, p), edge.b - edge.a);
}

/// The widest gap between disjoint convex sets is along the line through their nearest points, whose direction is fixed by the
/// features (vertex, edge, face) that they lie on. So all pairs of features are tried, likely ones first, until the gap is
/// plain. Each direction is computed to within a few epsilon, hence the best shows the true gap up to rounding.
Vec3 axis_between(const Triangle& a, const Triangle& b) {
  const auto size = [](const Triangle& t) {
    return std::max({max_abs(t.a), max_abs(t.b), max_abs(t.c)});
  };
  WidestGap best{a, b, 8 * tolerance::epsilon * std::max(size(a), size(b))};
  if (best.try_axis(a.normal()) || best.try_axis(b.normal())) return best.axis;
  if (best.try_axis(accurate_cross(a.a, a.b, a.a, a.c))) return best.axis;
  if (best.try_axis(accurate_cross(b.a, b.b, b.a, b.c))) return best.axis;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const Segment u = edge_of(a, i);
      const Segment v = edge_of(b, j);
      if (best.try_axis(accurate_cross(u.a, u.b, v.a, v.b)) || best.try_axis(b[j] - a[i]) ||
          best.try_axis(to_point(u, b[j])) || best.try_axis(to_point(v, a[i]))) {
        return best.axis;
      }
    }
  }
  return best.axis;
}

} // namespace

Overlap overlap(const Triangle& a, const Triangle& b) {
  const TriangleIntersection i = intersect(a, b);
  return i.kind != TriangleIntersection::Kind::none ? Overlap::at(i.points[0])
                                                    : Overlap::separated(axis_between(a, b));
}

} // namespace carom
