#include "carom/tree/triangle_nearest.h"

#include "tests/support/data_mesh.h"
#include "tests/support/property.h"
#include "tests/tree/triangle_cases.h"

#include <algorithm>
#include <limits>

namespace carom::test {
namespace {

// ---- by brute force

std::vector<NearTriangle> all_by_distance(const TriangleSurface& surface, const Vec3& p,
                                          double max_distance) {
  std::vector<NearTriangle> result;
  for (std::size_t i = 0; i < surface.size(); ++i) {
    const NearTriangle near{static_cast<std::uint32_t>(i), closest_point(p, surface[i])};
    if (near.on.distance <= max_distance) result.push_back(near);
  }
  std::stable_sort(result.begin(), result.end(),
                   [](const auto& a, const auto& b) { return a.on.distance < b.on.distance; });
  return result;
}

bool same(const NearTriangle& a, const NearTriangle& b) {
  return a.triangle == b.triangle && a.on.distance == b.on.distance && a.on.point == b.on.point &&
         a.on.barycentric == b.on.barycentric && a.on.feature == b.on.feature;
}

/// The nearest and the k nearest are those of all triangles one by one, to the bit.
::testing::AssertionResult agrees(const TriangleTree& tree, const TriangleSurface& surface,
                                  const Vec3& p, double max_distance, std::size_t k) {
  const std::vector<NearTriangle> expected = all_by_distance(surface, p, max_distance);
  const auto say = [&](const char* what, const NearTriangle& found, std::size_t i) {
    auto result = ::testing::AssertionFailure()
                  << what << ": from " << p.x << " " << p.y << " " << p.z << " within "
                  << max_distance << ": triangle " << found.triangle << " at " << found.on.distance;
    if (i < expected.size())
      result << ", should be " << expected[i].triangle << " at " << expected[i].on.distance;
    return result;
  };
  const NearTriangle nearest = nearest_triangle(tree, surface, p, max_distance);
  if (static_cast<bool>(nearest) == expected.empty()) return say("whether", nearest, 0);
  if (nearest && !same(nearest, expected[0])) return say("nearest", nearest, 0);
  std::vector<NearTriangle> room(k);
  const std::size_t count = nearest_triangles(tree, surface, p, room, max_distance);
  if (count != std::min(k, expected.size())) return say("how many", nearest, 0);
  for (std::size_t i = 0; i < count; ++i)
    if (!same(room[i], expected[i])) return say("of several", room[i], i);
  return ::testing::AssertionSuccess();
}

// ---- points

/// On the surface, near it, inside, outside, far away; over corners, edges and faces.
Vec3 point_near(Source& source, const Triangles& t) {
  const Aabb box = t.triangles.empty() ? Aabb{{0, 0, 0}, {1, 1, 1}} : t.box();
  const double size = std::max(max_abs(box.half()), 1e-20 * max_abs(box.max));
  const Triangle x =
      t.triangles.empty() ? Triangle{} : t.surface()[source.below(t.triangles.size())];
  const double u = source.unit();
  const double v = source.unit();
  const int kind = source.index(4);
  const Vec3 on = kind == 0   ? x.a
                  : kind == 1 ? x.b + (x.c - x.b) * 0.5
                  : kind == 2 ? box.center()
                              : x.a + (x.b - x.a) * (u * v) + (x.c - x.a) * (u * (1 - v));
  static constexpr double distances[] = {0, 1e-9, 1e-3, 0.1, 1, 10, 300, 1e3, 1e6, 1e12, 1e20};
  const double distance = distances[source.index(11)] * size;
  const Vec3 way = direction(source);
  Vec3 p = on + way * distance;
  for (int i = 0; i < 3; ++i) p[i] = in_range(std::clamp(p[i], -1e30, 1e30));
  return p;
}

// ---- tests

TEST(TriangleNearest, AgreesWithAllTriangles) {
  for_each_seed(fewer_when_sanitized(500), [](Source& source) {
    const Triangles t = any_triangles(source);
    const TriangleTree tree(t.surface());
    for (int i = 0; i < 20; ++i) {
      const Vec3 p = point_near(source, t);
      const std::size_t k = source.below(20) + 1;
      const double nearest =
          t.triangles.empty() ? 1 : all_by_distance(t.surface(), p, INFINITY).at(0).on.distance;
      const int kind = source.index(4);
      const double limit = kind == 0   ? nearest
                           : kind == 1 ? nearest * 1.5
                           : kind == 2 ? nearest * (1 - 0x1p-52)
                                       : INFINITY;
      EXPECT_TRUE(agrees(tree, t.surface(), p, limit, k));
    }
  });
}

// Needles and flats: their planes are noise in floats.
TEST(TriangleNearest, Slivers) {
  for_each_seed(fewer_when_sanitized(300), [](Source& source) {
    Triangles t;
    for (int i = 0; i < 40; ++i) {
      const Vec3 a = vec3(source);
      const Vec3 u = vec3(source);
      const Vec3 v = vec3(source);
      const double width = std::ldexp(1.0, -source.index(50));
      add_triangle(t, a, a + u, a + u * 0.7 + v * width);
    }
    const TriangleTree tree(t.surface());
    for (int i = 0; i < 20; ++i) {
      const Vec3 p = point_near(source, t);
      EXPECT_TRUE(agrees(tree, t.surface(), p, INFINITY, 5));
    }
  });
}

// All triangles are nearly as near: around the middle of a ball, and over a plane.
TEST(TriangleNearest, NearlyTheSameEverywhere) {
  for (const Triangles& t : {triangles_of(sphere_mesh(3)), triangles_of(sphere_mesh(3, 0x1p-30))}) {
    const TriangleTree tree(t.surface());
    for_each_seed(fewer_when_sanitized(200), [&](Source& source) {
      const Vec3 p = halved_vec3(source, 50);
      EXPECT_TRUE(agrees(tree, t.surface(), p, INFINITY, 3));
    });
  }
}

// However far away: there the whole surface looks like a point.
TEST(TriangleNearest, FarAway) {
  for (const double size : {1.0, 1e-20, 1e-29, 1e10}) {
    Triangles t = triangles_of(sphere_mesh(3, 0.1));
    place(t, size, {});
    const TriangleTree tree(t.surface());
    for_each_seed(fewer_when_sanitized(200), [&](Source& source) {
      const Vec3 way = direction(source);
      const double distance = std::min(size * std::pow(10.0, 0.5 * source.index(100)), 1e30);
      Vec3 p = way * distance;
      for (int i = 0; i < 3; ++i) p[i] = in_range(p[i]);
      EXPECT_TRUE(agrees(tree, t.surface(), p, INFINITY, 4));
    });
  }
}

// A small surface far from the origin: doubles themselves resolve little of it.
TEST(TriangleNearest, FarFromTheOrigin) {
  for (const double away : {1e6, 1e10, 1e13, 1e15}) {
    Triangles t = triangles_of(sphere_mesh(3, 0.1));
    place(t, 1, {away, -away, 0.5 * away});
    const TriangleTree tree(t.surface());
    for_each_seed(fewer_when_sanitized(100), [&](Source& source) {
      const Vec3 p = point_near(source, t);
      EXPECT_TRUE(agrees(tree, t.surface(), p, INFINITY, 4));
    });
  }
}

TEST(TriangleNearest, TiesGoToTheLowestNumber) {
  Triangles t;
  for (int i = 0; i < 50; ++i) add_triangle(t, {0, 0, 0}, {1, 0, 0}, {0, 1, 0});
  const TriangleTree tree(t.surface());
  EXPECT_EQ(nearest_triangle(tree, t.surface(), {0.25, 0.25, 1}).triangle, 0u);
  std::vector<NearTriangle> room(20);
  ASSERT_EQ(nearest_triangles(tree, t.surface(), {-1, -1, -1}, room), 20u);
  for (std::uint32_t i = 0; i < 20; ++i) EXPECT_EQ(room[i].triangle, i);
}

/// Many at once are answered as one by one, whatever they are: near, far, not finite; some beyond the distance asked for.
TEST(TriangleNearest, EachOfMany) {
  for_each_seed(fewer_when_sanitized(60), [](Source& source) {
    const PolygonMesh mesh = soup_mesh(source);
    const Triangles t = triangles_of(mesh);
    const TriangleTree tree(t.surface());
    std::vector<Vec3> points;
    for (int i = 0; i < 60; ++i) points.push_back(point_near(source, t));
    points.push_back({std::numeric_limits<double>::quiet_NaN(), 0, 0});
    points.push_back({0, INFINITY, 1});
    points.push_back(points.front());
    const double most = source.chance(2) ? INFINITY : source.uniform(0, 1);
    GroupRoom room;
    for (const std::size_t count : {points.size(), points.size() - 20, std::size_t{0}}) {
      std::vector<NearTriangle> found(count);
      nearest_triangle_each(tree, t.surface(), points, found, room, most);
      for (std::size_t i = 0; i < count; ++i)
        EXPECT_TRUE(same(found[i], nearest_triangle(tree, t.surface(), points[i], most)));
    }
  });
}

TEST(TriangleNearest, NothingToFind) {
  const Triangles none;
  EXPECT_FALSE(nearest_triangle(TriangleTree(), none.surface(), {}));
  EXPECT_FALSE(nearest_triangle(TriangleTree(none.surface()), none.surface(), {}));
  const Triangles t = triangles_of(cube_mesh());
  const TriangleTree tree(t.surface());
  EXPECT_EQ(nearest_triangles(tree, t.surface(), {}, {}), 0u);
  EXPECT_FALSE(nearest_triangle(tree, t.surface(), {3, 0, 0}, 1.75));
  EXPECT_TRUE(nearest_triangle(tree, t.surface(), {3, 0, 0}, 2));
  EXPECT_FALSE(nearest_triangle(tree, t.surface(), {}, -1));
  const double bad[] = {std::numeric_limits<double>::quiet_NaN(), INFINITY, -INFINITY};
  for (const double x : bad) EXPECT_FALSE(nearest_triangle(tree, t.surface(), {0, x, 0}));
  EXPECT_FALSE(nearest_triangle(tree, t.surface(), {}, bad[0]));
  // Finite, but out of range: any answer, but one.
  const NearTriangle near = nearest_triangle(tree, t.surface(), {1e300, -1e300, 1e308});
  EXPECT_TRUE(!near || near.triangle < t.triangles.size());
}

TEST(TriangleNearest, Bunny) {
  const auto mesh = data_mesh("stanford-bunny");
  if (!mesh) GTEST_SKIP() << "no external data: CAROM_DATA names no folder";
  const Triangles t = triangles_of(*mesh);
  const TriangleTree tree(t.surface());
  for_each_seed(fewer_when_sanitized(40), [&](Source& source) {
    const Vec3 p = point_near(source, t);
    EXPECT_TRUE(agrees(tree, t.surface(), p, INFINITY, 10));
  });
}

} // namespace
} // namespace carom::test
