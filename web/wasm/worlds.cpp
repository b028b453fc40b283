// Worlds and their bodies.
#include "web/wasm/worlds.h"

#include <cmath>

namespace carom::web {
namespace {

/// f(world, id), or -1 where one of them is not there.
template<class F>
int with_body(int world, int body, F&& f) {
  Sim* sim = sims().find(world);
  if (!sim) return fail(no_world);
  const BodyId* id = sim->bodies.find(body);
  if (!id) return fail("There is no such body.");
  return told(f(sim->world(), *id), "The body was removed.");
}

/// 32 of them.
std::uint64_t bits(double x) { return static_cast<std::uint32_t>(static_cast<std::int64_t>(x)); }

} // namespace

Handles<Sim>& sims() {
  static Handles<Sim> all;
  return all;
}

/// In the buffer: gravity, whether bodies may sleep, whether events tell of contacts that go on.
CAROM_EXPORT int carom_world() {
  WorldOptions options;
  options.gravity = vec3_at(buffer());
  options.sleep.enabled = buffer()[3] != 0;
  options.persist_events = buffer()[4] != 0;
  Sim sim;
  sim.own.emplace(options);
  return sims().add(std::move(sim));
}
CAROM_EXPORT void carom_world_free(int world) { sims().remove(world); }

/// In the buffer: pose, velocity, angular velocity, density, friction, restitution, rolling friction, kind (0 fixed, 1 kinematic, 2 dynamic), can sleep,
/// sensor, continuous, linear damping, angular damping, gravity scale, category, mask, group.
CAROM_EXPORT int carom_world_add(int world, int shape) {
  Sim* sim = sims().find(world);
  const Shape* found = shapes().find(shape);
  if (!sim) return fail(no_world);
  if (!found) return fail("There is no such shape.");
  const double* p = buffer();
  BodyDef def;
  def.shape = *found;
  def.pose = pose_at(p);
  def.velocity = vec3_at(p + 7);
  def.angular_velocity = vec3_at(p + 10);
  def.density = p[13];
  def.material.friction = p[14];
  def.material.restitution = p[15];
  def.material.rolling_friction = p[16];
  def.kind = p[17] == 0 ? BodyKind::fixed : p[17] == 1 ? BodyKind::kinematic : BodyKind::dynamic;
  def.can_sleep = p[18] != 0;
  def.sensor = p[19] != 0;
  def.continuous = p[20] != 0;
  def.linear_damping = p[21];
  def.angular_damping = p[22];
  def.gravity_scale = p[23];
  def.filter = {
      .category = bits(p[24]), .mask = bits(p[25]), .group = static_cast<std::int32_t>(p[26])};
  const Result<BodyId> id = sim->world().add(def);
  if (!id) return fail(id.error().message);
  return sim->bodies.add(*id);
}
CAROM_EXPORT int carom_world_remove(int world, int body) {
  return with_body(world, body, [](World& w, BodyId id) { return w.remove(id); });
}

CAROM_EXPORT void carom_world_step(int world, double time, int count) {
  Sim* sim = sims().find(world);
  for (int i = 0; sim && i < count; ++i) sim->world().step(time);
}

/// Seven doubles a body; of those removed, NaN.
CAROM_EXPORT const double* carom_world_poses(int world) {
  Sim* sim = sims().find(world);
  if (!sim) return nullptr;
  sim->poses.resize(7 * sim->bodies.all().size());
  Writer out(sim->poses.data());
  for (const BodyId id : sim->bodies.all()) {
    const auto pose = sim->world().pose(id);
    out << (pose ? *pose : Pose{{NAN, NAN, NAN, NAN}, {NAN, NAN, NAN}});
  }
  return sim->poses.data();
}

/// A byte a body: 1 where it sleeps.
CAROM_EXPORT const std::uint8_t* carom_world_asleep(int world) {
  Sim* sim = sims().find(world);
  if (!sim) return nullptr;
  sim->asleep.clear();
  for (const BodyId id : sim->bodies.all()) {
    const auto info = sim->world().body(id);
    sim->asleep.push_back(info && info->kind == BodyKind::dynamic && !info->awake);
  }
  return sim->asleep.data();
}

/// In the buffer afterwards: velocity, angular velocity, centre of mass, mass, whether it is awake.
CAROM_EXPORT int carom_world_body(int world, int body) {
  return with_body(world, body, [](World& w, BodyId id) {
    const auto info = w.body(id);
    if (info)
      Writer(buffer()) << info->velocity << info->angular_velocity << info->center << info->mass
                       << info->awake;
    return info;
  });
}
CAROM_EXPORT int carom_world_set_pose(int world, int body) {
  return with_body(world, body,
                   [](World& w, BodyId id) { return w.set_pose(id, pose_at(buffer())); });
}
CAROM_EXPORT int carom_world_set_velocity(int world, int body) {
  return with_body(world, body, [](World& w, BodyId id) {
    return w.set_velocity(id, vec3_at(buffer()), vec3_at(buffer() + 3));
  });
}
/// In the buffer: the force, and the point of the world where it acts.
CAROM_EXPORT int carom_world_force(int world, int body) {
  return with_body(world, body, [](World& w, BodyId id) {
    return w.add_force(id, vec3_at(buffer()), vec3_at(buffer() + 3));
  });
}
CAROM_EXPORT int carom_world_impulse(int world, int body) {
  return with_body(world, body, [](World& w, BodyId id) {
    return w.add_impulse(id, vec3_at(buffer()), vec3_at(buffer() + 3));
  });
}

/// The world's hash, in two halves of 32 bits: the lower one, then the upper one.
CAROM_EXPORT unsigned carom_world_hash(int world, int half) {
  Sim* sim = sims().find(world);
  if (!sim) return 0;
  return static_cast<unsigned>(sim->world().hash() >> (half ? 32 : 0));
}

} // namespace carom::web
