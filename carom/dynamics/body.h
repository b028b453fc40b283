// What a body is made of: how a user describes one, and what is told about it.
//
//   BodyId crate = world.add({.shape = box, .pose = Pose::at({0, 0, 5})}).value();
//   BodyId hammer = world.add({.shapes = {{.shape = handle, .density = 700}, {.shape = head, .pose = at_the_end, .density = 7800}}}).value();
//   BodyId ground = world.add({.shape = terrain, .kind = BodyKind::fixed}).value();
//
// Units are metres, kilograms, seconds and radians, or any others that fit together.
#pragma once

#include "carom/math/mat3.h"
#include "carom/math/pose.h"
#include "carom/shape/shape.h"
#include "carom/space/object.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// The name of a body in its world. It is not given again: the id of a body removed is stale for ever, unless World::restore() goes back to a time when there was the body; ids given after that time may be given again then. The default is no body's id.
struct BodyId {
  std::uint32_t slot = 0xffffffffU;
  std::uint32_t generation = 0;

  bool operator==(const BodyId&) const = default;
};

enum class BodyKind : std::uint8_t {
  fixed,     ///< never moves of itself, as if its mass were infinite; set_pose() moves it
  kinematic, ///< moves with its own velocity, and is not stopped by anything
  dynamic,   ///< moved by forces and contacts
};

/// What a shape's surface is like. Of two that touch: friction and rolling friction are the geometric means, the restitution is the greater one.
struct Material {
  double friction = 0.6; ///< Coulomb's: tangential force over normal force at most. >= 0
  double restitution =
      0; ///< speed after over speed before a collision. 0: it stays, 1: nothing is lost
  double rolling_friction =
      0; ///< a length: the torque against rolling is at most this times the normal force. >= 0
  Vec3
      surface_velocity{}; ///< how the surface runs along the body, in the body's frame: a conveyor belt. Only what is along the surface counts
};

struct BodyShape {
  Shape shape;
  Pose pose{}; ///< in the body's frame
  double density =
      1000; ///< kilograms a cubic metre. > 0 where the body is dynamic and its mass is computed; 0: it weighs nothing
  Material material{};
  Filter filter{}; ///< which others it has to do with; shapes of one body never have
  /// A sensor reports who enters and leaves it (events.h), and stops nobody. It weighs nothing.
  bool sensor = false;
};

/// Mass, where it is not to be computed from the shapes.
struct BodyMass {
  double mass = 1; ///< > 0
  Vec3 center{};   ///< of mass, in the body's frame
  Mat3
      inertia{}; ///< about the centre, along the axes of the body's frame; symmetric, positive definite
};

/// Axes of the world along which a body does not move, and about which it does not turn.
struct LockedAxes {
  bool x = false, y = false, z = false;
  bool turn_x = false, turn_y = false, turn_z = false;

  bool operator==(const LockedAxes&) const = default;
};

struct BodyDef {
  /// The body's one shape, with density, material, filter and sensor as below; or none, and `shapes` has all. A body may have no shape at all, if its mass is given.
  std::optional<Shape> shape{};
  Pose pose{}; ///< of the body's frame. Coordinates up to 1e12 in absolute value
  BodyKind kind = BodyKind::dynamic;
  double density = 1000;
  Material material{};
  Filter filter{};
  bool sensor = false;
  std::vector<BodyShape> shapes{};

  Vec3 velocity{};            ///< of the centre of mass
  Vec3 angular_velocity{};    ///< radians a second, in the world
  double linear_damping = 0;  ///< per second: a step divides velocities by 1 + damping dt. >= 0
  double angular_damping = 0; ///< the same of angular velocities
  double gravity_scale = 1;
  LockedAxes locked{};
  /// Of dynamic bodies. Not given: from the shapes' volumes and densities; an error where those have none.
  std::optional<BodyMass> mass{};
  bool can_sleep = true;
  bool awake = true;
  /// Of dynamic bodies: it does not pass through other dynamic bodies, either, however fast. Through fixed and kinematic ones nothing dynamic passes anyway.
  bool continuous = false;
  std::uint64_t user = 0; ///< a number of yours
};

/// What a world tells about a body.
struct BodyInfo {
  BodyKind kind = BodyKind::dynamic;
  Pose pose{};
  Vec3 velocity{};             ///< of the centre of mass
  Vec3 angular_velocity{};     ///< in the world
  Vec3 center{};               ///< of mass, in the world
  double mass = 0;             ///< 0 where it is not dynamic
  Mat3 inertia = Mat3::zero(); ///< about the centre, along the axes of the world
  bool awake =
      true; ///< false: it rests, and costs nothing until something touches it. Fixed bodies are never awake
  bool frozen = false; ///< it was driven to what is no number, and stands still (events.h)
  std::uint64_t user = 0;
};

} // namespace carom
