#include "carom/geometry/sweep_box.h"

#include "carom/geometry/sweep_sphere.h"
#include "tests/geometry/sweep_cases.h"

namespace carom {
namespace {

using test::Source;

constexpr int cases = 20'000;

template<class A, class B>
void expect_proved(const A& a, const Vec3& motion, const B& b) {
  const double size = test::greatest(a) + max_abs(motion) + test::greatest(b);
  const Sweep s = sweep(a, motion, b);
  const verify::Verdict v = verify::check_sweep(a, motion, b, s, test::sweep_tolerance(size, 0));
  EXPECT_TRUE(v.ok) << v.why << " motion " << test::text(motion) << test::text(s);
}

/// A is moved so that its point farthest along -n meets B's point farthest along n at some time, or by a hair not.
template<class A>
struct Case {
  A a;
  Vec3 motion;
};
template<class A>
Case<A> touching_case(Source& source, const A& a, const Vec3& high, const Vec3& n) {
  if (source.chance(4)) return {a, test::any_motion(source)};
  const test::Approach way = test::approach(source, high, n);
  return {test::placed(a, {1, way.start - support_point(a, -n)}), way.motion};
}

TEST(SweepBox, AabbAgainstAabb) {
  test::for_each_seed(cases, [](Source& source) {
    const Aabb b = test::aabb(source);
    const Vec3 n = test::direction(source);
    const auto c = touching_case(source, test::aabb(source), support_point(b, n), n);
    const test::Placement place = test::placement(source);
    expect_proved(test::placed(c.a, place), c.motion * place.scale, test::placed(b, place));
  });
}

// The normals along the axes are not the only ones for planes.
template<class A, class B>
void expect_plane_proved(Source& source, const A& a) {
  const Plane p = test::unit_plane(source);
  const Vec3 n = source.chance(2) ? p.normal : -p.normal;
  const Vec3 along = test::vec3(source);
  const Vec3 high = p.normal * p.offset + (along - n * dot(along, n));
  const auto c = touching_case(source, a, high, n);
  const double scale = test::scale(source);
  expect_proved(test::placed(c.a, {scale, {}}), c.motion * scale, B{p.normal, p.offset * scale});
}

TEST(SweepBox, AabbAgainstPlane) {
  test::for_each_seed(
      cases, [](Source& source) { expect_plane_proved<Aabb, Plane>(source, test::aabb(source)); });
}
TEST(SweepBox, AabbAgainstHalfSpace) {
  test::for_each_seed(cases, [](Source& source) {
    expect_plane_proved<Aabb, HalfSpace>(source, test::aabb(source));
  });
}
TEST(SweepBox, ObbAgainstPlane) {
  test::for_each_seed(
      cases, [](Source& source) { expect_plane_proved<Obb, Plane>(source, test::obb(source)); });
}
TEST(SweepBox, ObbAgainstHalfSpace) {
  test::for_each_seed(cases, [](Source& source) {
    expect_plane_proved<Obb, HalfSpace>(source, test::obb(source));
  });
}
TEST(SweepSphere, AgainstPlane) {
  test::for_each_seed(cases, [](Source& source) {
    expect_plane_proved<Sphere, Plane>(source, test::sphere(source));
  });
}
TEST(SweepSphere, AgainstHalfSpace) {
  test::for_each_seed(cases, [](Source& source) {
    expect_plane_proved<Sphere, HalfSpace>(source, test::sphere(source));
  });
}

constexpr Aabb unit_box{{0, 0, 0}, {1, 1, 1}};

TEST(SweepBox, ZeroVelocityOnASeparatedAxisRejects) {
  const Aabb above{{0, 1.5, 0}, {1, 2, 1}};
  const Sweep s = sweep(Aabb{{-3, 1.5, 0}, {-2, 2, 1}}, {4, 0, 0}, unit_box);
  EXPECT_FALSE(s.hit);
  EXPECT_EQ(s.normal, (Vec3{0, 1, 0}));
  EXPECT_FALSE(contact_span(above, {0, 0, 0}, unit_box).hit);
  EXPECT_FALSE(contact_span(above, {1, 0, -1}, unit_box).hit);
  // By the least double that differs: there is no tolerance on an axis without motion.
  const double next = std::nextafter(1.0, 2.0);
  EXPECT_FALSE(sweep(Aabb{{-3, next, 0}, {-2, 2, 1}}, {4, 0, 0}, unit_box).hit);
  EXPECT_TRUE(sweep(Aabb{{-3, 1, 0}, {-2, 2, 1}}, {4, 0, 0}, unit_box).hit);
}

TEST(SweepBox, FirstAndLastContact) {
  const LineSpan s = contact_span({{-3, 0, 0}, {-2, 1, 1}}, {4, 0, 0}, unit_box);
  ASSERT_TRUE(s.hit);
  EXPECT_EQ(s.enter, 0.5);
  EXPECT_EQ(s.exit, 1.0);
  EXPECT_EQ(s.enter_normal, (Vec3{-1, 0, 0}));
  EXPECT_EQ(s.exit_normal, (Vec3{1, 0, 0}));
}

TEST(SweepBox, TouchesAtTheVeryStartAndEnd) {
  const Aabb a{{-2, 0, 0}, {-1, 1, 1}};
  const Sweep end = sweep(a, {1, 0, 0}, unit_box);
  ASSERT_TRUE(end.hit);
  EXPECT_EQ(end.t, 1.0);
  EXPECT_EQ(end.point, (Vec3{0, 0.5, 0.5}));
  EXPECT_FALSE(sweep(a, {0.999, 0, 0}, unit_box).hit);
  const Sweep start =
      sweep(Aabb{{-1, 0, 0}, {0, 1, 1}}, {-1, 0, 0}, unit_box); // touching, receding
  EXPECT_TRUE(start.hit);
  EXPECT_TRUE(start.overlapping_at_start);
  EXPECT_FALSE(sweep(a, {-1, 0, 0}, unit_box).hit);
  EXPECT_FALSE(sweep(a, {0, 0, 0}, unit_box).hit);
}

TEST(SweepBox, EmptyBoxesHitNothing) {
  EXPECT_FALSE(sweep(Aabb{}, {1, 0, 0}, unit_box).hit);
  EXPECT_FALSE(sweep(unit_box, {1, 0, 0}, Aabb{}).hit);
  EXPECT_FALSE(sweep(Aabb{}, {1, 0, 0}, Plane{}).hit);
  EXPECT_FALSE(contact_span(Aabb{}, {1, 0, 0}, unit_box).hit);
  EXPECT_FALSE(sweep(Sphere{{0, 0, 0}, 1}, {1, 0, 0}, Aabb{}).hit);
}

TEST(SweepBox, RestsOnAPlaneByTheMiddleOfItsFace) {
  const Sweep s = sweep(Aabb{{0, 0, 3}, {2, 4, 4}}, {0, 0, -4}, Plane{{0, 0, 1}, 1});
  ASSERT_TRUE(s.hit);
  EXPECT_EQ(s.t, 0.5);
  EXPECT_EQ(s.point, (Vec3{1, 2, 1}));
  EXPECT_EQ(s.normal, (Vec3{0, 0, 1}));
  const Sweep below = sweep(Aabb{{0, 0, -4}, {2, 4, -3}}, {0, 0, 8}, Plane{{0, 0, 1}, 1});
  EXPECT_EQ(below.t, 0.5);
  EXPECT_EQ(below.normal, (Vec3{0, 0, -1}));
}

} // namespace
} // namespace carom
