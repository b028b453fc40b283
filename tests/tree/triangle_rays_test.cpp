#include "carom/tree/triangle_rays.h"

#include "carom/geometry/cast_flat.h"
#include "tests/support/data_mesh.h"
#include "tests/support/property.h"
#include "tests/tree/triangle_cases.h"

#include <algorithm>
#include <limits>

namespace carom::test {
namespace {

// ---- by brute force

bool counts(const TriangleHit& hit, Faces faces) {
  return hit.hit && (faces == Faces::both || hit.front == (faces == Faces::front));
}

std::vector<RayTriangle> hits_by_all(const TriangleSurface& surface, const TriangleRay& query) {
  std::vector<RayTriangle> result;
  for (std::size_t i = 0; i < surface.size(); ++i) {
    const TriangleHit hit = cast(query.ray, surface[i], query.t_max);
    if (counts(hit, query.faces)) result.push_back({static_cast<std::uint32_t>(i), hit.t});
  }
  return result;
}

/// The tree's three answers are those of all triangles one by one, to the bit.
::testing::AssertionResult agrees(const TriangleTree& tree, const TriangleSurface& surface,
                                  const TriangleRay& query) {
  const std::vector<RayTriangle> expected = hits_by_all(surface, query);
  RayTriangle first;
  for (const RayTriangle& hit : expected)
    if (!first || hit.t < first.t) first = hit;
  const RayTriangle found = first_hit(tree, surface, query);
  const auto say = [&](const char* what) {
    const auto& [o, d] = query.ray;
    return ::testing::AssertionFailure()
           << what << ": from " << o.x << " " << o.y << " " << o.z << " along " << d.x << " " << d.y
           << " " << d.z << " up to " << query.t_max << ": triangle " << found.triangle << " at "
           << found.t << ", should be " << first.triangle << " at " << first.t;
  };
  if (!(found == first)) return say("first");
  if (any_hit(tree, surface, query) != !expected.empty()) return say("any");
  std::vector<RayTriangle> all;
  all_hits(tree, surface, query, [&](const RayTriangle& hit) {
    all.push_back(hit);
    return true;
  });
  std::sort(all.begin(), all.end(),
            [](const auto& a, const auto& b) { return a.triangle < b.triangle; });
  if (!std::equal(all.begin(), all.end(), expected.begin(), expected.end())) return say("all");
  return ::testing::AssertionSuccess();
}

// ---- rays

/// A point of the surface: a corner, on an edge, or inside a triangle. The middle of the box where there are none.
Vec3 point_on(Source& source, const Triangles& t) {
  if (t.triangles.empty()) return {};
  const Triangle x = t.surface()[source.below(t.triangles.size())];
  const int kind = source.index(4);
  const double u = source.unit();
  const double v = source.unit();
  switch (kind) {
  case 0:
    return x.a;
  case 1:
    return x.b + (x.c - x.b) * u;
  case 2:
    return x.a + (x.b - x.a) * 0.5;
  default:
    return x.a + (x.b - x.a) * (u * v) + (x.c - x.a) * (u * (1 - v));
  }
}

/// Toward the surface, through its corners and edges, along the axes, in its planes; from outside, inside, on it, near and far.
Ray ray_at(Source& source, const Triangles& t) {
  const Aabb box = t.triangles.empty() ? Aabb{{0, 0, 0}, {1, 1, 1}} : t.box();
  const double size = std::max(max_abs(box.half()), 1e-20 * max_abs(box.max));
  const Vec3 target = point_on(source, t);
  const Vec3 way = direction(source);
  static constexpr double distances[] = {0, 0, 0.5, 1, 3, 10, 1e3, 1e6, 1e12, 1e20};
  const double distance = distances[source.index(10)] * size;
  const int kind = source.index(8);
  const Vec3 other = point_on(source, t);
  const double length = std::ldexp(1.0, 10 - source.index(20));
  Vec3 origin = target - way * distance, along = way;
  if (kind == 0) { // from one point of the surface to another: often in the plane of a triangle
    origin = target;
    along = other - target;
  } else if (kind == 1) { // the exact difference of two points where that is a number
    along = target - origin;
  } else if (kind == 2) {
    along = Vec3{};
  }
  along = along * (kind == 0 || kind == 1 ? 1 : length);
  for (int i = 0; i < 3; ++i) {
    origin[i] = in_range(std::clamp(origin[i], -1e30, 1e30));
    along[i] = in_range(std::clamp(along[i], -1e30, 1e30));
  }
  return {origin, along};
}

TriangleRay query_at(Source& source, const Triangles& t) {
  TriangleRay result{ray_at(source, t)};
  const int kind = source.index(6);
  result.faces = static_cast<Faces>(source.index(3));
  const std::vector<RayTriangle> hits = hits_by_all(t.surface(), result);
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

TEST(TriangleRays, AgreeWithAllTriangles) {
  for_each_seed(fewer_when_sanitized(600), [](Source& source) {
    const Triangles t = any_triangles(source);
    const TriangleTree tree(t.surface());
    for (int i = 0; i < 40; ++i) {
      const TriangleRay query = query_at(source, t);
      EXPECT_TRUE(agrees(tree, t.surface(), query));
    }
  });
}

TEST(TriangleRays, AgreeAfterRefitting) {
  for_each_seed(fewer_when_sanitized(60), [](Source& source) {
    Triangles t = any_triangles(source);
    TriangleTree tree(t.surface(), {TreeBuild::Quality::fast});
    const double size = max_abs(t.box().half());
    for (Vec3& v : t.vertices) v = v + vec3(source) * (0.1 * (t.triangles.empty() ? 1 : size));
    place(t, 1, {});
    tree.refit(t.surface());
    for (int i = 0; i < 20; ++i) {
      const TriangleRay query = query_at(source, t);
      EXPECT_TRUE(agrees(tree, t.surface(), query));
    }
  });
}

// Rays that pass triangles by less than any float would tell: through shared corners and edges, and a last bit beside them.
TEST(TriangleRays, CloseToEdges) {
  const Triangles t = triangles_of(sphere_mesh(3, 0.1));
  const TriangleTree tree(t.surface());
  for_each_seed(fewer_when_sanitized(3000), [&](Source& source) {
    Vec3 target = point_on(source, t);
    const int axis = source.index(3);
    const double last_bits = (source.index(5) - 2) * 0x1p-52;
    target[axis] += last_bits;
    const double distance = std::ldexp(1.0, source.index(12));
    const Vec3 origin = target + direction(source) * distance;
    EXPECT_TRUE(agrees(tree, t.surface(), {{origin, target - origin}}));
  });
}

// Slivers whose width is far below what the grid of a leaf resolves.
TEST(TriangleRays, Slivers) {
  for_each_seed(fewer_when_sanitized(300), [](Source& source) {
    Triangles t;
    for (int i = 0; i < 30; ++i) {
      const Vec3 a = vec3(source);
      const Vec3 u = vec3(source);
      const Vec3 v = vec3(source);
      const double width = std::ldexp(1.0, -10 - source.index(40));
      add_triangle(t, a, a + u, a + u * 0.7 + v * width);
    }
    const TriangleTree tree(t.surface());
    for (int i = 0; i < 20; ++i) {
      const Vec3 target = point_on(source, t);
      const Vec3 origin = target + vec3(source);
      EXPECT_TRUE(agrees(tree, t.surface(), {{origin, target - origin}}));
    }
  });
}

// A closed surface: a line from outside to a point inside crosses it an odd number of times, counted by what the triangles' sides are worth at
// edges and corners. Whatever it meets there, it never comes in without meeting something.
TEST(TriangleRays, NoWayIntoAClosedMesh) {
  for (const Triangles& t : {triangles_of(sphere_mesh(5)), triangles_of(sphere_mesh(4, 0.05))}) {
    const TriangleTree tree(t.surface());
    for_each_seed(fewer_when_sanitized(20'000), [&](Source& source) {
      const Vec3 inside = vec3(source) * 0.1;
      const Vec3 target = point_on(source, t);
      const Vec3 out = target - inside; // through a corner, an edge or a face
      EXPECT_TRUE(any_hit(tree, t.surface(), {{inside, out}}));
      EXPECT_TRUE(first_hit(tree, t.surface(), {{inside, out}, INFINITY, Faces::back}));
      const Vec3 outside = inside + out * 4;
      EXPECT_TRUE(any_hit(tree, t.surface(), {{outside, inside - outside}, 1, Faces::front}));
    });
  }
}

// Through the faces of a sponge along the lattice: every ray meets as many faces from the front as from the back, where it meets no edge.
TEST(TriangleRays, CrossingsOfASponge) {
  const Triangles t = triangles_of(sponge_mesh(2));
  const TriangleTree tree(t.surface());
  const auto count = [&](const Ray& ray, Faces faces) {
    int n = 0;
    all_hits(tree, t.surface(), {ray, INFINITY, faces}, [&](const RayTriangle&) {
      ++n;
      return true;
    });
    return n;
  };
  int most = 0;
  for (int axis = 0; axis < 3; ++axis)
    for (int y = -1; y < 10; ++y)
      for (int z = -1; z < 10; ++z) {
        Vec3 origin, along;
        origin[axis] = -5;
        origin[(axis + 1) % 3] = y + 0.25; // off the diagonals of the squares
        origin[(axis + 2) % 3] = z + 0.375;
        along[axis] = 1;
        const int front = count({origin, along}, Faces::front);
        EXPECT_EQ(front, count({origin, along}, Faces::back));
        EXPECT_EQ(front == 0, y < 0 || y > 8 || z < 0 || z > 8 ||
                                  !any_hit(tree, t.surface(), {{origin, along}}));
        most = std::max(most, front);
        // Along the lattice itself: in the planes of faces, through edges and corners.
        origin[(axis + 1) % 3] = y;
        origin[(axis + 2) % 3] = z;
        EXPECT_TRUE(agrees(tree, t.surface(), {{origin, along}}));
      }
  EXPECT_EQ(most, 4); // a row of cells 101101101 has four parts
}

// From so far away that not even doubles tell where the ray passes.
TEST(TriangleRays, FromVeryFarAway) {
  for (const double size : {1.0, 1e-20, 1e-29, 1e10}) {
    Triangles t = triangles_of(sphere_mesh(2, 0.1));
    place(t, size, {});
    const TriangleTree tree(t.surface());
    for_each_seed(fewer_when_sanitized(400), [&](Source& source) {
      const Vec3 target = point_on(source, t);
      const Vec3 way = direction(source);
      double distance = size * std::pow(10.0, source.index(60));
      distance = std::min(distance, 1e29);
      Vec3 origin = target - way * distance;
      for (int i = 0; i < 3; ++i) origin[i] = in_range(origin[i]);
      const Vec3 along = source.chance(2) ? way : target - origin;
      EXPECT_TRUE(agrees(tree, t.surface(), {{origin, along}}));
    });
  }
}

TEST(TriangleRays, TiesGoToTheLowestNumber) {
  Triangles t;
  for (int i = 0; i < 50; ++i) add_triangle(t, {0, 0, 0}, {1, 0, 0}, {0, 1, 0});
  add_triangle(t, {0, 0, 1}, {1, 0, 1}, {0, 1, 1});
  const TriangleTree tree(t.surface());
  const RayTriangle up = first_hit(tree, t.surface(), {{{0.25, 0.25, -1}, {0, 0, 1}}});
  EXPECT_EQ(up.triangle, 0u);
  EXPECT_EQ(up.t, 1);
  const RayTriangle down = first_hit(tree, t.surface(), {{{0.25, 0.25, 3}, {0, 0, -1}}});
  EXPECT_EQ(down.triangle, 50u);
}

TEST(TriangleRays, AllHitsCanBeEnded) {
  const Triangles t = triangles_of(sphere_mesh(3));
  const TriangleTree tree(t.surface());
  int calls = 0;
  all_hits(tree, t.surface(), {{{-3, 0.1, 0.05}, {1, 0, 0}}}, [&](const RayTriangle&) {
    ++calls;
    return false;
  });
  EXPECT_EQ(calls, 1);
}

TEST(TriangleRays, NothingInEmptyTrees) {
  const Triangles none;
  for (const TriangleTree& tree : {TriangleTree(), TriangleTree(none.surface())}) {
    EXPECT_FALSE(first_hit(tree, none.surface(), {{{0, 0, 0}, {1, 0, 0}}}));
    EXPECT_FALSE(any_hit(tree, none.surface(), {{{0, 0, 0}, {0, 0, 0}}}));
  }
}

// Not numbers: any answer, but one.
TEST(TriangleRays, NumbersOutOfRangeEnd) {
  const Triangles t = triangles_of(sphere_mesh(2));
  const TriangleTree tree(t.surface());
  const double bad[] = {
      std::numeric_limits<double>::quiet_NaN(), INFINITY, -INFINITY, 1e300, 1e-300, 0};
  for (const double a : bad)
    for (const double b : bad)
      for (const double t_max : bad) {
        const TriangleRay queries[] = {{{{a, b, 0}, {1, 0, 0}}, t_max},
                                       {{{0, 0, 0}, {a, b, 1}}, t_max},
                                       {{{a, 0, 0}, {b, b, b}}, t_max}};
        for (const TriangleRay& query : queries) {
          const RayTriangle hit = first_hit(tree, t.surface(), query);
          EXPECT_TRUE(!hit || hit.triangle < t.triangles.size());
          EXPECT_FALSE(any_hit(tree, t.surface(), query) && std::isnan(query.t_max));
        }
      }
}

TEST(TriangleRays, Bunny) {
  const auto mesh = data_mesh("stanford-bunny");
  if (!mesh) GTEST_SKIP() << "no external data: CAROM_DATA names no folder";
  const Triangles t = triangles_of(*mesh);
  const TriangleTree tree(t.surface());
  const double size = max_abs(t.box().half());
  for_each_seed(fewer_when_sanitized(40), [&](Source& source) {
    const Vec3 target = point_on(source, t);
    const Vec3 origin = target + direction(source) * (2 * size);
    EXPECT_TRUE(agrees(tree, t.surface(), {{origin, target - origin}}));
  });
}

} // namespace
} // namespace carom::test
