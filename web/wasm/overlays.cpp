// What a viewer draws over a world: contacts, islands, trees.
#include "carom/record/body_islands.h"
#include "carom/record/contact_points.h"
#include "carom/record/tree_boxes.h"
#include "web/wasm/worlds.h"

namespace carom::web {
namespace {

void put(std::vector<float>& list, const Vec3& v) {
  for (const double x : {v.x, v.y, v.z}) list.push_back(static_cast<float>(x));
}

/// Where the list begins, in the buffer; how many things of so many numbers are in it.
int told(const std::vector<float>& list, int numbers) {
  buffer()[0] = static_cast<double>(reinterpret_cast<std::uintptr_t>(list.data()));
  return static_cast<int>(list.size()) / numbers;
}

} // namespace

/// How many points of contact there are; where they are is in the buffer: point, normal, impulse, seven floats each.
CAROM_EXPORT int carom_scene_contacts(int world) {
  Sim* sim = sims().find(world);
  if (!sim) return fail(no_world);
  std::vector<ContactPoint> points;
  contact_points(sim->world(), points);
  sim->drawing.clear();
  for (const ContactPoint& p : points) {
    put(sim->drawing, p.point);
    put(sim->drawing, p.normal);
    sim->drawing.push_back(static_cast<float>(p.impulse));
  }
  return told(sim->drawing, 7);
}

/// How many boxes the trees have that find pairs; where they are is in the buffer: two corners and the level, seven floats each.
CAROM_EXPORT int carom_scene_trees(int world) {
  Sim* sim = sims().find(world);
  if (!sim) return fail(no_world);
  std::vector<TreeBox> boxes;
  tree_boxes(sim->world(), boxes);
  sim->drawing.clear();
  for (const TreeBox& b : boxes) {
    put(sim->drawing, b.box.min);
    put(sim->drawing, b.box.max);
    sim->drawing.push_back(static_cast<float>(b.level));
  }
  return told(sim->drawing, 7);
}

/// Of each body a number that all bodies have with which it hangs together by contacts and joints; -1 where it does not give way.
CAROM_EXPORT const std::int32_t* carom_scene_islands(int world) {
  Sim* sim = sims().find(world);
  if (!sim) return nullptr;
  const std::vector<std::uint32_t> island_of = body_islands(sim->world());
  sim->islands.clear();
  for (const BodyId id : sim->bodies.all()) {
    const std::uint32_t slot = sim->world().bodies().find(id);
    const bool in_one = slot != no_index && island_of[slot] != no_index;
    sim->islands.push_back(in_one ? static_cast<std::int32_t>(island_of[slot]) : -1);
  }
  return sim->islands.data();
}

} // namespace carom::web
