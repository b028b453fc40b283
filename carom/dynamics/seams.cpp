// A box that lies on one tile, a hair deep, and comes to the next, meets its side: seen alone, that is a wall. But a wall rises above the floor. Let n be the normal of a contact that the
// body rests on. If along n it is clear of the other body, too, to within the depth that it rests at, then the other cannot be in its way: moving along the floor never brings it deeper. Such a
// contact is left out. It needs no adjacency, so it holds for tiles, T-junctions, gaps, and boxes beside meshes; and where both move together, as well. Among bodies that move only those are asked that come together: in a heap at rest nobody is.
//
// Two convex shapes are clear of each other as a whole. A piece of a terrain is not: it may be a hill elsewhere. So of a pair that is not convex each manifold is asked for itself, and what counts is how the two shapes reach about its points. What comes of the edges within
// one shape is known already when its contacts are made: a manifold is a seam only beside one of another pair.
#include "carom/dynamics/seams.h"

#include "carom/dynamics/local_reach.h"
#include "carom/dynamics/narrow_phase.h"
#include "carom/query/contacts_along.h"

#include <algorithm>
#include <tuple>

namespace carom {
namespace {

constexpr double same_direction = 0.9999; // cosine: less than a degree
constexpr double opposite =
    -0.9; // what presses the body onto the floor, squarely: there is something above it
constexpr double step_part = 0.05;    // of the margin: a step that high is none
constexpr double still = 0.02;        // m/s: what comes together slower is at rest
constexpr double together_part = 0.1; // of the speed over it: what is less is none

double depth_of(const BodyStore& bodies, const PairRecord& p, const Manifold& m) {
  double least = INFINITY;
  for (int i = 0; i < m.count; ++i)
    least = std::min(least, separation_now(bodies[p.body_a], bodies[p.body_b], m,
                                           m.points[static_cast<std::size_t>(i)]));
  return least;
}

/// Marks stand side by side: of many pairs few carry.
bool is_support(const ContactStore& pairs, std::uint32_t pair) {
  const std::uint32_t at = pairs.active_at(pair);
  if (at != no_index && !pairs.marks(at).carries) return false;
  return !pairs[pair].sensor;
}

/// Of the point of a body that is at x.
Vec3 velocity_at(const Body& body, const Vec3& x) {
  return body.velocity + cross(body.angular_velocity, x - body.frame.origin);
}

/// What is no speed beside this one, squared.
double little_beside(const Vec3& over) {
  return together_part * together_part * length_squared(over);
}

/// Whether the body slides along one ground: the two others move together, and the body across `floor`, the normal that it rests on. What hits them is no slider: what yields to it, yields each for itself.
bool slides_along(const Body& own, const Body& first, const Body& second, const Vec3& floor) {
  if (first.kind == BodyKind::fixed && second.kind == BodyKind::fixed) return true;
  const Vec3& x = own.frame.origin;
  const Vec3 v = velocity_at(first, x), w = velocity_at(second, x), over = own.velocity - v;
  const double little = little_beside(over), hits = dot(floor, over);
  return length_squared(v - w) <= little && hits * hits <= little;
}

/// Whether the contact is clear along a normal that the body rests on, of a contact `depth` deep.
bool clear_along(const BodyStore& bodies, const PairRecord& p, const Manifold& m,
                 std::uint32_t slot, const Vec3& normal, double depth, double margin) {
  const PlacedShape &a = bodies.shape(p.shape_a), &b = bodies.shape(p.shape_b);
  const bool own_is_b = p.body_b == slot;
  const PlacedShape &ground = own_is_b ? a : b, &own = own_is_b ? b : a;
  const double deep = std::min(depth, 0.0), step = step_part * margin;
  if (p.convex)
    return gap_along(ground.def.shape, ground.world, own.def.shape, own.world, normal) >=
           deep - step;
  // A wall is seen above the floor, however deep the body is in it; and what of the body hangs down behind an edge, below.
  const double up = 2 * step - deep, down = margin - deep;
  double top = -INFINITY, bottom = INFINITY;
  for (int i = 0; i < m.count; ++i) {
    const PairPoint& point = m.points[static_cast<std::size_t>(i)];
    const Vec3 on_a = bodies[p.body_a].frame.to_world(point.on_a),
               on_b = bodies[p.body_b].frame.to_world(point.on_b);
    top = std::max(top,
                   reach_near(ground.def.shape, ground.world, normal, own_is_b ? on_a : on_b, up));
    bottom = std::min(bottom,
                      -reach_near(own.def.shape, own.world, -normal, own_is_b ? on_b : on_a, down));
  }
  return bottom - top >= deep - step;
}

/// Whether the two come together along the normal.
bool closes(const BodyStore& bodies, const PairRecord& p, const Manifold& m) {
  const Body &a = bodies[p.body_a], &b = bodies[p.body_b];
  const Vec3 n = a.frame.basis * m.normal; // from A to B
  return dot(n, a.velocity - b.velocity) > still;
}

} // namespace

bool is_closing(const BodyStore& bodies, const PairRecord& p) {
  if (p.convex) return closes(bodies, p, p.manifold);
  return length_squared(bodies[p.body_a].velocity - bodies[p.body_b].velocity) > still * still;
}

/// Of a body that is not active, only the list of its pairs says what it touches.
bool Seams::has_ground(const BodyStore& bodies, const ContactStore& pairs, std::uint32_t slot) {
  const Body& own = bodies[slot];
  if (own.active_at == no_index) return true;
  neighbours_.clear();
  for (const std::uint32_t at : pairs.carrying_of(slot)) {
    const PairEnds& ends = pairs.ends(at);
    const Body& other = bodies[ends.body_a == slot ? ends.body_b : ends.body_a];
    const Vec3 v = velocity_at(other, own.frame.origin);
    neighbours_.push_back({other.kind == BodyKind::fixed, v, little_beside(own.velocity - v)});
  }
  for (std::size_t i = 1; i < neighbours_.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) {
      const Neighbour &a = neighbours_[i], &b = neighbours_[k];
      if ((a.fixed & b.fixed) ||
          length_squared(a.velocity - b.velocity) <= std::max(a.little, b.little))
        return true;
    }
  return false;
}

void Seams::find_supports(const BodyStore& bodies, const ContactStore& pairs, std::uint32_t slot) {
  supports_.clear();
  if (!bodies[slot].movable()) return;
  for (std::uint32_t i = bodies[slot].first_contact; i != no_index; i = pairs.next_of(i, slot)) {
    if (!is_support(pairs, i)) continue;
    const PairRecord& p = pairs[i];
    const bool own_is_b = p.body_b == slot;
    const Body& other = bodies[own_is_b ? p.body_a : p.body_b];
    std::uint32_t number = 0;
    for (const Manifold* m = &p.manifold; m != nullptr; m = pairs.after(*m), ++number) {
      if (m->count == 0) continue;
      const bool may_be = other.kind == BodyKind::fixed || closes(bodies, p, *m);
      const Vec3 n = bodies[p.body_a].frame.basis * m->normal;
      supports_.push_back({i, number, may_be, m, &other, own_is_b ? n : -n});
    }
  }
}

bool Seams::may_be_floor(const Body& own, const Support& s, const Support& floor) {
  if (floor.pair == s.pair) return false;
  const double agree = dot(s.normal, floor.normal);
  return agree <= same_direction && agree >= opposite &&
         slides_along(own, *s.other, *floor.other, floor.normal);
}

/// Most bodies rest on what faces one way, or on one thing.
bool Seams::may_have_any(const Body& own) const {
  for (const Support& s : supports_)
    for (const Support& floor : supports_)
      if (s.may_be_seam && may_be_floor(own, s, floor)) return true;
  return false;
}

/// The shallowest first: of an edge and the face beyond it, each of which is clear along the normal of the other, it is the face that holds.
void Seams::find_depths(const BodyStore& bodies, const ContactStore& pairs) {
  for (Support& s : supports_) s.depth = depth_of(bodies, pairs[s.pair], *s.manifold);
  std::sort(supports_.begin(), supports_.end(), [](const Support& x, const Support& y) {
    return std::tuple(-x.depth, x.pair, x.number) < std::tuple(-y.depth, y.pair, y.number);
  });
}

/// Whether one of the things that the body touches only seems to be in its way.
bool Seams::is_seam(const BodyStore& bodies, const ContactStore& pairs, const Support& s,
                    std::uint32_t slot, double margin) const {
  if (!s.may_be_seam) return false;
  return std::any_of(supports_.begin(), supports_.end(), [&](const Support& floor) {
    return floor.depth <= 0.5 * margin && may_be_floor(bodies[slot], s, floor) &&
           clear_along(bodies, pairs[s.pair], *s.manifold, slot, floor.normal, floor.depth, margin);
  });
}

bool Seams::any(const BodyStore& bodies, const ContactStore& pairs, std::uint32_t slot,
                double margin) {
  if (!has_ground(bodies, pairs, slot)) return false;
  find_supports(bodies, pairs, slot);
  if (!may_have_any(bodies[slot])) return false;
  find_depths(bodies, pairs);
  return std::any_of(supports_.begin(), supports_.end(),
                     [&](const Support& s) { return is_seam(bodies, pairs, s, slot, margin); });
}

bool Seams::weld(const BodyStore& bodies, ContactStore& pairs, std::uint32_t slot, double margin) {
  if (!has_ground(bodies, pairs, slot)) return false;
  find_supports(bodies, pairs, slot);
  if (!may_have_any(bodies[slot])) return false;
  find_depths(bodies, pairs);
  bool any = false;
  for (Support& s : supports_) {
    if (!is_seam(bodies, pairs, s, slot, margin)) continue;
    Manifold* m = &pairs[s.pair].manifold;
    for (std::uint32_t k = 0; k < s.number; ++k) m = pairs.after(*m);
    m->count = 0;
    s.depth = INFINITY;
    any = true;
  }
  return any;
}

} // namespace carom
