// Contacts with ground made of triangles: what slides and rolls over inner edges is not caught, and grooves and ridges have the normals they have.
#include "carom/query/overlap.h"
#include "carom/shape/composite.h"
#include "tests/query/patch_cases.h"
#include "tests/support/property.h"

#include <numbers>

namespace carom {
namespace {

using test::described, test::expect_one_flat_patch, test::flat_grid, test::patches_of, test::turn,
    test::two_slopes;
using test::Source;

constexpr Vec3 up{0, 0, 1};

TEST(ContactPatches, BoxOnAFlatGrid) {
  const Shape floor = flat_grid(17, 5);
  const Vec3 half{0.7, 0.4, 0.3};
  const Shape box = Shape::box(half).value();
  test::for_each_seed(test::fewer_when_sanitized(1000), [&](Source& source) {
    const double x = source.uniform(-3, 3), y = source.uniform(-3, 3);
    const double depth = source.uniform(0, 0.1), yaw = source.uniform(0, 6.3);
    const Pose pose{turn(up, yaw), {x, y, half.z - depth}};
    const auto patches = patches_of(floor, {}, box, pose);
    ASSERT_EQ(patches.size(), 1U) << described(patches);
    const ContactManifold& m = patches[0].manifold;
    EXPECT_LE(length(m.normal - up), 1e-12);
    EXPECT_EQ(m.count, 4);
    EXPECT_NEAR(static_cast<double>(test::area_of(m.contacts())), 4 * half.x * half.y, 1e-12)
        << described(patches);
    for (const Contact& c : m.contacts()) EXPECT_NEAR(c.separation, -depth, 1e-13);
  });
}

TEST(ContactPatches, RoundOnesRollOverInnerEdges) {
  // Upright and tilted, so that neither the plane nor its triangles' corners are special.
  for (const Quat& tilt : {Quat{}, turn({1, 2, 0.5}, 0.7)}) {
    const Shape floor = flat_grid(16, 4, tilt);
    const Frame frame = Pose{tilt, {}}.frame();
    const Vec3 normal = frame.basis.z;
    const Shape ball = Shape::sphere(0.5).value();
    const Shape stick = Shape::capsule({-0.6, 0, 0}, {0.6, 0, 0}, 0.25).value();
    const Shape egg = Shape::ellipsoid({0.3, 0.4, 0.5}).value();
    const Shape can = Shape::cylinder(0.5, 0.3).value();
    test::for_each_seed(test::fewer_when_sanitized(300), [&](Source& source) {
      // Every fourth on the lines of the grid.
      double x = source.uniform(-2, 2), y = source.uniform(-2, 2);
      if (source.chance(2)) x = std::floor(x * 2) / 2;
      if (source.chance(2)) y = x;
      const double depth = source.uniform(0.001, 0.1), yaw = source.uniform(0, 6.3);
      const auto at = [&](double height) {
        return Pose{tilt * turn(up, yaw), frame.to_world({x, y, height - depth})};
      };
      expect_one_flat_patch(patches_of(floor, {}, ball, at(0.5)), normal, depth, 1e-13);
      expect_one_flat_patch(patches_of(floor, {}, stick, at(0.25)), normal, depth, 1e-13);
      expect_one_flat_patch(patches_of(floor, {}, egg, at(0.5)), normal, depth, 1e-8);
      expect_one_flat_patch(patches_of(floor, {}, can, at(0.5)), normal, depth, 1e-13);
    });
  }
}

TEST(ContactPatches, SlidingOverAFlatHeightFieldNothingCatches) {
  constexpr std::uint32_t samples = 33;
  const std::vector<float> level(std::size_t{samples} * samples, 0.0F);
  for (const Diagonal diagonal : {Diagonal::main, Diagonal::other, Diagonal::alternating}) {
    const Shape floor = Shape::height_field({.columns = samples,
                                             .rows = samples,
                                             .spacing_x = 0.25,
                                             .spacing_y = 0.25,
                                             .samples = std::span<const float>(level),
                                             .diagonal = diagonal})
                            .value();
    const Shape shapes[] = {Shape::box({0.3, 0.2, 0.1}).value(), Shape::sphere(0.1).value(),
                            Shape::capsule({-0.2, 0, 0}, {0.2, 0, 0}, 0.1).value()};
    const double depth = 0.004;
    // Along the edges, across them, over the corners.
    for (const Vec3& way : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{1, 1, 0}, Vec3{1, 0.37, 0}})
      for (const Shape& shape : shapes)
        for (int i = 0; i <= 40; ++i) {
          const Vec3 at = Vec3{2, 2, 0.1 - depth} + way * (0.05 * i);
          expect_one_flat_patch(patches_of(floor, {}, shape, Pose::at(at)), up, depth, 1e-14);
          if (HasFailure()) return;
        }
  }
}

/// Hills and valleys, as a height field.
Shape valleys() {
  constexpr std::uint32_t samples = 65;
  std::vector<float> heights;
  for (std::uint32_t j = 0; j < samples; ++j)
    for (std::uint32_t i = 0; i < samples; ++i) {
      const double x = 0.5 * i, y = 0.5 * j;
      heights.push_back(static_cast<float>(1.2 * std::sin(0.55 * x) * std::cos(0.5 * y) +
                                           0.35 * std::sin(1.7 * x + 0.6) * std::sin(1.3 * y) +
                                           0.006 * ((x - 16) * (x - 16) + (y - 16) * (y - 16))));
    }
  return Shape::height_field({.columns = samples,
                              .rows = samples,
                              .spacing_x = 0.5,
                              .spacing_y = 0.5,
                              .samples = std::span<const float>(heights)})
      .value();
}

TEST(ContactPatches, WhatIsApartIsNotTakenOutThroughTheGround) {
  // A capsule a little above one triangle of a valley, and within the margin of others, which it could leave only downward.
  const Shape field = valleys();
  const Shape capsule = Shape::capsule({-0.3, 0, 0}, {0.3, 0, 0}, 0.22).value();
  const Pose pose{
      {-0.016553615729791315, -0.24269957371268702, 0.15965815089622692, 0.9567299355504395},
      {20.758508791224543, 12.225919210251744, -0.50998315139612926}};
  for (const double margin : {0.001, 0.02, 0.05})
    for (const ContactPatch& patch : patches_of(field, {}, capsule, pose, margin)) {
      EXPECT_GT(patch.manifold.normal.z, 0.5);
      for (const Contact& c : patch.manifold.contacts()) EXPECT_GT(c.separation, 0);
    }
}

TEST(ContactPatches, WhatIsPressedIntoAValleyIsNotTakenOutThroughTheGround) {
  // By a few centimetres, where several triangles are met and none has a normal that leads out of all.
  const Shape field = valleys();
  const Shape shapes[] = {Shape::cylinder(0.3, 0.3).value(), Shape::box({0.3, 0.3, 0.3}).value(),
                          Shape::capsule({0, 0, -0.3}, {0, 0, 0.3}, 0.3).value(),
                          Shape::ellipsoid({0.3, 0.4, 0.5}).value()};
  test::for_each_seed(test::fewer_when_sanitized(200), [&](Source& source) {
    const Quat turned = test::rotation(source);
    const double x = source.uniform(6, 26);
    const double y = source.uniform(6, 26);
    const double pressed = source.uniform(0, 0.05);
    for (const Shape& shape : shapes) {
      // Down to where it touches.
      double low = -5, high = 20;
      for (int i = 0; i < 40; ++i) {
        const double middle = 0.5 * (low + high);
        (overlap(shape, {turned, {x, y, middle}}, field, {}).hit ? low : high) = middle;
      }
      const auto patches = patches_of(shape, {turned, {x, y, high - pressed}}, field, {}, 0.02);
      for (const ContactPatch& p : patches)
        for (const Contact& c : p.manifold.contacts())
          EXPECT_GT(c.separation, -0.15) << name_of(shape.kind()) << '\n' << described(patches);
    }
  });
}

TEST(ContactPatches, BallInAGroove) {
  const Shape groove = two_slopes(1);
  const double r = 0.5, depth = 0.01;
  const Shape ball = Shape::sphere(r).value();
  const auto patches =
      patches_of(groove, {}, ball, Pose::at({0, 0.1, (r - depth) * std::numbers::sqrt2}));
  ASSERT_EQ(patches.size(), 2U) << described(patches);
  const double h = std::numbers::sqrt2 / 2;
  double sum = 0;
  for (const ContactPatch& p : patches) {
    EXPECT_NEAR(std::fabs(p.manifold.normal.x), h, 1e-12);
    EXPECT_NEAR(p.manifold.normal.z, h, 1e-12);
    EXPECT_EQ(p.manifold.count, 1);
    EXPECT_NEAR(p.manifold.value, -depth, 1e-13);
    sum += p.manifold.normal.x;
  }
  EXPECT_NEAR(sum, 0, 1e-12);
}

TEST(ContactPatches, BoxInAGroove) {
  const Shape groove = two_slopes(1, 5);
  const Shape box = Shape::box({0.5, 0.7, 0.5}).value();
  // On edge: two of its faces lie on the slopes, sunk in by a little.
  const double depth = 0.01;
  const Pose pose{turn({0, 1, 0}, std::numbers::pi / 4),
                  {0, 0.03, (0.5 - depth) * std::numbers::sqrt2}};
  const auto patches = patches_of(groove, {}, box, pose);
  ASSERT_EQ(patches.size(), 2U) << described(patches);
  for (const ContactPatch& p : patches) {
    EXPECT_NEAR(std::fabs(p.manifold.normal.x), std::numbers::sqrt2 / 2, 1e-12);
    EXPECT_EQ(p.manifold.count, 4);
    EXPECT_NEAR(p.manifold.value, -depth, 1e-12);
    // Below the surface of the other slope the face has no part in it: so it is a little shorter.
    EXPECT_NEAR(static_cast<double>(test::area_along(p.manifold.normal, p.manifold.contacts())),
                1.4 * (1 - depth), 1e-9)
        << described(patches);
  }
}

TEST(ContactPatches, CapsuleAlongARidge) {
  const Shape ridge = two_slopes(-1);
  const double r = 0.25, depth = 0.01;
  const Shape stick = Shape::capsule({0, -0.6, 0}, {0, 0.6, 0}, r).value();
  const auto patches = patches_of(ridge, {}, stick, Pose::at({0, 0.1, r - depth}));
  ASSERT_EQ(patches.size(), 1U) << described(patches);
  const ContactManifold& m = patches[0].manifold;
  EXPECT_LE(length(m.normal - up), 1e-12);
  EXPECT_EQ(m.count, 2);
  EXPECT_NEAR(m.value, -depth, 1e-13);
  EXPECT_NEAR(std::fabs(m.points[0].on_a.y - m.points[1].on_a.y), 1.2, 1e-12);
}

TEST(ContactPatches, CapsuleAcrossARoof) {
  // The roof is solid, and the capsule's middle line goes through it below the ridge: the ridge lifts it.
  PolygonMesh mesh;
  mesh.vertices = {{-2, -2, -0.5}, {2, -2, -0.5}, {0, -2, 0},
                   {-2, 2, -0.5},  {2, 2, -0.5},  {0, 2, 0}};
  test::add_face(mesh, {0, 1, 2});
  test::add_face(mesh, {5, 4, 3});
  test::add_face(mesh, {1, 4, 5, 2});
  test::add_face(mesh, {0, 2, 5, 3});
  test::add_face(mesh, {0, 3, 4, 1});
  const Shape roof = Shape::mesh(mesh).value();
  ASSERT_TRUE(std::get<TriangleMesh>(roof.composite().body).solid());
  const Shape stick = Shape::capsule({-1, 0, 0}, {1, 0, 0}, 0.1).value();
  const auto patches = patches_of(roof, {}, stick, Pose::at({0, 0.1, -0.05}));
  expect_one_flat_patch(patches, up, 0.15, 1e-13);
}

TEST(ContactPatches, CapsuleInAGroove) {
  const double r = 0.25, depth = 0.01;
  const Shape stick = Shape::capsule({0, -0.6, 0}, {0, 0.6, 0}, r).value();
  const auto patches =
      patches_of(two_slopes(1), {}, stick, Pose::at({0, 0.1, (r - depth) * std::numbers::sqrt2}));
  ASSERT_EQ(patches.size(), 2U) << described(patches);
  for (const ContactPatch& p : patches) {
    EXPECT_NEAR(p.manifold.normal.z, std::numbers::sqrt2 / 2, 1e-12);
    EXPECT_EQ(p.manifold.count, 2);
    EXPECT_NEAR(p.manifold.value, -depth, 1e-13);
    EXPECT_NEAR(length(p.manifold.points[0].on_a - p.manifold.points[1].on_a), 1.2, 1e-12);
  }
  EXPECT_LT(patches[0].manifold.normal.x * patches[1].manifold.normal.x, 0);
}

} // namespace
} // namespace carom
