#include "carom/dynamics/burden.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

constexpr double growth = 1.5, hasty_growth = 1.1; // a step
constexpr double steady_part = 0.7; // as long as so much of the burden is needed, it stays
/// Of a body's reach: contacts yield by no more. At 0.0008 towers of twenty cubes of any size stand as well; at 0.0005 tall pyramids come to rest sooner.
constexpr double rest_part = 0.0005;
constexpr double most_weights = 2;  // of all that is awake
constexpr double hasty_speed = 0.5; // metres a second
constexpr double strike_part = 4;   // of what squeezes a body in a step

/// Where bodies yield by no more than this, they stand.
double depth_of(const Body& body, double rest_depth) {
  return std::min(rest_depth, rest_part * body.reach);
}

/// The speed that a squeeze would give in a sub-step to a body without a burden, where it yields by so much.
double speed_of(double depth, const SoftStep& soft) {
  return depth * double{soft.frequency} * double{soft.frequency} * double{soft.time};
}

} // namespace

Haste haste_of(const Body& a, const Body& b) {
  const double square = length_squared(b.velocity - a.velocity);
  if (!(square > hasty_speed * hasty_speed)) return {};
  const double inverse = a.inverse_mass + b.inverse_mass;
  return {true, inverse > 0 ? static_cast<float>(std::sqrt(square) / inverse) : 0.0F};
}

float borne_impulse(const Body& body, double rest_depth, const SoftStep& soft, double time) {
  if (!(body.burden > 1)) return 0;
  const double yields = double{body.burden} / (double{soft.softest} * double{soft.softest});
  const double squeeze =
      body.mass * yields * speed_of(depth_of(body, rest_depth), soft) * time / double{soft.time};
  return static_cast<float>(strike_part * squeeze);
}

double weight_of(const Body& body, const BodyMotion& motion) {
  // Pushes are those of the mass with its burden.
  return body.mass * body.burden * length(Vec3{motion.push[0], motion.push[1], motion.push[2]});
}

float next_burden(const Body& body, const BodyMotion& motion, const SolverBody& state, bool hasty,
                  double weight, double rest_depth, const SoftStep& soft) {
  const bool loaded =
      state.moved[3] > 0 && (motion.push[0] != 0 || motion.push[1] != 0 || motion.push[2] != 0);
  if (!loaded) return 1;
  // As speeds that impulses would give the body without its burden.
  const double pushed = double{state.moved[3]} * body.inverse_mass;
  double square = 0;
  for (int i = 0; i < 3; ++i) {
    const double d = double{state.velocity[i]} - double{motion.base_velocity[i]};
    square += d * d;
  }
  const double squeezed = std::min(0.5 * (pushed - std::sqrt(square) * body.burden),
                                   most_weights * weight * body.inverse_mass);
  // How many times as far as it may it would yield without a burden.
  const double yields = squeezed / speed_of(depth_of(body, rest_depth), soft);
  // One that is worth having makes contacts softer first.
  const double needed =
      yields > steady_part ? yields * double{soft.softest} * double{soft.softest} : 1;
  const double most = (hasty ? hasty_growth : growth) * body.burden;
  if (yields > 1 && needed > most) return static_cast<float>(most);
  return needed < steady_part * body.burden ? static_cast<float>(std::max(needed, 1.0))
                                            : body.burden;
}

} // namespace carom
