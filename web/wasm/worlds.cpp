// Worlds. A body is known by its number in the order of adding; the number of a body removed is not given again.
#include "web/wasm/worlds.h"

#include <cmath>

namespace carom::web {
namespace {

/// f(world, id), or -1 where one of them is not there.
template<class F>
int with_body(int world, int body, F&& f) {
  Sim* sim = sims().find(world);
  if (!sim) return fail(no_world);
  const auto i = static_cast<std::size_t>(body);
  if (i >= sim->bodies.size()) return fail("There is no such body.");
  const auto done = f(sim->world(), sim->bodies[i]);
  if (done) return 0;
  return fail(done.error() == WorldError::stale_id ? "The body was removed."
                                                   : "A number is not finite, or out of range.");
}

} // namespace

Handles<Sim>& sims() {
  static Handles<Sim> all;
  return all;
}

/// In the buffer: gravity, and whether bodies may sleep.
CAROM_EXPORT int carom_world() {
  WorldOptions options;
  options.gravity = vec3_at(buffer());
  options.sleep.enabled = buffer()[3] != 0;
  return sims().add({World(options), {}, {}, {}, {}, {}, {}});
}
CAROM_EXPORT void carom_world_free(int world) { sims().remove(world); }

/// In the buffer: pose, velocity, angular velocity, density, friction, restitution, rolling friction, kind (0 fixed, 1 kinematic, 2 dynamic), can sleep.
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
  const Result<BodyId> id = sim->world().add(def);
  if (!id) return fail(id.error().message);
  sim->bodies.push_back(*id);
  return static_cast<int>(sim->bodies.size()) - 1;
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
  sim->poses.resize(7 * sim->bodies.size());
  for (std::size_t i = 0; i < sim->bodies.size(); ++i) {
    const auto pose = sim->world().pose(sim->bodies[i]);
    Writer(&sim->poses[7 * i]) << (pose ? *pose : Pose{{NAN, NAN, NAN, NAN}, {NAN, NAN, NAN}});
  }
  return sim->poses.data();
}

/// A byte a body: 1 where it sleeps.
CAROM_EXPORT const std::uint8_t* carom_world_asleep(int world) {
  Sim* sim = sims().find(world);
  if (!sim) return nullptr;
  sim->asleep.assign(sim->bodies.size(), 0);
  for (std::size_t i = 0; i < sim->bodies.size(); ++i) {
    const auto info = sim->world().body(sim->bodies[i]);
    sim->asleep[i] = info && info->kind == BodyKind::dynamic && !info->awake;
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
