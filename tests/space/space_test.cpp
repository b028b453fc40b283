// Objects that come and go, names, filters, errors, pairs; and questions whose answers can be told by hand.
#include "carom/space/space.h"

#include "carom/space/space_cast.h"
#include "carom/space/space_near.h"
#include "carom/space/space_overlap.h"
#include "carom/space/space_pairs.h"
#include "tests/space/space_cases.h"
#include "tests/support/property.h"

#include <limits>

namespace carom {
namespace {

Shape cube() { return Shape::box({0.5, 0.5, 0.5}).value(); }
Shape floor_below() { return Shape::half_space({0, 0, 1}, -0.5).value(); }

SpaceObject cube_at(double x, double y = 0, double z = 0) {
  return {.shape = cube(), .pose = Pose::at({x, y, z})};
}

/// A row of cubes along x: each touches the next.
struct CubeRow {
  Space space;
  std::vector<ObjectId> ids;

  explicit CubeRow(int count) {
    for (int i = 0; i < count; ++i) ids.push_back(space.add(cube_at(i)).value());
  }
};

TEST(Space, KeepsWhatItIsGiven) {
  Space space;
  const SpaceObject given{.shape = cube(),
                          .pose = Pose::at({1, 2, 3}),
                          .motion = Motion::fixed,
                          .filter = {.category = 2, .mask = 5, .group = -7},
                          .user = 42};
  const ObjectId id = space.add(given).value();
  const SpaceObject* found = space.find(id);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->shape == given.shape);
  EXPECT_EQ(found->pose, given.pose);
  EXPECT_EQ(found->motion, Motion::fixed);
  EXPECT_EQ(found->filter, given.filter);
  EXPECT_EQ(found->user, 42u);
  EXPECT_EQ(space.box(id).min, Vec3(0.5, 1.5, 2.5));
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
    EXPECT_EQ(space.set_motion(bad, Motion::fixed).error(), SpaceError::stale_id);
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
  // A displacement that is no number counts as none.
  EXPECT_TRUE(space.move(id, Pose::at({5, 0, 0}), {nan, inf, 0}).value());
  const Aabb fat = space.fat_box(id);
  EXPECT_NEAR(fat.max.x - fat.min.x, 1.2, 1e-12);
  EXPECT_NEAR(fat.max.y - fat.min.y, 1.2, 1e-12);
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
  // Filters, motion and removal count as well.
  EXPECT_TRUE(row.space.set_filter(a, {.category = 1, .mask = 0}));
  EXPECT_EQ(row.space.update_pairs().ended.size(), 1u);
  EXPECT_TRUE(row.space.set_filter(a, {}));
  EXPECT_EQ(row.space.update_pairs().begun.size(), 1u);
  EXPECT_TRUE(row.space.set_motion(a, Motion::fixed));
  EXPECT_TRUE(row.space.update_pairs().ended.empty());
  EXPECT_TRUE(row.space.set_motion(b, Motion::fixed));
  EXPECT_EQ(row.space.update_pairs().ended.size(), 1u); // two fixed ones are no pair
  EXPECT_TRUE(row.space.set_motion(b, Motion::moving));
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

TEST(Space, TouchingCounts) {
  CubeRow row(4);
  std::vector<SpaceOverlapPair> pairs;
  overlapping_pairs(row.space, pairs);
  ASSERT_EQ(pairs.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(pairs[i].pair, (ObjectPair{row.ids[i], row.ids[i + 1]}));
    EXPECT_EQ(pairs[i].overlap.point.x, static_cast<double>(i) + 0.5);
  }
  std::vector<SpaceDistancePair> near;
  EXPECT_EQ(pairs_within(row.space, 1, near), Status::ok);
  ASSERT_EQ(near.size(), 5u); // three that touch, two at a distance of 1
  EXPECT_EQ(near[1].pair, (ObjectPair{row.ids[0], row.ids[2]}));
  EXPECT_EQ(near[1].distance.value, 1);
  EXPECT_EQ(pairs_within(row.space, std::nextafter(1.0, 0.0), near), Status::ok);
  EXPECT_EQ(near.size(), 3u);
  EXPECT_EQ(pairs_within(row.space, INFINITY, near), Status::ok);
  EXPECT_EQ(near.size(), 6u);
}

TEST(Space, RaysMeetInOrder) {
  CubeRow row(5);
  const Ray ray{{-3, 0, 0}, {2, 0, 0}};
  const SpaceRayHit first = ray_cast(row.space, ray);
  EXPECT_EQ(first.id, row.ids[0]);
  EXPECT_EQ(first.hit.t, 1.25);
  EXPECT_EQ(first.hit.normal, Vec3(-1, 0, 0));
  std::vector<SpaceRayHit> hits;
  EXPECT_EQ(ray_cast_all(row.space, ray, hits, {.max_t = 2.25}), Status::ok);
  ASSERT_EQ(hits.size(), 3u); // the end counts
  for (std::size_t i = 0; i < hits.size(); ++i) EXPECT_EQ(hits[i].id, row.ids[i]);
  EXPECT_FALSE(ray_cast_any(row.space, ray, {.max_t = 1.2}));
  EXPECT_TRUE(ray_cast_any(row.space, ray, {.max_t = 1.25}));
  EXPECT_EQ(
      ray_cast(row.space, ray, {}, {.accept = [&](ObjectId id) { return id != first.id; }}).id,
      row.ids[1]);
  // Two in the same place: the lower id.
  const ObjectId twin = row.space.add(cube_at(0)).value();
  EXPECT_EQ(ray_cast(row.space, ray).id, row.ids[0]);
  EXPECT_TRUE(row.space.remove(row.ids[0]));
  EXPECT_EQ(ray_cast(row.space, ray).id, twin);
}

TEST(Space, ShapesAreStopped) {
  CubeRow row(3);
  const ObjectId floor = row.space.add({.shape = floor_below(), .motion = Motion::fixed}).value();
  const Shape ball = Shape::sphere(0.25).value();
  const SpaceShapeCast down = shape_cast(row.space, ball, Pose::at({0, 0, 2.75}), {0, 0, -4});
  EXPECT_EQ(down.id, row.ids[0]);
  EXPECT_NEAR(down.cast.t, 0.5, 1e-12);
  const SpaceShapeCast beside = shape_cast(row.space, ball, Pose::at({0, 5, 1.75}), {0, 0, -4});
  EXPECT_EQ(beside.id, floor);
  EXPECT_NEAR(beside.cast.t, 0.5, 1e-12);
  std::vector<SpaceShapeCast> all;
  EXPECT_EQ(shape_cast_all(row.space, ball, Pose::at({0, 0, 2.75}), {0, 0, -4}, all), Status::ok);
  EXPECT_EQ(all.size(), 2u);
  EXPECT_FALSE(shape_cast_any(row.space, ball, Pose::at({0, 0, 2.75}), {0, 0, -4}, {.max_t = 0.4}));
  // A half-space that moves meets all it comes to: here what stands on the floor, at once.
  EXPECT_EQ(shape_cast_all(row.space, floor_below(), Pose::at({0, 0, -2}), {0, 0, 3}, all,
                           {.max_t = 0.9}),
            Status::ok);
  EXPECT_EQ(all.size(), 4u);
}

TEST(Space, NearestObjects) {
  CubeRow row(6);
  const SpaceNearPoint n = nearest(row.space, Vec3{2, 0, 3});
  EXPECT_EQ(n.id, row.ids[2]);
  EXPECT_EQ(n.surface.value, 2.5);
  // Inside of two: in which it is deeper.
  const ObjectId large =
      row.space.add({.shape = Shape::box({4, 4, 4}).value(), .pose = Pose::at({2, 0, 0})}).value();
  EXPECT_EQ(nearest(row.space, Vec3{2.25, 0, 0}).id, large);
  EXPECT_TRUE(row.space.remove(large));
  std::vector<SpaceNearPoint> found;
  EXPECT_EQ(nearest(row.space, Vec3{-1, 0, 0}, 3, found), Status::ok);
  ASSERT_EQ(found.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(found[i].id, row.ids[i]);
  EXPECT_EQ(nearest(row.space, Vec3{-1, 0, 0}, 9, found, {.max_distance = 2.5}), Status::ok);
  EXPECT_EQ(found.size(), 3u);
  EXPECT_EQ(nearest(row.space, Vec3{-1, 0, 0}, 0, found), Status::ok);
  EXPECT_TRUE(found.empty());
  EXPECT_FALSE(nearest(row.space, Vec3{-1, 0, 0}, {.max_distance = 0.25}));
  // Of two as near, the lower id.
  const SpaceDistance d = nearest(row.space, cube(), Pose::at({0.5, 3, 0}));
  EXPECT_EQ(d.id, row.ids[0]);
  EXPECT_EQ(d.distance.value, 2);
  EXPECT_FALSE(nearest(Space(), Vec3{}));
  EXPECT_FALSE(nearest(Space(), cube(), {}));
}

TEST(Space, RangesAndViews) {
  Space space;
  // A sphere whose box, but not itself, reaches into the corner.
  const ObjectId ball = space.add({.shape = Shape::sphere(1).value()}).value();
  const ObjectId far = space.add({.shape = cube(), .pose = Pose::at({0, 0, 10})}).value();
  std::vector<ObjectId> ids;
  std::vector<SpaceOverlap> found;
  const Aabb corner{{0.9, 0.9, 0.9}, {2, 2, 2}};
  EXPECT_EQ(boxes_in(space, corner, ids), Status::ok);
  EXPECT_EQ(ids, std::vector{ball});
  EXPECT_EQ(overlapping(space, corner, found), Status::ok);
  EXPECT_TRUE(found.empty());
  EXPECT_EQ(overlapping(space, Aabb{{1, 0, 0}, {2, 0, 0}}, found), Status::ok); // touching, flat
  EXPECT_EQ(found.size(), 1u);
  constexpr double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(boxes_in(space, Aabb{{-inf, -inf, 9.5}, {inf, inf, inf}}, ids), Status::ok);
  EXPECT_EQ(ids, std::vector{far});
  // A view along z, from below; 10 units ahead it is 10 wide to each side.
  const ViewFrustum view{{0, 0, -2}, Mat3::identity(), 0.5, 11.5, 1, 1};
  EXPECT_EQ(boxes_in(space, view, ids), Status::ok);
  EXPECT_EQ(ids.size(), 2u);
  EXPECT_EQ(overlapping(space, view, found), Status::ok);
  EXPECT_EQ(found.size(), 2u);
  const ViewFrustum beside{{0, 4, -2}, Mat3::identity(), 0.5, 20, 0.5, 0.25};
  EXPECT_EQ(boxes_in(space, beside, ids), Status::ok);
  EXPECT_TRUE(ids.empty()); // the cube's corner is at y = 0.5, the view's side at 4 - 12.5 / 4
  const ObjectId floor =
      space.add({.shape = Shape::half_space({0, 1, 0}, 1).value(), .motion = Motion::fixed})
          .value();
  EXPECT_EQ(boxes_in(space, beside, ids), Status::ok);
  EXPECT_EQ(ids, std::vector{floor});
}

TEST(Space, BadQuestionsSaySo) {
  CubeRow row(2);
  const Space& space = row.space;
  const double nan = NAN, inf = INFINITY;
  const Pose bad = Pose::at({nan, 0, 0});
  std::vector<ObjectId> ids{row.ids[0]};
  std::vector<SpaceOverlap> overlaps(1);
  std::vector<SpaceNearPoint> points(1);
  std::vector<SpaceDistance> distances(1);
  std::vector<SpaceRayHit> hits(1);
  std::vector<SpaceShapeCast> casts(1);
  std::vector<SpaceDistancePair> pairs(1);
  EXPECT_EQ(nearest(space, Vec3{nan, 0, 0}).surface.status, Status::bad_input);
  EXPECT_EQ(nearest(space, Vec3{inf, 0, 0}, 1, points), Status::bad_input);
  EXPECT_EQ(nearest(space, Vec3{}, {.max_distance = nan}).surface.status, Status::bad_input);
  EXPECT_EQ(nearest(space, Vec3{}, {.max_distance = -1}).surface.status, Status::bad_input);
  EXPECT_EQ(nearest(space, cube(), bad).distance.status, Status::bad_input);
  EXPECT_EQ(nearest(space, cube(), bad, 1, distances), Status::bad_input);
  EXPECT_EQ(ray_cast(space, {{nan, 0, 0}, {1, 0, 0}}).hit.status, Status::bad_input);
  EXPECT_EQ(ray_cast_any(space, {{}, {inf, 0, 0}}).status, Status::bad_input);
  EXPECT_EQ(ray_cast_all(space, {{}, {1e-40, 0, 0}}, hits), Status::bad_input);
  EXPECT_EQ(ray_cast(space, {{}, {1, 0, 0}}, {.max_t = nan}).hit.status, Status::bad_input);
  EXPECT_FALSE(ray_cast(space, {{}, {1, 0, 0}}, {.max_t = -1}));
  EXPECT_EQ(shape_cast(space, cube(), bad, {1, 0, 0}).cast.status, Status::bad_input);
  EXPECT_EQ(shape_cast_any(space, cube(), {}, {nan, 0, 0}).status, Status::bad_input);
  EXPECT_EQ(shape_cast_all(space, cube(), {}, {1e31, 0, 0}, casts), Status::bad_input);
  EXPECT_EQ(shape_cast(space, cube(), {}, {1, 0, 0}, {.max_t = nan}).cast.status,
            Status::bad_input);
  EXPECT_EQ(overlapping(space, cube(), bad, overlaps), Status::bad_input);
  EXPECT_EQ(overlapping_any(space, cube(), bad).status, Status::bad_input);
  EXPECT_EQ(boxes_in(space, Aabb{}, ids), Status::bad_input);
  overlaps.resize(1);
  EXPECT_EQ(overlapping(space, Aabb{{nan, 0, 0}, {1, 1, 1}}, overlaps), Status::bad_input);
  const ViewFrustum inside_out{{}, Mat3::identity(), 2, 1, 1, 1};
  EXPECT_EQ(overlapping(space, inside_out, overlaps), Status::bad_input);
  EXPECT_EQ(boxes_in(space, ViewFrustum{{nan, 0, 0}, Mat3::identity(), 0, 1, 1, 1}, ids),
            Status::bad_input);
  EXPECT_EQ(pairs_within(space, nan, pairs), Status::bad_input);
  EXPECT_EQ(pairs_within(space, -1, pairs), Status::bad_input);
  EXPECT_TRUE(ids.empty() && overlaps.empty() && points.empty() && distances.empty() &&
              hits.empty() && casts.empty() && pairs.empty());
}

// What is too large for any box stands beside the partition, and is found all the same.
TEST(Space, TheHugeAndTheUnbounded) {
  Space space;
  const ObjectId huge = space.add({.shape = Shape::sphere(1e30).value()}).value();
  const ObjectId floor = space.add({.shape = floor_below(), .motion = Motion::fixed}).value();
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

// The same objects, moved there by different ways: the same answers, to the bit.
TEST(Space, AnswersDoNotDependOnTheWayThere) {
  test::for_each_seed(test::fewer_when_sanitized(40), [](test::Source& source) {
    const test::ShapePool pool(source);
    std::vector<SpaceObject> objects;
    const int count = 10 + source.index(60);
    for (int i = 0; i < count; ++i) objects.push_back(test::object(source, pool));
    Space straight, crooked(SpaceOptions{.fat = {.margin = 1, .relative_margin = 1}});
    for (const SpaceObject& o : objects) {
      SpaceObject elsewhere = o;
      elsewhere.pose = test::placement(source);
      elsewhere.shape = pool.any(source);
      ASSERT_TRUE(straight.add(o));
      ASSERT_TRUE(crooked.add(elsewhere));
    }
    for (int round = 0; round < 3; ++round) {
      for (std::uint32_t i = 0; i < objects.size(); ++i) {
        const bool last = round == 2;
        const Pose pose = last ? objects[i].pose : test::placement(source);
        ASSERT_TRUE(crooked.set_shape({i, 0}, last ? objects[i].shape : pool.any(source)));
        ASSERT_TRUE(crooked.move({i, 0}, pose, test::vec3(source)));
      }
      crooked.improve(source.below(20));
    }
    for (int i = 0; i < 4; ++i) {
      const test::Question q = test::question(source, pool);
      ASSERT_TRUE(test::ask(straight, q) == test::ask(crooked, q));
    }
    ASSERT_TRUE(test::ask_pairs(straight, 0.5) == test::ask_pairs(crooked, 0.5));
  });
}

} // namespace
} // namespace carom
