// What happened in a world's last step, list by list. Each function gives how many there are; where they are is in the buffer.
#include "web/wasm/worlds.h"

namespace carom::web {
namespace {

/// Each thing of the list is so many numbers, which tell(writer, sim, thing) writes.
template<class T, class Tell>
int tell_all(int world, const std::vector<T> Events::*list, std::size_t numbers, Tell&& tell) {
  Sim* sim = sims().find(world);
  if (!sim) return fail(no_world);
  const std::vector<T>& things = sim->world().events().*list;
  Writer out = list_of(numbers * things.size());
  for (const T& thing : things) tell(out, *sim, thing);
  return static_cast<int>(things.size());
}

} // namespace

/// Kind, bodies, shapes, normal, point, impulse, speed of approach.
CAROM_EXPORT int carom_world_contact_events(int world) {
  return tell_all(
      world, &Events::contacts, 13, [](Writer& out, const Sim& sim, const ContactEvent& e) {
        out << static_cast<int>(e.kind) << sim.bodies.number_of(e.a) << sim.bodies.number_of(e.b)
            << static_cast<int>(e.shape_a) << static_cast<int>(e.shape_b) << e.normal << e.point
            << e.impulse << e.approach_speed;
      });
}
/// Kind, sensor, visitor, their shapes.
CAROM_EXPORT int carom_world_sensor_events(int world) {
  return tell_all(world, &Events::sensors, 5,
                  [](Writer& out, const Sim& sim, const SensorEvent& e) {
                    out << static_cast<int>(e.kind) << sim.bodies.number_of(e.sensor)
                        << sim.bodies.number_of(e.visitor) << static_cast<int>(e.sensor_shape)
                        << static_cast<int>(e.visitor_shape);
                  });
}
/// Body, whether it woke.
CAROM_EXPORT int carom_world_sleep_events(int world) {
  return tell_all(world, &Events::sleeps, 2, [](Writer& out, const Sim& sim, const SleepEvent& e) {
    out << sim.bodies.number_of(e.body) << e.awake;
  });
}
/// Joint, bodies, force, torque.
CAROM_EXPORT int carom_world_break_events(int world) {
  return tell_all(world, &Events::breaks, 5,
                  [](Writer& out, const Sim& sim, const JointBreakEvent& e) {
                    out << sim.joints.number_of(e.joint) << sim.bodies.number_of(e.a)
                        << sim.bodies.number_of(e.b) << e.force << e.torque;
                  });
}
CAROM_EXPORT int carom_world_frozen(int world) {
  return tell_all(world, &Events::frozen, 1, [](Writer& out, const Sim& sim, const BodyId& body) {
    out << sim.bodies.number_of(body);
  });
}

} // namespace carom::web
