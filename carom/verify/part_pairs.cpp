// Two convex sets are apart by the lower bound of the distance of the origin from B - A, swept or not. Where that is 0 they touch or overlap; by no more than the tolerance, where a move by four tolerances in one of 26
// directions takes them apart: no direction is farther than 30 degrees from one of those.
#include "carom/verify/part_pairs.h"

#include "carom/verify/support_distance.h"

#include <algorithm>
#include <cmath>

namespace carom::verify {
namespace {

/// A convex part, swept along a straight line.
struct Swept {
  const PlacedShape& part;
  Vec3 sweep;
  Vec3 low{}, high{};

  Swept(const PlacedShape& placed, const Vec3& by) : part(placed), sweep(by) {
    for (int i = 0; i < 3; ++i) {
      high[i] = reach(unit_axis(i));
      low[i] = -reach(-unit_axis(i));
    }
  }
  [[nodiscard]] double reach(const Vec3& d) const {
    return support(part, d) + std::max(0.0, dot(d, sweep));
  }
  [[nodiscard]] Vec3 farthest(const Vec3& d) const {
    const Vec3 p = farthest_point(part, d);
    return dot(d, sweep) > 0 ? p + sweep : p;
  }
};

double gap_along(const Swept& a, const Swept& b, const Vec3& d) {
  return -b.reach(-d) - a.reach(d);
}

/// Out of the border of a half-space, in the world.
Vec3 border_normal(const PlacedShape& half_space) {
  const Vec3 n = normalized(std::get<HalfSpace>(half_space.shape.core()).normal);
  return normalized(half_space.pose.frame().direction_to_world(n));
}

double box_gap(const Swept& a, const Swept& b) {
  return length(max(max(a.low - b.high, b.low - a.high), Vec3{}));
}

double distance_between(const Swept& a, const Swept& b, const Vec3& move) {
  return support_distance({}, [&](const Vec3& d) { return b.farthest(d) + move - a.farthest(-d); })
      .lower;
}

bool comes_free(const Swept& a, const Swept& b, double tolerance) {
  for (int i = 0; i < 27; ++i) {
    const Vec3 v{i % 3 - 1.0, i / 3 % 3 - 1.0, i / 9 - 1.0};
    if (v != Vec3{} && distance_between(a, b, normalized(v) * (4 * tolerance)) > 0) return true;
  }
  return false;
}

/// How far the pair falls short of what is wanted; not more than the tolerance where all is well.
double shortfall(const Swept& a, const Swept& b, double wanted, double tolerance,
                 const Vec3& hint) {
  if (!a.part.shape.bounded()) return wanted - gap_along(a, b, border_normal(a.part));
  if (!b.part.shape.bounded()) return wanted - gap_along(a, b, -border_normal(b.part));
  // Boxes and shapes at distance 0 may overlap by any amount: that says nothing.
  const auto or_nothing = [](double apart) { return apart > 0 ? apart : -INFINITY; };
  double known = or_nothing(box_gap(a, b));
  if (known >= wanted) return 0;
  if (is_unit(hint)) known = std::max(known, gap_along(a, b, hint));
  if (known >= wanted - tolerance) return wanted - known;
  known = std::max(known, or_nothing(distance_between(a, b, {})));
  if (known >= wanted - tolerance) return wanted - known;
  return wanted <= tolerance && comes_free(a, b, tolerance) ? tolerance : wanted - known;
}

struct CornersOf {
  std::vector<Vec3> operator()(const Vec3& p) const { return {p}; }
  std::vector<Vec3> operator()(const Segment& s) const { return {s.a, s.b}; }
  std::vector<Vec3> operator()(const Triangle& t) const { return {t.a, t.b, t.c}; }
  std::vector<Vec3> operator()(const Polytope& p) const { return p.hull().vertices; }
  template<class Other>
  std::vector<Vec3> operator()(const Other&) const {
    return {};
  }
};

double span_of(const PlacedShape& a, const PlacedShape& b) {
  const auto corners_a = std::visit(CornersOf{}, a.shape.core());
  const auto corners_b = std::visit(CornersOf{}, b.shape.core());
  const Frame frame_a = a.pose.frame(), frame_b = b.pose.frame();
  double most = 0;
  for (const Vec3& p : corners_a)
    for (const Vec3& q : corners_b)
      most = std::max(most, length(frame_a.to_world(p) - frame_b.to_world(q)));
  if (!corners_a.empty() && !corners_b.empty())
    return most + a.shape.rounding() + b.shape.rounding();
  for (int i = 0; i < 14; ++i) {
    Vec3 n = i < 6 ? unit_axis(i / 2) * (i % 2 ? 1.0 : -1.0)
                   : Vec3{i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0};
    for (int step = 0; step < 20; ++step) {
      const Vec3 p = farthest_point(b, n) - farthest_point(a, -n);
      if (!(length(p) > most)) break;
      most = length(p);
      n = normalized_or(p, n);
    }
  }
  return most;
}

} // namespace

Verdict check_pairs_apart(const PlacedShape& a, const Vec3& sweep, const PlacedShape& b,
                          double wanted, double tolerance, const Vec3& hint) {
  const auto parts_a = convex_parts(a), parts_b = convex_parts(b);
  std::vector<Swept> swept_b;
  swept_b.reserve(parts_b.size());
  for (const ConvexPart& part : parts_b) swept_b.emplace_back(part.placed, Vec3{});
  for (const ConvexPart& part : parts_a) {
    const Swept swept_a(part.placed, sweep);
    for (const Swept& other : swept_b) {
      const double e = shortfall(swept_a, other, wanted, tolerance, hint);
      if (!(e <= tolerance)) return Verdict::off("two parts are nearer than claimed", e);
    }
  }
  return Verdict::yes();
}

Verdict check_outside(const PlacedShape& shape, const PlacedShape& other, double tolerance) {
  if (!other.shape.bounded()) return Verdict::yes();
  const auto solids = solid_meshes(shape);
  if (solids.empty()) return Verdict::yes();
  for (const ConvexPart& part : convex_parts(other)) {
    const Vec3 p = farthest_point(part.placed, {1, 0, 0});
    for (const PlacedShape& solid : solids) {
      if (!wound_around(solid, p)) continue;
      const double depth = distance_from_triangles(p, solid);
      if (!(depth <= tolerance)) return Verdict::off("a part is inside of a solid", depth);
    }
  }
  return Verdict::yes();
}

Verdict check_part(const char* what, const Vec3& p, const PlacedShape& shape, const PartId& id,
                   double tolerance) {
  double off = INFINITY;
  for (const auto& [component, number] : components(shape)) {
    if (number != id.part) continue;
    // The inside of a solid has no number and no material.
    const bool whole = id.element == PartId::none && !solid_meshes(component).empty();
    if (whole) off = distance(p, component);
  }
  for (const ConvexPart& part : convex_parts(shape))
    if (part.id == id) off = std::min(off, distance(p, part.placed));
  if (off == INFINITY)
    return Verdict::no(std::string(what) + ": there is no such part, or its material is another");
  return off <= tolerance ? Verdict::yes() : Verdict::off(what, off);
}

double greatest_span(const PlacedShape& a, const PlacedShape& b) {
  const auto parts_a = convex_parts(a), parts_b = convex_parts(b);
  double most = 0;
  for (const ConvexPart& part : parts_a)
    for (const ConvexPart& other : parts_b)
      most = std::max(most, span_of(part.placed, other.placed));
  return most;
}

} // namespace carom::verify
