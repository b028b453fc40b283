// Contacts of balls and capsules that roll: carried along, they are what they would be if they were made anew.
#include "tests/dynamics/scenes.h"

#include "carom/dynamics/round_points.h"
#include "carom/math/random.h"

namespace carom::test {
namespace {

Frame random_frame(Random& random) {
  return {to_matrix(random.rotation()), random.in_box({3, 3, 3})};
}
Frame moved(Random& random, const Frame& from, double way, double angle) {
  const Vec3 axis = random.direction();
  const Quat turn = Quat::from_axis_angle(axis, angle * random.uniform());
  return {to_matrix(turn) * from.basis, from.origin + random.in_box({way, way, way})};
}

/// A manifold between points of two cores, which are given in the world.
Manifold made_at(const Frame& a, const Frame& b, const Vec3& n, double radius_a, double radius_b,
                 std::span<const std::pair<Vec3, Vec3>> cores) {
  Manifold m;
  m.normal = a.direction_to_local(n);
  for (const auto& [on_a, on_b] : cores) {
    PairPoint& p = m.points[static_cast<std::size_t>(m.count++)];
    p.on_a = a.to_local(on_a + n * radius_a);
    p.on_b = b.to_local(on_b - n * radius_b);
    p.impulse = static_cast<float>(m.count);
  }
  return m;
}

struct Placed {
  Vec3 on_a, on_b, normal; ///< in the world
};
Placed placed(const Frame& a, const Frame& b, const Manifold& m, std::size_t i) {
  return {a.to_world(m.points[i].on_a), b.to_world(m.points[i].on_b),
          a.direction_to_world(m.normal)};
}

/// A segment with a radius over a plane: its ends are measured from the plane exactly, wherever both have gone, and whichever of them is A.
TEST(RoundPoints, OfACapsuleOnAFaceAreExact) {
  Random random(7);
  for (int i = 0; i < 200; ++i) {
    const bool round_is_a = i % 2 == 0;
    const double radius = 0.05 + 0.4 * random.uniform();
    Frame plane = random_frame(random), capsule = random_frame(random);
    const Vec3 normal = random.direction(); // of the face, in the frame of what it belongs to
    const double offset = random.uniform();
    Vec3 ends[2] = {random.in_box({1, 1, 1}), random.in_box({1, 1, 1})}; // in the capsule's frame
    // Along the face's normal, in the world.
    const auto up = [&] { return plane.direction_to_world(normal); };
    const auto foot = [&](const Vec3& p) {
      return p - up() * (dot(up(), p - plane.origin) - offset);
    };
    std::vector<std::pair<Vec3, Vec3>> cores;
    for (const Vec3& end : ends) {
      const Vec3 p = capsule.to_world(end);
      cores.push_back(round_is_a ? std::pair(p, foot(p)) : std::pair(foot(p), p));
    }
    const auto at = [&] {
      return RoundContact{round_is_a ? capsule : plane, round_is_a ? plane : capsule,
                          Mat3::identity(), round_is_a ? radius : 0, round_is_a ? 0 : radius};
    };
    Manifold m =
        made_at(at().a, at().b, round_is_a ? -up() : up(), at().radius_a, at().radius_b, cores);
    for (int step = 0; step < 5; ++step) {
      const Mat3 before = transpose(at().a.basis) * at().b.basis;
      plane = moved(random, plane, 0.1, 0.3);
      capsule = moved(random, capsule, 0.1, 0.3);
      RoundContact now = at();
      now.b_in_a = before;
      place_round_points(now, m);
      for (std::size_t k = 0; k < 2; ++k) {
        const Vec3 p = capsule.to_world(ends[k]);
        const Placed found = placed(now.a, now.b, m, k);
        const Vec3 &round = round_is_a ? found.on_a : found.on_b,
                   &flat = round_is_a ? found.on_b : found.on_a;
        EXPECT_LT(distance(found.normal, round_is_a ? -up() : up()), 1e-12);
        EXPECT_LT(distance(round, p - up() * radius), 1e-12);
        EXPECT_LT(distance(flat, foot(p)), 1e-12);
        EXPECT_EQ(m.points[k].impulse, static_cast<float>(k + 1));
      }
    }
  }
}

/// Two balls: along the line of their centres.
TEST(RoundPoints, OfTwoBallsAreExact) {
  Random random(8);
  for (int i = 0; i < 200; ++i) {
    const double radius_a = 0.1 + random.uniform(), radius_b = 0.1 + random.uniform();
    Frame a = random_frame(random), b = a;
    b.basis = to_matrix(random.rotation());
    const Vec3 n = random.direction(), in_a = random.in_box({1, 1, 1});
    const Vec3 center_a = a.to_world(in_a), center_b = center_a + n * (radius_a + radius_b);
    const Vec3 in_b = b.to_local(center_b);
    const std::pair<Vec3, Vec3> cores[1] = {{center_a, center_b}};
    Manifold m = made_at(a, b, n, radius_a, radius_b, cores);
    for (int step = 0; step < 5; ++step) {
      const Mat3 before = transpose(a.basis) * b.basis;
      a = moved(random, a, 0.01, 0.01);
      b = moved(random, b, 0.01, 0.01);
      place_round_points({a, b, before, radius_a, radius_b}, m);
      const Placed found = placed(a, b, m, 0);
      const Vec3 way = normalized(b.to_world(in_b) - a.to_world(in_a));
      EXPECT_LT(distance(found.normal, way), 1e-12);
      EXPECT_LT(distance(found.on_a, a.to_world(in_a) + way * radius_a), 1e-12);
      EXPECT_LT(distance(found.on_b, b.to_world(in_b) - way * radius_b), 1e-12);
    }
  }
}

/// What rolls slowly rolls on: 0.8 mm a step, so that its contact is carried along and made anew by turns.
void expect_rolling_on(const Shape& shape, double radius, bool floor_first) {
  SCOPED_TRACE(std::string(name_of(shape.kind())) + (floor_first ? ", floor first" : ""));
  World world(plain());
  if (floor_first) add_floor(world, {.friction = 0.8});
  const double speed = 0.05;
  const BodyId id = world
                        .add({.shape = shape,
                              .pose = Pose::at({0, 0, radius}),
                              .material = {.friction = 0.8},
                              .velocity = {speed, 0, 0},
                              .angular_velocity = {0, speed / radius, 0}})
                        .value();
  if (!floor_first) add_floor(world, {.friction = 0.8});
  run(world, 1);
  const double height = position(world, id).z;
  for (int i = 0; i < 300; ++i) {
    world.step(frame);
    ASSERT_NEAR(velocity(world, id).x, speed, 0.01 * speed) << "step " << i;
    ASSERT_NEAR(position(world, id).z, height, 1e-5) << "step " << i;
  }
}

TEST(RoundPoints, WhatRollsSlowlyRollsOn) {
  for (const bool floor_first : {true, false}) {
    expect_rolling_on(ball(0.3), 0.3, floor_first);
    expect_rolling_on(Shape::capsule({0, -0.2, 0}, {0, 0.2, 0}, 0.1).value(), 0.1, floor_first);
  }
}

/// A ball that creeps over a corner: its contact is nowhere far from the true one.
TEST(RoundPoints, ABallGoesAroundACorner) {
  World world(plain());
  world
      .add({.shape = Shape::box({1, 1, 0.5}).value(),
            .pose = Pose::at({0, 0, -0.5}),
            .kind = BodyKind::fixed,
            .material = {.friction = 0.8}})
      .value();
  const double radius = 0.2;
  const BodyId id = world
                        .add({.shape = ball(radius),
                              .pose = Pose::at({0.98, 0, radius}),
                              .material = {.friction = 0.8},
                              .velocity = {0.05, 0, 0},
                              .angular_velocity = {0, 0.05 / radius, 0}})
                        .value();
  int around = 0;
  for (int i = 0; i < 120; ++i) {
    world.step(frame);
    const Vec3 p = position(world, id);
    if (p.x < 1.0 || p.x - 1.0 > 0.5 * radius) continue;
    ++around;
    ASSERT_NEAR(length(Vec3{p.x - 1, 0, p.z}), radius, 1e-3) << "step " << i;
  }
  EXPECT_GT(around, 20);
}

} // namespace
} // namespace carom::test
