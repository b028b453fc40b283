#include "carom/math/mat3.h"

#include "tests/support/generate.h"
#include "tests/support/property.h"

#include <gmpxx.h>

#include <limits>

namespace carom {
namespace {

using namespace test;
constexpr double epsilon = std::numeric_limits<double>::epsilon();

// Column i is the image of axis i; row i is what component i is made of.
constexpr Mat3 sample{{1, 2, 3}, {4, 5, 6}, {7, 8, 10}};
static_assert(sample * Vec3{1, 0, 0} == Vec3{1, 2, 3});
static_assert(sample * Vec3{0, 0, 1} == Vec3{7, 8, 10});
static_assert(sample * Vec3{1, 1, 1} == Vec3{12, 15, 19});
static_assert(sample.row(1) == Vec3{2, 5, 8});
static_assert(sample[0] == sample.x && sample[1] == sample.y && sample[2] == sample.z);
static_assert(transpose(sample) == Mat3{{1, 4, 7}, {2, 5, 8}, {3, 6, 10}});
static_assert(transpose_mul(sample, {1, 1, 1}) == Vec3{6, 15, 25});
static_assert(determinant(sample) == -3);
static_assert(determinant(Mat3::diagonal({2, 3, 4})) == 24);
static_assert(sample * Mat3::identity() == sample && Mat3::identity() * sample == sample);
static_assert(sample + Mat3::zero() == sample && sample - sample == Mat3::zero());
static_assert(sample * 2 == sample + sample);
static_assert(outer({1, 2, 3}, {4, 5, 6}) * Vec3{1, 1, 1} == Vec3{15, 30, 45});
static_assert([] {
  Mat3 m;
  m[1] = {0, 2, 0};
  m[2].z = 3;
  return m;
}() == Mat3::diagonal({1, 2, 3}));

Mat3 mat3(Source& source) {
  const Vec3 x = vec3(source), y = vec3(source), z = vec3(source);
  return {x, y, z};
}

bool within(double value, const mpq_class& exact, double error) {
  return abs(mpq_class(value) - exact) <= mpq_class(error);
}

PROPERTY(Mat3, ProductsAreTheExactOnesWithinTheirRoundings) {
  const Mat3 m = mat3(source), n = mat3(source);
  const Mat3 product = m * n, size = abs(m) * abs(n);
  for (int column = 0; column < 3; ++column) {
    for (int row = 0; row < 3; ++row) {
      mpq_class exact;
      for (int i = 0; i < 3; ++i) exact += mpq_class(m[i][row]) * mpq_class(n[column][i]);
      // Three roundings of epsilon/2.
      REQUIRE(within(product[column][row], exact, 1.501 * epsilon * size[column][row]));
    }
  }
}

PROPERTY(Mat3, ColumnsOfAProductAreImagesOfColumns) {
  const Mat3 m = mat3(source), n = mat3(source);
  for (int i = 0; i < 3; ++i) REQUIRE((m * n)[i] == m * n[i]);
}

PROPERTY(Mat3, TransposeExchangesRowsAndColumns) {
  const Mat3 m = mat3(source);
  const Vec3 v = vec3(source);
  REQUIRE(transpose(transpose(m)) == m);
  for (int i = 0; i < 3; ++i) {
    REQUIRE(transpose(m)[i] == m.row(i));
    REQUIRE(transpose_mul(m, v)[i] == dot(m[i], v));
  }
  REQUIRE(transpose_mul(m, v) == transpose(m) * v); // the same sums in the same order
}

PROPERTY(Mat3, DeterminantIsTheExactOneWithinItsRoundings) {
  const Mat3 m = mat3(source);
  mpq_class exact;
  double size = 0;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    exact += mpq_class(m.x[i]) *
             (mpq_class(m.y[j]) * mpq_class(m.z[k]) - mpq_class(m.y[k]) * mpq_class(m.z[j]));
    size += std::fabs(m.x[i]) * (std::fabs(m.y[j] * m.z[k]) + std::fabs(m.y[k] * m.z[j]));
  }
  REQUIRE(within(determinant(m), exact, 2.501 * epsilon * size)); // five roundings
}

PROPERTY(Mat3, OuterProductsAndSizes) {
  const Vec3 a = vec3(source), b = vec3(source);
  const Mat3 m = outer(a, b);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      REQUIRE(m[j][i] == a[i] * b[j]);
      REQUIRE(abs(m)[j][i] == std::fabs(m[j][i]));
    }
  }
  REQUIRE(transpose(m) == outer(b, a));
}

} // namespace
} // namespace carom
