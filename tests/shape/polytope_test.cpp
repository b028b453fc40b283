#include "carom/shape/polytope.h"

#include "tests/shape/polytope_cases.h"
#include "tests/support/property.h"

#include <gmpxx.h>

#include <utility>
#include <vector>

namespace carom {
namespace {

using test::Source;

mpq_class exact(double x) { return mpq_class(x); }
mpq_class exact_dot(const Vec3& a, const Vec3& b) {
  return exact(a.x) * exact(b.x) + exact(a.y) * exact(b.y) + exact(a.z) * exact(b.z);
}
struct Exact3 {
  mpq_class x, y, z;
};
Exact3 difference(const Vec3& a, const Vec3& b) {
  return {exact(a.x) - exact(b.x), exact(a.y) - exact(b.y), exact(a.z) - exact(b.z)};
}
Exact3 cross_of(const Exact3& a, const Exact3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

double size_of(const Polytope& p) {
  double size = 0;
  for (const Vec3& v : p.vertices()) size = std::max(size, max_abs(v));
  return size;
}

/// The sine of the angle between n and the exact normal of three corners; 2 where it looks the other way.
double turn_from_exact(const Vec3& n, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Exact3 e = cross_of(difference(b, a), difference(c, a));
  const Exact3 u{exact(n.x), exact(n.y), exact(n.z)};
  if (sgn(mpq_class(u.x * e.x + u.y * e.y + u.z * e.z)) <= 0) return 2;
  const Exact3 s = cross_of(u, e);
  const mpq_class sine2 = (s.x * s.x + s.y * s.y + s.z * s.z) / (e.x * e.x + e.y * e.y + e.z * e.z);
  return std::sqrt(sine2.get_d());
}

void expect_sound_planes(const Polytope& p) {
  const ConvexHull& hull = p.hull();
  ASSERT_EQ(p.planes().size(), hull.face_count());
  if (hull.dimension == 2) {
    EXPECT_EQ(p.planes()[0].normal, -p.planes()[1].normal);
  }
  const double size = size_of(p);
  for (std::size_t f = 0; f < p.planes().size(); ++f) {
    const HalfSpace& plane = p.planes()[f];
    EXPECT_NEAR(length(plane.normal), 1, 4e-16);
    mpq_class reach = exact_dot(plane.normal, hull.vertices[0]);
    for (const Vec3& v : hull.vertices) {
      // Exactly only where it may matter: a computed product is right to 3 epsilon.
      if (dot(plane.normal, v) >= plane.offset - 1e-12 * size)
        reach = std::max(reach, exact_dot(plane.normal, v));
    }
    EXPECT_LE(reach, exact(plane.offset)); // every vertex is behind, exactly
    // Rounded up, by no more than the three products and two sums of intervals are wide: 5 epsilon of the size.
    EXPECT_LE(mpq_class(exact(plane.offset) - reach).get_d(), 5 * 0x1p-52 * size);
    if (hull.dimension >= 2) {
      // Each component of the cross product is right to 4 epsilon, normalising adds 2: 6 times sqrt(3) at most.
      const auto c = hull.corners(f);
      EXPECT_LE(turn_from_exact(plane.normal, hull.vertices[c[0]], hull.vertices[c[1]],
                                hull.vertices[c[2]]),
                11 * 0x1p-52);
    }
  }
}

PROPERTY(Polytope, EveryVertexIsExactlyBehindEveryPlane) {
  const auto hull = convex_hull(test::any_points(source, 1 + source.index(16)));
  REQUIRE(hull.has_value());
  expect_sound_planes(Polytope(*hull));
  REQUIRE(!::testing::Test::HasFailure());
}

TEST(Polytope, LargeOnes) {
  for (int kind = 0; kind < test::point_kinds; ++kind) {
    test::RandomSource source(static_cast<std::uint64_t>(kind) + 1);
    const Polytope p(convex_hull(test::points_of_kind(source, kind, 150)).value());
    expect_sound_planes(p);
  }
}

// Nothing is rounded here, so the planes are exact.
TEST(Polytope, ABoxHasExactPlanes) {
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i)
    corners.push_back({i & 1 ? 3.0 : -1.0, i & 2 ? 0.7 : 0.1, i & 4 ? 5.0 : 2.0});
  const Polytope box(convex_hull(corners).value());
  ASSERT_EQ(box.planes().size(), 6u);
  for (const HalfSpace& plane : box.planes()) {
    const int axis = largest_axis(plane.normal);
    const double sign = plane.normal[axis];
    EXPECT_EQ(plane.normal, unit_axis(axis) * sign);
    EXPECT_EQ(plane.offset, sign > 0 ? box.bounds().max[axis] : -box.bounds().min[axis]);
  }
  EXPECT_EQ(box.bounds().min, (Vec3{-1, 0.1, 2}));
  EXPECT_EQ(box.bounds().max, (Vec3{3, 0.7, 5}));
}

TEST(Polytope, FlatSegmentAndPoint) {
  const Polytope flat(
      convex_hull(std::vector<Vec3>{{0, 0, 1}, {1, 0, 1.5}, {0, 1, 1}, {1, 1, 1.5}}).value());
  ASSERT_EQ(flat.hull().dimension, 2);
  ASSERT_EQ(flat.planes().size(), 2u);
  EXPECT_EQ(flat.planes()[0].normal, -flat.planes()[1].normal);
  EXPECT_GT(flat.planes()[0].normal.z, 0);
  expect_sound_planes(flat);

  const Polytope segment(convex_hull(std::vector<Vec3>{{1, 2, 3}, {2, 4, 7}}).value());
  ASSERT_EQ(segment.planes().size(), 1u);
  expect_sound_planes(segment);
  EXPECT_NEAR(dot(segment.planes()[0].normal, Vec3{1, 2, 4}), 0, 4 * 0x1p-52 * 4);

  const Polytope point(convex_hull(std::vector<Vec3>{{1, 2, 3}}).value());
  EXPECT_EQ(point.planes().size(), 0u);
  EXPECT_EQ(point.bounds().min, (Vec3{1, 2, 3}));
  EXPECT_EQ(point.bounds().max, (Vec3{1, 2, 3}));
  EXPECT_EQ(point.farthest({1, 0, 0}), 0u);
}

TEST(Polytope, TheFarthestIsThatOfAScan) {
  test::for_each_seed(200, [](Source& source) {
    Polytope first(convex_hull(test::any_points(source, 1 + source.index(150))).value());
    const Polytope p = std::move(first); // nothing in it points into the old one
    for (int i = 0; i < 50; ++i) {
      const Vec3 d = test::any_direction(source, p.vertices());
      ASSERT_EQ(p.farthest(d), test::scan(p.vertices(), d));
    }
  });
}

} // namespace
} // namespace carom
