// The tolerances, all of them, each with its reason. Everything else is exact or relative to these.
#pragma once

#include <cmath>

namespace [[gnu::visibility("default")]] carom {
namespace tolerance {

/// The spacing of doubles near 1: an upper bound of the relative error of one rounded operation is half of it.
inline constexpr double epsilon = 0x1p-52;

/// Coordinates are 0 or lie between these in absolute value. Then products of three stay far inside the range of double, and
/// the exact predicates (exponents -142 to 201) cannot underflow or overflow.
inline constexpr double coordinate_min = 1e-30;
inline constexpr double coordinate_max = 1e30;

/// A Boolean may go either way only where |signed distance| <= this times (size + |translation|): a few dozen roundings of
/// coordinates of that size.
inline constexpr double boolean_band = 1e-14;

/// Planes count as parallel where the sine of the angle between their normals is at most this. A normal that was rounded to unit length
/// is off by up to two epsilon in direction; two of them, and a margin of four.
inline constexpr double plane_parallel_sine = 16 * epsilon;

[[nodiscard]] inline bool is_coordinate(double x) {
  const double a = std::fabs(x);
  return a == 0 || (a >= coordinate_min && a <= coordinate_max);
}

} // namespace tolerance
} // namespace carom
