// All three come down to integrals along the sides, which are closed forms.
//
// First moments: the integral of u is half that of u x du along the border (Stokes). On a side u x du = axis * dt, so it is the sum of
// axis * angle / 2.
//
// Second moments: h = (a . u) (b . u) - a . b / 3 is a spherical harmonic of degree 2, its Laplacian on the sphere is -6 h. So by
// Gauss's theorem the integral of h is -1/6 that of its outward derivative along the border. On a side the outward conormal is -axis, the
// derivative of h in that direction -((a . axis) (b . u) + (a . u) (b . axis)). So the integral of u u^T is
// area / 3 I + 1/6 sum (axis w^T + w axis^T), with w the integral of u along the side, (to - from) x axis.
//
// Area: the sum of angles less (n - 2) pi cancels for small polygons. Instead triangles from a point inside, each by the formula with the
// tangent of half the area (van Oosterom and Strackee), which does not.
#include "carom/geometry/spherical_polygon.h"

#include "carom/math/trig.h"

#include <cstddef>

namespace carom {
namespace {

double triangle_area(const Vec3& a, const Vec3& b, const Vec3& c) {
  return 2 * atan2(triple(a, b, c), 1 + dot(a, b) + dot(b, c) + dot(c, a));
}

/// The triangle from `inside` to a side. A long side is cut where a quarter circle is done: near-opposite corners leave the formula nothing to hold on to.
double fan_area(const Vec3& inside, const SphericalSide& side, const Vec3& to) {
  if (dot(side.from, to) >= 0) return triangle_area(inside, side.from, to);
  const Vec3 middle = cross(side.axis, side.from);
  return triangle_area(inside, side.from, middle) + triangle_area(inside, middle, to);
}

} // namespace

double angle_around(const Vec3& axis, const Vec3& from, const Vec3& to) {
  const double sine = triple(axis, from, to);
  return atan2(sine > 0 ? sine : 0, dot(from, to));
}

SphericalMoments spherical_moments(std::span<const SphericalSide> sides) {
  SphericalMoments result;
  Vec3 border; // the integral of u along it: a direction inside
  Mat3 products = Mat3::zero();
  const auto to = [&](std::size_t i) { return sides[i + 1 < sides.size() ? i + 1 : 0].from; };
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const SphericalSide& side = sides[i];
    const Vec3 along = cross(to(i) - side.from, side.axis);
    border += along;
    result.first += side.axis * (angle_around(side.axis, side.from, to(i)) / 2);
    products = products + (outer(side.axis, along) + outer(along, side.axis));
  }
  const Vec3 inside = normalized_or(border, {});
  for (std::size_t i = 0; i < sides.size(); ++i) result.area += fan_area(inside, sides[i], to(i));
  if (!(result.area > 0)) return {};
  result.second = Mat3::identity() * (result.area / 3) + products * (1.0 / 6);
  return result;
}

} // namespace carom
