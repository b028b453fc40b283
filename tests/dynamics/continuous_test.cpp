// Nothing passes through anything, however fast it moves or spins; and what rests pays nothing for it.
#include "carom/math/random.h"
#include "carom/mesh/polygon_mesh.h"
#include "carom/query/overlap.h"
#include "carom/shape/composite.h"
#include "carom/shape/support.h"
#include "tests/dynamics/scenes.h"

#include <algorithm>
#include <vector>

namespace carom::test {
namespace {

constexpr double thin = 0.0005; // half the thickness of a plate

/// A plate at any angle, far wider than anything flies, and its upper side's normal.
struct Plate {
  Pose pose;
  Vec3 normal;
};
Plate add_plate(World& world, Random& random, const Material& material = {}) {
  const Quat turn = random.rotation();
  const Vec3 at = random.in_box({3, 3, 3});
  const Plate plate{{turn, at}, to_matrix(turn) * Vec3{0, 0, 1}};
  (void)world
      .add({.shape = Shape::box({300, 300, thin}).value(),
            .pose = plate.pose,
            .kind = BodyKind::fixed,
            .material = material})
      .value();
  return plate;
}

/// How high the body's lowest point is above the middle of the plate.
double lowest(const World& world, BodyId id, const Plate& plate) {
  const Body& body = world.bodies()[id.slot];
  double least = INFINITY;
  for (const std::uint32_t i : body.shapes) {
    const PlacedShape& s = world.bodies().shape(i);
    const Vec3 down = transpose_mul(to_matrix(s.world.rotation), -plate.normal);
    Vec3 far = support_point(s.def.shape, down);
    if (const Compound* c = body_of<Compound>(s.def.shape)) {
      double best = -INFINITY;
      for (const CompoundPart& p : c->parts()) {
        const Vec3 d = transpose_mul(to_matrix(p.pose.rotation), down);
        const Vec3 x = to_matrix(p.pose.rotation) * support_point(p.shape, d) + p.pose.position;
        if (dot(x, down) > best) far = x;
        best = std::max(best, dot(x, down));
      }
    }
    least = std::min(least, dot(s.world.frame().to_world(far) - plate.pose.position, plate.normal));
  }
  return least;
}

double energy_of(const World& world, BodyId id) {
  const BodyInfo b = *world.body(id);
  return energy(b) - b.mass * dot(world.options().gravity, b.center);
}

/// Steps, and says how deep the body ever was below the plate's middle; and that it never had more energy than at first, but for what roundings and overlaps make of it.
double deepest(World& world, BodyId id, const Plate& plate, int steps) {
  double depth = 0;
  const double before = energy_of(world, id);
  for (int i = 0; i < steps; ++i) {
    world.step(frame);
    depth = std::max(depth, -lowest(world, id, plate));
    const Vec3 center = world.body(id)->center;
    EXPECT_GT(dot(center - plate.pose.position, plate.normal), 0) << "step " << i;
    EXPECT_LT(energy_of(world, id),
              before + 0.01 * energy(*world.body(id)) + 0.01 * std::fabs(before))
        << "step " << i;
    if (::testing::Test::HasFailure()) break;
  }
  return depth;
}

TEST(Continuous, ABallAt300NeverPassesAPlate) {
  double depth = 0;
  for (std::uint64_t seed = 1; seed <= fewer_when_sanitized(300) && !HasFailure(); ++seed) {
    Random random(seed);
    World world(plain(random.in_box({10, 10, 10})));
    const double e = random.uniform(0, 1);
    const Plate plate = add_plate(world, random, {.restitution = e});
    const double r = random.uniform(0.02, 0.5);
    const Vec3 up = plate.normal;
    Vec3 way = random.direction();
    if (dot(way, up) > 0) way = -way;
    const double height = r + random.uniform(0.01, 20);
    const BodyId id = world
                          .add({.shape = ball(r),
                                .pose = Pose::at(plate.pose.position + up * height),
                                .velocity = way * 300,
                                .angular_velocity = random.in_box({50, 50, 50})})
                          .value();
    depth = std::max(depth, deepest(world, id, plate, 30) / r);
    EXPECT_FALSE(HasFailure()) << "seed " << seed;
  }
  EXPECT_LT(depth, 0.05);
}

TEST(Continuous, ABarSpinningAt100NeverPassesAPlate) {
  double depth = 0;
  for (std::uint64_t seed = 1; seed <= fewer_when_sanitized(300) && !HasFailure(); ++seed) {
    Random random(seed);
    World world(plain());
    const Plate plate = add_plate(world, random, {.restitution = random.uniform(0, 0.5)});
    world.set_gravity(plate.normal * -gravity);
    const Shape bars[] = {Shape::box({1, 0.04, 0.02}).value(),
                          Shape::capsule({-1, 0, 0}, {1, 0, 0}, 0.03).value(),
                          Shape::cylinder(1, 0.03).value()};
    const double height = random.uniform(1.1, 3);
    const BodyId id =
        world
            .add({.shape = bars[seed % 3],
                  .pose = {random.rotation(), plate.pose.position + plate.normal * height},
                  .velocity = random.in_box({5, 5, 5}) - plate.normal * 5,
                  .angular_velocity = random.direction() * 100})
            .value();
    depth = std::max(depth, deepest(world, id, plate, 60));
    EXPECT_FALSE(HasFailure()) << "seed " << seed;
  }
  EXPECT_LT(depth, 0.03);
}

} // namespace
} // namespace carom::test
