// Contacts of shapes that are not convex: by hand, where the answer is known, and through the checker.
#include "carom/shape/composite.h"
#include "carom/verify/check_contact_patches.h"
#include "tests/query/patch_cases.h"
#include "tests/support/generate_composite.h"
#include "tests/support/property.h"

#include <algorithm>
#include <numbers>

namespace carom {
namespace {

using test::described, test::expect_one_flat_patch, test::flat_grid, test::patches_of,
    test::solid_box, test::turn, test::two_slopes;
using test::Source;

constexpr Vec3 up{0, 0, 1};

/// The deepest patch of a mesh is what two boxes have.
TEST(ContactPatches, BoxOnAMeshOfABox) {
  const Vec3 half_a{1, 0.8, 0.6}, half_b{0.5, 0.4, 0.3};
  const Shape plain = Shape::box(half_a).value();
  const Shape mesh = solid_box(half_a);
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
  const Shape box = solid_box(half);
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
  const Shape solid = solid_box({2, 2, 2});
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
  const Shape solid = solid_box({2, 2, 2});
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

} // namespace
} // namespace carom
