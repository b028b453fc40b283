// Shapes are measured only when they may have left their fat boxes. They never have.
#include "carom/shape/support.h"
#include "tests/dynamics/crowd_scene.h"
#include "tests/support/property.h"

#include <gtest/gtest.h>

namespace carom {
namespace {

using namespace carom::test;

/// How far shapes of bodies that are awake reach out of their fat boxes, at most, with the margin that contacts are made in.
double most_outside(const World& world) {
  double most = -INFINITY;
  const DynamicTree& tree = world.boxes().tree(true);
  for (std::uint32_t i = 0; i < world.bodies().shape_slots(); ++i) {
    if (!world.bodies().has_shape(i)) continue;
    const PlacedShape& s = world.bodies().shape(i);
    const Body& body = world.bodies()[s.body];
    if (body.active_at == no_index || body.kind == BodyKind::fixed) continue;
    const Aabb box = bounds(s.def.shape, s.world), fat = tree.fat_box(s.box);
    const double margin = world.options().margin;
    for (int k = 0; k < 3; ++k)
      most = std::max({most, fat.min[k] - box.min[k] + margin, box.max[k] - fat.max[k] + margin});
  }
  return most;
}

TEST(Boxes, HoldWhatMovesInThem) {
  Crowd crowd;
  for (std::uint64_t i = 0; i < fewer_when_sanitized(120); ++i) {
    crowd.step();
    ASSERT_LE(most_outside(crowd.world()), 1e-9) << "step " << i;
  }
}

/// Boxes of a pair are compared only where one of them was made anew: by its own motion, by a hand, or of a fixed body.
TEST(Boxes, PairsEndWhenTheyPart) {
  World world({.gravity = {}});
  const BodyId still = world.add({.shape = ball(0.5)}).value();
  (void)world.add({.shape = ball(0.5), .pose = Pose::at({-4, 0, 1.05}), .velocity = {5, 0, 0}})
      .value();
  std::size_t most = 0;
  for (int i = 0; i < 120; ++i) {
    world.step(frame);
    most = std::max(most, world.pair_count());
  }
  EXPECT_EQ(most, 1u);
  EXPECT_EQ(world.pair_count(), 0u);
  const BodyId wall =
      world.add({.shape = cube(0.5), .pose = Pose::at({0, 0, -1.02}), .kind = BodyKind::fixed})
          .value();
  for (const BodyId moved : {still, wall}) {
    world.step(frame);
    EXPECT_EQ(world.pair_count(), 1u);
    (void)world.set_pose(moved, Pose::at({0, 9, 0}));
    world.step(frame);
    EXPECT_EQ(world.pair_count(), 0u);
    (void)world.set_pose(moved, Pose::at({0, 0, moved == wall ? -1.02 : 0.0}));
  }
}

TEST(Boxes, HoldWhatComesAndGoesAndIsPutElsewhere) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    BusyScene scene(seed);
    for (std::uint64_t i = 0; i < fewer_when_sanitized(200); ++i) {
      scene.step();
      ASSERT_LE(most_outside(scene.world()), 1e-9) << "seed " << seed << ", step " << i;
    }
  }
}

/// A bar that drifts along x within its fat box; then something happens to it that makes the box anew; then it drifts back, beyond where it began.
template<class Change>
void drift_there_and_back(Change&& change) {
  WorldOptions options;
  options.gravity = {};
  World world(options);
  const Vec3 drift{0.25, 0, 0}; // 4 mm a step, where the margin is 20
  const BodyId other = world.add({.shape = ball(0.1), .pose = Pose::at({5, 0, 0})}).value();
  const BodyId bar =
      world.add({.shape = Shape::box({1, 0.1, 0.1}).value(), .velocity = drift}).value();
  const JointId joint =
      world.add_joint({.a = other, .b = bar, .kind = DistanceJoint{.range = JointRange{0, 100}}})
          .value();
  for (int i = 0; i < 4; ++i) world.step(frame);
  change(world, bar, joint);
  ASSERT_TRUE(world.set_velocity(bar, -drift, {}));
  for (int i = 0; i < 12; ++i) {
    world.step(frame);
    ASSERT_LE(most_outside(world), 1e-9) << i;
  }
}

TEST(Boxes, HoldWhatIsTurnedByHand) {
  drift_there_and_back([](World& world, BodyId bar, JointId) {
    const Quat turned = Quat::from_axis_angle({0, 0, 1}, 1);
    ASSERT_TRUE(world.set_pose(bar, {turned, position(world, bar)}));
  });
}

TEST(Boxes, HoldWhatLosesAJoint) {
  drift_there_and_back(
      [](World& world, BodyId, JointId joint) { ASSERT_TRUE(world.remove_joint(joint)); });
}

/// One that was measured in every step, since it is restored from bytes before each, goes the same way.
TEST(Boxes, ThatAreMeasuredAnewChangeNothing) {
  Crowd one, other;
  for (std::uint64_t i = 0; i < fewer_when_sanitized(60); ++i) {
    ASSERT_TRUE(other.world().restore(other.world().snapshot()));
    one.step();
    other.step();
    ASSERT_EQ(one.world().hash(), other.world().hash()) << i;
  }
}

} // namespace
} // namespace carom
