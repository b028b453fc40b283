#include "carom/mesh/weld.h"

#include "carom/mesh/inspect.h"
#include "carom/mesh/mesh_check.h"
#include "tests/support/data_mesh.h"
#include "tests/support/procedural_meshes.h"
#include "tests/support/property.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace carom::test {
namespace {

bool lower(const Vec3& a, const Vec3& b) {
  return std::tuple(a.x, a.y, a.z) < std::tuple(b.x, b.y, b.z);
}

/// The rule of weld.h, by comparing with all kept.
std::vector<std::uint32_t> weld_slowly(std::span<const Vec3> points, double epsilon) {
  std::vector<std::uint32_t> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(
      order, [&](std::uint32_t i, std::uint32_t j) { return lower(points[i], points[j]); });
  std::vector<std::uint32_t> to(points.size());
  std::vector<std::uint32_t> kept;
  for (const std::uint32_t i : order) {
    to[i] = i;
    double best = epsilon * epsilon;
    for (const std::uint32_t k : kept) { // in the order kept: the first of equally near ones wins
      const double square = distance_squared(points[i], points[k]);
      if (square < best || (square == best && to[i] == i)) {
        best = square;
        to[i] = k;
      }
    }
    if (to[i] == i) kept.push_back(i);
  }
  return to;
}

std::vector<Vec3> clustered_points(Source& source) {
  std::vector<Vec3> points;
  const int n = source.index(60) + 1;
  const Vec3 far = offset(source);
  for (int i = 0; i < n; ++i) {
    const Vec3 fresh = vec3(source);
    const Vec3 hair = halved_vec3(source, 12);
    const bool beside = !points.empty() && source.chance(2);
    points.push_back(beside ? points[source.below(points.size())] + hair * 0.125 : fresh + far);
  }
  return points;
}

PROPERTY(Weld, IsTheRule) {
  const auto points = clustered_points(source);
  const double epsilon = source.chance(4) ? 0 : std::ldexp(1.0, -source.index(14));
  const Welding welding = weld_vertices(points, epsilon).value();
  REQUIRE(welding.kept == weld_slowly(points, epsilon));
  std::size_t merged = 0;
  double move = 0;
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    REQUIRE(welding.kept[welding.kept[i]] == welding.kept[i]);
    merged += welding.kept[i] != i ? 1 : 0;
    move = std::max(move, distance(points[i], points[welding.kept[i]]));
  }
  REQUIRE(merged == welding.merged && move == welding.greatest_move);
  // One rounding of the root.
  REQUIRE(move <= epsilon * (1 + 0x1p-52));
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    for (std::uint32_t j = 0; j < i; ++j) {
      if (welding.kept[i] != i || welding.kept[j] != j) continue;
      REQUIRE(distance_squared(points[i], points[j]) > epsilon * epsilon);
    }
  }
}

PROPERTY(Weld, IsTheRuleWhereDistancesAreEqual) {
  // Points of a small lattice: several kept ones are equally near, and distances equal epsilon.
  std::vector<Vec3> points;
  const int n = source.index(40) + 1;
  for (int i = 0; i < n; ++i) {
    const int x = source.index(4);
    const int y = source.index(4);
    const int z = source.index(2);
    points.push_back({static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)});
  }
  const double epsilon = 0.5 * source.index(6);
  REQUIRE(weld_vertices(points, epsilon)->kept == weld_slowly(points, epsilon));
}

PROPERTY(Weld, DoesNotDependOnTheNumbering) {
  const auto points = clustered_points(source);
  std::vector<std::uint32_t> shuffle(points.size());
  std::iota(shuffle.begin(), shuffle.end(), 0);
  for (std::size_t i = shuffle.size(); i > 1; --i)
    std::swap(shuffle[i - 1], shuffle[source.below(i)]);
  std::vector<Vec3> shuffled;
  for (const std::uint32_t i : shuffle) shuffled.push_back(points[i]);
  const double epsilon = std::ldexp(1.0, -source.index(14));
  const Welding a = weld_vertices(points, epsilon).value();
  const Welding b = weld_vertices(shuffled, epsilon).value();
  for (std::size_t i = 0; i < points.size(); ++i) {
    REQUIRE(shuffled[b.kept[i]] == points[a.kept[shuffle[i]]]);
  }
}

PROPERTY(Weld, NothingIsLostUncounted) {
  PolygonMesh mesh = soup_mesh(source);
  for (std::uint32_t f = 0; f < mesh.face_count(); ++f) mesh.materials.push_back(f);
  for (std::uint32_t f = 0; f <= mesh.face_count(); f += 3) {
    mesh.parts.push_back({std::to_string(f), f});
  }
  const double epsilon = source.chance(3) ? 0 : std::ldexp(1.0, -source.index(35));
  const WeldedMesh welded = weld(mesh, epsilon).value();
  REQUIRE(check_usable(welded.mesh).has_value());
  REQUIRE(welded.mesh.vertices.size() + welded.merged_vertices == mesh.vertices.size());
  REQUIRE(welded.mesh.face_count() + welded.dropped_faces == mesh.face_count());
  std::set<std::uint32_t> gone;
  for (std::uint32_t f = 0; f < mesh.face_count(); ++f) gone.insert(f);
  std::size_t corners = welded.dropped_corners;
  for (std::uint32_t f = 0; f < welded.mesh.face_count(); ++f) {
    const std::uint32_t old = welded.face_of[f];
    corners += welded.mesh.face(f).size();
    gone.erase(old);
    REQUIRE(welded.mesh.materials[f] == old);
    const auto part = [](const PolygonMesh& m, std::uint32_t face) {
      std::string name;
      for (const MeshPart& p : m.parts) name = p.first_face <= face ? p.name : name;
      return name;
    };
    REQUIRE(part(welded.mesh, f) == part(mesh, old));
  }
  for (const std::uint32_t f : gone) corners += mesh.face(f).size();
  REQUIRE(corners == mesh.corners.size());
  // Welded again, nothing happens; what is gone had no area left.
  REQUIRE(inspect(welded.mesh).few_corners.count == 0);
  REQUIRE(weld(welded.mesh, epsilon)->merged_vertices == 0);
  REQUIRE(weld(welded.mesh, epsilon)->dropped_faces == 0);
}

PROPERTY(Weld, KeepsTheEdgesBalanced) {
  // Closed stays closed: corners that become one, and spikes, run along edges both ways.
  PolygonMesh mesh = sponge_mesh(1);
  for (Vec3& v : mesh.vertices) v = v + vec3(source) * 0.3;
  const WeldedMesh welded = weld(mesh, 0.25 * source.index(9)).value();
  REQUIRE(welded.mesh.face_count() == 0 || inspect(welded.mesh).closed);
}

TEST(Weld, SoupOfTrianglesBecomesClosed) {
  const PolygonMesh whole = fanned(sponge_mesh(1));
  PolygonMesh soup;
  for (std::size_t f = 0; f < whole.face_count(); ++f) {
    std::vector<std::uint32_t> corners;
    for (const std::uint32_t c : whole.face(f)) {
      corners.push_back(static_cast<std::uint32_t>(soup.vertices.size()));
      soup.vertices.push_back(whole.vertices[c]);
    }
    soup.add_face(corners);
  }
  EXPECT_FALSE(inspect(soup).closed);
  const WeldedMesh welded = weld(soup, 0).value();
  EXPECT_EQ(welded.mesh.vertices.size(), whole.vertices.size());
  EXPECT_EQ(inspect(welded.mesh).components[0].genus(), 5);
  EXPECT_EQ(weld(soup, 0.5)->mesh.corners, welded.mesh.corners);
}

TEST(Weld, SpikesAndEqualCornersGo) {
  PolygonMesh mesh;
  mesh.vertices = {{0, 0, 0},     {1, 0, 0}, {1, 1, 0},    {0, 1, 0},
                   {0, 1, 0.001}, {5, 5, 5}, {0, 0, 0.001}};
  add_face(mesh, {0, 1, 2, 3, 4});    // 3 and 4 become one
  add_face(mesh, {0, 1, 2, 5, 2, 3}); // out to 5 and back
  add_face(mesh, {5, 0, 1, 6});       // out from 0 to 5: 6 becomes 0, and the spike shows
  add_face(mesh, {3, 1, 4});          // nothing left
  const WeldedMesh welded = weld(mesh, 0.01).value();
  ASSERT_EQ(welded.mesh.face_count(), 2u);
  EXPECT_EQ(welded.mesh.face(0).size(), 4u);
  EXPECT_EQ(welded.mesh.face(1).size(), 4u);
  EXPECT_EQ(welded.dropped_corners, 3u);
  EXPECT_EQ(welded.dropped_faces, 2u);
  EXPECT_EQ(welded.greatest_move, 0.001);
}

TEST(Weld, RefusesEpsilonsThatMeanNothing) {
  PolygonMesh mesh = cube_mesh(1e6);
  EXPECT_EQ(weld(mesh, -1).error().code, ErrorCode::out_of_range);
  EXPECT_EQ(weld(mesh, NAN).error().code, ErrorCode::out_of_range);
  EXPECT_EQ(weld(mesh, INFINITY).error().code, ErrorCode::out_of_range);
  EXPECT_EQ(weld(mesh, 1e-10).error().code, ErrorCode::out_of_range);
  EXPECT_TRUE(weld(mesh, 1e-9));
  EXPECT_TRUE(weld(mesh, 0));
  mesh.vertices[2].z = NAN;
  EXPECT_EQ(weld(mesh, 1).error().code, ErrorCode::not_finite);
  mesh = cube_mesh();
  mesh.corners[0] = 8;
  EXPECT_EQ(weld(mesh, 0).error().code, ErrorCode::out_of_range);
  // At the smallest epsilon allowed the cells are counted to 2^50.
  const double large = 1e30;
  EXPECT_EQ(
      weld_vertices(std::vector<Vec3>{{large, -large, 1}, {large, -large, 0}}, large * 0x1p-50)
          ->merged,
      1u);
}

TEST(Weld, ManyVerticesInOneSpotInReasonableTime) {
  // 200,000 within epsilon of each other, and as many a little farther off: comparing all pairs would take minutes.
  std::vector<Vec3> points;
  RandomSource source(1);
  for (int i = 0; i < 200'000; ++i) {
    const double x = source.uniform(0, 0.25);
    points.push_back({x, 0, 0});
    points.push_back({x + 1.125, 0, 0});
  }
  const Welding welding = weld_vertices(points, 1).value();
  EXPECT_EQ(welding.merged, points.size() - 2);
}

TEST(Weld, AMillionTriangles) {
  const auto n = static_cast<std::uint32_t>(fewer_when_sanitized(1'000));
  const PolygonMesh whole = fanned(torus_mesh(n, 500));
  PolygonMesh soup;
  for (const std::uint32_t c : whole.corners) soup.vertices.push_back(whole.vertices[c]);
  soup.face_begin = whole.face_begin;
  soup.corners.resize(whole.corners.size());
  std::iota(soup.corners.begin(), soup.corners.end(), 0);
  const WeldedMesh welded = weld(soup, 1e-6).value();
  EXPECT_EQ(welded.mesh.vertices.size(), whole.vertices.size());
}

TEST(Weld, DataMeshes) {
  for (const char* name : {"suzanne", "teapot", "ogre"}) {
    const auto mesh = data_mesh(name);
    if (!mesh) GTEST_SKIP() << "no data: set CAROM_DATA";
    const MeshReport before = inspect(*mesh);
    const WeldedMesh welded = weld(*mesh, 0).value();
    EXPECT_EQ(welded.merged_vertices, before.duplicate_vertices.count);
    EXPECT_EQ(inspect(welded.mesh).duplicate_vertices.count, 0u);
  }
}

} // namespace
} // namespace carom::test
