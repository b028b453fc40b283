// Contacts of shapes that are not convex: by hand, where the answer is known, and through the checker.
#include "carom/query/contact_patches.h"

#include "carom/math/trig.h"
#include "carom/shape/composite.h"
#include "carom/verify/check_contact_patches.h"
#include "tests/query/contact_cases.h"
#include "tests/support/generate_composite.h"
#include "tests/support/generate_shape.h"
#include "tests/support/procedural_meshes.h"
#include "tests/support/property.h"

#include <algorithm>
#include <numbers>
#include <sstream>

namespace carom {
namespace {

using test::Source;

constexpr Vec3 up{0, 0, 1};

/// A flat square around the origin, of n by n cells of two triangles each, at height 0 before it is turned.
Shape flat_grid(std::uint32_t n, double half, const Quat& turned = {}) {
  return Shape::mesh(test::grid_mesh(n, n,
                                     [&](double u, double v) {
                                       const Vec3 p{(2 * u - 1) * half, (2 * v - 1) * half, 0};
                                       return to_matrix(turned) * p;
                                     }))
      .value();
}

std::vector<ContactPatch> patches_of(const Shape& a, const Pose& pose_a, const Shape& b,
                                     const Pose& pose_b, double margin = 0) {
  std::vector<ContactPatch> patches;
  EXPECT_EQ(contact_patches(a, pose_a, b, pose_b, patches, {.margin = margin}), Status::ok);
  return patches;
}

std::string described(std::span<const ContactPatch> patches) {
  std::ostringstream text;
  text.precision(17);
  for (const ContactPatch& p : patches) {
    text << "normal " << p.manifold.normal.x << ' ' << p.manifold.normal.y << ' '
         << p.manifold.normal.z << '\n';
    for (const Contact& c : p.manifold.contacts())
      text << "  " << c.on_a.x << ' ' << c.on_a.y << ' ' << c.on_a.z << " sep " << c.separation
           << '\n';
  }
  return text.str();
}

Quat turn(const Vec3& axis, double angle) { return Quat::from_axis_angle(axis, angle); }

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

/// One patch along the plane's normal, whatever edges lie below.
void expect_one_flat_patch(std::span<const ContactPatch> patches, const Vec3& normal, double depth,
                           double tolerance) {
  ASSERT_EQ(patches.size(), 1U) << described(patches);
  const ContactManifold& m = patches[0].manifold;
  EXPECT_LE(length(m.normal - normal), 1e-12) << described(patches);
  EXPECT_GE(m.count, 1);
  for (const Contact& c : m.contacts()) EXPECT_NEAR(c.separation, -depth, tolerance);
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

/// Two slopes that meet along the y axis, at `slope` on either side: a ridge where it is negative, a groove where it is positive. Of n triangles a slope and more.
Shape two_slopes(double slope, std::uint32_t n = 4) {
  return Shape::mesh(test::grid_mesh(2 * n, n,
                                     [&](double u, double v) {
                                       const double x = 4 * u - 2;
                                       return Vec3{x, 4 * v - 2, slope * std::fabs(x)};
                                     }))
      .value();
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

TEST(ContactPatches, WhatIsApartIsNotTakenOutThroughTheGround) {
  // A capsule a little above one triangle of a valley, and within the margin of others, which it could leave only downward.
  constexpr std::uint32_t samples = 65;
  std::vector<float> heights;
  for (std::uint32_t j = 0; j < samples; ++j)
    for (std::uint32_t i = 0; i < samples; ++i) {
      const double x = 0.5 * i, y = 0.5 * j;
      heights.push_back(static_cast<float>(1.2 * std::sin(0.55 * x) * std::cos(0.5 * y) +
                                           0.35 * std::sin(1.7 * x + 0.6) * std::sin(1.3 * y) +
                                           0.006 * ((x - 16) * (x - 16) + (y - 16) * (y - 16))));
    }
  const Shape field = Shape::height_field({.columns = samples,
                                           .rows = samples,
                                           .spacing_x = 0.5,
                                           .spacing_y = 0.5,
                                           .samples = std::span<const float>(heights)})
                          .value();
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

/// A box as a closed mesh, wound outward.
Shape box_mesh(const Vec3& half) {
  PolygonMesh mesh = test::cube_mesh(2);
  for (Vec3& v : mesh.vertices) v = {(v.x - 1) * half.x, (v.y - 1) * half.y, (v.z - 1) * half.z};
  return Shape::mesh(mesh).value();
}

/// The deepest patch of a mesh is what two boxes have.
TEST(ContactPatches, BoxOnAMeshOfABox) {
  const Vec3 half_a{1, 0.8, 0.6}, half_b{0.5, 0.4, 0.3};
  const Shape plain = Shape::box(half_a).value();
  const Shape mesh = box_mesh(half_a);
  const Shape box = Shape::box(half_b).value();
  int several = 0;
  test::for_each_seed(test::fewer_when_sanitized(500), [&](Source& source) {
    // Somewhere about a corner, overlapping by up to a few hundredths along some axis, turned about it.
    const int axis = source.index(3);
    const double depth = source.uniform(0.001, 0.03), yaw = source.uniform(0, 6.3);
    Vec3 position;
    for (int k = 0; k < 3; ++k) position[k] = source.uniform(-1, 1) * half_a[k];
    const Quat turned = turn(unit_axis(axis), yaw);
    position[axis] = half_a[axis] + half_b[axis] - depth;
    const Pose pose{turned, position};
    std::vector<Contact> wanted;
    const ContactManifold m = contacts(plain, {}, box, pose, {.all = &wanted});
    ASSERT_GT(m.count, 0);
    std::vector<ContactPatch> patches;
    std::vector<Contact> all;
    (void)contact_patches(mesh, {}, box, pose, patches, {.all = &all});
    ASSERT_EQ(patches.size(), 1U) << described(patches) << m.normal.x << m.normal.y << m.normal.z;
    EXPECT_LE(length(patches[0].manifold.normal - m.normal), 1e-12);
    EXPECT_NEAR(patches[0].manifold.value, m.value, 1e-13);
    for (const Contact& c : wanted) {
      EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const Contact& other) {
        return length(c.on_a - other.on_a) + length(c.on_b - other.on_b) <= 1e-12;
      })) << described(patches);
    }
    several += wanted.size() > 3;
  });
  EXPECT_GT(several, 20);
}

TEST(ContactPatches, MeshOfABoxOnAMeshFloor) {
  const Shape floor = flat_grid(16, 4);
  const Vec3 half{0.7, 0.4, 0.3};
  const Shape box = box_mesh(half);
  test::for_each_seed(test::fewer_when_sanitized(200), [&](Source& source) {
    const double x = source.uniform(-2, 2), y = source.uniform(-2, 2);
    const double depth = source.uniform(0.001, 0.1), yaw = source.uniform(0, 6.3);
    const Pose pose{turn(up, yaw), {x, y, half.z - depth}};
    const auto patches = patches_of(box, pose, floor, {});
    ASSERT_EQ(patches.size(), 1U) << described(patches);
    const ContactManifold& m = patches[0].manifold;
    EXPECT_LE(length(m.normal + up), 1e-12);
    EXPECT_EQ(m.count, 4);
    // Where a corner has sunk in deeper than its sides have crossed the triangle above it, that triangle does not meet them, and the corner is cut off.
    const auto area = static_cast<double>(test::area_of(m.contacts()));
    EXPECT_LE(area, 4 * half.x * half.y + 1e-12);
    EXPECT_GE(area, 0.9 * 4 * half.x * half.y);
    EXPECT_NEAR(m.value, -depth, 1e-13);
  });
}

TEST(ContactPatches, SeamBetweenBoxes) {
  // Two boxes side by side as the floor, and a box or a ball that slides across the seam.
  const Shape half_floor = Shape::box({2, 2, 0.5}).value();
  const CompoundPart parts[] = {{half_floor, Pose::at({-2, 0, -0.5}), 3},
                                {half_floor, Pose::at({2, 0, -0.5}), 4}};
  const Shape floor = Shape::compound(parts).value();
  const Shape box = Shape::box({0.4, 0.3, 0.2}).value();
  const Shape ball = Shape::sphere(0.3).value();
  test::for_each_seed(test::fewer_when_sanitized(500), [&](Source& source) {
    const double x = source.uniform(-0.6, 0.6), y = source.uniform(-1, 1);
    const double depth = source.uniform(0.001, 0.05), yaw = source.uniform(0, 6.3);
    const auto flat = patches_of(floor, {}, box, {turn(up, yaw), {x, y, 0.2 - depth}});
    expect_one_flat_patch(flat, up, depth, 1e-13);
    EXPECT_NEAR(static_cast<double>(test::area_of(flat[0].manifold.contacts())), 0.48, 1e-12);
    const auto round = patches_of(floor, {}, ball, Pose::at({x, y, 0.3 - depth}));
    expect_one_flat_patch(round, up, depth, 1e-13);
    EXPECT_EQ(round[0].part_a[0].material, x < 0 ? 3U : 4U);
  });
}

TEST(ContactPatches, TwoBoxesStandOnAFloor) {
  const Shape leg = Shape::box({0.2, 0.3, 0.5}).value();
  const CompoundPart parts[] = {{leg, Pose::at({-0.2, 0, 0})}, {leg, Pose::at({0.2, 0, 0})}};
  const Shape body = Shape::compound(parts).value();
  const Shape floors[] = {flat_grid(16, 4), Shape::half_space(up, 0).value(),
                          Shape::of(Obb{{0, 0, -1}, {}, {4, 4, 1}}).value()};
  for (const Shape& floor : floors) {
    test::for_each_seed(100, [&](Source& source) {
      const double x = source.uniform(-1, 1), yaw = source.uniform(0, 6.3);
      const auto patches = patches_of(body, {turn(up, yaw), {x, 0.3, 0.48}}, floor, {});
      expect_one_flat_patch(patches, -up, 0.02, 1e-13);
      EXPECT_NEAR(static_cast<double>(test::area_of(patches[0].manifold.contacts())), 0.48, 1e-12);
    });
  }
}

TEST(ContactPatches, CloudOnABox) {
  std::vector<Vec3> points;
  for (int i = 0; i < 10; ++i)
    for (int k = 0; k < 10; ++k) points.push_back({0.1 * i, 0.1 * k, 0});
  const Shape cloud = Shape::point_cloud(points, 0.08).value(); // they overlap
  const Shape box = Shape::box({0.25, 0.15, 1}).value();
  const auto patches = patches_of(cloud, {}, box, Pose::at({0.45, 0.45, 1.08 - 0.01}));
  ASSERT_EQ(patches.size(), 1U) << described(patches);
  const ContactManifold& m = patches[0].manifold;
  EXPECT_LE(length(m.normal - up), 1e-12);
  EXPECT_EQ(m.count, 4);
  EXPECT_NEAR(m.value, -0.01, 1e-13);
  EXPECT_NEAR(static_cast<double>(test::area_of(m.contacts())), 0.5 * 0.3, 1e-9);
}

TEST(ContactPatches, FarAwayAndLargeAndSmall) {
  for (const double scale : {1.0, 1e-3, 1e6}) {
    const Shape floor = flat_grid(8, 4 * scale);
    const Shape box = Shape::box(Vec3{0.7, 0.4, 0.3} * scale).value();
    for (const double far : {0.0, 1e6 * scale}) {
      const Vec3 away{far, -far, far};
      const double depth = 0.01 * scale;
      const Pose pose{turn(up, 0.4), away + Vec3{0.3, 0.2, 0.29} * scale};
      const auto patches = patches_of(floor, Pose::at(away), box, pose);
      expect_one_flat_patch(patches, up, depth, 8e-16 * far + 1e-14 * scale);
      EXPECT_EQ(patches[0].manifold.count, 4);
    }
  }
}

TEST(ContactPatches, DegenerateAndDoubledTriangles) {
  PolygonMesh mesh;
  mesh.vertices = {{-2, -2, 0}, {2, -2, 0}, {2, 2, 0}, {-2, 2, 0}, {0, 0, 0}, {1, 1, 0}};
  test::add_face(mesh, {0, 1, 2});
  test::add_face(mesh, {0, 2, 3});
  test::add_face(mesh, {0, 4, 2}); // a line, on the diagonal
  test::add_face(mesh, {5, 5, 5}); // a point
  test::add_face(mesh, {0, 2, 3}); // once more
  test::add_face(mesh, {1, 0, 2}); // and from below
  const Shape floor = Shape::mesh(mesh, {.body = MeshOptions::Body::surface, .tree = {}}).value();
  const Shape box = Shape::box({0.7, 0.4, 0.3}).value();
  const auto patches = patches_of(floor, {}, box, {turn(up, 0.4), {0.3, 0.2, 0.29}});
  expect_one_flat_patch(patches, up, 0.01, 1e-14);
  EXPECT_EQ(patches[0].manifold.count, 4);
  EXPECT_NEAR(static_cast<double>(test::area_of(patches[0].manifold.contacts())), 1.12, 1e-13);
}

TEST(ContactPatches, WithinASolid) {
  const Shape solid = box_mesh({2, 2, 2});
  const Shape ball = Shape::sphere(0.5).value();
  const auto patches = patches_of(solid, {}, ball, Pose::at({0.1, 0.2, 1}));
  ASSERT_EQ(patches.size(), 1U);
  const ContactManifold& m = patches[0].manifold;
  EXPECT_LE(length(m.normal - up), 1e-12);
  EXPECT_NEAR(m.value, -1.5, 1e-13);
  const auto turned = patches_of(ball, Pose::at({0.1, 0.2, 1}), solid, {});
  ASSERT_EQ(turned.size(), 1U);
  EXPECT_LE(length(turned[0].manifold.normal + up), 1e-12);
}

TEST(ContactPatches, OutOfASolidAndOnASurface) {
  // Poking out of the top by a tenth: a solid pushes it out, a surface the shorter way.
  const Shape solid = box_mesh({2, 2, 2});
  const Shape box = Shape::box({0.5, 0.5, 0.5}).value();
  const Pose pose = Pose::at({0.1, 0.2, 1.6});
  const auto out = patches_of(solid, {}, box, pose);
  expect_one_flat_patch(out, up, 0.9, 1e-13);
  const auto through = patches_of(flat_grid(3, 2), Pose::at({0, 0, 2}), box, pose);
  expect_one_flat_patch(through, -up, 0.1, 1e-13);
}

TEST(ContactPatches, IdsStayWhileFeaturesDo) {
  const Shape floor = flat_grid(16, 4);
  const Shape box = Shape::box({0.7, 0.4, 0.3}).value();
  const auto ids = [&](double x) {
    const auto patches = patches_of(floor, {}, box, {turn(up, 0.4), {x, 0.2, 0.29}});
    std::vector<std::uint64_t> all;
    for (const Contact& c : patches.at(0).manifold.contacts()) all.push_back(c.id);
    return all;
  };
  EXPECT_EQ(ids(0.3), ids(0.3 + 1e-6));
}

TEST(ContactPatches, IdsAreOfVerticesNotOfTriangles) {
  // A mesh of a box on a plane touches with its corners, whichever triangles come first.
  const PolygonMesh mesh = test::cube_mesh(1);
  PolygonMesh turned;
  turned.vertices = mesh.vertices;
  for (std::size_t f = mesh.face_count(); f-- > 0;) turned.add_face(mesh.face(f));
  const Shape plane = Shape::half_space(up, 0).value();
  const auto ids = [&](const PolygonMesh& m) {
    const auto patches = patches_of(Shape::mesh(m).value(), Pose::at({0, 0, -0.01}), plane, {});
    std::vector<std::uint64_t> all;
    for (const Contact& c : patches.at(0).manifold.contacts()) all.push_back(c.id);
    std::sort(all.begin(), all.end());
    return all;
  };
  EXPECT_EQ(ids(mesh).size(), 4U);
  EXPECT_EQ(ids(mesh), ids(turned));
}

TEST(ContactPatches, NothingTwiceInASoup) {
  // Each triangle has corners of its own, so that only the places tell which are the same.
  const PolygonMesh grid = test::fanned(test::grid_mesh(6, 6, [](double u, double v) {
    return Vec3{4 * u - 2, 4 * v - 2, 0};
  }));
  PolygonMesh soup;
  for (std::size_t f = 0; f < grid.face_count(); ++f) {
    const auto first = static_cast<std::uint32_t>(soup.vertices.size());
    for (const std::uint32_t corner : grid.face(f)) soup.vertices.push_back(grid.vertices[corner]);
    test::add_face(soup, {first, first + 1, first + 2});
  }
  const Shape floor = Shape::mesh(soup).value();
  const Shape box = Shape::box({0.7, 0.4, 0.3}).value();
  std::vector<ContactPatch> patches;
  std::vector<Contact> all;
  (void)contact_patches(floor, {}, box, {turn(up, 0.4), {0.3, 0.2, 0.29}}, patches, {.all = &all});
  expect_one_flat_patch(patches, up, 0.01, 1e-14);
  EXPECT_EQ(patches[0].count_of_all, all.size());
  EXPECT_GT(all.size(), 8U);
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) EXPECT_GT(length(all[i].on_a - all[k].on_a), 1e-12);
}

TEST(ContactPatches, TheDeepestIsThereWithinThePatch) {
  // A pyramid that is nearly flat: its tip is in the middle, and no corner of the patch.
  PolygonMesh mesh;
  mesh.vertices = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {0.1, 0.2, 0.01}};
  for (std::uint32_t i = 0; i < 4; ++i) test::add_face(mesh, {i, (i + 1) % 4, 4});
  const Shape hill = Shape::mesh(mesh).value();
  const Shape box = Shape::box({2, 2, 1}).value();
  const auto patches = patches_of(hill, {}, box, Pose::at({0, 0, 1.005}), 0.02);
  ASSERT_EQ(patches.size(), 1U) << described(patches);
  const ContactManifold& m = patches[0].manifold;
  EXPECT_NEAR(m.value, -0.005, 1e-14);
  EXPECT_LE(length(m.points[0].on_a - mesh.vertices[4]), 1e-14);
  EXPECT_EQ(m.count, 4) << described(patches);
}

TEST(ContactPatches, MaterialsAndParts) {
  PolygonMesh mesh = test::grid_mesh(2, 1, [](double u, double v) {
    return Vec3{4 * u - 2, 4 * v - 2, 0};
  });
  mesh.materials = {5, 6};
  const Shape floor = Shape::mesh(mesh).value();
  const Shape ball = Shape::sphere(0.3).value();
  for (const double x : {-1.0, 1.0}) {
    const auto patches = patches_of(ball, Pose::at({x, 0.1, 0.29}), floor, {});
    ASSERT_EQ(patches.size(), 1U);
    EXPECT_EQ(patches[0].part_b[0].material, x < 0 ? 5U : 6U);
    EXPECT_LT(patches[0].part_b[0].element, 4U);
    EXPECT_EQ(patches[0].part_a[0].element, PartId::none);
  }
}

TEST(ContactPatches, ConvexShapesHaveTheirManifold) {
  const Shape box = Shape::box({0.5, 0.5, 0.5}).value();
  const Pose pose = Pose::at({0.1, 0, 0.9});
  const auto patches = patches_of(box, {}, box, pose);
  const ContactManifold m = contacts(box, {}, box, pose);
  ASSERT_EQ(patches.size(), 1U);
  EXPECT_EQ(patches[0].manifold.count, m.count);
  EXPECT_EQ(patches[0].manifold.points[3].on_b, m.points[3].on_b);
  EXPECT_TRUE(patches_of(box, {}, box, Pose::at({0, 0, 2})).empty());
}

TEST(ContactPatches, ContactsAreOfTheDeepestPatch) {
  const Shape groove = two_slopes(1);
  const Shape ball = Shape::sphere(0.5).value();
  const Pose pose = Pose::at({0.01, 0.1, 0.68});
  const auto patches = patches_of(groove, {}, ball, pose);
  std::vector<Contact> all;
  const ContactManifold m = contacts(groove, {}, ball, pose, {.all = &all});
  EXPECT_EQ(m.value, patches.at(0).manifold.value);
  EXPECT_LT(m.value, patches.at(1).manifold.value);
  EXPECT_EQ(all.size(), 1U);
  const ContactManifold none = contacts(groove, {}, ball, Pose::at({0, 0, 3}), {.margin = 0.1});
  EXPECT_EQ(none.count, 0);
  EXPECT_EQ(none.status, Status::stopped);
  EXPECT_EQ(none.lower_bound, 0.1);
}

TEST(ContactPatches, BadPoses) {
  const Shape floor = flat_grid(2, 1);
  std::vector<ContactPatch> patches(3);
  for (const double bad : {double{NAN}, double{INFINITY}, 1e31}) {
    EXPECT_EQ(contact_patches(floor, Pose::at({bad, 0, 0}), floor, {}, patches), Status::bad_input);
    EXPECT_TRUE(patches.empty());
    EXPECT_EQ(contacts(floor, {}, floor, Pose::at({0, bad, 0})).status, Status::bad_input);
  }
}

/// A few parts of any kind, about two units large.
Shape shape_of_kind(Source& source, ShapeKind kind) {
  const auto somewhere = [&] {
    const double x = source.uniform(-1, 1), y = source.uniform(-1, 1), z = source.uniform(-1, 1);
    return Vec3{x, y, z};
  };
  switch (kind) {
  case ShapeKind::mesh: {
    const int choice = source.index(3);
    if (choice == 0) return box_mesh({0.9, 0.6, 0.7});
    if (choice == 1) return Shape::mesh(test::sphere_mesh(1, 0.2)).value();
    for (int i = 0; i < 10; ++i)
      if (auto soup = Shape::mesh(test::soup_mesh(source))) return *soup;
    return box_mesh({0.9, 0.6, 0.7});
  }
  case ShapeKind::point_cloud: {
    std::vector<Vec3> points;
    for (int i = 0; i < 12; ++i) points.push_back(somewhere());
    return Shape::point_cloud(points, source.chance(2) ? 0.2 : 0).value();
  }
  case ShapeKind::compound: {
    std::vector<CompoundPart> parts;
    for (int i = 0; i < 3; ++i) {
      const auto of = source.index(3);
      const Shape part = of == 0   ? test::ShapeGenerator(source, 0.5).bounded(0)
                         : of == 1 ? shape_of_kind(source, ShapeKind::mesh)
                                   : shape_of_kind(source, ShapeKind::point_cloud);
      const Quat turned = test::rotation(source);
      parts.push_back({part, {turned, somewhere()}, static_cast<std::uint32_t>(i)});
    }
    return Shape::compound(parts).value();
  }
  case ShapeKind::height_field:
    return test::CompositeGenerator(source, 1).of_kind(kind);
  default:
    return test::ShapeGenerator(source, 1).of_kind(kind, 1);
  }
}

/// Parts that are known by a formula or by corners: their contacts are exact.
bool is_polyhedral(const Shape& shape) {
  if (shape.convex()) return shape.polyhedral() || !shape.bounded();
  const auto* compound = body_of<Compound>(shape);
  return !compound ||
         std::all_of(compound->parts().begin(), compound->parts().end(),
                     [](const CompoundPart& part) { return is_polyhedral(part.shape); });
}

class AllKinds : public ::testing::TestWithParam<int> {};

/// Each kind against the kinds that are not convex, in both orders.
TEST_P(AllKinds, HaveSoundPatches) {
  const auto kind = static_cast<ShapeKind>(GetParam());
  int found = 0;
  test::for_each_seed(test::fewer_when_sanitized(100), [&](Source& source) {
    const auto other =
        static_cast<ShapeKind>(convex_kinds + source.index(shape_kinds - convex_kinds));
    verify::PlacedShape a{shape_of_kind(source, kind), {}}, b{shape_of_kind(source, other), {}};
    a.pose.rotation = test::rotation(source);
    b.pose.rotation = test::rotation(source);
    const double reach = source.uniform(0, 2.5);
    b.pose.position = test::direction(source) * reach;
    if (source.chance(2)) std::swap(a, b);
    const double margin = source.chance(2) ? 0 : source.uniform(0, 0.2);
    std::vector<ContactPatch> patches;
    ASSERT_EQ(contact_patches(a.shape, a.pose, b.shape, b.pose, patches, {.margin = margin}),
              Status::ok);
    const double size = a.shape.size() + b.shape.size() + reach;
    // Points of curved shapes that overlap are as good as the root of their values.
    const bool exact = is_polyhedral(a.shape) && is_polyhedral(b.shape);
    const verify::PatchTolerance tolerance{(exact ? 1e-12 : 1e-5) * size, 1e-14 * size};
    const auto verdict = verify::check_contact_patches(a, b, patches, margin, tolerance);
    EXPECT_TRUE(verdict) << verdict.why << '\n'
                         << name_of(a.shape.kind()) << ' ' << name_of(b.shape.kind()) << " margin "
                         << margin << '\n'
                         << described(patches);
    found += !patches.empty();
  });
  EXPECT_GE(found, 2);
}

INSTANTIATE_TEST_SUITE_P(ContactPatches, AllKinds, ::testing::Range(0, shape_kinds),
                         [](const auto& kind) {
                           return std::string(name_of(static_cast<ShapeKind>(kind.param)));
                         });

} // namespace
} // namespace carom
