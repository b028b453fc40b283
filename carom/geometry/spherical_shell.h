// Spherical shells: a piece of a thick curved surface, such as a patch of a ball, a dish or a lens.
#pragma once

#include "carom/geometry/swept_sphere.h"
#include "carom/math/pose.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace [[gnu::visibility("default")]] carom {

/// The points x with inner <= |x - center| <= outer and axis . (x - center) >= cos_half_angle |x - center|: between two spheres about
/// one centre, and within a cone from that centre about `axis` (a unit vector). cos_half_angle is the cosine of the cone's half angle: 1 is a
/// segment, 0 half of the shell, -1 or less all of it (then the axis does not matter). Inner 0 is a sector of a ball. It is not
/// convex, unless it is such a sector of half angle at most a right one, or a whole ball. Empty where outer < inner or outer < 0;
/// the default is.
struct SphericalShell {
  Vec3 center;
  Vec3 axis{0, 0, 1};
  double inner = 0, outer = -1;
  double cos_half_angle = -1;

  [[nodiscard]] constexpr bool empty() const { return !(inner <= outer && outer >= 0); }
  [[nodiscard]] constexpr bool all_directions() const { return !(cos_half_angle > -1); }
  /// Of the half angle: cos_half_angle where that is a cosine, else the nearest that is; and the sine that goes with it.
  [[nodiscard]] constexpr double cosine() const {
    return std::min(1.0, std::max(-1.0, cos_half_angle));
  }
  [[nodiscard]] double sine() const { return std::sqrt((1 - cosine()) * (1 + cosine())); }
};

/// Around points, about a given centre: the least range of distances, in the narrowest cone (the narrowest up to rounding where it is narrower
/// than a half-space). Every point satisfies the definition above in exact arithmetic: bounds are rounded outward. Empty without points.
[[nodiscard]] SphericalShell fit_shell(std::span<const Vec3> points, const Vec3& center);
/// About the best of a few centres by volume: that of the sphere nearest to all points in the sense of least squares, and points along
/// the axis of least spread on both sides of the mean.
[[nodiscard]] SphericalShell fit_shell(std::span<const Vec3> points);

/// The least shell about one centre around both, up to rounding, where the centres are equal; encloses both, by a margin of some 1e-15.
/// Where they are not, shells do not merge well: the result is about the centre of a, with b taken as its whole ball.
[[nodiscard]] SphericalShell merge(const SphericalShell& a, const SphericalShell& b);

/// Placed by the frame; exact up to the rounding of centre and axis.
[[nodiscard]] constexpr SphericalShell moved(const SphericalShell& s, const Frame& frame) {
  return {frame.to_world(s.center), frame.direction_to_world(s.axis), s.inner, s.outer,
          s.cos_half_angle};
}

[[nodiscard]] double volume(const SphericalShell& shell);
/// Of the two spherical caps and, where it has one, the conical side.
[[nodiscard]] double area(const SphericalShell& shell);

/// The point of the shell farthest along d; d need not be a unit vector. Any of them where there are several.
[[nodiscard]] Vec3 support_point(const SphericalShell& shell, const Vec3& d);

/// A lower bound of the distance of two shells, >= 0: the greatest of the distance of their convex hulls, and of how deep one lies in
/// the hollow of the other. Infinite where one is empty. The true distance may be greater, where one curls around the other.
[[nodiscard]] double distance_lower_bound(const SphericalShell& a, const SphericalShell& b);
/// Conservative: false is certain, true is not. False where distance_lower_bound is positive.
[[nodiscard]] bool may_overlap(const SphericalShell& a, const SphericalShell& b);

} // namespace carom
