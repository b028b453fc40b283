#include "tests/motion/polyhedral_cases.h"
#include "tests/support/property.h"

#include <map>

namespace carom {
namespace {

using namespace test;
using Kind = PolyhedralEdgeKind;

std::map<Kind, int> kinds_of(const Polyhedron& body) {
  std::map<Kind, int> count;
  for (const PolyhedralEdge& e : body.edges()) ++count[e.kind];
  return count;
}
Polyhedron parts(const PolygonMesh& mesh, const PolyhedronOptions& options = {}) {
  return Polyhedron::build(mesh, options).value();
}

TEST(PolyhedralBody, CubeOfTrianglesIsACube) {
  const Polyhedron body = parts(fanned(cube_mesh(2)));
  EXPECT_EQ(body.vertices().size(), 8U);
  EXPECT_EQ(body.edges().size(), 12U);
  EXPECT_EQ(body.polygons().size(), 6U);
  EXPECT_EQ(kinds_of(body)[Kind::convex], 12);
  for (std::uint32_t v = 0; v < 8; ++v) EXPECT_TRUE(body.collides(v, false));
  for (const PolyhedralEdge& e : body.edges()) {
    EXPECT_EQ(e.length, 2);
    // Into the two faces: at right angles to each other, and to the edge.
    EXPECT_EQ(dot(e.inward[0], e.inward[1]), 0);
    EXPECT_EQ(dot(e.inward[0], body.vertices()[e.to] - body.vertices()[e.from]), 0);
    const Vec3 inside = Vec3{1, 1, 1} - (body.vertices()[e.from] + body.vertices()[e.to]) * 0.5;
    EXPECT_GT(dot(e.inward[0], inside), 0);
  }
}

TEST(PolyhedralBody, WithoutMergingDiagonalsAreFlat) {
  const Polyhedron body = parts(fanned(cube_mesh()), {.merge = false});
  EXPECT_EQ(body.polygons().size(), 12U);
  EXPECT_EQ(kinds_of(body)[Kind::convex], 12);
  EXPECT_EQ(kinds_of(body)[Kind::flat], 6);
}

TEST(PolyhedralBody, SidesRunAroundTheirPolygon) {
  for_each_seed(100, [](Source& source) {
    const Body body = random_body(source);
    for (const PolyhedralPolygon& p : body.parts.polygons()) {
      const auto corners = body.parts.corners(p), sides = body.parts.sides(p);
      for (std::size_t i = 0; i < corners.size(); ++i) {
        const PolyhedralEdge& e = body.parts.edges()[sides[i] / 2];
        const bool turned = sides[i] % 2 == 1;
        EXPECT_EQ(turned ? e.to : e.from, corners[i]);
        EXPECT_EQ(turned ? e.from : e.to, corners[(i + 1) % corners.size()]);
        EXPECT_LT(std::fabs(p.plane.signed_distance(body.parts.vertices()[corners[i]])), 1e-13);
      }
    }
  });
}

TEST(PolyhedralBody, ValleysAreInternalFromTheFrontOnly) {
  const Polyhedron body = parts(l_mesh());
  EXPECT_EQ(kinds_of(body)[Kind::concave], 1); // the inner corner, merged over the height
  int skipped = 0;
  for (const PolyhedralEdge& e : body.edges())
    skipped += Polyhedron::collides(e.kind, false) ? 0 : 1;
  EXPECT_GE(skipped, 1);
  for (const PolyhedralEdge& e : body.edges())
    if (e.kind == Kind::concave) {
      EXPECT_TRUE(Polyhedron::collides(e.kind, true));
    }
}

TEST(PolyhedralBody, VertexOfInternalEdgesOnlyIsInternal) {
  // A pit: three walls of the inside of a cube, seen from the inside.
  PolygonMesh pit = cube_mesh(1);
  PolygonMesh three;
  three.vertices = pit.vertices;
  for (const std::size_t f : {0U, 2U, 4U}) {
    std::vector<std::uint32_t> c(pit.face(f).begin(), pit.face(f).end());
    std::reverse(c.begin(), c.end());
    three.add_face(c);
  }
  const Polyhedron body = parts(three);
  EXPECT_EQ(kinds_of(body)[Kind::concave], 3);
  EXPECT_EQ(kinds_of(body)[Kind::dangling], 6);
  int internal = 0;
  for (std::uint32_t v = 0; v < body.vertices().size(); ++v) {
    if (!body.collides(v, false)) {
      ++internal;
      EXPECT_EQ(body.vertices()[v], (Vec3{}));
      EXPECT_TRUE(body.collides(v, true)); // from behind it is a spike
    }
  }
  EXPECT_EQ(internal, 1);
}

TEST(PolyhedralBody, FoldedSheetIsARidge) {
  PolygonMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  add_face(mesh, {0, 1, 2});
  add_face(mesh, {0, 2, 1});
  const Polyhedron body = parts(mesh);
  EXPECT_EQ(body.polygons().size(), 2U);
  EXPECT_EQ(kinds_of(body)[Kind::convex], 3);
}

TEST(PolyhedralBody, LessThanAPolygon) {
  const Polyhedron point = parts(one_point({1, 2, 3}));
  EXPECT_EQ(point.loose_vertices().size(), 1U);
  EXPECT_EQ(point.size(), 3);
  PolygonMesh wire;
  wire.vertices = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  add_face(wire, {0, 1});
  add_face(wire, {0, 1, 2}); // no area
  const Polyhedron body = parts(wire);
  EXPECT_TRUE(body.polygons().empty());
  EXPECT_EQ(body.loose_edges().size(), 3U);
  EXPECT_EQ(body.loose_vertices().size(), 3U);
}

TEST(PolyhedralBody, CoincidentVerticesAreOne) {
  PolygonMesh soup;
  const PolygonMesh cube = cube_mesh(1);
  for (std::size_t f = 0; f < 6; ++f) { // each face with vertices of its own
    std::vector<std::uint32_t> c;
    for (const std::uint32_t v : cube.face(f)) {
      c.push_back(static_cast<std::uint32_t>(soup.vertices.size()));
      soup.vertices.push_back(cube.vertices[v]);
    }
    soup.add_face(c);
  }
  const Polyhedron body = parts(soup);
  EXPECT_EQ(body.vertices().size(), 8U);
  EXPECT_EQ(kinds_of(body)[Kind::convex], 12);
  for (std::uint32_t v = 0; v < 8; ++v)
    EXPECT_EQ(soup.vertices[body.mesh_vertex(v)], body.vertices()[v]);
}

TEST(PolyhedralBody, WhatIsNotConvexOrFlatIsCut) {
  EXPECT_GT(parts(star_mesh(5)).polygons().size(), 12U); // two stars, ten sides
  PolygonMesh bent;
  bent.vertices = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0.5}, {0, 1, 0}};
  add_face(bent, {0, 1, 2, 3});
  EXPECT_EQ(parts(bent).polygons().size(), 2U);
}

TEST(PolyhedralBody, ShrinkingMovesEveryFaceInward) {
  const Polyhedron cube = parts(cube_mesh(2), {.shrink = 0.25});
  for (const Vec3& v : cube.vertices())
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(v[i], v[i] < 1 ? 0.25 : 1.75, 1e-15);
  EXPECT_NEAR(cube.bounds().max.x, 1.75, 1e-15);
  for (const PolyhedralEdge& e : cube.edges()) EXPECT_NEAR(e.length, 1.5, 1e-15);
}

TEST(PolyhedralBody, Errors) {
  EXPECT_EQ(Polyhedron::build({}).error().code, ErrorCode::too_few);
  EXPECT_EQ(Polyhedron::build(one_point({NAN, 0, 0})).error().code, ErrorCode::not_finite);
  EXPECT_EQ(Polyhedron::build(cube_mesh(), {.shrink = -1}).error().code, ErrorCode::out_of_range);
}

TEST(PolyhedralBody, AnySoupIsTaken) {
  for_each_seed(fewer_when_sanitized(500), [](Source& source) {
    const auto body = Polyhedron::build(soup_mesh(source));
    ASSERT_TRUE(body);
    for (const PolyhedralPolygon& p : body->polygons()) ASSERT_GE(p.count, 3U);
  });
}

TEST(PolyhedralBody, BspTreeFindsWhatOverlaps) {
  for_each_seed(fewer_when_sanitized(100), [](Source& source) {
    std::vector<Aabb> boxes;
    const int count = 1 + source.index(200);
    for (int i = 0; i < count; ++i) {
      const Vec3 a = vec3(source);
      const Vec3 b = a + abs(halved_vec3(source, 6));
      boxes.push_back({a, b});
    }
    const AxialBsp tree(boxes);
    for (int k = 0; k < 20; ++k) {
      const Vec3 a = vec3(source);
      const Aabb query{a, a + abs(halved_vec3(source, 6))};
      std::vector<bool> found(boxes.size());
      tree.overlapping(query, [&](std::uint32_t i) { found[i] = true; });
      for (std::size_t i = 0; i < boxes.size(); ++i) {
        bool meets = true;
        for (int d = 0; d < 3; ++d)
          meets = meets && boxes[i].min[d] <= query.max[d] && query.min[d] <= boxes[i].max[d];
        ASSERT_TRUE(found[i] || !meets);
      }
    }
  });
}

} // namespace
} // namespace carom
