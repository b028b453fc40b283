// Triangles eight side by side, measured against the points of a form all at once. Internal to the world.
//
// Each has four planes: its own, and through each side at right angles to it, outward. In floats, near the origin: a bound with some slack, which spares most triangles a closer look.
#pragma once

#include "carom/geometry/triangle.h"

#include <array>
#include <cstdint>
#include <span>

namespace [[gnu::visibility("default")]] carom {

struct alignas(32) TriangleEight {
  struct Plane {
    float x[8], y[8], z[8], offset[8];
  };
  Plane own, sides[3];

  /// `normal`: a unit vector. A side without length has a plane that nothing is beyond.
  void set(std::size_t lane, const Triangle& t, const Vec3& normal);
};

/// Up to 32 points, in the same frame; the last group is filled up with any of them.
struct EightPoints {
  static constexpr std::size_t most = 32;
  float x[most], y[most], z[most];
  std::size_t count = 0;
  float center[3]; ///< tells which side of a triangle they are on
};

/// Of eight triangles. The tip is the point that reaches deepest below the triangle's plane, seen from the side of the centre.
struct alignas(32) EightGaps {
  float above[8]; ///< how high the tip is above the plane; negative: below
  float beside
      [8]; ///< how far all points are beyond the side that they are farthest beyond; negative: not all are beyond any
  float beyond[3][8];     ///< how far all points are beyond each side
  float tip_beyond[3][8]; ///< how far the tip is beyond each side
  float side[8];          ///< 1 where the centre is on the normal's side, else -1
};
/// As many gaps as there are eights.
void measure(std::span<const TriangleEight> eights, const EightPoints& points, EightGaps* gaps);

} // namespace carom
