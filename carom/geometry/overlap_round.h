// Balls against each other, in closed form.
#pragma once

#include "carom/geometry/answer.h"
#include "carom/geometry/swept_sphere.h"

namespace [[gnu::visibility("default")]] carom {

/// Rounded as written: either way where the distance of the centers is within a few epsilon of the sum of the radii.
[[nodiscard]] bool overlaps(const Sphere& a, const Sphere& b);
/// The same Boolean. The common point divides the connection of the centers in the ratio of the radii.
[[nodiscard]] Overlap overlap(const Sphere& a, const Sphere& b);

} // namespace carom
