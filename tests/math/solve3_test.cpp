// The oracle: Cramer's rule and residuals over the rationals.
#include "carom/math/solve3.h"

#include "tests/support/generate.h"
#include "tests/support/property.h"

#include <gmpxx.h>

#include <algorithm>
#include <array>
#include <limits>

namespace carom {
namespace {

using test::Source;

constexpr double u = 0x1p-53;
constexpr double inf = std::numeric_limits<double>::infinity();

mpq_class exact_determinant(const Vec3& a, const Vec3& b, const Vec3& c) {
  const mpq_class bx(b.x), by(b.y), bz(b.z), cx(c.x), cy(c.y), cz(c.z);
  return mpq_class(a.x) * (by * cz - bz * cy) + mpq_class(a.y) * (bz * cx - bx * cz) +
         mpq_class(a.z) * (bx * cy - by * cx);
}

/// Gaussian elimination over the rationals.
int exact_rank(const Mat3& m) {
  std::array<std::array<mpq_class, 3>, 3> a;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j)
      a.at(static_cast<std::size_t>(i)).at(static_cast<std::size_t>(j)) = m[i][j];
  }
  std::size_t rank = 0;
  for (std::size_t j = 0; j < 3; ++j) {
    std::size_t r = rank;
    while (r < 3 && a[r][j] == 0) ++r;
    if (r == 3) continue;
    std::swap(a[r], a[rank]);
    for (std::size_t i = rank + 1; i < 3; ++i) {
      const mpq_class f = a[i][j] / a[rank][j];
      for (std::size_t k = 0; k < 3; ++k) a[i][k] -= f * a[rank][k];
    }
    ++rank;
  }
  return static_cast<int>(rank);
}

void check(const Mat3& m, const Vec3& b) {
  const Solve3 s = solve(m, b);
  const mpq_class d = exact_determinant(m.x, m.y, m.z);
  EXPECT_EQ(s.status, d == 0 ? SolveStatus::singular : SolveStatus::unique);
  EXPECT_EQ(s.rank, exact_rank(m));
  EXPECT_FALSE(std::isnan(s.x.x) || std::isnan(s.x.y) || std::isnan(s.x.z));
  if (d == 0) {
    EXPECT_EQ(s.x, (Vec3{0, 0, 0}));
    return;
  }
  // Where a component overflows, or loses digits below the normal range, there is no residual to speak of.
  const mpq_class x[] = {exact_determinant(b, m.y, m.z) / d, exact_determinant(m.x, b, m.z) / d,
                         exact_determinant(m.x, m.y, b) / d};
  for (const mpq_class& component : x) {
    const mpq_class size = abs(component);
    if (size > mpq_class(0x1p1020) || (size != 0 && size < mpq_class(0x1p-900))) return;
  }
  const mpq_class sum = abs(mpq_class(s.x.x)) + abs(mpq_class(s.x.y)) + abs(mpq_class(s.x.z));
  for (int i = 0; i < 3; ++i) {
    const Vec3 row = m.row(i);
    const mpq_class residual = mpq_class(row.x) * mpq_class(s.x.x) +
                               mpq_class(row.y) * mpq_class(s.x.y) +
                               mpq_class(row.z) * mpq_class(s.x.z) - mpq_class(b[i]);
    EXPECT_LE(abs(residual), sum * mpq_class(max_abs(row)) * mpq_class(32 * u)) << i;
  }
}

/// Where a pivot is below 2^-26 of its row the components themselves are accurate.
void check_accurate(const Mat3& m, const Vec3& b) {
  const Solve3 s = solve(m, b);
  const mpq_class d = exact_determinant(m.x, m.y, m.z);
  ASSERT_EQ(s.status, SolveStatus::unique);
  const mpq_class x[] = {exact_determinant(b, m.y, m.z) / d, exact_determinant(m.x, b, m.z) / d,
                         exact_determinant(m.x, m.y, b) / d};
  for (int i = 0; i < 3; ++i)
    EXPECT_LE(abs(mpq_class(s.x[i]) - x[i]), abs(x[i]) * mpq_class(0x1p-49)) << i;
}

double integer(Source& source, int reach) {
  return source.index(2 * reach + 1) - static_cast<double>(reach);
}
Vec3 integers(Source& source, int reach) {
  const double x = integer(source, reach);
  const double y = integer(source, reach);
  const double z = integer(source, reach);
  return {x, y, z};
}

/// A vector in the plane of two, exactly for such integers.
Vec3 combined(Source& source, const Vec3& a, const Vec3& b) {
  const double s = integer(source, 1 << 20);
  const double t = integer(source, 1 << 20);
  return a * s + b * t;
}

Mat3 matrix(Source& source) {
  Mat3 m{test::vec3(source), test::vec3(source), test::vec3(source)};
  switch (source.index(6)) {
  case 0: // singular: the third column combines the others, exactly
    m.x = integers(source, 1 << 20);
    m.y = integers(source, 1 << 20);
    m.z = combined(source, m.x, m.y);
    break;
  case 1: // the same, moved by an ulp
    m.x = integers(source, 1 << 20);
    m.y = integers(source, 1 << 20);
    m.z = combined(source, m.x, m.y);
    m.z.y = std::nextafter(m.z.y, inf);
    break;
  case 2: { // rank one, or nearly
    const Vec3 column = integers(source, 1000);
    m = outer(column, integers(source, 1000));
    if (source.index(2)) m.y.z = std::nextafter(m.y.z, inf);
    break;
  }
  case 3: // rows and columns of many sizes
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) m[i][j] = std::ldexp(m[i][j], source.index(200) - 100);
    }
    break;
  default:
    break;
  }
  if (source.index(2)) m = transpose(m);
  return m;
}

TEST(Solve3, StatusAndRankAreExactAndTheResidualIsSmall) {
  test::for_each_seed(4000, [](Source& source) {
    const Mat3 m = matrix(source);
    const Vec3 b = source.index(4) == 0 ? m * integers(source, 3) : test::vec3(source);
    const double scale = source.index(3) == 0 ? std::ldexp(1, source.index(400) - 200) : 1;
    check(m * scale, b);
    check(m, b * scale);
  });
}

TEST(Solve3, SizesFarBeyondTheRange) {
  test::for_each_seed(1000, [](Source& source) {
    Mat3 m = matrix(source);
    Vec3 b = test::vec3(source);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) m[i][j] = std::ldexp(m[i][j], source.index(1800) - 900);
      b[i] = std::ldexp(b[i], source.index(1800) - 900);
    }
    check(m, b);
  });
}

TEST(Solve3, NearlySingularSystemsHaveAccurateSolutions) {
  // The determinant of these 53-bit integers is 1: h^2 - (h - 1)(h + 1).
  for (const double h : {0x1p15 + 1, 0x1p20 + 1, 0x1p30 + 1, 0x1p52 + 1, 0x1p53 - 1}) {
    check_accurate({{h, h + 1, 0}, {h - 1, h, 0}, {0, 0, 1}}, {3, 5, 7});
    check_accurate({{h, 0, h + 1}, {0, 5, 0}, {h - 1, 0, h}}, {1, -1e-30, 1e30});
  }
  const double third = 1.0 / 3;
  check_accurate({{1, third, third}, {1, std::nextafter(third, 1), third}, {0, 1e-20, 1}},
                 {1, 2, 3});
  check({{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, {1, 1, 1});
  EXPECT_EQ(solve({{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, {1, 1, 1}).status, SolveStatus::singular);
  EXPECT_EQ(solve({{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, {1, 1, 1}).rank, 2);
  EXPECT_EQ(solve({{.1, .2, .3}, {.1, .2, .3}, {.7, .8, .9}}, {1, 1, 1}).rank, 2);
  EXPECT_EQ(solve({{.1, .2, .3}, {.1, .2, .3}, {.2, .4, .6}}, {1, 1, 1}).rank, 1);
  EXPECT_EQ(solve(Mat3::zero(), {1, 1, 1}).rank, 0);
  EXPECT_EQ(solve(Mat3::diagonal({2, 4, 8}), {2, 8, 24}).x, (Vec3{1, 2, 3}));
}

PROPERTY(Solve3, TwoUnknowns) {
  Vec2 a = test::vec2(source);
  Vec2 b = test::vec2(source);
  const Vec2 r = test::vec2(source);
  if (source.index(3) == 0) b = a * integer(source, 5);
  if (source.index(4) == 0 && a.y != 0) a.y = std::nextafter(a.y, 2);
  const Solve2 s = solve(a, b, r);
  const mpq_class ax(a.x), ay(a.y), bx(b.x), by(b.y), rx(r.x), ry(r.y);
  const mpq_class d = ax * by - ay * bx;
  REQUIRE((s.status == SolveStatus::unique) == (d != 0));
  REQUIRE(s.rank == (d != 0 ? 2 : a == Vec2{} && b == Vec2{} ? 0 : 1));
  if (d == 0) {
    REQUIRE((s.x == Vec2{}));
    return;
  }
  const mpq_class sx(s.x.x), sy(s.x.y);
  const mpq_class bound = (abs(sx) + abs(sy)) * mpq_class(32 * u);
  REQUIRE(abs(mpq_class(ax * sx + bx * sy - rx)) <=
          bound * std::max(std::fabs(a.x), std::fabs(b.x)));
  REQUIRE(abs(mpq_class(ay * sx + by * sy - ry)) <=
          bound * std::max(std::fabs(a.y), std::fabs(b.y)));
}

TEST(Solve3, NotFinite) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), inf, -inf}) {
    EXPECT_EQ(solve(Mat3::diagonal({1, bad, 1}), {1, 1, 1}).status, SolveStatus::not_finite);
    EXPECT_EQ(solve(Mat3::identity(), {1, 1, bad}).status, SolveStatus::not_finite);
    EXPECT_EQ(solve(Mat3::identity(), {1, 1, bad}).x, (Vec3{0, 0, 0}));
    EXPECT_EQ(solve(Vec2{1, 0}, Vec2{0, bad}, Vec2{1, 1}).status, SolveStatus::not_finite);
    EXPECT_EQ(solve(Vec2{1, 0}, Vec2{0, bad}, Vec2{1, 1}).rank, 0);
  }
  // A right-hand side that vanishes beside its row still counts: y = 2^-76 / (2^1000 2^-20).
  const double huge = 0x1p1000;
  EXPECT_EQ(solve(Vec2{huge, huge}, Vec2{huge, huge * (1 - 0x1p-20)}, Vec2{0x1p-76, 0}).x.y,
            0x1p-1056);
  // Beyond the range: an infinity, not a NaN.
  const Solve3 s = solve(Mat3::diagonal({1e-300, 1, 1}), {1e300, 1, 1});
  EXPECT_EQ(s.x.x, inf);
  EXPECT_EQ(s.x.y, 1);
}

} // namespace
} // namespace carom
