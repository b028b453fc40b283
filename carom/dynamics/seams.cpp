// A box that lies on one tile, a hair deep, and comes to the next, meets its side: seen alone, that is a wall. But a wall rises above the floor. Let n be the normal of a contact that the
// body rests on. If along n it is clear of the other body, too, to within the depth that it rests at, then the other cannot be in its way: moving along the floor never brings it deeper. Such a
// contact is left out. It needs no adjacency, so it holds for tiles, T-junctions, gaps, and boxes beside meshes; and where both move together, as well. Among bodies that move only those are asked that come together: in a heap at rest nobody is.
#include "carom/dynamics/seams.h"

#include "carom/dynamics/narrow_phase.h"
#include "carom/query/contacts_along.h"

#include <algorithm>

namespace carom {
namespace {

constexpr double same_direction = 0.9999; // cosine: less than a degree
constexpr double step_part = 0.05;        // of the margin: a step that high is none
constexpr double still = 0.02;            // m/s: what comes together slower is at rest
constexpr double together_part = 0.1;     // of the speed over it: what is less is none

double depth_of(const BodyStore& bodies, const PairRecord& p) {
  double least = INFINITY;
  for (int i = 0; i < p.manifold.count; ++i)
    least = std::min(least, separation_now(bodies[p.body_a], bodies[p.body_b], p.manifold,
                                           p.manifold.points[static_cast<std::size_t>(i)]));
  return least;
}

/// Heads stand side by side: of many pairs few carry.
bool is_support(const ContactStore& pairs, std::uint32_t pair) {
  const std::uint32_t at = pairs.active_at(pair);
  if (at != no_index && !pairs.head(at).carries) return false;
  return !pairs[pair].sensor && pairs[pair].manifold.count > 0;
}

/// Of the point of a body that is at x.
Vec3 velocity_at(const Body& body, const Vec3& x) {
  return body.velocity + cross(body.angular_velocity, x - body.frame.origin);
}

/// Whether the body slides along one ground: the two others move together, and the body across `floor`, the normal that it rests on. What hits them is no slider: what yields to it, yields each for itself.
bool slides_along(const Body& own, const Body& first, const Body& second, const Vec3& floor) {
  if (first.kind == BodyKind::fixed && second.kind == BodyKind::fixed) return true;
  const Vec3& x = own.frame.origin;
  const Vec3 v = velocity_at(first, x), w = velocity_at(second, x), over = own.velocity - v;
  const double little = together_part * together_part * length_squared(over),
               hits = dot(floor, over);
  return length_squared(v - w) <= little && hits * hits <= little;
}

/// Whether the pair is clear along a normal that the body rests on, of a contact `depth` deep.
bool clear_along(const BodyStore& bodies, const PairRecord& p, std::uint32_t slot,
                 const Vec3& normal, double depth) {
  const PlacedShape &a = bodies.shape(p.shape_a), &b = bodies.shape(p.shape_b);
  const bool own_is_b = p.body_b == slot;
  const PlacedShape &ground = own_is_b ? a : b, &own = own_is_b ? b : a;
  return gap_along(ground.def.shape, ground.world, own.def.shape, own.world, normal) >= depth;
}

} // namespace

bool is_closing(const BodyStore& bodies, const PairRecord& p) {
  const Body &a = bodies[p.body_a], &b = bodies[p.body_b];
  const Vec3 n = a.frame.basis * p.manifold.normal; // from A to B
  return dot(n, a.velocity - b.velocity) > still;
}

void Seams::find_supports(const BodyStore& bodies, const ContactStore& pairs, std::uint32_t slot) {
  supports_.clear();
  if (!bodies[slot].movable()) return;
  for (std::uint32_t i = bodies[slot].first_contact; i != no_index; i = pairs.next_of(i, slot)) {
    if (!is_support(pairs, i)) continue;
    const PairRecord& p = pairs[i];
    const Body &a = bodies[p.body_a], &b = bodies[p.body_b], &other = p.body_a == slot ? b : a;
    const Vec3 n = a.frame.basis * p.manifold.normal;
    const bool may_be =
        p.convex && (other.kind == BodyKind::fixed || dot(n, a.velocity - b.velocity) > still);
    supports_.push_back({i, may_be, &other, p.body_b == slot ? n : -n});
  }
}

/// Whether one of the things that the body touches only seems to be in its way.
bool Seams::is_seam(const BodyStore& bodies, const ContactStore& pairs, const Support& s,
                    std::uint32_t slot, double margin) const {
  if (!s.may_be_seam) return false;
  for (const Support& floor : supports_) {
    if (&floor == &s || pairs[floor.pair].manifold.count == 0) continue;
    const double agree = dot(s.normal, floor.normal);
    if (agree > same_direction || agree < -0.1) continue;
    if (!slides_along(bodies[slot], *s.other, *floor.other, floor.normal)) continue;
    const double depth = depth_of(bodies, pairs[floor.pair]);
    if (depth > 0.5 * margin) continue;
    if (clear_along(bodies, pairs[s.pair], slot, floor.normal,
                    std::min(depth, 0.0) - step_part * margin))
      return true;
  }
  return false;
}

bool Seams::any(const BodyStore& bodies, const ContactStore& pairs, std::uint32_t slot,
                double margin) {
  find_supports(bodies, pairs, slot);
  return std::any_of(supports_.begin(), supports_.end(),
                     [&](const Support& s) { return is_seam(bodies, pairs, s, slot, margin); });
}

bool Seams::weld(const BodyStore& bodies, ContactStore& pairs, std::uint32_t slot, double margin) {
  find_supports(bodies, pairs, slot);
  bool any = false;
  for (const Support& s : supports_) {
    if (!is_seam(bodies, pairs, s, slot, margin)) continue;
    pairs[s.pair].manifold.count = 0;
    any = true;
  }
  return any;
}

} // namespace carom
