// Bodies that spin fast. The spin of one that is not round changes without any torque, since its inertia turns with it while its angular momentum L stays. With l = L along the principal axes, I1 >= I2 >= I3, its energy is
//   |L|^2 / 2 I2 + l1^2 (1/I1 - 1/I2) / 2 + l3^2 (1/I3 - 1/I2) / 2.
// Each of the three alone makes for a motion that is known: a turn about L by |L| / I2, a turn about the first axis, one about the third. One after the other, with the last in two halves around the second, they are a
// step of second order that keeps L exactly, and energy for ever to within what it oscillates by (it is symplectic); the first commutes with the others. A body with two equal moments moves exactly as it should, whatever the
// step: a thin rod may spin at any rate.
#include "carom/dynamics/integrator.h"

#include "carom/math/trig.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

Vec3 vec(const float* v) { return {v[0], v[1], v[2]}; }
void put(const Vec3& v, float* to) {
  for (int i = 0; i < 3; ++i) to[i] = static_cast<float>(v[i]);
}
/// As xx yy zz and xy yz zx; 0 where an axis is not free (1). Products that are rounding alone are 0, too (lane_speeds-inl.h: without_dust).
void put_symmetric(const Mat3& m, const Vec3& free, float* diagonal, float* products) {
  put({m.x.x * free.x, m.y.y * free.y, m.z.z * free.z}, diagonal);
  const double dust = 1e-14 * (std::fabs(m.x.x) + std::fabs(m.y.y) + std::fabs(m.z.z));
  const auto product = [&](double x) { return std::fabs(x) > dust ? x : 0.0; };
  put({product(m.y.x) * free.x * free.y, product(m.z.y) * free.y * free.z,
       product(m.z.x) * free.z * free.x},
      products);
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
/// sixtieth. Beyond, and for rods, it would gain energy. The spin of a round body stays: there the turn alone must be small enough for its series.
constexpr double slow_turn = 0.1, slow_round_turn = 0.2;

/// Up to this turn the series of integrator_swift.cpp do.
constexpr double swift_turn = 0.3;

/// The rotation by a vector.
Quat turn_of(const Vec3& turn) {
  const Vec3 half = turn * 0.5;
  const double angle = length(half);
  if (!(angle > 0)) return {};
  const SinCos s = sin_cos(angle);
  const Vec3 v = half * (s.sin / angle);
  return {v.x, v.y, v.z, s.cos};
}

/// Turns the principal frame about one of its axes, and the angular momentum in it back by the same.
void turn_about(int axis, double angle, Quat& frame, Vec3& momentum) {
  Vec3 v{};
  v[axis] = angle;
  const Quat turn = turn_of(v);
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
  const auto set_slow = [&](double turn) {
    m.inertia[3] = static_cast<float>(std::min(turn * turn / (time * time), 1e30));
  };
  set_slow(slow_round_turn);
  if (!body.movable()) return m;
  const Vec3 linear = linear_axes(body.locked), turns = turn_axes(body.locked);
  const double ease = 1 / double{body.burden};
  put(linear * (body.inverse_mass * ease), m.inverse_mass);
  m.inverse_mass[3] = body.burden;
  const Mat3& r = body.frame.basis;
  put_symmetric(r * body.inverse_inertia * transpose(r), turns * ease, m.inverse_inertia,
                m.inverse_products);
  put(mul(linear, gravity * body.gravity_scale + body.force * body.inverse_mass) * (time * ease),
      m.push);
  if (body.torque != Vec3{})
    put(mul(turns, times(r, body.inverse_inertia, body.torque)) * (time * ease), m.twist);
  m.slow_down = static_cast<float>(1 / (1 + time * body.linear_damping));
  m.slow_spin = static_cast<float>(1 / (1 + time * body.angular_damping));
  m.gyroscopic = !body.round_inertia && turns == Vec3{1, 1, 1};
  if (m.gyroscopic) {
    put_symmetric(r * body.inertia * transpose(r), turns, m.inertia, m.products);
    m.products[3] = 1;
    set_slow(slow_turn * body.principal_inertia.z / body.principal_inertia.x);
  }
  return m;
}

SolverBody begin_state(const Body& body) {
  SolverBody s;
  const bool locks = body.movable();
  put(locks ? mul(body.velocity, linear_axes(body.locked)) : body.velocity, s.velocity);
  put(locks ? mul(body.angular_velocity, turn_axes(body.locked)) : body.angular_velocity, s.spin);
  return s;
}

Quat rotation_now(const Body& body, const BodyMotion& motion) {
  const float* t = motion.turn;
  return normalized(Quat{t[0], t[1], t[2], t[3]} * body.pose.rotation);
}

FreeTurn turn_freely(const Body& body, const Quat& rotation, const Vec3& spin, double time) {
  if (body.round_inertia || spin == Vec3{}) return {turned_by(rotation, spin * time), spin, spin};
  const Vec3 momentum = times(to_matrix(rotation), body.inertia, spin);
  const Quat end = spun(body, rotation, momentum, time);
  return {end, times(to_matrix(end), body.inverse_inertia, momentum),
          vector_of(end * conjugate(rotation), spin * time) / time};
}

bool is_swift(const Body& body, const BodyMotion& motion, const SolverBody& state, double time) {
  // A user may give moments of inertia that no body has. Then the parts of a turn may be far more than the whole.
  const Vec3& moments = body.principal_inertia;
  return motion.gyroscopic && moments.x <= 1.001 * (moments.y + moments.z) &&
         length_squared(vec(state.spin)) * (time * time) <= swift_turn * swift_turn;
}

void integrate_fast(const Body& body, BodyMotion& motion, SolverBody& state, double time) {
  Vec3 spin = vec(state.spin);
  const Quat before = rotation_now(body, motion);
  Quat end = turned_by(before, spin * time);
  if (motion.gyroscopic) {
    const FreeTurn free = turn_freely(body, before, spin, time);
    end = free.rotation;
    spin = free.mean;
    put(vec(motion.base_spin) + (free.spin - vec(state.spin)), motion.base_spin);
    put(free.spin, state.spin);
  }
  const Quat turn = end * conjugate(body.pose.rotation);
  put({turn.x, turn.y, turn.z}, motion.turn);
  motion.turn[3] = static_cast<float>(turn.w);
  const auto h = static_cast<float>(time);
  for (int i = 0; i < 3; ++i) {
    state.moved[i] += h * state.velocity[i];
    state.turned[i] += static_cast<float>(spin[i] * time);
  }
}

} // namespace carom
