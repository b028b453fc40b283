// Nets of joints that cannot all be closed: they sit still under tension, whatever their joints ask for.
#include "tests/dynamics/any_joint.h"
#include "tests/dynamics/joint_scenes.h"

namespace carom::test {
namespace {

/// Random bodies and joints of all kinds, with numbers up to 3. Breaking would end the strain.
struct Net {
  World world;
  std::vector<BodyId> bodies;
  std::vector<JointId> joints;

  Net(std::uint64_t seed, int body_count, int joint_count) : world(plain()) {
    RandomSource source(seed);
    const auto number = [&] { return source.uniform(-3, 3); };
    AnyJoint any{source, number};
    const Shape shapes[] = {cube(0.3), ball(0.3),
                            Shape::capsule({0, 0, -0.3}, {0, 0, 0.3}, 0.2).value()};
    for (int i = 0; i < body_count; ++i) {
      const Pose pose = any.pose();
      const Vec3 v = any.pose().position;
      bodies.push_back(world
                           .add({.shape = shapes[source.index(3)],
                                 .pose = pose,
                                 .filter = {.mask = 0},
                                 .velocity = v,
                                 .angular_velocity = {v.y, v.z, v.x}})
                           .value());
    }
    for (int i = 0; i < joint_count; ++i) {
      const int b = source.index(body_count);
      const int a = source.index(body_count + 1);
      JointDef def =
          any.joint(a == b || a == body_count ? BodyId{} : bodies[static_cast<std::size_t>(a)],
                    bodies[static_cast<std::size_t>(b)]);
      def.break_force = def.break_torque = INFINITY;
      if (const auto id = world.add_joint(def)) joints.push_back(*id);
    }
  }
  /// Of any point of the bodies, about.
  [[nodiscard]] double greatest_speed() const {
    double most = 0;
    for (const BodyId id : bodies) {
      const BodyInfo b = *world.body(id);
      most = std::max({most, length(b.velocity), 0.5 * length(b.angular_velocity)});
    }
    return most;
  }
};

/// Springs of 9 Hz drawn out by metres, motors and falls of bodies make some 100 metres a second; what nets made of nothing were thousands within a second, and no numbers at last.
TEST(JointNet, AnyNetStaysWithinBounds) {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Net net(seed, 1 + static_cast<int>(seed % 4), 1 + static_cast<int>(seed % 7));
    for (int i = 0; i < 180; ++i) {
      net.world.step(frame);
      ASSERT_TRUE(net.world.events().frozen.empty()) << "seed " << seed << " step " << i;
      ASSERT_LT(net.greatest_speed(), 400) << "seed " << seed << " step " << i;
      for (const JointId id : net.joints) {
        ASSERT_LT(length(net.world.joint(id)->force), 1e10) << "seed " << seed << " step " << i;
        ASSERT_LT(length(net.world.joint(id)->torque), 1e11) << "seed " << seed << " step " << i;
      }
    }
  }
}

/// Rods that are too short for what they span: no motor, no spring, so there is nothing that could keep them going.
TEST(JointNet, RodsThatCannotReachSitStill) {
  World world(plain());
  const BodyId a = world.add({.shape = cube(0.3), .pose = Pose::at({-1, 0, 0})}).value();
  const BodyId b = world.add({.shape = cube(0.3), .pose = Pose::at({1, 0, 0.2})}).value();
  const auto rod = [&](BodyId from, BodyId to, const Vec3& at, const Vec3& eye, double length) {
    return world
        .add_joint({.a = from,
                    .b = to,
                    .frame = Pose::at(at),
                    .frame_b = Pose::at(eye),
                    .local = true,
                    .kind = DistanceJoint{.range = JointRange{length, length}}})
        .value();
  };
  const JointId left = rod({}, a, {-3, 0, 0}, {-0.3, 0.1, 0}, 0.5),
                middle = rod(a, b, {0.3, 0, 0}, {-0.3, 0, 0.2}, 0.5),
                right = rod({}, b, {3, 0, 0}, {0.3, 0, -0.1}, 0.5);
  (void)world.add_joint({.a = a, .b = b, .frame = Pose::at({0, 0, 2}), .kind = FixedJoint{}});
  for (int i = 0; i < 300; ++i) {
    world.step(frame);
    for (const BodyId id : {a, b}) ASSERT_LT(length(velocity(world, id)), 20) << i;
  }
  const BodyId both[] = {a, b};
  const std::vector<Vec3> there = positions(world, both);
  run(world, 5);
  EXPECT_LT(drift(world, both, there), 0.15); // what pushes at each other wobbles by centimetres
  for (const BodyId id : both) {
    EXPECT_LT(length(velocity(world, id)), 0.5);
    EXPECT_LT(length(world.body(id)->angular_velocity), 1);
  }
  for (const JointId id : {left, middle, right}) {
    EXPECT_GT(length(world.joint(id)->force), 1e4); // strained
    EXPECT_LT(length(world.joint(id)->force), 1e9);
  }
}

/// What hangs on nothing keeps its momentum, strained or not.
TEST(JointNet, AStrainedNetKeepsItsMomentum) {
  World world(plain({}));
  std::vector<BodyId> ids;
  for (int i = 0; i < 3; ++i)
    ids.push_back(world
                      .add({.shape = cube(0.3),
                            .pose = Pose::at({1.0 * i, 0.2 * i, 0}),
                            .velocity = {1, 0.5 * i, 0},
                            .angular_velocity = {0, 0, 1}})
                      .value());
  const auto join = [&](int a, int b, double length) {
    ASSERT_TRUE(world.add_joint({.a = ids[static_cast<std::size_t>(a)],
                                 .b = ids[static_cast<std::size_t>(b)],
                                 .local = true,
                                 .kind = DistanceJoint{.range = JointRange{length, length}}}));
  };
  join(0, 1, 1);
  join(1, 2, 1);
  join(2, 0, 5); // a triangle that there is not
  const auto momentum = [&] {
    Vec3 linear{}, angular{};
    for (const BodyId id : ids) {
      const BodyInfo b = *world.body(id);
      linear += b.velocity * b.mass;
      angular += cross(b.center, b.velocity) * b.mass + spin_momentum(b);
    }
    return std::pair(linear, angular);
  };
  const auto [linear, angular] = momentum();
  run(world, 5);
  const auto [after, turned] = momentum();
  EXPECT_LT(distance(after, linear), 1e-3 * length(linear));
  EXPECT_LT(distance(turned, angular), 0.02 * length(angular));
}

/// Both ends of the world: the joint's place in its body's frame is farther out than any body may be. The snapshot was refused.
TEST(JointNet, AFarJointIsRestored) {
  World world(plain({}));
  const BodyId a = world.add({.shape = cube(), .pose = Pose::at({-9e11, 0, 0})}).value();
  ASSERT_TRUE(world.add_joint({.b = a, .frame = Pose::at({9e11, 9e11, 0}), .kind = BallJoint{}}));
  EXPECT_TRUE(world.restore(world.snapshot()));
}

/// Forces that drive bodies beyond all bounds: no number is lost, the world restores its own snapshot, and goes on when the bodies are put somewhere.
TEST(JointNet, AWorldRecoversFromWhatWasFrozen) {
  Net net(7, 3, 5);
  run(net.world, 0.2);
  for (const BodyId id : net.bodies) ASSERT_TRUE(net.world.set_velocity(id, {9e7, -9e7, 3e7}, {}));
  for (int i = 0; i < 20; ++i) {
    for (const BodyId id : net.bodies)
      ASSERT_TRUE(net.world.add_force(id, {1e25, 0, 1e20}, {0, 1, 0}));
    net.world.step(frame);
    for (const JointId id : net.joints) {
      const JointInfo j = *net.world.joint(id);
      ASSERT_TRUE(is_finite(j.force) && is_finite(j.torque));
      for (const double x : j.at) ASSERT_TRUE(std::isfinite(x));
    }
    World twin = net.world;
    ASSERT_TRUE(twin.restore(net.world.snapshot()));
    EXPECT_TRUE(twin.snapshot() == net.world.snapshot());
  }
  EXPECT_TRUE(net.world.body(net.bodies[0])->frozen);
  int k = 0;
  for (const BodyId id : net.bodies) {
    ASSERT_TRUE(net.world.set_pose(id, Pose::at({0, 0, 2.0 * k++})));
    ASSERT_TRUE(net.world.set_velocity(id, {}, {}));
  }
  for (int i = 0; i < 60; ++i) {
    net.world.step(frame);
    ASSERT_TRUE(net.world.events().frozen.empty());
    ASSERT_LT(net.greatest_speed(), 400);
  }
}

} // namespace
} // namespace carom::test
