// Objects that come and go, names, filters, errors, pairs.
#include "carom/space/space.h"

#include "carom/space/space_cast.h"
#include "carom/space/space_pairs.h"
#include "tests/space/cubes.h"

#include <gtest/gtest.h>

#include <tuple>

namespace carom {
namespace {

using test::cube;
using test::cube_at;
using test::CubeRow;
using test::floor_below;

TEST(Space, KeepsWhatItIsGiven) {
  Space space;
  const SpaceObject given{.shape = cube(),
                          .pose = Pose::at({1, 2, 3}),
                          .mobility = Mobility::fixed,
                          .filter = {.category = 2, .mask = 5, .group = -7},
                          .user = 42};
  const ObjectId id = space.add(given).value();
  const SpaceObject* found = space.find(id);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->shape == given.shape);
  EXPECT_EQ(found->pose, given.pose);
  EXPECT_EQ(found->mobility, Mobility::fixed);
  EXPECT_EQ(found->filter, given.filter);
  EXPECT_EQ(found->user, 42u);
  EXPECT_EQ(space.box(id).min, (Vec3{0.5, 1.5, 2.5}));
  EXPECT_EQ(space.size(), 1u);
  EXPECT_TRUE(space.set_user(id, 43));
  EXPECT_EQ(space.find(id)->user, 43u);
}

TEST(Space, StaleIdsAreErrors) {
  Space space;
  EXPECT_FALSE(space.contains({}));
  const ObjectId old = space.add(cube_at(0)).value();
  EXPECT_TRUE(space.remove(old));
  const ObjectId next = space.add(cube_at(0)).value();
  EXPECT_EQ(next.slot, old.slot); // the slot is used again, the name is not
  for (const ObjectId bad : {old, ObjectId{}, ObjectId{7, 0}}) {
    EXPECT_EQ(space.remove(bad).error(), SpaceError::stale_id);
    EXPECT_EQ(space.move(bad, {}).error(), SpaceError::stale_id);
    EXPECT_EQ(space.move(bad, {}, {1, 0, 0}).error(), SpaceError::stale_id);
    EXPECT_EQ(space.set_shape(bad, cube()).error(), SpaceError::stale_id);
    EXPECT_EQ(space.set_filter(bad, {}).error(), SpaceError::stale_id);
    EXPECT_EQ(space.set_mobility(bad, Mobility::fixed).error(), SpaceError::stale_id);
    EXPECT_EQ(space.set_user(bad, 1).error(), SpaceError::stale_id);
    EXPECT_EQ(space.find(bad), nullptr);
    EXPECT_TRUE(space.box(bad).empty());
    EXPECT_TRUE(space.fat_box(bad).empty());
  }
  EXPECT_EQ(space.size(), 1u);
  space.clear();
  EXPECT_FALSE(space.contains(next));
  EXPECT_TRUE(space.empty());
  for (const SpaceError e : {SpaceError::stale_id, SpaceError::bad_pose, SpaceError::full})
    EXPECT_GT(std::string(describe(e)).size(), 10u);
}

TEST(Space, BadPosesChangeNothing) {
  Space space;
  const ObjectId id = space.add(cube_at(0)).value();
  (void)space.update_pairs();
  const double nan = NAN, inf = INFINITY;
  for (const Pose& bad :
       {Pose::at({nan, 0, 0}), Pose::at({0, inf, 0}), Pose::at({0, 0, 1e31}),
        Pose::at({1e-40, 0, 0}), Pose{Quat{nan, 0, 0, 1}, {}}, Pose{Quat{inf, 0, 0, 1}, {}}}) {
    EXPECT_EQ(space.add({.shape = cube(), .pose = bad}).error(), SpaceError::bad_pose);
    EXPECT_EQ(space.move(id, bad).error(), SpaceError::bad_pose);
    EXPECT_EQ(space.move(id, bad, {1, 0, 0}).error(), SpaceError::bad_pose);
  }
  EXPECT_EQ(space.size(), 1u);
  EXPECT_EQ(space.find(id)->pose, Pose{});
  EXPECT_TRUE(space.update_pairs().begun.empty());
  // A displacement that is no number counts as none, an endless one as far as fat boxes reach ahead.
  EXPECT_TRUE(space.move(id, Pose::at({5, 0, 0}), {nan, nan, -inf}).value());
  const Aabb fat = space.fat_box(id);
  EXPECT_NEAR(fat.max.x - fat.min.x, 1.2, 1e-12);
  EXPECT_NEAR(fat.max.y - fat.min.y, 1.2, 1e-12);
  EXPECT_NEAR(fat.max.z - fat.min.z, 2.3, 1e-12); // an edge and a margin ahead
}

// A fat box that has become far too large is made anew, and its pairs end.
TEST(Space, FatBoxesShrinkWithTheirShapes) {
  CubeRow row(2);
  EXPECT_EQ(row.space.update_pairs().begun.size(), 1u);
  EXPECT_TRUE(row.space.set_shape(row.ids[0], Shape::box({0.4, 0.4, 0.4}).value()));
  EXPECT_EQ(row.space.fat_box(row.ids[0]).min.x, -0.6); // not worth it
  EXPECT_TRUE(row.space.set_shape(row.ids[0], Shape::box({0.1, 0.1, 0.1}).value()));
  EXPECT_NEAR(row.space.fat_box(row.ids[0]).min.x, -0.12, 1e-12);
  EXPECT_EQ(row.space.update_pairs().ended.size(), 1u);
}

TEST(Space, FiltersDecideWhoMeets) {
  const Filter a{.category = 1, .mask = 2}, b{.category = 2, .mask = 1},
      c{.category = 2, .mask = 4};
  EXPECT_TRUE(may_meet(a, b));
  EXPECT_FALSE(may_meet(a, c)); // it takes both
  EXPECT_FALSE(may_meet(c, a));
  Filter x = a, y = c;
  x.group = y.group = 3;
  EXPECT_TRUE(may_meet(x, y));
  x.group = y.group = -3;
  x.mask = y.mask = ~0ULL;
  EXPECT_FALSE(may_meet(x, y));
  y.group = 3; // different groups decide nothing
  EXPECT_TRUE(may_meet(x, y));
}

TEST(Space, PairsBeginAndEnd) {
  CubeRow row(3);
  const auto [a, b, c] = std::tuple(row.ids[0], row.ids[1], row.ids[2]);
  PairChanges changes = row.space.update_pairs();
  ASSERT_EQ(changes.begun.size(), 2u);
  EXPECT_EQ(changes.begun[0], (ObjectPair{a, b}));
  EXPECT_EQ(changes.begun[1], (ObjectPair{b, c}));
  changes = row.space.update_pairs();
  EXPECT_TRUE(changes.begun.empty() && changes.ended.empty());
  // A little: nothing happens. Far: a pair ends.
  EXPECT_FALSE(row.space.move(c, Pose::at({2.05, 0, 0})).value());
  EXPECT_TRUE(row.space.update_pairs().ended.empty());
  EXPECT_TRUE(row.space.move(c, Pose::at({9, 0, 0})).value());
  changes = row.space.update_pairs();
  EXPECT_TRUE(changes.begun.empty());
  ASSERT_EQ(changes.ended.size(), 1u);
  EXPECT_EQ(changes.ended[0], (ObjectPair{b, c}));
  // Filters, mobility and removal count as well.
  EXPECT_TRUE(row.space.set_filter(a, {.category = 1, .mask = 0}));
  EXPECT_EQ(row.space.update_pairs().ended.size(), 1u);
  EXPECT_TRUE(row.space.set_filter(a, {}));
  EXPECT_EQ(row.space.update_pairs().begun.size(), 1u);
  EXPECT_TRUE(row.space.set_mobility(a, Mobility::fixed));
  EXPECT_TRUE(row.space.update_pairs().ended.empty());
  EXPECT_TRUE(row.space.set_mobility(b, Mobility::fixed));
  EXPECT_EQ(row.space.update_pairs().ended.size(), 1u); // two fixed ones are no pair
  EXPECT_TRUE(row.space.set_mobility(b, Mobility::moving));
  EXPECT_EQ(row.space.update_pairs().begun.size(), 1u);
  EXPECT_TRUE(row.space.remove(b));
  const ObjectId again = row.space.add(cube_at(1)).value(); // in the same slot
  EXPECT_EQ(again.slot, b.slot);
  changes = row.space.update_pairs();
  ASSERT_EQ(changes.begun.size(), 1u);
  ASSERT_EQ(changes.ended.size(), 1u);
  EXPECT_EQ(changes.begun[0], (ObjectPair{a, again}));
  EXPECT_EQ(changes.ended[0], (ObjectPair{a, b}));
  row.space.clear();
  EXPECT_EQ(row.space.update_pairs().ended.size(), 1u);
  EXPECT_TRUE(row.space.pairs().empty());
}

// What is too large for any box stands beside the partition, and is found all the same.
TEST(Space, TheHugeAndTheUnbounded) {
  Space space;
  const ObjectId huge = space.add({.shape = Shape::sphere(1e30).value()}).value();
  const ObjectId floor = space.add({.shape = floor_below(), .mobility = Mobility::fixed}).value();
  const ObjectId small = space.add(cube_at(0)).value();
  EXPECT_EQ(space.unbounded().size(), 2u);
  PairChanges changes = space.update_pairs();
  EXPECT_EQ(changes.begun.size(), 3u);
  std::vector<SpaceOverlapPair> pairs;
  overlapping_pairs(space, pairs);
  ASSERT_EQ(pairs.size(), 3u);
  EXPECT_EQ(pairs[2].pair, (ObjectPair{floor, small})); // touching
  EXPECT_TRUE(space.set_shape(huge, cube()));           // now it fits
  EXPECT_EQ(space.unbounded().size(), 1u);
  EXPECT_TRUE(space.move(huge, Pose::at({0, 0, 9})).value());
  changes = space.update_pairs();
  EXPECT_EQ(changes.ended.size(), 2u);
  EXPECT_TRUE(space.set_shape(small, floor_below())); // two half-spaces
  EXPECT_EQ(space.unbounded().size(), 2u);
  overlapping_pairs(space, pairs);
  EXPECT_EQ(pairs.size(), 1u);
  EXPECT_TRUE(space.remove(floor));
  EXPECT_TRUE(space.remove(small));
  EXPECT_TRUE(space.unbounded().empty());
}

TEST(Space, CopiesAreSnapshots) {
  CubeRow row(20);
  (void)row.space.update_pairs();
  const Space before = row.space;
  EXPECT_TRUE(row.space.remove(row.ids[3]));
  EXPECT_TRUE(row.space.move(row.ids[5], Pose::at({0, 9, 0})));
  EXPECT_TRUE(before.contains(row.ids[3]));
  EXPECT_EQ(before.pairs().size(), 19u);
  EXPECT_EQ(ray_cast(before, {{5, 9, 0}, {0, -1, 0}}).id, row.ids[5]);
  Space after = before;
  EXPECT_TRUE(after.remove(row.ids[3]));
  EXPECT_TRUE(after.move(row.ids[5], Pose::at({0, 9, 0})));
  const PairChanges a = row.space.update_pairs(), b = after.update_pairs();
  EXPECT_TRUE(std::equal(a.begun.begin(), a.begun.end(), b.begun.begin(), b.begun.end()));
  EXPECT_TRUE(std::equal(a.ended.begin(), a.ended.end(), b.ended.begin(), b.ended.end()));
  EXPECT_GT(after.bytes(), 20 * sizeof(SpaceObject));
}

} // namespace
} // namespace carom
