// Why the last manifold may do. Contacts are made where shapes are within a margin m of each other. While no point of the one has moved by more than m / 4 in the frame of the other, whatever was
// left out is still 3 m / 4 away, and what was found is carried along by the bodies; separations are measured anew in each step anyway. That holds for flat faces. Round ones touch elsewhere
// when they roll: the points of balls and capsules are put where they belong after every hair's breadth (round_points.h), and others, cones and such, are allowed next to nothing. Two shapes known to be apart by a distance need no look until they have used it up.
#include "carom/dynamics/narrow_phase.h"

#include "carom/dynamics/continuous.h"
#include "carom/dynamics/hand_on.h"
#include "carom/dynamics/islands.h"
#include "carom/dynamics/round_points.h"
#include "carom/dynamics/surface_triangles.h"

#include "carom/query/contact_patches.h"
#include "carom/query/contacts.h"
#include "carom/query/overlap.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

constexpr double flat_part = 0.25; // of the margin: how far flat faces may move with their manifold
constexpr double thin_part =
    0.25; // and of half the width of the thinner one: the other sides of small things are near
constexpr double round_part =
    0.005; // the same of round ones, with points that stay where they are: a ball rolls away from where it touched

// Of half the width of the thinner one: how far ahead contacts are made.
constexpr double single_part = 0.5, joined_part = 2;

/// How far a pair may move until its manifolds are made anew. A surface of triangles, the larger one, has no other side.
double way_allowed(const PairRecord& p, const NarrowPhaseOptions& options) {
  if (!p.flat_cores) return options.margin * round_part;
  const double flat = std::clamp(thin_part * p.solid_width, options.margin * round_part,
                                 options.margin * flat_part);
  return p.round() ? std::min(flat, most_round_way * double{p.radius_a + p.radius_b}) : flat;
}

/// And until it is looked at again: points of round ones are put elsewhere then.
double way_to_look(const PairRecord& p, double allowed, const NarrowPhaseOptions& options) {
  return p.round() ? std::min(allowed, options.margin * round_part) : allowed;
}

/// Where `own` is in the frame of `other`.
struct Relative {
  Vec3 at;
  Quat turned;
};
Relative relative(const Body& own, const Body& other) {
  return {other.frame.to_local(own.frame.origin),
          conjugate(other.pose.rotation) * own.pose.rotation};
}
Relative relative(const PairRecord& p, const Body& a, const Body& b) {
  return p.a_moves ? relative(a, b) : relative(b, a);
}

/// How far a point within `reach` of the body's centre has moved at most, from one to the other.
double motion_between(const Relative& from, const Relative& to, double reach) {
  const Quat turn = to.turned * conjugate(from.turned);
  // |vector part| = sin(angle / 2), so the chord is twice that times the reach.
  const double half_sine = length(Vec3{turn.x, turn.y, turn.z});
  return length(to.at - from.at) + (half_sine > 0 ? 2 * half_sine * reach : 0);
}

/// How far ahead contacts are made: as far as the bodies may come together in a step, but not so far that what passes by is taken for a hit. A body with joints that was stopped in flight, while what it hangs on goes on, would tear at them; it is better that the solver sees the hit come.
double margin_of(const BodyStore& bodies, const PairRecord& p, const NarrowPhaseOptions& options) {
  const Body &a = bodies[p.body_a], &b = bodies[p.body_b];
  const bool followed =
      options.continuous && (!a.movable() || !b.movable() || a.continuous || b.continuous);
  const double closing = length(b.velocity - a.velocity) * options.time_step;
  if (a.first_joint != no_index || b.first_joint != no_index)
    return options.margin + std::min(closing, joined_part * p.width);
  if (followed && (bodies.travel(p.body_a).moves_far || bodies.travel(p.body_b).moves_far))
    return options.margin; // what only flies by close is no contact
  return options.margin + std::min(closing, single_part * p.width);
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

/// One frame as seen from another.
Frame seen_from(const Frame& frame, const Frame& from) {
  return {transpose(from.basis) * frame.basis, from.to_local(frame.origin)};
}

constexpr double matching = 4; // margins: a point that has gone no farther is the same

} // namespace

double separation_now(const Body& a, const Body& b, const Manifold& m, const PairPoint& point) {
  const Vec3 n = a.frame.basis * m.normal;
  const Vec3 apart =
      (b.frame.origin - a.frame.origin) + (b.frame.basis * point.on_b - a.frame.basis * point.on_a);
  return dot(apart, n);
}

double known_clearance(const BodyStore& bodies, const PairRecord& pair) {
  if (pair.sensor || !(pair.clear_by >= 0)) return -1;
  return pair.clear_by - motion_between({pair.made_at, pair.made_turned},
                                        relative(pair, bodies[pair.body_a], bodies[pair.body_b]),
                                        pair.reach);
}

namespace {

/// The points of a pair that is round, where its bodies are now.
void place_round(ContactStore& pairs, PairRecord& p, const Body& a, const Body& b,
                 const Relative& now) {
  const Mat3 was = to_matrix(p.placed_turned);
  const RoundContact at{a.frame, b.frame, p.a_moves ? transpose(was) : was, double{p.radius_a},
                        double{p.radius_b}};
  for (Manifold* m = &p.manifold; m != nullptr; m = pairs.after(*m)) place_round_points(at, *m);
  p.placed_at = now.at;
  p.placed_turned = now.turned;
}

} // namespace

/// All that a pair is made of, and how far ahead it is looked.
struct NarrowPhase::Look {
  const PlacedShape &shape_a, &shape_b;
  const Body &a, &b;
  const ConvexForm *form_a, *form_b;
  const SurfaceForm* surface; ///< of one of them, or null
  double margin, near;
  double time_step;
};

bool NarrowPhase::is_due(const BodyStore& bodies, ContactStore& pairs, std::uint32_t pair,
                         const NarrowPhaseOptions& options, PairUpdate& update) {
  PairRecord& p = pairs[pair];
  const Body &a = bodies[p.body_a], &b = bodies[p.body_b];
  const Relative now = relative(p, a, b);
  const double margin = p.sensor ? 0 : margin_of(bodies, p, options);
  const double allowed = way_allowed(p, options);
  double room = way_to_look(p, allowed, options);
  // Most that have come far are seen to have by their centres alone.
  const double far = length(now.at - p.made_at);
  const bool came_far = !p.sensor && far > allowed && far + options.margin > p.clear_by;
  if (p.made_margin >= 0 && !came_far) {
    const double moved = motion_between({p.made_at, p.made_turned}, now, p.reach);
    const bool few = moved <= allowed && margin <= p.made_margin + allowed;
    if (p.sensor ? moved == 0 : few || moved + margin <= p.clear_by) {
      const bool carries = pair_carries(pairs, p);
      if (p.round() && few && carries) {
        const double since = motion_between({p.placed_at, p.placed_turned}, now, p.reach);
        if (since > room)
          place_round(pairs, p, a, b, now);
        else
          room -= since;
      }
      update = {moved, std::min(room, allowed - moved), carries};
      return false;
    }
  }
  p.made_at = p.placed_at = now.at;
  p.made_turned = p.placed_turned = now.turned;
  p.made_margin = margin;
  return true;
}

PairUpdate NarrowPhase::make(const BodyStore& bodies, ContactStore& pairs, std::uint32_t pair,
                             const NarrowPhaseOptions& options, NarrowScratch& scratch) {
  PairRecord& p = pairs[pair];
  const PlacedShape &shape_a = bodies.shape(p.shape_a), &shape_b = bodies.shape(p.shape_b);
  p.clear_by = -1;
  if (p.sensor) {
    p.manifold.count =
        overlap(shape_a.def.shape, shape_a.world, shape_b.def.shape, shape_b.world).hit ? 1 : 0;
    return {};
  }
  PairUpdate update;
  update.room = way_to_look(p, way_allowed(p, options), options);
  const Look look{shape_a,
                  shape_b,
                  bodies[p.body_a],
                  bodies[p.body_b],
                  forms_.made(p.shape_a),
                  forms_.made(p.shape_b),
                  forms_.surface(forms_.made(p.shape_a) != nullptr ? p.shape_b : p.shape_a),
                  p.made_margin,
                  matching * options.margin,
                  options.time_step};
  if (p.convex) {
    const bool forms = look.form_a && look.form_b;
    if (forms && !(look.form_a->is_box() && look.form_b->is_box()))
      meet_forms(look, p, scratch);
    else
      meet_convex(look, p);
    update.carries = p.manifold.count > 0;
    return update;
  }
  scratch.made.clear();
  if ((look.form_a && is_surface(shape_b.def.shape)) ||
      (look.form_b && is_surface(shape_a.def.shape))) {
    meet_surface(look, p, scratch);
    put_manifolds(pairs, p, look.near, scratch, update);
  } else {
    meet_parts(look, scratch);
    put_manifolds(pairs, p, 0, scratch, update);
  }
  return update;
}

/// The tests of is_due(), turned into bounds for motions: the shape of less reach, `own`, is measured in the other's frame. Its centre moves there by no more than the way from centre to centre changes, and the
/// other's turn times its distance; and its points by both turns times its reach.
void NarrowPhase::set_head(const BodyStore& bodies, const ContactStore& pairs, std::uint32_t pair,
                           const PairUpdate& update, const NarrowPhaseOptions& options,
                           PairHead& head) {
  const PairRecord& p = pairs[pair];
  const Body &a = bodies[p.body_a], &b = bodies[p.body_b];
  const double closing = length(b.velocity - a.velocity) * options.time_step;
  const double allowed = way_allowed(p, options);
  double room = 0, close = 0;
  if (!p.sensor && closing + options.margin <= p.made_margin + allowed) {
    room = update.room;
    close = p.made_margin + allowed - options.margin;
  }
  const double clear = 0.5 * (p.clear_by - options.margin - update.moved - closing);
  if (!p.sensor && clear > room) {
    room = clear;
    close = closing + clear;
  }
  // What goes on as it does has used it up in a step.
  if (!(closing <= room)) {
    head.room = -1;
    return;
  }
  const Vec3 between = b.frame.origin - a.frame.origin;
  const double far = length(between);
  const double other = far + std::max(room, 0.0) + p.reach;
  head.turn_a = static_cast<float>((p.a_moves ? p.reach : other) * 1.00001);
  head.turn_b = static_cast<float>((p.a_moves ? other : p.reach) * 1.00001);
  head.turned = double{head.turn_a} * bodies.travel(p.body_a).turned +
                double{head.turn_b} * bodies.travel(p.body_b).turned;
  for (int i = 0; i < 3; ++i) head.between[i] = static_cast<float>(between[i]);
  // Floats: what is stored and what is computed may be off by a few roundings.
  head.room = static_cast<float>(0.999 * room - 1e-6 * far);
  head.closing = static_cast<float>(0.999 * close);
}

/// Two small polytopes, balls or capsules.
void NarrowPhase::meet_forms(const Look& look, PairRecord& p, NarrowScratch& scratch) {
  ConvexMeeting& meeting = scratch.meeting;
  const Frame b_in_a = seen_from(look.shape_b.frame, look.shape_a.frame);
  const Vec3 between = b_in_a.to_world(look.form_b->inner().center) - look.form_a->inner().center;
  const Vec3 axis = p.axis == Vec3{} ? normalized(between) : p.axis;
  const bool meets = meeting.find(*look.form_a, *look.form_b, b_in_a, look.margin, axis);
  p.axis = meeting.normal();
  if (!meets) {
    p.clear_by = meeting.gap();
    p.manifold.count = 0;
    return;
  }
  Manifold m;
  const Vec3 n = meeting.normal(), u = perpendicular(n), v = cross(n, u);
  const std::span<const MeetingPoint> points = meeting.points();
  scratch.spots.clear();
  for (const MeetingPoint& q : points)
    scratch.spots.push_back({dot(u, q.on_a), dot(v, q.on_a), q.separation, q.id});
  const FourSpots four = choose_four(scratch.spots, 1e-6 * look.form_a->size());
  const Frame &in_a = look.shape_a.in_body, &in_b = look.shape_b.in_body;
  m.normal = in_a.direction_to_world(n);
  m.count = four.count;
  for (std::size_t i = 0; i < static_cast<std::size_t>(four.count); ++i) {
    const MeetingPoint& q = points[four.index[i]];
    m.points[i].on_a = in_a.to_world(q.on_a);
    m.points[i].on_b = in_b.to_world(b_in_a.to_local(q.on_b));
    m.points[i].id = q.id;
  }
  if (p.manifold.count > 0 && hand_on(p.manifold, m, look.near)) hand_on_friction(p.manifold, m);
  p.manifold = m;
}

/// Two convex shapes of any kind.
void NarrowPhase::meet_convex(const Look& look, PairRecord& p) {
  const ContactManifold found =
      contacts(look.shape_a.def.shape, look.shape_a.world, look.shape_b.def.shape,
               look.shape_b.world, {.margin = look.margin}, &p.cache);
  if (found.count == 0 && found.status == Status::stopped) p.clear_by = found.value;
  if (found.count == 0) {
    p.manifold.count = 0;
    return;
  }
  Manifold m;
  take(m, found, look.a, look.b);
  if (p.manifold.count > 0 && hand_on(p.manifold, m, 0)) hand_on_friction(p.manifold, m);
  p.manifold = m;
}

namespace {

void put(const Manifold& from, Manifold& to) {
  const std::uint32_t next = to.next;
  to = from;
  to.next = next;
}

} // namespace

/// Those that were made go into the pair; where they are more or fewer than before, the rest waits.
void NarrowPhase::put_manifolds(ContactStore& pairs, PairRecord& p, double near,
                                NarrowScratch& scratch, PairUpdate& update) {
  std::vector<Manifold>& made = scratch.made;
  std::size_t before = 0;
  scratch.old.clear();
  for (const Manifold* m = &p.manifold; m != nullptr; m = pairs.after(*m)) {
    ++before;
    if (m->count > 0) scratch.old.push_back(*m);
  }
  hand_on_all(scratch.old, made, near);
  for (const Manifold& m : made) update.carries = update.carries || m.count > 0;
  if (made.empty()) made.emplace_back();
  put(made[0], p.manifold);
  if (before == made.size()) {
    Manifold* to = &p.manifold;
    for (std::size_t i = 1; i < made.size(); ++i) {
      to = pairs.after(*to);
      put(made[i], *to);
    }
    return;
  }
  update.rechained = true;
  update.first = static_cast<std::uint32_t>(scratch.chains.size());
  update.count = static_cast<std::uint32_t>(made.size() - 1);
  scratch.chains.insert(scratch.chains.end(), made.begin() + 1, made.end());
}

/// A small polytope, ball or capsule, and a surface of triangles.
void NarrowPhase::meet_surface(const Look& look, PairRecord& p, NarrowScratch& scratch) {
  const bool form_is_a = look.form_a != nullptr;
  const PlacedShape &own = form_is_a ? look.shape_a : look.shape_b,
                    &other = form_is_a ? look.shape_b : look.shape_a;
  const Body &own_body = form_is_a ? look.a : look.b, &other_body = form_is_a ? look.b : look.a;
  const Frame surface = seen_from(other.frame, own.frame);
  MeshContacts& contacts = scratch.mesh_contacts;
  const Vec3 step_way =
      other.frame.direction_to_local((own_body.velocity - other_body.velocity) * look.time_step);
  contacts.find(form_is_a ? *look.form_a : *look.form_b, other.def.shape, surface, look.margin,
                near_[p.surface], step_way, look.surface);
  const std::span<const MeshPatch> found = contacts.patches();
  if (found.empty()) p.clear_by = contacts.clear();
  const Frame &in_own = own.in_body, &in_other = other.in_body;
  for (const MeshPatch& patch : found) {
    Manifold& m = scratch.made.emplace_back();
    const Vec3 n = patch.normal;
    m.normal = form_is_a ? in_own.direction_to_world(n)
                         : -in_other.direction_to_world(surface.direction_to_local(n));
    m.count = patch.count;
    for (std::size_t i = 0; i < static_cast<std::size_t>(patch.count); ++i) {
      const MeetingPoint& q = patch.points[i];
      const Vec3 on_own = in_own.to_world(q.on_a),
                 on_other = in_other.to_world(surface.to_local(q.on_b));
      m.points[i].on_a = form_is_a ? on_own : on_other;
      m.points[i].on_b = form_is_a ? on_other : on_own;
      m.points[i].id = q.id;
    }
  }
}

/// Any two shapes.
void NarrowPhase::meet_parts(const Look& look, NarrowScratch& scratch) {
  contact_patches(look.shape_a.def.shape, look.shape_a.world, look.shape_b.def.shape,
                  look.shape_b.world, scratch.patches, {.margin = look.margin}, &scratch.contacts);
  for (const ContactPatch& patch : scratch.patches)
    take(scratch.made.emplace_back(), patch.manifold, look.a, look.b);
}

} // namespace carom
