// What the tests of the classic solvers are made of.
#pragma once

#include "carom/dynamics/classic/classic_world.h"
#include "tests/dynamics/scenes.h"

#include <array>

namespace carom::test {

inline constexpr std::array<ClassicSolver, 3> all_solvers{
    ClassicSolver::events, ClassicSolver::resting, ClassicSolver::penalty};
inline constexpr std::array<ClassicSolver, 2> exact_solvers{ClassicSolver::events,
                                                            ClassicSolver::resting};

inline const char* name_of(ClassicSolver s) {
  return s == ClassicSolver::events    ? "events"
         : s == ClassicSolver::resting ? "resting"
                                       : "penalty";
}

/// A slab whose top is the plane through the origin, turned by so much about y.
inline BodyId add_slope(ClassicWorld& world, double slope, const Material& material) {
  const Quat turn = Quat::from_axis_angle({0, 1, 0}, slope);
  return world
      .add({.shape = Shape::box({50, 50, 0.5}).value(),
            .pose = {turn, to_matrix(turn) * Vec3{0, 0, -0.5}},
            .kind = BodyKind::fixed,
            .material = material})
      .value();
}

/// A body of a collision, without a shape: mass, inertia and velocities.
inline classic::ResponseBody loose(double mass, const Mat3& inverse_inertia, const Vec3& center,
                                   const Vec3& velocity, const Vec3& spin = {}) {
  return {.center = center,
          .velocity = velocity,
          .spin = spin,
          .inverse_mass = 1 / mass,
          .inverse_inertia = inverse_inertia};
}

/// R diag(principal) R^T.
inline Mat3 turned_inertia(const Quat& q, const Vec3& principal) {
  const Mat3 r = to_matrix(q);
  return r * Mat3::diagonal(principal) * transpose(r);
}

} // namespace carom::test
