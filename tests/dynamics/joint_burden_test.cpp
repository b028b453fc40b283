// Light bodies with joints under a great load (burden.h).
#include "tests/dynamics/joint_scenes.h"

namespace carom::test {
namespace {

/// Light cubes on top of each other, each tied to a post beside it by a rope that hangs loose, and one that is a thousand times as heavy on them.
struct TiedColumn {
  World world{plain()};
  std::vector<BodyId> ids;
  std::vector<JointId> ropes;

  explicit TiedColumn(int light) {
    add_floor(world);
    for (int i = 0; i <= light; ++i)
      ids.push_back(world
                        .add({.shape = cube(),
                              .pose = Pose::at({0, 0, i + 0.5}),
                              .density = i == light ? 1000.0 : 1.0})
                        .value());
    for (int i = 0; i < light; ++i)
      ropes.push_back(world
                          .add_joint({.b = ids[static_cast<std::size_t>(i)],
                                      .frame = Pose::at({3, 0, i + 0.5}),
                                      .frame_b = Pose::at({0, 0, i + 0.5}),
                                      .kind = DistanceJoint{.range = JointRange{0, 4}}})
                          .value());
  }
};

TEST(JointBurden, ALooseRopeDoesNotMakeAColumnFall) {
  for (const int light : {1, 4}) {
    TiedColumn column(light);
    run(column.world, 10);
    for (const JointId rope : column.ropes) EXPECT_EQ(length(column.world.joint(rope)->force), 0);
    EXPECT_NEAR(position(column.world, column.ids.back()).z, light + 0.5, 0.01) << light;
    EXPECT_LT(length(velocity(column.world, column.ids.back())), 1e-3) << light;
  }
}

/// The burden ends with that; what the rope pulled at it is not thrown at the mass that is left.
TEST(JointBurden, ARopeThatIsPulledTautThrowsNothing) {
  TiedColumn column(1);
  World& world = column.world;
  run(world, 5);
  ASSERT_TRUE(world.set_limits(column.ropes[0], JointRange{0, 2.9}));
  for (int i = 0; i < 120; ++i) {
    world.step(frame);
    for (const BodyId id : column.ids) ASSERT_LT(length(velocity(world, id)), 12) << i;
    // The weight of what is on it, a thousand kilograms; it was 3,000,000 N.
    ASSERT_LT(length(world.joint(column.ropes[0])->force), 2 * 1000 * gravity) << i;
  }
  EXPECT_LT(world.joint(column.ropes[0])->length, 3.0);
}

} // namespace
} // namespace carom::test
