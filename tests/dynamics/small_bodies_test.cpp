// Dice much smaller than the margin: all of their sides are near what they touch.
#include "carom/math/random.h"
#include "carom/shape/triangle_mesh.h"
#include "tests/dynamics/scenes.h"

#include <array>

namespace carom::test {
namespace {

constexpr int dice_count = 64;

Shape flat_mesh(double half) {
  PolygonMesh mesh;
  mesh.vertices = {{-half, -half, 0}, {half, -half, 0}, {half, half, 0}, {-half, half, 0}};
  mesh.add_face(std::array<std::uint32_t, 4>{0, 1, 2, 3});
  return Shape::mesh(mesh, {.body = MeshOptions::Body::surface}).value();
}

/// How far its lowest corner is below z = 0, in parts of its size.
double depth_of(const World& world, BodyId id, double half) {
  const Pose pose = *world.pose(id);
  double low = INFINITY;
  for (int k = 0; k < 8; ++k) {
    const Vec3 corner{(k & 1) != 0 ? half : -half, (k & 2) != 0 ? half : -half,
                      (k & 4) != 0 ? half : -half};
    low = std::min(low, pose.frame().to_world(corner).z);
  }
  return -low / (2 * half);
}

/// A manifold that was carried along for as far as a die is wide let its other sides sink in, and dice of a millimetre fall through the floor.
TEST(SmallBodies, DiceLieOnTheFloor) {
  for (const bool mesh : {false, true}) {
    for (const double half : {0.005, 0.002, 0.001, 0.0005}) {
      World world(plain());
      if (mesh)
        (void)world.add({.shape = flat_mesh(2), .kind = BodyKind::fixed});
      else
        add_floor(world);
      Random random(5);
      std::vector<BodyId> dice;
      for (int i = 0; i < dice_count; ++i) {
        const Vec3 at{i % 8 * 4 * half, i / 8 * 4 * half, half * random.uniform(3, 23)};
        dice.push_back(
            world
                .add({.shape = cube(half),
                      .pose = {random.rotation(), at},
                      .velocity = {random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3), 0}})
                .value());
      }
      double deepest = 0;
      for (int step = 0; step < 240; ++step) {
        world.step(frame);
        for (const BodyId id : dice) deepest = std::max(deepest, depth_of(world, id, half));
      }
      EXPECT_LT(deepest, 0.3) << half << (mesh ? " on a mesh" : " on a box");
      for (const BodyId id : dice) {
        EXPECT_LT(length(world.body(id)->velocity), 0.01) << half;
      }
    }
  }
}

} // namespace
} // namespace carom::test
