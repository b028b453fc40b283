// Points nearest to a point: every answer through the checker, then the cases that go wrong elsewhere.
#include "carom/geometry/closest_point.h"

#include "tests/geometry/closest_check.h"

#include <limits>
#include <vector>

namespace carom {
namespace {

using test::Placement;
using test::Source;
using test::tight;

/// Sets of generators stay within 4 of the origin, and points within 8, before the case is placed.
double size_of(const Placement& m) { return 8 * m.scale + max_abs(m.offset); }

Vec3 point(Source& source) {
  const Vec3 p = test::vec3(source);
  return p * (source.chance(3) ? 4.0 : 1.0);
}

#define CHECKED(name, generator)                                                                   \
  PROPERTY(ClosestPoint, name) {                                                                   \
    const Placement m = test::placement(source);                                                   \
    const auto set = test::moved(m, generator);                                                    \
    const Vec3 p = m(point(source));                                                               \
    const verify::Verdict v = test::judge(p, set, closest_point(p, set), size_of(m));              \
    test::note() << v.why << "\n";                                                                 \
    REQUIRE(v.ok);                                                                                 \
  }

CHECKED(Segment, test::segment(source))
CHECKED(Triangle, test::triangle(source))
CHECKED(Tetrahedron, test::tetrahedron(source))
CHECKED(Quad, test::quad(source))
CHECKED(Rectangle, test::rectangle(source))
CHECKED(Sphere, test::sphere(source))
CHECKED(Capsule, test::capsule(source))
CHECKED(Lozenge, test::lozenge(source))
CHECKED(Cylinder, test::cylinder(source))
CHECKED(Cone, test::cone(source))
CHECKED(ConeFrustum, test::cone_frustum(source))
CHECKED(Ellipsoid, test::ellipsoid(source))
CHECKED(Aabb, test::aabb(source))
CHECKED(Obb, test::obb(source))
CHECKED(ViewFrustum, test::view_frustum(source))
CHECKED(Kdop6, test::kdop<6>(source))
CHECKED(Kdop14, test::kdop<14>(source))
CHECKED(Kdop18, test::kdop<18>(source))
CHECKED(Kdop26, test::kdop<26>(source))

PROPERTY(ClosestPoint, Polygon) {
  const Placement m = test::placement(source);
  const test::OwnedPolygon owned = test::moved(m, test::polygon(source));
  const Vec3 p = m(point(source));
  const verify::Verdict v =
      test::judge(p, owned.view(), closest_point(p, owned.view()), size_of(m));
  test::note() << v.why << "\n";
  REQUIRE(v.ok);
}

/// How well the faces' planes determine their common points: the least sine between two, or volume of three, that is not 0 but for
/// rounding.
double conditioning(const std::vector<HalfSpace>& faces) {
  double least = 1;
  const auto consider = [&](double x) {
    least = x > 4 * tolerance::epsilon && x < least ? x : least;
  };
  for (std::size_t i = 0; i < faces.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Vec3 line = cross(faces[i].normal, faces[j].normal);
      consider(length(line));
      for (std::size_t k = 0; k < j; ++k) consider(std::fabs(dot(line, faces[k].normal)));
    }
  }
  return least;
}

PROPERTY(ClosestPoint, ConvexPolyhedron) {
  const Placement m = test::placement(source);
  const test::OwnedPolyhedron unit = test::moved(m, test::convex_polyhedron(source));
  const test::OwnedPolyhedron owned = test::stretched(source, unit);
  const Vec3 p = m(point(source));
  const ClosestPoint c = closest_point(p, owned.view());
  // The checker itself gives up on vertices that are less well determined than this.
  if (const double sine = conditioning(unit.faces); sine > 1e-8) {
    const verify::Verdict v = test::judge(p, owned.view(), c, size_of(m), 2 * tight / sine);
    test::note() << v.why << "\n";
    REQUIRE(v.ok);
  }
  // However badly they are conditioned, every half-space holds.
  for (const HalfSpace& h : owned.faces) {
    REQUIRE(h.signed_distance(c.point) <= tight * size_of(m) * length(h.normal));
  }
}

// Unbounded sets have no slab to check: the point is on them, and p - point is at right angles to them.
PROPERTY(ClosestPoint, LineAndRay) {
  const Placement m = test::placement(source);
  const Line line = test::moved(m, test::line(source));
  const Vec3 p = m(point(source));
  const double size = size_of(m);
  const ClosestOnLine c = closest_point(p, line);
  REQUIRE(verify::distance(c.point, line) <= tight * size);
  REQUIRE(line.at(c.t) == c.point);
  REQUIRE(std::fabs(c.distance - verify::distance(p, line)) <= tight * size);
  REQUIRE(std::fabs(dot(p - c.point, normalized(line.direction))) <= tight * size);
  const Ray ray{line.origin, line.direction};
  const ClosestOnLine d = closest_point(p, ray);
  REQUIRE(d.t == (c.t > 0 ? c.t : 0));
  REQUIRE(ray.at(d.t) == d.point);
  REQUIRE(std::fabs(d.distance - verify::distance(p, ray)) <= tight * size);
}

PROPERTY(ClosestPoint, PlaneAndHalfSpace) {
  const Placement m = test::placement(source);
  const Plane plane = test::moved(m, test::plane(source));
  const Vec3 p = m(point(source));
  const double size = size_of(m);
  const ClosestPoint c = closest_point(p, plane);
  REQUIRE(verify::distance(c.point, plane) <= tight * size);
  REQUIRE(std::fabs(c.distance - verify::distance(p, plane)) <= tight * size);
  REQUIRE(length(cross(p - c.point, normalized(plane.normal))) <= tight * size);
  const HalfSpace half{plane.normal, plane.offset};
  const ClosestPoint h = closest_point(p, half);
  REQUIRE(h.distance == (half.signed_distance(p) <= 0 ? 0 : c.distance));
  REQUIRE(h.point == (half.signed_distance(p) <= 0 ? p : c.point));
}

PROPERTY(ClosestPoint, ParametersAndFeaturesAreThoseOfThePoint) {
  const Placement m = test::placement(source);
  const Vec3 p = m(point(source));
  const double slack = tight * size_of(m);
  const Triangle t = test::moved(m, test::triangle(source));
  const ClosestOnTriangle c = closest_point(p, t);
  int corners = 0;
  for (int i = 0; i < 3; ++i) {
    REQUIRE(c.barycentric[i] >= 0);
    corners += c.barycentric[i] > 0 ? 1 : 0;
  }
  REQUIRE(distance(t.at(c.barycentric), c.point) <= slack);
  REQUIRE(static_cast<int>(c.feature) + 1 == corners);
  const Tetrahedron tet = test::moved(m, test::tetrahedron(source));
  const ClosestOnTetrahedron d = closest_point(p, tet);
  double sum = 0;
  Vec3 made;
  for (int i = 0; i < 4; ++i) {
    const double w = d.barycentric[static_cast<std::size_t>(i)];
    REQUIRE(w >= 0);
    sum += w;
    made += tet[i] * w;
  }
  REQUIRE(std::fabs(sum - 1) <= tight);
  if (d.feature == SimplexFeature::inside) {
    REQUIRE(d.point == p && d.distance == 0);
  } else {
    REQUIRE(distance(made, d.point) <= slack);
  }
  const Rectangle r = test::moved(m, test::rectangle(source));
  const ClosestOnRectangle e = closest_point(p, r);
  REQUIRE(r.at(e.s, e.t) == e.point);
  const Segment s{t.a, t.b};
  REQUIRE(s.at(closest_point(p, s).t) == closest_point(p, s).point);
}

TEST(ClosestPoint, NonUnitNormalPlane) {
  const ClosestPoint c = closest_point({3, 4, 9}, Plane{{0, 0, 4}, 8}); // z = 2
  EXPECT_EQ(c.point, (Vec3{3, 4, 2}));
  EXPECT_EQ(c.distance, 7);
  const ClosestPoint h = closest_point({3, 4, 9}, HalfSpace{{0, 0, 4}, 8});
  EXPECT_EQ(h.point, (Vec3{3, 4, 2}));
  EXPECT_EQ(h.distance, 7);
}

TEST(ClosestPoint, ObtuseCorner) {
  // b is obtuse. p is outside of edge ab and past b along it, yet nearest to the inside of edge bc, on the other side.
  const Triangle t{{0, 0, 0}, {4, 0, 0}, {8, 1, 0}};
  const Vec3 p{5, -0.5, 0};
  const ClosestOnTriangle c = closest_point(p, t);
  EXPECT_EQ(c.feature, SimplexFeature::edge);
  EXPECT_EQ(c.barycentric.x, 0);
  EXPECT_GT(c.barycentric.z, 0);
  EXPECT_LT(c.distance, length(p - t.b));
  EXPECT_TRUE(verify::check_closest(p, t, c, 8 * tight));
}

TEST(ClosestPoint, SliverTriangleInItsPlane) {
  // A height of 1e-8 leaves a normal 8 digits, and a point in its plane has to come back as itself.
  const Triangle t{{0, 0, 0}, {1, 0, 0}, {0.5, 1e-8, 0}};
  for (double x = 0.125; x < 1; x += 0.125) {
    const ClosestOnTriangle c = closest_point({x, 1e-9, 0}, t);
    EXPECT_EQ(c.feature, SimplexFeature::face);
    EXPECT_LE(c.distance, 2 * tolerance::epsilon);
  }
}

TEST(ClosestPoint, FlatTetrahedron) {
  // All in z = 0, a square: no volume, but its points have distance 0, and those over it their height.
  const Tetrahedron flat{{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}};
  EXPECT_EQ(closest_point({1, 0.5, 0}, flat).distance, 0);
  EXPECT_EQ(closest_point({1, 0.5, 3}, flat).distance, 3);
  EXPECT_EQ(closest_point({1, 0.5, -3}, flat).distance, 3);
  EXPECT_EQ(closest_point({5, 1, 4}, flat).distance, 5);
  const Tetrahedron point{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
  EXPECT_EQ(closest_point({1, 1, 3}, point).distance, 2);
}

TEST(ClosestPoint, PointOnCapsuleRegionNeedsRadiusSquared) {
  // A radius below 1 and one above it: r and r^2 are on different sides of the distance.
  for (const double r : {0.5, 3.0}) {
    const Capsule capsule{{0, 0, 0}, {4, 0, 0}, r};
    const Lozenge lozenge{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, 4, 4}, r};
    for (const double z : {0.75 * r, r}) {
      EXPECT_EQ(closest_point({2, 0, z}, capsule).distance, 0);
      EXPECT_EQ(closest_point({2, 0, z}, lozenge).distance, 0);
      EXPECT_EQ(closest_point({2, 0, z}, capsule).point, (Vec3{2, 0, z}));
    }
    EXPECT_EQ(closest_point({2, 0, 1.5 * r}, capsule).distance, 0.5 * r);
    EXPECT_EQ(closest_point({2, 0, 1.5 * r}, lozenge).point, (Vec3{2, 0, r}));
  }
}

TEST(ClosestPoint, EmptySetsAreInfinitelyFar) {
  const Vec3 p{1, 2, 3};
  const std::vector<HalfSpace> contradiction{{{1, 0, 0}, 0}, {{-1, 0, 0}, -1}};
  const std::vector<HalfSpace> never{{{0, 0, 0}, -1}};
  // Pairwise they meet, all three do not.
  const std::vector<HalfSpace> three{
      {{1, 0, 0}, 0}, {{0, 1, 0}, 0}, {normalized(Vec3{-1, -1, 0}), -1}};
  for (const ClosestPoint& c :
       {closest_point(p, Aabb{}), closest_point(p, Polygon{}), closest_point(p, Kdop6{}),
        closest_point(p, Kdop14{}), closest_point(p, Kdop18{}), closest_point(p, Kdop26{}),
        closest_point(p, ConvexPolyhedron{contradiction}),
        closest_point(p, ConvexPolyhedron{never}), closest_point(p, ConvexPolyhedron{three}),
        closest_point(p, Plane{{0, 0, 0}, 1}), closest_point(p, HalfSpace{{0, 0, 0}, -1})}) {
    EXPECT_EQ(c.distance, INFINITY);
    EXPECT_EQ(c.point, p);
  }
}

TEST(ClosestPoint, UnboundedPolyhedra) {
  EXPECT_EQ(closest_point({1, 2, 3}, ConvexPolyhedron{}).distance, 0); // all of space
  const std::vector<HalfSpace> wedge{{{1, 0, 0}, 0}, {{0, 2, 0}, 0}};  // normals of any length
  const ClosestPoint c = closest_point({3, 4, 5}, ConvexPolyhedron{wedge});
  EXPECT_EQ(c.point, (Vec3{0, 0, 5}));
  EXPECT_EQ(c.distance, 5);
  EXPECT_EQ(closest_point({3, -4, 5}, ConvexPolyhedron{wedge}).point, (Vec3{0, -4, 5}));
}

TEST(ClosestPoint, EllipsoidOnAxesCentreAndFlat) {
  const Ellipsoid e{{0, 0, 0}, Mat3::identity(), {4, 2, 1}};
  EXPECT_EQ(closest_point({0, 0, 0}, e).distance, 0);
  EXPECT_EQ(closest_point({6, 0, 0}, e).point, (Vec3{4, 0, 0}));
  EXPECT_EQ(closest_point({0, 0, -3}, e).point, (Vec3{0, 0, -1}));
  const Ellipsoid disc{{0, 0, 0}, Mat3::identity(), {4, 2, 0}};
  EXPECT_EQ(closest_point({1, 1, 5}, disc).point, (Vec3{1, 1, 0}));
  EXPECT_EQ(closest_point({0, 5, 4}, disc).distance, 5);
  EXPECT_EQ(closest_point({3, 4, 0}, Ellipsoid{{}, {}, {0, 0, 0}}).distance, 5);
}

TEST(ClosestPoint, NotFiniteReturns) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), static_cast<double>(INFINITY)}) {
    const Vec3 p{bad, 0, 1}, q{0, bad, 0};
    EXPECT_FALSE(closest_point(p, Ellipsoid{{}, {}, {1, 2, 3}}).distance < 0);
    EXPECT_FALSE(closest_point({1, 2, 3}, Ellipsoid{{}, {}, {bad, 2, 3}}).distance < 0);
    EXPECT_FALSE(closest_point(p, Tetrahedron{{}, q, {1, 0, 0}, {0, 1, 1}}).distance < 0);
    EXPECT_FALSE(closest_point(p, ConeFrustum{q, {0, 0, 1}, bad, 1, 2}).distance < 0);
    EXPECT_FALSE(closest_point(p, ViewFrustum{}).distance < 0);
    const std::vector<HalfSpace> faces{{q, 1}, {{1, 0, 0}, bad}, {{0, 1, 0}, -1}, {{0, -1, 0}, -1}};
    EXPECT_FALSE(closest_point(p, ConvexPolyhedron{faces}).distance < 0);
    EXPECT_FALSE(closest_point({1, 1, 1}, ConvexPolyhedron{faces}).distance < 0);
  }
}

} // namespace
} // namespace carom
