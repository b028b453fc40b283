// The checker of contact patches refuses what is wrong, one field at a time.
#include "carom/verify/check_contact_patches.h"

#include "carom/query/contact_patches.h"
#include "carom/shape/composite.h"
#include "tests/support/procedural_meshes.h"

#include <gtest/gtest.h>

#include <functional>

namespace carom {
namespace {

using Patches = std::vector<ContactPatch>;

/// A ball in a groove: two patches of one point each. And a box on a floor beside it: four.
struct Case {
  verify::PlacedShape a, b;
  Patches patches;

  Case() : a{ground(), {}}, b{body(), Pose::at({0, 0, 0.7})} {
    (void)contact_patches(a.shape, a.pose, b.shape, b.pose, patches);
  }
  static Shape ground() {
    PolygonMesh mesh = test::grid_mesh(12, 4, [](double u, double v) {
      const double x = 12 * u - 4;
      return Vec3{x, 4 * v - 2, x < 2.5 ? std::fabs(x) : 2.0};
    });
    for (std::uint32_t i = 0; i < 48; ++i) mesh.materials.push_back(i);
    return Shape::mesh(mesh, {.body = MeshOptions::Body::surface, .tree = {}}).value();
  }
  static Shape body() {
    const CompoundPart parts[] = {
        {Shape::sphere(0.5).value(), {}, 20},
        {Shape::box({0.5, 0.5, 0.5}).value(), Pose::at({5, 0, 1.79}), 21}};
    return Shape::compound(parts).value();
  }

  [[nodiscard]] bool holds(const std::function<void(Patches&)>& change = {}) const {
    Patches changed = patches;
    if (change) change(changed);
    const auto verdict = verify::check_contact_patches(a, b, changed, 0, {1e-12, 1e-13});
    EXPECT_TRUE(change || verdict.ok) << verdict.why;
    return verdict.ok;
  }
};

TEST(CheckContactPatches, RefusesWhatIsWrong) {
  const Case c;
  ASSERT_EQ(c.patches.size(), 3U);
  ASSERT_TRUE(c.holds());
  std::size_t box = 0;
  while (c.patches.at(box).manifold.count != 4) ++box;
  const auto refuses = [&](const std::function<void(ContactPatch&)>& change) {
    return !c.holds([&](Patches& p) { change(p[box]); });
  };
  EXPECT_TRUE(refuses([](ContactPatch& p) { p.manifold.normal = p.manifold.normal * 1.001; }));
  EXPECT_TRUE(refuses([](ContactPatch& p) { p.manifold.normal = -p.manifold.normal; }));
  EXPECT_TRUE(refuses([](ContactPatch& p) { p.manifold.points[1].on_a.z += 1e-6; }));
  EXPECT_TRUE(refuses([](ContactPatch& p) { p.manifold.points[1].on_b.x = NAN; }));
  EXPECT_TRUE(refuses([](ContactPatch& p) { p.manifold.points[2].separation += 1e-6; }));
  EXPECT_TRUE(refuses([](ContactPatch& p) { p.manifold.value -= 1e-6; }));
  EXPECT_TRUE(refuses([](ContactPatch& p) { p.manifold.points[1].id = p.manifold.points[0].id; }));
  EXPECT_TRUE(refuses([](ContactPatch& p) {
    p.manifold.points[1].on_a = p.manifold.points[0].on_a;
    p.manifold.points[1].on_b = p.manifold.points[0].on_b;
  }));
  EXPECT_TRUE(refuses([](ContactPatch& p) { p.part_a[0].element = 0; }));
  EXPECT_TRUE(refuses([](ContactPatch& p) { p.part_a[0].material += 1; }));
  EXPECT_TRUE(refuses([](ContactPatch& p) { p.part_b[3].part = 0; }));
  EXPECT_TRUE(refuses([](ContactPatch& p) { p.manifold.count = 5; }));
  EXPECT_FALSE(c.holds([](Patches& p) { std::swap(p[0], p[2]); }));
  EXPECT_FALSE(c.holds([](Patches& p) { p.clear(); }));
  // The box's, all alone: no contact is near the ball. And its points, moved apart by more than the margin.
  EXPECT_FALSE(c.holds([&](Patches& p) { p = {p[box]}; }));
  EXPECT_TRUE(refuses([](ContactPatch& p) {
    for (Contact& k : p.manifold.points) k.separation = 0.01;
    p.manifold.value = 0.01;
  }));
}

} // namespace
} // namespace carom
