#include "carom/verify/check_decomposition.h"

#include "carom/mesh/triangulate.h"
#include "tests/support/procedural_meshes.h"
#include "tests/support/property.h"

namespace carom::test {
namespace {

PolygonMesh solid() {
  return triangulated(
      voxel_mesh(3, [](int x, int y, int z) { return x + y + z != 3 || (x == 1 && z == 1); }));
}

constexpr double tolerance = 1e-7;

/// Eight boxes around the middle of a cube, as planes would cut it.
ConvexDecomposition eight_boxes() {
  ConvexDecomposition d;
  d.solid = true;
  d.error = 1e-9;
  // The root cuts across x, its children across y, theirs across z.
  for (std::uint32_t n = 0; n < 15; ++n) {
    const int axis = n == 0 ? 0 : n < 3 ? 1 : 2;
    CutNode node;
    if (n < 7) {
      node.normal = unit_axis(axis);
      node.offset = 0.5;
      node.child = {2 * n + 1, 2 * n + 2};
    } else {
      node.piece = n - 7;
    }
    d.cuts.push_back(node);
  }
  for (std::uint32_t i = 0; i < 8; ++i) {
    std::vector<Vec3> corners;
    const Vec3 at{i & 4 ? 0.5 : 0, i & 2 ? 0.5 : 0, i & 1 ? 0.5 : 0};
    for (const Vec3& v : cube_mesh(0.5).vertices) corners.push_back(v + at);
    d.pieces.push_back(convex_hull(corners).value());
  }
  return d;
}

TEST(CheckDecomposition, EightBoxesOfACube) {
  const PolygonMesh cube = triangulated(cube_mesh());
  const ConvexDecomposition d = eight_boxes();
  const verify::Verdict verdict = verify::check_decomposition(cube, d, tolerance);
  EXPECT_TRUE(verdict) << verdict.why;
}

// The corners in the middle cut off: the surface is covered still, the inside is not.
TEST(CheckDecomposition, AVoidInsideIsSeen) {
  const PolygonMesh cube = triangulated(cube_mesh());
  ConvexDecomposition d = eight_boxes();
  for (ConvexHull& hull : d.pieces) {
    std::vector<Vec3> kept;
    for (const Vec3& v : hull.vertices) {
      if (v != Vec3{0.5, 0.5, 0.5}) kept.push_back(v);
    }
    hull = convex_hull(kept).value();
  }
  EXPECT_TRUE(verify::check_surface_enclosed(cube, d.pieces, tolerance));
  EXPECT_FALSE(verify::check_inside_enclosed(cube, d, tolerance));
  EXPECT_FALSE(verify::check_decomposition(cube, d, tolerance));
}

// Every piece counts: without it, or a little smaller, the check fails.
TEST(CheckDecomposition, APieceLessOrSmaller) {
  const PolygonMesh mesh = solid();
  const ConvexDecomposition d = approximate_convex_pieces(mesh, {.max_pieces = 32}).value();
  ASSERT_GE(d.pieces.size(), 4u);
  const verify::Verdict good = verify::check_decomposition(mesh, d, tolerance);
  EXPECT_TRUE(good) << good.why;
  for (std::size_t i = 0; i < d.pieces.size(); ++i) {
    ConvexDecomposition less = d;
    less.pieces.erase(less.pieces.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_FALSE(verify::check_surface_enclosed(mesh, less.pieces, tolerance)) << i;

    ConvexDecomposition smaller = d;
    std::vector<Vec3> points = d.pieces[i].vertices;
    Vec3 middle;
    for (const Vec3& p : points) middle += p / static_cast<double>(points.size());
    for (Vec3& p : points) p = lerp(middle, p, 1 - 1e-5);
    smaller.pieces[i] = convex_hull(points).value();
    EXPECT_FALSE(verify::check_decomposition(mesh, smaller, tolerance)) << i;
  }
}

TEST(CheckDecomposition, AnErrorThatIsTooSmall) {
  const PolygonMesh mesh = solid();
  ConvexDecomposition d = approximate_convex_pieces(mesh, {.max_pieces = 1}).value();
  EXPECT_TRUE(verify::sample_error(mesh, d, 100, 1));
  d.error *= 0.3;
  EXPECT_FALSE(verify::sample_error(mesh, d, 100, 1));
}

TEST(CheckDecomposition, ATreeThatIsNone) {
  const PolygonMesh cube = triangulated(cube_mesh());
  const ConvexDecomposition good = eight_boxes();
  ConvexDecomposition d = good;
  d.cuts[3].child = {0, 1};
  EXPECT_FALSE(verify::check_inside_enclosed(cube, d, tolerance));
  d = good;
  d.cuts[8].piece = 99;
  EXPECT_FALSE(verify::check_inside_enclosed(cube, d, tolerance));
  d = good;
  d.cuts[8].piece = 3;
  EXPECT_FALSE(verify::check_inside_enclosed(cube, d, tolerance));
  d = good;
  d.cuts[1].normal = {0, 2, 0};
  EXPECT_FALSE(verify::check_inside_enclosed(cube, d, tolerance));
  d = good;
  d.plane_band = 1e-6;
  EXPECT_FALSE(verify::check_inside_enclosed(cube, d, tolerance));
  PolygonMesh open = cube;
  open.corners.resize(open.corners.size() - 3);
  open.face_begin.pop_back();
  EXPECT_FALSE(verify::check_inside_enclosed(open, good, tolerance));
  EXPECT_FALSE(verify::check_decomposition(cube_mesh(), good, tolerance)); // of squares
}

} // namespace
} // namespace carom::test
