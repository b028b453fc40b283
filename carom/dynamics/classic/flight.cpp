#include "carom/dynamics/classic/flight.h"

#include "carom/dynamics/integrator.h"

namespace carom::classic {
namespace {

/// R m R^T v.
Vec3 in_world(const Frame& frame, const Mat3& m, const Vec3& v) {
  return frame.basis * (m * transpose_mul(frame.basis, v));
}

} // namespace

namespace {

Flight started(const Body& body, double start, double end) {
  Flight f;
  f.moves = true;
  f.start = start;
  f.end = end;
  f.velocity = body.velocity;
  f.momentum = in_world(body.frame, body.inertia, body.angular_velocity);
  return f;
}

} // namespace

Flight fly_free(const Body& body, const Vec3& gravity, double start, double end) {
  Flight f = started(body, start, end);
  const double time = end - start;
  f.acceleration = gravity;
  const Vec3 spin = body.angular_velocity;
  const Vec3 mean = body.movable() ? turn_freely(body, body.pose.rotation, spin, time).mean : spin;
  f.motion = Motion::velocity(body.pose, f.velocity + gravity * (0.5 * time), mean, time,
                              body.local_center);
  return f;
}

Flight fly_held(const Body& body, const Vec3& velocity, const Vec3& spin, const Vec3& gain,
                const Vec3& spin_gain, double start, double end) {
  Flight f = started(body, start, end);
  const double time = end - start;
  f.held = true;
  f.velocity = velocity - gain;
  f.acceleration = gain * (2 / time);
  f.spin = spin - spin_gain;
  f.spin_rate = spin_gain * (2 / time);
  f.motion = Motion::velocity(body.pose, velocity, spin, time, body.local_center);
  return f;
}

Flight fly_forced(const Body& body, const Vec3& velocity, const Vec3& spin, double start,
                  double end) {
  Flight f = started(body, start, end);
  const double time = end - start;
  f.acceleration = (velocity - f.velocity) / time;
  f.motion = Motion::velocity(body.pose, (velocity + f.velocity) * 0.5,
                              (spin + body.angular_velocity) * 0.5, time, body.local_center);
  const Frame last{to_matrix(pose_at(f.motion, 1).rotation), {}};
  f.torque = (in_world(last, body.inertia, spin) - f.momentum) / time;
  return f;
}

Flight no_flight(const Body& body, double end) {
  Flight f;
  f.end = end;
  f.motion = Motion::rest(body.pose);
  f.velocity = body.velocity;
  return f;
}

Pose pose_at_time(const Flight& flight, double time) {
  const double whole = flight.end - flight.start;
  return pose_at(flight.motion, whole > 0 ? (time - flight.start) / whole : 0);
}

Motion motion_from(const Flight& flight, const Body& body, double time) {
  if (!flight.moves || time <= flight.start) return flight.motion;
  const double whole = flight.end - flight.start;
  const double left = whole > 0 ? (flight.end - time) / whole : 0;
  Motion m = flight.motion;
  m.start = body.pose;
  m.pivot = body.frame.origin;
  m.translation = m.translation * left;
  m.angle *= left;
  return m;
}

Velocities velocities_at(const Flight& flight, const Body& body, double time) {
  if (!flight.moves || !body.movable()) return {body.velocity, body.angular_velocity};
  const double passed = time - flight.start;
  const Vec3 velocity = flight.velocity + flight.acceleration * passed;
  if (flight.held) return {velocity, flight.spin + flight.spin_rate * passed};
  const Vec3 momentum = flight.momentum + flight.torque * passed;
  return {velocity, in_world(body.frame, body.inverse_inertia, momentum)};
}

} // namespace carom::classic
