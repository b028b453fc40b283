#include "carom/mesh/inspect.h"

#include "carom/mesh/degenerate_faces.h"
#include "carom/mesh/face_turns.h"
#include "carom/mesh/mesh_duplicates.h"
#include "carom/mesh/t_junctions.h"
#include "tests/geometry/exact_oracle.h"
#include "tests/support/data_mesh.h"
#include "tests/support/procedural_meshes.h"
#include "tests/support/property.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <set>

namespace carom::test {
namespace {

MeshEdges edges_of(const PolygonMesh& mesh) { return mesh_edges(mesh.surface()).value(); }

// --- Twice there.

PROPERTY(MeshDuplicates, VerticesAsAllPairsSay) {
  PolygonMesh mesh = soup_mesh(source, 30);
  if (source.chance(4)) mesh.vertices[0].x = NAN;
  const auto first = first_equal_vertices(mesh.vertices);
  for (std::uint32_t i = 0; i < mesh.vertices.size(); ++i) {
    std::uint32_t lowest = i;
    for (std::uint32_t j = i; j-- > 0;) {
      if (mesh.vertices[j] == mesh.vertices[i]) lowest = j;
    }
    REQUIRE(first[i] == lowest);
  }
}

TEST(MeshDuplicates, ZeroIsMinusZero) {
  const std::vector<Vec3> points = {{0, 1, -0.0}, {-0.0, 1, 0}, {0, 1, 0}};
  EXPECT_EQ(first_equal_vertices(points), (std::vector<std::uint32_t>{0, 0, 0}));
}

/// Whether b is a rotation of a, by trying all.
bool is_rotation(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  if (a.size() != b.size()) return false;
  std::vector<std::uint32_t> turned(b.begin(), b.end());
  for (std::size_t i = 0; i < b.size(); ++i) {
    if (std::ranges::equal(a, turned)) return true;
    std::rotate(turned.begin(), turned.begin() + 1, turned.end());
  }
  return a.empty();
}

PROPERTY(MeshDuplicates, FacesAsAllPairsSay) {
  // Few vertices, so that the same faces come up, with repeated corners too.
  PolygonMesh mesh;
  mesh.vertices.resize(3);
  const int faces = source.index(12);
  for (int f = 0; f < faces; ++f) {
    std::vector<std::uint32_t> corners(source.below(7));
    for (std::uint32_t& c : corners) c = static_cast<std::uint32_t>(source.below(3));
    mesh.add_face(corners);
  }
  const auto equal = first_equal_faces(mesh.surface());
  for (std::uint32_t f = 0; f < mesh.face_count(); ++f) {
    EqualFace expected{f, false, false};
    for (std::uint32_t g = 0; g < f; ++g) {
      std::vector<std::uint32_t> back(mesh.face(g).begin(), mesh.face(g).end());
      std::ranges::reverse(back);
      const bool same = is_rotation(mesh.face(f), mesh.face(g));
      if (same) expected.repeated = true;
      if (expected.first != f) continue;
      if (same || is_rotation(mesh.face(f), back)) {
        expected.first = g;
        expected.opposite = !same;
      }
    }
    REQUIRE(equal[f] == expected);
  }
}

// --- Without area.

PROPERTY(DegenerateFaces, AreThoseOfExactRankOne) {
  const PolygonMesh mesh = soup_mesh(source, 8, 10);
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    const auto corners = mesh.face(f);
    const std::set<std::uint32_t> different(corners.begin(), corners.end());
    const FaceFaults faults = face_faults(mesh.surface(), f);
    REQUIRE(faults.few_corners == (different.size() < 3));
    REQUIRE(faults.repeated_corners == (different.size() < corners.size()));
    bool flat = true; // every triangle of corners has an exactly vanishing cross product
    for (const std::uint32_t a : different) {
      for (const std::uint32_t b : different) {
        for (const std::uint32_t c : different) {
          const Q3 p = exact(mesh.vertices[a]);
          const Q3 n = cross(exact(mesh.vertices[b]) - p, exact(mesh.vertices[c]) - p);
          flat = flat && n.x == 0 && n.y == 0 && n.z == 0;
        }
      }
    }
    REQUIRE(faults.on_a_line == flat);
  }
}

// --- T-junctions.

/// By definition, over all pairs.
std::vector<TJunction> all_t_junctions(const PolygonMesh& mesh, double tolerance) {
  const MeshEdges edges = edges_of(mesh);
  std::vector<TJunction> found;
  for (std::uint32_t h = 0; h < mesh.corners.size(); ++h) {
    if (edges.edge_of[h] == MeshEdges::none || !edges.is_open(edges.edge_of[h])) continue;
    const Vec3& a = mesh.vertices[edges.from(h)];
    const Vec3& b = mesh.vertices[edges.to(h)];
    for (std::uint32_t v = 0; v < mesh.vertices.size(); ++v) {
      const Vec3& p = mesh.vertices[v];
      const bool border =
          std::ranges::any_of(edges.edges_at(v), [&](std::uint32_t e) { return edges.is_open(e); });
      if (!border) continue;
      if (std::ranges::find(mesh.face(edges.face_of[h]), v) != mesh.face(edges.face_of[h]).end()) {
        continue;
      }
      const Q3 along = exact(b) - exact(a);
      const Q3 to = exact(p) - exact(a);
      const Q3 n = cross(along, to);
      const mpq_class t = dot(to, along);
      const mpq_class whole = dot(along, along);
      const bool inside = n.x == 0 && n.y == 0 && n.z == 0 && t > 0 && t < whole;
      const mpq_class reach = mpq_class(tolerance) * tolerance;
      const Q3 to_b = exact(p) - exact(b);
      const mpq_class square = whole == 0 ? dot(to, to) : mpq_class(dot(n, n) / whole);
      const bool near = tolerance > 0 && t > 0 && t < whole && square <= reach &&
                        dot(to, to) > reach && dot(to_b, to_b) > reach;
      if (inside || near) found.push_back({v, h, mpq_class(t / whole).get_d()});
    }
  }
  return found;
}

PROPERTY(TJunctions, AsAllPairsSay) {
  PolygonMesh mesh = soup_mesh(source, 20, 14);
  // Lattice points: junctions are frequent, and distances come out equal to no tolerance by a hair.
  for (Vec3& v : mesh.vertices) {
    v = {std::round(v.x * 2), std::round(v.y * 2), std::round(v.z)};
  }
  const double tolerance = source.chance(2) ? 0 : 0.37;
  const auto expected = all_t_junctions(mesh, tolerance);
  const auto found = find_t_junctions(edges_of(mesh), mesh.vertices, tolerance);
  note() << expected.size() << " expected, " << found.size() << " found";
  REQUIRE(found.size() == expected.size());
  const auto key = [](const TJunction& t) { return std::pair(t.half_edge, t.vertex); };
  std::set<std::pair<std::uint32_t, std::uint32_t>> keys;
  for (const TJunction& t : expected) keys.insert(key(t));
  for (const TJunction& t : found) {
    REQUIRE(keys.contains(key(t)));
    REQUIRE(t.at > 0 && t.at < 1);
  }
  REQUIRE(std::ranges::is_sorted(
      found, {}, [](const TJunction& t) { return std::tuple(t.half_edge, t.at, t.vertex); }));
}

TEST(TJunctions, AreExact) {
  // The middle of an edge that is a double, and the next double beside it.
  PolygonMesh mesh;
  mesh.vertices = {{0, 0, 0}, {3, 1, 0}, {1, -2, 0}, {1.5, 0.5, 0}, {0, 3, 0}, {2, 4, 0}};
  add_face(mesh, {1, 0, 2});
  add_face(mesh, {3, 4, 5});
  EXPECT_EQ(inspect(mesh).t_junctions.count, 1u);
  mesh.vertices[3].y = std::nextafter(0.5, 1);
  EXPECT_EQ(inspect(mesh).t_junctions.count, 0u);
  EXPECT_EQ(inspect(mesh, {.tolerance = 1e-15}).t_junctions.count, 1u);
}

TEST(TJunctions, AmongManyInReasonableTime) {
  // Two sheets along a common line, one divided 30,000 times, the other 10,000: every vertex of the finer that the coarser lacks.
  PolygonMesh mesh;
  const auto strip = [&](std::uint32_t n, double y) {
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    for (std::uint32_t i = 0; i <= n; ++i) {
      const double x = 30'000.0 / n * i;
      mesh.vertices.push_back({x, 0, 0});
      mesh.vertices.push_back({x, y, 0});
    }
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t a = first + 2 * i;
      add_face(mesh, {a, a + 2, a + 3, a + 1});
    }
  };
  strip(30'000, 1);
  strip(10'000, -1);
  EXPECT_EQ(find_t_junctions(edges_of(mesh), mesh.vertices).size(), 20'000u);
}

// --- Volume, winding.

PROPERTY(VolumeSign, IsExact) {
  // A closed surface that is nearly flat: a tetrahedron or an octahedron with a hair of height, far from the origin.
  PolygonMesh mesh = source.chance(2) ? sphere_mesh(0) : sphere_mesh(1);
  const Vec3 far = vec3_at_any_scale(source);
  const Vec3 flat = vec3(source);
  for (Vec3& v : mesh.vertices) v = mul(v, flat) * (source.chance(2) ? 1 : 0x1p-40) + far;
  std::vector<std::uint32_t> faces(mesh.face_count());
  std::iota(faces.begin(), faces.end(), 0);
  mpq_class six = 0;
  for (const std::uint32_t f : faces) {
    const auto c = mesh.face(f);
    six += dot(exact(mesh.vertices[c[0]]),
               cross(exact(mesh.vertices[c[1]]), exact(mesh.vertices[c[2]])));
  }
  REQUIRE(volume_sign(mesh.surface(), faces) == sgn(six));
}

PROPERTY(FaceTurns, MakeAnyTurnedSurfaceConsistent) {
  PolygonMesh mesh = source.chance(2) ? sponge_mesh(1) : torus_mesh(5, 4);
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    if (source.chance(2)) turn_face(mesh, f);
  }
  const FaceTurns turns = face_turns(edges_of(mesh));
  REQUIRE(turns.conflicts.empty() && turns.patches.count == 1 && turns.orientable[0]);
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    if (turns.turned[f]) turn_face(mesh, f);
  }
  REQUIRE(is_closed(edges_of(mesh)));
  REQUIRE(!turns.turned[0]);
}

PROPERTY(FaceTurns, ConflictsOnlyWhereNotOrientable) {
  PolygonMesh mesh = soup_mesh(source);
  const FaceTurns turns = face_turns(edges_of(mesh));
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    if (turns.turned[f]) turn_face(mesh, f);
  }
  const MeshEdges edges = edges_of(mesh);
  std::size_t disagreeing = 0;
  for (std::size_t e = 0; e < edges.edge_count(); ++e) {
    if (!edges.is_manifold(e) || edges.excess(e) == 0) continue;
    ++disagreeing;
    REQUIRE(!turns.orientable[turns.patches.of_face[edges.face_of[edges.half_edges(e)[0]]]]);
  }
  REQUIRE(disagreeing == turns.conflicts.size());
  // A patch is called not orientable only where one of its edges disagrees. (That none of its turnings would agree is tested by Moebius.)
  std::size_t not_orientable = 0;
  for (const bool orientable : turns.orientable) not_orientable += orientable ? 0 : 1;
  REQUIRE(not_orientable <= disagreeing);
}

// --- The report of known surfaces.

TEST(Inspect, ClosedSurfacesAndTheirGenus) {
  struct Case {
    PolygonMesh mesh;
    std::int64_t euler, genus;
  };
  const Case cases[] = {{cube_mesh(), 2, 0},         {fanned(cube_mesh()), 2, 0},
                        {sphere_mesh(3, 0.2), 2, 0}, {torus_mesh(12, 7), 0, 1},
                        {gear_mesh(8), 0, 1},        {sponge_mesh(1), -8, 5},
                        {sponge_mesh(2), -160, 81}};
  for (const Case& c : cases) {
    const MeshReport report = inspect(c.mesh, {.tolerance = 1});
    ASSERT_EQ(report.components.size(), 1u);
    EXPECT_TRUE(report.solid()) << describe(report);
    EXPECT_EQ(report.components[0].euler(), c.euler);
    EXPECT_EQ(report.components[0].genus(), c.genus);
    EXPECT_TRUE(report.components[0].orientable && report.components[0].consistent);
    EXPECT_EQ(report.volume_sign, 1);
    EXPECT_EQ(report.boundary_loops, 0u);
  }
}

TEST(Inspect, BooksCubes) {
  // Five quads and two triangles have 26 sides, two for each of 13 edges. Five quads and three triangles have 29: they cannot close, and the
  // T-junction that is to blame is found.
  PolygonMesh good = cube_mesh();
  good.corners.resize(20);
  good.face_begin.pop_back();
  add_face(good, {4, 5, 7});
  add_face(good, {4, 7, 6});
  EXPECT_EQ(inspect(good).edges, 13u);
  EXPECT_TRUE(inspect(good).solid());
  PolygonMesh bad = cube_mesh();
  bad.vertices.push_back({0.5, 0, 1}); // in the edge 4-5
  bad.corners.resize(20);
  bad.face_begin.pop_back();
  add_face(bad, {4, 8, 6});
  add_face(bad, {8, 7, 6});
  add_face(bad, {8, 5, 7});
  const MeshReport report = inspect(bad);
  EXPECT_FALSE(report.closed);
  ASSERT_EQ(report.t_junctions.count, 1u);
  EXPECT_EQ(report.t_junctions.first[0].vertex, 8u);
  EXPECT_EQ(report.t_junctions.first[0].edge, (MeshEdges::Ends{4, 5}));
  EXPECT_EQ(report.open_edges.count, 3u);
}

TEST(Inspect, MoebiusAndKlein) {
  const MeshReport moebius = inspect(moebius_mesh(9, 2), {.tolerance = 1});
  ASSERT_EQ(moebius.components.size(), 1u);
  EXPECT_FALSE(moebius.components[0].orientable);
  EXPECT_TRUE(moebius.components[0].manifold);
  EXPECT_EQ(moebius.components[0].euler(), 0);
  EXPECT_EQ(moebius.boundary_loops, 1u);
  EXPECT_EQ(moebius.components[0].genus(), 1);
  EXPECT_GT(moebius.inconsistent_edges.count, 0u);
  const MeshReport klein = inspect(klein_mesh(9, 8), {.tolerance = 1});
  ASSERT_EQ(klein.components.size(), 1u);
  EXPECT_FALSE(klein.components[0].orientable);
  EXPECT_EQ(klein.open_edges.count, 0u);
  EXPECT_FALSE(klein.closed);
  EXPECT_EQ(klein.components[0].euler(), 0);
  EXPECT_EQ(klein.components[0].genus(), 2);
  EXPECT_NE(describe(klein).find("cannot be wound consistently"), std::string::npos);
}

TEST(Inspect, CubesWithFaults) {
  PolygonMesh missing = cube_mesh();
  missing.corners.resize(20);
  missing.face_begin.pop_back();
  EXPECT_EQ(inspect(missing).open_edges.count, 4u);
  EXPECT_EQ(inspect(missing).boundary_loops, 1u);
  EXPECT_EQ(inspect(missing).components[0].genus(), 0);

  PolygonMesh flipped = cube_mesh();
  turn_face(flipped, 3);
  EXPECT_EQ(inspect(flipped).inconsistent_edges.count, 4u);
  EXPECT_FALSE(inspect(flipped).closed);
  EXPECT_TRUE(inspect(flipped).components[0].orientable);

  PolygonMesh inside_out = cube_mesh();
  for (std::size_t f = 0; f < 6; ++f) turn_face(inside_out, f);
  EXPECT_EQ(inspect(inside_out).volume_sign, -1);
  EXPECT_FALSE(inspect(inside_out).solid());

  PolygonMesh at_vertex = cube_mesh();
  append(at_vertex, cube_mesh(), {1, 1, 1});
  for (std::uint32_t& c : at_vertex.corners) c = c == 8 ? 7 : c;
  const MeshReport touching = inspect(at_vertex);
  EXPECT_EQ(touching.crowded_vertices.count, 1u);
  EXPECT_EQ(touching.crowded_vertices.first[0], 7u);
  EXPECT_EQ(touching.components.size(), 2u);
  EXPECT_TRUE(touching.components[0].manifold && touching.closed);
  EXPECT_EQ(touching.unreferenced_vertices.count, 1u);
  EXPECT_EQ(touching.duplicate_vertices.count, 1u);

  PolygonMesh at_edge = cube_mesh();
  append(at_edge, cube_mesh(), {1, 1, 0});
  for (std::uint32_t& c : at_edge.corners) c = c == 8 ? 3 : c == 12 ? 7 : c;
  const MeshReport joined = inspect(at_edge);
  EXPECT_EQ(joined.crowded_edges.count, 1u);
  EXPECT_EQ(joined.crowded_edges.first[0], (MeshEdges::Ends{3, 7}));
  EXPECT_EQ(joined.components.size(), 1u);
  EXPECT_FALSE(joined.components[0].manifold || joined.components[0].genus());
  EXPECT_TRUE(joined.closed);
  EXPECT_FALSE(joined.solid());
}

TEST(Inspect, CountsEachKindOfFault) {
  PolygonMesh mesh = cube_mesh();
  mesh.vertices.push_back({NAN, 0, 0});   // 8
  mesh.vertices.push_back({1e-40, 0, 0}); // 9
  mesh.vertices.push_back({2, 0, 0});     // 10
  mesh.vertices.push_back({1, 0, 0});     // 11: 1 again
  add_face(mesh, {1, 10, 1});             // 6: few
  add_face(mesh, {0, 1, 10});             // 7: on a line
  add_face(mesh, {4, 6, 2, 0});           // 8: face 0 again
  add_face(mesh, {5, 7, 3, 1});           // 9: face 1 turned over
  add_face(mesh, {0, 1, 0, 2});           // 10: repeats a vertex
  add_face(mesh, {0, 1, 3, 6});           // 11: not flat
  const MeshReport r = inspect(mesh);
  const auto only = [](const VertexFindings& f, std::uint32_t i) {
    return f.count == 1 && f.first == std::vector<std::uint32_t>{i};
  };
  EXPECT_TRUE(only(r.not_finite, 8));
  EXPECT_TRUE(only(r.out_of_range, 9));
  EXPECT_TRUE(only(r.duplicate_vertices, 11));
  EXPECT_EQ(r.unreferenced_vertices.count, 3u);
  EXPECT_TRUE(only(r.few_corners, 6));
  EXPECT_TRUE(only(r.on_a_line, 7));
  EXPECT_TRUE(only(r.duplicate_faces, 8));
  EXPECT_TRUE(only(r.opposite_faces, 9));
  EXPECT_EQ(r.repeated_corners.count, 2u);
  EXPECT_TRUE(only(r.not_flat, 11));
  EXPECT_EQ(r.highest_face, 11u);
  EXPECT_GT(r.greatest_height, 0.1);
  EXPECT_FALSE(r.usable());
  for (const char* word :
       {"not finite", "out of range", "equals a lower", "have no face", "fewer than three",
        "no area", "repeats a lower", "turned over", "repeat a vertex", "not flat"}) {
    EXPECT_NE(describe(r).find(word), std::string::npos) << word << "\n" << describe(r);
  }
}

TEST(Inspect, AnyArrays) {
  PolygonMesh mesh = cube_mesh();
  mesh.corners[4] = 77;
  MeshReport report = inspect(mesh);
  EXPECT_EQ(report.unusable_faces.count, 1u);
  EXPECT_EQ(report.open_edges.count, 4u);
  EXPECT_FALSE(report.misfit.empty());
  mesh.face_begin = {7, 3, 900, 2, 5, 24};
  report = inspect(mesh);
  EXPECT_FALSE(report.usable());
  EXPECT_GT(report.unusable_faces.count, 0u);
  mesh.face_begin.clear();
  report = inspect(mesh);
  EXPECT_EQ(report.faces, 0u);
  EXPECT_FALSE(report.closed);
  EXPECT_EQ(inspect({}).components.size(), 0u);
}

PROPERTY(Inspect, EulerAndComponentsAddUp) {
  const PolygonMesh mesh = soup_mesh(source);
  const MeshReport report = inspect(mesh, {.tolerance = 1e-3});
  std::size_t faces = 0;
  std::size_t edges = 0;
  std::size_t loops = 0;
  for (const ComponentReport& c : report.components) {
    faces += c.faces;
    edges += c.edges;
    loops += c.boundary_loops;
    // Euler's formula for manifolds: a whole number of handles or cross-caps.
    if (!c.manifold) continue;
    const std::int64_t missing = 2 - c.euler() - static_cast<std::int64_t>(c.boundary_loops);
    const bool empty = c.vertices == 0; // a face without corners
    REQUIRE(empty || missing >= (c.orientable ? 0 : 1));
    REQUIRE(empty || !c.orientable || missing % 2 == 0);
  }
  REQUIRE(faces == report.faces && edges == report.edges && loops == report.boundary_loops);
  REQUIRE(!describe(report).empty());
}

TEST(Inspect, DataMeshes) {
  struct Case {
    const char* name;
    bool closed;
    std::size_t faces;
  };
  for (const Case& c : {Case{"cow", true, 0}, Case{"spot", true, 0}, Case{"homer", true, 0},
                        Case{"fandisk", true, 0}, Case{"rocker-arm", true, 20'088},
                        Case{"stanford-bunny", false, 69'451}, Case{"ogre", false, 124'008},
                        Case{"teapot", false, 0}, Case{"suzanne", false, 0}}) {
    const auto mesh = data_mesh(c.name);
    if (!mesh) GTEST_SKIP() << "no data: set CAROM_DATA";
    const MeshReport report = inspect(*mesh);
    EXPECT_TRUE(report.usable()) << c.name << "\n" << describe(report);
    if (c.faces != 0) {
      std::size_t triangles = 0;
      for (std::size_t f = 0; f < mesh->face_count(); ++f) triangles += mesh->face(f).size() - 2;
      EXPECT_EQ(triangles, c.faces) << c.name;
    }
    EXPECT_EQ(report.closed, c.closed) << c.name << "\n" << describe(report);
    EXPECT_EQ(report.volume_sign, c.closed ? 1 : 0) << c.name << "\n" << describe(report);
  }
}

TEST(Inspect, AMillionTriangles) {
  const PolygonMesh mesh = fanned(
      torus_mesh(static_cast<std::uint32_t>(fewer_when_sanitized(1'000)), 500)); // 10^6 triangles
  const auto start = std::chrono::steady_clock::now();
  const MeshReport report = inspect(mesh);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  EXPECT_TRUE(report.solid());
  EXPECT_EQ(report.components[0].genus(), 1);
  RecordProperty("milliseconds", static_cast<int>(1000 * taken.count()));
  EXPECT_LT(taken.count(),
            60); // some seconds on a loaded machine; a quadratic method would take hours
}

} // namespace
} // namespace carom::test
