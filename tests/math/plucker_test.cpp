#include "carom/math/plucker.h"

#include "tests/math/predicate_cases.h"
#include "tests/support/generate.h"
#include "tests/support/property.h"

namespace carom {
namespace {

using test::Source;

/// Integers up to 1000: all products of three and their sums are exact in double.
Vec3 grid(Source& source) { return test::integers(source, 1000); }

/// The determinant of rows (1, p), by cofactors along the ones.
double determinant(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return triple(b, c, d) - triple(a, c, d) + triple(a, b, d) - triple(a, b, c);
}

TEST(Plucker, CounterClockwiseAroundIsPositive) {
  const PluckerLine z = plucker_along({0, 0, 0}, {0, 0, 1});
  const PluckerLine around = plucker_through({1, 0, 5}, {1, 1, 7});
  EXPECT_EQ(side(z, around), 1);
  EXPECT_EQ(side(around, z), 1);
  EXPECT_EQ(side(reversed(z), around), -1);
  EXPECT_EQ(side(z, reversed(around)), -1);
}

PROPERTY(Plucker, SideIsTheDeterminant) {
  const Vec3 a = grid(source);
  const Vec3 b = grid(source);
  const Vec3 c = grid(source);
  const Vec3 d = grid(source);
  const double s = side(plucker_through(a, b), plucker_through(c, d));
  REQUIRE(s == determinant(a, b, c, d));
  REQUIRE(s == triple(b - a, c - a, d - a));
  REQUIRE(exact_side(a, b, c, d) == (s > 0) - (s < 0));
  REQUIRE(s == side(plucker_through(c, d), plucker_through(a, b)));
  REQUIRE(s == side(plucker_along(b, b - a), plucker_along(d, d - c)));
  REQUIRE(exact_side_along(a, b - a, c, d) == exact_side(a, b, c, d));
}

PROPERTY(Plucker, LinesOfOnePlaneHaveSideZero) {
  const Vec3 p = grid(source);
  const Vec3 u = test::integers(source, 10);
  const Vec3 v = test::integers(source, 10);
  const double s = test::integer(source, 10);
  const double t = test::integer(source, 10);
  const PluckerLine l = plucker_through(p - u, p + u * s);
  REQUIRE(side(l, plucker_through(p + v, p + v * t)) == 0); // both through p
  REQUIRE(side(l, plucker_along(grid(source), u)) == 0);    // parallel
  REQUIRE(side(l, l) == 0);
  REQUIRE(exact_side(p - u, p + u * s, p + v, p + v * t) == 0);
  REQUIRE(manifold(l) == 0);
}

/// Lines meeting at a point that is not on a grid: still exactly 0, where the rounded side is not.
PROPERTY(Plucker, ExactSideSeesCrossingsThatRoundingHides) {
  const Vec3 p = test::vec3_at_any_scale(source);
  const Vec3 a = test::vec3(source);
  const Vec3 b = test::vec3(source);
  REQUIRE(exact_side(p, a, p, b) == 0);
  REQUIRE(exact_side(p, a, b, p) == 0);
  REQUIRE(exact_side_along(p, a, p, b) == 0);
}

/// The error bound stated at `side`, against rationals. Terms: 4 products of three for each of 3 components, twice.
PROPERTY(Plucker, SideIsWithinItsErrorBound) {
  const Vec3 a = test::vec3(source);
  const Vec3 b = test::vec3(source);
  const Vec3 c = test::vec3(source);
  const Vec3 d = test::vec3(source);
  const auto q = [](const Vec3& v) {
    return std::array<mpq_class, 3>{mpq_class(v.x), mpq_class(v.y), mpq_class(v.z)};
  };
  const auto p0 = q(a);
  const auto p1 = q(b);
  const auto p2 = q(c);
  const auto p3 = q(d);
  mpq_class exact = 0;
  mpq_class magnitude = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3;
    const std::size_t k = (i + 2) % 3;
    exact += (p1[i] - p0[i]) * (p2[j] * p3[k] - p2[k] * p3[j]) +
             (p3[i] - p2[i]) * (p0[j] * p1[k] - p0[k] * p1[j]);
    magnitude += (abs(p1[i]) + abs(p0[i])) * (abs(p2[j] * p3[k]) + abs(p2[k] * p3[j])) +
                 (abs(p3[i]) + abs(p2[i])) * (abs(p0[j] * p1[k]) + abs(p0[k] * p1[j]));
  }
  const mpq_class rounded(side(plucker_through(a, b), plucker_through(c, d)));
  REQUIRE(abs(rounded - exact) <= magnitude * mpq_class(8 * 0x1p-53));
  REQUIRE(exact_side(a, b, c, d) == sgn(exact));
}

/// A line through a point inside a triangle: against the normal all sides are negative, along it all positive.
PROPERTY(Plucker, ATriangleHitHasOneSign) {
  const Vec3 a = grid(source);
  const Vec3 b = grid(source);
  const Vec3 c = grid(source);
  const Vec3 normal = cross(b - a, c - a);
  ASSUME(normal != Vec3{});
  // Three times a point inside, on a grid three times finer.
  const Vec3 inside = a + b + c;
  const Vec3 from = inside + test::integers(source, 3000);
  const double height = dot(normal, from - inside);
  ASSUME(height != 0);
  const double front = height > 0 ? -1 : 1;
  const Vec3 corners[] = {a * 3, b * 3, c * 3};
  const PluckerLine l = plucker_through(from, inside);
  for (int i = 0; i < 3; ++i) {
    const Vec3& p = corners[i];
    const Vec3& r = corners[(i + 1) % 3];
    REQUIRE(side(l, plucker_through(p, r)) * front > 0);
    REQUIRE(exact_side(from, inside, p, r) * front > 0);
    REQUIRE(exact_side_along(from, inside - from, p, r) * front > 0);
  }
  // A line through a corner's side outside of the triangle has both signs.
  const Vec3 outside = corners[0] + (corners[0] - inside);
  const double ab = side(plucker_through(from, outside), plucker_through(corners[0], corners[1]));
  const double bc = side(plucker_through(from, outside), plucker_through(corners[1], corners[2]));
  REQUIRE(ab * bc < 0);
}

} // namespace
} // namespace carom
