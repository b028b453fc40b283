// Fast bodies stop where they hit something (continuous.h): how the world asks, and what it makes of the answers.
#include "carom/dynamics/strike.h"
#include "carom/dynamics/world.h"

#include <algorithm>
#include <cmath>

namespace carom {

std::size_t moving_targets_of(const BodyStore& bodies, const Body& body) {
  if (body.kind == BodyKind::fixed) return 0;
  std::size_t count = body.continuous && body.kind == BodyKind::dynamic ? 1 : 0;
  for (const std::uint32_t i : body.shapes)
    if (body.kind == BodyKind::kinematic || bodies.shape(i).def.sensor) ++count;
  return count;
}

void World::stop_fast_bodies() {
  if (!options_.continuous) return;
  const auto meet = [&](std::uint32_t a, std::uint32_t b) {
    return pairs_.find(std::min(a, b), std::max(a, b)) != no_index || may_touch(a, b);
  };
  continuous_.follow({bodies_, pairs_, broad_phase_, solver_, active_, narrow_phase_,
                      options_.margin, moving_targets_ > 0, meet});
}

/// Of a body that nothing has touched, the velocity at the time is known, too: forces have acted for as long. The spin goes over from one to the other in the body's frame, where the inertia does not change: so it has no more energy
/// on the way than at the ends.
void World::place_stopped(std::uint32_t slot, Vec3& center, Quat& rotation, Vec3& velocity,
                          Vec3& spin) {
  const StoppedBody* stop = continuous_.stop_of(slot);
  if (stop == nullptr) return;
  const Quat end = rotation;
  center = stop->center;
  rotation = stop->rotation;
  const Body& body = bodies_[slot];
  if (stop->free) velocity = body.velocity + (velocity - body.velocity) * stop->t;
  const Vec3 first = transpose_mul(body.frame.basis, body.angular_velocity),
             last = transpose_mul(to_matrix(end), spin);
  const Frame frame{to_matrix(rotation), center};
  spin = frame.basis * (stop->free ? first + (last - first) * stop->t : last);
  if (stop->other == no_index || body.round_inertia) return;
  StruckBody struck{frame, velocity, spin};
  strike(bodies_, stop->own, stop->other, stop->other_pose,
         {options_.margin, options_.solver.bounce_threshold}, struck);
  // Where it does not turn far in a step, the solver does as well, and tells of the contact.
  constexpr double far = 0.25;
  if (std::max(length(struck.spin), length(spin)) * last_time_ < far) return;
  velocity = struck.velocity;
  spin = struck.spin;
}

/// The solver takes arms and inertias as they are when a step begins. A body that turns by more than a radian in it is pushed a little wrong, and may come off a wall faster than it came. From a fixed wall nothing gains energy but
/// what gravity gives it: the rest is taken away.
void World::keep_energy(std::uint32_t slot, const Vec3& center, const Quat& rotation,
                        Vec3& velocity, Vec3& spin) const {
  const Body& body = bodies_[slot];
  if (!options_.continuous || !body.movable() || body.round_inertia) return;
  if (!continuous_.turned_against_fixed(slot)) return;
  if (body.force != Vec3{} || body.torque != Vec3{}) return;
  const auto kinetic = [&](const Vec3& v, const Vec3& w, const Mat3& basis) {
    const Vec3 local = transpose_mul(basis, w);
    return 0.5 * (body.mass * length_squared(v) + dot(local, body.inertia * local));
  };
  const double before = kinetic(body.velocity, body.angular_velocity, body.frame.basis);
  const double after = kinetic(velocity, spin, to_matrix(rotation));
  const double fallen =
      body.mass * body.gravity_scale * dot(options_.gravity, center - body.frame.origin);
  const double most = std::max(before + fallen, 0.0);
  if (!(after > most) || !(after < INFINITY)) return;
  const double scale = std::sqrt(most / after);
  velocity = velocity * scale;
  spin = spin * scale;
}

/// Bodies that slept when a fast kinematic body came and took them along.
void World::place_carried() {
  for (const StoppedBody& stop : continuous_.stopped()) {
    if (bodies_[stop.slot].active_at != no_index || !is_position(stop.center)) continue;
    wake_slot(stop.slot);
    bodies_.place_center(stop.slot, stop.rotation, stop.center);
    update_boxes(stop.slot, {});
  }
}

void World::tell_passes() {
  for (const SensorPass& pass : continuous_.passes()) {
    const PlacedShape &sensor = bodies_.shape(pass.sensor), &visitor = bodies_.shape(pass.visitor);
    for (const EventKind kind : {EventKind::begin, EventKind::end})
      next_events_.sensors.push_back({kind, bodies_.id_of(sensor.body), bodies_.id_of(visitor.body),
                                      sensor.number, visitor.number});
  }
}

} // namespace carom
