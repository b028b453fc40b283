#include "carom/tree/triangle_self.h"

#include "carom/geometry/triangle_neighbours.h"
#include "tests/support/procedural_meshes.h"
#include "tests/support/property.h"

#include <gtest/gtest.h>

#include <set>

namespace carom {
namespace {

using test::Source;
using Pairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;
using Triangles = std::vector<std::array<std::uint32_t, 3>>;

Pairs by_tree(const TriangleSurface& surface) {
  const TriangleTree tree(surface);
  Pairs result;
  self_meetings({tree, surface}, [&](const TrianglePair& pair) {
    EXPECT_LT(pair.a, pair.b);
    EXPECT_TRUE(result.emplace(pair.a, pair.b).second) << "twice";
    return true;
  });
  return result;
}

Pairs by_force(const TriangleSurface& surface) {
  Pairs result;
  for (std::uint32_t i = 0; i < surface.size(); ++i)
    for (std::uint32_t j = i + 1; j < surface.size(); ++j)
      if (meet_beyond_shared(surface[i], surface[j])) result.emplace(i, j);
  return result;
}

Triangles triangles_of(const PolygonMesh& mesh) {
  Triangles result;
  const PolygonMesh fanned = test::fanned(mesh);
  for (std::size_t f = 0; f < fanned.face_count(); ++f) {
    const auto c = fanned.face(f);
    result.push_back({c[0], c[1], c[2]});
  }
  return result;
}

} // namespace

TEST(TriangleSelf, RandomSoupsEqualBruteForce) {
  test::for_each_seed(test::fewer_when_sanitized(60), [](Source& source) {
    // Few places on a small grid: corners, edges and planes are shared, triangles degenerate and double.
    std::vector<Vec3> vertices;
    const int grid = 2 + source.index(8);
    const double scale = source.chance(2) ? 1 : 1e-20;
    for (int i = 0; i < 60; ++i) {
      Vec3 v;
      for (int k = 0; k < 3; ++k) v[k] = source.index(grid + 1);
      vertices.push_back(v * scale);
    }
    Triangles triangles;
    for (int i = 0; i < 100; ++i) {
      std::array<std::uint32_t, 3> corners{};
      for (std::uint32_t& c : corners) c = static_cast<std::uint32_t>(source.below(60));
      triangles.push_back(corners);
    }
    const TriangleSurface surface{vertices, triangles};
    EXPECT_EQ(by_tree(surface), by_force(surface));
  });
}

TEST(TriangleSelf, ClosedMeshesHaveNone) {
  for (const PolygonMesh& mesh : {test::torus_mesh(24, 12), test::cube_mesh()}) {
    const Triangles triangles = triangles_of(mesh);
    EXPECT_TRUE(by_tree({mesh.vertices, triangles}).empty());
  }
}

TEST(TriangleSelf, TwoThatCrossAreFound) {
  PolygonMesh mesh = test::torus_mesh(24, 12);
  test::append(mesh, test::torus_mesh(24, 12), {0.31, 0.17, 0.05});
  const Triangles triangles = triangles_of(mesh);
  const TriangleSurface surface{mesh.vertices, triangles};
  const Pairs pairs = by_tree(surface);
  EXPECT_FALSE(pairs.empty());
  EXPECT_EQ(pairs, by_force(surface));
}

/// All triangles of a fan have to be tried with each other.
TEST(TriangleSelf, GivesUpWhereTooManyAreTried) {
  std::vector<Vec3> vertices{{0, 0, 0}};
  Triangles triangles;
  for (std::uint32_t i = 0; i < 100; ++i) {
    vertices.push_back({i % 2 == 0 ? 1.0 : 1.1, i * 0.01, 1});
    if (i > 0) triangles.push_back({0, i, i + 1});
  }
  const TriangleSurface surface{vertices, triangles};
  const TriangleTree tree(surface);
  const auto none = [](const TrianglePair&) { return true; };
  EXPECT_TRUE(self_meetings({tree, surface}, none));
  EXPECT_FALSE(self_meetings({tree, surface}, none, 50));
}

TEST(TriangleSelf, EndsWhenToldTo) {
  const std::vector<Vec3> vertices{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const Triangles triangles(40, {0, 1, 2}); // the same one
  const TriangleSurface surface{vertices, triangles};
  const TriangleTree tree(surface);
  int calls = 0;
  self_meetings({tree, surface}, [&](const TrianglePair&) { return ++calls < 7; });
  EXPECT_EQ(calls, 7);
  EXPECT_EQ(by_tree(surface).size(), 40u * 39 / 2);
}

} // namespace carom
