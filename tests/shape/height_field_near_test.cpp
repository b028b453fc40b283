#include "carom/shape/height_field_near.h"

#include "tests/shape/height_field_cases.h"
#include "tests/support/property.h"

#include <limits>

namespace carom::test {
namespace {

// ---- by brute force

std::vector<std::uint32_t> in_box_by_all(const HeightField& field, const Aabb& box) {
  std::vector<std::uint32_t> result;
  for (std::uint32_t i = 0; i < field.triangle_count(); ++i) {
    if (field.hole(i / 2)) continue;
    const Triangle t = field.triangle(i);
    const Vec3 low = min(min(t.a, t.b), t.c), high = max(max(t.a, t.b), t.c);
    bool touch = true;
    for (int k = 0; k < 3; ++k) touch = touch && low[k] <= box.max[k] && box.min[k] <= high[k];
    if (touch) result.push_back(i);
  }
  return result;
}

std::vector<std::uint32_t> in_box(const HeightField& field, const Aabb& box) {
  std::vector<std::uint32_t> result;
  const bool to_the_end = visit_triangles(field, box, [&](std::uint32_t i) {
    result.push_back(i);
    return true;
  });
  EXPECT_TRUE(to_the_end);
  std::sort(result.begin(), result.end());
  return result;
}

NearTriangle nearest_by_all(const HeightField& field, const Vec3& p, double max_distance) {
  NearTriangle best;
  for (std::uint32_t i = 0; i < field.triangle_count(); ++i) {
    if (field.hole(i / 2)) continue;
    const NearTriangle near{i, closest_point(p, field.triangle(i))};
    if (!(near.on.distance <= max_distance)) continue;
    if (!best || near.on.distance < best.on.distance) best = near;
  }
  return best;
}

// ---- points

/// On the surface, near it, above, below, beside, far away.
Vec3 point_near(Source& source, const HeightField& field, int distances) {
  const Vec3 on = point_on(source, field);
  static constexpr double factors[] = {0, 1e-9, 1e-3, 0.1, 1, 10, 300, 1e6, 1e12, 1e20};
  const double distance = factors[source.index(distances)] * size_of(field);
  const Vec3 way = direction(source);
  return into_range(on + way * distance);
}

// ---- boxes

TEST(HeightFieldNear, BoxesAgreeWithAllTriangles) {
  for_each_seed(fewer_when_sanitized(600), [](Source& source) {
    const HeightField field = any_field(source);
    for (int i = 0; i < 30; ++i) {
      const Vec3 p = point_near(source, field, 5);
      const Vec3 q = point_on(source, field);
      const double size = size_of(field);
      const int kind = source.index(4);
      Aabb box{min(p, q), max(p, q)}; // corners on vertices: touching
      if (kind == 0) box = {p, p};
      if (kind == 1) {
        const double half = positive(source) * size * 0.05;
        box = {p - Vec3{half, half, half}, p + Vec3{half, half, half}};
      }
      if (kind == 2) box = {{p.x, p.y, -INFINITY}, {p.x, p.y, INFINITY}};
      EXPECT_EQ(in_box(field, box), in_box_by_all(field, box));
    }
  });
}

TEST(HeightFieldNear, BoxesByNumbersOutOfRange) {
  const HeightField field =
      terrain_of(9, 9, [](std::uint32_t, std::uint32_t) { return 0.0; }).build().value();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(in_box(field, {}).empty());
  EXPECT_TRUE(in_box(field, {{nan, 0, 0}, {1, 1, 1}}).empty());
  EXPECT_TRUE(in_box(field, {{0, 0, 0}, {1, nan, 1}}).empty());
  const Aabb everything{{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
  EXPECT_EQ(in_box(field, everything).size(), 128u);
  EXPECT_EQ(in_box(field, {{-1e300, -1e300, -1}, {1e300, 1e300, 1}}).size(), 128u);
  EXPECT_EQ(in_box(field, {{8, 8, 0}, {9, 9, 1}}).size(),
            2u); // both have the last corner or reach it with their boxes
}

TEST(HeightFieldNear, TheCallbackMayEndTheSearch) {
  const HeightField field =
      terrain_of(40, 40, [](std::uint32_t, std::uint32_t) { return 0.0; }).build().value();
  int count = 0;
  EXPECT_FALSE(visit_triangles(field, field.bounds(), [&](std::uint32_t) { return ++count < 5; }));
  EXPECT_EQ(count, 5);
}

// ---- nearest points

TEST(HeightFieldNear, NearestAgreesWithAllTriangles) {
  for_each_seed(fewer_when_sanitized(600), [](Source& source) {
    const HeightField field = any_field(source);
    // The far bound is relative to the coordinates, not to the extent.
    for (int i = 0; i < 20; ++i) {
      const Vec3 p = point_near(source, field, 7);
      const NearTriangle all = nearest_by_all(field, p, INFINITY);
      const int kind = source.index(4);
      const double d = all.on.distance;
      const double limit = kind == 0   ? d
                           : kind == 1 ? d * 1.5
                           : kind == 2 ? d * (1 - 0x1p-52)
                                       : INFINITY;
      const NearTriangle expected = nearest_by_all(field, p, limit);
      const NearTriangle found = nearest_triangle(field, p, limit);
      EXPECT_EQ(found.triangle, expected.triangle);
      EXPECT_EQ(found.on.point, expected.on.point);
      EXPECT_EQ(found.on.distance, expected.on.distance);
      EXPECT_EQ(found.on.barycentric, expected.on.barycentric);
    }
  });
}

TEST(HeightFieldNear, NearestFromFarAway) {
  for_each_seed(fewer_when_sanitized(300), [](Source& source) {
    const HeightField field = any_field(source);
    for (int i = 0; i < 20; ++i) {
      const Vec3 p = point_near(source, field, 10);
      const NearTriangle expected = nearest_by_all(field, p, INFINITY);
      const NearTriangle found = nearest_triangle(field, p);
      ASSERT_TRUE(found);
      EXPECT_FALSE(field.hole(found.triangle / 2));
      const double size =
          std::max({max_abs(p), max_abs(field.bounds().min), max_abs(field.bounds().max)});
      EXPECT_LE(found.on.distance, expected.on.distance + 0x1p-47 * size);
    }
  });
}

// All cells at the same distance but for rounding: no reason to ask all of them.
TEST(HeightFieldNear, FarAboveALargePlain) {
  constexpr std::uint32_t n = 1025;
  const HeightField field =
      terrain_of(n, n, [](std::uint32_t, std::uint32_t) { return 1.0; }).build().value();
  for_each_seed(fewer_when_sanitized(2000), [&](Source& source) {
    const double height = std::ldexp(1.0, source.index(99));
    const double x = source.uniform(0, n - 1.0);
    const double y = source.uniform(0, n - 1.0);
    const NearTriangle found = nearest_triangle(field, {x, y, height});
    ASSERT_TRUE(found);
    EXPECT_NEAR(found.on.distance, std::fabs(height - 1), 0x1p-46 * std::max(height, 1024.0));
  });
}

TEST(HeightFieldNear, NothingToFind) {
  const HeightField field =
      terrain_of(9, 9, [](std::uint32_t, std::uint32_t) { return 0.0; }).build().value();
  EXPECT_FALSE(nearest_triangle(field, {4, 4, 2}, 1.75));
  EXPECT_TRUE(nearest_triangle(field, {4, 4, 2}, 2));
  EXPECT_TRUE(nearest_triangle(field, {4, 4, 0}, 0));
  EXPECT_FALSE(nearest_triangle(field, {4, 4, 0}, -1));
  const double bad[] = {std::numeric_limits<double>::quiet_NaN(), INFINITY, -INFINITY, 1e31};
  for (const double x : bad) EXPECT_FALSE(nearest_triangle(field, {0, x, 0}));
  EXPECT_FALSE(nearest_triangle(field, {4, 4, 2}, bad[0]));
}

TEST(HeightFieldNear, TiesGoToTheLowestNumber) {
  const HeightField field =
      terrain_of(9, 9, [](std::uint32_t, std::uint32_t) { return 0.0; }).build().value();
  EXPECT_EQ(nearest_triangle(field, {4, 4, 3}).triangle, 2 * field.cell(3, 3));
}

} // namespace
} // namespace carom::test
