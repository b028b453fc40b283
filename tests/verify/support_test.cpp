// The checker is checked: its supports against its distances, which share no formula, and against samples.
#include "carom/verify/check.h"

#include "carom/math/tolerance.h"
#include "tests/support/generate_geometry.h"
#include "tests/support/property.h"

namespace carom {
namespace {

using test::Source;

/// The direction from the set's nearest point to p: the gradient of the distance, by central differences of width `step`.
template<class S>
Vec3 away_from(const S& set, const Vec3& p, double step) {
  Vec3 g;
  for (int i = 0; i < 3; ++i) {
    const Vec3 e = unit_axis(i) * step;
    g[i] = verify::distance(p + e, set) - verify::distance(p - e, set);
  }
  return normalized(g);
}

// Duality: for any unit d, the distance from p is at least d . p - support(d), with equality where d points from the nearest point to p.
// That direction is the gradient of the distance, so distances and supports check each other both ways, in all directions and in the best.
template<class S>
void expect_dual(Source& source, const Vec3& p, const S& set, int directions) {
  const double distance = verify::distance(p, set);
  const double size = 8; // of all generated sets and points
  const auto bound = [&](const Vec3& d) { return dot(d, p) - verify::support(set, d); };
  const double step = 1e-6;
  const Vec3 best = away_from(set, p, step);
  for (int i = 0; i < directions; ++i) {
    const Vec3 d = normalized(best + test::halved_vec3(source, 24) * 4);
    REQUIRE(bound(d) <= distance + 1e-14 * size);
  }
  // The gradient turns by at most 1 / distance a unit of length: the differences are off by step / distance, and by roundings.
  if (distance > 100 * step) {
    const double turn = 4 * step / distance + 64 * tolerance::epsilon * size / step;
    REQUIRE(bound(best) >= distance - turn * size);
  }
}

#define DUAL(name, generator)                                                                      \
  PROPERTY(VerifyDuality, name) {                                                                  \
    const auto set = generator;                                                                    \
    const Vec3 p = test::vec3(source) * 2;                                                         \
    expect_dual(source, p, set, 16);                                                               \
  }

DUAL(Segment, test::segment(source))
DUAL(Triangle, test::triangle(source))
DUAL(Tetrahedron, test::tetrahedron(source))
DUAL(Quad, test::quad(source))
DUAL(Rectangle, test::rectangle(source))
DUAL(Sphere, test::sphere(source))
DUAL(Capsule, test::capsule(source))
DUAL(Lozenge, test::lozenge(source))
DUAL(Cylinder, test::cylinder(source))
DUAL(Cone, test::cone(source))
DUAL(ConeFrustum, test::cone_frustum(source))
DUAL(Ellipsoid, test::ellipsoid(source))
DUAL(Aabb, test::aabb(source))
DUAL(Obb, test::obb(source))
DUAL(ViewFrustum, test::view_frustum(source))
DUAL(Kdop6, test::kdop<6>(source))

// Brute force over any three of so many planes is slow: few directions, and for the greater ones, few cases.
PROPERTY(VerifyDuality, Kdop14) {
  const Kdop14 set = test::kdop<14>(source);
  expect_dual(source, test::vec3(source) * 2, set, 4);
}
PROPERTY(VerifyDuality, Kdop18) {
  if (!source.chance(3)) return;
  const Kdop18 set = test::kdop<18>(source);
  expect_dual(source, test::vec3(source) * 2, set, 4);
}
PROPERTY(VerifyDuality, Kdop26) {
  if (!source.chance(8)) return;
  const Kdop26 set = test::kdop<26>(source);
  expect_dual(source, test::vec3(source) * 2, set, 4);
}

PROPERTY(VerifyDuality, Polygon) {
  const test::OwnedPolygon owned = test::polygon(source);
  expect_dual(source, test::vec3(source) * 2, owned.view(), 16);
}

/// Nearly parallel faces are beyond brute force in double: only angles that it can resolve.
bool resolved(const std::vector<HalfSpace>& faces) {
  for (const HalfSpace& a : faces) {
    for (const HalfSpace& b : faces) {
      const double sine = length(cross(a.normal, b.normal));
      if (sine > 0 && sine < 1e-3) return false;
    }
  }
  return true;
}

// The same plane whatever the length of its normal. 3 4 0 has the length 5.
TEST(VerifyPlanes, NormalsOfAnyLength) {
  for (const double k : {1.0, 0.2, 1e-6, 1e6}) {
    const Plane plane{Vec3{3, 4, 0} * k, 10 * k}; // at distance 2 from the origin
    const HalfSpace half{plane.normal, plane.offset};
    const Vec3 n{0.6, 0.8, 0};
    EXPECT_NEAR(verify::distance({0, 0, 7}, plane), 2, 1e-15);
    EXPECT_NEAR(verify::distance(n * 5, plane), 3, 1e-15);
    EXPECT_EQ(verify::distance({0, 0, 7}, half), 0);
    EXPECT_NEAR(verify::distance(n * 5, half), 3, 1e-15);
    EXPECT_NEAR(verify::support(plane, n), 2, 1e-15);
    EXPECT_NEAR(verify::support(plane, -n), -2, 1e-15);
    EXPECT_NEAR(verify::support(half, n * 3), 6, 1e-14);
    EXPECT_EQ(verify::support(half, -n), INFINITY);
    EXPECT_EQ(verify::support(plane, {1, 0, 0}), INFINITY);
  }
}

TEST(VerifyPlanes, ZeroNormalsBoundAllOrNothing) {
  const Vec3 p{1, 2, 3}, d{0, 0, 1};
  EXPECT_EQ(verify::distance(p, Plane{{}, 0}), 0);
  EXPECT_EQ(verify::distance(p, Plane{{}, 1}), INFINITY);
  EXPECT_EQ(verify::distance(p, HalfSpace{{}, 1}), 0);
  EXPECT_EQ(verify::distance(p, HalfSpace{{}, -1}), INFINITY);
  EXPECT_EQ(verify::support(Plane{{}, 0}, d), INFINITY);
  EXPECT_EQ(verify::support(Plane{{}, 1}, d), -INFINITY);
  EXPECT_EQ(verify::support(HalfSpace{{}, 1}, d), INFINITY);
  EXPECT_EQ(verify::support(HalfSpace{{}, -1}, d), -INFINITY);
  std::vector<HalfSpace> cube;
  for (int i = 0; i < 3; ++i) {
    cube.push_back({unit_axis(i) * 4, 4});
    cube.push_back({unit_axis(i) * -0.5, 0.5});
  }
  cube.push_back({{}, 0});
  EXPECT_EQ(verify::support(ConvexPolyhedron{cube}, d), 1);
  EXPECT_EQ(verify::distance(p, ConvexPolyhedron{cube}), std::sqrt(5));
  cube.push_back({{}, -1e-20});
  EXPECT_EQ(verify::support(ConvexPolyhedron{cube}, d), -INFINITY);
  EXPECT_EQ(verify::distance(p, ConvexPolyhedron{cube}), INFINITY);
}

PROPERTY(VerifyDuality, ConvexPolyhedron) {
  const test::OwnedPolyhedron unit = test::convex_polyhedron(source);
  ASSUME(resolved(unit.faces));
  const test::OwnedPolyhedron owned = test::stretched(source, unit);
  expect_dual(source, test::vec3(source) * 2, owned.view(), 8);
}

} // namespace
} // namespace carom
