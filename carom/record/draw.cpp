#include "carom/record/draw.h"

#include "carom/mesh/union_find.h"
#include "carom/record/contact_points.h"
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
constexpr std::uint32_t edge_colour = 0x303030, contact_colour = 0xc02020, normal_colour = 0x2060c0;
constexpr std::uint32_t impulse_colour = 0x208020, box_colour = 0x808080, joint_colour = 0x8020a0,
                        proof_colour = 0x20a0a0;
/// Of a shape's fat box, of the nodes above it, and so on up.
constexpr std::array<std::uint32_t, 4> tree_colours{0xa8c8e8, 0x5090d0, 0x2058a0, 0x102850};
constexpr std::array<std::uint32_t, 8> island_colours{0xd8a25e, 0x7fa7c9, 0xc8705a, 0x8fae6b,
                                                      0xb58bb8, 0xe0c06a, 0x6fb5a8, 0xa08a70};

void cross_at(DebugDraw& out, const Vec3& p, double size, std::uint32_t colour) {
  for (int i = 0; i < 3; ++i)
    out.line(p - unit_axis(i) * (size / 2), p + unit_axis(i) * (size / 2), colour);
}

/// A square at right angles to the normal.
void plane_at(DebugDraw& out, const Vec3& p, const Vec3& normal, double size,
              std::uint32_t colour) {
  const Vec3 u = normalized(perpendicular(normal)) * size, v = normalized(cross(normal, u)) * size;
  const std::array<Vec3, 4> corners{p - u - v, p + u - v, p + u + v, p - u + v};
  for (std::size_t i = 0; i < 4; ++i) out.line(corners[i], corners[(i + 1) % 4], colour);
}

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
std::vector<std::uint32_t> body_colours(const World& world, const DrawOptions& options,
                                        const std::vector<ContactPoint>& contacts) {
  const BodyStore& bodies = world.bodies();
  UnionFind sets(bodies.slots());
  for (const ContactPoint& c : contacts)
    if (bodies[c.a.slot].kind == BodyKind::dynamic && bodies[c.b.slot].kind == BodyKind::dynamic)
      sets.join(c.a.slot, c.b.slot);
  std::map<std::uint32_t, std::size_t> islands; // by root, in the order of their first bodies
  std::vector<std::uint32_t> colours(bodies.slots(), fixed_colour);
  for (std::uint32_t slot = 0; slot < bodies.slots(); ++slot) {
    const Body& body = bodies[slot];
    if (!body.exists || body.kind == BodyKind::fixed) continue;
    colours[slot] = body.kind == BodyKind::kinematic ? kinematic_colour : dynamic_colour;
    if (options.islands && body.kind == BodyKind::dynamic) {
      const std::size_t island = islands.emplace(sets.root(slot), islands.size()).first->second;
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
  std::vector<ContactPoint> contacts;
  contact_points(world, contacts);
  if (options.shapes) draw_shapes(world, body_colours(world, options, contacts), out);
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

void draw(const Distance& answer, DebugDraw& out, double size) {
  cross_at(out, answer.on_a, size / 4, contact_colour);
  cross_at(out, answer.on_b, size / 4, contact_colour);
  if (answer.value <= 0) return;
  out.line(answer.on_a, answer.on_b, contact_colour);
  plane_at(out, answer.on_a, answer.normal, size, proof_colour);
  plane_at(out, answer.on_a + answer.normal * answer.lower_bound, answer.normal, size,
           proof_colour);
}

void draw(const Penetration& answer, DebugDraw& out, double size) {
  cross_at(out, answer.on_a, size / 4, contact_colour);
  cross_at(out, answer.on_b, size / 4, contact_colour);
  out.line(answer.on_b, answer.on_b + answer.normal * answer.depth, normal_colour);
}

void draw(const ContactManifold& answer, DebugDraw& out, double size) {
  for (const Contact& c : answer.contacts()) {
    cross_at(out, c.on_a, size / 4, contact_colour);
    out.line(c.on_a, c.on_b, contact_colour);
    out.line(c.on_b, c.on_b + answer.normal * size, normal_colour);
  }
}

void draw(const RayHit& answer, const Ray& ray, double max_t, DebugDraw& out, double size) {
  out.line(ray.origin, ray.origin + ray.direction * (answer.hit ? answer.t : max_t), box_colour);
  if (!answer.hit) return;
  cross_at(out, answer.point, size / 4, contact_colour);
  out.line(answer.point, answer.point + answer.normal * size, normal_colour);
}

void draw(const ShapeCast& answer, const Vec3& from, const Vec3& translation, DebugDraw& out,
          double size) {
  out.line(from, from + translation * (answer.hit ? answer.t : 1), box_colour);
  if (!answer.hit) return;
  cross_at(out, answer.point, size / 4, contact_colour);
  plane_at(out, answer.point, answer.normal, size, proof_colour);
}

} // namespace carom
