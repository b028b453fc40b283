// Penetration of shapes that are not convex. Every answer through verify: moved by the upper bound they are apart (a proof over all pairs of parts), and nothing shorter than the lower bound separates
// them (a proof by pieces).
#include "carom/query/penetration.h"

#include "carom/query/overlap.h"
#include "carom/query/prove.h"
#include "carom/query/prove_depth.h"
#include "carom/query/signed_distance.h"
#include "carom/shape/composite.h"
#include "carom/verify/check_depth_proof.h"
#include "carom/verify/check_proof.h"
#include "tests/query/composite_cases.h"
#include "tests/support/concave_meshes.h"
#include "tests/support/data_mesh.h"
#include "tests/support/generate_shape.h"
#include "tests/support/property.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace carom {
namespace {

using test::Source;
using verify::PlacedShape;

double size_of(const PlacedShape& a, const PlacedShape& b) {
  return a.shape.size() + b.shape.size() + max_abs(a.pose.position) + max_abs(b.pose.position);
}
PlacedShape moved(const PlacedShape& b, const Vec3& t) {
  return {b.shape, {b.pose.rotation, b.pose.position + t}};
}

/// That the translation separates: over all parts, and none inside.
verify::Verdict check_separates(const PlacedShape& a, const PlacedShape& b, const Vec3& t) {
  const PlacedShape there = moved(b, t);
  const auto proof = prove_apart(a.shape, a.pose, there.shape, there.pose, {}, 0);
  if (!proof) return verify::Verdict::no("not apart");
  return verify::check_proof(a, there, *proof, 1e-12 * size_of(a, b));
}

Penetration checked(const PlacedShape& a, const PlacedShape& b) {
  const Penetration p = penetration(a.shape, a.pose, b.shape, b.pose);
  EXPECT_NE(p.status, Status::bad_input);
  EXPECT_TRUE(verify::is_unit(p.normal));
  EXPECT_LE(p.lower_bound, p.upper_bound);
  EXPECT_EQ(p.depth, p.upper_bound);
  if (p.upper_bound == 0) {
    EXPECT_TRUE(prove_apart(a.shape, a.pose, b.shape, b.pose, {}, 0));
    return p;
  }
  const auto separates = check_separates(a, b, p.normal * p.upper_bound);
  EXPECT_TRUE(separates) << separates.why << ", depth " << p.depth;
  const auto proof = prove_depth(a.shape, a.pose, b.shape, b.pose, p);
  EXPECT_TRUE(proof);
  if (!proof) return p;
  const auto deep = verify::check_depth_proof(a, b, *proof, 1e-11 * size_of(a, b));
  EXPECT_TRUE(deep) << deep.why << ", lower bound " << p.lower_bound;
  // The points will touch: they are as far apart as the translation is long.
  EXPECT_LE(length(p.on_a - p.on_b - p.normal * p.depth), 1e-2 * p.depth + 1e-11 * size_of(a, b));
  return p;
}

/// A mesh around the origin.
Shape centred(PolygonMesh mesh, const Vec3& factors = {1, 1, 1}) {
  Aabb box{mesh.vertices[0], mesh.vertices[0]};
  for (const Vec3& v : mesh.vertices) box = {min(box.min, v), max(box.max, v)};
  for (Vec3& v : mesh.vertices) {
    v -= box.center();
    v = {v.x * factors.x, v.y * factors.y, v.z * factors.z};
  }
  return Shape::mesh(mesh).value();
}
Shape box_mesh(const Vec3& half) { return centred(test::cube_mesh(2), half); }

TEST(CompositePenetration, CubesAreAsDeepAsBoxes) {
  test::for_each_seed(test::fewer_when_sanitized(40), [](Source& source) {
    Vec3 half_a, half_b, at;
    for (int i = 0; i < 3; ++i) half_a[i] = source.uniform(0.3, 1);
    for (int i = 0; i < 3; ++i) half_b[i] = source.uniform(0.3, 1);
    for (int i = 0; i < 3; ++i) at[i] = source.uniform(-1, 1);
    const Pose pose_a{source.chance(3) ? Quat{} : test::rotation(source), {}};
    const Pose pose_b{source.chance(3) ? Quat{} : test::rotation(source), at};
    const Penetration boxes =
        penetration(Shape::box(half_a).value(), pose_a, Shape::box(half_b).value(), pose_b);
    const Penetration meshes = checked({box_mesh(half_a), pose_a}, {box_mesh(half_b), pose_b});
    // The pieces are the boxes but for a few roundings, and so near counts as touching.
    EXPECT_NEAR(meshes.depth, boxes.depth, 2e-12);
    EXPECT_NEAR(meshes.lower_bound, boxes.depth, 2e-12);
    EXPECT_EQ(meshes.status, Status::ok);
  });
}

TEST(CompositePenetration, ContainedAndConcentric) {
  const Shape large = box_mesh({2, 2, 2}), small = box_mesh({0.25, 0.25, 0.25});
  // Out to the nearest face, all of the small one.
  const PlacedShape a{large, {}};
  EXPECT_NEAR(checked(a, {small, Pose::at({1, 0, 0})}).depth, 1.25, 1e-12);
  EXPECT_NEAR(checked(a, {small, {}}).depth, 2.25, 1e-12);
  EXPECT_NEAR(checked({small, {}}, a).depth, 2.25, 1e-12);
  EXPECT_NEAR(checked(a, a).depth, 4, 1e-12);
}

TEST(CompositePenetration, ApartIsZero) {
  const Shape cube = box_mesh({1, 1, 1});
  const Penetration p = checked({cube, {}}, {cube, Pose::at({3, 0, 0})});
  EXPECT_EQ(p.depth, 0);
  EXPECT_EQ(p.status, Status::ok);
  const SignedDistance s = signed_distance(cube, {}, cube, Pose::at({3, 0, 0}));
  EXPECT_EQ(s.value, 1);
  // In the opening of a U, and linked: nothing touches, though no plane separates them.
  const Shape u = centred(test::u_mesh());
  EXPECT_EQ(checked({u, {}}, {box_mesh({0.25, 0.25, 0.25}), Pose::at({0, 0.5, 0})}).depth, 0);
  const Shape torus = centred(test::torus_mesh(24, 9, 0.5));
  const Quat quarter = normalized(Quat{1, 0, 0, 1});
  EXPECT_EQ(checked({torus, {}}, {torus, {quarter, {2, 0, 0}}}).depth, 0);
}

TEST(CompositePenetration, ConcaveShapesPartIntoTheirOpenings) {
  const Shape u = centred(test::u_mesh()); // arms along y, 1 wide, at x = -1 and 1
  // A bar in the opening that reaches 0.1 into an arm: back into the opening, not out of the hull.
  const Shape bar = box_mesh({0.25, 2, 0.25});
  const PlacedShape in_arm{bar, Pose::at({0.35, 1.5, 0})};
  const Penetration p = checked({u, {}}, in_arm);
  EXPECT_LT(p.depth, 0.101);
  EXPECT_GT(p.lower_bound, 0.05);
  // Two wide U's, one upside down, hooked into each other: aside, where there is room, not all the way out.
  const Shape wide = centred(test::voxel_mesh(
      5, [](int x, int y, int z) { return z == 0 && (x == 0 || x == 4 || y == 0); }));
  const Quat half_turn{0, 0, 1, 0};
  const Penetration hooked = checked({wide, {}}, {wide, {half_turn, {0.8, 2, 0}}});
  EXPECT_NEAR(hooked.depth, 0.2, 1e-3);
  EXPECT_GT(hooked.lower_bound, 0.15);
  // Tori, the tube of the one in that of the other.
  const Shape torus = centred(test::torus_mesh(24, 9, 0.5));
  const Quat quarter = normalized(Quat{1, 0, 0, 1});
  const Penetration linked = checked({torus, {}}, {torus, {quarter, {0.8, 0, 0}}});
  EXPECT_GT(linked.lower_bound, 0.1);
  EXPECT_LT(linked.depth, 0.4);
}

TEST(CompositePenetration, AgainstConvexShapes) {
  const Shape cube = box_mesh({1, 1, 1});
  const PlacedShape ball{Shape::sphere(0.5).value(), Pose::at({1.2, 0, 0})};
  const Penetration p = checked({cube, {}}, ball);
  EXPECT_NEAR(p.depth, 0.3, 1e-11);
  EXPECT_NEAR(p.normal.x, 1, 1e-9);
  const Penetration q = checked(ball, {cube, {}});
  EXPECT_NEAR(q.depth, 0.3, 1e-11);
  EXPECT_NEAR(q.normal.x, -1, 1e-9);
  const Shape ground = Shape::half_space({0, 0, 1}, 0).value();
  EXPECT_NEAR(penetration(ground, {}, cube, Pose::at({0, 0, 0.75})).depth, 0.25, 1e-14);
  EXPECT_NEAR(penetration(cube, Pose::at({0, 0, 0.75}), ground, {}).depth, 0.25, 1e-14);
}

TEST(CompositePenetration, SurfacesHaveNoInside) {
  MeshOptions surface;
  surface.body = MeshOptions::Body::surface;
  const Shape shell = Shape::mesh(test::cube_mesh(4), surface).value();
  const Shape small = box_mesh({0.5, 0.5, 0.5});
  EXPECT_EQ(checked({shell, {}}, {small, Pose::at({2, 2, 2})}).depth, 0);
  // 0.3 of the small cube is outside: back in.
  const Penetration p = checked({shell, {}}, {small, Pose::at({3.8, 2, 2})});
  EXPECT_NEAR(p.depth, 0.3, 1e-3);
  EXPECT_LT(p.normal.x, -0.99);
}

TEST(CompositePenetration, SignedDistanceIsOneFunction) {
  const Shape u = centred(test::u_mesh()), cube = box_mesh({0.4, 0.4, 0.4});
  for (int i = 0; i <= 20; ++i) {
    const Pose pose = Pose::at({0.1 * i, 2.5 - 0.15 * i, 0.05});
    const SignedDistance s = signed_distance(u, {}, cube, pose);
    const Penetration p = penetration(u, {}, cube, pose);
    EXPECT_LE(s.lower_bound, s.value);
    EXPECT_LE(s.value, s.upper_bound);
    EXPECT_EQ(std::max(-s.value, 0.0), p.depth);
    EXPECT_LE(length(s.on_b - s.on_a - s.normal * s.value), 1e-2 * std::fabs(s.value) + 1e-11);
  }
}

/// One of each kind that is not convex, and of some that are.
std::vector<Shape> one_of_each() {
  const Shape u = centred(test::u_mesh(), {0.6, 0.6, 0.6});
  MeshOptions surface;
  surface.body = MeshOptions::Body::surface;
  PolygonMesh sheet = test::terrain_mesh(6);
  for (Vec3& v : sheet.vertices) v = v * 2 - Vec3{1, 1, 0};
  const Vec3 points[] = {{0.5, 0, 0}, {-0.5, 0, 0}, {0, 0.5, 0}, {0, -0.5, 0.2}, {0, 0, 0.5}};
  const Shape ball = Shape::sphere(0.4).value();
  const CompoundPart parts[] = {{ball, Pose::at({0.6, 0, 0}), 0},
                                {Shape::box({0.7, 0.2, 0.2}).value(), {}, 0},
                                {box_mesh({0.3, 0.3, 0.3}), Pose::at({-0.6, 0, 0}), 0}};
  return {u,
          u.rounded(0.1).value(),
          centred(test::torus_mesh(12, 6, 0.6), {0.4, 0.4, 0.4}),
          Shape::mesh(sheet, surface).value(),
          Shape::mesh(sheet, surface).value().rounded(0.1).value(),
          Shape::point_cloud(points, 0.2).value(),
          Shape::point_cloud(points, 0).value(),
          Shape::compound(parts).value(),
          ball,
          Shape::box({0.5, 0.4, 0.3}).value(),
          Shape::cylinder(0.5, 0.4).value(),
          Shape::triangle({-0.5, 0, 0}, {0.5, 0.1, 0}, {0, 0, 0.7}).value()};
}

TEST(CompositePenetration, EveryPairOfKinds) {
  const std::vector<Shape> shapes = one_of_each();
  for (const Shape& a : shapes) {
    for (const Shape& b : shapes) {
      if (a.convex() && b.convex()) continue;
      SCOPED_TRACE(std::string(name_of(a.kind())) + " " + name_of(b.kind()));
      test::for_each_seed(2, [&](Source& source) {
        const PlacedShape x{a, {test::rotation(source), {}}};
        PlacedShape y{b, {test::rotation(source), {}}};
        for (int i = 0; i < 3; ++i) y.pose.position[i] = source.uniform(-0.8, 0.8);
        checked(x, y);
      });
    }
  }
}

TEST(CompositePenetration, PosesOutOfRange) {
  const Shape u = centred(test::u_mesh());
  EXPECT_EQ(penetration(u, Pose::at({NAN, 0, 0}), u, {}).status, Status::bad_input);
  EXPECT_EQ(penetration(u, {}, u, Pose::at({1e31, 0, 0})).status, Status::bad_input);
  const Penetration p;
  EXPECT_FALSE(prove_depth(u, Pose::at({NAN, 0, 0}), u, {}, p));
}

TEST(CompositePenetration, AtAnyScaleAndFarAway) {
  for (const double scale : {1e-20, 1e-3, 1e6, 1e20}) {
    const Shape u = centred(test::u_mesh()).scaled({scale, scale, scale}).value();
    const Vec3 offset = Vec3{0.3, 0.4, 0.2} * scale;
    const Penetration p = checked({u, {}}, {u, Pose::at(offset)});
    EXPECT_LE(p.upper_bound, 1.5 * p.lower_bound) << scale;
    const Vec3 far = Vec3{1e6, -1e6, 1e6} * scale;
    const Penetration q = checked({u, Pose::at(far)}, {u, Pose::at(far + offset)});
    EXPECT_NEAR(q.depth, p.depth, 0.5 * p.depth) << scale;
  }
}

TEST(CompositePenetration, Deformed) {
  const Shape u = centred(test::u_mesh());
  const auto* mesh = body_of<TriangleMesh>(u);
  std::vector<Vec3> vertices(mesh->vertices().begin(), mesh->vertices().end());
  for (Vec3& v : vertices) v.x += 0.2 * v.y;
  const Shape bent = u.deformed(vertices).value();
  EXPECT_TRUE(body_of<TriangleMesh>(bent)->inner_pieces().empty());
  const Penetration p = checked({bent, {}}, {u, Pose::at({0.5, 0.3, 0.1})});
  EXPECT_GT(p.lower_bound, 0);
}

Vec3 some_vertex(const Shape& mesh) { return body_of<TriangleMesh>(mesh)->vertices()[0]; }

/// The bar: upper over lower bound at most 1.5 in the median, 4 at worst.
TEST(CompositePenetration, BoundsOfDataMeshesAreNear) {
  std::vector<Shape> shapes, small;
  for (const char* name : {"cow", "fandisk", "homer", "rocker-arm", "spot"}) {
    auto mesh = test::data_mesh(name);
    if (!mesh) GTEST_SKIP() << "no data: set CAROM_DATA";
    Aabb box{mesh->vertices[0], mesh->vertices[0]};
    for (const Vec3& v : mesh->vertices) box = {min(box.min, v), max(box.max, v)};
    const double scale = 1 / length(box.max - box.min);
    shapes.push_back(centred(*mesh, {scale, scale, scale}));
    ASSERT_TRUE(body_of<TriangleMesh>(shapes.back())->solid());
    small.push_back(centred(*mesh, Vec3{scale, scale, scale} * 0.3));
  }
  std::vector<double> ratios;
  test::for_each_seed(test::fewer_when_sanitized(50), [&](Source& source) {
    const PlacedShape a{shapes[source.below(5)], {test::rotation(source), {}}};
    const bool contained = source.chance(3);
    const std::size_t other = source.below(5);
    PlacedShape b{contained ? small[other] : shapes[other], {test::rotation(source), {}}};
    for (int i = 0; i < 3; ++i) b.pose.position[i] = source.uniform(-0.4, 0.4);
    const Penetration p = penetration(a.shape, a.pose, b.shape, b.pose);
    if (p.upper_bound == 0) return;
    // By a search that has nothing to do with the one that found it; the checker's own way through all pairs of triangles would take minutes.
    const PlacedShape there = moved(b, p.normal * p.upper_bound);
    EXPECT_TRUE(prove_apart(a.shape, a.pose, there.shape, there.pose, {}, 0));
    EXPECT_FALSE(verify::wound_around(a, there.pose.frame().to_world(some_vertex(b.shape))));
    EXPECT_FALSE(verify::wound_around(there, a.pose.frame().to_world(some_vertex(a.shape))));
    EXPECT_LE(p.upper_bound, 4 * p.lower_bound);
    ratios.push_back(p.upper_bound / p.lower_bound);
  });
  ASSERT_FALSE(ratios.empty());
  std::sort(ratios.begin(), ratios.end());
  EXPECT_LE(ratios[ratios.size() / 2], 1.5);
}

/// A cylinder across a height field, whose common points are on a long flat ridge and near to each other: the search went along it in tiny steps, for minutes.
TEST(CompositePenetration, ALongRidgeHasAnEnd) {
  test::RandomSource source(10);
  const test::CompositeCase c =
      test::composite_case(source, ShapeKind::cylinder, ShapeKind::height_field);
  const Penetration p = penetration(c.a.shape, c.a.pose, c.b.shape, c.b.pose);
  EXPECT_GT(p.depth, 0);
  const PlacedShape there = moved(c.b, p.normal * p.upper_bound);
  EXPECT_TRUE(prove_apart(c.a.shape, c.a.pose, there.shape, there.pose, {}, 0));
}

} // namespace
} // namespace carom
