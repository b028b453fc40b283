// Why the last manifold may do. Contacts are made where shapes are within a margin m of each other. While no point of the one has moved by more than m / 4 in the frame of the other, whatever was
// left out is still 3 m / 4 away, and what was found is carried along by the bodies; separations are measured anew in each step anyway. That holds for flat faces. Round ones touch elsewhere
// when they roll, so they are allowed next to nothing. Two shapes known to be apart by a distance need no look until they have used it up.
//
// Impulses are handed on from a point to the one with the same features.
#include "carom/dynamics/narrow_phase.h"

#include "carom/dynamics/continuous.h"

#include "carom/query/contact_patches.h"
#include "carom/query/contacts.h"
#include "carom/query/overlap.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

constexpr double flat_part = 0.25; // of the margin: how far flat faces may move with their manifold
constexpr double round_part =
    0.005; // the same of round ones: a ball rolls away from where it touched

/// Where `own` is in the frame of `other`.
struct Relative {
  Vec3 at;
  Quat turned;
};
Relative relative(const Body& own, const Body& other) {
  return {other.frame.to_local(own.frame.origin),
          conjugate(other.pose.rotation) * own.pose.rotation};
}

/// How far a point within `reach` of the body's centre has moved at most, from one to the other.
double motion_between(const Relative& from, const Relative& to, double reach) {
  const Quat turn = to.turned * conjugate(from.turned);
  // |vector part| = sin(angle / 2), so the chord is twice that times the reach.
  const double half_sine = length(Vec3{turn.x, turn.y, turn.z});
  return length(to.at - from.at) + (half_sine > 0 ? 2 * half_sine * reach : 0);
}

/// How far ahead contacts are made: as far as the bodies may come together in a step, but not so far that what passes by is taken for a hit.
double margin_of(const Body& a, const Body& b, const PlacedShape& shape_a,
                 const PlacedShape& shape_b, const NarrowPhaseOptions& options) {
  const bool followed =
      options.continuous && (!a.movable() || !b.movable() || a.continuous || b.continuous);
  if (followed && (moves_far(a, options.time_step, options.margin) ||
                   moves_far(b, options.time_step, options.margin)))
    return options.margin; // what only flies by close is no contact
  const double closing = length(b.velocity - a.velocity) * options.time_step;
  return options.margin + std::min(closing, 0.5 * std::min(shape_a.half_width, shape_b.half_width));
}

PairPoint carried(const Contact& c, const Body& a, const Body& b) {
  PairPoint p;
  p.on_a = a.frame.to_local(c.on_a);
  p.on_b = b.frame.to_local(c.on_b);
  p.id = c.id;
  return p;
}

void take(Manifold& m, const ContactManifold& found, const Body& a, const Body& b) {
  m.normal = a.frame.direction_to_local(found.normal);
  m.count = found.count;
  for (int i = 0; i < found.count; ++i) {
    const auto k = static_cast<std::size_t>(i);
    m.points[k] = carried(found.points[k], a, b);
  }
}

/// Hands on what an old manifold knew about the same points. True where there was any.
bool hand_on(const Manifold& old, Manifold& m) {
  bool any = false;
  for (int i = 0; i < m.count; ++i) {
    PairPoint& p = m.points[static_cast<std::size_t>(i)];
    for (int k = 0; k < old.count; ++k) {
      const PairPoint& q = old.points[static_cast<std::size_t>(k)];
      if (q.id != p.id) continue;
      p.impulse = q.impulse;
      any = true;
    }
  }
  return any;
}

void hand_on_friction(const Manifold& old, Manifold& m) {
  std::copy(old.friction, old.friction + 3, m.friction);
  std::copy(old.rolling, old.rolling + 3, m.rolling);
  m.twist = old.twist;
}

} // namespace

double separation_now(const Body& a, const Body& b, const Manifold& m, const PairPoint& point) {
  const Vec3 n = a.frame.basis * m.normal;
  const Vec3 apart =
      (b.frame.origin - a.frame.origin) + (b.frame.basis * point.on_b - a.frame.basis * point.on_a);
  return dot(apart, n);
}

void NarrowPhase::update(const BodyStore& bodies, ContactStore& pairs, std::uint32_t pair,
                         const NarrowPhaseOptions& options) {
  PairRecord& p = pairs[pair];
  const PlacedShape &shape_a = bodies.shape(p.shape_a), &shape_b = bodies.shape(p.shape_b);
  const Body &a = bodies[p.body_a], &b = bodies[p.body_b];
  const bool a_moves = shape_a.reach <= shape_b.reach;
  const Relative now = a_moves ? relative(a, b) : relative(b, a);
  const double margin = p.sensor ? 0 : margin_of(a, b, shape_a, shape_b, options);
  if (p.made_margin >= 0) {
    const double moved =
        motion_between({p.made_at, p.made_turned}, now, a_moves ? shape_a.reach : shape_b.reach);
    const double free = options.margin * (p.flat_faces ? flat_part : round_part);
    const bool few = moved <= free && margin <= p.made_margin + free;
    if (p.sensor ? moved == 0 : few || moved + margin <= p.clear_by) return;
  }
  p.made_at = now.at;
  p.made_turned = now.turned;
  p.made_margin = margin;
  p.clear_by = -1;
  const Shape &of_a = shape_a.def.shape, &of_b = shape_b.def.shape;

  if (p.sensor) {
    p.manifold.count = overlap(of_a, shape_a.world, of_b, shape_b.world).hit ? 1 : 0;
    return;
  }
  if (p.convex) {
    const ContactManifold found =
        contacts(of_a, shape_a.world, of_b, shape_b.world, {.margin = margin}, &p.cache);
    if (found.count == 0 && found.status == Status::stopped) p.clear_by = found.value;
    const Manifold old = p.manifold;
    p.manifold.count = 0;
    if (found.count == 0) return;
    p.manifold = Manifold{};
    take(p.manifold, found, a, b);
    if (old.count > 0 && hand_on(old, p.manifold)) hand_on_friction(old, p.manifold);
    return;
  }
  contact_patches(of_a, shape_a.world, of_b, shape_b.world, patches_, {.margin = margin});
  old_.clear();
  for (const Manifold* m = &p.manifold; m != nullptr; m = pairs.after(*m)) old_.push_back(*m);
  pairs.set_manifolds(pair, std::max<std::size_t>(patches_.size(), 1));
  Manifold* m = &pairs[pair].manifold;
  for (const ContactPatch& patch : patches_) {
    take(*m, patch.manifold, a, b);
    bool friction_known = false;
    for (const Manifold& old : old_) {
      const bool same = hand_on(old, *m);
      if (same && !friction_known) hand_on_friction(old, *m);
      friction_known = friction_known || same;
    }
    m = pairs.after(*m);
  }
}

} // namespace carom
