// How far a set of points reaches, never understated: what makes a fitted bounding volume a proof and not an estimate.
//
// Each function returns an upper bound of the exact real number it names, for the doubles as they are given. It is the tightest that
// interval arithmetic gives: a few roundings above the exact value, and the exact value itself where nothing is rounded.
// Points with a NaN are passed over. No points: minus infinity (for a radius: 0).
#pragma once

#include "carom/geometry/swept_sphere.h"
#include "carom/math/interval_vec3.h"
#include "carom/math/pose.h"
#include "carom/math/tolerance.h"

#include <span>

namespace [[gnu::visibility("default")]] carom {
namespace enclose {

/// The greatest `upper(p)` over the points, where upper is costly and approximate(p), within `error` of the exact value, is not. A
/// point is looked at closely only where it may be the farthest so far: a few of them, unless they come sorted.
template<class Point, class Approximate, class Upper>
[[nodiscard]] double greatest(std::span<const Point> points, Approximate&& approximate,
                              double error, Upper&& upper) {
  double best = -INFINITY;
  double bound = -INFINITY;
  for (const Point& p : points) {
    const double value = approximate(p);
    if (!(value + 2 * error >= best)) continue; // the exact value is below that of the best
    best = value > best ? value : best;
    const double u = upper(p);
    bound = u > bound ? u : bound;
  }
  return bound;
}

/// The greatest |coordinate| of the points; 0 without any. Exact.
[[nodiscard]] inline double size(std::span<const Vec3> points) {
  double result = 0;
  for (const Vec3& p : points) {
    const double m = max_abs(p);
    result = m > result ? m : result;
  }
  return result;
}

/// direction . (p - origin).
[[nodiscard]] double reach(std::span<const Vec3> points, const Vec3& origin, const Vec3& direction);
/// direction . x for the points placed by the frame, x = frame.to_world(p) in real numbers.
[[nodiscard]] double reach(std::span<const Vec3> points, const Frame& frame, const Vec3& direction);
/// The same for one point, without search.
[[nodiscard]] double reach(const Vec3& point, const Frame& frame, const Vec3& direction);

/// The greatest distance of a point from the centre.
[[nodiscard]] double radius(std::span<const Vec3> points, const Vec3& center);
/// The greatest distance from the core of a point of a ball: that of its centre, and its radius. A ball of radius 0 is a point.
[[nodiscard]] double radius(std::span<const Sphere> balls, const Segment& core);
[[nodiscard]] double radius(std::span<const Sphere> balls, const Rectangle& core);

/// An upper bound of |p - q|.
[[nodiscard]] double distance_above(const Vec3& p, const Vec3& q);
/// A lower bound of |p - q|.
[[nodiscard]] double distance_below(const Vec3& p, const Vec3& q);
/// The distance of p from the segment, or the rectangle, to within 16 epsilon of the greatest |coordinate| of both.
[[nodiscard]] double distance_near(const Vec3& p, const Segment& core);
[[nodiscard]] double distance_near(const Vec3& p, const Rectangle& core);
/// An upper bound of the distance of p from the segment, or the rectangle.
[[nodiscard]] double distance_above(const Vec3& p, const Segment& core);
[[nodiscard]] double distance_above(const Vec3& p, const Rectangle& core);

} // namespace enclose
} // namespace carom
