// The checker of shape casts is checked: it accepts the answer, and refuses each way of spoiling it.
#include "carom/verify/check_shape_cast.h"

#include "carom/verify/shape.h"

#include <gtest/gtest.h>

#include <functional>

namespace carom {
namespace {

using verify::PlacedShape;

constexpr verify::ShapeCastTolerance tolerance{1e-12, 1e-12, 1e-12};

/// A unit ball at x = -5 that moves by 10 along x, and a box around the origin: it touches at x = -1, at t = 0.3.
struct Scene {
  PlacedShape ball{Shape::sphere(1).value(), Pose::at({-5, 0, 0})};
  PlacedShape box{Shape::box({1, 1, 1}).value(), {}};
  Vec3 translation{10, 0, 0};
  ShapeCast answer{.hit = true,
                   .t = 0.3,
                   .on_a = {-1, 0, 0},
                   .on_b = {-1, 0, 0},
                   .point = {-1, 0, 0},
                   .normal = {1, 0, 0}};

  [[nodiscard]] bool accepts(const ShapeCast& c) const {
    return verify::check_shape_cast(ball, translation, box, c, tolerance).ok;
  }
  void refuses(const char* what, const std::function<void(ShapeCast&)>& spoil) const {
    ShapeCast c = answer;
    spoil(c);
    EXPECT_FALSE(accepts(c)) << what;
  }
};

TEST(CheckShapeCast, EveryFieldOfAHitCounts) {
  const Scene s;
  ASSERT_TRUE(s.accepts(s.answer));
  s.refuses("a miss", [](ShapeCast& c) { c.hit = false; });
  s.refuses("an overlap at the start", [](ShapeCast& c) { c.initial_overlap = true; });
  for (const double off : {1e-9, -1e-9, 0.1, -0.1}) {
    s.refuses("the time", [&](ShapeCast& c) { c.t += off; });
    s.refuses("the time, with A's point", [&](ShapeCast& c) {
      c.t += off;
      c.on_a.x += 10 * off;
    });
    s.refuses("on_a", [&](ShapeCast& c) { c.on_a.x += off; });
    s.refuses("on_b", [&](ShapeCast& c) { c.on_b.x += off; });
    s.refuses("on_b along the face", [&](ShapeCast& c) { c.on_b.y += off; });
    s.refuses("the common point", [&](ShapeCast& c) { c.point.x += off; });
    s.refuses("the normal's length", [&](ShapeCast& c) { c.normal.x += off; });
    s.refuses("the normal's direction", [&](ShapeCast& c) {
      c.normal = normalized(Vec3{1, off, 0});
    });
  }
  s.refuses("out of range", [](ShapeCast& c) { c.t = 1.5; });
  s.refuses("before the start", [](ShapeCast& c) { c.t = -0.5; });
  s.refuses("the opposite normal", [](ShapeCast& c) { c.normal = -c.normal; });
  s.refuses("no time", [](ShapeCast& c) { c.t = NAN; });
  s.refuses("no point", [](ShapeCast& c) { c.on_a.y = NAN; });
  s.refuses("no common point", [](ShapeCast& c) { c.point.z = INFINITY; });
  s.refuses("no answer", [](ShapeCast& c) { c.status = Status::bad_input; });
}

// A time that is too early is no proof that they touch; one that claims no touch is right.
TEST(CheckShapeCast, WhatIsWideClaimsLess) {
  const Scene s;
  ShapeCast early = s.answer;
  early.t = 0.2;
  early.on_a = {-2, 0, 0};
  EXPECT_FALSE(s.accepts(early));
  early.status = Status::wide;
  EXPECT_TRUE(s.accepts(early));
  early.t = 0.31; // but nothing may touch before
  early.on_a = {-0.9, 0, 0};
  EXPECT_FALSE(s.accepts(early));
}

TEST(CheckShapeCast, MovingAwayIsNoProof) {
  Scene s;
  s.translation = {-10, 0, 0};
  s.ball.pose.position = {1, 0, 0};
  EXPECT_FALSE(s.accepts(s.answer)); // it touches there, but came out of the box
}

TEST(CheckShapeCast, MissesAreSeparatedAllTheTime) {
  Scene s;
  s.ball.pose.position.y = 3;
  ShapeCast miss;
  miss.normal = {0, -1, 0};
  EXPECT_TRUE(s.accepts(miss));
  for (const Vec3& n : {Vec3{0, 1, 0}, Vec3{1, 0, 0}, Vec3{-1, 0, 0}, Vec3{0, -2, 0}, Vec3{},
                        Vec3{0, NAN, 0}, normalized(Vec3{1, -1, 0})}) {
    ShapeCast wrong = miss;
    wrong.normal = n;
    EXPECT_FALSE(s.accepts(wrong)) << n.x << " " << n.y;
  }
  miss.initial_overlap = true;
  EXPECT_FALSE(s.accepts(miss));
  EXPECT_FALSE(s.accepts(s.answer));
}

TEST(CheckShapeCast, EveryFieldOfAnOverlapCounts) {
  Scene s;
  s.ball.pose.position = {-1.5, 0, 0};
  s.answer = {.hit = true,
              .initial_overlap = true,
              .t = 0,
              .on_a = {-0.5, 0, 0},
              .on_b = {-1, 0, 0},
              .point = {-0.75, 0, 0},
              .normal = {1, 0, 0}};
  ASSERT_TRUE(s.accepts(s.answer));
  s.refuses("a miss", [](ShapeCast& c) { c.hit = false; });
  s.refuses("a contact", [](ShapeCast& c) { c.initial_overlap = false; });
  s.refuses("later", [](ShapeCast& c) { c.t = 0.01; });
  s.refuses("on_a inside", [](ShapeCast& c) { c.on_a.x = -0.6; });
  s.refuses("on_b inside", [](ShapeCast& c) { c.on_b.x = -0.9; });
  s.refuses("on_b elsewhere", [](ShapeCast& c) { c.on_b.y = 0.1; });
  s.refuses("no common point", [](ShapeCast& c) { c.point.x = -1.1; });
  s.refuses("the normal", [](ShapeCast& c) { c.normal = {0, 1, 0}; });
  s.refuses("the opposite normal", [](ShapeCast& c) { c.normal = {-1, 0, 0}; });
}

} // namespace
} // namespace carom
