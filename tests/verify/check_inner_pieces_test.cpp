// The checker of inner pieces refuses what is not inside.
#include "carom/verify/check_inner_pieces.h"

#include "carom/mesh/triangulate.h"
#include "tests/support/concave_meshes.h"

#include <gtest/gtest.h>

namespace carom {
namespace {

ConvexHull box(const Vec3& low, const Vec3& high) {
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i)
    corners.push_back({i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z});
  return convex_hull(corners).value();
}

TEST(CheckInnerPieces, TellsInsideFromOutside) {
  const PolygonMesh u =
      triangulated(test::u_mesh()); // arms at x in 0..1 and 2..3, base at y in 0..1
  const auto check = [&](const ConvexHull& piece, double tolerance = 0) {
    return verify::check_inner_piece(u.surface(), piece, tolerance).ok;
  };
  EXPECT_TRUE(check(box({0, 0, 0}, {1, 3, 1}))); // an arm, face on face
  EXPECT_TRUE(check(box({0.1, 0.1, 0.1}, {2.9, 0.9, 0.9})));
  EXPECT_FALSE(check(box({0, 0, 0}, {3, 1.1, 1})));         // out of the base, into the opening
  EXPECT_FALSE(check(box({1.2, 1.2, 0.2}, {1.8, 2, 0.8}))); // in the opening: touches nothing
  EXPECT_FALSE(check(box({5, 5, 5}, {6, 6, 6})));
  EXPECT_FALSE(check(box({-1, -1, -1}, {4, 4, 4}))); // around all of it
  EXPECT_FALSE(check(box({0, 0, 0}, {1 + 1e-9, 3, 1})));
  EXPECT_TRUE(check(box({0, 0, 0}, {1 + 1e-9, 3, 1}), 1e-8));
  EXPECT_FALSE(check(convex_hull(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}).value()));
  const ConvexHull pieces[] = {box({0, 0, 0}, {1, 3, 1}), box({0, 0, 0}, {3, 3, 1})};
  EXPECT_TRUE(verify::check_inner_pieces(u.surface(), std::span(pieces).first(1), 0));
  EXPECT_FALSE(verify::check_inner_pieces(u.surface(), pieces, 0));
}

TEST(CheckInnerPieces, SeesATriangleThatOnlyPiercesIt) {
  // A needle through the middle: its triangles have no corner in the piece.
  PolygonMesh mesh = triangulated(test::cube_mesh(4));
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  for (const Vec3& v : {Vec3{2, 2, 1}, Vec3{2.1, 2, 3}, Vec3{1.9, 2, 3}})
    mesh.vertices.push_back(v);
  test::add_face(mesh, {first, first + 1, first + 2});
  test::add_face(mesh, {first, first + 2, first + 1});
  EXPECT_FALSE(verify::check_inner_piece(mesh.surface(), box({1, 1, 1.5}, {3, 3, 2.5}), 0));
  EXPECT_TRUE(verify::check_inner_piece(mesh.surface(), box({1, 1, 1.5}, {1.8, 3, 2.5}), 0));
}

} // namespace
} // namespace carom
