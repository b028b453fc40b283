// The oracle is exact: entries are taken as rationals, reconstruction and orthogonality are evaluated without rounding, and
// eigenvalues are counted on either side of a point by the signs of the characteristic polynomial.
#include "carom/math/eigen3.h"

#include "tests/support/generate.h"
#include "tests/support/property.h"

#include <gmpxx.h>

#include <algorithm>
#include <array>
#include <limits>

namespace carom {
namespace {

using test::Source;
using Exact3 = std::array<std::array<mpq_class, 3>, 3>;

constexpr double u = 0x1p-53;

/// The symmetric part of m, exactly.
Exact3 symmetric_part(const Mat3& m) {
  Exact3 s;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      s.at(static_cast<std::size_t>(i)).at(static_cast<std::size_t>(j)) =
          (mpq_class(m[i][j]) + mpq_class(m[j][i])) / 2;
    }
  }
  return s;
}

mpq_class greatest(const Exact3& m) {
  mpq_class n = 0;
  for (const auto& row : m) {
    for (const mpq_class& x : row) n = std::max<mpq_class>(n, abs(x));
  }
  return n;
}

/// How many eigenvalues of s exceed t. All three roots of the characteristic polynomial are real, so Descartes' rule of signs,
/// applied to s - t I, counts exactly.
int count_above(Exact3 s, const mpq_class& t) {
  for (std::size_t i = 0; i < 3; ++i) s[i][i] -= t;
  const auto minor = [&](std::size_t i, std::size_t j) -> mpq_class {
    return s[i][i] * s[j][j] - s[i][j] * s[i][j];
  };
  const mpq_class trace = s[0][0] + s[1][1] + s[2][2];
  const mpq_class minors = minor(0, 1) + minor(0, 2) + minor(1, 2);
  const mpq_class det = s[0][0] * minor(1, 2) - s[0][1] * (s[0][1] * s[2][2] - s[1][2] * s[0][2]) +
                        s[0][2] * (s[0][1] * s[1][2] - s[1][1] * s[0][2]);
  // x^3 - trace x^2 + minors x - det
  int changes = 0;
  int last = 1;
  for (const int sign : {-sgn(trace), sgn(minors), -sgn(det)}) {
    if (sign == 0) continue;
    if (sign != last) ++changes;
    last = sign;
  }
  return changes;
}

/// What the header promises, in units of u: 32. Returns the worst of the three errors, in u.
double check(const Mat3& m) {
  const Eigen3 e = symmetric_eigen(m);
  EXPECT_TRUE(e.finite);
  EXPECT_TRUE(is_finite(e.values));
  EXPECT_GE(e.values.x, e.values.y);
  EXPECT_GE(e.values.y, e.values.z);
  EXPECT_GT(determinant(e.vectors), 0.5);
  for (int i = 0; i < 2; ++i) EXPECT_GT(e.vectors[i][largest_axis(e.vectors[i])], 0);

  const Exact3 s = symmetric_part(m);
  const mpq_class n = greatest(s);
  const mpq_class bound = n * 32 * mpq_class(u);
  double worst = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      mpq_class rebuilt = 0;
      mpq_class gram = i == j ? -1 : 0;
      for (int k = 0; k < 3; ++k) {
        rebuilt += mpq_class(e.vectors[k][i]) * mpq_class(e.values[k]) * mpq_class(e.vectors[k][j]);
        gram += mpq_class(e.vectors[i][k]) * mpq_class(e.vectors[j][k]);
      }
      const mpq_class error =
          abs(rebuilt - s.at(static_cast<std::size_t>(i)).at(static_cast<std::size_t>(j)));
      EXPECT_LE(error, bound) << i << j;
      EXPECT_LE(abs(gram), mpq_class(32 * u));
      if (n > 0) worst = std::max(worst, mpq_class(error / n).get_d() / u);
      worst = std::max(worst, std::fabs(gram.get_d()) / u);
    }
    EXPECT_LE(count_above(s, mpq_class(e.values[i]) + bound), i);
    if (n > 0) {
      EXPECT_GT(count_above(s, mpq_class(e.values[i]) - bound), i);
    }
  }
  return worst;
}

Mat3 symmetric(double xx, double yy, double zz, double xy, double xz, double yz) {
  return {{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}};
}

Mat3 random_symmetric(Source& source) {
  const auto entry = [&] {
    const double x = test::real(source);
    return source.chance(4) ? std::ldexp(x, -source.index(70)) : x;
  };
  const double xx = entry(), yy = entry(), zz = entry(), xy = entry(), xz = entry(), yz = entry();
  switch (source.index(6)) {
  case 0:
    return symmetric(xx, yy, zz, xy, xz, yz);
  case 1: // rank one
    return outer({xx, yy, zz}, {xx, yy, zz});
  case 2: // nearly a multiple of the identity
    return symmetric(1, 1, 1, 0, 0, 0) +
           symmetric(xx, yy, zz, xy, xz, yz) * std::ldexp(1, -20 - source.index(40));
  case 3: // not symmetric: only the symmetric part counts
    return {{xx, xy, xz}, {yz, yy, zz}, {zz, xx, xy}};
  case 4: { // known axes, repeated eigenvalues
    const Mat3 r = to_matrix(test::rotation(source));
    return r * Mat3::diagonal({xx, source.index(2) ? xx : yy, yy}) * transpose(r);
  }
  default: // nearly diagonal, graded
    return symmetric(xx, yy * 1e-8, zz * 1e-16, xy * 1e-12, xz * 1e-16, yz * 1e-20);
  }
}

TEST(Eigen3, SmallIntegerMatricesWithKnownEigenvalues) {
  const struct {
    Mat3 m;
    Vec3 values;
  } cases[] = {
      {symmetric(2, 2, 2, 1, 1, 1), {4, 1, 1}},        {symmetric(0, 0, 0, 1, 1, 1), {2, -1, -1}},
      {symmetric(1, 1, 1, 1, 1, 1), {3, 0, 0}},        {symmetric(2, 3, 4, 0, 0, 0), {4, 3, 2}},
      {symmetric(2, 2, 5, -1, 0, 0), {5, 3, 1}},       {symmetric(0, 0, 0, 3, 4, 0), {5, 0, -5}},
      {symmetric(1, 4, 9, 2, 3, 6), {14, 0, 0}},       {symmetric(5, 5, 5, 0, 0, 0), {5, 5, 5}},
      {symmetric(-1, -1, -1, -1, -1, -1), {0, 0, -3}}, {symmetric(7, 6, 5, -2, 0, -2), {9, 6, 3}},
      {symmetric(0, 0, 0, 0, 0, 0), {0, 0, 0}},
  };
  for (const auto& c : cases) {
    for (const double scale : {1.0, 1e60, 1e-60, 0x1p1000, 0x1p-900}) {
      const Mat3 m = c.m * scale;
      const double n = std::max({max_abs(m.x), max_abs(m.y), max_abs(m.z)});
      (void)check(m);
      const Eigen3 e = symmetric_eigen(m);
      for (int i = 0; i < 3; ++i)
        EXPECT_LE(std::fabs(e.values[i] - c.values[i] * scale), 32 * u * n) << i;
    }
  }
}

TEST(Eigen3, DiagonalMatricesAreExactAndZeroGivesTheIdentity) {
  const Eigen3 zero = symmetric_eigen(Mat3::zero());
  EXPECT_EQ(zero.values, (Vec3{0, 0, 0}));
  EXPECT_EQ(zero.vectors, Mat3::identity());
  EXPECT_TRUE(zero.finite);
  EXPECT_EQ(symmetric_eigen(Mat3::diagonal({7, 7, 7})).vectors, Mat3::identity());
  const Eigen3 e = symmetric_eigen(Mat3::diagonal({1, 1e60, -3e-60}));
  EXPECT_EQ(e.values, (Vec3{1e60, 1, -3e-60}));
  EXPECT_EQ(e.vectors, (Mat3{{0, 1, 0}, {1, 0, 0}, {0, 0, -1}}));
  const Eigen3 least = symmetric_eigen(Mat3::diagonal({5e-324, 0, 0}));
  EXPECT_EQ(least.values, (Vec3{5e-324, 0, 0}));
}

TEST(Eigen3, OnlyTheSymmetricPartCounts) {
  const Eigen3 skew = symmetric_eigen({{0, 1, -2}, {-1, 0, 3}, {2, -3, 0}});
  EXPECT_EQ(skew.values, (Vec3{0, 0, 0}));
  // A symmetric part of 1e-9 under a skew part of 1: all of its digits count.
  (void)check({{1e-9, 1 + 0x1p-30, -2}, {-1, 3e-9, 3}, {2, -3 + 0x1p-31, 1e-9}});
}

TEST(Eigen3, ATinySymmetricPartUnderASkewOneIsScaledAgain) {
  const double t = 0x1p-700;
  const Mat3 part = symmetric(2 * t, 2 * t, 2 * t, 0, t, t);
  const Mat3 skew = {{0, 1, 0}, {-1, 0, 0}, {0, 0, 0}};
  const Eigen3 e = symmetric_eigen(part + skew);
  EXPECT_EQ(e.values, symmetric_eigen(part).values);
  EXPECT_EQ(e.vectors, symmetric_eigen(part).vectors);
}

TEST(Eigen3, KeepsTheSmallEigenvaluesOfAGradedDefiniteMatrix) {
  // diagonal(1, 1e-10, 1e-20) S diagonal(1, 1e-10, 1e-20) with S well conditioned: eigenvalues near 1e-20 have relative accuracy.
  const Mat3 m = symmetric(4, 4e-20, 4e-40, 1e-10, 1e-20, 1e-30);
  const Eigen3 e = symmetric_eigen(m);
  const Exact3 s = symmetric_part(m);
  for (int i = 0; i < 3; ++i) {
    const mpq_class value = e.values[i];
    const mpq_class slack = value * 64 * mpq_class(u);
    EXPECT_EQ(count_above(s, value + slack), i);
    EXPECT_EQ(count_above(s, value - slack), i + 1);
  }
}

TEST(Eigen3, RandomMatricesWithinTheStatedBounds) {
  double worst = 0;
  test::for_each_seed(
      4000, [&](Source& source) { worst = std::max(worst, check(random_symmetric(source))); });
  RecordProperty("worst_error_in_u", std::to_string(worst));
  if (std::getenv("CAROM_VERBOSE")) std::printf("worst error: %g u\n", worst);
}

PROPERTY(Eigen3, ScalingByAPowerOfTwoScalesTheValuesOnly) {
  const Mat3 m = random_symmetric(source);
  const int k = source.index(1200) - 600;
  const Eigen3 a = symmetric_eigen(m);
  const Eigen3 b = symmetric_eigen(m * std::ldexp(1, k));
  REQUIRE(a.vectors == b.vectors);
  REQUIRE(a.values * std::ldexp(1, k) == b.values);
}

TEST(Eigen3, NotFiniteGivesADefinedResult) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  for (const double bad : {nan, inf, -inf}) {
    for (int i = 0; i < 9; ++i) {
      Mat3 m = symmetric(1, 2, 3, 4, 5, 6);
      m[i / 3][i % 3] = bad;
      const Eigen3 e = symmetric_eigen(m);
      EXPECT_FALSE(e.finite);
      EXPECT_EQ(e.values, (Vec3{0, 0, 0}));
      EXPECT_EQ(e.vectors, Mat3::identity());
    }
  }
  const double top = std::numeric_limits<double>::max();
  const Eigen3 e = symmetric_eigen(symmetric(top, top, top, top, -top, top) * 0.3);
  EXPECT_TRUE(is_finite(e.values) && is_finite(e.vectors.x) && is_finite(e.vectors.y) &&
              is_finite(e.vectors.z));
}

} // namespace
} // namespace carom
