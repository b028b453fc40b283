#include "carom/mesh/hull_side.h"

#include "carom/math/double_double.h"
#include "carom/math/error_free.h"
#include "carom/math/predicates.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace carom {
namespace hull_surface {
namespace {

/// The exponent of the last bit of x that is set: x is a multiple of 2 to that power.
int last_bit(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const auto exponent = static_cast<int>(bits >> 52 & 0x7ff);
  const std::uint64_t mantissa = (bits & 0xfffffffffffffu) | 0x10000000000000u;
  return exponent - 1075 + std::countr_zero(mantissa);
}

} // namespace

Extent extent_of(std::span<const Vec3> points) {
  Vec3 low = points[0];
  Vec3 high = points[0];
  int bit = 1024;
  for (const Vec3& p : points) {
    low = min(low, p);
    high = max(high, p);
    for (int i = 0; i < 3; ++i) {
      if (p[i] != 0) bit = std::min(bit, last_bit(p[i]));
    }
  }
  Extent extent{high - low, 0};
  const bool grid = bit < 1024 && max_abs(extent.size) <= std::ldexp(1.0, 52 + bit);
  if (grid) extent.exact_below = std::ldexp(1.0, 52 + 3 * bit);
  return extent;
}

// Zero at once where every term is, as in planes along the axes. Then in numbers of twice the length, which tell all but the exactly
// coplanar points of a plane that was rotated and rounded: the differences are exact, and each term passes through 5 operations of
// relative error 2^-100.
int close_side(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& p) {
  const double magnitude = predicate::det3_magnitude(b - a, c - a, p - a);
  if (magnitude == 0) return 0;
  const auto difference = [](double x, double y) {
    const TwoDoubles d = two_diff(x, y);
    return DoubleDouble{d.value, d.error};
  };
  const DoubleDouble u[3] = {difference(b.x, a.x), difference(b.y, a.y), difference(b.z, a.z)};
  const DoubleDouble v[3] = {difference(c.x, a.x), difference(c.y, a.y), difference(c.z, a.z)};
  const auto term = [&](int i, int j, double x, double y) {
    return (u[i] * v[j] + -(u[j] * v[i])) * difference(x, y);
  };
  const DoubleDouble value = term(1, 2, p.x, a.x) + term(2, 0, p.y, a.y) + term(0, 1, p.z, a.z);
  if (std::fabs(value.high) > 8 * 0x1p-100 * magnitude) return sign(value);
  return orient3d(a, b, c, p);
}

} // namespace hull_surface
} // namespace carom
