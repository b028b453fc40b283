// Of eight triangles that were measured (triangle_eights.h), what each of them is to a form, in bits. Internal to the world.
#pragma once

#include "carom/dynamics/surface_form.h"
#include "carom/dynamics/triangle_eights.h"

#include <array>
#include <cstdint>
#include <span>

namespace [[gnu::visibility("default")]] carom {

/// Floats compare with these as they do with the doubles.
struct SurfaceLimits {
  float reach;    ///< triangles that are farther away than that do not matter
  float touching; ///< what is no farther away than that may overlap
  float slack;    ///< what is beyond a side is so by more than that
  float tip;      ///< what the tip is not below is beyond a side, or nearly
  float flat;     ///< what rises no higher across a triangle is flat

  /// `measuring`: by which what is measured may be off.
  SurfaceLimits(double reach, double touching, double measuring, float flat);
};

/// Bit i tells of lane i.
struct SurfaceBits {
  std::uint8_t near = 0;     ///< the tip is not above the triangle by more than the reach
  std::uint8_t in_reach = 0; ///< nor are all points beyond a side of it by more than that
  std::uint8_t touching = 0; ///< the same with SurfaceLimits::touching
  std::uint8_t under = 0;    ///< the form is on the side that the normal does not point to
  // By side.
  std::array<std::uint8_t, 3> beyond{}; ///< all points are beyond it, by more than the slack
  std::array<std::uint8_t, 3> tip{};    ///< the tip is beyond it, or nearly
  /// The surface falls off from there by more than `flat`, or ends. Only across such a side a direction other than the normal may lead out.
  std::array<std::uint8_t, 3> falls_off{};
};

/// Of some groups, by their numbers, of which each has gaps. As many bits.
void sieve(std::span<const SurfaceGroup> all, std::span<const std::uint32_t> groups,
           std::span<const EightGaps> gaps, const SurfaceLimits& limits, SurfaceBits* to);

} // namespace carom
