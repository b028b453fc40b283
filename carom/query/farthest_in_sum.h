// The point of a sum of stretched balls that is farthest from the origin. Internal to span.
#pragma once

#include "carom/math/mat3.h"
#include "carom/math/vec3.h"

#include <span>

namespace [[gnu::visibility("default")]] carom {

/// What a search for the farthest point of a set knows so far.
struct Farthest {
  double value = -INFINITY; ///< a point is so far from the origin
  Vec3 direction{1, 0, 0};  ///< a unit vector toward it
  double upper = -INFINITY; ///< of what was searched, nothing is farther, to within rounding
  int steps = 0;            ///< directions looked at
};

/// How far to go: bounds that agree to within `accept` will do, and no more directions than `most_steps` are tried.
struct FarthestEffort {
  double accept = 0;
  int most_steps = 0;
};

/// Searches all center + M_1 u_1 + M_2 u_2 + ... with |u_i| <= 1, rounded by radius. Afterwards found.upper is at least what it was, and right for this set too: at most found.value +
/// accept, unless the steps were too few.
void search_ball_sum(const Vec3& center, std::span<const Mat3> images, double radius,
                     const FarthestEffort& effort, Farthest& found);

} // namespace carom
