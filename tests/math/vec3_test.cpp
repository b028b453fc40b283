#include "carom/math/vec3.h"

#include "tests/support/generate.h"
#include "tests/support/property.h"

#include <gmpxx.h>

#include <limits>

namespace carom {
namespace {

using namespace test;
constexpr double epsilon = std::numeric_limits<double>::epsilon();

static_assert(Vec3{1, 2, 3} + Vec3{3, 4, 5} == Vec3{4, 6, 8});
static_assert(Vec3{1, 2, 3} - Vec3{3, 5, 7} == Vec3{-2, -3, -4});
static_assert(2 * Vec3{1, 2, 3} / 2 == Vec3{1, 2, 3});
static_assert(dot(Vec3{1, 2, 3}, Vec3{4, 5, 6}) == 32);
static_assert(cross(Vec3{1, 0, 0}, Vec3{0, 1, 0}) == Vec3{0, 0, 1});
static_assert(cross(Vec3{0, 1, 0}, Vec3{0, 0, 1}) == Vec3{1, 0, 0});
static_assert(triple({1, 0, 0}, {0, 1, 0}, {0, 0, 1}) == 1);
static_assert(distance_squared({1, 1, 1}, {2, 3, 4}) == 14);
static_assert(lerp(Vec3{0, 2, 0}, Vec3{4, 4, 8}, 0.25) == Vec3{1, 2.5, 2});
static_assert(mul({1, 2, 3}, {4, 5, 6}) == Vec3{4, 10, 18});
static_assert(min({1, 5, 3}, {4, 2, 3}) == Vec3{1, 2, 3});
static_assert(max({1, 5, 3}, {4, 2, 3}) == Vec3{4, 5, 3});
static_assert(unit_axis(0) == Vec3{1, 0, 0} && unit_axis(1) == Vec3{0, 1, 0} &&
              unit_axis(2) == Vec3{0, 0, 1});
static_assert([] {
  Vec3 v{1, 2, 3};
  v += {1, 1, 1};
  v -= {0, 2, 0};
  v *= 3;
  v[2] = v[0] + v[1];
  return v;
}() == Vec3{6, 3, 9});

/// The exact value, for oracles.
struct Exact {
  mpq_class x, y, z;
  explicit Exact(const Vec3& v) : x(v.x), y(v.y), z(v.z) {}
};

/// |value - exact| <= error.
bool within(double value, const mpq_class& exact, double error) {
  return abs(mpq_class(value) - exact) <= mpq_class(error);
}

PROPERTY(Vec3, CrossIsAntisymmetricToTheBit) {
  const Vec3 a = vec3(source), b = vec3(source);
  REQUIRE(cross(a, b) == -cross(b, a));
  REQUIRE(cross(a, a) == Vec3{});
  REQUIRE(dot(a, b) == dot(b, a));
}

PROPERTY(Vec3, ProductsAreTheExactOnesWithinTheirRoundings) {
  const double s = scale(source);
  const Vec3 a = vec3(source) * s, b = vec3(source) * s, c = vec3(source);
  const Exact p(a), q(b), r(c);
  const Vec3 size{std::fabs(a.y * b.z) + std::fabs(a.z * b.y),
                  std::fabs(a.z * b.x) + std::fabs(a.x * b.z),
                  std::fabs(a.x * b.y) + std::fabs(a.y * b.x)};
  // Two roundings a component, epsilon/2 each; 1.001 covers their products and the rounding of the bound itself.
  const Vec3 computed = cross(a, b);
  REQUIRE(within(computed.x, p.y * q.z - p.z * q.y, 1.001 * epsilon * size.x));
  REQUIRE(within(computed.y, p.z * q.x - p.x * q.z, 1.001 * epsilon * size.y));
  REQUIRE(within(computed.z, p.x * q.y - p.y * q.x, 1.001 * epsilon * size.z));
  // Three roundings.
  REQUIRE(
      within(dot(a, b), p.x * q.x + p.y * q.y + p.z * q.z, 1.501 * epsilon * dot(abs(a), abs(b))));
  // The cross product's two, then three more.
  const mpq_class volume =
      r.x * (p.y * q.z - p.z * q.y) + r.y * (p.z * q.x - p.x * q.z) + r.z * (p.x * q.y - p.y * q.x);
  REQUIRE(within(triple(c, a, b), volume, 2.501 * epsilon * dot(abs(c), size)));
}

PROPERTY(Vec3, LengthIsTheRootOfTheSquare) {
  const Vec3 v = vec3_at_any_scale(source);
  // The square has three roundings, which the root halves; its own makes 1.25 epsilon. Squared again: 2.5, and the two of l * l.
  const double l = length(v);
  const Exact e(v);
  const mpq_class square = e.x * e.x + e.y * e.y + e.z * e.z;
  REQUIRE(abs(mpq_class(l) * mpq_class(l) - square) <= square * mpq_class(2.51 * epsilon));
  REQUIRE(distance(v, Vec3{}) == l);
}

PROPERTY(Vec3, NormalizedIsUnitAndAlong) {
  const Vec3 v = vec3_at_any_scale(source);
  const Vec3 fallback{0, 3, 4};
  const Vec3 n = normalized_or(v, fallback);
  if (v == Vec3{}) {
    REQUIRE(n == fallback);
    return;
  }
  REQUIRE(std::fabs(length(n) - 1) <= 3 * epsilon);
  REQUIRE(length(cross(n, v)) <= 2 * epsilon * length(v));
  REQUIRE(dot(n, v) > 0);
}

TEST(Vec3, WhereNormalizingIsUndefined) {
  const Vec3 fallback{0, 3, 4};
  EXPECT_EQ(normalized_or({}, fallback), fallback);
  EXPECT_EQ(normalized_or({1e-200, 0, 0}, fallback), fallback);
  EXPECT_EQ(normalized_or({0, 1e200, 0}, fallback), fallback);
  EXPECT_EQ(normalized_or({0, 0, -INFINITY}, fallback), fallback);
  EXPECT_EQ(normalized_or({NAN, 1, 1}, fallback), fallback);
  EXPECT_EQ(normalized(Vec3{}), (Vec3{1, 0, 0}));
  // The ends of the range of coordinates are inside.
  EXPECT_EQ(normalized_or({0, -1e-30, 0}, fallback), (Vec3{0, -1, 0}));
  EXPECT_EQ(normalized_or({0, 0, 1e30}, fallback), (Vec3{0, 0, 1}));
}

PROPERTY(Vec3, PerpendicularIsUnitAndAtRightAngles) {
  const Vec3 v = vec3_at_any_scale(source);
  const Vec3 p = perpendicular(v);
  REQUIRE(std::fabs(length(p) - 1) <= 3 * epsilon);
  // The cross product with an axis only exchanges components, so that just the division rounds.
  REQUIRE(std::fabs(dot(p, v)) <= 2 * epsilon * length(v));
}

TEST(Vec3, PerpendicularOfSpecialVectors) {
  EXPECT_EQ(perpendicular({}), (Vec3{0, 1, 0}));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(dot(perpendicular(unit_axis(i)), unit_axis(i)), 0);
}

TEST(Vec3, AxesOfEqualsAreTheFirst) {
  EXPECT_EQ(largest_axis({1, 1, 1}), 0);
  EXPECT_EQ(largest_axis({0, 1, -1}), 1);
  EXPECT_EQ(largest_axis({-2, 1, 2}), 0);
  EXPECT_EQ(largest_axis({1, -3, 2}), 1);
  EXPECT_EQ(largest_axis({1, 2, -3}), 2);
  EXPECT_EQ(smallest_axis({1, -1, 1}), 0);
  EXPECT_EQ(smallest_axis({2, 1, -1}), 1);
  EXPECT_EQ(smallest_axis({-1, 2, 1}), 0);
  EXPECT_EQ(smallest_axis({3, -2, 1}), 2);
}

PROPERTY(Vec3, LargestAndSmallestAxisAgreeWithTheComponents) {
  const Vec3 v = vec3(source), a = abs(v);
  REQUIRE(a[largest_axis(v)] == max_abs(v));
  for (int i = 0; i < 3; ++i) {
    REQUIRE(a[i] <= a[largest_axis(v)] && a[i] >= a[smallest_axis(v)]);
    if (i < largest_axis(v)) REQUIRE(a[i] < a[largest_axis(v)]);
    if (i < smallest_axis(v)) REQUIRE(a[i] > a[smallest_axis(v)]);
  }
}

TEST(Vec3, Finite) {
  EXPECT_TRUE(is_finite(Vec3{1, 2, 3}));
  for (int i = 0; i < 3; ++i) {
    Vec3 v{1, 2, 3};
    v[i] = INFINITY;
    EXPECT_FALSE(is_finite(v));
    v[i] = NAN;
    EXPECT_FALSE(is_finite(v));
  }
}

} // namespace
} // namespace carom
