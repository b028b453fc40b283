// Height fields: what the pairs of all kinds (composite_pairs_test.cpp) do not ask, against brute force over the checker's own list of triangles.
#include "carom/query/closest_point.h"
#include "carom/query/distance.h"
#include "carom/query/overlap.h"
#include "carom/query/prove.h"
#include "carom/query/ray_cast_all.h"
#include "carom/shape/composite.h"
#include "carom/shape/support.h"
#include "carom/verify/check_proof.h"
#include "carom/verify/parts.h"
#include "tests/shape/height_field_cases.h"
#include "tests/support/procedural_meshes.h"
#include "tests/support/property.h"

namespace carom::test {
namespace {

Shape field(Source& source) {
  const auto columns = static_cast<std::uint32_t>(2 + source.index(6));
  const auto rows = static_cast<std::uint32_t>(2 + source.index(6));
  Terrain t(columns, rows);
  for (std::size_t i = 0; i < t.samples(); ++i)
    t.floats.push_back(static_cast<float>(0.5 * real(source)));
  const bool holes = source.chance(2);
  for (std::size_t i = 0; i < t.cells(); ++i) {
    if (holes) t.holes.push_back(source.chance(3) ? 1 : 0);
    t.materials.push_back(static_cast<std::uint8_t>(i));
  }
  if (holes) t.holes[source.below(t.cells())] = 0;
  t.input.spacing_x = 0.75;
  t.input.spacing_y = 0.5;
  t.input.diagonal = static_cast<Diagonal>(source.index(3));
  EXPECT_TRUE(t.build().has_value());
  const Shape shape = Shape::height_field(t.input).value();
  return source.chance(4) ? shape.rounded(0.125).value() : shape;
}

/// Lengths are some units; answers are right to 1e-12 of them.
constexpr double close = 2e-11;

// Parts that are asked about although they are beyond the limit are there, too: never those of holes.
TEST(HeightFieldQueries, DistancesAndTheirProofs) {
  const Shape ball = Shape::sphere(0.25).value();
  for_each_seed(fewer_when_sanitized(300), [&](Source& source) {
    const verify::PlacedShape f{field(source), {rotation(source), {1, 2, 3}}};
    const Vec3 aside = direction(source);
    const verify::PlacedShape b{ball, Pose::at(bounds(f.shape, f.pose).center() + aside * 4)};
    double least = INFINITY;
    const auto parts = verify::convex_parts(f);
    for (const auto& part : parts)
      least = std::min(least, distance(part.placed.shape, part.placed.pose, ball, b.pose).value);
    const Distance d = distance(f.shape, f.pose, ball, b.pose);
    EXPECT_NEAR(d.value, least, close);
    const Distance limited = distance(f.shape, f.pose, ball, b.pose, {.limit = least / 2});
    EXPECT_GE(limited.value, least - close);
    const auto named = std::find_if(parts.begin(), parts.end(),
                                    [&](const auto& part) { return part.id == limited.part_a; });
    EXPECT_NE(named, parts.end());
    if (!(d.value > 0)) return;
    const auto proof = prove(f.shape, f.pose, ball, b.pose, d);
    ASSERT_TRUE(proof);
    const auto verdict = verify::check_proof(f, b, *proof, close);
    EXPECT_TRUE(verdict) << verdict.why;
  });
}

TEST(HeightFieldQueries, Rays) {
  int hits = 0;
  for_each_seed(fewer_when_sanitized(1500), [&](Source& source) {
    const verify::PlacedShape f{field(source), {rotation(source), {1, 2, 3}}};
    const Vec3 middle = bounds(f.shape, f.pose).center();
    const Vec3 way = direction(source);
    const Vec3 aside = vec3(source);
    const Ray ray{middle + way * 5, middle + aside - (middle + way * 5)};
    const RayHit hit = ray_cast(f.shape, f.pose, ray, {.max_t = 3});
    std::vector<RayHit> all;
    ray_cast_all(f.shape, f.pose, ray, all, {.max_t = 3});
    std::vector<std::pair<PartId, double>> expected;
    for (const auto& part : verify::convex_parts(f)) {
      const RayHit h = ray_cast(part.placed.shape, part.placed.pose, ray, {.max_t = 3});
      if (h.hit) expected.push_back({part.id, h.t});
    }
    double first = INFINITY;
    for (const auto& [id, t] : expected) first = std::min(first, t);
    EXPECT_EQ(hit.hit, !expected.empty());
    EXPECT_EQ(all.size(), expected.size());
    if (!hit.hit || expected.size() != all.size()) return;
    ++hits;
    EXPECT_NEAR(hit.t, first, close);
    EXPECT_EQ(hit.t, all[0].t);
    EXPECT_LE(dot(hit.normal, ray.direction), 0);
    for (const RayHit& h : all) {
      const auto same = std::find_if(expected.begin(), expected.end(),
                                     [&](const auto& e) { return e.first == h.part; });
      ASSERT_NE(same, expected.end());
      EXPECT_NEAR(h.t, same->second, close);
    }
  });
  EXPECT_GT(hits, 50);
}

TEST(HeightFieldQueries, DownIsTheFront) {
  Terrain t = terrain_of(3, 3, [](std::uint32_t, std::uint32_t) { return 1.0; });
  t.materials = {1, 2, 3, 4};
  ASSERT_TRUE(t.build());
  const Shape shape = Shape::height_field(t.input).value();
  const Ray down{{1.75, 0.5, 4}, {0, 0, -1}}, up{{1.75, 0.5, -2}, {0, 0, 1}};
  const RayHit from_above = ray_cast(shape, {}, down), from_below = ray_cast(shape, {}, up);
  ASSERT_TRUE(from_above.hit && from_below.hit);
  EXPECT_TRUE(from_above.front);
  EXPECT_FALSE(from_below.front);
  EXPECT_EQ(from_above.normal, (Vec3{0, 0, 1}));
  EXPECT_EQ(from_below.normal, (Vec3{0, 0, -1}));
  EXPECT_EQ(from_above.part, (PartId{2, 0, 2}));
  EXPECT_EQ(from_above.t, 3);
  EXPECT_FALSE(ray_cast(shape, {}, up, {.faces = Faces::front}).hit);
}

TEST(HeightFieldQueries, NearestPoints) {
  for_each_seed(fewer_when_sanitized(1500), [&](Source& source) {
    const verify::PlacedShape f{field(source), {rotation(source), {1, 2, 3}}};
    const Vec3 p = vec3(source) * 3.0;
    const SurfacePoint s = closest_point(p, f.shape, f.pose);
    double least = INFINITY;
    for (const auto& part : verify::convex_parts(f))
      least = std::min(least, closest_point(p, part.placed.shape, part.placed.pose).value);
    // Of a rounded triangle that p is inside of, it is the depth from the core.
    EXPECT_NEAR(s.value, least, close);
    EXPECT_NEAR(distance_squared(p, s.point), s.value * s.value, close);
  });
  // As far away as anything may be.
  Source&& source = RandomSource(1);
  const Shape f = field(source);
  const SurfacePoint far =
      closest_point({1e30, 1e30, 1e30}, f, Pose{rotation(source), {-1e30, -1e30, -1e30}});
  EXPECT_NEAR(far.value, std::sqrt(12.0) * 1e30, 1e16);
}

// A piece of the field that touches nothing, inside of a solid; the rest of the field is outside.
TEST(HeightFieldQueries, APieceInsideOfASolid) {
  Terrain t = terrain_of(12, 12, [](std::uint32_t, std::uint32_t) { return 0.0; });
  t.holes.assign(t.cells(), 0);
  for (std::uint32_t j = 3; j < 8; ++j)
    for (std::uint32_t i = 3; i < 8; ++i) t.holes[j * 11 + i] = 1;
  t.holes[5 * 11 + 5] = 0;
  ASSERT_TRUE(t.build());
  const Shape with_island = Shape::height_field(t.input).value();
  t.holes[5 * 11 + 5] = 1;
  const Shape without = Shape::height_field(t.input).value();
  PolygonMesh cube = cube_mesh();
  const Shape solid = Shape::mesh(cube).value().scaled({2, 2, 2}).value();
  const Aabb box = bounds(solid);
  ASSERT_GT(box.max.x - box.min.x, 1);
  ASSERT_LT(box.max.x - box.min.x, 5);
  const Pose around = Pose::at(Vec3{5.5, 5.5, 0} - box.center());
  EXPECT_TRUE(overlap(with_island, {}, solid, around));
  EXPECT_TRUE(overlap(solid, around, with_island, {}));
  EXPECT_EQ(distance(with_island, {}, solid, around).value, 0);
  EXPECT_FALSE(overlap(without, {}, solid, around));
  EXPECT_GT(distance(without, {}, solid, around).value, 0);
  const ShapeOverlap o = overlap(with_island, {}, solid, around);
  EXPECT_EQ(o.part_a.element / 2, 5U * 11 + 5);
  // A whole field without holes.
  t.holes.clear();
  ASSERT_TRUE(t.build());
  const Shape small = Shape::height_field(t.input).value().scaled({0.01, 0.01, 1}).value();
  EXPECT_TRUE(overlap(small, Pose::at({5.5, 5.5, 0}), solid, around));
}

} // namespace
} // namespace carom::test
