#include "carom/dynamics/classic/touching.h"

#include "carom/motion/time_of_impact.h"
#include "carom/query/contact_patches.h"
#include "carom/query/contacts.h"
#include "carom/query/distance.h"
#include "carom/query/penetration.h"
#include "carom/shape/support.h"

#include <algorithm>
#include <cmath>

namespace carom::classic {
namespace {

/// Calls with each pair of shapes, of the one body and the other, that may meet.
template<class Visit>
void for_shapes(const BodyStore& bodies, std::uint32_t a, std::uint32_t b, Visit visit) {
  for (const std::uint32_t i : bodies[a].shapes)
    for (const std::uint32_t j : bodies[b].shapes) {
      const BodyShape &of_a = bodies.shape(i).def, &of_b = bodies.shape(j).def;
      if (!of_a.sensor && !of_b.sensor && may_meet(of_a.filter, of_b.filter)) visit(i, j);
    }
}

Aabb joined(const Aabb& a, const Aabb& b) { return {min(a.min, b.min), max(a.max, b.max)}; }

/// The body's motion, of one of its shapes.
Motion of_shape(const Motion& body, const PlacedShape& shape) {
  Motion m = body;
  m.start = body.start * shape.def.pose;
  return m;
}

} // namespace

bool may_touch(const BodyStore& bodies, std::uint32_t a, std::uint32_t b) {
  if (a == b || !bodies[a].exists || !bodies[b].exists) return false;
  if (!bodies[a].movable() && !bodies[b].movable()) return false;
  bool any = false;
  for_shapes(bodies, a, b, [&](std::uint32_t, std::uint32_t) { any = true; });
  return any;
}

Aabb body_box(const BodyStore& bodies, std::uint32_t slot) {
  Aabb box;
  for (const std::uint32_t i : bodies[slot].shapes) {
    const PlacedShape& s = bodies.shape(i);
    if (!s.def.sensor) box = joined(box, bounds(s.def.shape, s.world));
  }
  return box;
}

Aabb body_box(const BodyStore& bodies, std::uint32_t slot, const Motion& motion) {
  Aabb box;
  for (const std::uint32_t i : bodies[slot].shapes) {
    const PlacedShape& s = bodies.shape(i);
    if (!s.def.sensor) box = joined(box, swept_bounds(s.def.shape, of_shape(motion, s)));
  }
  return box;
}

bool boxes_meet(const Aabb& a, const Aabb& b, double margin) {
  for (int i = 0; i < 3; ++i)
    if (!(a.min[i] <= b.max[i] + margin && b.min[i] <= a.max[i] + margin)) return false;
  return true;
}

void add_contacts(const BodyStore& bodies, std::uint32_t a, std::uint32_t b, double margin,
                  std::vector<ContactPoint>& contacts) {
  std::vector<ContactPatch> patches;
  for_shapes(bodies, a, b, [&](std::uint32_t i, std::uint32_t j) {
    const PlacedShape &of_a = bodies.shape(i), &of_b = bodies.shape(j);
    if (of_a.def.shape.convex() && of_b.def.shape.convex()) {
      patches.resize(1);
      patches[0].manifold = carom::contacts(of_a.def.shape, of_a.world, of_b.def.shape, of_b.world,
                                            {.margin = margin});
    } else {
      contact_patches(of_a.def.shape, of_a.world, of_b.def.shape, of_b.world, patches,
                      {.margin = margin});
    }
    const Material &m = of_a.def.material, &n = of_b.def.material;
    for (const ContactPatch& patch : patches)
      for (const Contact& c : patch.manifold.contacts())
        contacts.push_back({.a = a,
                            .b = b,
                            .point = (c.on_a + c.on_b) * 0.5,
                            .normal = patch.manifold.normal,
                            .gap = c.separation,
                            .friction = std::sqrt(m.friction * n.friction),
                            .restitution = std::max(m.restitution, n.restitution),
                            .shape_a = i,
                            .shape_b = j,
                            .id = c.id});
  });
}

double gap(const BodyStore& bodies, std::uint32_t a, std::uint32_t b, double limit) {
  double least = INFINITY;
  for_shapes(bodies, a, b, [&](std::uint32_t i, std::uint32_t j) {
    const PlacedShape &of_a = bodies.shape(i), &of_b = bodies.shape(j);
    const Distance d =
        carom::distance(of_a.def.shape, of_a.world, of_b.def.shape, of_b.world, {.limit = limit});
    least = std::min(least, d.lower_bound);
  });
  return least;
}

double overlap_depth(const BodyStore& bodies, std::uint32_t a, std::uint32_t b) {
  double depth = 0;
  for_shapes(bodies, a, b, [&](std::uint32_t i, std::uint32_t j) {
    const PlacedShape &of_a = bodies.shape(i), &of_b = bodies.shape(j);
    depth =
        std::max(depth, penetration(of_a.def.shape, of_a.world, of_b.def.shape, of_b.world).depth);
  });
  return depth;
}

double meeting_time(const BodyStore& bodies, std::uint32_t a, const Motion& motion_a,
                    std::uint32_t b, const Motion& motion_b, double margin, double error) {
  double first = 1;
  for_shapes(bodies, a, b, [&](std::uint32_t i, std::uint32_t j) {
    const PlacedShape &of_a = bodies.shape(i), &of_b = bodies.shape(j);
    const TimeOfImpact hit = time_of_impact(
        of_a.def.shape, of_shape(motion_a, of_a), of_b.def.shape, of_shape(motion_b, of_b),
        {.margin = margin, .absolute_error = error, .max_t = first});
    // Where it is not known whether they touch at t, they are as good as touching: nothing is within the margin before.
    if (hit.hit || hit.status == Status::wide) first = std::min(first, hit.t);
  });
  return first;
}

} // namespace carom::classic
