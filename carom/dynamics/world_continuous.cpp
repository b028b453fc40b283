// Fast bodies stop where they hit something (continuous.h): how the world asks, and what it makes of the answers.
#include "carom/dynamics/world.h"

#include <algorithm>

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
  continuous_.follow({bodies_, pairs_, broad_phase_, solver_, active_, options_.margin,
                      moving_targets_ > 0, meet});
}

/// Of a body that nothing has touched, the velocity at the time is known, too: forces have acted for as long.
void World::place_stopped(std::uint32_t slot, Vec3& center, Quat& rotation, Vec3& velocity,
                          Vec3& spin) {
  const StoppedBody* stop = continuous_.stop_of(slot);
  if (stop == nullptr) return;
  center = stop->center;
  rotation = stop->rotation;
  if (!stop->free) return;
  const Body& body = bodies_[slot];
  velocity = body.velocity + (velocity - body.velocity) * stop->t;
  spin = body.angular_velocity + (spin - body.angular_velocity) * stop->t;
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
