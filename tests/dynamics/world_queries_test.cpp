// Questions about a world, against the same asked of every shape, one by one; and from many threads.
#include "carom/dynamics/world_queries.h"
#include "carom/query/overlap.h"
#include "carom/shape/support.h"
#include "tests/dynamics/busy_scene.h"

#include <algorithm>
#include <thread>
#include <tuple>

namespace carom::test {
namespace {

auto order_of(const WorldShape& s) { return std::tuple(s.body.slot, s.shape); }

/// Calls each(name, shape) for all that count.
template<class Each>
void for_each_shape(const World& world, const WorldAmong& among, Each&& each) {
  for (std::uint32_t slot = 0; slot < world.bodies().slots(); ++slot) {
    const Body& body = world.bodies()[slot];
    if (!body.exists) continue;
    if (!(body.kind == BodyKind::fixed       ? among.fixed
          : body.kind == BodyKind::kinematic ? among.kinematic
                                             : among.dynamic))
      continue;
    for (std::uint32_t k = 0; k < body.shapes.size(); ++k) {
      const PlacedShape& s = world.bodies().shape(body.shapes[k]);
      if (s.def.sensor && !among.sensors) continue;
      if (may_meet(among.filter, s.def.filter)) each(WorldShape{world.bodies().id_of(slot), k}, s);
    }
  }
}

WorldAmong any_among(Random& random) {
  WorldAmong among;
  among.fixed = random.below(4) > 0;
  among.kinematic = random.below(4) > 0;
  among.dynamic = random.below(4) > 0;
  among.sensors = random.below(2) == 0;
  return among;
}

void compare_rays(const World& world, Random& random) {
  const WorldAmong among = any_among(random);
  const Ray ray{random.in_box({12, 12, 8}), random.direction()};
  const RayCastOptions options{.max_t = random.below(3) == 0 ? INFINITY : random.uniform(0, 20)};
  std::vector<WorldRayHit> all;
  ASSERT_EQ(ray_cast_all(world, ray, all, options, among), Status::ok);
  std::vector<std::tuple<std::uint32_t, std::uint32_t, double>> expected, found;
  for_each_shape(world, among, [&](const WorldShape& name, const PlacedShape& s) {
    const RayHit hit = ray_cast(s.def.shape, s.world, ray, options);
    if (hit) expected.emplace_back(name.body.slot, name.shape, hit.t);
  });
  for (const WorldRayHit& h : all) found.emplace_back(h.shape.body.slot, h.shape.shape, h.hit.t);
  for (std::size_t i = 1; i < all.size(); ++i) EXPECT_LE(all[i - 1].key, all[i].key);
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, expected);
  const WorldRayHit first = ray_cast(world, ray, options, among);
  EXPECT_EQ(static_cast<bool>(first), !expected.empty());
  EXPECT_EQ(ray_cast_any(world, ray, options, among).any, !expected.empty());
  if (first) {
    EXPECT_TRUE(first.shape == all[0].shape);
    EXPECT_EQ(first.hit.t, all[0].hit.t);
  }
}

void compare_casts(const World& world, Random& random, const Shape& shape) {
  const WorldAmong among = any_among(random);
  const Pose pose{random.rotation(), random.in_box({8, 8, 4}) + Vec3{0, 0, 3}};
  const Vec3 way = random.in_box({10, 10, 10});
  std::vector<WorldShapeCast> all;
  ASSERT_EQ(shape_cast_all(world, shape, pose, way, all, {}, among), Status::ok);
  std::vector<std::tuple<std::uint32_t, std::uint32_t, double>> expected, found;
  for_each_shape(world, among, [&](const WorldShape& name, const PlacedShape& s) {
    const ShapeCast cast = shape_cast(shape, pose, way, s.def.shape, s.world);
    if (cast) expected.emplace_back(name.body.slot, name.shape, cast.t);
  });
  for (const WorldShapeCast& h : all)
    found.emplace_back(h.shape.body.slot, h.shape.shape, h.cast.t);
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, expected);
  const WorldShapeCast first = shape_cast(world, shape, pose, way, {}, among);
  EXPECT_EQ(static_cast<bool>(first), !expected.empty());
  EXPECT_EQ(shape_cast_any(world, shape, pose, way, {}, among).any, !expected.empty());
  if (first) {
    EXPECT_TRUE(first.shape == all[0].shape);
  }
}

void compare_overlaps(const World& world, Random& random, const Shape& shape) {
  const WorldAmong among = any_among(random);
  const Pose pose{random.rotation(), random.in_box({8, 8, 2}) + Vec3{0, 0, 1}};
  std::vector<WorldOverlap> all;
  ASSERT_EQ(overlapping(world, shape, pose, all, among), Status::ok);
  std::vector<std::tuple<std::uint32_t, std::uint32_t>> expected, found;
  for_each_shape(world, among, [&](const WorldShape& name, const PlacedShape& s) {
    if (overlap(shape, pose, s.def.shape, s.world)) expected.push_back(order_of(name));
  });
  for (const WorldOverlap& h : all) found.push_back(order_of(h.shape));
  EXPECT_EQ(found, expected); // sorted by body and shape, both
  EXPECT_EQ(overlapping_any(world, shape, pose, among).any, !expected.empty());
  const Aabb box = bounds(shape, pose);
  std::vector<WorldShape> boxes;
  ASSERT_EQ(boxes_in(world, box, boxes, among), Status::ok);
  EXPECT_GE(boxes.size(), all.size());
  EXPECT_TRUE(
      std::is_sorted(boxes.begin(), boxes.end(), [](const WorldShape& a, const WorldShape& b) {
        return order_of(a) < order_of(b);
      }));
}

TEST(WorldQueries, AsBruteForceHasIt) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    BusyScene scene(seed);
    for (int i = 0; i < 40; ++i) scene.step();
    World& world = scene.world();
    world.add({.shape = Shape::half_space({0, 0, 1}, -2).value(), .kind = BodyKind::fixed}).value();
    Random random(seed);
    const Shape probes[] = {ball(0.8), cube(1), rock(random, 1.2), dumbbell(), dented_mesh(1)};
    for (std::uint64_t i = 0; i < fewer_when_sanitized(150) && !HasFailure(); ++i) {
      compare_rays(world, random);
      compare_casts(world, random, probes[i % 5]);
      compare_overlaps(world, random, probes[i % 5]);
    }
  }
}

TEST(WorldQueries, MasksAndBadInput) {
  World world;
  const BodyId a = world.add({.shape = cube(), .filter = {.category = 2}}).value();
  const BodyId b =
      world.add({.shape = cube(), .pose = Pose::at({3, 0, 0}), .filter = {.category = 4}}).value();
  const Ray ray{{-5, 0, 0}, {1, 0, 0}};
  EXPECT_TRUE(ray_cast(world, ray).shape.body == a);
  EXPECT_TRUE(ray_cast(world, ray, {}, {.filter = {.category = ~0ULL, .mask = 4}}).shape.body == b);
  const auto not_a = [&](const WorldShape& s) { return !(s.body == a); };
  EXPECT_TRUE(ray_cast(world, ray, {}, {.accept = not_a}).shape.body == b);
  EXPECT_EQ(ray_cast(world, Ray{{NAN, 0, 0}, {1, 0, 0}}).hit.status, Status::bad_input);
  EXPECT_EQ(shape_cast(world, ball(), {}, {INFINITY, 0, 0}).cast.status, Status::bad_input);
  std::vector<WorldOverlap> found;
  EXPECT_EQ(overlapping(world, ball(), Pose::at({NAN, 0, 0}), found), Status::bad_input);
  std::vector<WorldShape> boxes;
  EXPECT_EQ(boxes_in(world, Aabb{}, boxes), Status::bad_input);
  // Half-spaces may move: they are looked at in all of the world.
  const Shape below = Shape::half_space({0, 0, 1}, 0).value();
  EXPECT_TRUE(shape_cast(world, below, Pose::at({0, 0, -5}), {0, 0, 6}));
}

TEST(WorldQueries, FromManyThreads) {
  BusyScene scene(5);
  for (int i = 0; i < 60; ++i) scene.step();
  const World& world = scene.world();
  const auto ask = [&](std::uint64_t seed) {
    Random random(seed);
    std::uint64_t h = 0;
    for (int i = 0; i < 200; ++i) {
      const Ray ray{random.in_box({12, 12, 8}), random.direction()};
      const WorldRayHit hit = ray_cast(world, ray);
      h = mix_bits(h, hit ? hit.shape.body.slot + 1 : 0);
      const Pose pose = Pose::at(random.in_box({8, 8, 2}));
      std::vector<WorldOverlap> found;
      overlapping(world, ball(), pose, found);
      h = mix_bits(h, found.size());
    }
    return h;
  };
  std::uint64_t alone[4], together[4];
  for (std::uint64_t i = 0; i < 4; ++i) alone[i] = ask(i);
  std::vector<std::thread> threads;
  for (std::uint64_t i = 0; i < 4; ++i) threads.emplace_back([&, i] { together[i] = ask(i); });
  for (std::thread& t : threads) t.join();
  for (int i = 0; i < 4; ++i) EXPECT_EQ(alone[i], together[i]);
}

} // namespace
} // namespace carom::test
