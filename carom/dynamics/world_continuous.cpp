// Fast bodies stop where they hit something (continuous.h): how the world asks, and what it makes of the answers.
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

void World::stop_fast_bodies(Team& team) {
  if (!options_.continuous) return;
  const auto meet = [&](std::uint32_t a, std::uint32_t b) {
    return pairs_.find(std::min(a, b), std::max(a, b)) != no_index || may_touch(a, b);
  };
  continuous_.follow({bodies_, pairs_, broad_phase_, solver_, active_, narrow_phase_,
                      options_.margin, moving_targets_ > 0, meet, pair_filter_ != nullptr, team});
}

/// Of a body that nothing has touched, the velocity at the time is known, too: forces have acted for as long. The spin goes over from one to the other in the body's frame, where the inertia does not change: so it has no more energy
/// on the way than at the ends.
World::BodyEnd World::end_of(const StoppedBody& stop, StrikeScratch& scratch) const {
  const Body& body = bodies_[stop.slot];
  BodyEnd end{stop.center, stop.rotation, {}, {}};
  if (body.active_at == no_index) return end; // it slept
  const SolverBody& s = solver_.state(body.active_at);
  const Vec3 velocity{s.velocity[0], s.velocity[1], s.velocity[2]},
      spin{s.spin[0], s.spin[1], s.spin[2]};
  end.velocity = stop.free ? body.velocity + (velocity - body.velocity) * stop.t : velocity;
  const Vec3 first = transpose_mul(body.frame.basis, body.angular_velocity),
             last = transpose_mul(to_matrix(solver_.motion(body.active_at).rotation), spin);
  const Frame frame{to_matrix(end.rotation), end.center};
  end.spin = frame.basis * (stop.free ? first + (last - first) * stop.t : last);
  if (stop.other == no_index || body.round_inertia) return end;
  StruckBody struck{frame, end.velocity, end.spin};
  const StrikeTold told =
      strike(bodies_, narrow_phase_.forms(), stop.own, stop.other, stop.other_pose,
             {options_.margin, options_.solver.bounce_threshold}, struck, scratch);
  // Where it does not turn far in a step, the solver does as well, and tells of the contact.
  constexpr double far = 0.25;
  if (std::max(length(struck.spin), length(end.spin)) * last_time_ < far) return end;
  end.velocity = struck.velocity;
  end.spin = struck.spin;
  end.struck = told;
  return end;
}

/// The solver takes arms and inertias as they are when a step begins. A body that turns by more than a radian in it is pushed a little wrong, and may come off a wall faster than it came. From a fixed wall nothing gains energy but
/// what gravity gives it: the rest is taken away. Joints are another matter: their motors give energy.
void World::keep_energy(std::uint32_t slot, BodyEnd& end) const {
  const Body& body = bodies_[slot];
  if (!options_.continuous || !body.movable() || body.round_inertia) return;
  if (!continuous_.turned_against_fixed(slot)) return;
  if (body.force != Vec3{} || body.torque != Vec3{} || body.first_joint != no_index) return;
  const auto kinetic = [&](const Vec3& v, const Vec3& w, const Mat3& basis) {
    const Vec3 local = transpose_mul(basis, w);
    return 0.5 * (body.mass * length_squared(v) + dot(local, body.inertia * local));
  };
  const double before = kinetic(body.velocity, body.angular_velocity, body.frame.basis);
  const double after = kinetic(end.velocity, end.spin, to_matrix(end.rotation));
  const double fallen =
      body.mass * body.gravity_scale * dot(options_.gravity, end.center - body.frame.origin);
  const double most = std::max(before + fallen, 0.0);
  if (!(after > most) || !(after < INFINITY)) return;
  const double scale = std::sqrt(most / after);
  end.velocity = end.velocity * scale;
  end.spin = end.spin * scale;
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

/// A body that was struck has met the other one in this step, whether it stays or flies off; the solver knows nothing of it.
void World::tell_strikes() {
  struck_.clear();
  for (std::size_t i = 0; i < stops_.size(); ++i) {
    const StoppedBody& stop = continuous_.stopped()[i];
    const StrikeTold& told = stops_[i].struck;
    if (!(told.impulse > 0) || bodies_[stop.slot].frozen) continue;
    const std::uint32_t shape_a = std::min(stop.own, stop.other),
                        shape_b = std::max(stop.own, stop.other);
    std::uint32_t pair = pairs_.find(shape_a, shape_b);
    if (pair == no_index) {
      pair = pairs_.add(bodies_, shape_a, shape_b);
      narrow_phase_.begin_pair(pairs_[pair]);
      pairs_.activate(pair);
    }
    PairRecord& p = pairs_[pair];
    struck_.push_back(pair);
    const bool goes_on = p.touching;
    p.touching = pairs_.marks(pairs_.active_at(pair)).touching = true;
    p.last_point = bodies_[p.body_a].frame.to_local(told.point);
    if (goes_on && !options_.persist_events) continue;
    const PlacedShape &a = bodies_.shape(shape_a), &b = bodies_.shape(shape_b);
    next_events_.contacts.push_back({goes_on ? EventKind::persist : EventKind::begin,
                                     bodies_.id_of(a.body), bodies_.id_of(b.body), a.number,
                                     b.number, told.normal * (shape_a == stop.own ? -1.0 : 1.0),
                                     told.point, told.impulse, goes_on ? 0 : told.approach});
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
