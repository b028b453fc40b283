// Screws: where they lead, at which pace, how fast; and the polynomials that places, directions and moments are.
#include "carom/motion/screw.h"

#include "carom/math/tolerance.h"
#include "carom/math/trig.h"
#include "carom/motion/screw_path.h"
#include "tests/support/generate.h"
#include "tests/support/property.h"

#include <array>
#include <cmath>

namespace carom {
namespace {

using test::Source;

constexpr double epsilon = tolerance::epsilon;

/// Where a point is at time t, from the words of the definition: in long doubles, about the line itself.
Vec3 by_definition(const Vec3& x, const Vec3& point, const Vec3& axis, double angle, double pitch,
                   double t) {
  const long double turn = angle;
  long double now;
  if (std::fabs(angle) <= half_pi) {
    now = 2 * std::atan(t * std::tan(turn / 2));
  } else {
    const long double half = t < 0.5 ? 2 * std::atan(2 * t * std::tan(turn / 4))
                                     : turn / 2 + 2 * std::atan((2 * t - 1) * std::tan(turn / 4));
    now = half;
  }
  const long double s = std::sin(now), c = std::cos(now);
  const Vec3 z = normalized(axis), arm = x - point;
  const Vec3 side = cross(z, arm), up = z * dot(z, arm), out = arm - up;
  Vec3 r;
  for (int i = 0; i < 3; ++i)
    r[i] = static_cast<double>(point[i] + c * out[i] + s * side[i] + up[i] +
                               static_cast<long double>(t) * pitch * z[i]);
  return r;
}

struct AnyScrew {
  Pose start;
  Vec3 point, axis;
  double angle, pitch;
  ScrewMotion screw;
};
AnyScrew any_screw(Source& source) {
  static constexpr double angles[] = {0, 1, -1, 0.1, half_pi, pi, -pi, 2, -3, 1e-9, 3.14};
  AnyScrew s;
  s.start = test::pose(source);
  s.point = test::vec3(source);
  s.axis = test::direction(source);
  s.angle = angles[source.index(11)];
  s.pitch = test::real(source);
  s.screw = ScrewMotion::about(s.start, s.point, s.axis, s.angle, s.pitch);
  return s;
}

TEST(Screw, GoesAsItIsDefined) {
  test::for_each_seed(test::fewer_when_sanitized(20000), [](Source& source) {
    const AnyScrew s = any_screw(source);
    ASSERT_TRUE(in_range(s.screw));
    EXPECT_NEAR(s.screw.angle(), std::fabs(s.angle), 8 * epsilon);
    const Vec3 local = test::vec3(source);
    const double t = source.uniform(0, 1);
    for (const double at : {t, 0.0, 0.5, 1.0}) {
      const Vec3 x = pose_at(s.screw, at).frame().to_world(local);
      const Vec3 y =
          by_definition(s.start.frame().to_world(local), s.point, s.axis, s.angle, s.pitch, at);
      // Coordinates below 8, a few dozen operations.
      EXPECT_LE(distance(x, y), 100 * epsilon) << at;
    }
  });
}

TEST(Screw, LeadsFromOnePoseToTheOther) {
  test::for_each_seed(test::fewer_when_sanitized(20000), [](Source& source) {
    const Pose from = test::pose(source);
    Pose to = test::pose(source);
    if (source.chance(4)) to.rotation = from.rotation;
    const bool near = source.chance(4);
    const double little = std::ldexp(1.0, -source.index(60));
    const Vec3 axis = test::direction(source);
    if (near) to.rotation = Quat::from_axis_angle(axis, little) * from.rotation;
    const ScrewMotion s = screw_between(from, to);
    ASSERT_TRUE(in_range(s));
    EXPECT_EQ(pose_at(s, 0), from);
    EXPECT_LE(s.angle(), pi);
    const Vec3 local = test::vec3(source);
    EXPECT_LE(distance(pose_at(s, 1).frame().to_world(local), to.frame().to_world(local)),
              64 * epsilon);
    // On the way, all points keep their distance from one line: the velocity at any time, less what is along the axis, is at right angles to it, and the same for all points on a line along the axis.
    const double t = source.uniform(0, 1);
    const Vec3 x = pose_at(s, t).frame().to_world(local);
    const Vec3 v = velocity_at(s, t, x);
    EXPECT_NEAR(dot(v, s.axis), dot(s.translation, s.axis), 64 * epsilon);
    EXPECT_LE(length(velocity_at(s, t, x + s.axis) - v), 256 * epsilon);
  });
}

TEST(Screw, SpecialCases) {
  const Pose here{Quat{1, 2, 3, 4}, {5, 6, 7}};
  const ScrewMotion rest = screw_between(here, here);
  EXPECT_EQ(rest.tangent, 0);
  EXPECT_EQ(pose_at(rest, 0.7), here);
  // The same rotation by another quaternion.
  const ScrewMotion same = screw_between(here, {Quat{-2, -4, -6, -8}, here.position});
  EXPECT_LE(same.angle(), 8 * epsilon);
  const ScrewMotion straight = screw_between(here, {here.rotation, {6, 6, 7}});
  EXPECT_EQ(straight.axis, (Vec3{}));
  EXPECT_EQ(pose_at(straight, 0.25).position, (Vec3{5.25, 6, 7}));
  // Half a turn about z, around the middle of both positions: by a quarter at half the time.
  const ScrewMotion half = screw_between(Pose::identity(), {Quat{0, 0, 1, 0}, {2, 0, 0}});
  EXPECT_EQ(half.pieces, 2);
  EXPECT_NEAR(half.angle(), pi, 4 * epsilon);
  EXPECT_NEAR(std::fabs(pose_at(half, 0.5).position.y), 1, 4 * epsilon);
  EXPECT_NEAR(pose_at(half, 0.5).position.x, 1, 4 * epsilon);
  // More than half a turn, and numbers that are none.
  EXPECT_FALSE(in_range(ScrewMotion::about(here, {}, {0, 0, 1}, 4, 0)));
  EXPECT_FALSE(in_range(ScrewMotion::about(here, {}, {0, 0, 1}, NAN, 0)));
  EXPECT_FALSE(in_range(ScrewMotion::about(here, {}, {0, 0, 1}, 1, NAN)));
  ScrewMotion bad = half;
  bad.pieces = 3;
  EXPECT_FALSE(in_range(bad));
}

TEST(Screw, VelocityAndSpeed) {
  test::for_each_seed(test::fewer_when_sanitized(5000), [](Source& source) {
    const AnyScrew s = any_screw(source);
    const Vec3 local = test::vec3(source);
    const double t = source.uniform(0.001, 0.999);
    if (std::fabs(t - 0.5) < 1e-4) return;
    const double h = 1e-5;
    const auto at = [&](double time) { return pose_at(s.screw, time).frame().to_world(local); };
    const Vec3 v = velocity_at(s.screw, t, at(t));
    // Third derivatives are below 500 and the rounding is 1e-15 / h.
    EXPECT_LE(distance(v, (at(t + h) - at(t - h)) / (2 * h)), 1e-7);
    const double radius = source.uniform(0, 1);
    const double to = source.uniform(t, 1);
    const double most = greatest_speed(s.screw, {local, radius}, t, to);
    double seen = 0;
    for (int i = 0; i < 20; ++i) {
      const Vec3 off = test::direction(source);
      const double when = t + (to - t) * source.uniform(0, 1);
      const Pose then = pose_at(s.screw, when);
      const Vec3 p = local + normalized_or(off, {}) * radius;
      seen = std::max(seen, length(velocity_at(s.screw, when, then.frame().to_world(p))));
    }
    EXPECT_LE(seen, most);
    // Of a single point it is reached at the beginning of one of the pieces.
    const double point = greatest_speed(s.screw, {local, 0}, t, to);
    double reached = length(v);
    if (s.screw.pieces == 2 && t < 0.5 && to >= 0.5)
      reached = std::max(reached, length(velocity_at(s.screw, 0.5, at(0.5))));
    EXPECT_NEAR(point, reached, 1e-12);
  });
}

TEST(ScrewPath, PolynomialsAreWhatTheySay) {
  test::for_each_seed(test::fewer_when_sanitized(5000), [](Source& source) {
    const AnyScrew s = any_screw(source);
    const Vec3 p = test::vec3(source);
    const Vec3 q = test::vec3(source);
    const Vec3 e = test::vec3(source);
    const double u = source.uniform(0, 1);
    for (int k = 0; k < s.screw.pieces; ++k) {
      const ScrewPath path(s.screw, k);
      // The piece as a motion of its own, of a body that is not turned and at the origin when it begins.
      const double begin = static_cast<double>(k) / s.screw.pieces;
      const Frame before = pose_at(s.screw, begin).frame();
      const Frame after = pose_at(s.screw, begin + u / s.screw.pieces).frame();
      const Mat3 turn = after.basis * transpose(before.basis);
      const Frame moved{turn, after.origin - before.origin};
      const double w = path.weight(u);
      EXPECT_LE(distance(path.point(p).at(u) / w, moved.to_world(p)), 200 * epsilon);
      EXPECT_LE(distance(path.point_seen(q).at(u) / w, moved.to_local(q)), 200 * epsilon);
      EXPECT_LE(distance(path.direction(e).at(u) / w, turn * e), 200 * epsilon);
      EXPECT_LE(distance(path.moment(p, e).at(u) / w, cross(moved.to_world(p), turn * e)),
                800 * epsilon);
      // Between two times, no farther from the chord than the bulge.
      const double step = (1 - u) * source.uniform(0, 1);
      const double part = source.uniform(0, 1);
      const Vec3 line = lerp(path.point_at(p, u), path.point_at(p, u + step), part);
      EXPECT_LE(distance(path.point_at(p, u + step * part), line),
                path.bulge(p, step) + 100 * epsilon);
    }
  });
}

} // namespace
} // namespace carom
