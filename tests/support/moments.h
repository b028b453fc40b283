// Moments compared, and integrated by quadrature in long double.
#pragma once

#include "carom/geometry/moments.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace carom::test {

inline double size_of(const Mat3& m) {
  return std::max({max_abs(m.x), max_abs(m.y), max_abs(m.z)});
}

/// `size` is about the solid's greatest length, from which its centroid cannot be farther off than `tolerance` of it. All tolerances are
/// relative: of the volume, of the size, and of volume * size^2.
inline bool close(const Moments& a, const Moments& b, double size, double tolerance) {
  return std::fabs(a.volume - b.volume) <= tolerance * b.volume &&
         max_abs(a.centroid - b.centroid) <= tolerance * size &&
         size_of(a.second - b.second) <= tolerance * b.volume * size * size;
}
inline ::testing::AssertionResult are_close(const Moments& a, const Moments& b, double size,
                                            double tolerance) {
  if (close(a, b, size, tolerance)) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << "volumes " << a.volume << " and " << b.volume << " (off by "
         << std::fabs(a.volume / b.volume - 1) << "), centroids apart by "
         << max_abs(a.centroid - b.centroid) / size << ", second moments by "
         << size_of(a.second - b.second) / (b.volume * size * size) << "; allowed " << tolerance;
}

/// Calls f(node, weight) for Gauss's rule with 5 points in each of n parts of [a, b]: exact for polynomials of degree 9.
template<class Function>
void for_each_node(long double a, long double b, int n, Function&& f) {
  static const std::array<std::array<long double, 2>, 5> rule = [] {
    const long double s = std::sqrt(10.0L / 7);
    const long double near = std::sqrt(5 - 2 * s) / 3;
    const long double far = std::sqrt(5 + 2 * s) / 3;
    const long double r = 13 * std::sqrt(70.0L);
    return std::array<std::array<long double, 2>, 5>{{{0, 128.0L / 225},
                                                      {near, (322 + r) / 900},
                                                      {-near, (322 + r) / 900},
                                                      {far, (322 - r) / 900},
                                                      {-far, (322 - r) / 900}}};
  }();
  const long double half = (b - a) / (2 * n);
  for (int i = 0; i < n; ++i) {
    for (const auto& [node, weight] : rule) f(a + half * (2 * i + 1 + node), half * weight);
  }
}

/// The integral of f over [a, b] by that rule.
template<class Function>
long double integrate(long double a, long double b, int n, Function&& f) {
  long double sum = 0;
  for_each_node(a, b, n, [&](long double x, long double weight) { sum += weight * f(x); });
  return sum;
}

} // namespace carom::test
