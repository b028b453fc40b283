// A ball, and what it sweeps when its centre moves along a segment or over a rectangle.
#pragma once

#include "carom/geometry/line.h"
#include "carom/geometry/polygon.h"

namespace [[gnu::visibility("default")]] carom {

/// The solid ball. Radius 0 is a point.
struct Sphere {
  Vec3 center;
  double radius = 0;
};

/// The points within `radius` of the segment from a to b.
struct Capsule {
  Vec3 a, b;
  double radius = 0;

  [[nodiscard]] constexpr Segment core() const { return {a, b}; }
};

/// The points within `radius` of a rectangle.
struct Lozenge {
  Rectangle core;
  double radius = 0;
};

} // namespace carom
