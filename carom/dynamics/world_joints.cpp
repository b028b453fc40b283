// The world's calls about joints.
#include "carom/dynamics/world.h"

#include "carom/math/trig.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace carom {
namespace {

tl::unexpected<WorldError> out_of_range() { return tl::unexpected(WorldError::out_of_range); }

/// Of the coordinate that a call means, or `own`; none where there is no such.
std::optional<std::size_t> slot_of(std::optional<JointCoordinate> of, std::size_t own) {
  if (!of) return own;
  const auto slot = static_cast<std::size_t>(*of);
  return slot < 6 ? std::optional(slot) : std::nullopt;
}

/// How fast the coordinates change: the rows of joint_slots-inl.h, in doubles.
void put_speeds(const BodyStore& bodies, const JointRecord& j, const JointPlace& place,
                JointInfo& info) {
  const auto motion = [&](std::uint32_t slot) {
    if (slot == no_index) return std::pair<Vec3, Vec3>{};
    return std::pair(bodies[slot].velocity, bodies[slot].angular_velocity);
  };
  const auto [velocity_a, spin_a] = motion(j.body_a);
  const auto [velocity_b, spin_b] = motion(j.body_b);
  // Of B's origin as seen from A's frame, which turns.
  const Vec3 arm_a = j.body_a == no_index ? Vec3{} : place.arm_a;
  const Vec3 apart =
      velocity_b + cross(spin_b, place.arm_b) - velocity_a - cross(spin_a, arm_a + place.gap);
  for (int i = 0; i < 3; ++i)
    info.speeds[static_cast<std::size_t>(i)] = dot(place.axes_a[i], apart);
  const Vec3 u = transpose_mul(place.axes_a, place.axes_b.x),
             w = transpose_mul(place.axes_a, spin_b - spin_a);
  const double flat = std::max(u.x * u.x + u.z * u.z, 1e-12);
  info.speeds[3] = w.x + (w.y * u.y + w.z * u.z) / std::max(1 + u.x, 1e-12);
  info.speeds[4] = w.y - u.y * (u.x * w.x + u.z * w.z) / flat;
  info.speeds[5] = (u.x * w.z - u.z * w.x) / std::sqrt(flat);
  info.length_speed = dot(normalized_or(place.gap, {}), apart);
}

BodyId id_or_world(const BodyStore& bodies, std::uint32_t slot) {
  return slot == no_index ? BodyId{} : bodies.id_of(slot);
}

} // namespace

WorldResult<std::uint32_t> World::to_change(JointId id) const {
  if (busy_) return tl::unexpected(WorldError::busy);
  const std::uint32_t slot = joints_.find(id);
  if (slot == no_index) return tl::unexpected(WorldError::stale_id);
  return slot;
}

Result<JointId> World::add_joint(const JointDef& def) {
  if (busy_) return failure(ErrorCode::out_of_range, "a joint cannot be added from inside a step");
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
  const WorldResult<std::uint32_t> found = to_change(id);
  if (!found) return tl::unexpected(found.error());
  const std::uint32_t slot = *found;
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
  if (slot == no_index) return tl::unexpected(WorldError::stale_id);
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
  const JointPlace place = place_of(bodies_, j);
  const auto values = values_of(place, j.twist);
  for (std::size_t i = 0; i < info.at.size(); ++i) info.at[i] = values[i];
  info.length = values[length_slot];
  put_speeds(bodies_, j, place, info);
  for (std::size_t i = 0; i < info.limits.size(); ++i) info.limits[i] = j.slots[i].limits;
  info.length_limits = j.slots[length_slot].limits;
  info.cone_limits = j.slots[cone_slot].limits;
  info.force = j.force;
  info.torque = j.torque;
  info.user = j.user;
  return info;
}

WorldResult<void> World::set_motor(JointId id, const std::optional<JointMotor>& motor,
                                   std::optional<JointCoordinate> of) {
  const WorldResult<std::uint32_t> found = to_change(id);
  if (!found) return tl::unexpected(found.error());
  const std::uint32_t slot = *found;
  if (motor && !is_motor(*motor)) return out_of_range();
  const auto which = slot_of(of, joints_[slot].own);
  if (!which) return out_of_range();
  JointAxis& axis = joints_.edit(slot).slots[*which];
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
  const WorldResult<std::uint32_t> found = to_change(id);
  if (!found) return tl::unexpected(found.error());
  const std::uint32_t slot = *found;
  if (limits && (!is_range(*limits) || limits->lower == INFINITY || limits->upper == -INFINITY))
    return out_of_range();
  const auto which = slot_of(of, joints_[slot].own);
  if (!which || (*which == length_slot && limits && !(limits->upper > 0))) return out_of_range();
  JointAxis& axis = joints_.edit(slot).slots[*which];
  const bool same =
      axis.limits.has_value() == limits.has_value() &&
      (!limits || (axis.limits->lower == limits->lower && axis.limits->upper == limits->upper));
  if (same) return {};
  axis.limits = limits;
  wake_joint(slot);
  return {};
}

WorldResult<void> World::set_target(JointId id, double target, std::optional<JointCoordinate> of) {
  const WorldResult<std::uint32_t> found = to_change(id);
  if (!found) return tl::unexpected(found.error());
  const std::uint32_t slot = *found;
  if (!(std::fabs(target) <= farthest_position)) return out_of_range();
  const JointRecord& j = joints_[slot];
  const bool steers = !of && j.drawn != j.own; // only a wheel has two coordinates of its own
  if (steers && !(std::fabs(target) < half_pi)) return out_of_range();
  if (steers) return set_limits(id, JointRange{target, target}, JointCoordinate::turn_z);
  const auto which = slot_of(of, j.drawn);
  if (!which) return out_of_range();
  JointAxis& axis = joints_.edit(slot).slots[*which];
  if (axis.target == target) return {};
  axis.target = target;
  wake_joint(slot);
  return {};
}

WorldResult<void> World::set_spring(JointId id, const std::optional<JointSpring>& spring,
                                    std::optional<JointCoordinate> of) {
  const WorldResult<std::uint32_t> found = to_change(id);
  if (!found) return tl::unexpected(found.error());
  const JointRecord& j = joints_[*found];
  // Of a wheel's own coordinates it is neither the spin nor the steering that has one.
  const bool wheel = j.drawn != j.own;
  const auto which = slot_of(of, wheel ? static_cast<std::size_t>(JointCoordinate::z) : j.own);
  if (!which || (spring && !is_spring(*spring))) return out_of_range();
  joints_.edit(*found).slots[*which].spring = spring;
  wake_joint(*found);
  return {};
}

WorldResult<void> World::set_cone(JointId id, const std::optional<double>& cone) {
  const WorldResult<std::uint32_t> found = to_change(id);
  if (!found) return tl::unexpected(found.error());
  if (cone && !(*cone >= 0 && *cone <= pi)) return out_of_range();
  if (joints_[*found].kind != JointKind(BallJoint{}).index()) return out_of_range();
  std::optional<JointRange>& limits = joints_.edit(*found).slots[cone_slot].limits;
  limits = cone ? std::optional(JointRange{-INFINITY, *cone}) : std::nullopt;
  wake_joint(*found);
  return {};
}

WorldResult<void> World::set_break(JointId id, double force, double torque) {
  const WorldResult<std::uint32_t> found = to_change(id);
  if (!found) return tl::unexpected(found.error());
  if (!(force > 0) || !(torque > 0)) return out_of_range();
  joints_[*found].break_force = force;
  joints_[*found].break_torque = torque;
  return {};
}

} // namespace carom
