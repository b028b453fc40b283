// The checker of growth distances is checked: it accepts the answer, and refuses each way of spoiling it.
#include "carom/verify/check_growth_distance.h"

#include "carom/verify/shape.h"

#include <gtest/gtest.h>

#include <functional>

namespace carom {
namespace {

using verify::PlacedShape;

/// A unit ball, and a box of half 1 whose centre is 6 away along x: three times as large they touch, at x = 3.
struct Scene {
  PlacedShape ball{Shape::sphere(1).value(), {}};
  PlacedShape box{Shape::box({1, 1, 1}).value(), Pose::at({6, 0, 0})};
  Vec3 center_a{}, center_b{6, 0, 0};
  GrowthDistance answer{.value = 3,
                        .lower_bound = 3,
                        .upper_bound = 3,
                        .on_a = {3, 0, 0},
                        .on_b = {3, 0, 0},
                        .normal = {1, 0, 0}};

  [[nodiscard]] bool accepts(const GrowthDistance& g) const {
    return verify::check_growth_distance({ball, center_a}, {box, center_b}, g, 1e-12, 1e-12).ok;
  }
  void refuses(const char* what, const std::function<void(GrowthDistance&)>& spoil) const {
    GrowthDistance g = answer;
    spoil(g);
    EXPECT_FALSE(accepts(g)) << what;
  }
};

TEST(CheckGrowthDistance, EveryFieldCounts) {
  const Scene s;
  ASSERT_TRUE(s.accepts(s.answer));
  const auto all = [](GrowthDistance& g, double value) {
    g.value = g.lower_bound = g.upper_bound = value;
  };
  for (const double off : {1e-9, -1e-9, 0.1, -0.1}) {
    s.refuses("the value", [&](GrowthDistance& g) { g.value += off; });
    s.refuses("the value with its bounds", [&](GrowthDistance& g) { all(g, 3 + off); });
    s.refuses("on_a", [&](GrowthDistance& g) { g.on_a.x += off; });
    s.refuses("on_b", [&](GrowthDistance& g) { g.on_b.x += off; });
    s.refuses("on_b along the face", [&](GrowthDistance& g) { g.on_b.z += off; });
    s.refuses("the normal's length", [&](GrowthDistance& g) { g.normal.x += off; });
    s.refuses("the normal's direction", [&](GrowthDistance& g) {
      g.normal = normalized(Vec3{1, off, 0});
    });
  }
  s.refuses("a lower bound above", [](GrowthDistance& g) { g.lower_bound = 3.1; });
  s.refuses("an upper bound below", [](GrowthDistance& g) { g.upper_bound = 2.9; });
  s.refuses("the opposite normal", [](GrowthDistance& g) { g.normal = -g.normal; });
  s.refuses("zero", [&](GrowthDistance& g) { all(g, 0); });
  s.refuses("never", [&](GrowthDistance& g) { all(g, INFINITY); });
  s.refuses("not a number", [&](GrowthDistance& g) { all(g, NAN); });
  s.refuses("no point", [](GrowthDistance& g) { g.on_a.x = NAN; });
  s.refuses("no answer", [](GrowthDistance& g) { g.status = Status::bad_input; });
}

TEST(CheckGrowthDistance, OtherCentresAreOtherAnswers) {
  Scene s;
  s.center_b = {6.5, 0, 0};
  EXPECT_FALSE(s.accepts(s.answer));
  s.center_b = {5, 0, 0}; // on the border: the box does not grow toward the ball
  EXPECT_FALSE(s.accepts(s.answer));
  s.answer = {.value = 5,
              .lower_bound = 5,
              .upper_bound = 5,
              .on_a = {5, 0, 0},
              .on_b = {5, 0, 0},
              .normal = {1, 0, 0}};
  EXPECT_TRUE(s.accepts(s.answer));
}

TEST(CheckGrowthDistance, ZeroAndNever) {
  Scene s;
  s.center_b = {};
  s.box.pose = {};
  const GrowthDistance same{.on_a = {}, .on_b = {}, .normal = {1, 0, 0}};
  EXPECT_TRUE(s.accepts(same));
  s.center_b = {0.1, 0, 0};
  EXPECT_FALSE(s.accepts(same));
  s.ball.shape = Shape::point({}).value();
  s.box = {Shape::point({}).value(), Pose::at({1, 0, 0})};
  s.center_b = {1, 0, 0};
  GrowthDistance never = same;
  never.value = never.lower_bound = never.upper_bound = INFINITY;
  EXPECT_TRUE(s.accepts(never));
  never.normal = {0, 1, 0};
  EXPECT_FALSE(s.accepts(never));
}

} // namespace
} // namespace carom
