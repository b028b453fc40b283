#include "carom/record/draw.h"

#include "carom/record/body_islands.h"
#include "carom/record/contact_points.h"
#include "carom/record/draw_marks.h"
#include "carom/record/tessellate.h"
#include "carom/record/tree_boxes.h"
#include "carom/shape/support.h"

#include <algorithm>
#include <array>
#include <map>

namespace carom {
namespace {

constexpr std::uint32_t fixed_colour = 0x9a9a94, kinematic_colour = 0x5b7f95,
                        dynamic_colour = 0xd8a25e;
constexpr std::uint32_t edge_colour = 0x303030, impulse_colour = 0x208020, box_colour = 0x808080,
                        joint_colour = 0x8020a0;
/// Of a shape's fat box, of the nodes above it, and so on up.
constexpr std::array<std::uint32_t, 4> tree_colours{0xa8c8e8, 0x5090d0, 0x2058a0, 0x102850};
constexpr std::array<std::uint32_t, 8> island_colours{0xd8a25e, 0x7fa7c9, 0xc8705a, 0x8fae6b,
                                                      0xb58bb8, 0xe0c06a, 0x6fb5a8, 0xa08a70};

void box_lines(DebugDraw& out, const Aabb& box, std::uint32_t colour) {
  const auto corner = [&](int i) {
    return Vec3{(i & 1) != 0 ? box.max.x : box.min.x, (i & 2) != 0 ? box.max.y : box.min.y,
                (i & 4) != 0 ? box.max.z : box.min.z};
  };
  for (int i = 0; i < 8; ++i)
    for (const int axis : {1, 2, 4})
      if ((i & axis) == 0) out.line(corner(i), corner(i | axis), colour);
}

std::uint32_t darker(std::uint32_t c) { return (c >> 1 & 0x7f7f7f) + 0x202020; }

/// A colour for each slot.
std::vector<std::uint32_t> body_colours(const World& world, const DrawOptions& options) {
  const BodyStore& bodies = world.bodies();
  const std::vector<std::uint32_t> island_of = body_islands(world);
  std::map<std::uint32_t, std::size_t> islands; // in the order of their first bodies
  std::vector<std::uint32_t> colours(bodies.slots(), fixed_colour);
  for (std::uint32_t slot = 0; slot < bodies.slots(); ++slot) {
    const Body& body = bodies[slot];
    if (!body.exists || body.kind == BodyKind::fixed) continue;
    colours[slot] = body.kind == BodyKind::kinematic ? kinematic_colour : dynamic_colour;
    if (options.islands && island_of[slot] != no_index) {
      const std::size_t island = islands.emplace(island_of[slot], islands.size()).first->second;
      colours[slot] = island_colours[island % island_colours.size()];
    }
    if (options.sleeping && body.active_at == no_index) colours[slot] = darker(colours[slot]);
  }
  return colours;
}

void draw_shapes(const World& world, const std::vector<std::uint32_t>& colours, DebugDraw& out) {
  std::map<std::uint64_t, SurfaceMesh> meshes; // by the shape's id
  const BodyStore& bodies = world.bodies();
  for (std::uint32_t slot = 0; slot < bodies.slots(); ++slot) {
    if (!bodies[slot].exists) continue;
    for (const std::uint32_t number : bodies[slot].shapes) {
      const PlacedShape& placed = bodies.shape(number);
      const auto [at, is_new] = meshes.try_emplace(placed.def.shape.id());
      if (is_new) at->second = tessellate(placed.def.shape, {.error = 0.03});
      const SurfaceMesh& mesh = at->second;
      const Frame frame = placed.world.frame();
      const auto corner = [&](std::uint32_t i) { return frame.to_world(mesh.positions[i]); };
      for (std::size_t i = 0; i + 2 < mesh.triangles.size() && !placed.def.sensor; i += 3)
        out.triangle(corner(mesh.triangles[i]), corner(mesh.triangles[i + 1]),
                     corner(mesh.triangles[i + 2]), colours[slot]);
      for (std::size_t i = 0; i + 1 < mesh.edges.size(); i += 2)
        out.line(corner(mesh.edges[i]), corner(mesh.edges[i + 1]), edge_colour);
    }
  }
}

void draw_contacts(const std::vector<ContactPoint>& contacts, const DrawOptions& options,
                   DebugDraw& out) {
  for (const ContactPoint& c : contacts) {
    if (options.contacts) cross_at(out, c.point, options.size, contact_colour);
    if (options.normals) out.line(c.point, c.point + c.normal * options.size, normal_colour);
    if (options.impulses && c.impulse > 0)
      out.line(c.point, c.point + c.normal * (c.impulse * options.impulse_scale), impulse_colour);
  }
}

void draw_trees(const World& world, DebugDraw& out) {
  std::vector<TreeBox> boxes;
  tree_boxes(world, boxes);
  for (const TreeBox& b : boxes)
    box_lines(out, b.box,
              tree_colours[std::min(static_cast<std::size_t>(b.level), tree_colours.size() - 1)]);
}

} // namespace

void draw(const World& world, DebugDraw& out, const DrawOptions& options) {
  if (options.shapes) draw_shapes(world, body_colours(world, options), out);
  std::vector<ContactPoint> contacts;
  contact_points(world, contacts);
  draw_contacts(contacts, options, out);
  if (options.trees) draw_trees(world, out);
  const BodyStore& bodies = world.bodies();
  for (std::uint32_t slot = 0; slot < bodies.slots(); ++slot) {
    if (!bodies[slot].exists) continue;
    if (options.names) out.text(bodies[slot].frame.origin, std::to_string(slot), edge_colour);
    for (const std::uint32_t number : bodies[slot].shapes)
      if (const PlacedShape& placed = bodies.shape(number);
          options.boxes && placed.def.shape.bounded())
        box_lines(out, bounds(placed.def.shape, placed.world), box_colour);
  }
  for (std::uint32_t slot = 0; options.joints && slot < world.joints().slots(); ++slot) {
    const auto joint = world.joint(world.joints().id_of(slot));
    if (!joint) continue;
    if (const auto a = world.body(joint->a))
      out.line(a->center, joint->frame_a.position, joint_colour);
    if (const auto b = world.body(joint->b))
      out.line(b->center, joint->frame_b.position, joint_colour);
    cross_at(out, joint->frame_b.position, options.size, joint_colour);
  }
}

} // namespace carom
