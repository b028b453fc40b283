// Nearest points of flat pieces, against exact rationals and through the checker.
#include "carom/geometry/closest_flat.h"

#include "tests/geometry/closest_check.h"
#include "tests/geometry/exact_distance.h"

#include <limits>

namespace carom {
namespace {

using test::Placement;
using test::Source;
using test::tight;

double size_of(const Placement& m) { return 8 * m.scale + max_abs(m.offset); }

/// A second triangle, often coplanar with the first, parallel to it, touching it, or through it.
Triangle partner(Source& source, const Triangle& t) {
  const Triangle other = test::triangle(source);
  const auto in_plane = [&] {
    const double v = test::real(source), w = test::real(source);
    return t.at({1 - v - w, v, w});
  };
  switch (source.index(6)) {
  case 1: {
    const Vec3 a = in_plane(), b = in_plane(), c = in_plane();
    return {a, b, c};
  }
  case 2: {
    const Vec3 shift = test::halved_vec3(source, 50);
    return {t.a + shift, t.b + shift, t.c + shift};
  }
  case 3:
    return {t[source.index(3)], other.b, other.c};
  case 4: {
    const Vec3 on_edge = lerp(t.a, t.b, source.unit());
    const Vec3 m = lerp(on_edge, t.c, source.unit());
    return {m, other.b, m * 2 - other.b};
  }
  case 5: {
    const Vec3 m = lerp(t.a, t.b, source.unit());
    return {m, other.b, other.c};
  }
  default:
    return other;
  }
}

/// Common points, where the distance is 0, are one point, in both to within the tolerance.
template<class A, class B>
void check(Source& source, const A& a, const B& b, const ClosestPair& c, double size) {
  // Rationals are slow: every other case has to do without, and is left to its own proof.
  const double reference = source.chance(2) ? c.distance : test::exact_distance(a, b);
  const verify::Verdict v = test::judge(a, b, c, reference, size);
  test::note() << v.why << " (distance " << c.distance << ", exact " << reference << ")\n";
  REQUIRE(v.ok);
  if (c.distance == 0) REQUIRE(c.on_a == c.on_b);
}

PROPERTY(ClosestFlat, TriangleTriangle) {
  const Placement m = test::placement(source);
  const Triangle t = test::triangle(source);
  const Triangle a = test::moved(m, t), b = test::moved(m, partner(source, t));
  const ClosestTriangles c = closest_points(a, b);
  check(source, a, b, c, size_of(m));
  REQUIRE(distance(a.at(c.barycentric_a), c.on_a) <= tight * size_of(m));
  REQUIRE(distance(b.at(c.barycentric_b), c.on_b) <= tight * size_of(m));
}

PROPERTY(ClosestFlat, SegmentTriangle) {
  const Placement m = test::placement(source);
  const Triangle t = test::triangle(source), other = partner(source, t);
  const Triangle b = test::moved(m, t);
  const Segment a = test::moved(m, Segment{other.a, source.chance(8) ? other.a : other.b});
  const ClosestToTriangle c = closest_points(a, b);
  check(source, a, b, c, size_of(m));
  REQUIRE(distance(a.at(c.t), c.on_a) <= tight * size_of(m));
  REQUIRE(distance(b.at(c.barycentric), c.on_b) <= tight * size_of(m));
}

PROPERTY(ClosestFlat, SegmentRectangle) {
  const Placement m = test::placement(source);
  const Rectangle r = test::rectangle(source);
  const Rectangle b = test::moved(m, r);
  const Triangle other = partner(source, {r.vertices()[0], r.vertices()[1], r.vertices()[2]});
  const Segment a = test::moved(m, Segment{other.a, other.b});
  const ClosestToRectangle c = closest_points(a, b);
  check(source, a, b, c, size_of(m));
  REQUIRE(distance(a.at(c.t), c.on_a) <= tight * size_of(m));
  REQUIRE(distance(b.at(c.st.x, c.st.y), c.on_b) <= tight * size_of(m));
}

PROPERTY(ClosestFlat, TriangleRectangle) {
  const Placement m = test::placement(source);
  const Rectangle r = test::rectangle(source);
  const Rectangle b = test::moved(m, r);
  const Triangle a =
      test::moved(m, partner(source, {r.vertices()[0], r.vertices()[1], r.vertices()[2]}));
  const ClosestTriangleRectangle c = closest_points(a, b);
  check(source, a, b, c, size_of(m));
  REQUIRE(distance(a.at(c.barycentric), c.on_a) <= tight * size_of(m));
  REQUIRE(distance(b.at(c.st.x, c.st.y), c.on_b) <= tight * size_of(m));
}

PROPERTY(ClosestFlat, RectangleRectangle) {
  const Placement m = test::placement(source);
  const Rectangle r = test::rectangle(source);
  Rectangle other = test::rectangle(source);
  switch (source.index(4)) {
  case 1: { // parallel, perhaps coplanar
    other.u = r.u;
    other.v = r.v;
    const double x = test::real(source), y = test::real(source);
    other.center = r.at(x, y) + cross(r.u, r.v) * (source.chance(2) ? 0 : test::real(source));
    break;
  }
  case 2: // touching, or through
    other.center += r.at(r.half_u * test::real(source), r.half_v) - other.vertices()[2];
    break;
  default:
    break;
  }
  const Rectangle a = test::moved(m, r), b = test::moved(m, other);
  const ClosestRectangles c = closest_points(a, b);
  check(source, a, b, c, size_of(m));
  REQUIRE(distance(a.at(c.st_a.x, c.st_a.y), c.on_a) <= tight * size_of(m));
  REQUIRE(distance(b.at(c.st_b.x, c.st_b.y), c.on_b) <= tight * size_of(m));
}

template<class X>
void check_straight(const X& x, const Triangle& b, double size) {
  const ClosestToTriangle c = closest_points(x, b);
  const double slack = tight * size;
  REQUIRE(verify::distance(c.on_a, x) <= slack);
  REQUIRE(verify::distance(c.on_b, b) <= slack);
  REQUIRE(std::fabs(length(c.on_a - c.on_b) - c.distance) <= slack);
  REQUIRE(std::fabs(c.distance - test::exact_distance(x, b)) <= slack);
  REQUIRE(distance(x.at(c.t), c.on_a) <= slack);
  REQUIRE(distance(b.at(c.barycentric), c.on_b) <= slack);
}

PROPERTY(ClosestFlat, LineAndRayTriangle) {
  const Placement m = test::placement(source);
  const Triangle t = test::triangle(source), other = partner(source, t);
  const Triangle b = test::moved(m, t);
  const Segment s = test::moved(m, Segment{other.a, other.b});
  check_straight(Line{s.a, s.direction()}, b, size_of(m));
  check_straight(Ray{s.a, s.direction()}, b, size_of(m));
}

TEST(ClosestFlat, SegmentParallelToTriangle) {
  const Triangle t{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
  const ClosestToTriangle over = closest_points(Segment{{-1, 1, 2}, {9, 1, 2}}, t);
  EXPECT_EQ(over.distance, 2);
  EXPECT_EQ(over.on_b.z, 0);
  const ClosestToTriangle beside = closest_points(Segment{{-3, -1, 4}, {-3, 9, 4}}, t);
  EXPECT_EQ(beside.distance, 5);
  EXPECT_EQ(beside.on_b.x, 0);
}

TEST(ClosestFlat, SegmentInThePlaneOfTheTriangle) {
  const Triangle t{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
  const Segment inside{{1, 1, 0}, {1.5, 1, 0}}, crossing{{-1, 1, 0}, {5, 2, 0}};
  for (const Segment& s : {inside, crossing}) {
    const ClosestToTriangle c = closest_points(s, t);
    EXPECT_EQ(c.distance, 0);
    EXPECT_EQ(c.on_a, c.on_b);
  }
  EXPECT_EQ(closest_points(Segment{{5, 0, 0}, {6, 1, 0}}, t).distance, 1);
}

TEST(ClosestFlat, ANeedleThroughATriangleIsNotMissed) {
  // No corner is near: only an edge through the inside tells.
  const Triangle t{{-9, -9, 0}, {9, -9, 0}, {0, 9, 0}};
  const Triangle needle{{0.25, 0, -5}, {0.25, 0.125, 5}, {0.25, 0.125, 5.5}};
  const ClosestTriangles c = closest_points(t, needle);
  EXPECT_EQ(c.distance, 0);
  EXPECT_EQ(c.on_a, c.on_b);
  EXPECT_LE(std::fabs(c.on_a.z), 9 * tight);
  EXPECT_EQ(closest_points(needle, t).distance, 0);
}

TEST(ClosestFlat, SixCornersAndNineEdges) {
  const Triangle t{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
  // A corner over the inside, from either; two edges across each other; two corners.
  const Triangle above{{1, 1, 3}, {1, 2, 5}, {2, 1, 6}};
  EXPECT_EQ(closest_points(t, above).distance, 3);
  EXPECT_EQ(closest_points(t, above).barycentric_b, (Vec3{1, 0, 0}));
  EXPECT_EQ(closest_points(above, t).barycentric_a, (Vec3{1, 0, 0}));
  const Triangle across{{2, -1, 2}, {2, -1, -2}, {2, -5, 0}};
  const ClosestTriangles edges = closest_points(t, across);
  EXPECT_EQ(edges.distance, 1);
  EXPECT_EQ(edges.on_a, (Vec3{2, 0, 0}));
  const Triangle corner{{7, 0, 4}, {9, 0, 4}, {7, 1, 9}};
  EXPECT_EQ(closest_points(t, corner).distance, 5);
}

TEST(ClosestFlat, NotFiniteReturns) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {nan, static_cast<double>(INFINITY)}) {
    const Triangle t{{bad, 0, 0}, {1, 0, 0}, {0, 1, bad}}, u{{0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
    EXPECT_FALSE(closest_points(t, u).distance < 0);
    EXPECT_FALSE(closest_points(Segment{{bad, 1, 1}, {0, 0, 0}}, u).distance < 0);
    EXPECT_FALSE(closest_points(Ray{{0, 0, 0}, {bad, 0, 1}}, u).distance < 0);
    EXPECT_FALSE(
        closest_points(Rectangle{{0, 0, bad}, {1, 0, 0}, {0, 1, 0}, 1, bad}, Rectangle{}).distance <
        0);
  }
}

} // namespace
} // namespace carom
