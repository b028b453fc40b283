// Impacts of bodies along screws, against the distance at many times: where they overlap, the impact was not later; when it is, they are within the tolerance.
#include "carom/motion/screw_impact.h"

#include "carom/math/tolerance.h"
#include "carom/math/trig.h"
#include "carom/motion/time_of_impact.h"
#include "carom/query/distance.h"
#include "carom/verify/check_motion.h"
#include "tests/motion/polyhedral_cases.h"
#include "tests/support/generate_shape.h"
#include "tests/support/property.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

using test::Source;

/// As documented.
double tolerance_of(const Shape& a, const ScrewMotion& s, const Shape& b, const Pose& pose_b) {
  return 0x1p-40 * (2 * (a.size() + b.size()) + length(pose_b.position - s.start.position) +
                    length(s.translation)) +
         0x1p-49 * (max_abs(s.start.position) + max_abs(pose_b.position));
}

/// The answer by the distances at equally many times, at times chosen by bisection toward the first contact, and just before the impact.
void expect_right(const Shape& a, const ScrewMotion& s, const Shape& b, const Pose& pose_b,
                  const TimeOfImpact& i, int samples = 48) {
  ASSERT_NE(i.status, Status::bad_input);
  const auto apart = [&](double t) { return distance(a, pose_at(s, t), b, pose_b); };
  const double tolerance = tolerance_of(a, s, b, pose_b);
  ASSERT_GE(i.t, 0);
  ASSERT_LE(i.t, 1);
  if (i.hit && i.status == Status::ok) {
    // Places are rounded when they are measured, too.
    EXPECT_LE(apart(i.t).value, 1.01 * tolerance) << i.t;
  }
  if (i.initial_overlap) {
    EXPECT_EQ(i.t, 0);
    EXPECT_EQ(apart(0).value, 0);
    return;
  }
  const double end = i.hit ? i.t : 1;
  double clear = 0;
  for (int k = 0; k <= samples; ++k) {
    const double t = end * k / samples;
    if (i.hit && k == samples) break;
    const double d = apart(t).value;
    EXPECT_GT(d, 0) << "overlap at " << t << ", impact at " << (i.hit ? i.t : 2);
    clear = std::max(clear, t);
  }
  // Closer and closer to the impact.
  if (i.hit)
    for (int k = 0; k < 20; ++k) {
      const double t = i.t * (1 - std::ldexp(1.0, -6 - k));
      EXPECT_GT(apart(t).value, 0) << "overlap at " << t << ", impact at " << i.t;
    }
  if (i.hit && i.status == Status::ok) {
    EXPECT_NEAR(length(i.normal), 1, 1e-12);
    EXPECT_NEAR(distance(i.on_a, i.on_b), i.distance, tolerance);
    const Shape point = Shape::point({}).value();
    EXPECT_LE(distance(point, Pose::at(test::coordinates(i.on_a)), a, pose_at(s, i.t)).value,
              tolerance);
    EXPECT_LE(distance(point, Pose::at(test::coordinates(i.on_b)), b, pose_b).value, tolerance);
  }
}

Shape flat_faced(Source& source) {
  switch (source.index(6)) {
  case 0:
    return test::body_of(test::centred_box({0.5, 0.25, 1})).shape;
  case 1: {
    const Vec3 half = abs(test::vec3(source));
    return Shape::box(half).value();
  }
  case 2: {
    const Vec3 p = test::vec3(source);
    const Vec3 q = test::vec3(source);
    return Shape::segment(p, q).value();
  }
  case 3: {
    const Vec3 p = test::vec3(source);
    const Vec3 q = test::vec3(source);
    const Vec3 r = test::vec3(source);
    return Shape::triangle(p, q, r).value();
  }
  case 4: {
    std::vector<Vec3> points;
    const int count = 1 + source.index(16);
    for (int i = 0; i < count; ++i) points.push_back(test::vec3(source));
    return Shape::hull(points).value();
  }
  default:
    return test::random_body(source).shape;
  }
}

/// From one side of B to about the other, by angles that are hard on purpose.
ScrewMotion past(Source& source, const Pose& pose_b, double scale) {
  static constexpr double angles[] = {0, half_pi, pi, 0.3, 2.5, 1e-7};
  const Vec3 way = test::direction(source);
  const Vec3 off = test::vec3(source);
  const Quat before = test::rotation(source);
  const Vec3 axis = test::direction(source);
  const double angle = angles[source.index(6)];
  const bool lined_up = source.chance(2);
  const Vec3 from = pose_b.position + (normalized(way) * 3.5) * scale;
  const Vec3 to = pose_b.position + (normalized(way) * -1.5 + (lined_up ? Vec3{} : off)) * scale;
  return screw_between(
      {before, test::coordinates(from)},
      {Quat::from_axis_angle(axis, angle) * before, test::coordinates(to)});
}

TEST(ScrewImpact, AgreesWithDistances) {
  int hits = 0, wide = 0, asked = 0;
  test::for_each_seed(test::fewer_when_sanitized(4000), [&](Source& source) {
    const Shape a = flat_faced(source);
    const Shape b = flat_faced(source);
    const Pose pose_b = test::pose(source);
    const ScrewMotion s = past(source, pose_b, 1);
    const TimeOfImpact i = screw_impact(a, s, b, pose_b);
    expect_right(a, s, b, pose_b, i);
    ++asked;
    hits += i.hit;
    wide += i.status == Status::wide;
  });
  EXPECT_GT(hits, asked / 3);
  EXPECT_LT(hits, asked * 9 / 10);
  EXPECT_LE(wide, asked / 500);
}

} // namespace
} // namespace carom
