// Semi-implicit Euler: velocities first, positions with the new ones. The spin of a body that is not round changes without any torque, since its inertia turns with it while its angular momentum
// L stays. With l = L along the principal axes, I1 >= I2 >= I3, its energy is
//   |L|^2 / 2 I2 + l1^2 (1/I1 - 1/I2) / 2 + l3^2 (1/I3 - 1/I2) / 2.
// Each of the three alone makes for a motion that is known: a turn about L by |L| / I2, a turn about the first axis, one about the third. One after the other, with the last in two halves around the second, they are a
// step of second order that keeps L exactly, and energy for ever to within what it oscillates by (it is symplectic); the first commutes with the others. A body with two equal moments moves exactly as it should, whatever the
// step: a thin rod may spin at any rate.
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

/// Up to this turn in a sub-step, times the ratio of the greatest moment of inertia to the least, a plain rule of second order does: spins of 24 radians a second of a body that is nearly round, in four sub-steps of a
/// sixtieth. Beyond, and for rods, it would gain energy.
constexpr double slow_turn = 0.1;

/// Along half a rotation vector, the tangent of its length.
Vec3 half_tangent(const Vec3& half) {
  // tan(x) / x = 1 + x^2/3 + 2x^4/15 + 17x^6/315 + ...: up to 0.1 the rest is below 1e-9 of it.
  const double square = dot(half, half);
  return half * (1 + square * (1 / 3.0 + square * (2 / 15.0 + square * (17 / 315.0))));
}

/// The rotation by a vector, of some length.
Quat turn_of(const Vec3& turn) {
  const Vec3 half = turn * 0.5;
  const double square = dot(half, half);
  if (square < 0.01) {
    const Vec3 tangent = half_tangent(half);
    return {tangent.x, tangent.y, tangent.z, 1};
  }
  const double angle = std::sqrt(square);
  const SinCos s = sin_cos(angle);
  const Vec3 v = half * (s.sin / angle);
  return {v.x, v.y, v.z, s.cos};
}

/// A vector as seen from a frame that has turned by a rotation vector of less than 0.2 radians.
Vec3 turned_back(const Vec3& v, const Vec3& turn) {
  const Vec3 t = half_tangent(turn * -0.5);
  // By the tangent of half the angle: v + 2 (t x (v + t x v)) / (1 + t^2).
  return v + cross(t, v + cross(t, v)) * (2 / (1 + dot(t, t)));
}

/// Turns the principal frame about one of its axes, and the angular momentum in it back by the same.
void turn_about(int axis, double angle, Quat& frame, Vec3& momentum) {
  Vec3 v{};
  v[axis] = angle;
  const Quat turn = normalized(turn_of(v));
  frame = frame * turn;
  momentum = to_matrix(conjugate(turn)) * momentum;
}

/// The rotation vector of a unit quaternion; of all those that differ by whole turns, the one nearest to the vector expected.
Vec3 vector_of(const Quat& q, const Vec3& expected) {
  const Vec3 v{q.x, q.y, q.z};
  const double sine = length(v);
  if (sine < 1e-8) return expected;
  const Vec3 axis = v / sine;
  const double angle = 2 * atan2(sine, q.w);
  return axis * (angle + two_pi * std::floor((dot(expected, axis) - angle) / two_pi + 0.5));
}

/// Free rotation for a time; the rotation after it.
Quat spun(const Body& body, const Quat& rotation, const Vec3& momentum, double time) {
  const Vec3& inertia = body.principal_inertia;
  Quat frame = rotation * body.principal;
  Vec3 l = to_matrix(conjugate(frame)) * momentum;
  const double rate1 = 1 / inertia.x - 1 / inertia.y, rate3 = 1 / inertia.z - 1 / inertia.y;
  turn_about(2, 0.5 * time * rate3 * l.z, frame, l);
  turn_about(0, time * rate1 * l.x, frame, l);
  turn_about(2, 0.5 * time * rate3 * l.z, frame, l);
  return turned_by(frame * conjugate(body.principal), momentum * (time / inertia.y));
}

} // namespace

Quat turned_by(const Quat& q, const Vec3& turn) { return normalized(turn_of(turn) * q); }

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

FreeTurn turn_freely(const Body& body, const Quat& rotation, const Vec3& spin, double time) {
  FreeTurn turn;
  if (body.round_inertia || spin == Vec3{}) return {turned_by(rotation, spin * time), spin, spin};
  const double slow = slow_turn * body.principal_inertia.z;
  if (length(spin) * time * body.principal_inertia.x < slow) {
    // In the body's frame: there the inertia rests, and the momentum turns the other way.
    const Mat3 basis = to_matrix(rotation);
    const Vec3 local = transpose_mul(basis, spin), momentum = body.inertia * local;
    const Vec3 half = local * (time * 0.5);
    const Vec3 halfway = body.inverse_inertia * turned_back(momentum, half);
    const Vec3 mean = turned_back(halfway, -half);
    turn.mean = basis * mean;
    turn.rotation = turned_by(rotation, turn.mean * time);
    const Vec3 after = body.inverse_inertia * turned_back(momentum, mean * time);
    turn.spin = to_matrix(turn.rotation) * after;
  } else {
    const Vec3 momentum = times(to_matrix(rotation), body.inertia, spin);
    turn.rotation = spun(body, rotation, momentum, time);
    turn.mean = vector_of(turn.rotation * conjugate(rotation), spin * time) / time;
    turn.spin = times(to_matrix(turn.rotation), body.inverse_inertia, momentum);
  }
  return turn;
}

void integrate_position(const Body& body, BodyMotion& motion, SolverBody& state, double time) {
  Vec3 spin = vec(state.spin);
  if (motion.gyroscopic && spin != Vec3{}) {
    const FreeTurn turn = turn_freely(body, motion.rotation, spin, time);
    motion.rotation = turn.rotation;
    put(turn.spin, state.spin);
    spin = turn.mean;
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
