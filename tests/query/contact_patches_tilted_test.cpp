// Contacts of what is nearly flat on a floor: tilted by less than can be seen, and a hair deep. Nothing is in its way there but the floor.
#include "tests/query/patch_cases.h"
#include "tests/support/procedural_meshes.h"
#include "tests/support/property.h"

#include "carom/mesh/weld.h"
#include "carom/shape/support.h"

#include <cmath>

namespace carom {
namespace {

using test::described, test::patches_of, test::turn;
using test::Source;

constexpr Vec3 up{0, 0, 1};

Shape solid(PolygonMesh mesh, double scale, const Vec3& middle = {}) {
  for (Vec3& v : mesh.vertices) v = (v - middle) * scale;
  return Shape::mesh(test::fanned(mesh)).value();
}

/// Upright, of about a metre.
std::vector<Shape> bodies() {
  const CompoundPart parts[] = {{Shape::box({0.2, 0.2, 0.2}).value(), Pose::at({-0.3, 0, 0})},
                                {Shape::box({0.2, 0.2, 0.2}).value(), Pose::at({0.3, 0, 0})}};
  return {Shape::box({0.4, 0.3, 0.2}).value(), Shape::compound(parts).value(),
          solid(test::cube_mesh(), 1, {0.5, 0.5, 0.5}), solid(test::torus_mesh(16, 10), 1),
          solid(test::torus_mesh(24, 12), 0.4)};
}

/// Whose top is z = 0, over [-10, 10]^2.
std::vector<Shape> floors() {
  const auto slab = [](std::uint32_t n) {
    PolygonMesh mesh;
    const auto side = [&](const Vec3& corner, const Vec3& u, const Vec3& v) {
      test::append(
          mesh, test::grid_mesh(n, n, [&](double s, double t) { return corner + u * s + v * t; }));
    };
    side({-10, -10, 0}, {20, 0, 0}, {0, 20, 0});
    side({-10, -10, -1}, {0, 20, 0}, {20, 0, 0});
    for (const double sign : {-1.0, 1.0}) {
      side({-10 * sign, -10 * sign, -1}, {20 * sign, 0, 0}, {0, 0, 1});
      side({10 * sign, -10 * sign, -1}, {0, 20 * sign, 0}, {0, 0, 1});
    }
    const PolygonMesh closed = weld(test::fanned(mesh), 1e-9).value().mesh;
    return Shape::mesh(closed, {.body = MeshOptions::Body::solid}).value();
  };
  return {Shape::box({10, 10, 1}).value(), slab(1), slab(20), test::flat_grid(33, 10)};
}

TEST(ContactPatches, OfWhatIsNearlyFlatAllNormalsAreTheFloors) {
  const auto all_floors = floors();
  const auto all_bodies = bodies();
  test::for_each_seed(test::fewer_when_sanitized(100), [&](Source& source) {
    const Vec3 axis{source.uniform(-1, 1), source.uniform(-1, 1), 0};
    const double tilt = std::pow(10.0, source.uniform(-8, -2.3));
    const double depth = std::pow(10.0, source.uniform(-5, -3));
    const Quat rotation = turn(axis, tilt) * turn(up, source.uniform(0, 6.3));
    const Vec3 at{source.uniform(-3, 3), source.uniform(-3, 3), 0};
    for (std::size_t f = 0; f < all_floors.size(); ++f) {
      for (std::size_t b = 0; b < all_bodies.size(); ++b) {
        SCOPED_TRACE(testing::Message() << "body " << b << " on floor " << f << ", tilt " << tilt
                                        << ", depth " << depth);
        Pose pose{rotation, at};
        pose.position.z = -bounds(all_bodies[b], pose).min.z - depth;
        const Pose floor = Pose::at({0, 0, f == 0 ? -1.0 : 0.0});
        const auto patches = patches_of(all_floors[f], floor, all_bodies[b], pose, 0.01);
        ASSERT_FALSE(patches.empty());
        for (const ContactPatch& p : patches) {
          EXPECT_GT(dot(p.manifold.normal, up), 0.996) << described(patches);
          EXPECT_GE(p.manifold.value, -1.02 * depth - 1e-9) << described(patches);
        }
        EXPECT_NEAR(patches[0].manifold.value, -depth, 0.02 * depth + 1e-9) << described(patches);
      }
    }
  });
}

} // namespace
} // namespace carom
