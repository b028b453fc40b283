#include "carom/geometry/sweep_convex.h"

#include "carom/geometry/sweep_box.h"
#include "tests/geometry/sweep_cases.h"

namespace carom {
namespace {

using test::Source;

constexpr int cases = 10'000;

/// Vertices, normals and edges of a primitive.
struct Hull {
  std::vector<Vec3> vertices, normals, edges;

  [[nodiscard]] PolytopeView view() const { return {vertices, normals, edges}; }
};

Hull hull(const Vec3& p) { return {{p}, {}, {}}; }
Hull hull(const Segment& s) {
  const Vec3 e = s.b - s.a;
  if (e == Vec3{}) return hull(s.a);
  // Any two around it are allowed: not those that happen to lie in a plane of coordinates.
  const Vec3 n = perpendicular(e), m = normalized(cross(e, n));
  return {{s.a, s.b}, {n * 2 + m, n - m * 2}, {e}};
}
Hull hull(const Triangle& t) {
  const std::array<Vec3, 3> e = {t.b - t.a, t.c - t.b, t.a - t.c};
  const Vec3 n = accurate_cross(t.a, t.b, t.a, t.c);
  Hull h{{t.a, t.b, t.c}, {n}, {e[0], e[1], e[2]}};
  for (const Vec3& edge : e) h.normals.push_back(cross(edge, normalized(n)));
  return h;
}
Hull hull(const Tetrahedron& t) {
  Hull h{{t.a, t.b, t.c, t.d}, {}, {}};
  for (int i = 0; i < 4; ++i) {
    h.normals.push_back(
        accurate_cross(t[(i + 1) % 4], t[(i + 2) % 4], t[(i + 1) % 4], t[(i + 3) % 4]));
    for (int j = 0; j < i; ++j) h.edges.push_back(t[i] - t[j]);
  }
  return h;
}
Hull hull(const Obb& b) {
  Hull h;
  for (int i = 0; i < 8; ++i) h.vertices.push_back(b.corner(i));
  for (int i = 0; i < 3; ++i) {
    h.normals.push_back(b.axes[i]);
    h.edges.push_back(b.axes[i]);
  }
  return h;
}

template<class A, class B>
void expect_proved(const A& a, const Vec3& motion, const B& b) {
  const double size = test::greatest(a) + max_abs(motion) + test::greatest(b);
  const Hull ha = hull(a), hb = hull(b);
  const Sweep s = sweep(ha.view(), motion, hb.view());
  const verify::Verdict v = verify::check_sweep(a, motion, b, s, test::sweep_tolerance(size, 0));
  EXPECT_TRUE(v.ok) << v.why << " motion " << test::text(motion) << test::text(s);
}

template<class A, class B>
void expect_case_proved(Source& source, const A& a, const B& b) {
  const Vec3 n = test::direction(source);
  Vec3 motion = test::any_motion(source);
  Vec3 shift;
  if (!source.chance(4)) {
    const test::Approach way = test::approach(source, support_point(b, n), n);
    motion = way.motion;
    shift = way.start - support_point(a, -n);
  }
  const test::Placement place = test::placement(source);
  expect_proved(test::placed(test::placed(a, {1, shift}), place), motion * place.scale,
                test::placed(b, place));
}

/// With an area that rounding leaves as it is: a view's axes are the caller's.
Triangle fat_triangle(Source& source) {
  for (int i = 0; i < 100; ++i) {
    const Triangle t = test::triangle(source);
    if (length(t.normal()) > 1e-3) return t;
  }
  return {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
}
Tetrahedron fat_tetrahedron(Source& source) {
  for (int i = 0; i < 100; ++i) {
    const Tetrahedron t = test::tetrahedron(source);
    if (std::fabs(t.signed_volume()) > 1e-3) return t;
  }
  return {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
}

#define SWEEP_TEST(name, generate_a, generate_b)                                                   \
  TEST(SweepConvex, name) {                                                                        \
    test::for_each_seed(cases, [](Source& source) {                                                \
      const auto a = generate_a;                                                                   \
      expect_case_proved(source, a, generate_b);                                                   \
    });                                                                                            \
  }

SWEEP_TEST(BoxAgainstBox, test::obb(source), test::obb(source))
SWEEP_TEST(BoxAgainstTetrahedron, test::obb(source), fat_tetrahedron(source))
SWEEP_TEST(TetrahedronAgainstTetrahedron, fat_tetrahedron(source), fat_tetrahedron(source))
SWEEP_TEST(BoxAgainstTriangle, test::obb(source), fat_triangle(source))
SWEEP_TEST(TriangleAgainstTriangle, fat_triangle(source), fat_triangle(source))
SWEEP_TEST(SegmentAgainstTriangle, test::segment(source), fat_triangle(source))
SWEEP_TEST(SegmentAgainstSegment, test::segment(source), test::segment(source))
SWEEP_TEST(PointAgainstBox, test::vec3(source), test::obb(source))
SWEEP_TEST(PointAgainstSegment, test::vec3(source), test::segment(source))
SWEEP_TEST(PointAgainstPoint, test::vec3(source), test::vec3(source))

TEST(SweepConvex, FlatThingsInOnePlane) {
  test::for_each_seed(cases, [](Source& source) {
    const auto flat = [](const Vec3& p) { return Vec3{p.x, p.y, 0}; };
    const Triangle t = fat_triangle(source);
    const Triangle a{flat(t.a), flat(t.b), flat(t.c)};
    const Triangle u = fat_triangle(source);
    const Triangle b{flat(u.a), flat(u.b), flat(u.c)};
    if (!(length(a.normal()) > 1e-3 && length(b.normal()) > 1e-3)) return;
    const Segment s = test::segment(source);
    const Vec3 m = flat(test::any_motion(source));
    expect_proved(a, m, b);
    expect_proved(Segment{flat(s.a), flat(s.b)}, m, b);
    expect_proved(b, m, Segment{flat(s.a), flat(s.b)});
  });
}

// The same boxes by the axes of the world alone.
TEST(SweepConvex, AgreesWithBoxesAlongTheAxes) {
  test::for_each_seed(cases, [](Source& source) {
    const Aabb a = test::aabb(source);
    const Aabb b = test::aabb(source);
    const Vec3 m = test::any_motion(source);
    const LineSpan by_box = contact_span(a, m, b);
    const Hull ha = hull(to_obb(a)), hb = hull(to_obb(b));
    const LineSpan by_axes = contact_span(ha.view(), m, hb.view());
    const double size = test::greatest(a) + test::greatest(b) + max_abs(m);
    if (by_box.hit && by_axes.hit && std::isfinite(by_box.enter)) {
      const double speed = std::fabs(dot(by_box.enter_normal, m));
      EXPECT_LE(std::fabs(by_box.enter - by_axes.enter) * speed, 64 * tolerance::epsilon * size);
    } else if (by_box.hit != by_axes.hit) {
      // Only where they graze: grown by a hair, both hit, or shrunk by it, neither.
      const Vec3 h = Vec3{1, 1, 1} * (64 * tolerance::epsilon * size);
      const bool grown = contact_span(a, m, {b.min - h, b.max + h}).hit;
      const bool shrunk = contact_span(a, m, {b.min + h, b.max - h}).hit;
      EXPECT_TRUE(grown && !shrunk);
    }
  });
}

TEST(SweepConvex, EmptyPolytopesHitNothing) {
  const Hull box = hull(Obb{{}, {}, {1, 1, 1}});
  EXPECT_FALSE(sweep(PolytopeView{}, {1, 0, 0}, box.view()).hit);
  EXPECT_FALSE(sweep(box.view(), {1, 0, 0}, PolytopeView{}).hit);
  EXPECT_FALSE(contact_span(box.view(), {1, 0, 0}, PolytopeView{}).hit);
  EXPECT_FALSE(sweep(std::span<const Vec2>{}, Vec2{1, 0}, std::span<const Vec2>{}).hit);
}

// --- In the plane.

std::vector<Vec2> polygon2(Source& source) {
  const Vec2 center = test::vec2(source);
  switch (source.index(5)) {
  case 0:
    return {center};
  case 1:
    return {center, test::vec2(source)};
  default: {
    std::vector<Vec2> corners;
    const int n = 3 + source.index(5);
    const double turn = source.unit();
    for (int i = 0; i < n; ++i) {
      const double angle = 6.283185307179586 * (i + turn) / n;
      corners.push_back(center + Vec2{std::cos(angle), 0.5 * std::sin(angle)});
    }
    return corners;
  }
  }
}

TEST(SweepConvex, PolygonsInThePlane) {
  test::for_each_seed(cases, [](Source& source) {
    const std::vector<Vec2> a = polygon2(source);
    const std::vector<Vec2> b = polygon2(source);
    const Vec3 m3 = test::any_motion(source);
    const Vec2 m{m3.x, m3.y};
    std::vector<Vec3> a3, b3;
    for (const Vec2& p : a) a3.push_back({p.x, p.y, 0});
    for (const Vec2& p : b) b3.push_back({p.x, p.y, 0});
    const Sweep2 s = sweep(a, m, b);
    const Sweep lifted{
        s.hit, s.t, {s.point.x, s.point.y, 0}, {s.normal.x, s.normal.y, 0}, s.overlapping_at_start};
    verify::SweepTolerance tolerance = test::sweep_tolerance(
        test::greatest(Polygon{a3}) + test::greatest(Polygon{b3}) + max_abs(m3), 0);
    // Flat sets lie level in every direction off the plane: the way out within it is not the shortest in space.
    if (s.overlapping_at_start) tolerance.normal = INFINITY;
    const verify::Verdict v =
        verify::check_sweep(Polygon{a3}, {m.x, m.y, 0}, Polygon{b3}, lifted, tolerance);
    EXPECT_TRUE(v.ok) << v.why << test::text(lifted);
  });
}

TEST(SweepConvex, TheWayOutInThePlaneIsTheShortest) {
  const std::array<Vec2, 4> a = {Vec2{0, 0}, {2, 0}, {2, 2}, {0, 2}};
  const std::array<Vec2, 4> b = {Vec2{1.5, -1}, {4, -1}, {4, 5}, {1.5, 5}};
  const Sweep2 s = sweep(a, Vec2{1, 0}, b);
  EXPECT_TRUE(s.overlapping_at_start);
  EXPECT_EQ(s.normal.x, -1);
}

// --- One after the other, or at once? The three errors of sequential motion, and the exact answer.

struct Mover {
  Aabb box;
  Vec3 motion;
};
Aabb moved(const Mover& m) { return {m.box.min + m.motion, m.box.max + m.motion}; }
/// First A goes all the way past a standing B, then B past the standing A.
bool sequential_hit(const Mover& a, const Mover& b) {
  return sweep(a.box, a.motion, b.box).hit || sweep(b.box, b.motion, moved(a)).hit;
}
bool simultaneous_hit(const Mover& a, const Mover& b) {
  return sweep(a.box, a.motion, b.box, b.motion).hit;
}

TEST(RelativeMotion, FalseHitWhereTheOtherWouldHaveLeft) {
  const Mover a{{{0, 0, 0}, {1, 1, 1}}, {4, 0, 0}};
  const Mover b{{{2, 0, 0}, {3, 1, 1}}, {4, 0, 0}}; // ahead, just as fast
  EXPECT_TRUE(sequential_hit(a, b));
  EXPECT_FALSE(simultaneous_hit(a, b));
}
TEST(RelativeMotion, FalseHitWhereTheOtherIsNotYet) {
  const Mover a{{{0, 0, 0}, {1, 1, 1}}, {4, 0, 0}};
  const Mover b{{{4.5, -6, 0}, {5.5, -5, 1}},
                {0, 10, 0}}; // crosses a's place at the end before a is there
  EXPECT_TRUE(sequential_hit(a, b));
  EXPECT_FALSE(simultaneous_hit(a, b));
}
TEST(RelativeMotion, MissWhereTheyMeetHalfWay) {
  const Mover a{{{0, 0, 0}, {1, 1, 1}}, {8, 0, 0}};
  const Mover b{{{4, -4, 0}, {5, -3, 1}},
                {0, 8, 0}}; // both at the crossing at t = 1/2, elsewhere at the start and end
  EXPECT_FALSE(sequential_hit(a, b));
  EXPECT_TRUE(simultaneous_hit(a, b));
}
TEST(RelativeMotion, ThePointIsWhereTheContactIsInTheWorld) {
  const Sweep s =
      sweep(Aabb{{0, 0, 0}, {1, 1, 1}}, {2, 0, 0}, Aabb{{4, 0, 0}, {5, 1, 1}}, {-4, 0, 0});
  ASSERT_TRUE(s.hit);
  EXPECT_EQ(s.t, 0.5);
  EXPECT_EQ(s.point, (Vec3{2, 0.5, 0.5}));
}

} // namespace
} // namespace carom
