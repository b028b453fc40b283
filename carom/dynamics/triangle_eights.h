// Triangles eight side by side, measured against the points of a form all at once. Internal to the world.
//
// Each has four planes: its own, and through each side at right angles to it, outward. In floats, about a point of their own that is near: a bound with some slack, which spares most triangles a closer look.
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

/// Up to 32 points about a middle, along the axes of the triangles' frame.
struct EightPoints {
  static constexpr std::size_t most = 32;
  float x[most], y[most], z[most];
  std::size_t count = 0;
  float center[3]; ///< tells which side of a triangle they are on

  void set(std::span<const Vec3> points, const Vec3& center_of_all, const Vec3& middle);
};
/// Eight triangles, and where the point that they are about is, seen from the middle of the points.
struct PlacedEight {
  const TriangleEight* planes;
  float shift[3];

  PlacedEight(const TriangleEight& eight, const Vec3& center, const Vec3& middle);
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
void measure(std::span<const PlacedEight> eights, const EightPoints& points, EightGaps* gaps);

/// Bits of the lanes of each whose plane all these points are above by no more than `most`, seen from the side of the first ones' centre; rounding may let one more pass.
void find_low(std::span<const PlacedEight> eights, const EightPoints& first,
              const EightPoints& last, double most, std::uint8_t* lanes);

} // namespace carom
