// Proofs of shapes that are not convex, each through the checker; and that the checker refuses what is wrong.
#include "carom/query/prove.h"

#include "carom/query/distance.h"
#include "carom/query/overlap.h"
#include "carom/query/ray_cast.h"
#include "carom/query/shape_cast.h"
#include "carom/shape/composite.h"
#include "carom/verify/check_proof.h"
#include "tests/support/generate_shape.h"
#include "tests/support/procedural_meshes.h"
#include "tests/support/property.h"

namespace carom {
namespace {

using test::Source;

PolygonMesh box_mesh(const Vec3& half) {
  PolygonMesh mesh;
  for (int i = 0; i < 8; ++i) mesh.vertices.push_back(Obb{{}, {}, half}.corner(i));
  const std::uint32_t faces[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                     {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  for (const auto& face : faces) mesh.add_face(face);
  return mesh;
}

/// A mesh, a compound, a cloud or something convex, a few units large.
Shape some_shape(Source& source) {
  const Shape mesh = Shape::mesh(box_mesh({1, 0.5, 0.25})).value();
  switch (source.index(4)) {
  case 0:
    return mesh;
  case 1: {
    const Shape ball = Shape::sphere(0.5).value();
    const Pose turned{test::rotation(source), {1, 2, 0}};
    const CompoundPart parts[] = {{ball, Pose::at({-2, 0, 0}), 7}, {mesh, turned, 0}};
    return Shape::compound(parts).value();
  }
  case 2: {
    std::vector<Vec3> points;
    for (int i = 0; i < 20; ++i) points.push_back(test::direction(source));
    return Shape::point_cloud(points, source.chance(2) ? 0.1 : 0).value();
  }
  default:
    return test::ShapeGenerator(source, 1).bounded(0);
  }
}

struct Case {
  verify::PlacedShape a, b;
  double band; ///< what prove() may leave open of curved parts, and rounding

  explicit Case(Source& source, double reach)
      : a{some_shape(source), {}}, b{some_shape(source), {}} {
    a.pose.rotation = test::rotation(source);
    b.pose.rotation = test::rotation(source);
    for (int i = 0; i < 3; ++i) b.pose.position[i] = source.uniform(-reach, reach);
    band = 1e-10 * (a.shape.size() + b.shape.size() + reach);
  }
};

TEST(Prove, DistancesOfPartsHold) {
  int proved = 0;
  test::for_each_seed(test::fewer_when_sanitized(400), [&](Source& source) {
    const Case c(source, 4);
    if (c.a.shape.kind() == ShapeKind::custom || c.b.shape.kind() == ShapeKind::custom) return;
    const Distance d = distance(c.a.shape, c.a.pose, c.b.shape, c.b.pose);
    if (!(d.value > 0)) return;
    const auto proof = prove(c.a.shape, c.a.pose, c.b.shape, c.b.pose, d);
    ASSERT_TRUE(proof);
    const auto verdict = verify::check_proof(c.a, c.b, *proof, c.band);
    EXPECT_TRUE(verdict) << verdict.why;
    // It proves no more than is true.
    EXPECT_FALSE(prove_apart(c.a.shape, c.a.pose, c.b.shape, c.b.pose, {}, d.value + 2 * c.band));
    ++proved;
  });
  EXPECT_GT(proved, 5);
}

TEST(Prove, CastsTouchNothingBefore) {
  int hits = 0, misses = 0;
  test::for_each_seed(test::fewer_when_sanitized(400), [&](Source& source) {
    const Case c(source, 5);
    if (c.a.shape.kind() == ShapeKind::custom || c.b.shape.kind() == ShapeKind::custom) return;
    const Vec3 away = test::direction(source);
    const Vec3 translation = c.b.pose.position * 1.5 + away;
    const ShapeCast cast = shape_cast(c.a.shape, c.a.pose, translation, c.b.shape, c.b.pose);
    if (cast.initial_overlap || cast.status != Status::ok) return;
    const auto proof = prove(c.a.shape, c.a.pose, translation, c.b.shape, c.b.pose, cast);
    ASSERT_TRUE(proof) << cast.hit << " " << cast.t;
    const auto verdict = verify::check_proof(c.a, c.b, *proof, c.band);
    EXPECT_TRUE(verdict) << verdict.why;
    ++(cast.hit ? hits : misses);
  });
  EXPECT_GT(hits, 5);
  EXPECT_GT(misses, 5);
}

TEST(Prove, RaysTouchNothingBefore) {
  int hits = 0;
  test::for_each_seed(test::fewer_when_sanitized(200), [&](Source& source) {
    const Case c(source, 3);
    const Vec3 from = test::direction(source) * 6;
    const Vec3 aside = test::direction(source);
    const Ray ray{from, c.b.pose.position + aside * 0.7 - from};
    const RayHit hit = ray_cast(c.b.shape, c.b.pose, ray, {.max_t = 2});
    if (hit.inside || c.b.shape.kind() == ShapeKind::custom) return;
    const auto proof = prove(c.b.shape, c.b.pose, ray, hit, 2);
    ASSERT_TRUE(proof);
    const verify::PlacedShape point{Shape::point(Vec3{}).value(), Pose::at(ray.origin)};
    const auto verdict = verify::check_proof(point, c.b, *proof, c.band);
    EXPECT_TRUE(verdict) << verdict.why;
    hits += hit.hit;
  });
  EXPECT_GT(hits, 5);
}

TEST(Prove, TheCheckerRefusesWhatIsWrong) {
  const Shape mesh = Shape::mesh(box_mesh({1, 1, 1})).value();
  const verify::PlacedShape a{mesh, {}};
  const verify::PlacedShape b{mesh, Pose{{0.1, 0.2, 0.3, 0.9}, {4, 0.5, 0}}};
  const Distance d = distance(a.shape, a.pose, b.shape, b.pose);
  const Proof proof = prove(a.shape, a.pose, b.shape, b.pose, d).value();
  EXPECT_TRUE(verify::check_proof(a, b, proof, 1e-12));

  Proof wrong = proof;
  wrong.bound = d.value + 1e-6;
  EXPECT_FALSE(verify::check_proof(a, b, wrong, 1e-9));
  wrong = proof;
  wrong.claims.pop_back();
  EXPECT_FALSE(verify::check_proof(a, b, wrong, 1e-12));
  wrong = proof;
  wrong.claims.back() = wrong.claims.front();
  EXPECT_FALSE(verify::check_proof(a, b, wrong, 1e-12));
  wrong = proof;
  wrong.claims[0].direction = -wrong.claims[0].direction;
  EXPECT_FALSE(verify::check_proof(a, b, wrong, 1e-12));
  wrong = proof;
  wrong.claims[0].direction *= 2;
  EXPECT_FALSE(verify::check_proof(a, b, wrong, 1e-12));
  wrong = proof;
  wrong.parts_a[0] = wrong.parts_a[1];
  EXPECT_FALSE(verify::check_proof(a, b, wrong, 1e-12));
  wrong = proof;
  wrong.translation = {3, 0, 0};
  EXPECT_FALSE(verify::check_proof(a, b, wrong, 1e-12));
}

TEST(Prove, ASolidAroundAnotherIsNotApart) {
  const Shape outer = Shape::mesh(box_mesh({2, 2, 2})).value();
  const Shape inner = Shape::sphere(0.5).value();
  // The surfaces are apart, and that can be proved; the checker sees that one is inside of the other.
  const auto proof = prove_apart(outer, {}, inner, {}, {}, 1.4);
  ASSERT_TRUE(proof);
  EXPECT_FALSE(verify::check_proof({outer, {}}, {inner, {}}, *proof, 1e-12));
  const Shape shell =
      Shape::mesh(box_mesh({2, 2, 2}), {.body = MeshOptions::Body::surface}).value();
  EXPECT_TRUE(verify::check_proof({shell, {}}, {inner, {}}, *proof, 1e-12));
  EXPECT_TRUE(overlap(outer, {}, inner, {}));
  EXPECT_FALSE(overlap(shell, {}, inner, {}));
}

TEST(Prove, NothingForWhatOverlapsOrIsOutOfRange) {
  const Shape mesh = Shape::mesh(box_mesh({1, 1, 1})).value();
  const Pose near = Pose::at({0.5, 0.5, 0.5});
  EXPECT_FALSE(prove_apart(mesh, {}, mesh, near, {}, 0));
  EXPECT_FALSE(prove(mesh, {}, mesh, near, overlap(mesh, {}, mesh, near)));
  const Pose far = Pose::at({NAN, 0, 0});
  EXPECT_FALSE(prove_apart(mesh, {}, mesh, far, {}, 0));
  EXPECT_FALSE(prove_apart(mesh, {}, mesh, Pose::at({5, 0, 0}), {}, INFINITY));
}

} // namespace
} // namespace carom
