// Semi-implicit Euler: velocities first, positions with the new ones. The spin of a body that is not round changes without any torque, since its inertia turns with it while its angular momentum
// L stays. So L is held exactly, and the turn is taken with the spin halfway: w' = I(q')^-1 L, where q' is the rotation after half the turn. That is of second order, and neither gains nor
// loses energy to speak of; what explicit formulas blow up on and implicit ones damp.
#include "carom/dynamics/integrator.h"

#include "carom/math/trig.h"

#include <cmath>

namespace carom {
namespace {

Vec3 vec(const float* v) { return {v[0], v[1], v[2]}; }
void put(const Vec3& v, float* to) {
  for (int i = 0; i < 3; ++i) to[i] = static_cast<float>(v[i]);
}
/// 1 where the axis is free.
Vec3 free_axes(bool x, bool y, bool z) { return {x ? 0.0 : 1.0, y ? 0.0 : 1.0, z ? 0.0 : 1.0}; }
Vec3 linear_axes(const LockedAxes& l) { return free_axes(l.x, l.y, l.z); }
Vec3 turn_axes(const LockedAxes& l) { return free_axes(l.turn_x, l.turn_y, l.turn_z); }

/// R m R^T v.
Vec3 times(const Mat3& basis, const Mat3& m, const Vec3& v) {
  return basis * (m * transpose_mul(basis, v));
}

} // namespace

Quat turned_by(const Quat& q, const Vec3& turn) {
  const Vec3 half = turn * 0.5;
  const double square = dot(half, half);
  Quat step;
  if (square < 0.01) {
    // tan(x) / x = 1 + x^2/3 + 2x^4/15 + 17x^6/315 + ...: up to 0.2 radians the rest is below 1e-9 of it.
    const Vec3 tangent =
        half * (1 + square * (1 / 3.0 + square * (2 / 15.0 + square * (17 / 315.0))));
    step = {tangent.x, tangent.y, tangent.z, 1};
  } else {
    const double angle = std::sqrt(square);
    const SinCos s = sin_cos(angle);
    const Vec3 v = half * (s.sin / angle);
    step = {v.x, v.y, v.z, s.cos};
  }
  return normalized(step * q);
}

namespace {

/// A vector as seen from a frame that has turned by a rotation vector.
Vec3 turned_back(const Vec3& v, const Vec3& turn) {
  const Vec3 half = turn * -0.5;
  const double square = dot(half, half);
  if (!(square < 0.01)) {
    const Quat q = turned_by({}, -turn);
    return to_matrix(q) * v;
  }
  // By the tangent of half the angle (turned_by): v + 2 (t x (v + t x v)) / (1 + t^2).
  const Vec3 t = half * (1 + square * (1 / 3.0 + square * (2 / 15.0 + square * (17 / 315.0))));
  return v + cross(t, v + cross(t, v)) * (2 / (1 + dot(t, t)));
}

} // namespace

BodyMotion begin_motion(const Body& body, std::uint32_t slot, const Vec3& gravity, double time) {
  BodyMotion m;
  m.slot = slot;
  m.rotation = body.pose.rotation;
  if (!body.movable()) return m;
  const Vec3 linear = linear_axes(body.locked), turns = turn_axes(body.locked);
  put(linear * body.inverse_mass, m.inverse_mass);
  const Mat3& r = body.frame.basis;
  const Mat3 inverse = r * body.inverse_inertia * transpose(r);
  const Vec3 diagonal{inverse.x.x * turns.x, inverse.y.y * turns.y, inverse.z.z * turns.z};
  put(diagonal, m.inverse_inertia);
  put({inverse.y.x * turns.x * turns.y, inverse.z.y * turns.y * turns.z,
       inverse.z.x * turns.z * turns.x},
      m.inverse_inertia + 3);
  put(mul(linear, gravity * body.gravity_scale + body.force * body.inverse_mass) * time, m.push);
  put(mul(turns, times(r, body.inverse_inertia, body.torque)) * time, m.twist);
  m.slow_down = static_cast<float>(1 / (1 + time * body.linear_damping));
  m.slow_spin = static_cast<float>(1 / (1 + time * body.angular_damping));
  m.gyroscopic = !body.round_inertia && turns == Vec3{1, 1, 1};
  return m;
}

SolverBody begin_state(const Body& body) {
  SolverBody s;
  const bool locks = body.movable();
  put(locks ? mul(body.velocity, linear_axes(body.locked)) : body.velocity, s.velocity);
  put(locks ? mul(body.angular_velocity, turn_axes(body.locked)) : body.angular_velocity, s.spin);
  return s;
}

void integrate_velocity(const BodyMotion& motion, SolverBody& state) {
  for (int i = 0; i < 3; ++i) {
    state.velocity[i] = (state.velocity[i] + motion.push[i]) * motion.slow_down;
    state.spin[i] = (state.spin[i] + motion.twist[i]) * motion.slow_spin;
  }
}

void integrate_position(const Body& body, BodyMotion& motion, SolverBody& state, double time) {
  Vec3 spin = vec(state.spin);
  if (motion.gyroscopic && spin != Vec3{}) {
    // In the body's frame: there the inertia rests, and the momentum turns the other way.
    const Mat3 basis = to_matrix(motion.rotation);
    const Vec3 local = transpose_mul(basis, spin), momentum = body.inertia * local;
    const Vec3 half = local * (time * 0.5);
    const Vec3 halfway = body.inverse_inertia * turned_back(momentum, half);
    const Vec3 mean = turned_back(halfway, -half);
    spin = basis * mean;
    motion.rotation = turned_by(motion.rotation, spin * time);
    const Vec3 after = body.inverse_inertia * turned_back(momentum, mean * time);
    put(to_matrix(motion.rotation) * after, state.spin);
  } else {
    motion.rotation = turned_by(motion.rotation, spin * time);
  }
  const auto h = static_cast<float>(time);
  for (int i = 0; i < 3; ++i) {
    state.moved[i] += h * state.velocity[i];
    state.turned[i] += static_cast<float>(spin[i] * time);
  }
}

} // namespace carom
