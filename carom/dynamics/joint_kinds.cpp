// Each kind of joint in the common form of eight coordinates.
#include "carom/dynamics/joint_store.h"

#include "carom/math/trig.h"

#include <cmath>

namespace carom {

bool is_range(const JointRange& r) { return r.lower <= r.upper; } // false for NaN
bool is_spring(const JointSpring& s) {
  const auto good = [](double x) { return x >= 0 && x <= 1e15; };
  return good(s.frequency) && good(s.damping_ratio) && good(s.stiffness) && good(s.damping);
}
bool is_motor(const JointMotor& m) {
  return std::fabs(m.speed) <= speed_limit && m.max_force >= 0; // false for NaN
}

namespace {

constexpr std::uint8_t slot_of(JointCoordinate c) { return static_cast<std::uint8_t>(c); }
constexpr std::size_t turn_x = slot_of(JointCoordinate::turn_x),
                      turn_z = slot_of(JointCoordinate::turn_z);

Result<void> check(const JointAxis& axis) {
  if (axis.limits && !is_range(*axis.limits))
    return failure(ErrorCode::out_of_range,
                   "a joint's range must have two numbers, the lower one first");
  if (axis.limits && (axis.limits->lower == INFINITY || axis.limits->upper == -INFINITY))
    return failure(ErrorCode::out_of_range, "a joint's range has no number in it");
  if (axis.spring && !is_spring(*axis.spring))
    return failure(ErrorCode::out_of_range, "a joint's spring must have numbers from 0 to 1e15");
  if (axis.motor && !is_motor(*axis.motor))
    return failure(ErrorCode::out_of_range,
                   "a joint's motor must have a speed within 1e8 and a force >= 0");
  if (!(std::fabs(axis.target) <= farthest_position))
    return failure(ErrorCode::out_of_range, "a joint's target is beyond 1e12, or no number");
  return {};
}

Result<void> fill(const BallJoint& kind, double, JointRecord& j) {
  if (kind.cone && !(*kind.cone >= 0 && *kind.cone <= pi))
    return failure(ErrorCode::out_of_range, "a cone's angle is between 0 and pi");
  if (!(kind.friction >= 0))
    return failure(ErrorCode::out_of_range, "a joint's friction is a number >= 0");
  for (std::size_t i = turn_x; i <= turn_z; ++i) {
    j.slots[i] = JointAxis::free();
    j.slots[i].spring = kind.spring;
    if (kind.friction > 0) j.slots[i].motor = JointMotor{0, kind.friction};
  }
  if (kind.twist) j.slots[turn_x].limits = *kind.twist;
  if (kind.cone) j.slots[cone_slot].limits = JointRange{-INFINITY, *kind.cone};
  j.own = j.drawn = turn_x;
  return {};
}

Result<void> fill(const HingeJoint& kind, double, JointRecord& j) {
  j.slots[turn_x] = {kind.limits, kind.spring, kind.target, kind.motor};
  j.own = j.drawn = turn_x;
  return {};
}

Result<void> fill(const SliderJoint& kind, double, JointRecord& j) {
  j.slots[0] = {kind.limits, kind.spring, kind.target, kind.motor};
  j.own = j.drawn = 0;
  return {};
}

Result<void> fill(const FixedJoint& kind, double, JointRecord& j) {
  for (std::size_t i = 0; i < 6; ++i) {
    const std::optional<JointSpring>& spring = i < 3 ? kind.linear : kind.angular;
    if (spring) j.slots[i] = {.limits = std::nullopt, .spring = spring};
  }
  return {};
}

Result<void> fill(const DistanceJoint& kind, double length, JointRecord& j) {
  for (std::size_t i = 0; i < 6; ++i) j.slots[i] = JointAxis::free();
  JointAxis& axis = j.slots[length_slot];
  axis = {kind.range, kind.spring, kind.rest_length.value_or(length), kind.motor};
  if (!kind.range && !kind.spring && !kind.motor) axis.limits = JointRange{length, length};
  if (axis.limits && !(axis.limits->upper > 0))
    return failure(ErrorCode::degenerate,
                   "a distance of 0 has no direction: use a ball joint, or a range");
  j.own = j.drawn = length_slot;
  return {};
}

Result<void> fill(const WheelJoint& kind, double, JointRecord& j) {
  if (!(std::fabs(kind.steer) < half_pi))
    return failure(ErrorCode::out_of_range, "a wheel is steered by less than a quarter turn");
  j.slots[2] = {kind.travel, kind.suspension, kind.rest, std::nullopt};
  j.slots[turn_x] = {std::nullopt, std::nullopt, 0, kind.motor};
  j.slots[turn_z].limits = JointRange{kind.steer, kind.steer};
  j.own = turn_x;
  j.drawn = turn_z;
  return {};
}

Result<void> fill(const SixDofJoint& kind, double, JointRecord& j) {
  for (std::size_t i = 0; i < 6; ++i) j.slots[i] = kind.axes[i];
  return {};
}

} // namespace

Result<void> describe(const JointKind& kind, double length, JointRecord& joint) {
  joint.kind = static_cast<std::uint8_t>(kind.index());
  joint.slots[cone_slot] = joint.slots[length_slot] = JointAxis::free();
  const Result<void> filled =
      std::visit([&](const auto& one) { return fill(one, length, joint); }, kind);
  if (!filled) return filled;
  for (const JointAxis& axis : joint.slots)
    if (auto ok = check(axis); !ok) return ok;
  return {};
}

} // namespace carom
