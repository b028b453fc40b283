// Joints: what holds two bodies together, and how a user describes it.
//
//   JointId door = world.add_joint({.a = frame, .b = leaf, .frame = {along_the_pins, at}, .kind = HingeJoint{.limits = JointRange{0, 1.9}}}).value();
//   JointId lamp = world.add_joint({.b = bulb, .frame = Pose::at({0, 0, 3}), .kind = BallJoint{}}).value();        // hung from the world itself
//   JointId rope = world.add_joint({.a = hook, .b = load, .frame = Pose::at(top), .frame_b = Pose::at(eye), .kind = DistanceJoint{.range = JointRange{0, 5}}}).value();
//   world.set_motor(door, {.speed = 1, .max_force = 20});
//   world.joint(door)->force;                                                                                          // what the joint bears
//
// A joint has a frame in each body. Where B's frame is in A's, that is the joint's position: three coordinates x, y, z of B's origin along A's axes, and three turns. Every kind of joint says which of these
// six are locked, limited or free. The axis that a hinge turns about, a slider slides along and a wheel spins about is x.
//
//   turn_x    how far B is twisted about x: the turn that remains after the shortest one that brings A's x axis to B's. A hinge counts whole turns. Not defined where the x axes are opposite
//   turn_y    the angle of B's x axis about A's y axis, from A's x axis toward -z, in (-pi, pi]
//   turn_z    the angle of B's x axis above A's plane of x and z, toward y, in [-pi/2, pi/2]
//
// Units are metres, kilograms, seconds and radians, or any others that fit together. Forces and torques are those on B; A bears the opposite.
#pragma once

#include "carom/dynamics/body.h"
#include "carom/math/pose.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>

namespace [[gnu::visibility("default")]] carom {

/// The name of a joint in its world. It is not given again, as those of bodies are not. The default is no joint's id.
struct JointId {
  std::uint32_t slot = 0xffffffffU;
  std::uint32_t generation = 0;

  bool operator==(const JointId&) const = default;
};

/// What a coordinate may be. lower <= upper; where they are equal it is locked there. Either may be infinite. Turns are within [-pi, pi], those of a hinge may be any.
struct JointRange {
  double lower = 0, upper = 0;
};

/// A spring and damper that draws a coordinate to its target. Given by a frequency, it is as strong as that takes for the two bodies, whatever they weigh: a body on a spring of 2 Hz swings
/// twice a second. Or given by a stiffness, as one buys springs: a frequency of 0 says so.
struct JointSpring {
  double frequency = 0;     ///< Hertz; 0: `stiffness` and `damping` count
  double damping_ratio = 1; ///< 0: swings for ever, 1: comes to rest without swinging past. >= 0
  double stiffness = 0;     ///< newtons a metre, newton metres a radian
  double damping = 0;       ///< newton seconds a metre, newton metre seconds a radian
};

/// Drives a coordinate at a speed with what force it has. A speed of 0 makes it a brake, or friction.
struct JointMotor {
  double speed = 0;     ///< metres or radians a second
  double max_force = 0; ///< newtons, or newton metres for turns. >= 0
};

/// One of the six coordinates.
struct JointAxis {
  /// Not given: free. Equal ends: locked, the default.
  std::optional<JointRange> limits = JointRange{0, 0};
  std::optional<JointSpring> spring{};
  double target = 0; ///< of the spring
  std::optional<JointMotor> motor{};

  [[nodiscard]] static JointAxis locked() { return {}; }
  [[nodiscard]] static JointAxis free() { return {.limits = std::nullopt}; }
  [[nodiscard]] static JointAxis limited(double lower, double upper) {
    return {.limits = JointRange{lower, upper}};
  }
};
enum class JointCoordinate : std::uint8_t { x, y, z, turn_x, turn_y, turn_z };

/// A point of A stays at a point of B; turns are free, but for a cone about A's x axis that B's stays in, and a range of twist.
struct BallJoint {
  std::optional<double> cone{};        ///< the greatest angle between the x axes, in [0, pi]
  std::optional<JointRange> twist{};   ///< of turn_x
  double friction = 0;                 ///< torque that resists turning, about each axis. >= 0
  std::optional<JointSpring> spring{}; ///< draws all three turns to 0
};

/// B turns about the x axis.
struct HingeJoint {
  std::optional<JointRange> limits{}; ///< of the angle, radians
  std::optional<JointMotor> motor{};
  std::optional<JointSpring> spring{};
  double target = 0; ///< angle that the spring draws to
};

/// B slides along the x axis, and does not turn.
struct SliderJoint {
  std::optional<JointRange> limits{}; ///< metres
  std::optional<JointMotor> motor{};
  std::optional<JointSpring> spring{};
  double target = 0;
};

/// B stays where it is in A; with springs it yields.
struct FixedJoint {
  std::optional<JointSpring> linear{}, angular{};
};

/// Only the distance between the two frames' origins counts: a rod, a rope (a range from 0), a spring. Give the second origin in frame_b.
struct DistanceJoint {
  std::optional<JointRange> range{}; ///< not given: as it is now, unless there is a spring
  std::optional<JointSpring> spring{};
  std::optional<double> rest_length{}; ///< of the spring; not given: as it is now
  std::optional<JointMotor> motor{};   ///< a winch: positive speeds pay out
};

/// A is the chassis, B the wheel. It spins about the axle x, goes up and down along A's z axis on a spring, and is steered about z.
struct WheelJoint {
  JointSpring suspension{.frequency = 2, .damping_ratio = 0.7};
  double rest = 0;                    ///< where along z the spring is at ease
  std::optional<JointRange> travel{}; ///< along z
  std::optional<JointMotor> motor{};  ///< of the spin
  double steer = 0;                   ///< the axle's angle about z, in (-pi/2, pi/2): set_target()
};

/// Each coordinate on its own. Order: JointCoordinate.
struct SixDofJoint {
  std::array<JointAxis, 6> axes{};
};

using JointKind = std::variant<BallJoint, HingeJoint, SliderJoint, FixedJoint, DistanceJoint,
                               WheelJoint, SixDofJoint>;

struct JointDef {
  BodyId a{}; ///< not given: the world itself, which does not move
  BodyId b{};
  /// The joint's frame, in the world, as the bodies are now. Both bodies keep it, unless B's is given apart.
  Pose frame{};
  std::optional<Pose> frame_b{};
  bool local = false; ///< frame is in A's frame, and frame_b (or, not given, none) in B's
  JointKind kind = BallJoint{};
  /// The joint breaks when it bears more, as a mean over a step: it is removed, and an event tells (events.h). > 0
  double break_force = INFINITY;
  double break_torque = INFINITY;
  /// Whether the two bodies touch each other as others do. They do not where any joint between them says no.
  bool collide_connected = false;
  std::uint64_t user = 0; ///< a number of yours
};

/// What a world tells about a joint.
struct JointInfo {
  BodyId a{}, b{};
  std::size_t kind = 0;       ///< index in JointKind
  Pose frame_a{}, frame_b{};  ///< in the world, now
  std::array<double, 6> at{}; ///< the coordinates, in the order of JointCoordinate
  double length = 0;          ///< distance of the frames' origins
  /// How fast `at` and `length` change: metres and radians a second. Those of turns where they are defined.
  std::array<double, 6> speeds{};
  double length_speed = 0;
  /// What each coordinate is held between: none where it is free, equal ends where it is locked. That of the distance, and of the angle between the x axes (a cone).
  std::array<std::optional<JointRange>, 6> limits{};
  std::optional<JointRange> length_limits{}, cone_limits{};
  /// On B, through its frame's origin, as a mean over the last step, springs and motors included. In the world.
  Vec3 force{}, torque{};
  std::uint64_t user = 0;
};

} // namespace carom
