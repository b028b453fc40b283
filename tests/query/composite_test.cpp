// Shapes that are not convex: what is promised by name. (All pairs of kinds: composite_pairs_test.cpp.)
#include "carom/query/closest_point.h"
#include "carom/query/distance.h"
#include "carom/query/overlap.h"
#include "carom/query/ray_cast_all.h"
#include "carom/query/shape_cast.h"
#include "carom/query/span.h"
#include "tests/query/composite_cases.h"
#include "tests/support/property.h"

namespace carom {
namespace {

using test::Source;

Shape ball(double radius) { return Shape::sphere(radius).value(); }
Shape solid_box(const Vec3& half) { return Shape::mesh(test::box_mesh(half)).value(); }
Shape hollow_box(const Vec3& half) {
  return Shape::mesh(test::box_mesh(half), {MeshOptions::Body::surface, {}}).value();
}
Shape compound(std::vector<CompoundPart> parts) { return Shape::compound(parts).value(); }

TEST(CompositeDistance, AThresholdKeepsTheLowerBoundTrue) {
  std::vector<CompoundPart> balls;
  for (int i = 0; i < 64; ++i) balls.push_back({ball(0.1), Pose::at({0.5 * i, 0, 0})});
  const Shape row = compound(balls);
  std::vector<Vec3> points;
  for (int i = 0; i < 64; ++i) points.push_back({0.5 * i, 0, 0});
  for (const Shape& shape : {row, Shape::point_cloud(points, 0.1).value()}) {
    for (double x = -4; x < 40; x += 0.37) {
      const Distance exact = distance(ball(0.1), Pose::at({x, 1, 0}), shape, {});
      for (const double threshold : {0.5, 0.9, 1.0, 5.0, 100.0}) {
        const Distance d =
            distance(ball(0.1), Pose::at({x, 1, 0}), shape, {}, {.threshold = threshold});
        EXPECT_LE(d.lower_bound, exact.value);
        EXPECT_GE(d.value, exact.lower_bound);
        if (exact.value < threshold - 1e-9) {
          EXPECT_LT(d.value, threshold);
        }
        if (exact.lower_bound > threshold + 1e-9) {
          EXPECT_GE(d.lower_bound, threshold);
        }
      }
    }
  }
}

TEST(CompositeRay, ARoundedSolidIsFullInside) {
  const Shape box = solid_box({5, 5, 5}).rounded(0.5).value();
  const RayHit h = ray_cast(box, {}, Ray{{1, 1, 1}, {1, 0, 0}});
  EXPECT_TRUE(h.hit && h.inside);
  EXPECT_EQ(h.t, 0);
  std::vector<RayHit> hits;
  ray_cast_all(box, {}, Ray{{1, 1, 1}, {1, 0, 0}}, hits);
  ASSERT_FALSE(hits.empty());
  EXPECT_TRUE(hits[0].inside);
  // From outside it is entered where the rounding begins.
  const RayHit outside = ray_cast(box, {}, Ray{{-9, 1, 1}, {1, 0, 0}});
  EXPECT_NEAR(outside.t, 3.5, 1e-13);
}

TEST(CompositeCompound, PosesThatCancelAreNoBadInput) {
  // 0.1 + 0.2 - 0.3 and the like leave 1e-17, and smaller things where positions are small.
  const Shape part = compound({{ball(1), Pose::at({1e-20, 0, 0})}});
  const Pose pose = Pose::at({-1e-20 * (1 - 0x1p-52), 0, 0});
  const Distance d = distance(part, pose, ball(1), Pose::at({3, 0, 0}));
  EXPECT_EQ(d.status, Status::ok);
  EXPECT_NEAR(d.value, 1, 1e-14);
  EXPECT_TRUE(overlap(part, pose, ball(1), Pose::at({1, 0, 0})).hit);
  EXPECT_TRUE(ray_cast(part, pose, Ray{{-5, 0, 0}, {1, 0, 0}}).hit);
}

TEST(CompositeCompound, RotationsOfAnyLengthTurnTheParts) {
  const double half = 0.70710678118654752440;
  const Quat quarter{0, 0, half, half}; // x to y
  const Shape stick = Shape::box({1, 0.1, 0.1}).value();
  for (const double own : {1.0, 0.0, 1e-100, 1e100, 1e-160, 1e150}) {
    for (const double part : {1.0, 1e-100, 1e100}) {
      const Quat turn{0, 0, quarter.z * part, quarter.w * part};
      const Shape shape = compound({{stick, {turn, {}}}});
      const Pose pose{{0, 0, 0, own}, {}};
      EXPECT_NEAR(distance(shape, pose, ball(1), Pose::at({0, 3, 0})).value, 1, 1e-14)
          << own << " " << part;
      EXPECT_NEAR(closest_point({3, 0, 0}, shape, pose).value, 2.9, 1e-14);
    }
  }
}

TEST(CompositeCompound, PartsFarFromTheirOwnOriginAreMeasuredRight) {
  // Each part is placed by a product of rotations that is rounded: an error of 1e8 epsilon where it lies.
  test::for_each_seed(test::fewer_when_sanitized(200), [](Source& source) {
    const Quat turn = test::rotation(source);
    const Vec3 far = test::direction(source) * 1e8;
    const Shape part = Shape::of(Obb{far, Mat3::identity(), {1, 1, 1}}).value();
    const Vec3 back = -Pose{turn, {}}.frame().to_world(far);
    const Shape shape = compound({{part, {turn, back}}, {ball(0.5), Pose::at({0, 0, 4})}});
    const Quat outer = test::rotation(source);
    const verify::PlacedShape a{shape, {outer, {}}};
    const Vec3 d = test::direction(source);
    const verify::PlacedShape b{ball(1), Pose::at(d * 5)};
    const Distance answer = distance(a.shape, a.pose, b.shape, b.pose);
    const auto verdict = verify::check_composite_distance(a, b, answer, 1e-14 * 1e8);
    EXPECT_TRUE(verdict) << verdict.why;
    EXPECT_GE(shape.size(), 1e8);
    EXPECT_LE(shape.size(), 4e8);
  });
}

TEST(CompositeMesh, PiecesThatComeApartAreSeenInside) {
  // A closed soup, deformed so that one triangle flies off into the solid.
  PolygonMesh soup = test::with_own_corners(test::box_mesh({1, 1, 1}));
  const Shape shape = Shape::mesh(soup, {MeshOptions::Body::surface, {}}).value();
  std::vector<Vec3> moved = soup.vertices;
  for (std::size_t i = 0; i < 3; ++i) moved[moved.size() - 1 - i] += Vec3{100, 0, 0};
  const Shape apart = shape.deformed(moved).value();
  const Shape solid = solid_box({5, 5, 5});
  EXPECT_TRUE(overlap(apart, {}, solid, Pose::at({100, 0, 0})).hit);
  EXPECT_EQ(distance(apart, {}, solid, Pose::at({100, 0, 0})).value, 0);
  EXPECT_FALSE(overlap(apart, {}, solid, Pose::at({50, 0, 0})).hit);
}

// ---- a box, and a mesh of it ----

TEST(CompositeMesh, ASolidBoxIsABox) {
  const Vec3 half{1, 0.5, 2};
  const Shape box = Shape::box(half).value();
  const Shape mesh = solid_box(half);
  EXPECT_EQ(bounds(mesh).min, bounds(box).min);
  EXPECT_EQ(bounds(mesh).max, bounds(box).max);
  test::for_each_seed(test::fewer_when_sanitized(2000), [&](Source& source) {
    const Pose pose = test::shape_pose(source);
    const double size = 4 + max_abs(pose.position);
    const Shape other = test::ShapeGenerator(source, 1).bounded(0);
    const Pose at{test::rotation(source), pose.position + test::vec3(source) * 2};
    const double all = size + other.size() + max_abs(at.position);
    const Distance d = distance(mesh, pose, other, at);
    const double promised = other.polyhedral() ? 1e-12 : 1e-10;
    EXPECT_NEAR(d.value, distance(box, pose, other, at).value, promised * all);
    const ShapeOverlap o = overlap(mesh, pose, other, at);
    if (d.value > promised * all) {
      EXPECT_FALSE(o.hit);
    }
    EXPECT_EQ(o.hit, overlap(other, at, mesh, pose).hit);
    const Vec3 p = pose.position + test::vec3(source) * 2;
    const SurfacePoint s = closest_point(p, mesh, pose);
    EXPECT_NEAR(s.value, closest_point(p, box, pose).value, 1e-13 * size);
    const Ray ray{p, test::direction(source)};
    const RayHit h = ray_cast(mesh, pose, ray);
    const RayHit expected = ray_cast(box, pose, ray);
    if (h.hit != expected.hit || h.inside != expected.inside) {
      // At the border it may go either way.
      const auto nearest =
          distance(box, pose, Shape::segment(p, p + ray.direction * 10).value(), {});
      const bool grazes = !h.hit || !expected.hit;
      EXPECT_TRUE(grazes ? nearest.value < 1e-12 : std::fabs(s.value) < 1e-12);
    } else if (h.hit) {
      EXPECT_NEAR(h.t, expected.t, 1e-12 * size);
    }
  });
}

TEST(CompositeMesh, ASurfaceContainsNothing) {
  const Shape shell = hollow_box({5, 5, 5});
  EXPECT_FALSE(overlap(shell, {}, ball(1), {}).hit);
  EXPECT_NEAR(distance(ball(1), {}, shell, {}).value, 4, 1e-13);
  EXPECT_NEAR(closest_point({1, 0, 0}, shell, {}).value, 4, 1e-13);
  const RayHit h = ray_cast(shell, {}, Ray{{}, {1, 0, 0}});
  EXPECT_NEAR(h.t, 5, 1e-13);
  EXPECT_FALSE(h.inside);
  EXPECT_FALSE(h.front);
  EXPECT_EQ(h.normal, (Vec3{-1, 0, 0}));
  EXPECT_EQ(ray_cast(shell, {}, Ray{{}, {1, 0, 0}}, {.faces = Faces::front}).hit, false);
  EXPECT_NEAR(ray_cast(shell, {}, Ray{{-9, 0, 0}, {1, 0, 0}}, {.faces = Faces::back}).t, 14, 1e-13);
  const Shape solid = solid_box({5, 5, 5});
  EXPECT_TRUE(overlap(solid, {}, ball(1), {}).hit);
  EXPECT_EQ(distance(ball(1), {}, solid, {}).value, 0);
  const ShapeCast inside = shape_cast(ball(1), {}, {20, 0, 0}, shell, {});
  EXPECT_TRUE(inside.hit && !inside.initial_overlap);
  EXPECT_NEAR(inside.t, 0.2, 1e-13);
  EXPECT_TRUE(shape_cast(ball(1), {}, {20, 0, 0}, solid, {}).initial_overlap);
}

TEST(CompositeMesh, CavitiesAreOutside) {
  // [0, 4]^3 less [1, 3]^3, and [1.5, 2.5]^3.
  const Shape dolls = Shape::mesh(test::matryoshka_mesh()).value();
  ASSERT_TRUE(body_of<TriangleMesh>(dolls)->solid());
  EXPECT_EQ(body_of<TriangleMesh>(dolls)->anchors().size(), 3U);
  const auto touches = [&](const Vec3& p) {
    return overlap(dolls, {}, ball(0.01), Pose::at(p)).hit;
  };
  EXPECT_TRUE(touches({0.5, 2, 2}));
  EXPECT_FALSE(touches({1.25, 2, 2}));
  EXPECT_TRUE(touches({2, 2, 2}));
  EXPECT_FALSE(touches({-0.5, 2, 2}));
  EXPECT_NEAR(closest_point({1.25, 2, 2}, dolls, {}).value, 0.25, 1e-14);
  EXPECT_NEAR(closest_point({0.5, 2, 2}, dolls, {}).value, -0.5, 1e-14);
  EXPECT_NEAR(closest_point({2, 2, 2}, dolls, {}).value, -0.5, 1e-14);
}

TEST(CompositeMesh, WhatIsInsideIsNamed) {
  PolygonMesh small = test::box_mesh({0.5, 0.5, 0.5});
  small.materials.assign(12, 6);
  const Shape inner = Shape::mesh(small).value();
  const Shape nested = compound({{ball(0.1), Pose::at({9, 0, 0})}, {inner, {}, 3}});
  const Shape outer = solid_box({5, 5, 5});
  const Pose away = Pose::at({0, 0, 1});
  const auto named = [&](const PartId& id, std::uint32_t part) {
    EXPECT_LT(id.element, 12U);
    EXPECT_EQ(id.part, part);
    EXPECT_EQ(id.material, 6U);
  };
  const ShapeOverlap o = overlap(outer, {}, inner, away);
  named(o.part_b, 0);
  EXPECT_EQ(o.part_a.element, PartId::none);
  named(overlap(inner, away, outer, {}).part_a, 0);
  named(distance(outer, {}, inner, away).part_b, 0);
  named(shape_cast(inner, away, {1, 0, 0}, outer, {}).part_a, 0);
  named(overlap(outer, {}, nested, away).part_b, 1);
  const Shape cloud = Shape::point_cloud(std::vector<Vec3>{{9, 9, 9}, {1, 1, 1}}).value();
  EXPECT_EQ(overlap(cloud, {}, outer, {}).part_a, (PartId{1, 0, 0}));
}

TEST(CompositeMesh, LinkedToriDoNotTouch) {
  const Shape torus = Shape::mesh(test::torus_mesh(12, 8, 0.5)).value();
  const double half = 0.70710678118654752440;
  const Pose through{{half, 0, 0, half}, {2, 0, 0}};
  const verify::PlacedShape a{torus, {}}, b{torus, through};
  EXPECT_FALSE(overlap(torus, {}, torus, through).hit);
  const Distance d = distance(torus, {}, torus, through);
  EXPECT_GT(d.value, 0.9);
  EXPECT_TRUE(verify::check_composite_distance(a, b, d, 1e-13));
  EXPECT_TRUE(overlap(torus, {}, torus, Pose{{half, 0, 0, half}, {0.7, 0, 0}}).hit);
}

} // namespace
} // namespace carom
