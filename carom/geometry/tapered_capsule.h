// The hull of two balls.
#pragma once

#include "carom/math/vec3.h"

namespace [[gnu::visibility("default")]] carom {

/// The convex hull of the ball of radius_a around a and that of radius_b around b. Where one ball contains the other it is the
/// larger of them; with equal radii, a capsule.
struct TaperedCapsule {
  Vec3 a, b;
  double radius_a = 0, radius_b = 0;
};

} // namespace carom
