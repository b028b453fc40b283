// The world's calls that change what a body is, and where it is led.
#include "carom/dynamics/world.h"

#include "carom/math/trig.h"

#include <cmath>

namespace carom {
namespace {

tl::unexpected<WorldError> out_of_range() { return tl::unexpected(WorldError::out_of_range); }

bool is_damping(double x) { return x >= 0 && x <= 1e15; }

/// The constant spin that leads from one rotation to the other, the shorter way.
Vec3 spin_between(const Quat& from, const Quat& to, double time) {
  Quat turn = normalized(to) * conjugate(from);
  if (turn.w < 0) turn = {-turn.x, -turn.y, -turn.z, -turn.w};
  const Vec3 axis{turn.x, turn.y, turn.z};
  const double sine = length(axis);
  return sine > 0 ? axis * (2 * atan2(sine, turn.w) / (sine * time)) : Vec3{};
}

} // namespace

WorldResult<void> World::move_to(BodyId id, const Pose& pose, double time) {
  const WorldResult<std::uint32_t> found = to_change(id);
  if (!found) return tl::unexpected(found.error());
  if (!is_position(pose.position) || !is_rotation(pose.rotation) || !(time > 0))
    return out_of_range();
  const Body& body = bodies_[*found];
  const Vec3 center = to_matrix(normalized(pose.rotation)) * body.local_center + pose.position;
  return set_velocity(id, (center - body.frame.origin) / time,
                      spin_between(body.pose.rotation, pose.rotation, time));
}

WorldResult<void> World::sleep(BodyId id) {
  const WorldResult<std::uint32_t> found = to_change(id);
  if (!found) return tl::unexpected(found.error());
  if (!bodies_[*found].movable() || bodies_[*found].active_at == no_index) return {};
  for (const std::uint32_t slot : islands_.find_around(bodies_, pairs_, joints_, *found, true)) {
    Body& body = bodies_[slot];
    body.velocity = body.angular_velocity = body.force = body.torque = Vec3{};
    deactivate(slot);
    next_events_.sleeps.push_back({bodies_.id_of(slot), false});
  }
  return {};
}

WorldResult<void> World::set_material(BodyId id, std::uint32_t shape, const Material& material) {
  const WorldResult<std::uint32_t> found = to_change(id);
  if (!found) return tl::unexpected(found.error());
  if (shape >= bodies_[*found].shapes.size()) return out_of_range();
  const std::uint32_t number = bodies_[*found].shapes[shape];
  BodyShape def = bodies_.shape(number).def;
  def.material = material;
  if (!check_shape(def)) return out_of_range();
  bodies_.shape(number).def.material = material;
  for (std::uint32_t p = bodies_[*found].first_contact; p != no_index;
       p = pairs_.next_of(p, *found)) {
    PairRecord& pair = pairs_[p];
    if (pair.shape_a != number && pair.shape_b != number) continue;
    const PairRecord fresh = new_pair(bodies_, pair.shape_a, pair.shape_b);
    pair.friction = fresh.friction;
    pair.restitution = fresh.restitution;
    pair.rolling_friction = fresh.rolling_friction;
    pair.belt = fresh.belt;
  }
  wake_touched(*found);
  wake_slot(*found);
  return {};
}

WorldResult<void> World::set_damping(BodyId id, double linear, double angular) {
  const WorldResult<std::uint32_t> found = to_change(id);
  if (!found) return tl::unexpected(found.error());
  if (!is_damping(linear) || !is_damping(angular)) return out_of_range();
  bodies_[*found].linear_damping = linear;
  bodies_[*found].angular_damping = angular;
  return {};
}

WorldResult<void> World::set_gravity_scale(BodyId id, double scale) {
  const WorldResult<std::uint32_t> found = to_change(id);
  if (!found) return tl::unexpected(found.error());
  if (!(std::fabs(scale) <= 1e15)) return out_of_range();
  bodies_[*found].gravity_scale = scale;
  wake_slot(*found);
  return {};
}

WorldResult<void> World::set_locked(BodyId id, const LockedAxes& locked) {
  const WorldResult<std::uint32_t> found = to_change(id);
  if (!found) return tl::unexpected(found.error());
  bodies_[*found].locked = locked;
  wake_slot(*found);
  return {};
}

WorldResult<void> World::set_can_sleep(BodyId id, bool can_sleep) {
  const WorldResult<std::uint32_t> found = to_change(id);
  if (!found) return tl::unexpected(found.error());
  bodies_[*found].can_sleep = can_sleep;
  if (!can_sleep) wake_slot(*found);
  return {};
}

WorldResult<void> World::set_continuous(BodyId id, bool continuous) {
  const WorldResult<std::uint32_t> found = to_change(id);
  if (!found) return tl::unexpected(found.error());
  Body& body = bodies_[*found];
  moving_targets_ -= moving_targets_of(bodies_, body);
  body.continuous = continuous;
  moving_targets_ += moving_targets_of(bodies_, body);
  return {};
}

WorldResult<void> World::set_user(BodyId id, std::uint64_t user) {
  const WorldResult<std::uint32_t> found = to_change(id);
  if (!found) return tl::unexpected(found.error());
  bodies_[*found].user = user;
  return {};
}

} // namespace carom
