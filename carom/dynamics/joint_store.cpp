#include "carom/dynamics/joint_store.h"

#include "carom/math/trig.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

/// The world's own frame stands in for a body that is not there.
struct BodyFrame {
  Frame frame{};
  Quat rotation{};
};
BodyFrame frame_of(const BodyStore& bodies, std::uint32_t slot) {
  if (slot == no_index) return {};
  return {bodies[slot].frame, bodies[slot].pose.rotation};
}

/// A pose in the frame about the centre of mass, from one in the world or in the body's own frame.
Pose local_pose(const BodyStore& bodies, std::uint32_t slot, const Pose& pose, bool is_local) {
  const Quat turn = normalized(pose.rotation);
  if (is_local)
    return {turn, slot == no_index ? pose.position : pose.position - bodies[slot].local_center};
  const BodyFrame at = frame_of(bodies, slot);
  return {normalized(conjugate(at.rotation) * turn), at.frame.to_local(pose.position)};
}

bool is_pose(const Pose& p) { return is_position(p.position) && is_rotation(p.rotation); }

} // namespace

JointPlace place_of(const BodyStore& bodies, const JointRecord& joint) {
  const Frame world;
  const auto frame = [&](std::uint32_t slot) -> const Frame& {
    return slot == no_index ? world : bodies[slot].frame;
  };
  const Frame &a = frame(joint.body_a), &b = frame(joint.body_b);
  JointPlace p;
  p.arm_a = a.basis * joint.local_a.position;
  p.arm_b = b.basis * joint.local_b.position;
  // First the centres: they are near each other, however far out both are.
  p.gap = (b.origin - a.origin) + (p.arm_b - p.arm_a);
  if (joint.body_a == no_index) p.gap = (b.origin - p.arm_a) + p.arm_b;
  p.axes_a = a.basis * to_matrix(joint.local_a.rotation);
  p.axes_b = b.basis * to_matrix(joint.local_b.rotation);
  return p;
}

std::array<double, joint_slots> values_of(const JointPlace& place, double last_twist,
                                          unsigned asked) {
  std::array<double, joint_slots> v{};
  const Mat3 &a = place.axes_a, &b = place.axes_b;
  for (int i = 0; i < 3; ++i)
    if ((asked >> i & 1) != 0) v[static_cast<std::size_t>(i)] = dot(a[i], place.gap);
  const Vec3 x = transpose_mul(a, b.x);
  // Of the turn's matrix, zy - yz = (1 + xx) sin(twist) and yy + zz = (1 + xx) cos(twist).
  const double twist = atan2(dot(a.z, b.y) - dot(a.y, b.z), dot(a.y, b.y) + dot(a.z, b.z));
  v[3] = twist + two_pi * std::floor((last_twist - twist) / two_pi + 0.5);
  if ((asked & 1U << 4) != 0) v[4] = atan2(-x.z, x.x);
  if ((asked & 1U << 5) != 0) v[5] = atan2(x.y, std::sqrt(x.x * x.x + x.z * x.z));
  if ((asked & 1U << cone_slot) != 0) v[cone_slot] = atan2(std::sqrt(x.y * x.y + x.z * x.z), x.x);
  if ((asked & 1U << length_slot) != 0) v[length_slot] = length(place.gap);
  return v;
}

Result<JointId> JointStore::add(BodyStore& bodies, const JointDef& def) {
  JointRecord joint;
  joint.body_a = def.a == BodyId{} ? no_index : bodies.find(def.a);
  joint.body_b = bodies.find(def.b);
  if (joint.body_b == no_index || (joint.body_a == no_index && !(def.a == BodyId{})))
    return failure(ErrorCode::out_of_range, "a joint's body is not in the world, or not any more");
  if (joint.body_a == joint.body_b)
    return failure(ErrorCode::degenerate, "a joint needs two bodies, and these are one");
  const bool some_dynamic =
      bodies[joint.body_b].kind == BodyKind::dynamic ||
      (joint.body_a != no_index && bodies[joint.body_a].kind == BodyKind::dynamic);
  if (!some_dynamic)
    return failure(ErrorCode::degenerate, "a joint needs a dynamic body, and neither is one");
  const Pose frame_b = def.frame_b.value_or(def.local ? Pose{} : def.frame);
  if (!is_pose(def.frame) || !is_pose(frame_b))
    return failure(ErrorCode::out_of_range, "a joint's frame is not a placement within 1e12");
  if (!(def.break_force > 0) || !(def.break_torque > 0))
    return failure(ErrorCode::out_of_range, "what breaks a joint is a number > 0");
  joint.local_a = local_pose(bodies, joint.body_a, def.frame, def.local);
  joint.local_b = local_pose(bodies, joint.body_b, frame_b, def.local);
  const JointPlace place = place_of(bodies, joint);
  if (auto ok = describe(def.kind, length(place.gap), joint); !ok)
    return tl::unexpected(ok.error());
  joint.collide_connected = def.collide_connected;
  joint.break_force = def.break_force;
  joint.break_torque = def.break_torque;
  joint.user = def.user;
  joint.twist = values_of(place, 0)[3];

  std::uint32_t slot = static_cast<std::uint32_t>(joints_.size());
  if (free_.empty()) {
    joints_.emplace_back();
  } else {
    slot = free_.back();
    free_.pop_back();
  }
  joint.generation = joints_[slot].generation + 1;
  joint.exists = true;
  joints_[slot] = joint;
  link(bodies, slot, 0);
  link(bodies, slot, 1);
  ++count_;
  ++changes_;
  return id_of(slot);
}

void JointStore::remove(BodyStore& bodies, std::uint32_t slot) {
  unlink(bodies, slot, 0);
  unlink(bodies, slot, 1);
  const std::uint32_t generation = joints_[slot].generation;
  joints_[slot] = JointRecord{};
  joints_[slot].generation = generation;
  // A slot whose generations are used up is given to nobody any more.
  if (generation + 1 != 0) free_.push_back(slot);
  --count_;
  ++changes_;
}

void JointStore::forget_impulses(const BodyStore& bodies, std::uint32_t body) {
  for (std::uint32_t i = bodies[body].first_joint; i != no_index; i = next_of(i, body)) {
    JointRecord& j = edit(i);
    j.impulse = {};
    j.force = j.torque = Vec3{};
    j.strain = 0;
  }
}

void JointStore::link(BodyStore& bodies, std::uint32_t joint, std::size_t side) {
  JointRecord& j = joints_[joint];
  const std::uint32_t body = side == 0 ? j.body_a : j.body_b;
  if (body == no_index) return;
  std::uint32_t& first = bodies[body].first_joint;
  j.next[side] = first;
  if (first != no_index) joints_[first].last[joints_[first].body_a == body ? 0 : 1] = joint;
  first = joint;
}

void JointStore::unlink(BodyStore& bodies, std::uint32_t joint, std::size_t side) {
  const JointRecord& j = joints_[joint];
  const std::uint32_t body = side == 0 ? j.body_a : j.body_b;
  if (body == no_index) return;
  const std::uint32_t next = j.next[side], last = j.last[side];
  if (next != no_index) joints_[next].last[joints_[next].body_a == body ? 0 : 1] = last;
  if (last != no_index)
    joints_[last].next[joints_[last].body_a == body ? 0 : 1] = next;
  else
    bodies[body].first_joint = next;
}

bool JointStore::forbids(const BodyStore& bodies, std::uint32_t a, std::uint32_t b) const {
  if (bodies[a].first_joint == no_index || bodies[b].first_joint == no_index) return false;
  for (std::uint32_t j = bodies[a].first_joint; j != no_index; j = next_of(j, a))
    if (other_of(j, a) == b && !joints_[j].collide_connected) return true;
  return false;
}

} // namespace carom
