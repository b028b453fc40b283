#include "carom/geometry/triangle_normal.h"

#include "tests/geometry/exact_oracle.h"
#include "tests/mesh/hull_cases.h"
#include "tests/support/generate_geometry.h"
#include "tests/support/property.h"

namespace carom::test {
namespace {

/// The rounded length of the error, and that of the vector.
bool right(const Vec3& computed, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Q3 normal = cross(exact(b) - exact(a), exact(c) - exact(a));
  const Q3 error = exact(computed) - normal;
  // |error| <= 2^-48 |normal|, squared.
  return dot(error, error) * mpq_class(0x1p96) <= dot(normal, normal);
}

PROPERTY(TriangleNormal, IsRightToItsOwnLength) {
  Triangle t = triangle(source);
  const double s = scale(source);
  const Vec3 o = offset(source);
  for (int i = 0; i < 3; ++i) t[i] = (t[i] + o) * s;
  REQUIRE(right(triangle_normal(t.a, t.b, t.c), t.a, t.b, t.c));
}

// Collinear but for a last bit, and exactly collinear.
TEST(TriangleNormal, OfTheThinnest) {
  for_each_seed(fewer_when_sanitized(20'000), [](Source& source) {
    const Vec3 a = vec3(source) + Vec3{3, 3, 3};
    const Vec3 b = vec3(source) + Vec3{3, 3, 3};
    const Vec3 c = nudged(source, lerp(a, b, source.uniform(-1, 2)));
    EXPECT_TRUE(right(triangle_normal(a, b, c), a, b, c));
    const Vec3 d{static_cast<double>(source.index(9)), static_cast<double>(source.index(9)), 1};
    EXPECT_EQ(triangle_normal(a, a, b), Vec3{});
    EXPECT_EQ(triangle_normal(d, d * 3, d * 7), Vec3{});
  });
}

// The corners e, v and 2^k v: the triangle is as thin as e is short, and twice the digits do not see it.
TEST(TriangleNormal, OfFarThinnerThanTheCoordinatesAreWide) {
  for_each_seed(fewer_when_sanitized(2'000), [](Source& source) {
    const Vec3 v{source.uniform(1, 2), source.uniform(1, 2), source.uniform(1, 2)};
    const Vec3 small{source.uniform(1, 2), source.uniform(1, 2), source.uniform(1, 2)};
    const Vec3 e = small * std::ldexp(1.0, -40 - source.index(50));
    const Vec3 w = v * std::ldexp(1.0, 1 + source.index(5));
    EXPECT_TRUE(right(triangle_normal(e, v, w), e, v, w));
    EXPECT_TRUE(right(triangle_normal(v, w, e), v, w, e));
  });
}

// Corners that are no points have no direction: the normal is zero or not finite.
TEST(TriangleNormal, OfNonsenseIsNone) {
  for (const double x : {static_cast<double>(NAN), static_cast<double>(INFINITY)}) {
    const Vec3 n = triangle_normal({x, 0, 0}, {1, 0, 0}, {0, 1, 0});
    EXPECT_TRUE(n == Vec3{} || !is_finite(n));
  }
}

} // namespace
} // namespace carom::test
