// Impacts of bodies along screws, against the distance at many times: where they overlap, the impact was not later; when it is, they are within the tolerance.
#include "carom/motion/screw_impact.h"

#include "carom/math/tolerance.h"
#include "carom/math/trig.h"
#include "carom/motion/time_of_impact.h"
#include "carom/query/distance.h"
#include "carom/shape/compound.h"
#include "carom/verify/check_motion.h"
#include "tests/motion/polyhedral_cases.h"
#include "tests/support/generate_shape.h"
#include "tests/support/property.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

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
  return screw_between({before, test::coordinates(from)},
                       {Quat::from_axis_angle(axis, angle) * before, test::coordinates(to)});
}

/// CAROM_PAIRS says how many.
std::uint64_t many(std::uint64_t usually) {
  const char* text = std::getenv("CAROM_PAIRS");
  return text ? std::strtoull(text, nullptr, 10) : test::fewer_when_sanitized(usually);
}

TEST(ScrewImpact, AgreesWithDistances) {
  int hits = 0, wide = 0, asked = 0;
  test::for_each_seed(many(500), [&](Source& source) {
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
  EXPECT_EQ(wide, 0);
}

/// Tiny, huge, far from the origin.
TEST(ScrewImpact, AtAllScalesAndPlaces) {
  int hits = 0;
  test::for_each_seed(many(300), [&](Source& source) {
    static constexpr double scales[] = {1, 1e-12, 1e12, 1e-17, 1e22};
    static constexpr double places[] = {0, 1e3, 1e6};
    const double scale = scales[source.index(5)];
    const double place = scale * places[source.index(3)];
    const Result<Shape> scaled_a = flat_faced(source).scaled({scale, scale, scale});
    const Result<Shape> scaled_b = flat_faced(source).scaled({scale, scale, scale});
    if (!scaled_a || !scaled_b) return; // a coordinate below 1e-30
    const Shape &a = *scaled_a, &b = *scaled_b;
    Pose pose_b = test::pose(source);
    const Vec3 off = test::direction(source);
    pose_b.position = test::coordinates(pose_b.position * scale + off * place);
    const ScrewMotion s = past(source, pose_b, scale);
    const TimeOfImpact i = screw_impact(a, s, b, pose_b);
    expect_right(a, s, b, pose_b, i, 16);
    hits += i.hit;
  });
  EXPECT_GT(hits, 20);
}

/// Boxes on a grid, along the axes and by quarter turns: parallel edges, coplanar faces, corners that meet corners. Nothing is rounded at the start, so that touching is exact.
TEST(ScrewImpact, LinedUpBoxes) {
  int hits = 0, starts = 0;
  test::for_each_seed(many(1500), [&](Source& source) {
    const auto whole = [&](int most) { return static_cast<double>(source.index(most)); };
    const auto grid = [&] {
      const double x = whole(7) - 3;
      const double y = whole(7) - 3;
      const double z = whole(7) - 3;
      return Vec3{x, y, z};
    };
    const Shape a = Shape::box((abs(grid()) + Vec3{1, 0, 1}) * 0.5).value();
    const Shape b = Shape::box((abs(grid()) + Vec3{1, 1, 0}) * 0.5).value();
    const Vec3 axis = unit_axis(source.index(3));
    const double quarters = whole(3);
    const Vec3 from = grid() + Vec3{4, 0, 0};
    const Vec3 to = grid();
    const ScrewMotion s =
        screw_between(Pose::at(from), {Quat::from_axis_angle(axis, quarters * half_pi), to});
    const TimeOfImpact i = screw_impact(a, s, b, Pose::identity());
    EXPECT_EQ(i.status, Status::ok);
    expect_right(a, s, b, Pose::identity(), i, 24);
    hits += i.hit;
    starts += i.initial_overlap;
  });
  EXPECT_GT(hits, 100);
  EXPECT_GT(starts, 10);
}

/// Where the path is that of a Motion, and only the pace another.
TEST(ScrewImpact, AgreesWithTimeOfImpactWhereThePathIsTheSame) {
  int both = 0;
  test::for_each_seed(many(400), [&](Source& source) {
    const Shape a = flat_faced(source);
    const Shape b = flat_faced(source);
    const Pose pose_b = test::pose(source);
    const ScrewMotion any = past(source, pose_b, 1);
    const bool straight = source.chance(2);
    const Vec3 near = test::vec3(source);
    const Vec3 axis = test::direction(source);
    static constexpr double angles[] = {half_pi, pi, -1, 2.5, 1e-3};
    const double angle = angles[source.index(5)];
    const Vec3 point = any.start.position + near * 2;
    const ScrewMotion s =
        straight
            ? screw_between(any.start, {any.start.rotation, any.start.position + any.translation})
            : ScrewMotion::about(any.start, point, axis, angle, 0);
    const Motion m = straight ? Motion::translation_by(any.start, s.translation)
                              : Motion::rotation_about(any.start, point, axis, angle);
    const Motion rest = Motion::rest(pose_b);
    const TimeOfImpact c = screw_impact(a, s, b, pose_b);
    const TimeOfImpact d = time_of_impact(a, m, b, rest);
    if (c.initial_overlap || d.initial_overlap) {
      EXPECT_EQ(c.initial_overlap, d.initial_overlap);
      EXPECT_NEAR(c.distance, d.distance, 1e-12 * 8);
      return;
    }
    // The share of the angle behind at time t.
    const auto share = [&](double t) {
      if (straight) return t;
      const double half = std::fabs(angle) / 2, u = t * s.pieces;
      const double whole = s.pieces == 2 && u >= 1 ? 1 : 0;
      return (whole + std::atan((u - whole) * std::tan(half / s.pieces)) / (half / s.pieces)) /
             s.pieces;
    };
    // Advancement stops a little earlier, and at things that only come near.
    const double error = 1e-9 * (a.size() + b.size());
    if (c.hit) {
      ASSERT_TRUE(d.hit);
      EXPECT_LE(d.t, share(c.t) + 1e-12);
      TimeOfImpact mapped = c;
      mapped.t = std::min(share(c.t), 1.0);
      mapped.separating = dot(c.normal, velocity_at(m, mapped.t, c.on_a)) <= 0;
      const double tolerance = 2 * tolerance_of(a, s, b, pose_b);
      const verify::Verdict good =
          verify::check_impact(a, m, b, rest, mapped, 0, tolerance, 1, 8, tolerance);
      EXPECT_TRUE(good.ok) << good.why;
      const double rate = dot(c.normal, velocity_at(m, mapped.t, c.on_a));
      if (rate > 0.1) {
        EXPECT_LE(share(c.t) - d.t, 4 * error / rate);
      }
      ++both;
    } else if (d.hit) {
      EXPECT_GT(distance(a, pose_at(m, d.t), b, pose_b).value, 0);
    }
  });
  EXPECT_GT(both, 20);
}

/// A corner on a circle of radius 5, and a plate that is touched at one point of it.
TEST(ScrewImpact, GrazingACircle) {
  const Shape bar = Shape::segment({0, 0, 0}, {3, -4, 0}).value();
  const Shape plate = Shape::triangle({0, -5, -5}, {0, 5, -5}, {0, 0, 9}).value();
  const ScrewMotion s = ScrewMotion::about(Pose::identity(), {}, {0, 0, 1}, half_pi, 0);
  // It is there when the angle is atan(4 / 3), of which half has the tangent 1 / 2.
  const TimeOfImpact touch = screw_impact(bar, s, plate, Pose::at({5, 0, 0}));
  ASSERT_TRUE(touch.hit);
  EXPECT_NEAR(touch.t, 0.5, 1e-5); // it nears the plate with the square of the time: 1e-12 is 1e-6
  EXPECT_LE(distance(touch.on_b, {5, 0, 0}), 1e-4);
  EXPECT_GT(std::fabs(touch.normal.x), 0.999);
  EXPECT_FALSE(screw_impact(bar, s, plate, Pose::at({5 + 1e-9, 0, 0})).hit);
  const TimeOfImpact cuts = screw_impact(bar, s, plate, Pose::at({5 - 1e-9, 0, 0}));
  ASSERT_TRUE(cuts.hit);
  EXPECT_LT(cuts.t, 0.5);
  EXPECT_GT(cuts.t, 0.4999);
}

/// Nuts and bolts: the cubic's own terms. The tip of a hand that turns about z and rises by 1 meets a beam across at the height that it has then.
TEST(ScrewImpact, CrossesABeamOnAScrew) {
  const Shape hand = Shape::segment({1, 0, 0}, {2, 0, 0}).value();
  const Shape beam = Shape::segment({-3, 3, 0.5}, {3, 0, 0.5}).value();
  const ScrewMotion s = ScrewMotion::about(Pose::identity(), {}, {0, 0, 1}, half_pi, 1);
  const TimeOfImpact i = screw_impact(hand, s, beam, Pose::identity());
  ASSERT_TRUE(i.hit);
  EXPECT_NEAR(i.t, 0.5, 1e-11);
  EXPECT_NEAR(i.on_a.z, 0.5, 1e-11);
  // At tan(angle / 2) = 1 / 2 it points to (3, 4) / 5; the beam is y = (3 - x) / 2 there.
  EXPECT_NEAR(i.on_a.y / i.on_a.x, 4.0 / 3, 1e-10);
  EXPECT_GT(i.normal.z, 0.5);
  EXPECT_FALSE(i.separating);
  const Shape higher = Shape::segment({-3, 3, 1.001}, {3, 0, 1.001}).value();
  EXPECT_FALSE(screw_impact(hand, s, higher, Pose::identity()).hit);
}

TEST(ScrewImpact, HalfATurnThroughAThinPlate) {
  const Shape bar = Shape::box({2, 0.01, 0.01}).value();
  const Shape plate = Shape::box({0.3, 1e-9, 1}).value();
  // From where it points to -x to where it points to x; the plate stands at (0, 1.5), edge on.
  const Pose from = Pose::at({0, 0, 0}), to{Quat{0, 0, 1, 0}, {0, 0, 0}};
  const TimeOfImpact i = screw_impact(bar, screw_between(from, to), plate, Pose::at({0, 1.5, 0}));
  ASSERT_TRUE(i.hit);
  EXPECT_GT(i.t, 0.2);
  EXPECT_LT(i.t, 0.5);
}

TEST(ScrewImpact, TouchingAtTheStart) {
  const Shape box = Shape::box({1, 1, 1}).value();
  for (const double way : {1.0, -1.0}) {
    const ScrewMotion s =
        screw_between(Pose::at({2, 0, 0}), {Quat::from_axis_angle({1, 0, 0}, 1), {2 + way, 0, 0}});
    const TimeOfImpact i = screw_impact(box, s, box, Pose::identity());
    EXPECT_TRUE(i.initial_overlap);
    EXPECT_EQ(i.t, 0);
    EXPECT_EQ(i.separating, way > 0);
  }
  const TimeOfImpact deep =
      screw_impact(box, screw_between(Pose::at({1e6 + 1.5, 0, 0}), Pose::at({1e6 + 9, 0, 0})), box,
                   Pose::at({1e6, 0, 0}));
  EXPECT_TRUE(deep.initial_overlap);
  EXPECT_NEAR(deep.distance, -0.5, 1e-9);
  EXPECT_NEAR(deep.on_a.x, 1e6, 2);
}

TEST(ScrewImpact, BothMove) {
  int hits = 0;
  test::for_each_seed(many(200), [&](Source& source) {
    const Shape a = flat_faced(source);
    const Shape b = flat_faced(source);
    const Pose from_b = test::pose(source);
    const Pose to_b = test::pose(source);
    const ScrewMotion any = past(source, from_b, 1);
    const Pose from_a = any.start;
    const Pose to_a = test::pose(source);
    const TimeOfImpact i = screw_impact(a, from_a, to_a, b, from_b, to_b);
    // The same seen from B.
    const ScrewMotion seen = screw_between(inverse(from_b) * from_a, inverse(to_b) * to_a);
    TimeOfImpact local = i;
    const Frame then = pose_at(screw_between(from_b, to_b), i.t).frame();
    local.on_a = then.to_local(i.on_a);
    local.on_b = then.to_local(i.on_b);
    expect_right(a, seen, b, Pose::identity(), local, 16);
    hits += i.hit;
  });
  EXPECT_GT(hits, static_cast<int>(many(200)) / 5);
}

TEST(ScrewImpact, MeshesAndCompounds) {
  int hits = 0;
  const Shape torus = Shape::mesh(test::torus_mesh(12, 8)).value();
  const Shape rod = Shape::box({0.1, 0.1, 4}).value();
  const Shape tool = Shape::compound(std::array{
                                         CompoundPart{rod, Pose::identity()},
                                         CompoundPart{torus, Pose::at({0, 0, 5})},
                                     })
                         .value();
  test::for_each_seed(many(40), [&](Source& source) {
    const Shape& a = source.chance(2) ? torus : tool;
    const Shape& b = source.chance(2) ? torus : rod;
    const Pose pose_b = test::pose(source);
    const ScrewMotion s = past(source, pose_b, 3);
    const TimeOfImpact i = screw_impact(a, s, b, pose_b);
    expect_right(a, s, b, pose_b, i, 16);
    if (i.hit && !i.initial_overlap && b == torus) {
      EXPECT_LT(i.part_b.element, 2U * 12 * 8);
    }
    hits += i.hit;
  });
  EXPECT_GT(hits, static_cast<int>(many(40)) / 5);
}

TEST(ScrewImpact, RefusesWhatItCannotDo) {
  const Shape box = Shape::box({1, 1, 1}).value();
  const Pose far = Pose::at({5, 0, 0});
  const ScrewMotion s = screw_between(far, Pose::identity());
  const Shape others[] = {Shape::sphere(1).value(), box.rounded(0.1).value(),
                          Shape::half_space({0, 0, 1}, 0).value(), Shape::cylinder(1, 1).value()};
  for (const Shape& other : others) {
    EXPECT_EQ(screw_impact(other, s, box, {}).status, Status::bad_input);
    EXPECT_EQ(screw_impact(box, s, other, {}).status, Status::bad_input);
  }
  EXPECT_EQ(screw_impact(box, screw_between(far, Pose::at({NAN, 0, 0})), box, {}).status,
            Status::bad_input);
  EXPECT_EQ(screw_impact(box, s, box, Pose::at({INFINITY, 0, 0})).status, Status::bad_input);
  EXPECT_EQ(screw_impact(box, far, Pose::at({NAN, 0, 0}), box, {}, {}).status, Status::bad_input);
}

} // namespace
} // namespace carom
