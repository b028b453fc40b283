// What the tests of worlds are made of: of the one, and of that of the classic solvers.
#pragma once

#include "carom/dynamics/world.h"
#include "tests/support/property.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace carom::test {

inline constexpr double frame = 1.0 / 60;
inline constexpr double gravity = 9.81;

inline Shape cube(double half = 0.5) { return Shape::box({half, half, half}).value(); }
inline Shape ball(double radius = 0.5) { return Shape::sphere(radius).value(); }

/// No sleep, and gravity as asked for: what closed forms are about.
inline WorldOptions plain(const Vec3& pull = {0, 0, -gravity}) {
  WorldOptions options;
  options.gravity = pull;
  options.sleep.enabled = false;
  return options;
}

/// A slab whose top is z = 0.
template<class AnyWorld>
BodyId add_floor(AnyWorld& world, const Material& material = {}, double half = 50) {
  return world
      .add({.shape = Shape::box({half, half, 0.5}).value(),
            .pose = Pose::at({0, 0, -0.5}),
            .kind = BodyKind::fixed,
            .material = material})
      .value();
}

template<class AnyWorld>
void run(AnyWorld& world, double seconds, double time_step = frame) {
  const auto steps = static_cast<int>(std::lround(seconds / time_step));
  for (int i = 0; i < steps; ++i) world.step(time_step);
}

template<class AnyWorld>
Vec3 position(const AnyWorld& world, BodyId id) {
  return world.pose(id)->position;
}
template<class AnyWorld>
Vec3 velocity(const AnyWorld& world, BodyId id) {
  return world.body(id)->velocity;
}
inline std::vector<Vec3> positions(const World& world, std::span<const BodyId> ids) {
  std::vector<Vec3> all;
  for (const BodyId id : ids) all.push_back(position(world, id));
  return all;
}
/// How far any body has gone from where it was, at most.
inline double drift(const World& world, std::span<const BodyId> ids, std::span<const Vec3> from) {
  double most = 0;
  for (std::size_t i = 0; i < ids.size(); ++i)
    most = std::max(most, distance(position(world, ids[i]), from[i]));
  return most;
}

inline Vec3 spin_momentum(const BodyInfo& b) { return b.inertia * b.angular_velocity; }
inline double energy(const BodyInfo& b) {
  return 0.5 * b.mass * length_squared(b.velocity) +
         0.5 * dot(b.angular_velocity, b.inertia * b.angular_velocity);
}

} // namespace carom::test
