// Joints of all kinds with all that they may have, from a stream of choices: for the tests and the fuzzer of nets.
#pragma once

#include "carom/dynamics/joint.h"
#include "carom/tree/function_ref.h"
#include "tests/support/source.h"

#include <cmath>

namespace carom::test {

/// `number` gives numbers of any sign, good or bad.
struct AnyJoint {
  Source& source;
  FunctionRef<double()> number;

  std::optional<JointRange> range() {
    if (source.chance(2)) return std::nullopt;
    const double a = number();
    const double b = number();
    return JointRange{std::fmin(a, b), source.chance(30) ? a : std::fmax(a, b)};
  }
  std::optional<JointMotor> motor() {
    if (source.chance(2)) return std::nullopt;
    const double speed = 5 * number();
    return JointMotor{speed, 100 * std::fabs(number())};
  }
  std::optional<JointSpring> spring() {
    if (source.chance(2)) return std::nullopt;
    JointSpring s;
    if (source.chance(2)) s.frequency = 3 * std::fabs(number());
    s.damping_ratio = std::fabs(number());
    s.stiffness = 1000 * std::fabs(number());
    s.damping = 10 * std::fabs(number());
    return s;
  }
  JointAxis axis() {
    JointAxis a;
    if (source.chance(2)) a.limits = range();
    a.spring = spring();
    a.motor = motor();
    a.target = number();
    return a;
  }
  JointKind kind() {
    switch (source.index(7)) {
    case 0: {
      BallJoint k;
      if (source.chance(2)) k.cone = std::fabs(number());
      k.twist = range();
      k.friction = source.chance(2) ? std::fabs(number()) : 0;
      k.spring = spring();
      return k;
    }
    case 1: {
      const JointAxis a = axis();
      return HingeJoint{a.limits, a.motor, a.spring, a.target};
    }
    case 2: {
      const JointAxis a = axis();
      return SliderJoint{a.limits, a.motor, a.spring, a.target};
    }
    case 3: {
      FixedJoint k;
      k.linear = spring();
      k.angular = spring();
      return k;
    }
    case 4: {
      DistanceJoint k;
      k.range = range();
      k.spring = spring();
      if (source.chance(2)) k.rest_length = number();
      k.motor = motor();
      return k;
    }
    case 5: {
      WheelJoint k;
      k.suspension = spring().value_or(k.suspension);
      k.rest = number();
      k.travel = range();
      k.motor = motor();
      k.steer = 0.5 * number();
      return k;
    }
    default: {
      SixDofJoint k;
      for (JointAxis& a : k.axes) a = axis();
      return k;
    }
    }
  }
  Pose pose() {
    const double x = number();
    const double y = number();
    const double z = number();
    if (source.chance(2)) return Pose::at({x, y, z});
    const double a = number();
    const double b = number();
    return {normalized(Quat{a, b, x, 1}), {x, y, z}};
  }
  JointDef joint(BodyId a, BodyId b) {
    JointDef def{.a = a, .b = b};
    def.frame = pose();
    if (source.chance(3)) def.frame_b = pose();
    def.local = source.chance(2);
    def.kind = kind();
    if (source.chance(8)) def.break_force = 1000 * std::fabs(number());
    if (source.chance(8)) def.break_torque = 1000 * std::fabs(number());
    def.collide_connected = source.chance(2);
    return def;
  }
};

} // namespace carom::test
