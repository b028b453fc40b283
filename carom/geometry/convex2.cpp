// Two convex polygons overlap where a corner of one lies in the other, or two edges cross: all exact questions. Where they do not, the
// origin is outside of the difference A - B, hence strictly outside one of its edges, and each of these is an edge of A or of B: so
// the line of some edge has the other polygon strictly on its far side. Only for collinear segments and points the difference has
// no such edge; then the direction between the nearest points separates.
//
// The nearest points of disjoint polygons are a corner of one and a point on an edge of the other.
#include "carom/geometry/convex2.h"

#include "carom/geometry/containment.h"
#include "carom/geometry/segment2.h"
#include "carom/math/predicates.h"

#include <algorithm>
#include <optional>

namespace carom {
namespace {

using Corners = std::span<const Vec2>;

Segment2 edge(Corners polygon, std::size_t i) {
  return {polygon[i], polygon[i + 1 == polygon.size() ? 0 : i + 1]};
}

const Vec2* corner_in(Corners corners, Corners polygon) {
  const auto found = std::find_if(corners.begin(), corners.end(), [&](const Vec2& p) {
    return locate_in_convex(p, polygon) != Containment::outside;
  });
  return found == corners.end() ? nullptr : &*found;
}

std::optional<Vec2> common_point(Corners a, Corners b) {
  if (const Vec2* p = corner_in(a, b)) return *p;
  if (const Vec2* p = corner_in(b, a)) return *p;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      if (const SegmentMeeting2 m = intersect(edge(a, i), edge(b, j))) return m.from;
    }
  }
  return std::nullopt;
}

/// The outer unit normal of an edge of `a` that has all of `b` strictly on its outer side.
std::optional<Vec2> separating_normal(Corners a, Corners b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Segment2 e = edge(a, i);
    const bool separates =
        std::all_of(b.begin(), b.end(), [&](const Vec2& p) { return orient2d(e.a, e.b, p) < 0; });
    if (separates) return normalized_or(-left(e.b - e.a), {1, 0});
  }
  return std::nullopt;
}

/// The best so far, between a corner of one polygon and an edge of the other.
void nearer(Corners corners, Corners polygon, bool swapped, ClosestPair2& best) {
  for (const Vec2& p : corners) {
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const Segment2 e = edge(polygon, i);
      const ClosestOnSegment2 c = closest_on_segment(p, e);
      if (!(c.distance < best.distance)) continue;
      // From the corner to the edge. The edge's own normal is right even where the two points almost coincide.
      const Vec2 across = normalized_or(left(e.b - e.a), {1, 0});
      const Vec2 toward = c.inside ? across * static_cast<double>(-orient2d(e.a, e.b, p))
                                   : normalized_or(c.point - p, {1, 0});
      best = swapped ? ClosestPair2{c.point, p, c.distance, -toward}
                     : ClosestPair2{p, c.point, c.distance, toward};
    }
  }
}

ClosestPair2 closest_of_disjoint(Corners a, Corners b) {
  ClosestPair2 best{{}, {}, INFINITY, {1, 0}};
  nearer(a, b, false, best);
  nearer(b, a, true, best);
  return best;
}

} // namespace

Overlap2 overlap(Corners a, Corners b) {
  if (a.empty() || b.empty()) return {false, {}, {1, 0}};
  if (const auto p = common_point(a, b)) return {true, *p, {}};
  if (const auto n = separating_normal(a, b)) return {false, {}, *n};
  if (const auto n = separating_normal(b, a)) return {false, {}, -*n};
  return {false, {}, closest_of_disjoint(a, b).axis};
}

ClosestPair2 closest_points(Corners a, Corners b) {
  if (!a.empty() && !b.empty()) {
    if (const auto p = common_point(a, b)) return {*p, *p, 0, {}};
  }
  return closest_of_disjoint(a, b);
}

} // namespace carom
