// The world's calls about joints.
#include "carom/dynamics/world.h"

#include "carom/math/trig.h"

#include <cmath>

namespace carom {
namespace {

tl::unexpected<WorldError> stale() { return tl::unexpected(WorldError::stale_id); }
tl::unexpected<WorldError> out_of_range() { return tl::unexpected(WorldError::out_of_range); }

BodyId id_or_world(const BodyStore& bodies, std::uint32_t slot) {
  return slot == no_index ? BodyId{} : bodies.id_of(slot);
}

} // namespace

Result<JointId> World::add_joint(const JointDef& def) {
  const Result<JointId> id = joints_.add(bodies_, def);
  if (!id) return id;
  wake_joint(id->slot);
  const JointRecord& j = joints_[id->slot];
  if (j.body_a == no_index || j.collide_connected) return id;
  // They touch no more.
  std::uint32_t next = no_index;
  for (std::uint32_t p = bodies_[j.body_a].first_contact; p != no_index; p = next) {
    next = pairs_.next_of(p, j.body_a);
    if (pairs_[p].body_a != j.body_b && pairs_[p].body_b != j.body_b) continue;
    end_contact(p);
    pairs_.remove(bodies_, p);
  }
  return id;
}

/// The bodies may touch from now on: pairs are found for boxes that are new.
void World::drop_joint(std::uint32_t slot) {
  wake_joint(slot);
  const JointRecord joint = joints_[slot];
  joints_.remove(bodies_, slot);
  if (joint.body_a == no_index || joint.collide_connected) return;
  const std::uint32_t mover =
      bodies_[joint.body_b].kind == BodyKind::fixed ? joint.body_a : joint.body_b;
  for (const std::uint32_t i : bodies_[mover].shapes) {
    PlacedShape& s = bodies_.shape(i);
    broad_phase_.remove(s.box, true);
    s.box = broad_phase_.add(i, box_of(i, bodies_[mover]), true);
    forget_room(i);
  }
}

WorldResult<void> World::remove_joint(JointId id) {
  const std::uint32_t slot = joints_.find(id);
  if (slot == no_index) return stale();
  drop_joint(slot);
  return {};
}

void World::wake_joint(std::uint32_t slot) {
  const JointRecord& j = joints_[slot];
  if (j.body_a != no_index) wake_slot(j.body_a);
  wake_slot(j.body_b);
}

/// Those that bore more than they can, in the order of their slots.
void World::break_joints() {
  for (const std::uint32_t slot : solver_.joints().overloaded()) {
    const JointRecord& j = joints_[slot];
    events_.breaks.push_back({joints_.id_of(slot), id_or_world(bodies_, j.body_a),
                              bodies_.id_of(j.body_b), length(j.force), length(j.torque), j.user});
    drop_joint(slot);
  }
}

WorldResult<JointInfo> World::joint(JointId id) const {
  const std::uint32_t slot = joints_.find(id);
  if (slot == no_index) return stale();
  const JointRecord& j = joints_[slot];
  JointInfo info;
  info.a = id_or_world(bodies_, j.body_a);
  info.b = bodies_.id_of(j.body_b);
  info.kind = j.kind;
  const auto placed = [&](std::uint32_t body, const Pose& local) {
    if (body == no_index) return local;
    const Body& b = bodies_[body];
    return Pose{b.pose.rotation * local.rotation, b.frame.to_world(local.position)};
  };
  info.frame_a = placed(j.body_a, j.local_a);
  info.frame_b = placed(j.body_b, j.local_b);
  const auto values = values_of(place_of(bodies_, j), j.twist);
  for (std::size_t i = 0; i < info.at.size(); ++i) info.at[i] = values[i];
  info.length = values[length_slot];
  info.force = j.force;
  info.torque = j.torque;
  info.user = j.user;
  return info;
}

WorldResult<void> World::set_motor(JointId id, const std::optional<JointMotor>& motor,
                                   std::optional<JointCoordinate> of) {
  const std::uint32_t slot = joints_.find(id);
  if (slot == no_index) return stale();
  if (motor && !is_motor(*motor)) return out_of_range();
  JointRecord& j = joints_.edit(slot);
  JointAxis& axis = j.slots[of ? static_cast<std::size_t>(*of) : j.own];
  const bool same =
      axis.motor.has_value() == motor.has_value() &&
      (!motor || (axis.motor->speed == motor->speed && axis.motor->max_force == motor->max_force));
  if (same) return {};
  axis.motor = motor;
  wake_joint(slot);
  return {};
}

WorldResult<void> World::set_limits(JointId id, const std::optional<JointRange>& limits,
                                    std::optional<JointCoordinate> of) {
  const std::uint32_t slot = joints_.find(id);
  if (slot == no_index) return stale();
  if (limits && (!is_range(*limits) || limits->lower == INFINITY || limits->upper == -INFINITY))
    return out_of_range();
  JointRecord& j = joints_.edit(slot);
  const std::size_t which = of ? static_cast<std::size_t>(*of) : j.own;
  if (which == length_slot && limits && !(limits->upper > 0)) return out_of_range();
  JointAxis& axis = j.slots[which];
  const bool same =
      axis.limits.has_value() == limits.has_value() &&
      (!limits || (axis.limits->lower == limits->lower && axis.limits->upper == limits->upper));
  if (same) return {};
  axis.limits = limits;
  wake_joint(slot);
  return {};
}

WorldResult<void> World::set_target(JointId id, double target, std::optional<JointCoordinate> of) {
  const std::uint32_t slot = joints_.find(id);
  if (slot == no_index) return stale();
  if (!(std::fabs(target) <= farthest_position)) return out_of_range();
  JointRecord& j = joints_.edit(slot);
  const bool steers = !of && j.drawn != j.own; // only a wheel has two coordinates of its own
  if (steers && !(std::fabs(target) < half_pi)) return out_of_range();
  if (steers) return set_limits(id, JointRange{target, target}, JointCoordinate::turn_z);
  JointAxis& axis = j.slots[of ? static_cast<std::size_t>(*of) : j.drawn];
  if (axis.target == target) return {};
  axis.target = target;
  wake_joint(slot);
  return {};
}

} // namespace carom
