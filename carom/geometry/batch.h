// One against eight: the tests that a tree node or a leaf asks eight times, in one go.
//
// Eight things are stored side by side, coordinate by coordinate, and tested in lanes (AVX-512, AVX2, SSE, NEON: chosen at run time).
// Every lane is bit-equal to the scalar form named at the function. Lanes that hold nothing are filled with a thing that is never hit.
#pragma once

#include "carom/geometry/box.h"
#include "carom/geometry/swept_sphere.h"

#include <cstdint>
#include <span>

namespace [[gnu::visibility("default")]] carom {

/// Up to eight boxes. The default holds none: eight empty boxes.
struct alignas(64) Aabb8 {
  double min_x[8], min_y[8], min_z[8];
  double max_x[8], max_y[8], max_z[8];

  Aabb8();
  /// The first eight of them.
  explicit Aabb8(std::span<const Aabb> boxes);
};

/// Up to eight balls. The default holds none: radius minus infinity.
struct alignas(64) Sphere8 {
  double x[8], y[8], z[8];
  double radius[8];

  Sphere8();
  explicit Sphere8(std::span<const Sphere> spheres);
};

/// Bit i: the box overlaps box i, as overlaps(Aabb, Aabb) says.
[[nodiscard]] std::uint8_t overlaps(const Aabb& box, const Aabb8& boxes);
/// Bit i: the ball overlaps ball i, as overlaps(Sphere, Sphere) says.
[[nodiscard]] std::uint8_t overlaps(const Sphere& sphere, const Sphere8& spheres);

} // namespace carom
