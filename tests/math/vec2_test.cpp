#include "carom/math/vec2.h"

#include "tests/support/generate.h"
#include "tests/support/property.h"

#include <gmpxx.h>

#include <limits>

namespace carom {
namespace {

using namespace test;
constexpr double epsilon = std::numeric_limits<double>::epsilon();

static_assert(Vec2{1, 2} + Vec2{3, 4} == Vec2{4, 6});
static_assert(Vec2{1, 2} - Vec2{3, 5} == Vec2{-2, -3});
static_assert(2 * Vec2{1, 2} / 2 == Vec2{1, 2});
static_assert(dot(Vec2{1, 2}, Vec2{3, 4}) == 11);
static_assert(cross(Vec2{1, 0}, Vec2{0, 1}) == 1);
static_assert(left(Vec2{1, 0}) == Vec2{0, 1});
static_assert(lerp(Vec2{0, 2}, Vec2{4, 4}, 0.5) == Vec2{2, 3});
static_assert([] {
  Vec2 v{1, 2};
  v += {1, 1};
  v -= {0, 2};
  v *= 3;
  return v;
}() == Vec2{6, 3});

PROPERTY(Vec2, CrossIsAntisymmetricToTheBit) {
  const Vec2 a = vec2(source), b = vec2(source);
  REQUIRE(cross(a, b) == -cross(b, a));
  REQUIRE(cross(a, a) == 0);
  REQUIRE(dot(a, b) == dot(b, a));
  REQUIRE(cross(a, b) == dot(left(a), b));
}

PROPERTY(Vec2, ProductsAreTheExactOnesWithinTheirRoundings) {
  const double s = scale(source);
  const Vec2 a = vec2(source) * s, b = vec2(source) * s;
  const mpq_class ax(a.x), ay(a.y), bx(b.x), by(b.y);
  // Two products and one sum, each rounded by epsilon/2 of itself: at most epsilon (1 + epsilon) of the sum of sizes.
  const double dot_size = std::fabs(a.x * b.x) + std::fabs(a.y * b.y);
  const double cross_size = std::fabs(a.x * b.y) + std::fabs(a.y * b.x);
  const mpq_class dot_error = abs(mpq_class(dot(a, b)) - mpq_class(ax * bx + ay * by));
  const mpq_class cross_error = abs(mpq_class(cross(a, b)) - mpq_class(ax * by - ay * bx));
  REQUIRE(dot_error <= mpq_class(dot_size) * mpq_class(epsilon * 1.001));
  REQUIRE(cross_error <= mpq_class(cross_size) * mpq_class(epsilon * 1.001));
}

PROPERTY(Vec2, NormalizedIsUnitAndAlong) {
  const Vec2 at_1 = vec2(source);
  const Vec2 v = at_1 * scale(source);
  const Vec2 fallback{3, 4};
  const Vec2 n = normalized_or(v, fallback);
  if (v == Vec2{}) {
    REQUIRE(n == fallback);
    return;
  }
  // The length is within epsilon of its value (half the error of the sum, and the root's), the quotient adds half of one.
  REQUIRE(std::fabs(length(n) - 1) <= 3 * epsilon);
  REQUIRE(std::fabs(cross(n, v)) <= 2 * epsilon * length(v));
  REQUIRE(dot(n, v) > 0);
}

TEST(Vec2, WhereNormalizingIsUndefined) {
  const Vec2 fallback{3, 4};
  EXPECT_EQ(normalized_or({0, 0}, fallback), fallback);
  EXPECT_EQ(normalized_or({1e-200, 0}, fallback), fallback);
  EXPECT_EQ(normalized_or({1e200, 0}, fallback), fallback);
  EXPECT_EQ(normalized_or({INFINITY, 0}, fallback), fallback);
  EXPECT_EQ(normalized_or({NAN, 1}, fallback), fallback);
  EXPECT_EQ(normalized_or({0, -2}, fallback), (Vec2{0, -1}));
  EXPECT_FALSE(is_finite(Vec2{0, NAN}));
  EXPECT_FALSE(is_finite(Vec2{-INFINITY, 0}));
  EXPECT_TRUE(is_finite(Vec2{1, 2}));
}

TEST(Vec2, LengthsAndQuarterTurns) {
  EXPECT_EQ(length(Vec2{3, -4}), 5);
  EXPECT_EQ(length_squared(Vec2{3, -4}), 25);
  EXPECT_EQ(distance(Vec2{1, 1}, Vec2{4, 5}), 5);
  EXPECT_EQ(left(left(Vec2{3, -4})), (Vec2{-3, 4}));
}

} // namespace
} // namespace carom
