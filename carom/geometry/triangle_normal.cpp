// In plain doubles with a filter, then with twice the digits, and in the end exactly: each step where the one before lost too much.
#include "carom/geometry/triangle_normal.h"

#include "carom/math/double_double.h"
#include "carom/math/product_sum.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace carom {
namespace {

struct Wide3 {
  DoubleDouble x, y, z;
};

DoubleDouble exact_difference(double a, double b) {
  const TwoDoubles d = two_diff(a, b);
  return {d.value, d.error};
}
Wide3 exact_difference(const Vec3& a, const Vec3& b) {
  return {exact_difference(a.x, b.x), exact_difference(a.y, b.y), exact_difference(a.z, b.z)};
}
Vec3 cross(const Wide3& a, const Wide3& b) {
  return {(a.y * b.z + -(a.z * b.y)).high, (a.z * b.x + -(a.x * b.z)).high,
          (a.x * b.y + -(a.y * b.x)).high};
}

/// Component (i, j) of the sum a x b + b x c + c x a, which is the normal: six products, each of two coordinates as given.
ScaledDouble exact_component(const Vec3& a, const Vec3& b, const Vec3& c, int i, int j) {
  const std::array<Product, 6> terms{
      Product{1, {a[i], b[j], 1, 1}}, Product{-1, {a[j], b[i], 1, 1}},
      Product{1, {b[i], c[j], 1, 1}}, Product{-1, {b[j], c[i], 1, 1}},
      Product{1, {c[i], a[j], 1, 1}}, Product{-1, {c[j], a[i], 1, 1}}};
  return sum_of_products(terms);
}

} // namespace

Vec3 triangle_normal(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 u = b - a;
  const Vec3 v = c - a;
  const Vec3 plain = cross(u, v);
  // Six roundings of products no longer than |u| |v| are below 2^-49 of it; so a fourth of it is as good as asked for.
  const double reach = max_abs(u) * max_abs(v);
  if (max_abs(plain) >= 0.25 * reach || !std::isfinite(reach)) return plain;
  // Here 2^-98 of it, and the rounding of the result.
  const Vec3 wide = cross(exact_difference(b, a), exact_difference(c, a));
  if (max_abs(wide) >= 0x1p-46 * reach) return wide;
  const auto value = [](const ScaledDouble& s) { return std::ldexp(s.mantissa, s.exponent); };
  return {value(exact_component(a, b, c, 1, 2)), value(exact_component(a, b, c, 2, 0)),
          value(exact_component(a, b, c, 0, 1))};
}

} // namespace carom
