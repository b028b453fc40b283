// Once lists have the room, questions about convex objects allocate nothing, and neither do moves and updates of pairs.
#include "tests/space/space_cases.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<long> allocations{0}; // NOLINT: counts for the whole program
}

// A sanitizer has its own. Not inlined: g++ would take free() for a mistake there.
#ifndef CAROM_SANITIZED
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size)) return p; // NOLINT
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }              // NOLINT
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); } // NOLINT
#endif

namespace carom {
namespace {

TEST(SpaceAllocation, NoneOnceWarm) {
  test::RandomSource source(5);
  Space space;
  const std::vector<Shape> shapes = {
      Shape::box({0.5, 0.5, 0.5}).value(), Shape::sphere(0.5).value(),
      Shape::half_space({0, 0, 1}, -4).value(), Shape::capsule({0, 0, 0}, {0, 0, 1}, 0.25).value()};
  std::vector<ObjectId> ids;
  std::vector<Pose> poses;
  for (std::size_t i = 0; i < 400; ++i) {
    const Vec3 at = test::vec3(source) * 5;
    poses.push_back(Pose::at(at));
    const Shape& shape = shapes[i < 2 ? 2 : i % 4 == 2 ? 0 : i % 4];
    ids.push_back(space.add({.shape = shape, .pose = poses.back()}).value());
  }
  std::vector<SpaceOverlapPair> overlaps;
  std::vector<SpaceDistancePair> near_pairs;
  std::vector<SpaceNearPoint> points;
  std::vector<SpaceDistance> near;
  std::vector<SpaceRayHit> hits;
  std::vector<SpaceShapeCast> casts;
  std::vector<SpaceOverlap> found;
  std::vector<ObjectId> seen;
  const ViewFrustum view{{0, 0, -9}, Mat3::identity(), 0.5, 20, 1, 1};
  const auto round = [&](double by) {
    for (std::size_t i = 0; i < ids.size(); i += 3)
      (void)space.move(ids[i], Pose::at(poses[i].position + Vec3{by, 0, 0}));
    (void)space.update_pairs();
    overlapping_pairs(space, overlaps);
    (void)pairs_within(space, 0.25, near_pairs);
    (void)nearest(space, Vec3{1, 2, 3});
    (void)nearest(space, Vec3{1, 2, 3}, 10, points);
    (void)nearest(space, shapes[0], Pose::at({9, 9, 9}), 10, near);
    (void)ray_cast_all(space, {{-9, 0.1, 0.2}, {1, 0, 0}}, hits);
    (void)shape_cast_all(space, shapes[1], Pose::at({-9, 0.1, 0.2}), {20, 0, 0}, casts);
    (void)overlapping(space, shapes[0], {}, found);
    (void)boxes_in(space, Aabb{{0, 0, 0}, {2, 2, 2}}, seen);
    (void)boxes_in(space, view, seen);
  };
  for (const double by : {1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0}) round(by);
  EXPECT_FALSE(overlaps.empty() || near_pairs.empty() || points.empty() || near.empty() ||
               hits.empty() || casts.empty() || found.empty() || seen.empty());
  const long before = allocations;
  round(1);
  round(0);
  EXPECT_EQ(allocations - before, 0);
}

} // namespace
} // namespace carom
