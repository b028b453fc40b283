// The checker of depth proofs refuses what is wrong with them.
#include "carom/verify/check_depth_proof.h"

#include "carom/shape/composite.h"
#include "tests/support/concave_meshes.h"

#include <gtest/gtest.h>

namespace carom {
namespace {

using verify::PlacedShape;

/// A cube of side 2 as a mesh, and a ball of radius 1 whose centre is 1.5 away: 0.5 deep.
struct Case {
  PlacedShape a, b;
  DepthProof proof;

  Case() : a{cube(), {}}, b{Shape::sphere(1).value(), Pose::at({1.5, 0, 0})} {
    proof.pieces_a = {{Shape::sphere(1).value(), {}}};
    proof.pieces_b = {{b.shape, b.pose}};
    proof.claims = {{{}, 0.5, 0, 0}};
    proof.bound = 0.5;
  }
  static Shape cube() {
    PolygonMesh mesh = test::cube_mesh(2);
    for (Vec3& v : mesh.vertices) v -= Vec3{1, 1, 1};
    return Shape::mesh(mesh).value();
  }
  [[nodiscard]] verify::Verdict check() const {
    return verify::check_depth_proof(a, b, proof, 1e-12);
  }
};

TEST(CheckDepthProof, AcceptsWhatHolds) {
  EXPECT_TRUE(Case().check()) << Case().check().why;
  // The hull of the cube is inside, too: then the ball of 0.5 is in the difference of hull and ball.
  Case hull;
  const auto* mesh = body_of<TriangleMesh>(hull.a.shape);
  hull.proof.pieces_a = {{Shape::hull(mesh->vertices()).value(), {}}};
  EXPECT_TRUE(hull.check()) << hull.check().why;
  Case nothing;
  nothing.proof = {};
  EXPECT_TRUE(nothing.check());
}

TEST(CheckDepthProof, AcceptsACoverOfSeveralBalls) {
  Case c;
  c.proof.claims = {{{-0.5, 0, 0}, 1, 0, 0}, {{}, 0.5, 0, 0}};
  EXPECT_TRUE(c.check()) << c.check().why;
  c.proof.claims = {{{-0.5, 0, 0}, 1, 0, 0}};
  c.proof.bound = 0.49;
  EXPECT_TRUE(c.check()) << c.check().why;
  c.proof.bound = 0.51;
  EXPECT_FALSE(c.check());
}

TEST(CheckDepthProof, RefusesWhatDoesNot) {
  Case too_far;
  too_far.proof.bound = 0.6;
  EXPECT_FALSE(too_far.check());
  Case too_deep;
  too_deep.proof.claims[0].radius = 0.6;
  EXPECT_FALSE(too_deep.check());
  Case outside;
  outside.proof.pieces_a = {{Shape::sphere(1.1).value(), {}}};
  EXPECT_FALSE(outside.check());
  Case elsewhere;
  elsewhere.proof.pieces_a = {{Shape::sphere(1, {9, 0, 0}).value(), {}}};
  EXPECT_FALSE(elsewhere.check());
  Case other;
  other.proof.pieces_b = {{Shape::sphere(1).value(), Pose::at({1.4, 0, 0})}};
  EXPECT_FALSE(other.check());
  Case missing;
  missing.proof.claims[0].a = 1;
  EXPECT_FALSE(missing.check());
  Case hull;
  const Vec3 beyond[] = {{-1, -1, -1}, {2, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  hull.proof.pieces_a = {{Shape::hull(beyond).value(), {}}};
  EXPECT_FALSE(hull.check());
  Case concave;
  concave.proof.pieces_a = {{concave.a.shape, {}}};
  EXPECT_FALSE(concave.check());
}

TEST(CheckDepthProof, PiecesOfEachKind) {
  const Vec3 points[] = {{0, 0, 0}, {1, 0, 0}};
  const PlacedShape cloud{Shape::point_cloud(points, 0.5).value(), {}};
  const auto sphere = [](double r, const Vec3& at) {
    return PlacedPiece{Shape::sphere(r, at).value(), {}};
  };
  EXPECT_TRUE(verify::check_piece_of(cloud, sphere(0.5, {1, 0, 0}), 1e-12));
  EXPECT_FALSE(verify::check_piece_of(cloud, sphere(0.5, {0.5, 0, 0}), 1e-12));
  MeshOptions options;
  options.body = MeshOptions::Body::surface;
  const Shape shell = Shape::mesh(test::cube_mesh(), options).value();
  EXPECT_FALSE(verify::check_piece_of({shell, {}}, sphere(0.5, {0.5, 0.5, 0.5}), 1e-12));
  const Triangle t = body_of<TriangleMesh>(shell)->surface()[3];
  const Shape triangle = Shape::triangle(t.a, t.b, t.c).value();
  EXPECT_TRUE(verify::check_piece_of({shell, {}}, {triangle, {}}, 1e-12));
  EXPECT_FALSE(verify::check_piece_of({shell, {}}, {triangle, Pose::at({0, 0, 1})}, 1e-12));
  const CompoundPart parts[] = {{shell, {}, 0}, {cloud.shape, Pose::at({5, 0, 0}), 0}};
  const PlacedShape compound{Shape::compound(parts).value(), {}};
  EXPECT_TRUE(verify::check_piece_of(compound, sphere(0.5, {6, 0, 0}), 1e-12));
  EXPECT_TRUE(verify::check_piece_of(compound, {triangle, {}}, 1e-12));
  EXPECT_FALSE(verify::check_piece_of(compound, sphere(0.5, {1, 0, 0}), 1e-12));
}

} // namespace
} // namespace carom
