#include "carom/mesh/merge_coplanar.h"

#include "carom/geometry/convexity.h"
#include "carom/geometry/hull2.h"
#include "carom/mesh/clean.h"
#include "carom/mesh/inspect.h"
#include "carom/mesh/mass_properties.h"
#include "carom/mesh/stitch.h"
#include "tests/support/data_mesh.h"
#include "tests/support/procedural_meshes.h"
#include "tests/support/property.h"

#include <algorithm>
#include <set>

namespace carom::test {
namespace {

struct Rectangle {
  int x0, y0, x1, y1;
};

/// Rectangles of a lattice, made conforming: corners of one inside an edge of another are corners of that, too.
PolygonMesh rectangles_mesh(const std::vector<Rectangle>& rectangles) {
  PolygonMesh mesh;
  for (const Rectangle& r : rectangles) {
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    const auto at = [&](int x, int y) {
      mesh.vertices.push_back({static_cast<double>(x), static_cast<double>(y), 2});
    };
    at(r.x0, r.y0);
    at(r.x1, r.y0);
    at(r.x1, r.y1);
    at(r.x0, r.y1);
    add_face(mesh, {first, first + 1, first + 2, first + 3});
  }
  return stitch(mesh, 0).value().mesh;
}

/// A square of 3k by 3k in five: four around one in the middle.
std::vector<Rectangle> pinwheel(int x, int y, int k) {
  return {{x, y, x + 2 * k, y + k},
          {x + 2 * k, y, x + 3 * k, y + 2 * k},
          {x + k, y + 2 * k, x + 3 * k, y + 3 * k},
          {x, y + k, x + k, y + 3 * k},
          {x + k, y + k, x + 2 * k, y + 2 * k}};
}

TEST(MergeCoplanar, GridBecomesOneFace) {
  const PolygonMesh mesh = fanned(grid_mesh(8, 8, [](double u, double v) {
    return Vec3{u, 1, v};
  }));
  const MergedMesh merged = merge_coplanar(mesh).value();
  ASSERT_EQ(merged.mesh.face_count(), 1u);
  EXPECT_EQ(merged.mesh.face(0).size(), 4u);
  EXPECT_EQ(merged.merged_faces, 128u);
  EXPECT_EQ(merged.dropped_corners, 28u);
  const MergedMesh all_corners = merge_coplanar(mesh, {.drop_straight_corners = false}).value();
  EXPECT_EQ(all_corners.mesh.face(0).size(), 32u);
}

TEST(MergeCoplanar, SpiralBecomesOneFace) {
  const MergedMesh merged = merge_coplanar(rectangles_mesh(pinwheel(0, 0, 1))).value();
  ASSERT_EQ(merged.mesh.face_count(), 1u);
  EXPECT_EQ(merged.mesh.face(0).size(), 4u);
}

TEST(MergeCoplanar, SpiralInsideAConcaveRegion) {
  // An L of three squares, each a spiral of spirals or a spiral: as a whole not convex.
  std::vector<Rectangle> parts = pinwheel(0, 0, 3);
  parts.pop_back();
  for (const Rectangle& r : pinwheel(3, 3, 1)) parts.push_back(r);
  for (const Rectangle& r : pinwheel(9, 0, 3)) parts.push_back(r);
  for (const Rectangle& r : pinwheel(0, 9, 3)) parts.push_back(r);
  const MergedMesh merged = merge_coplanar(rectangles_mesh(parts)).value();
  ASSERT_EQ(merged.mesh.face_count(), 2u);
  EXPECT_EQ(merged.merged_faces, parts.size());
}

TEST(MergeCoplanar, DividedCubeBecomesSixSquares) {
  const PolygonMesh cube = cube_mesh();
  PolygonMesh mesh;
  for (std::uint32_t side = 0; side < 6; ++side) {
    const auto c = cube.face(side);
    const Vec3 o = cube.vertices[c[0]];
    const Vec3 u = cube.vertices[c[1]] - o;
    const Vec3 v = cube.vertices[c[3]] - o;
    append(mesh, fanned(grid_mesh(1u << (side % 4), 4,
                                  [&](double s, double t) { return o + u * s + v * t; })));
  }
  MergedMesh merged = merge_coplanar(stitch(mesh, 0)->mesh).value();
  EXPECT_EQ(merged.mesh.face_count(), 6u);
  EXPECT_EQ(merged.mesh.corners.size(), 24u);
  EXPECT_TRUE(remove_unreferenced_vertices(merged.mesh));
  const MeshReport report = inspect(merged.mesh);
  EXPECT_TRUE(report.solid());
  EXPECT_EQ(report.vertices, 8u);
}

TEST(MergeCoplanar, ThicknessIsAbsolute) {
  // Two squares that meet at an angle of 1/1000, of size 1 and of size 1000.
  for (const double size : {1.0, 1000.0}) {
    PolygonMesh mesh;
    mesh.vertices = {{0, 0, 0},
                     {size, 0, 0},
                     {size, size, 0},
                     {0, size, 0},
                     {2 * size, 0, 1e-3 * size},
                     {2 * size, size, 1e-3 * size}};
    add_face(mesh, {0, 1, 2, 3});
    add_face(mesh, {1, 4, 5, 2});
    EXPECT_EQ(merge_coplanar(mesh)->mesh.face_count(), 2u);
    EXPECT_EQ(merge_coplanar(mesh, {.thickness = 1e-2})->mesh.face_count(), size == 1 ? 1u : 2u);
    EXPECT_EQ(merge_coplanar(mesh, {.thickness = 10})->mesh.face_count(), 1u);
    // The farthest corner is 1/1000 of the size off the plane of the larger face, the first: half the thickness.
    mesh.vertices[4].x = mesh.vertices[5].x = 1.5 * size;
    EXPECT_EQ(merge_coplanar(mesh, {.thickness = 1.9e-3 * size})->mesh.face_count(), 2u);
    EXPECT_EQ(merge_coplanar(mesh, {.thickness = 2.1e-3 * size})->mesh.face_count(), 1u);
  }
}

TEST(MergeCoplanar, MaterialsAndPartsStayApart) {
  PolygonMesh mesh = grid_mesh(2, 2, [](double u, double v) { return Vec3{u, v, 0}; });
  mesh.materials = {0, 0, 1, 1};
  EXPECT_EQ(merge_coplanar(mesh)->mesh.face_count(), 2u);
  EXPECT_EQ(merge_coplanar(mesh)->mesh.materials, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(merge_coplanar(mesh, {.across_materials = true})->mesh.face_count(), 1u);
  mesh.materials.clear();
  mesh.parts = {{"a", 0}, {"b", 2}};
  const MergedMesh merged = merge_coplanar(mesh).value();
  EXPECT_EQ(merged.mesh.face_count(), 2u);
  EXPECT_EQ(merged.mesh.parts, (std::vector<MeshPart>{{"a", 0}, {"b", 1}}));
}

TEST(MergeCoplanar, SheetThatGoesAroundTwice) {
  // Eight right-angled triangles around a vertex, flat: the outline turns left everywhere, and goes around it twice.
  PolygonMesh mesh;
  mesh.vertices.push_back({0, 0, 0});
  const Vec3 corners[] = {{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}};
  for (int i = 0; i < 8; ++i) mesh.vertices.push_back(corners[i % 4]);
  for (std::uint32_t i = 0; i < 8; ++i) add_face(mesh, {0, 1 + i, 1 + (i + 1) % 8});
  const MergedMesh merged = merge_coplanar(mesh).value();
  EXPECT_GE(merged.mesh.face_count(), 2u);
  for (std::size_t f = 0; f < merged.mesh.face_count(); ++f) {
    std::vector<Vec2> polygon;
    for (const std::uint32_t c : merged.mesh.face(f)) {
      polygon.push_back({merged.mesh.vertices[c].x, merged.mesh.vertices[c].y});
    }
    EXPECT_TRUE(convexity(polygon).convex());
  }
}

TEST(MergeCoplanar, FlatFacesKeepTheirCorners) {
  // A straight corner that a face without area has, too: dropped there, nothing would be left of that face.
  PolygonMesh mesh;
  mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}};
  add_face(mesh, {0, 1, 2, 3, 4});
  add_face(mesh, {0, 2, 1});
  const MergedMesh merged = merge_coplanar(mesh).value();
  EXPECT_EQ(merged.mesh.corners, mesh.corners);
}

// --- All possibilities, on a lattice.

/// The sheet's faces in the plane.
std::vector<Vec2> flat(const PolygonMesh& mesh, std::size_t f) {
  std::vector<Vec2> polygon;
  for (const std::uint32_t c : mesh.face(f))
    polygon.push_back({mesh.vertices[c].x, mesh.vertices[c].y});
  return polygon;
}
double area_of(const std::vector<Vec2>& polygon) {
  double twice = 0;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec2& a = polygon[i];
    const Vec2& b = polygon[(i + 1) % polygon.size()];
    twice += a.x * b.y - a.y * b.x;
  }
  return twice / 2;
}

/// Whether the faces of a set (bits) have a convex union: the hull of their corners has no more area than they do together.
bool union_is_convex(const std::vector<std::vector<Vec2>>& faces, unsigned set) {
  std::vector<Vec2> points;
  double area = 0;
  for (std::size_t f = 0; f < faces.size(); ++f) {
    if ((set >> f & 1) == 0) continue;
    points.insert(points.end(), faces[f].begin(), faces[f].end());
    area += area_of(faces[f]);
  }
  std::vector<Vec2> hull;
  convex_hull(points, hull);
  return area_of(hull) == area;
}

/// A dissection of a rectangle: split, pinwheel, or leaf. Some leaves are left out.
void dissect(Source& source, const Rectangle& r, int depth, std::vector<Rectangle>& out) {
  const int w = r.x1 - r.x0;
  const int h = r.y1 - r.y0;
  const int kind = depth == 0 ? 0 : source.index(4);
  if (kind == 1 && w > 1) {
    const int x = r.x0 + 1 + source.index(w - 1);
    dissect(source, {r.x0, r.y0, x, r.y1}, depth - 1, out);
    dissect(source, {x, r.y0, r.x1, r.y1}, depth - 1, out);
  } else if (kind == 2 && h > 1) {
    const int y = r.y0 + 1 + source.index(h - 1);
    dissect(source, {r.x0, r.y0, r.x1, y}, depth - 1, out);
    dissect(source, {r.x0, y, r.x1, r.y1}, depth - 1, out);
  } else if (kind == 3 && w > 2 && h > 2) {
    const int x0 = r.x0 + 1 + source.index(w - 2);
    const int x1 = x0 + 1 + source.index(r.x1 - x0 - 1);
    const int y0 = r.y0 + 1 + source.index(h - 2);
    const int y1 = y0 + 1 + source.index(r.y1 - y0 - 1);
    for (const Rectangle& part : {Rectangle{r.x0, r.y0, x1, y0}, Rectangle{x1, r.y0, r.x1, y1},
                                  Rectangle{x0, y1, r.x1, r.y1}, Rectangle{r.x0, y0, x0, r.y1},
                                  Rectangle{x0, y0, x1, y1}}) {
      dissect(source, part, depth - 1, out);
    }
  } else if (!source.chance(8)) {
    out.push_back(r);
  }
}

PROPERTY(MergeCoplanar, NoConvexUnionIsLeft) {
  std::vector<Rectangle> parts;
  dissect(source, {0, 0, 7, 7}, 3, parts);
  ASSUME(parts.size() >= 2);
  const PolygonMesh mesh = rectangles_mesh(parts);
  const MergedMesh merged = merge_coplanar(mesh).value();
  std::vector<std::vector<Vec2>> faces;
  double area = 0;
  for (std::size_t f = 0; f < merged.mesh.face_count(); ++f) {
    faces.push_back(flat(merged.mesh, f));
    const PolygonConvexity shape = convexity(faces.back());
    REQUIRE(shape.convex() && shape.winding == 1);
    area += area_of(faces.back());
  }
  double expected = 0;
  for (const Rectangle& r : parts) expected += (r.x1 - r.x0) * (r.y1 - r.y0);
  REQUIRE(area == expected);
  // No T-junction came of it.
  REQUIRE(inspect(merged.mesh).t_junctions.count == 0);
  ASSUME(faces.size() <= 14);
  // No set of two or more faces that are joined by edges is convex. (A convex union is always joined.)
  for (unsigned set = 1; set < 1u << faces.size(); ++set) {
    if ((set & (set - 1)) == 0) continue;
    note() << "set " << set << " of " << faces.size() << "\n";
    REQUIRE(!union_is_convex(faces, set));
  }
}

PROPERTY(MergeCoplanar, TrianglesToo) {
  // The same with triangles of a lattice, some turned out of the plane's usual orientation, and tilted: coordinates exact.
  std::vector<Rectangle> parts;
  dissect(source, {0, 0, 5, 5}, 2, parts);
  ASSUME(!parts.empty());
  PolygonMesh mesh = fanned(rectangles_mesh(parts));
  const Result<std::size_t> removed = remove_degenerate_faces(mesh); // fans at straight corners
  mesh = stitch(mesh, 0)->mesh;
  const int turn = source.index(3);
  const bool flip = source.chance(2);
  for (Vec3& v : mesh.vertices) {
    v.z = v.x + 2 * v.y;
    const Vec3 w = v;
    v = {w[turn], w[(turn + 1) % 3], w[(turn + 2) % 3]};
  }
  for (std::size_t f = 0; f < mesh.face_count() && flip; ++f) turn_face(mesh, f);
  const MergedMesh merged = merge_coplanar(mesh).value();
  const auto vector_area = [](const PolygonMesh& m) {
    Vec3 sum;
    for (std::size_t f = 0; f < m.face_count(); ++f) {
      const auto c = m.face(f);
      for (std::size_t i = 2; i < c.size(); ++i) {
        sum += cross(m.vertices[c[i - 1]] - m.vertices[c[0]], m.vertices[c[i]] - m.vertices[c[0]]);
      }
    }
    return sum;
  };
  REQUIRE(removed.has_value());
  REQUIRE(vector_area(merged.mesh) == vector_area(mesh));
  for (std::size_t f = 0; f < merged.mesh.face_count(); ++f) {
    std::vector<Vec3> polygon;
    for (const std::uint32_t c : merged.mesh.face(f)) polygon.push_back(merged.mesh.vertices[c]);
    REQUIRE(convexity(polygon).convex());
  }
  // Merging again finds nothing.
  REQUIRE(merge_coplanar(merged.mesh)->mesh.corners == merged.mesh.corners);
}

PROPERTY(MergeCoplanar, AnySoup) {
  const PolygonMesh mesh = soup_mesh(source);
  const double thickness = source.chance(2) ? 0 : std::ldexp(1.0, -source.index(20));
  const MergedMesh merged = merge_coplanar(mesh, {.thickness = thickness}).value();
  REQUIRE(merged.into.size() == mesh.face_count());
  REQUIRE(merged.face_of.size() == merged.mesh.face_count());
  std::set<std::uint32_t> targets(merged.into.begin(), merged.into.end());
  REQUIRE(targets.size() == merged.mesh.face_count());
  for (std::uint32_t f = 0; f < merged.mesh.face_count(); ++f) {
    REQUIRE(merged.into[merged.face_of[f]] == f);
  }
  const MeshReport before = inspect(mesh);
  const MeshReport after = inspect(merged.mesh);
  REQUIRE(!before.closed || after.closed);
  REQUIRE(after.t_junctions.count <= before.t_junctions.count);
}

TEST(MergeCoplanar, ClosedStaysClosedWithItsVolume) {
  for (const PolygonMesh& mesh :
       {fanned(sponge_mesh(2)), fanned(gear_mesh(9)), sphere_mesh(3, 0.1)}) {
    const MergedMesh merged = merge_coplanar(mesh, {.thickness = 1e-12}).value();
    EXPECT_TRUE(inspect(merged.mesh).closed);
    EXPECT_EQ(merged.not_convex, 0u);
    const double volume = mass_properties(mesh.surface()).volume;
    EXPECT_NEAR(mass_properties(merged.mesh.surface()).volume, volume, 1e-11 * volume);
    EXPECT_LE(merged.mesh.face_count(), mesh.face_count());
  }
  // The sponge's faces: coplanar quads with holes.
  EXPECT_LT(merge_coplanar(fanned(sponge_mesh(2)))->mesh.face_count(), 1'400u);
}

TEST(MergeCoplanar, ManyTriangles) {
  const auto n = static_cast<std::uint32_t>(fewer_when_sanitized(300)); // 150,000 triangles
  PolygonMesh mesh = fanned(grid_mesh(n, 250, [](double u, double v) { return Vec3{u, v, 0}; }));
  EXPECT_EQ(merge_coplanar(mesh)->mesh.face_count(), 1u);
  // With a face missing the whole is not convex, and has to be put together step by step.
  const std::size_t faces = mesh.face_count();
  const std::size_t gone = faces / 2 + 125;
  mesh.corners.erase(mesh.corners.begin() + mesh.face_begin[gone],
                     mesh.corners.begin() + mesh.face_begin[gone + 1]);
  for (std::size_t f = gone + 1; f <= faces; ++f) mesh.face_begin[f] -= 3;
  mesh.face_begin.erase(mesh.face_begin.begin() + static_cast<std::ptrdiff_t>(gone));
  EXPECT_LE(merge_coplanar(mesh)->mesh.face_count(), 40u); // 4 would do
}

TEST(MergeCoplanar, DataMeshes) {
  const auto mesh = data_mesh("fandisk");
  if (!mesh) GTEST_SKIP() << "no data: set CAROM_DATA";
  const MergedMesh merged = merge_coplanar(*mesh, {.thickness = 1e-4}).value();
  EXPECT_TRUE(inspect(merged.mesh).closed);
  EXPECT_LT(merged.mesh.face_count(), mesh->face_count());
}

TEST(MergeCoplanar, Refuses) {
  PolygonMesh mesh = cube_mesh();
  EXPECT_FALSE(merge_coplanar(mesh, {.thickness = -1}));
  EXPECT_FALSE(merge_coplanar(mesh, {.thickness = NAN}));
  mesh.vertices[1].x = NAN;
  EXPECT_FALSE(merge_coplanar(mesh));
}

} // namespace
} // namespace carom::test
