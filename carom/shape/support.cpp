#include "carom/shape/support.h"

#include "carom/math/error_free.h"
#include "carom/math/tolerance.h"
#include "carom/shape/composite_support.h"

#include <cmath>

namespace carom {
namespace {

/// The same direction, of a length whose products with coordinates neither overflow nor vanish.
Vec3 of_safe_length(const Vec3& d) {
  const double m = max_abs(d);
  const bool safe = m >= 1e-100 && m <= 1e100;
  return safe || !(m > 0 && m < INFINITY) ? d : d / m;
}

/// x + y, rounded up where it is not exact.
double sum_up(double x, double y) {
  const TwoDoubles s = two_sum(x, y);
  return s.error > 0 ? std::nextafter(s.value, INFINITY) : s.value;
}

/// The corners of these are numbers as given, so that in an unturned pose their bounds need no slack.
bool has_exact_corners(const Shape& shape) {
  if (!shape.convex()) return shape.kind() == ShapeKind::mesh && shape.rounding() == 0;
  return std::holds_alternative<Vec3>(shape.core()) ||
         std::holds_alternative<Segment>(shape.core()) ||
         std::holds_alternative<Triangle>(shape.core()) ||
         std::holds_alternative<Polytope>(shape.core()) ||
         (shape.kind() == ShapeKind::box && std::get<Obb>(shape.core()).axes == Mat3::identity() &&
          std::get<Obb>(shape.core()).center == Vec3{});
}

/// The greatest coordinate of the placed shape along world axis i, times sign: rounded up.
double reach_along(const Shape& shape, const Frame& frame, bool exact, int i, double sign) {
  // sign * coordinate i of the world is a linear function of local points: this row, and the origin.
  const Vec3 row = frame.basis.row(i) * sign;
  const double origin = frame.origin[i] * sign;
  // Of what is not convex, the rounding is in the point.
  const Vec3 p = shape.convex() ? shape.core_support()(row) : farthest_of_parts(shape, row);
  const double rounding = shape.convex() ? shape.rounding() : 0;
  if (exact) return sum_up(sum_up(dot(row, p), rounding), origin);
  // A product of the matrix, the support itself and the rounding err by a few epsilon of their size.
  const double scale = std::fabs(row.x) + std::fabs(row.y) + std::fabs(row.z);
  const double slack = 8 * tolerance::epsilon * (shape.size() * scale + std::fabs(origin));
  return dot(row, p) + rounding * length(row) + origin + slack;
}

/// The reach of a half-space: finite only straight out of its border.
double half_space_reach(const Shape& shape, const Frame& frame, int i, double sign) {
  const HalfSpace& h = std::get<HalfSpace>(shape.core());
  const Vec3 row = frame.basis.row(i) * sign;
  if (cross(row, h.normal) != Vec3{} || !(dot(row, h.normal) > 0)) return INFINITY;
  return reach_along(shape, frame, false, i, sign);
}

} // namespace

Vec3 support_point(const Shape& shape, const Vec3& d) {
  const Vec3 e = of_safe_length(d);
  if (!shape.convex()) {
    const bool usable = max_abs(e) > 0 && max_abs(e) < INFINITY;
    return farthest_of_parts(shape, usable ? e : Vec3{1, 0, 0});
  }
  const Vec3 p = shape.core_support()(e);
  return shape.rounding() > 0 ? p + normalized_or(e, Vec3{}) * shape.rounding() : p;
}

Aabb bounds(const Shape& shape, const Pose& pose) {
  const Frame frame = pose.frame();
  const bool exact = frame.basis == Mat3::identity() && has_exact_corners(shape);
  Aabb box;
  for (int i = 0; i < 3; ++i) {
    if (shape.bounded()) {
      box.max[i] = reach_along(shape, frame, exact, i, 1);
      box.min[i] = -reach_along(shape, frame, exact, i, -1);
    } else {
      box.max[i] = half_space_reach(shape, frame, i, 1);
      box.min[i] = -half_space_reach(shape, frame, i, -1);
    }
  }
  return box;
}

} // namespace carom
