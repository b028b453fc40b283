// Balls that go straight have a formula: two measurements at most, right when they graze, when they are tiny, and far away.
#include "carom/motion/time_of_impact.h"
#include "carom/verify/check_motion.h"
#include "tests/motion/motion_cases.h"
#include "tests/support/property.h"

namespace carom {
namespace {

using test::Source;

/// Two balls, and how they pass: the least distance of their centres is `pass` times the radii.
struct Passing {
  Shape a, b;
  Motion motion_a, motion_b;
  double radii, pass;
};

Passing passing(Source& source) {
  const double size = std::pow(10.0, source.uniform(-6, 6));
  const double r_a = size * source.uniform(0.1, 1), r_b = source.chance(4) ? 0 : size;
  const Vec3 way = test::direction(source);
  const Vec3 aside = normalized(perpendicular(way));
  const double pass = source.chance(3) ? 1 + source.uniform(-1e-8, 1e-8) : source.uniform(0, 1.3);
  const double far = size * std::pow(10.0, source.uniform(0.5, 6));
  const double place = source.chance(2) ? 0 : 100 * far;
  const Vec3 at = test::direction(source) * place;
  const double radii = r_a + r_b;
  Passing p{Shape::sphere(r_a).value(),
            r_b > 0 ? Shape::sphere(r_b).value() : Shape::point({}).value(),
            Motion::rest(Pose::at(at)),
            {},
            radii,
            pass};
  const Pose start = Pose::at(at + aside * (pass * radii) - way * far);
  const double shared = source.chance(2) ? 0 : far;
  const Vec3 common = test::direction(source) * shared;
  p.motion_a.translation = common;
  p.motion_b = Motion::translation_by(start, way * (2 * far) + common);
  // Turning about their own centres is no matter.
  if (source.chance(2)) {
    p.motion_b.axis = test::direction(source);
    p.motion_b.angle = source.uniform(-50, 50);
  }
  return p;
}

TEST(BallImpact, ByFormula) {
  int hits = 0, misses = 0;
  test::for_each_seed(test::fewer_when_sanitized(20000), [&](Source& source) {
    const Passing p = passing(source);
    const TimeOfImpact i = time_of_impact(p.a, p.motion_a, p.b, p.motion_b);
    ASSERT_EQ(i.status, Status::ok);
    EXPECT_LE(i.iterations, 2);
    const double size = p.a.size() + p.b.size();
    const double places = test::motion_size(p.motion_a) + test::motion_size(p.motion_b);
    const double error = std::max(1e-9 * size, 4e-10 * size + 2e-13 * places);
    const auto verdict = verify::check_impact(p.a, p.motion_a, p.b, p.motion_b, i, 0, error, 1, 8,
                                              1e-13 * (places + size));
    EXPECT_TRUE(verdict) << verdict.why << ", pass " << p.pass;
    // Where it is clear whether they meet.
    const double doubt = 2 * error + 1e-14 * places;
    if (std::fabs(p.pass - 1) * p.radii > doubt) {
      EXPECT_EQ(i.hit, p.pass < 1) << p.pass;
    }
    ++(i.hit ? hits : misses);
  });
  EXPECT_GT(hits, misses / 4);
  EXPECT_GT(misses, hits / 8);
}

TEST(BallImpact, WithAMarginItIsTheTimeTheDistanceFallsBelow) {
  const Shape ball = Shape::sphere(1).value();
  const Motion there = Motion::translation_by(Pose::at({-10, 0, 0}), {20, 0, 0});
  const TimeOfImpact i =
      time_of_impact(ball, there, ball, Motion::rest(Pose::at({0, 0, 0})), {.margin = 3});
  ASSERT_TRUE(i.hit);
  EXPECT_NEAR(i.t, 0.25, 1e-9); // centres are 5 apart
  EXPECT_NEAR(i.distance, 3, 1e-8);
}

TEST(BallImpact, ABallThatTurnsAboutSomethingElseHasNoStraightWay) {
  // Around the origin it comes to the other side; straight it would go away.
  const Shape ball = Shape::sphere(0.5).value();
  const Motion round = Motion::rotation_about(Pose::at({3, 0, 0}), {0, 0, 0}, {0, 0, 1}, 3);
  const TimeOfImpact i = time_of_impact(ball, round, ball, Motion::rest(Pose::at({-3, 0, 0})));
  ASSERT_TRUE(i.hit);
  // The chord between the centres is 1 long.
  EXPECT_NEAR(i.t, (pi - 2 * std::asin(1.0 / 6)) / 3, 1e-8);
}

} // namespace
} // namespace carom
