// The least ball around points, with the proof that there is none smaller.
//
// The proof: a few of the points (the support), at most four, and weights for them. For weights w_i >= 0 of sum 1 with mean g, every ball
// around the points has a radius r with r^2 >= sum of w_i |p_i - g|^2. (For any centre y the greatest |p_i - y|^2 is at least their mean,
// and that is the right side plus |g - y|^2.) At the least ball's centre g the two sides are equal. So `lower_bound` needs no
// trust in the search: it follows from the support, by intervals.
#pragma once

#include "carom/geometry/swept_sphere.h"

#include <array>
#include <cstddef>
#include <span>

namespace [[gnu::visibility("default")]] carom {

struct MinimumSphere {
  /// Encloses all points in exact arithmetic. No points: radius -1.
  Sphere sphere{{}, -1};
  /// No ball around the points has a smaller radius than this. sphere.radius - lower_bound is a few epsilon times the greatest
  /// |coordinate|: the centre is rounded to doubles, and so is the radius, upward.
  double lower_bound = 0;
  /// The support: 1 to 4 points of the input (0 without points), on the boundary up to rounding, whose hull contains the centre.
  std::size_t count = 0;
  std::array<std::size_t, 4> support{};
  std::array<double, 4> weights{}; ///< >= 0, of sum 1: the centre is their mean
  int steps = 0;                   ///< how often the farthest point was taken in
};

/// Duplicates, and points on a line, a plane or a sphere, in any number, are legal. Points with a NaN are passed over, an infinite one
/// makes the radius infinite. No recursion, no heap; each step is one look at all points, and there are about ten steps for thousands of points (at most 256).
[[nodiscard]] MinimumSphere minimum_sphere(std::span<const Vec3> points);

} // namespace carom
