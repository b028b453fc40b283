#include "carom/motion/motion.h"

#include "carom/query/distance.h"
#include "carom/shape/support.h"
#include "carom/verify/check_motion.h"
#include "tests/motion/motion_cases.h"
#include "tests/query/composite_cases.h"
#include "tests/support/property.h"

namespace carom {
namespace {

using test::Source;

/// The point of the body that is at x when t = 0, by the definition, in extended precision.
Vec3 moved(const Motion& m, const Vec3& x, double t) {
  const bool together = m.order == MotionOrder::together;
  const double along = together ? t : std::min(2 * t, 1.0);
  const double turned = together ? t : std::max(2 * t - 1, 0.0);
  const auto l = [](double v) { return static_cast<long double>(v); };
  const long double angle = l(m.angle) * l(turned);
  const long double norm =
      std::sqrt(l(m.axis.x) * l(m.axis.x) + l(m.axis.y) * l(m.axis.y) + l(m.axis.z) * l(m.axis.z));
  long double k[3] = {0, 0, 0}, r[3], out[3];
  for (int i = 0; i < 3; ++i) {
    if (norm > 0) k[i] = l(m.axis[i]) / norm;
    r[i] = l(x[i]) - l(m.pivot[i]);
  }
  const long double c = norm > 0 ? std::cos(angle) : 1, s = norm > 0 ? std::sin(angle) : 0;
  const long double kr = k[0] * r[0] + k[1] * r[1] + k[2] * r[2];
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, n = (i + 2) % 3;
    out[i] = l(m.pivot[i]) + l(along) * l(m.translation[i]) + r[i] * c +
             (k[j] * r[n] - k[n] * r[j]) * s + k[i] * kr * (1 - c);
  }
  return {static_cast<double>(out[0]), static_cast<double>(out[1]), static_cast<double>(out[2])};
}

PROPERTY(Motion, PosesFollowTheDefinition) {
  const double scale = test::scale(source);
  const Motion m = test::motion(source, test::shape_pose(source, scale), scale);
  const Vec3 local = test::vec3(source) * scale;
  const double t = source.index(3) ? source.unit() : source.index(2);
  const double size = test::motion_size(m) + max_abs(local);
  const Vec3 at_start = m.start.frame().to_world(local);
  const Vec3 expected = moved(m, at_start, t);
  const Vec3 found = pose_at(m, t).frame().to_world(local);
  const double allowed = 64 * tolerance::epsilon * size * (1 + std::fabs(m.angle)) +
                         2 * tolerance::coordinate_min; // where it comes out as 0
  test::note() << length(found - expected) << " of " << size << "\n";
  REQUIRE(length(found - expected) <= allowed);
  // The checker's own is as good.
  const Shape point = Shape::point(test::coordinates(local)).value();
  const Vec3 checked = verify::farthest_point(verify::placed_at(point, m, t), {1, 0, 0});
  REQUIRE(length(checked - expected) <= allowed + 1e-29);
  REQUIRE(pose_at(m, 0) == m.start);
  REQUIRE(pose_at(m, -1) == m.start);
  REQUIRE(pose_at(m, 2) == pose_at(m, 1));
}

PROPERTY(Motion, BetweenEndsAtItsEnd) {
  const Pose start = test::shape_pose(source, 1), end = test::shape_pose(source, 1);
  const Vec3 center = test::vec3(source);
  const Motion m = Motion::between(start, end, center);
  REQUIRE(m.angle >= 0);
  REQUIRE(m.angle <= pi * (1 + 1e-15));
  const Frame reached = pose_at(m, 1).frame(), wanted = end.frame();
  const double size = max_abs(start.position) + max_abs(end.position) + max_abs(center) + 1;
  REQUIRE(length(reached.origin - wanted.origin) <= 1e-14 * size);
  for (int i = 0; i < 3; ++i) REQUIRE(length(reached.basis[i] - wanted.basis[i]) <= 1e-14);
  // The centre moves straight.
  const Vec3 middle = pose_at(m, 0.5).frame().to_world(center);
  const Vec3 expected = (start.frame().to_world(center) + wanted.to_world(center)) * 0.5;
  REQUIRE(length(middle - expected) <= 1e-14 * size);
}

TEST(Motion, ScrewAdvancesAlongItsAxis) {
  const Motion m = Motion::screw(Pose::at({1, 0, 0}), {}, {0, 0, 5}, two_pi, 3);
  const Pose end = pose_at(m, 1), quarter = pose_at(m, 0.25);
  EXPECT_LE(length(end.position - Vec3{1, 0, 3}), 1e-15);
  EXPECT_LE(length(quarter.position - Vec3{0, 1, 0.75}), 1e-15);
}

TEST(Motion, TranslationComesFirst) {
  const Motion m =
      Motion::translation_then_rotation(Pose::at({1, 0, 0}), {0, 0, 2}, {}, {0, 0, 1}, half_pi);
  EXPECT_LE(length(pose_at(m, 0.25).position - Vec3{1, 0, 1}), 1e-15);
  EXPECT_EQ(pose_at(m, 0.25).rotation, Quat{});
  EXPECT_LE(length(pose_at(m, 0.5).position - Vec3{1, 0, 2}), 1e-15);
  EXPECT_LE(length(pose_at(m, 1).position - Vec3{0, 1, 2}), 1e-15);
  EXPECT_LE(length(velocity_at(m, 0.1, {1, 0, 0.4}) - Vec3{0, 0, 4}), 1e-15);
  EXPECT_LE(length(velocity_at(m, 0.5, {1, 0, 2}) - Vec3{0, pi, 0}), 1e-15);
}

PROPERTY(Motion, VelocitiesAreDerivatives) {
  const Motion m = test::motion(source, test::shape_pose(source, 1), 1);
  const Vec3 local = test::vec3(source);
  const double t =
      0.25 + 0.5 * (source.unit() - 0.5) * 0.9; // clear of the change at 1/2 and of both ends
  const Vec3 at_start = m.start.frame().to_world(local);
  const double h = 1e-4;
  const Vec3 slope = (moved(m, at_start, t + h) - moved(m, at_start, t - h)) / (2 * h);
  const Vec3 v = velocity_at(m, t, moved(m, at_start, t));
  const double rate = 2 * std::fabs(m.angle);
  const double curve = rate * rate * rate * (max_abs(local) + test::motion_size(m)) * h * h;
  REQUIRE(length(slope - v) <= 1e-9 * (1 + test::motion_size(m)) * (1 + rate) + curve);
}

struct Stretch {
  double from, to;
};
Stretch stretch(Source& source) {
  const double x = source.unit();
  const double y = source.unit();
  return {std::min(x, y), std::max(x, y)};
}

PROPERTY(Motion, BoundsHoldForEveryPoint) {
  const double scale = test::modest_scale(source);
  const Motion m = test::motion(source, test::shape_pose(source, scale), scale);
  const auto [from, to] = stretch(source);
  const Vec3 center = test::vec3(source) * scale;
  const Sphere ball{center, test::radius(source) * scale};
  const Aabb box{center - Vec3{1, 2, 3} * ball.radius, center + Vec3{1, 2, 3} * ball.radius};
  const double ball_speed = greatest_speed(m, ball, from, to);
  const double box_speed = greatest_speed(m, box, from, to);
  const double ball_way = greatest_displacement(m, ball, from, to);
  const double box_way = greatest_displacement(m, box, from, to);
  // The places themselves are rounded here, the bounds are not about that.
  const double doubt = 8 * tolerance::epsilon * (test::motion_size(m) + max_abs(box.max - box.min));
  const double speed_doubt = doubt * (2 + 2 * std::fabs(m.angle));
  for (int i = 0; i < 20; ++i) {
    const double t = i == 0 ? from : i == 1 ? to : from + (to - from) * source.unit();
    const Vec3 d = test::direction(source);
    const Vec3 in_ball = ball.center + d * ball.radius, in_box = box.corner(source.index(8));
    const Vec3 b0 = m.start.frame().to_world(in_ball), x0 = m.start.frame().to_world(in_box);
    REQUIRE(length(velocity_at(m, t, moved(m, b0, t))) <= ball_speed + speed_doubt);
    REQUIRE(length(velocity_at(m, t, moved(m, x0, t))) <= box_speed + speed_doubt);
    REQUIRE(length(moved(m, b0, t) - moved(m, b0, from)) <= ball_way + doubt);
    REQUIRE(length(moved(m, x0, t) - moved(m, x0, from)) <= box_way + doubt);
  }
}

/// Some point comes near to the bound: it is not too large.
PROPERTY(Motion, BoundsAreAttained) {
  const Pose start = test::shape_pose(source, 1);
  const Motion m = test::motion(source, start, 1);
  ASSUME(m.order == MotionOrder::together && std::fabs(m.angle) < 8);
  const auto [from, to] = stretch(source);
  const Sphere ball{test::vec3(source), 0.5};
  double fastest = 0, farthest = 0;
  for (int i = 0; i <= 64; ++i) {
    const double t = from + (to - from) * i / 64;
    // The point of the ball farthest out on the side that gets ahead: that of the centre's velocity across the axis.
    const Vec3 axis = normalized_or(m.axis, {});
    const Vec3 c = moved(m, start.frame().to_world(ball.center), t);
    const Vec3 v = velocity_at(m, t, c);
    const Vec3 across = v - axis * dot(axis, v);
    const Vec3 out = m.angle == 0 ? Vec3{} : normalized(cross(across, axis)) * 0.5;
    for (const double side : {-1.0, 1.0})
      fastest = std::max(fastest, length(velocity_at(m, t, c + out * side)));
  }
  const double bound = greatest_speed(m, ball, from, to);
  REQUIRE(fastest >= bound * 0.99 - 1e-12 * (test::motion_size(m) + 4));
  // Pure rotations and screws: the farthest from the axis.
  const bool screw = length(cross(m.translation, m.axis)) <= 1e-12 * length(m.translation);
  if (!screw && m.angle != 0) return;
  if (m.translation != Vec3{} && std::fabs(m.angle) * (to - from) > pi) return;
  const Vec3 axis = m.angle == 0 ? Vec3{} : normalized_or(m.axis, {});
  const Vec3 arm = start.frame().to_world(ball.center) - m.pivot;
  const Vec3 across = arm - axis * dot(axis, arm);
  const Vec3 out =
      length(across) > 1e-9 * length(arm) ? normalized(across) : normalized(perpendicular(axis));
  const Vec3 x = start.frame().to_world(ball.center) + (m.angle == 0 ? Vec3{} : out * 0.5);
  for (int i = 0; i <= 256; ++i)
    farthest =
        std::max(farthest, length(moved(m, x, from + (to - from) * i / 256) - moved(m, x, from)));
  REQUIRE(farthest >=
          greatest_displacement(m, ball, from, to) * 0.99 - 1e-12 * (test::motion_size(m) + 4));
}

PROPERTY(Motion, SweptBoundsHoldTheShape) {
  const double scale = test::modest_scale(source);
  const auto kind = static_cast<ShapeKind>(source.index(shape_kinds));
  const Shape shape = test::CompositeGenerator(source, scale).of_kind(kind);
  const Motion m = test::motion(source, test::shape_pose(source, scale), scale);
  const auto [from, to] = stretch(source);
  const Aabb swept = swept_bounds(shape, m, from, to);
  Aabb seen;
  for (int i = 0; i <= 32; ++i) {
    const Aabb box = bounds(shape, pose_at(m, from + (to - from) * i / 32));
    seen = {min(seen.min, box.min), max(seen.max, box.max)};
  }
  const double size = shape.size() + test::motion_size(m);
  const double allowed = 64 * tolerance::epsilon * size * (1 + std::fabs(m.angle));
  for (int i = 0; i < 3; ++i) {
    REQUIRE(swept.min[i] <= seen.min[i] + allowed);
    REQUIRE(swept.max[i] >= seen.max[i] - allowed);
    if (!shape.convex() || !shape.bounded()) continue;
    // Not much too large: 1% of the distance from the pivot, and what the samples leave out.
    const double radius = 2 * (shape.size() + length(m.start.position - m.pivot));
    const double missed = (std::fabs(m.angle) * radius + length(m.translation)) * 2 / 32;
    REQUIRE(swept.max[i] <= seen.max[i] + 0.01 * radius + missed + allowed);
    REQUIRE(swept.min[i] >= seen.min[i] - 0.01 * radius - missed - allowed);
  }
}

/// Bounded by one turn at every place of the way: there is no end to more.
TEST(Motion, SweptBoundsOfWhatTurnsAMillionRadians) {
  const Shape bar = Shape::box({2, 0.1, 0.1}).value();
  for (const double angle : {630.0, 1e4, -1e6}) {
    for (const MotionOrder order : {MotionOrder::together, MotionOrder::translation_first}) {
      Motion m = Motion::rotation_about(Pose::at({5, 0, 0}), {5, 0, 0}, {0, 0, 1}, angle);
      m.translation = {0, 30, -4};
      m.order = order;
      const Aabb box = swept_bounds(bar, m);
      for (int i = 0; i <= 5000; ++i) {
        const Aabb at = bounds(bar, pose_at(m, i / 5000.0));
        for (int k = 0; k < 3; ++k) {
          ASSERT_LE(box.min[k], at.min[k] + 1e-9) << angle << " " << i;
          ASSERT_GE(box.max[k], at.max[k] - 1e-9) << angle << " " << i;
        }
      }
      // The bar reaches 2.0025 from its middle, in all directions across the axis.
      // Where it turns last, it does not reach back from where it began.
      const Vec3 least{2.99, order == MotionOrder::together ? -2.01 : -0.1, -4.1},
          most{7.01, 32.01, 0.1};
      for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(box.min[k], least[k], 0.05) << angle;
        EXPECT_NEAR(box.max[k], most[k], 0.05) << angle;
      }
    }
  }
}

/// A body in range stays there: a turn by next to nothing leads to places of next to nothing.
TEST(Motion, TinyPlacesAreZero) {
  const Motion m = Motion::rotation_about(Pose::at({1, 0, 0}), {}, {0, 0, 1}, 1e-3);
  EXPECT_EQ(pose_at(m, 1e-40).position, (Vec3{1, 0, 0}));
  const Shape box = Shape::box({0.5, 0.5, 0.5}).value();
  EXPECT_EQ(distance(box, pose_at(m, 1e-40), box, Pose::at({3, 0, 0})).status, Status::ok);
}

TEST(Motion, OutOfRangeIsTold) {
  const Motion good = Motion::rest({});
  EXPECT_TRUE(in_range(good));
  for (const double bad : {static_cast<double>(NAN), static_cast<double>(INFINITY), 1e31}) {
    Motion m = good;
    m.pivot.x = bad;
    EXPECT_FALSE(in_range(m));
    m = good;
    m.translation.y = bad;
    EXPECT_FALSE(in_range(m));
    m = good;
    m.axis.z = bad;
    EXPECT_FALSE(in_range(m));
    m = good;
    m.angle = bad;
    EXPECT_FALSE(in_range(m));
    m = good;
    m.start.position.x = bad;
    EXPECT_FALSE(in_range(m));
  }
}

} // namespace
} // namespace carom
