// Joints in a snapshot (snapshot.h): the common form of each as it stands, with the impulses that the solver starts with; then the joints of each body in the order of its list.
#include "carom/dynamics/joint_store.h"
#include "carom/dynamics/snapshot.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

void put_axis(SnapshotWriter& to, const JointAxis& axis) {
  to.put_bits({axis.limits.has_value(), axis.spring.has_value(), axis.motor.has_value()});
  if (axis.limits) {
    to.put(axis.limits->lower);
    to.put(axis.limits->upper);
  }
  if (axis.spring)
    for (const double x : {axis.spring->frequency, axis.spring->damping_ratio,
                           axis.spring->stiffness, axis.spring->damping})
      to.put(x);
  if (axis.motor) {
    to.put(axis.motor->speed);
    to.put(axis.motor->max_force);
  }
  to.put(axis.target);
}

JointAxis get_axis(SnapshotReader& from) {
  JointAxis axis = JointAxis::free();
  const auto bits = from.get<std::uint8_t>();
  if ((bits & 1) != 0) {
    const double lower = from.get_f64();
    axis.limits = JointRange{lower, from.get_f64()};
    from.need(is_range(*axis.limits));
  }
  if ((bits & 2) != 0) {
    JointSpring& s = axis.spring.emplace();
    for (double* x : {&s.frequency, &s.damping_ratio, &s.stiffness, &s.damping})
      *x = from.get_f64();
    from.need(is_spring(s));
  }
  if ((bits & 4) != 0) {
    const double speed = from.get_f64();
    axis.motor = JointMotor{speed, from.get_f64()};
    from.need(is_motor(*axis.motor));
  }
  axis.target = from.get_f64();
  from.need(std::isfinite(axis.target));
  return axis;
}

void put_joint(SnapshotWriter& to, const JointRecord& j) {
  to.put_bits({j.collide_connected});
  for (const std::uint8_t x : {j.kind, j.own, j.drawn}) to.put(x);
  to.put(j.body_a);
  to.put(j.body_b);
  for (const Pose* p : {&j.local_a, &j.local_b}) {
    to.put(p->rotation);
    to.put(p->position);
  }
  for (const JointAxis& axis : j.slots) put_axis(to, axis);
  for (const double x : {j.break_force, j.break_torque, j.twist, j.strain}) to.put(x);
  for (const auto& effects : j.impulse)
    for (const float x : effects) to.put(x);
  to.put(j.force);
  to.put(j.torque);
  to.put(j.user);
}

void get_joint(SnapshotReader& from, const BodyStore& bodies, JointRecord& j) {
  j.exists = true;
  j.collide_connected = from.get<std::uint8_t>() != 0;
  for (std::uint8_t* x : {&j.kind, &j.own, &j.drawn}) *x = from.get<std::uint8_t>();
  from.need(j.kind < std::variant_size_v<JointKind> && j.own < joint_slots &&
            j.drawn < joint_slots);
  j.body_a = from.get_u32();
  j.body_b = from.get_u32();
  const auto is_body = [&](std::uint32_t slot) {
    return slot < bodies.slots() && bodies[slot].exists;
  };
  if (!from.need(is_body(j.body_b) && j.body_a != j.body_b &&
                 (j.body_a == no_index || is_body(j.body_a))))
    return;
  from.need(bodies[j.body_b].kind == BodyKind::dynamic ||
            (j.body_a != no_index && bodies[j.body_a].kind == BodyKind::dynamic));
  for (Pose* p : {&j.local_a, &j.local_b}) {
    p->rotation = from.get_quat();
    p->position = from.get_vec();
    // In its body's frame a joint within bounds may be as far as two of these are from each other.
    from.need(max_abs(p->position) <= 4 * farthest_position && is_finite(p->position) &&
              is_rotation(p->rotation));
  }
  for (JointAxis& axis : j.slots) axis = get_axis(from);
  for (double* x : {&j.break_force, &j.break_torque, &j.twist, &j.strain}) *x = from.get_f64();
  from.need(j.break_force > 0 && j.break_torque > 0 && std::isfinite(j.twist) &&
            std::isfinite(j.strain));
  for (auto& effects : j.impulse)
    for (float& x : effects) {
      x = from.get<float>();
      from.need(std::isfinite(x));
    }
  j.force = from.get_vec();
  j.torque = from.get_vec();
  from.need(is_finite(j.force) && is_finite(j.torque));
  j.user = from.get<std::uint64_t>();
}

} // namespace

void JointStore::save(SnapshotWriter& to, const BodyStore& bodies) const {
  to.put(slots());
  to.put(free_);
  for (const JointRecord& j : joints_) {
    to.put(j.generation);
    to.put(static_cast<std::uint8_t>(j.exists));
    if (j.exists) put_joint(to, j);
  }
  std::vector<std::uint32_t> list;
  for (std::uint32_t body = 0; body < bodies.slots(); ++body) {
    list.clear();
    for (std::uint32_t j = bodies[body].first_joint; j != no_index; j = next_of(j, body))
      list.push_back(j);
    if (list.empty()) continue;
    to.put(body);
    to.put(list);
  }
}

bool JointStore::load(SnapshotReader& from, BodyStore& bodies) {
  joints_.resize(from.get_count(5));
  free_ = from.get_list(slots());
  std::size_t sides = 0;
  for (JointRecord& j : joints_) {
    j.generation = from.get_u32();
    if (from.get<std::uint8_t>() == 0) continue;
    get_joint(from, bodies, j);
    if (!from.ok()) return false;
    ++count_;
    sides += j.body_a == no_index ? 1 : 2;
  }
  if (!lists_the_free(free_, slots(), [&](std::uint32_t i) {
        return joints_[i].exists || joints_[i].generation + 1 == 0;
      }))
    return false;
  // Each side of each joint is in one list, once: as many as there are sides, and none twice.
  while (sides > 0 && from.ok()) {
    const std::uint32_t body = from.get_u32();
    const std::vector<std::uint32_t> list = from.get_list(slots());
    if (!from.need(body < bodies.slots() && !list.empty() && list.size() <= sides &&
                   bodies[body].first_joint == no_index))
      return false;
    sides -= list.size();
    std::vector<std::uint32_t> sorted = list;
    std::sort(sorted.begin(), sorted.end());
    from.need(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end());
    for (auto at = list.rbegin(); at != list.rend() && from.ok(); ++at) {
      const JointRecord& j = joints_[*at];
      if (from.need(j.exists && (j.body_a == body || j.body_b == body)))
        link(bodies, *at, j.body_a == body ? 0 : 1);
    }
  }
  return from.ok();
}

} // namespace carom
