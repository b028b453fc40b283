// Nearest shapes of a world, against a scan over all of them.
#include "carom/dynamics/world_facts.h"
#include "carom/dynamics/world_near.h"
#include "carom/query/closest_point.h"
#include "carom/query/distance.h"
#include "tests/dynamics/scenes.h"

#include <limits>

namespace carom::test {
namespace {

/// Bodies at distances from centimetres to kilometres.
World scattered(std::uint64_t seed) {
  Random random(seed);
  World world(plain());
  for (int i = 0; i < 60; ++i) {
    const double far = std::pow(10.0, random.uniform(-1, 3));
    (void)world.add({.shape = i % 3 == 0   ? cube(0.3)
                              : i % 3 == 1 ? ball(0.4)
                                           : cube(1.5),
                     .pose = {random.rotation(), random.direction() * far},
                     .kind = i % 4 == 0 ? BodyKind::fixed : BodyKind::dynamic,
                     .sensor = i % 7 == 0});
  }
  return world;
}

TEST(WorldNear, AsAScanOverAllShapes) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const World world = scattered(seed);
    Random random(seed + 1000);
    std::vector<BodyId> ids;
    list_bodies(world, ids);
    for (int k = 0; k < 10; ++k) {
      const double far = std::pow(10.0, random.uniform(-1, 3));
      const Vec3 p = random.direction() * far;
      const Shape probe = cube(0.2);
      const WorldAmong among{.fixed = k % 2 == 0};
      std::vector<double> points, shapes;
      for (const BodyId id : ids) {
        const Body& body = world.bodies()[id.slot];
        const PlacedShape& s = world.bodies().shape(body.shapes[0]);
        if (s.def.sensor || (!among.fixed && body.kind == BodyKind::fixed)) continue;
        points.push_back(closest_point(p, s.def.shape, s.world).value);
        shapes.push_back(distance(probe, Pose::at(p), s.def.shape, s.world).value);
      }
      std::sort(points.begin(), points.end());
      std::sort(shapes.begin(), shapes.end());
      std::vector<WorldNearPoint> near;
      ASSERT_EQ(nearest(world, p, 5, near, {}, among), Status::ok);
      ASSERT_EQ(near.size(), 5U) << "seed " << seed;
      for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(near[i].surface.value, points[i]) << seed;
      EXPECT_TRUE(nearest(world, p, {}, among).shape == near[0].shape);
      std::vector<WorldDistance> by_shape;
      ASSERT_EQ(nearest(world, probe, Pose::at(p), 1000, by_shape, {}, among), Status::ok);
      ASSERT_EQ(by_shape.size(), shapes.size());
      for (std::size_t i = 0; i < shapes.size(); ++i)
        EXPECT_EQ(by_shape[i].distance.value, shapes[i]) << "seed " << seed;
      // At a distance counts, beyond it does not.
      const double limit = std::max(points[2], 0.0);
      ASSERT_EQ(nearest(world, p, 1000, near, {.max_distance = limit}, among), Status::ok);
      EXPECT_EQ(near.size(),
                static_cast<std::size_t>(std::upper_bound(points.begin(), points.end(), limit) -
                                         points.begin()))
          << "seed " << seed;
    }
  }
}

TEST(WorldNear, NothingThereAndBadInput) {
  const World empty;
  EXPECT_FALSE(nearest(empty, Vec3{}));
  EXPECT_FALSE(nearest(empty, cube(), Pose{}));
  const World world = scattered(1);
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(nearest(world, Vec3{nan, 0, 0}).surface.status, Status::bad_input);
  EXPECT_EQ(nearest(world, Vec3{}, {.max_distance = -1}).surface.status, Status::bad_input);
  EXPECT_EQ(nearest(world, cube(), Pose{}, {.max_distance = nan}).distance.status,
            Status::bad_input);
  std::vector<WorldNearPoint> none;
  EXPECT_EQ(nearest(world, Vec3{}, 0, none), Status::ok);
  EXPECT_TRUE(none.empty());
  EXPECT_FALSE(nearest(world, {0, 0, 1e6}, {.max_distance = 10}));
}

} // namespace
} // namespace carom::test
