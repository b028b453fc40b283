// What happened in a step: read after World::step, valid until the next.
//
//   for (const ContactEvent& e : world.events().contacts)
//     if (e.kind == EventKind::begin && e.impulse > 5) play_sound(e.point);
//
// All lists are in an order that depends on nothing but the calls made: contacts and sensors by the slots of their bodies, then by the numbers of their shapes, an end before a new begin; of sensors that were passed, the begin comes first. Bodies and joints by their slots.
#pragma once

#include "carom/dynamics/body.h"
#include "carom/dynamics/joint.h"
#include "carom/math/vec3.h"

#include <cstdint>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

enum class EventKind : std::uint8_t { begin, persist, end };

struct ContactEvent {
  EventKind kind = EventKind::begin;
  BodyId a, b;
  std::uint32_t shape_a = 0,
                shape_b = 0; ///< which of the body's shapes, in the order they were given
  /// From A toward B, of the deepest patch. Of an end: the last one.
  Vec3 normal{1, 0, 0};
  /// Between the surfaces, in the world: the mean of the points that carry, or of all where none does. Of an end: where they touched last, as A has carried it along.
  Vec3 point{};
  /// Newton seconds, along the normals, of all points together, in this step. Of an end 0.
  double impulse = 0;
  double approach_speed =
      0; ///< metres a second. Of a begin: how fast the bodies came together at the fastest of the points
};

/// Somebody has entered or left a sensor, or the sensor was moved. `begin` and `end` only. Sensors see kinematic and dynamic bodies, awake or asleep; neither fixed ones nor other sensors.
struct SensorEvent {
  EventKind kind = EventKind::begin;
  BodyId sensor, visitor;
  std::uint32_t sensor_shape = 0, visitor_shape = 0;
};

struct SleepEvent {
  BodyId body;
  bool awake = false; ///< true: it woke
};

/// A joint bore more than it can, and is no more. Its id is stale.
struct JointBreakEvent {
  JointId joint;
  BodyId a, b;                  ///< a may be the world's: BodyId{}
  double force = 0, torque = 0; ///< that it bore
  std::uint64_t user = 0;
};

struct Events {
  std::vector<ContactEvent> contacts;
  std::vector<SensorEvent> sensors;
  std::vector<SleepEvent> sleeps;
  std::vector<JointBreakEvent> breaks; ///< by slot
  /// Bodies that forces or velocities drove beyond all bounds in this step: they stand still where they were last in order, and count as fixed until
  /// set_pose() or set_velocity() sets them free.
  std::vector<BodyId> frozen;
};

} // namespace carom
