// Questions whose answers can be told by hand; and those that cannot be asked.
#include "carom/space/space_cast.h"
#include "carom/space/space_near.h"
#include "carom/space/space_overlap.h"
#include "carom/space/space_pairs.h"
#include "tests/space/cubes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace carom {
namespace {

using test::cube;
using test::cube_at;
using test::CubeRow;
using test::floor_below;

TEST(SpaceQuestions, TouchingCounts) {
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

TEST(SpaceQuestions, RaysMeetInOrder) {
  CubeRow row(5);
  const Ray ray{{-3, 0, 0}, {2, 0, 0}};
  const SpaceRayHit first = ray_cast(row.space, ray);
  EXPECT_EQ(first.id, row.ids[0]);
  EXPECT_EQ(first.hit.t, 1.25);
  EXPECT_EQ(first.hit.normal, (Vec3{-1, 0, 0}));
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

TEST(SpaceQuestions, ShapesAreStopped) {
  CubeRow row(3);
  const ObjectId floor =
      row.space.add({.shape = floor_below(), .mobility = Mobility::fixed}).value();
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

TEST(SpaceQuestions, NearestObjects) {
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

TEST(SpaceQuestions, RangesAndViews) {
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
      space.add({.shape = Shape::half_space({0, 1, 0}, 1).value(), .mobility = Mobility::fixed})
          .value();
  EXPECT_EQ(boxes_in(space, beside, ids), Status::ok);
  EXPECT_EQ(ids, std::vector{floor});
}

TEST(SpaceQuestions, BadQuestionsSaySo) {
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

} // namespace
} // namespace carom
