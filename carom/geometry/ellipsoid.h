// The solid ellipsoid.
#pragma once

#include "carom/math/mat3.h"

namespace [[gnu::visibility("default")]] carom {

/// center + axes * (radii * u) for all |u| <= 1. The columns of `axes` are orthonormal. A radius may be 0: an elliptic disc, a
/// segment, a point.
struct Ellipsoid {
  Vec3 center;
  Mat3 axes;
  Vec3 radii;
};

} // namespace carom
