#include "carom/shape/height_field_rays.h"

#include "carom/geometry/cast_flat.h"
#include "tests/shape/height_field_cases.h"
#include "tests/support/property.h"

#include <limits>

namespace carom::test {
namespace {

// ---- by brute force

std::vector<RayTriangle> hits_by_all(const HeightField& field, const TriangleRay& query) {
  std::vector<RayTriangle> result;
  for (std::uint32_t i = 0; i < field.triangle_count(); ++i) {
    if (field.hole(i / 2)) continue;
    const TriangleHit hit = cast(query.ray, field.triangle(i), query.t_max);
    if (hit.hit && (query.faces == Faces::both || hit.front == (query.faces == Faces::front)))
      result.push_back({i, hit.t});
  }
  return result;
}

/// The three answers are those of all triangles one by one, to the bit.
::testing::AssertionResult agrees(const HeightField& field, const TriangleRay& query) {
  const std::vector<RayTriangle> expected = hits_by_all(field, query);
  RayTriangle first;
  for (const RayTriangle& hit : expected)
    if (!first || hit.t < first.t) first = hit;
  const RayTriangle found = first_hit(field, query);
  const auto say = [&](const char* what) {
    const auto& [o, d] = query.ray;
    return ::testing::AssertionFailure()
           << what << ": from " << o.x << " " << o.y << " " << o.z << " along " << d.x << " " << d.y
           << " " << d.z << " up to " << query.t_max << ": triangle " << found.triangle << " at "
           << found.t << ", should be " << first.triangle << " at " << first.t;
  };
  if (!(found == first)) return say("first");
  if (any_hit(field, query) != !expected.empty()) return say("any");
  std::vector<RayTriangle> all;
  all_hits(field, query, [&](const RayTriangle& hit) {
    all.push_back(hit);
    return true;
  });
  std::sort(all.begin(), all.end(),
            [](const auto& a, const auto& b) { return a.triangle < b.triangle; });
  if (!std::equal(all.begin(), all.end(), expected.begin(), expected.end())) return say("all");
  return ::testing::AssertionSuccess();
}

// ---- rays

/// Toward the surface, through its vertices and edges, along the axes and the lines of the grid, in its planes; from above, below, beside, on it, near and far.
Ray ray_at(Source& source, const HeightField& field) {
  const double size = size_of(field);
  const Vec3 target = point_on(source, field);
  const Vec3 other = point_on(source, field);
  const Vec3 way = direction(source);
  static constexpr double distances[] = {0, 0, 0.5, 1, 3, 10, 1e3, 1e6, 1e10, 1e20};
  const double distance = distances[source.index(10)] * size;
  const double length = std::ldexp(1.0, 10 - source.index(20));
  Vec3 origin = target - way * distance, along = way * length;
  switch (source.index(8)) {
  case 0: // from one point of the surface to another: often in the plane of a triangle
    origin = target;
    along = other - target;
    break;
  case 1: // the exact difference of two points where that is a number
    along = target - origin;
    break;
  case 2:
    along = Vec3{};
    break;
  case 3: // along a line of the grid, at some height
    origin = {field.x(static_cast<std::uint32_t>(source.below(field.columns()))), -distance,
              target.z};
    along = {0, length, 0};
    break;
  case 4: // along a diagonal
    along = {field.spacing_x() * length, field.spacing_y() * length, 0};
    origin = target - along;
    break;
  default:
    break;
  }
  return {into_range(origin), into_range(along)};
}

TriangleRay query_at(Source& source, const HeightField& field) {
  TriangleRay result{ray_at(source, field)};
  const int kind = source.index(6);
  result.faces = static_cast<Faces>(source.index(3));
  const std::vector<RayTriangle> hits = hits_by_all(field, result);
  // Just at a hit, between hits, none at all.
  if (kind == 0 && !hits.empty()) result.t_max = hits[source.below(hits.size())].t;
  if (kind == 1 && !hits.empty()) {
    const double t_hit = hits[source.below(hits.size())].t;
    result.t_max = t_hit * (1 - 0x1p-52);
  }
  if (kind == 2) result.t_max = source.unit();
  if (kind == 3 && source.chance(4)) result.t_max = -0x1p-40;
  return result;
}

// ---- tests

TEST(HeightFieldRays, AgreeWithAllTriangles) {
  for_each_seed(fewer_when_sanitized(500), [](Source& source) {
    const HeightField field = any_field(source);
    for (int i = 0; i < 40; ++i) {
      const TriangleRay query = query_at(source, field);
      EXPECT_TRUE(agrees(field, query));
    }
  });
}

// Through vertices and edges, and a last bit beside them.
TEST(HeightFieldRays, CloseToEdges) {
  const HeightField field = terrain_of(18, 23,
                                       [](std::uint32_t i, std::uint32_t j) {
                                         return std::sin(0.7 * i) + std::cos(1.1 * j);
                                       })
                                .build()
                                .value();
  for_each_seed(fewer_when_sanitized(3000), [&](Source& source) {
    Vec3 target = point_on(source, field);
    const int axis = source.index(3);
    const double last_bits = (source.index(5) - 2) * 0x1p-50;
    target[axis] += last_bits;
    const double distance = std::ldexp(1.0, source.index(40));
    const Vec3 origin = target + direction(source) * distance;
    EXPECT_TRUE(agrees(field, {{origin, target - origin}}));
  });
}

// Nothing comes from above to below within the field's outline without meeting it.
TEST(HeightFieldRays, NoWayThrough) {
  const HeightField field =
      terrain_of(34, 27,
                 [](std::uint32_t i, std::uint32_t j) { return (i * 7 + j * 13) % 5 * 0.7; })
          .build()
          .value();
  for_each_seed(fewer_when_sanitized(20'000), [&](Source& source) {
    const Vec3 on = point_on(source, field);
    const Vec3 way = direction(source);
    const Vec3 above{on.x + way.x, on.y + way.y, 4 + source.unit()};
    const Vec3 below{on.x - way.x * 0.1, on.y - way.y * 0.1, -1};
    const auto inside = [&](const Vec3& p) {
      return p.x >= 0 && p.x <= 33 && p.y >= 0 && p.y <= 26;
    };
    if (!inside(above) || !inside(below)) return;
    EXPECT_TRUE(any_hit(field, {{above, below - above}, 1, Faces::front}));
    EXPECT_TRUE(first_hit(field, {{below, above - below}, 1, Faces::back}));
  });
}

TEST(HeightFieldRays, StraightDownOnAVertex) {
  const HeightField field =
      terrain_of(9, 9, [](std::uint32_t i, std::uint32_t j) { return i * 0.5 + j; })
          .build()
          .value();
  // Six triangles meet at an inner vertex; the lowest number is that of the cell before it in both directions.
  const TriangleRay down{{{4, 4, 100}, {0, 0, -1}}};
  EXPECT_EQ(first_hit(field, down), (RayTriangle{2 * field.cell(3, 3), 94}));
  int count = 0;
  all_hits(field, down, [&](const RayTriangle& hit) {
    EXPECT_EQ(hit.t, 94);
    ++count;
    return true;
  });
  EXPECT_EQ(count, 6);
  EXPECT_FALSE(any_hit(field, {{{4, 4, 100}, {0, 0, -1}}, INFINITY, Faces::back}));
  EXPECT_FALSE(any_hit(field, {{{4, 4, 100}, {0, 0, 1}}}));
  // On the last corner, and just beyond.
  EXPECT_TRUE(any_hit(field, {{{8, 8, 100}, {0, 0, -1}}}));
  EXPECT_FALSE(any_hit(field, {{{8 + 0x1p-49, 8, 100}, {0, 0, -1}}}));
  EXPECT_FALSE(any_hit(field, {{{-0x1p-52, 8, 100}, {0, 0, -1}}}));
}

TEST(HeightFieldRays, InThePlaneOfAFlatField) {
  const HeightField field =
      terrain_of(20, 10, [](std::uint32_t, std::uint32_t) { return 2.0; }).build().value();
  const TriangleRay along{{{-3, 4, 2}, {1, 0, 0}}};
  EXPECT_EQ(first_hit(field, along).t, 3);
  EXPECT_TRUE(agrees(field, along));
  EXPECT_TRUE(agrees(field, {{{-3, 4.5, 2}, {1, 0, 0}}}));
  EXPECT_TRUE(agrees(field, {{{7.5, 4.5, 2}, {-1, -0.5, 0}}}));
  EXPECT_TRUE(agrees(field, {{{7.5, 4.5, 2}, {}}}));
  EXPECT_FALSE(any_hit(field, {{{-3, 4, 2 + 0x1p-50}, {1, 0, 0}}}));
}

TEST(HeightFieldRays, AHoleLetsThrough) {
  Terrain t = terrain_of(10, 10, [](std::uint32_t, std::uint32_t) { return 0.0; });
  t.holes.assign(81, 0);
  t.holes[4 * 9 + 4] = 1;
  const HeightField field = t.build().value();
  EXPECT_FALSE(any_hit(field, {{{4.5, 4.25, 1}, {0, 0, -1}}}));
  EXPECT_TRUE(any_hit(field, {{{4, 4.25, 1}, {0, 0, -1}}})); // its edges are the neighbours'
  EXPECT_TRUE(any_hit(field, {{{5, 5, 1}, {0, 0, -1}}}));
  EXPECT_EQ(first_hit(field, {{{4.5, 4.5, 1}, {0.5, 0, -1}}}).t, 1);
}

TEST(HeightFieldRays, TheCallbackMayEndTheSearch) {
  const HeightField field =
      terrain_of(9, 9, [](std::uint32_t, std::uint32_t) { return 0.0; }).build().value();
  int count = 0;
  all_hits(field, {{{4, 4, 1}, {0, 0, -1}}}, [&](const RayTriangle&) { return ++count < 2; });
  EXPECT_EQ(count, 2);
}

TEST(HeightFieldRays, NumbersOutOfRange) {
  const HeightField field =
      terrain_of(9, 9, [](std::uint32_t, std::uint32_t) { return 0.0; }).build().value();
  const double bad[] = {std::numeric_limits<double>::quiet_NaN(), INFINITY, -INFINITY, 1e31,
                        -1e300};
  for (const double x : bad) {
    for (int i = 0; i < 3; ++i) {
      TriangleRay from{{{4, 4, 1}, {0, 0, -1}}}, along = from;
      from.ray.origin[i] = x;
      along.ray.direction[i] = x;
      EXPECT_FALSE(first_hit(field, from));
      EXPECT_FALSE(any_hit(field, along));
    }
  }
  EXPECT_FALSE(any_hit(field, {{{4, 4, 1}, {0, 0, -1}}, bad[0]}));
  EXPECT_FALSE(any_hit(field, {{{4, 4, 1}, {0, 0, -1}}, -1}));
  // Too small to be in range: any answer.
  const double tiny[] = {1e-40, 1e-200, 1e-310, 5e-324};
  for (const double x : tiny) {
    const RayTriangle hit = first_hit(field, {{{4, 4, 1e-30}, {x, 0, -x}}});
    EXPECT_TRUE(!hit || hit.triangle < field.triangle_count());
    const RayTriangle far = first_hit(field, {{{4, 4, 1e30}, {x, 0, -x}}});
    EXPECT_TRUE(!far || far.triangle < field.triangle_count());
  }
}

// From so far away that doubles cannot place a point within the field, the ray is still the line it says, and few cells are asked: were it all of them, this would take minutes.
TEST(HeightFieldRays, FromVeryFarAwayOntoALargeField) {
  constexpr std::uint32_t n = 1025;
  const HeightField field =
      terrain_of(n, n,
                 [](std::uint32_t i, std::uint32_t j) { return (i * 37 + j * 11) % 64 * 0.1; })
          .build()
          .value();
  for_each_seed(fewer_when_sanitized(2000), [&](Source& source) {
    const auto number = static_cast<std::uint32_t>(source.below(field.triangle_count()));
    const Triangle t = field.triangle(number);
    const double distance = std::ldexp(1.0, source.index(90));
    // The origin keeps x and y of a point inside the triangle; the direction is exact.
    const Vec3 inside = t.at({0.25, 0.25, 0.5});
    const TriangleRay down{{{inside.x, inside.y, distance + 10}, {0, 0, -1}}};
    EXPECT_EQ(first_hit(field, down).triangle, number);
    // Sideways: o = target - 2^k d with both exact.
    const double k = std::ldexp(1.0, 10 + source.index(30));
    const Vec3 vertex = {t.a.x, t.a.y, std::round(t.a.z)};
    const Vec3 d{3 - source.index(7) * 1.0, 2, -1};
    const TriangleRay side{{vertex - d * k, d}};
    const RayTriangle hit = first_hit(field, side);
    if (hit) {
      const TriangleHit exact = cast(side.ray, field.triangle(hit.triangle));
      EXPECT_TRUE(exact.hit);
      EXPECT_EQ(exact.t, hit.t);
    }
  });
}

// A crossing at a low angle of the largest field that is asked for, and no time to look at all of its 33 million triangles.
TEST(HeightFieldRays, AcrossAFieldOf4096Squared) {
#ifdef CAROM_SANITIZED
  constexpr std::uint32_t n = 512;
#else
  constexpr std::uint32_t n = 4096;
#endif
  Terrain t(n + 1, n + 1);
  t.shorts.resize(t.samples());
  // A wall of height 100 at three quarters of the way, else less than 64.
  for (std::uint32_t j = 0, k = 0; j <= n; ++j)
    for (std::uint32_t i = 0; i <= n; ++i, ++k)
      t.shorts[k] = i == n / 4 * 3 ? 100 : static_cast<std::uint16_t>((i * 3 ^ j * 5) & 63);
  const HeightField field = t.build().value();
  for_each_seed(1000, [&](Source& source) {
    const double y = source.uniform(1, n - 1.0);
    const double z = source.uniform(64, 99);
    const double slope = source.uniform(-0.0001, 0.0001);
    const RayTriangle hit = first_hit(field, {{{-10, y, z}, {1, slope, 0}}});
    ASSERT_TRUE(hit);
    const std::uint32_t column = hit.triangle / 2 % n;
    EXPECT_EQ(column, n / 4 * 3 - 1);
    EXPECT_FALSE(any_hit(field, {{{-10, y, z + 37}, {1, slope, 0}}}));
  });
}

} // namespace
} // namespace carom::test
