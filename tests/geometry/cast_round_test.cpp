#include "carom/geometry/cast_round.h"

#include "tests/geometry/cast_cases.h"

namespace carom {
namespace {

using test::expect_casts;
using test::Source;

TEST(CastRound, Sphere) {
  expect_casts(20'000, 64, [](Source& s) { return test::sphere(s); });
}
TEST(CastRound, Capsule) {
  expect_casts(20'000, 64, [](Source& s) { return test::capsule(s); });
}
TEST(CastRound, Lozenge) {
  expect_casts(20'000, 64, [](Source& s) { return test::lozenge(s); });
}
TEST(CastRound, Ellipsoid) {
  expect_casts(500, 64, [](Source& s) { return test::ellipsoid(s); });
}

constexpr Sphere unit_sphere{{0, 0, 0}, 1};

TEST(CastRound, RayBehindSphere) {
  EXPECT_FALSE(cast(Ray{{2, 0, 0}, {1, 0, 0}}, unit_sphere));
  EXPECT_TRUE(cast(Line{{2, 0, 0}, {1, 0, 0}}, unit_sphere));
}

TEST(CastRound, TangentSphere) {
  const Cast c = cast(Ray{{-3, 1, 0}, {1, 0, 0}}, unit_sphere);
  ASSERT_TRUE(c);
  EXPECT_EQ(c.t, 3);
  EXPECT_EQ(c.point, (Vec3{0, 1, 0}));
  EXPECT_EQ(c.normal, (Vec3{0, 1, 0}));
  EXPECT_FALSE(cast(Ray{{-3, 1 + 1e-12, 0}, {1, 0, 0}}, unit_sphere));
}

TEST(CastRound, SegmentEndsBeforeSphere) {
  EXPECT_FALSE(cast(Segment{{-3, 0, 0}, {-1.5, 0, 0}}, unit_sphere));
  const Cast touching = cast(Segment{{-3, 0, 0}, {-1, 0, 0}}, unit_sphere);
  ASSERT_TRUE(touching);
  EXPECT_EQ(touching.t, 1);
  EXPECT_EQ(touching.point, (Vec3{-1, 0, 0}));
}

TEST(CastRound, SphereStartInside) {
  const Cast c = cast(Ray{{0.5, 0, 0}, {1, 0, 0}}, unit_sphere);
  ASSERT_TRUE(c);
  EXPECT_TRUE(c.inside);
  EXPECT_EQ(c.t, 0);
  EXPECT_EQ(c.point, (Vec3{0.5, 0, 0}));
  EXPECT_EQ(c.normal, Vec3{});
}

TEST(CastRound, PointsAreRaysWithoutDirection) {
  EXPECT_TRUE(cast(Ray{{1, 0, 0}, {}}, unit_sphere).inside);
  EXPECT_FALSE(cast(Ray{{1.5, 0, 0}, {}}, unit_sphere));
  EXPECT_TRUE(cast(Segment{{0.5, 0, 0}, {0.5, 0, 0}}, unit_sphere));
  EXPECT_FALSE(cast(Ray{{3, 0, 0}, {0, -0.0, 0}}, Capsule{{0, 0, 0}, {1, 0, 0}, 1}));
}

// A ball of radius 1e-3 a million away: the classic discriminant is all rounding there.
TEST(CastRound, SmallSphereFarAway) {
  const Sphere ball{{1e6, 0, 0}, 1e-3};
  for (const double y : {0.0, 5e-4, 9.99999e-4}) {
    const Cast c = cast(Ray{{0, y, 0}, {1, 0, 0}}, ball);
    ASSERT_TRUE(c);
    EXPECT_NEAR(c.t, 1e6 - std::sqrt(1e-6 - y * y), 2e-10);
  }
  EXPECT_FALSE(cast(Ray{{0, 1.00001e-3, 0}, {1, 0, 0}}, ball));
}

TEST(CastRound, CapsuleAlongItsAxis) {
  const Capsule c{{-1, 0, 0}, {1, 0, 0}, 0.5};
  const LineSpan s = clip(Line{{-4, 0, 0}, {2, 0, 0}}, c);
  ASSERT_TRUE(s.hit);
  EXPECT_EQ(s.enter, 1.25);
  EXPECT_EQ(s.exit, 2.75);
  EXPECT_EQ(s.enter_normal, (Vec3{-1, 0, 0}));
}

// At a grazing angle the point is uncertain by the root of its rounding along the line, and so is the normal. It must face the line all the
// same: here it leaned away by 5e-7.
TEST(CastRound, NormalsOfThinLozengesAndCapsulesFaceTheLine) {
  const Lozenge lozenge{{{1, -0.31818119642668252, -0.25},
                         {1, 0, 0},
                         {0, 0.99999999999818101, 1.9073486328107653e-06},
                         0,
                         0x1p-18},
                        0x1p-24};
  const Line line{{-0.13168190014190762, 0, -0.25},
                  {1.1316819001419076, -0.31818501112406183, 5.9597368817776442e-08}};
  const Cast c = cast(line, lozenge);
  ASSERT_TRUE(c);
  EXPECT_LE(dot(c.normal, line.direction), 2 * tolerance::epsilon);
  EXPECT_EQ(test::failure(line, lozenge, 32, 0.5), "");
  // Nearly along an edge, and into it from the side.
  const Lozenge plate{{{-2, 2, -0.26797843387826248},
                       {0.99999999999818101, 1.9073486328107653e-06, 0},
                       {-1.9073486328107653e-06, 0.99999999999818101, 0},
                       1.75,
                       0.75},
                      0x1p-26};
  const Line along{{-0.24999856949170862, 1001.2500033378615, -0.26797841967559322},
                   {0, -1, -2.9103830463509967e-11}};
  EXPECT_EQ(test::failure(along, plate, 32, 0.5), "");
}

// A capsule that is almost a ball, grazed almost along its core. Level with the line across the core alone, the normal is 30 degrees off; a turn by
// 2e-10 will do.
TEST(CastRound, GrazingACapsuleThatIsAlmostABall) {
  const Capsule capsule{{-0x1.98b8228472d27p-68, 0x1.01337ac5cec4p-68, -0x1.cb353eb7ee82ap-68},
                        {-0x1.98b82284744c4p-68, 0x1.01337ac5cfc8ep-68, -0x1.cb353d3e2471dp-68},
                        0x1.79ca10c924223p-66};
  const Vec3 start{-0x1.dff75c847b8ddp-66, 0x1.013171194897dp-68, -0x1.2fb3d1dc1301fp-66};
  const Vec3 d{-0x1.79ca10c80d31cp-83, 0x1.04d643161f1c1p-83, 0x1.79ca10c80d31cp-67};
  EXPECT_EQ(test::failure(Line{start, d}, capsule, 64, 0.5), "");
  EXPECT_EQ(test::failure(Line{start, -d}, capsule, 64, 0.5), "");
}

// Where a line comes out, the line back goes in.
template<class S>
void expect_exit(Source& source, const S& set) {
  const Line line = test::aimed_line(source, test::marks(set, source));
  const LineSpan span = clip(line, set);
  if (!span.hit || !(span.exit < INFINITY)) return;
  const Vec3 way = line.direction * span.exit;
  const double size = test::size_of(set) + max_abs(line.origin) + max_abs(way);
  const Cast back{true, -span.exit, line.at(span.exit), span.exit_normal, false};
  EXPECT_EQ(verify::check_cast(Line{line.origin, -line.direction}, set, back,
                               64 * tolerance::epsilon * size)
                .why,
            "");
}
TEST(CastRound, ExitsAreEntriesOfTheWayBack) {
  test::for_each_seed(test::fewer_when_sanitized(5'000), [](Source& source) {
    expect_exit(source, test::sphere(source));
    expect_exit(source, test::capsule(source));
    expect_exit(source, test::lozenge(source));
  });
}

TEST(CastRound, FlatEllipsoidIsAnEllipticDisc) {
  const Ellipsoid disc{{}, {}, {2, 1, 0}};
  const Cast c = cast(Ray{{1.5, 0, 1}, {0, 0, -1}}, disc);
  ASSERT_TRUE(c);
  EXPECT_EQ(c.t, 1);
  EXPECT_EQ(c.normal, (Vec3{0, 0, 1}));
  EXPECT_FALSE(cast(Ray{{1.5, 0.9, 1}, {0, 0, -1}}, disc));
  EXPECT_EQ(cast(Ray{{-3, 0, 0}, {1, 0, 0}}, disc).t, 1); // in its plane
}

} // namespace
} // namespace carom
