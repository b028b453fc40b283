// Straight things: all of a line, half of it, or a piece.
#pragma once

#include "carom/math/vec3.h"

namespace [[gnu::visibility("default")]] carom {

/// The points origin + t direction for every real t. The direction need not be a unit vector; where it is zero, the line is a point.
struct Line {
  Vec3 origin;
  Vec3 direction;

  [[nodiscard]] constexpr Vec3 at(double t) const { return origin + direction * t; }
};

/// The points origin + t direction, t >= 0. The direction need not be a unit vector: t counts in multiples of it.
struct Ray {
  Vec3 origin;
  Vec3 direction;

  [[nodiscard]] constexpr Vec3 at(double t) const { return origin + direction * t; }
};

/// The points from a (t = 0) to b (t = 1). Where a == b, it is a point.
struct Segment {
  Vec3 a, b;

  /// Exact at both ends.
  [[nodiscard]] constexpr Vec3 at(double t) const { return t == 1 ? b : a + (b - a) * t; }
  [[nodiscard]] constexpr Vec3 direction() const { return b - a; }
};

} // namespace carom
