#include "carom/geometry/interval_halving.h"

#include "carom/geometry/sweep_sphere.h"
#include "tests/geometry/sweep_cases.h"

namespace carom {
namespace {

using test::Source;

// Against the exact sweep: the distance of the moving ball is known at every time, and changes no faster than it moves.
TEST(IntervalHalving, AgreesWithTheSweepOfABall) {
  test::for_each_seed(5'000, [](Source& source) {
    const Triangle b = test::triangle(source);
    const Sphere a{test::vec3(source) * 2, test::radius(source)};
    const Vec3 along = test::direction(source);
    const Vec3 motion = along * (1 + 3 * source.unit());
    const auto distance = [&](double t) {
      return verify::distance(a.center + motion * t, b) - a.radius;
    };
    const double tolerance = 1e-6;
    const FirstContact f = first_contact(
        distance, length(motion), 0, 1,
        {.tolerance = tolerance, .distance_error = 1e-13, .max_evaluations = 100'000});
    const Sweep s = sweep(a, motion, b);
    EXPECT_NE(f.status, HalvingStatus::undecided);
    if (f.status == HalvingStatus::contact) {
      EXPECT_LE(distance(f.t), tolerance);
      if (s.hit) {
        EXPECT_LE(f.t, s.t + 1e-12);
      }
    } else {
      EXPECT_FALSE(s.hit);
      EXPECT_EQ(f.t, 1.0);
    }
    // The guarantee: what is called free is free.
    for (int i = 0; i < 50 && f.t > 0; ++i) EXPECT_GT(distance(f.t * i / 50), 0);
  });
}

// A rod that turns about its middle by a quarter and is to hit a ball: no sweep of straight motion answers that.
TEST(IntervalHalving, FindsTheContactOfATurningRod) {
  const Sphere ball{{0, 0.8, 0}, 0.25};
  const auto distance = [&](double t) {
    const double angle = 1.5707963267948966 * t;
    const Vec3 tip{std::cos(angle), std::sin(angle), 0};
    return verify::distance(ball.center, Segment{-tip, tip}) - ball.radius;
  };
  const FirstContact f = first_contact(distance, 1.5707963267948966, 0, 1, {.tolerance = 1e-9});
  ASSERT_EQ(f.status, HalvingStatus::contact);
  // The rod's line is tangent to the ball when the ball's centre is 0.25 off: sin(90 degrees - angle) = 0.25 / 0.8.
  const double expected = 1 - std::asin(0.25 / 0.8) / 1.5707963267948966;
  EXPECT_NEAR(f.t, expected, 1e-8);
  EXPECT_LE(f.t, expected);
  EXPECT_LT(f.evaluations, 60);
}

TEST(IntervalHalving, ParallelMotionNearASurfaceTakesBoundedLooks) {
  const double height = 1e-3;
  int looks = 0;
  const auto distance = [&](double) {
    ++looks;
    return height;
  };
  // Each look but the first proves a stretch of 1.9375 heights: 517 of them for a way of 1.
  const FirstContact f = first_contact(distance, 1, 0, 1, {.tolerance = 1e-6});
  EXPECT_EQ(f.status, HalvingStatus::free);
  EXPECT_LE(f.evaluations, 520);
  EXPECT_EQ(f.evaluations, looks);

  const FirstContact cut =
      first_contact(distance, 1, 0, 1, {.tolerance = 1e-6, .max_evaluations = 100});
  EXPECT_EQ(cut.status, HalvingStatus::undecided);
  EXPECT_EQ(cut.evaluations, 100);
  EXPECT_GT(cut.t, 0.19); // what is proved so far is told
  EXPECT_LT(cut.t, 0.21);
}

TEST(IntervalHalving, TouchingAtTheEndsAndAtRest) {
  const HalvingOptions options{.tolerance = 1e-9};
  const auto at = [&](double distance) {
    return first_contact([=](double) { return distance; }, 0, 0, 1, options);
  };
  EXPECT_EQ(at(0).status, HalvingStatus::contact);
  EXPECT_EQ(at(0).t, 0);
  EXPECT_EQ(at(-1).status, HalvingStatus::contact);
  EXPECT_EQ(at(1).status, HalvingStatus::free);
  EXPECT_EQ(at(1).evaluations, 1);
  const FirstContact end = first_contact([](double t) { return 1 - t; }, 1, 0, 1, options);
  EXPECT_EQ(end.status, HalvingStatus::contact);
  EXPECT_NEAR(end.t, 1, 2e-9);
  EXPECT_LE(end.t, 1);
}

TEST(IntervalHalving, AThinObstacleIsNotJumpedOver) {
  // Distance from a wall of no thickness at 0.7, crossed at full speed.
  const FirstContact f =
      first_contact([](double t) { return std::fabs(t - 0.7); }, 1, 0, 1, {.tolerance = 1e-12});
  EXPECT_EQ(f.status, HalvingStatus::contact);
  EXPECT_NEAR(f.t, 0.7, 1e-11);
  EXPECT_LE(f.t, 0.7);
}

TEST(IntervalHalving, NonsenseEnds) {
  const auto one = [](double) { return 1.0; };
  EXPECT_EQ(first_contact(one, 1, 1, 0, {}).evaluations, 0);
  EXPECT_EQ(first_contact(one, NAN, 0, 1, {}).evaluations, 0);
  EXPECT_EQ(first_contact(one, 1, 0, 1, {.max_evaluations = 0}).status, HalvingStatus::undecided);
  const FirstContact f = first_contact([](double) { return NAN; }, 1, 0, 1, {});
  EXPECT_LE(f.evaluations, 1000);
  const FirstContact never = first_contact([](double) { return 1e-300; }, 1, 0, 1, {});
  EXPECT_EQ(never.status, HalvingStatus::undecided);
  EXPECT_LE(never.evaluations, 1000);
}

} // namespace
} // namespace carom
