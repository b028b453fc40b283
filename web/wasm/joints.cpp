// Joints of worlds.
#include "carom/record/scene.h"
#include "web/wasm/worlds.h"

namespace carom::web {
namespace {

/// f(world, id), or -1 where one of them is not there.
template<class F>
int with_joint(int world, int joint, F&& f) {
  Sim* sim = sims().find(world);
  if (!sim) return fail(no_world);
  const JointId* id = sim->joints.find(joint);
  if (!id) return fail("There is no such joint.");
  return told(f(*sim, *id), "The joint was removed, or broke.");
}

/// -1: the joint's own.
std::optional<JointCoordinate> coordinate(int of) {
  return of < 0 ? std::nullopt : std::optional(static_cast<JointCoordinate>(of));
}

} // namespace

/// In the text: a joint as scenes have it, B being 'b'. Body A -1: the world itself.
CAROM_EXPORT int carom_world_add_joint(int world, int a, int b, int bytes) {
  Sim* sim = sims().find(world);
  if (!sim) return fail(no_world);
  const BodyId* id_a = sim->bodies.find(a);
  const BodyId* id_b = sim->bodies.find(b);
  if (!id_b || (!id_a && a != -1)) return fail("There is no such body.");
  const auto scene =
      parse_scene(R"({"carom_scene": 1, "bodies": [{"name": "b", "kind": "fixed"}], "joints": [)" +
                  text().substr(0, static_cast<std::size_t>(bytes)) + "]}");
  if (!scene) return fail(scene.error().message);
  JointDef def = scene->joints.at(0).def;
  if (id_a) def.a = *id_a;
  def.b = *id_b;
  const Result<JointId> id = sim->world().add_joint(def);
  return id ? sim->joints.add(*id) : fail(id.error().message);
}
CAROM_EXPORT int carom_world_remove_joint(int world, int joint) {
  return with_joint(world, joint,
                    [](Sim& sim, JointId id) { return sim.world().remove_joint(id); });
}

/// In the buffer afterwards: bodies (-1: the world), frames, the six coordinates, length, force, torque.
CAROM_EXPORT int carom_world_joint(int world, int joint) {
  return with_joint(world, joint, [](Sim& sim, JointId id) {
    const auto info = sim.world().joint(id);
    if (info) {
      Writer out(buffer());
      out << sim.bodies.number_of(info->a) << sim.bodies.number_of(info->b) << info->frame_a
          << info->frame_b;
      for (const double x : info->at) out << x;
      out << info->length << info->force << info->torque;
    }
    return info;
  });
}

/// Without one where `on` is 0.
CAROM_EXPORT int carom_world_motor(int world, int joint, int of, int on, double speed,
                                   double max_force) {
  return with_joint(world, joint, [&](Sim& sim, JointId id) {
    const JointMotor motor{.speed = speed, .max_force = max_force};
    return sim.world().set_motor(id, on ? std::optional(motor) : std::nullopt, coordinate(of));
  });
}
CAROM_EXPORT int carom_world_limits(int world, int joint, int of, int on, double lower,
                                    double upper) {
  return with_joint(world, joint, [&](Sim& sim, JointId id) {
    const JointRange range{lower, upper};
    return sim.world().set_limits(id, on ? std::optional(range) : std::nullopt, coordinate(of));
  });
}
CAROM_EXPORT int carom_world_target(int world, int joint, int of, double target) {
  return with_joint(world, joint, [&](Sim& sim, JointId id) {
    return sim.world().set_target(id, target, coordinate(of));
  });
}

} // namespace carom::web
