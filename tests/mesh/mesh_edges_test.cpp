#include "carom/mesh/mesh_edges.h"

#include "carom/mesh/boundary_loops.h"
#include "carom/mesh/mesh_check.h"
#include "carom/mesh/mesh_components.h"
#include "tests/support/procedural_meshes.h"
#include "tests/support/property.h"

#include <algorithm>
#include <map>
#include <set>

namespace carom::test {
namespace {

MeshEdges edges_of(const PolygonMesh& mesh) { return mesh_edges(mesh.surface()).value(); }

/// The half-edges by pair of vertices, by looking at each.
std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>>
sides_by_pair(const PolygonMesh& mesh) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> sides;
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    const auto c = mesh.face(f);
    for (std::size_t i = 0; i < c.size(); ++i) {
      const std::uint32_t a = c[i];
      const std::uint32_t b = c[(i + 1) % c.size()];
      const auto h = mesh.face_begin[f] + static_cast<std::uint32_t>(i);
      if (a != b) sides[{std::min(a, b), std::max(a, b)}].push_back(h);
    }
  }
  return sides;
}

PROPERTY(MeshEdges, AreThePairsOfNeighbours) {
  const PolygonMesh mesh = soup_mesh(source);
  const MeshEdges edges = edges_of(mesh);
  const auto sides = sides_by_pair(mesh);
  REQUIRE(edges.edge_count() == sides.size());
  std::uint32_t e = 0;
  for (const auto& [pair, half_edges] : sides) {
    REQUIRE(edges.ends[e].low == pair.first && edges.ends[e].high == pair.second);
    REQUIRE(std::ranges::equal(edges.half_edges(e), half_edges));
    REQUIRE(edges.find(pair.first, pair.second) == e);
    REQUIRE(edges.find(pair.second, pair.first) == e);
    REQUIRE(edges.is_open(e) == (half_edges.size() == 1));
    REQUIRE(edges.is_manifold(e) == (half_edges.size() == 2));
    for (const std::uint32_t h : half_edges) REQUIRE(edges.edge_of[h] == e);
    ++e;
  }
  for (std::uint32_t h = 0; h < mesh.corners.size(); ++h) {
    REQUIRE(edges.next(edges.previous(h)) == h && edges.previous(edges.next(h)) == h);
    REQUIRE((edges.edge_of[h] == MeshEdges::none) == (edges.from(h) == edges.to(h)));
    REQUIRE(mesh.face_begin[edges.face_of[h]] <= h && h < mesh.face_begin[edges.face_of[h] + 1]);
  }
}

PROPERTY(MeshEdges, ListWhatMeetsAtAVertex) {
  const PolygonMesh mesh = soup_mesh(source);
  const MeshEdges edges = edges_of(mesh);
  REQUIRE(edges.vertex_count() == mesh.vertices.size());
  for (std::uint32_t v = 0; v < mesh.vertices.size(); ++v) {
    std::vector<std::uint32_t> corners;
    for (std::uint32_t h = 0; h < mesh.corners.size(); ++h) {
      if (mesh.corners[h] == v) corners.push_back(h);
    }
    std::vector<std::uint32_t> at;
    for (std::uint32_t e = 0; e < edges.edge_count(); ++e) {
      if (edges.ends[e].low == v || edges.ends[e].high == v) at.push_back(e);
    }
    REQUIRE(std::ranges::equal(edges.corners_at(v), corners));
    REQUIRE(std::ranges::equal(edges.edges_at(v), at));
  }
}

TEST(MeshEdges, RefuseArraysThatDoNotFit) {
  PolygonMesh mesh = cube_mesh();
  mesh.corners[5] = 8;
  EXPECT_EQ(mesh_edges(mesh.surface()).error().code, ErrorCode::out_of_range);
  EXPECT_NE(mesh_edges(mesh.surface()).error().message.find("face 1"), std::string::npos);
  mesh = cube_mesh();
  mesh.face_begin[2] = 3; // a face that ends before it begins
  EXPECT_FALSE(mesh_edges(mesh.surface()));
  mesh = cube_mesh();
  mesh.face_begin.back() = 25;
  EXPECT_FALSE(mesh_edges(mesh.surface()));
  mesh = cube_mesh();
  mesh.face_begin.back() = 23; // a corner of no face
  EXPECT_FALSE(mesh_edges(mesh.surface()));
  mesh = cube_mesh();
  mesh.face_begin[0] = 1;
  EXPECT_FALSE(mesh_edges(mesh.surface()));
  mesh = {};
  mesh.face_begin.clear(); // no faces at all
  EXPECT_TRUE(mesh_edges(mesh.surface()));
}

TEST(MeshCheck, MaterialsAndPartsFitTheFaces) {
  PolygonMesh mesh = cube_mesh();
  mesh.materials = {0, 0, 1, 1, 2, 2};
  mesh.parts = {{"a", 0}, {"b", 3}, {"empty", 6}};
  EXPECT_TRUE(check_indices(mesh));
  mesh.parts[1].first_face = 7;
  EXPECT_FALSE(check_indices(mesh));
  mesh.parts = {{"a", 3}, {"b", 0}};
  EXPECT_FALSE(check_indices(mesh));
  mesh.parts.clear();
  mesh.materials.pop_back();
  EXPECT_FALSE(check_indices(mesh));
}

TEST(MeshCheck, CoordinatesAreInRange) {
  PolygonMesh mesh = cube_mesh();
  EXPECT_TRUE(check_usable(mesh));
  mesh.vertices[3].y = 1e31;
  EXPECT_EQ(check_usable(mesh).error().code, ErrorCode::out_of_range);
  mesh.vertices[3].y = 1e-31;
  EXPECT_EQ(check_usable(mesh).error().code, ErrorCode::out_of_range);
  mesh.vertices[3].y = NAN;
  EXPECT_EQ(check_usable(mesh).error().code, ErrorCode::not_finite);
  EXPECT_NE(check_usable(mesh).error().message.find("vertex 3"), std::string::npos);
}

TEST(MeshEdges, CubeIsClosedWithoutOneFaceItIsNot) {
  PolygonMesh mesh = cube_mesh();
  EXPECT_TRUE(is_closed(edges_of(mesh)));
  EXPECT_EQ(edges_of(mesh).edge_count(), 12u);
  turn_face(mesh, 2);
  EXPECT_FALSE(is_closed(edges_of(mesh)));
  turn_face(mesh, 2);
  mesh.corners.resize(20);
  mesh.face_begin.pop_back();
  EXPECT_FALSE(is_closed(edges_of(mesh)));
  EXPECT_FALSE(is_closed(edges_of({})));
}

// Whether two faces are joined, by definition; then all pairs.
bool joined(const PolygonMesh& mesh, const MeshEdges& edges, std::size_t f, std::size_t g,
            Connection by) {
  if (by == Connection::vertex) {
    return std::ranges::any_of(mesh.face(f), [&](std::uint32_t c) {
      return std::ranges::find(mesh.face(g), c) != mesh.face(g).end();
    });
  }
  for (std::size_t e = 0; e < edges.edge_count(); ++e) {
    bool has_f = false;
    bool has_g = false;
    for (const std::uint32_t h : edges.half_edges(e)) {
      has_f = has_f || edges.face_of[h] == f;
      has_g = has_g || edges.face_of[h] == g;
    }
    if (has_f && has_g && (by == Connection::edge || edges.is_manifold(e))) return true;
  }
  return false;
}

PROPERTY(MeshComponents, AreTheClosureOfJoinedFaces) {
  const PolygonMesh mesh = soup_mesh(source, 16, 8);
  const MeshEdges edges = edges_of(mesh);
  const auto by = static_cast<Connection>(source.index(3));
  const MeshComponents components = mesh_components(edges, by);
  // Labels spread along joined pairs until nothing changes.
  std::vector<std::size_t> label(mesh.face_count());
  for (std::size_t f = 0; f < label.size(); ++f) label[f] = f;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t f = 0; f < label.size(); ++f) {
      for (std::size_t g = 0; g < label.size(); ++g) {
        if (label[g] <= label[f] || !joined(mesh, edges, f, g, by)) continue;
        label[g] = label[f];
        changed = true;
      }
    }
  }
  const std::set<std::size_t> roots(label.begin(), label.end());
  REQUIRE(components.count == roots.size());
  for (std::size_t f = 0; f < label.size(); ++f) {
    const auto rank = std::distance(roots.begin(), roots.find(label[f]));
    REQUIRE(components.of_face[f] == static_cast<std::uint32_t>(rank));
  }
}

TEST(MeshComponents, TwoCubesThatTouch) {
  PolygonMesh mesh = cube_mesh();
  append(mesh, cube_mesh(), {1, 1, 1});
  EXPECT_EQ(mesh_components(edges_of(mesh), Connection::vertex).count, 2u);
  // One vertex in common.
  PolygonMesh at_vertex = mesh;
  for (std::uint32_t& c : at_vertex.corners) c = c == 8 ? 7 : c;
  EXPECT_EQ(mesh_components(edges_of(at_vertex), Connection::vertex).count, 1u);
  EXPECT_EQ(mesh_components(edges_of(at_vertex), Connection::edge).count, 2u);
  EXPECT_EQ(mesh_fans(edges_of(at_vertex)).fans_at(7), 2u);
  EXPECT_EQ(mesh_fans(edges_of(at_vertex)).fans_at(6), 1u);
  // An edge in common.
  PolygonMesh at_edge = cube_mesh();
  append(at_edge, cube_mesh(), {1, 1, 0});
  for (std::uint32_t& c : at_edge.corners) c = c == 8 ? 3 : c == 12 ? 7 : c;
  EXPECT_EQ(mesh_components(edges_of(at_edge), Connection::edge).count, 1u);
  EXPECT_EQ(mesh_components(edges_of(at_edge), Connection::manifold).count, 2u);
  EXPECT_TRUE(is_closed(edges_of(at_edge)));
}

TEST(MeshComponents, ManyWithoutRecursion) {
  // A strip of 200,000 triangles is one component, and its faces as a soup are 200,000.
  PolygonMesh strip;
  PolygonMesh soup;
  const std::uint32_t n = 200'000;
  for (std::uint32_t i = 0; i < n + 2; ++i) {
    strip.vertices.push_back({static_cast<double>(i), static_cast<double>(i % 2), 0});
  }
  soup.vertices.resize(3 * n);
  for (std::uint32_t i = 0; i < n; ++i) {
    add_face(strip, {i, i + 1, i + 2});
    add_face(soup, {3 * i, 3 * i + 1, 3 * i + 2});
  }
  EXPECT_EQ(mesh_components(edges_of(strip), Connection::manifold).count, 1u);
  EXPECT_EQ(mesh_components(edges_of(soup), Connection::vertex).count, n);
}

PROPERTY(MeshFans, JoinCornersThatShareAnEdge) {
  const PolygonMesh mesh = soup_mesh(source);
  const MeshEdges edges = edges_of(mesh);
  const MeshFans fans = mesh_fans(edges);
  for (std::uint32_t v = 0; v < mesh.vertices.size(); ++v) {
    const auto corners = edges.corners_at(v);
    std::map<std::uint32_t, std::uint32_t> label;
    for (const std::uint32_t c : corners) label[c] = c;
    const auto touch = [&](std::uint32_t c, std::uint32_t d) {
      const std::set<std::uint32_t> a = {edges.edge_of[c], edges.edge_of[edges.previous(c)]};
      const std::set<std::uint32_t> b = {edges.edge_of[d], edges.edge_of[edges.previous(d)]};
      if (edges.next(c) == d || edges.next(d) == c) return true; // both at v
      return std::ranges::any_of(
          a, [&](std::uint32_t e) { return e != MeshEdges::none && b.contains(e); });
    };
    for (std::size_t round = 0; round < corners.size(); ++round) {
      for (const std::uint32_t c : corners) {
        for (const std::uint32_t d : corners) {
          if (touch(c, d)) label[d] = std::min(label[c], label[d]);
        }
      }
    }
    std::set<std::uint32_t> roots;
    for (const auto& [c, root] : label) roots.insert(root);
    REQUIRE(fans.fans_at(v) == roots.size());
    for (const std::uint32_t c : corners) {
      for (const std::uint32_t d : corners) {
        REQUIRE((fans.of_corner[c] == fans.of_corner[d]) == (label[c] == label[d]));
      }
    }
  }
}

PROPERTY(BoundaryLoops, HoldEachOpenEdgeOnce) {
  const PolygonMesh mesh = soup_mesh(source);
  const MeshEdges edges = edges_of(mesh);
  const BoundaryLoops loops = boundary_loops(edges, mesh_fans(edges));
  std::vector<std::uint32_t> open;
  for (std::size_t e = 0; e < edges.edge_count(); ++e) {
    if (edges.is_open(e)) open.push_back(edges.half_edges(e)[0]);
  }
  std::vector<std::uint32_t> listed = loops.half_edges;
  std::ranges::sort(open);
  std::ranges::sort(listed);
  REQUIRE(open == listed);
  for (std::size_t i = 0; i < loops.count(); ++i) {
    const auto chain = loops.loop(i);
    const auto vertices = loop_vertices(edges, loops, i);
    REQUIRE(vertices.size() == chain.size() + (loops.closed[i] ? 0 : 1));
    for (std::size_t k = 0; k < chain.size(); ++k) {
      const std::uint32_t a = vertices[k];
      const std::uint32_t b = vertices[(k + 1) % vertices.size()];
      REQUIRE(edges.find(a, b) == edges.edge_of[chain[k]]);
    }
  }
}

TEST(BoundaryLoops, OfKnownSurfaces) {
  const auto loops_of = [](const PolygonMesh& mesh) {
    const MeshEdges edges = edges_of(mesh);
    return boundary_loops(edges, mesh_fans(edges));
  };
  EXPECT_EQ(loops_of(cube_mesh()).count(), 0u);
  EXPECT_EQ(loops_of(terrain_mesh(5)).count(), 1u);
  EXPECT_EQ(loops_of(terrain_mesh(5)).half_edges.size(), 20u);
  EXPECT_EQ(loops_of(moebius_mesh(9, 3)).count(), 1u);
  EXPECT_EQ(loops_of(moebius_mesh(9, 3)).half_edges.size(), 18u);
  // Two opposite faces away: two loops of four. Two that touch at a vertex only, of a grid: one loop of eight.
  PolygonMesh open_box = cube_mesh();
  open_box.corners.erase(open_box.corners.begin(), open_box.corners.begin() + 8);
  open_box.face_begin = {0, 4, 8, 12, 16};
  EXPECT_EQ(loops_of(open_box).count(), 2u);
  PolygonMesh grid = terrain_mesh(4);
  for (const std::uint32_t f : {5u, 10u}) { // (1, 1) and (2, 2)
    for (std::uint32_t i = 0; i < 4; ++i) grid.corners[grid.face_begin[f] + i] = 0;
  }
  const BoundaryLoops loops = loops_of(grid);
  ASSERT_EQ(loops.count(), 2u);
  EXPECT_EQ(loops.loop(1).size(), 8u);
  EXPECT_TRUE(loops.closed[0] && loops.closed[1]);
}

TEST(BoundaryLoops, KeepTheSurfaceOnTheirLeft) {
  const PolygonMesh mesh = terrain_mesh(3);
  const MeshEdges edges = edges_of(mesh);
  const BoundaryLoops loops = boundary_loops(edges, mesh_fans(edges));
  const auto around = loop_vertices(edges, loops, 0);
  double area = 0; // counter-clockwise seen from above
  for (std::size_t i = 0; i < around.size(); ++i) {
    const Vec3& a = mesh.vertices[around[i]];
    const Vec3& b = mesh.vertices[around[(i + 1) % around.size()]];
    area += (a.x * b.y - a.y * b.x) / 2;
  }
  EXPECT_NEAR(area, 1, 1e-14);
}

} // namespace
} // namespace carom::test
