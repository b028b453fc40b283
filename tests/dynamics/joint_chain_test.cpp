// Many joints together: chains with heavy loads, loops, and what is conserved.
#include "tests/dynamics/joint_scenes.h"

#include "carom/math/random.h"

namespace carom::test {
namespace {

struct Chain {
  World world{plain()};
  std::vector<BodyId> bodies;
  std::vector<JointId> joints;
};

/// Links of 0.2 m from `start` along `way`, the last of which is a ball `ratio` times as heavy.
Chain chain(int links, double ratio, const Vec3& way, const JointKind& kind = BallJoint{},
            bool hung = true, const Vec3& start = {}, const Filter& filter = {}) {
  Chain c;
  const Shape link = Shape::capsule({0, 0, -0.07}, {0, 0, 0.07}, 0.03).value();
  const Quat turn = Quat::from_axis_angle(cross(Vec3{0, 0, 1}, way), std::acos(way.z));
  for (int i = 0; i <= links; ++i) {
    const bool load = i == links;
    const Vec3 at = start + way * (0.2 * i + (load ? 0.25 : 0.1));
    BodyDef def{.shape = load ? ball(0.25) : link, .pose = {turn, at}, .filter = filter};
    if (load) {
      const double mass = c.world.body(c.bodies[0])->mass * ratio;
      def.mass =
          BodyMass{.mass = mass, .inertia = Mat3::diagonal({1, 1, 1}) * (0.4 * mass * 0.0625)};
    }
    c.bodies.push_back(c.world.add(def).value());
    if (i == 0 && !hung) continue;
    JointDef joint{.b = c.bodies.back(), .frame = {turn, start + way * (0.2 * i)}, .kind = kind};
    if (i > 0) joint.a = c.bodies[c.bodies.size() - 2];
    c.joints.push_back(c.world.add_joint(joint).value());
  }
  return c;
}

double worst(const Chain& c) {
  double most = 0;
  for (const JointId id : c.joints) most = std::max(most, separation(c.world, id));
  return most;
}

/// A chain, three links of it with a limb each: hung at `at`, pushed by `push`.
std::vector<BodyId> add_tree(World& world, const Vec3& at, double push, int limbs) {
  std::vector<BodyId> bodies;
  const Shape link = Shape::box({0.05, 0.04, 0.09}).value();
  const auto hang = [&](const Vec3& from, std::optional<BodyId> on, const JointKind& kind) {
    const BodyId body = world
                            .add({.shape = link,
                                  .pose = Pose::at(from - Vec3{0, 0, 0.1}),
                                  .filter = {.mask = 0},
                                  .velocity = {push, 0.3 * push, 0}})
                            .value();
    JointDef def{.b = body, .frame = Pose::at(from), .kind = kind};
    if (on) def.a = *on;
    static_cast<void>(world.add_joint(def).value());
    bodies.push_back(body);
    return body;
  };
  std::optional<BodyId> last;
  for (int i = 0; i < 4; ++i) {
    const Vec3 from = at - Vec3{0, 0, 0.2 * i};
    last = hang(from, last, i % 2 == 0 ? JointKind{BallJoint{}} : JointKind{HingeJoint{}});
    if (i < limbs) hang(from - Vec3{0, 0, 0.1}, last, BallJoint{});
  }
  return bodies;
}

/// Trees of one form share their lanes (joint_forest.h), with some idle. Each moves as it does alone.
TEST(JointChain, ManyOfOneFormMoveAsEachAlone) {
  const auto place = [](int i) { return Vec3{2.0 * i, 0, 0}; };
  const auto push = [](int i) { return 0.5 + 0.25 * i; };
  for (const int limbs : {0, 1, 3})
    for (const int count : {6, 8, 11}) {
      World together{plain()};
      std::vector<std::vector<BodyId>> trees;
      for (int i = 0; i < count; ++i) trees.push_back(add_tree(together, place(i), push(i), limbs));
      for (int s = 0; s < 60; ++s) together.step(1.0 / 60);
      for (int i = 0; i < count; ++i) {
        World alone{plain()};
        const std::vector<BodyId> bodies = add_tree(alone, place(i), push(i), limbs);
        for (int s = 0; s < 60; ++s) alone.step(1.0 / 60);
        for (std::size_t k = 0; k < bodies.size(); ++k) {
          const Vec3 a = alone.pose(bodies[k])->position,
                     b = together.pose(trees[static_cast<std::size_t>(i)][k])->position;
          // Masses of several limbs are added up in another order.
          EXPECT_LE(distance(a, b), limbs == 0 ? 0.0 : 1e-4) << limbs << ' ' << count << ' ' << i;
          EXPECT_GT(distance(a, place(i) - Vec3{0, 0, 0.1}), 0.01);
        }
      }
    }
}

/// Ten links of 0.2 m: 2 m. Hanging straight down with the load 1000 times as heavy as a link.
TEST(JointChain, AThousandTimesTheMassDoesNotStretchIt) {
  for (const double ratio : {1.0, 100.0, 1000.0, 1e5}) {
    Chain c = chain(10, ratio, {0, 0, -1});
    double lowest = 0;
    for (int i = 0; i < 300; ++i) {
      c.world.step(frame);
      lowest = std::min(lowest, position(c.world, c.bodies.back()).z);
    }
    EXPECT_GT(lowest, -2.25 - 0.002 * 2.25) << ratio;
    const double weight = c.world.body(c.bodies.back())->mass * gravity;
    const double above = weight + 10 * c.world.body(c.bodies[0])->mass * gravity;
    EXPECT_NEAR(c.world.joint(c.joints[0])->force.z, above, 0.005 * above) << ratio;
    EXPECT_NEAR(c.world.joint(c.joints.back())->force.z, weight, 0.005 * weight) << ratio;
  }
}

/// Let go from the side it swings as a whip does; joints stay closed.
TEST(JointChain, AThousandTimesTheMassSwings) {
  for (const JointKind& kind : {JointKind{BallJoint{}}, JointKind{FixedJoint{}}}) {
    Chain c = chain(10, 1000, {1, 0, 0}, kind);
    double most = 0;
    double before = 0, now = 0, least = INFINITY;
    for (const BodyId id : c.bodies) before += total_energy(c.world, {id});
    for (int i = 0; i < 600; ++i) {
      c.world.step(frame);
      most = std::max(most, worst(c));
      now = 0;
      for (const BodyId id : c.bodies) now += total_energy(c.world, {id});
      least = std::min(least, now);
      const double scale = 2 * c.world.body(c.bodies.back())->mass * gravity;
      ASSERT_LT(now, before + 0.02 * scale) << i << ' ' << kind.index();
    }
    EXPECT_LT(most, 0.02 * 2.25) << kind.index(); // two percent of the chain
  }
}

TEST(JointChain, ALongOneHangs) {
  Chain c = chain(100, 50, {0.6, 0, -0.8});
  for (int i = 0; i < 300; ++i) {
    c.world.step(frame);
    ASSERT_LT(worst(c), 0.01) << i;
  }
}

/// Between two walls: a loop through the ground. It sags in a V, with a load twenty times as heavy as a plank hung in its middle.
TEST(JointChain, ABridgeBearsALoad) {
  World world(plain());
  const Shape plank = Shape::box({0.19, 0.5, 0.05}).value();
  const Quat across = Quat::from_axis_angle({0, 0, 1}, M_PI / 2);
  const double slope = 0.3;
  const int count = 16;
  std::vector<BodyId> planks;
  std::vector<JointId> joints;
  Vec3 end{};
  for (int i = 0; i < count; ++i) {
    const double down = i < count / 2 ? slope : -slope;
    const Vec3 way{std::cos(down), 0, -std::sin(down)};
    planks.push_back(world
                         .add({.shape = plank,
                               .pose = {Quat::from_axis_angle({0, 1, 0}, down), end + way * 0.2},
                               .linear_damping = 0.5,
                               .angular_damping = 0.5})
                         .value());
    JointDef def{.b = planks.back(), .frame = {across, end}, .kind = HingeJoint{}};
    if (i > 0) def.a = planks[planks.size() - 2];
    joints.push_back(world.add_joint(def).value());
    end = end + way * 0.4;
  }
  joints.push_back(
      world.add_joint({.b = planks.back(), .frame = {across, end}, .kind = HingeJoint{}}).value());
  const double mass = world.body(planks[0])->mass * 20;
  const Vec3 middle = position(world, planks[count / 2]);
  const BodyId load =
      world
          .add({.shape = ball(0.3),
                .pose = Pose::at(middle - Vec3{0, 0, 1}),
                .linear_damping = 0.5,
                .angular_damping = 0.5,
                .mass =
                    BodyMass{.mass = mass, .inertia = Mat3::diagonal({1, 1, 1}) * (mass * 0.04)}})
          .value();
  (void)world.add_joint({.a = planks[count / 2], .b = load, .frame = Pose::at(middle)}).value();
  double most = 0;
  for (int i = 0; i < 900; ++i) {
    world.step(frame);
    for (const JointId id : joints) most = std::max(most, separation(world, id));
  }
  EXPECT_LT(most, 0.01);
  const double weight = (20 + count) * world.body(planks[0])->mass * gravity;
  EXPECT_NEAR(world.joint(joints[0])->force.z + world.joint(joints.back())->force.z, weight,
              0.02 * weight);
}

/// A ring of links, closed by a joint that no tree has.
TEST(JointChain, ALoopStaysClosed) {
  World world(plain());
  const int count = 12;
  const double radius = 1;
  std::vector<BodyId> links;
  std::vector<JointId> joints;
  for (int i = 0; i < count; ++i) {
    const double angle = 2 * M_PI * i / count;
    links.push_back(
        world
            .add({.shape = ball(0.15),
                  .pose = Pose::at({radius * std::cos(angle), 0, radius * std::sin(angle)})})
            .value());
  }
  for (int i = 0; i < count; ++i) {
    const double angle = 2 * M_PI * (i + 0.5) / count;
    joints.push_back(world
                         .add_joint({.a = links[static_cast<std::size_t>(i)],
                                     .b = links[static_cast<std::size_t>((i + 1) % count)],
                                     .frame = Pose::at({std::cos(angle), 0, std::sin(angle)})})
                         .value());
  }
  joints.push_back(world.add_joint({.b = links[3], .frame = Pose::at({0, 0, 1.2})}).value());
  double most = 0;
  for (int i = 0; i < 600; ++i) {
    world.step(frame);
    for (const JointId id : joints) most = std::max(most, separation(world, id));
  }
  EXPECT_LT(most, 0.02);
}

struct Momentum {
  Vec3 linear{}, angular{};
};
Momentum momentum(const World& world, const std::vector<BodyId>& ids, const Vec3& about) {
  Momentum m;
  for (const BodyId id : ids) {
    const BodyInfo b = *world.body(id);
    m.linear += b.velocity * b.mass;
    m.angular += cross(b.center - about, b.velocity * b.mass) + spin_momentum(b);
  }
  return m;
}

/// Joints are inner forces, whatever they do. Near the origin and 100 km from it.
TEST(JointChain, KeepsMomentum) {
  for (const Vec3& at : {Vec3{}, Vec3{1e5, 1e5, -1e5}})
    for (const JointKind& kind :
         {JointKind{BallJoint{.cone = 0.3, .friction = 1}},
          JointKind{HingeJoint{.motor = JointMotor{2, 5}}},
          JointKind{SliderJoint{.limits = JointRange{-0.1, 0.1}}}, JointKind{FixedJoint{}},
          JointKind{HingeJoint{.spring = JointSpring{3, 0.2}}}}) {
      Chain c = chain(6, 20, {0, 0, -1}, kind, false, at, {.mask = 0});
      c.world.set_gravity({});
      Random random(9);
      double scale = 0;
      for (const BodyId id : c.bodies) {
        const Vec3 push = random.direction() * 0.5, off = random.in_box({0.05, 0.05, 0.05});
        ASSERT_TRUE(c.world.add_impulse(id, push, position(c.world, id) + off));
        scale += length(push);
      }
      const Momentum before = momentum(c.world, c.bodies, at);
      run(c.world, 2);
      const Momentum after = momentum(c.world, c.bodies, at);
      EXPECT_LT(distance(after.linear, before.linear), 1e-4 * scale) << kind.index();
      // The turn of each body about its own centre is of second order in a sub-step.
      EXPECT_LT(distance(after.angular, before.angular), 5e-3 * scale) << kind.index();
      EXPECT_LT(worst(c), kind.index() == 2 ? 0.15 : 0.005) << kind.index();
    }
}

} // namespace
} // namespace carom::test
