#include "carom/motion/polyhedral_translation.h"

#include <algorithm>

namespace carom {
namespace {

/// Passing within `lateral` counts as on both sides.
struct Sides {
  bool left, right;
};
Sides sides_of(const Vec3& point, const Vec3& motion, const Vec3& from, const Vec3& to,
               const ExpelZone& zone) {
  const double s = passing_side(point, motion, from, to);
  const double slack = passing_slack(to - from, motion, zone);
  return {s >= -slack, s <= slack};
}

bool straddles(const Sides& a, const Sides& b) {
  return (a.left && b.right) || (a.right && b.left);
}

ZoneHit finish(double at, double meet, const Vec3& normal, double limit) {
  ZoneHit hit;
  if (!(at >= 0 && at <= limit)) return hit;
  hit.hit = true;
  hit.at = at;
  hit.meet = std::max(meet, at);
  hit.normal = normal;
  return hit;
}

} // namespace

ZoneHit settle_translation(const Vec3& vertex, const PolygonView& polygon, const Vec3& motion,
                           const LinearGap& gap, const Vec3& normal, const ExpelZone& zone,
                           double limit) {
  const double at =
      settle(gap.low, std::min(gap.meet, limit), zone.thickness + zone.rounding,
             [&](double f) { return nearest_points(vertex + motion * f, polygon).distance; });
  return finish(at, gap.meet, normal, limit);
}

ZoneHit settle_translation(const EdgeView& moving, const EdgeView& still, const Vec3& motion,
                           const LinearGap& gap, const Vec3& normal, const ExpelZone& zone,
                           double limit) {
  const double at =
      settle(gap.low, std::min(gap.meet, limit), zone.thickness + zone.rounding, [&](double f) {
        return nearest_points(moving.from + motion * f, moving.to + motion * f, still.from,
                              still.to)
            .distance;
      });
  return finish(at, gap.meet, normal, limit);
}

bool skims(const Vec3& vertex, const PolygonView& polygon, const Vec3& motion, double alpha,
           double speed, const ExpelZone& zone, double limit, LinearGap& gap) {
  if (speed * speed > flat_slope * flat_slope * length_squared(motion)) return false;
  const double least = flat_share * zone.thickness;
  const double then = alpha > least ? (alpha - least) / speed : 0;
  if (!(then <= limit) || !is_over(vertex + motion * then, polygon)) return false;
  gap.meet = then;
  return true;
}

ZoneHit translate_vertex_polygon(const Vec3& vertex, const PolygonView& polygon, const Vec3& motion,
                                 const ExpelZone& zone, bool both_sides, double limit) {
  const double beta = dot(polygon.plane.normal, motion);
  if (!both_sides && !(beta < 0)) return {};
  const double side = beta < 0 ? 1 : -1;
  const double alpha = polygon.plane.signed_distance(vertex);
  LinearGap gap;
  // Of two sides a vertex is in front of one: on the plane itself, of the front.
  if (both_sides && (side > 0) != (alpha >= 0)) return {};
  if (!LinearGap::find(side * alpha, -side * beta, zone.rounding, zone.thickness, limit, gap))
    return {};
  bool inside = true;
  for (std::size_t i = 0; i < polygon.corners.size() && inside; ++i) {
    const std::size_t next = i + 1 == polygon.corners.size() ? 0 : i + 1;
    const Sides s = sides_of(vertex, motion, polygon.corners[i], polygon.corners[next], zone);
    inside = side > 0 ? s.left : s.right;
  }
  if (!inside && !skims(vertex, polygon, motion, side * alpha, -side * beta, zone, limit, gap))
    return {};
  return settle_translation(vertex, polygon, motion, gap, polygon.plane.normal * side, zone, limit);
}

ZoneHit translate_polygon_vertex(const PolygonView& polygon, const Vec3& vertex, const Vec3& motion,
                                 const ExpelZone& zone, bool both_sides, double limit) {
  ZoneHit hit = translate_vertex_polygon(vertex, polygon, -motion, zone, both_sides, limit);
  hit.normal = -hit.normal;
  return hit;
}

bool EdgePairNormal::find(const Vec3& d1, const Vec3& d2, const ExpelZone& zone,
                          EdgePairNormal& result) {
  const Vec3 n = cross(d1, d2);
  const double both = std::sqrt(length_squared(d1) * length_squared(d2));
  const double l = length(n);
  // Less than this, and rounding has a say in where the normal points: the ends of such edges are nearer to the other edge's polygons than e.
  constexpr double least_sine = 0x1p-40;
  if (!(l > least_sine * both)) return false;
  result.normal = n / l;
  result.behind = std::min(zone.rounding * both / l, 0.25 * zone.thickness);
  return true;
}

ZoneHit translate_edge_edge(const EdgeView& moving, const EdgeView& still, const Vec3& motion,
                            const ExpelZone& zone, double limit) {
  EdgePairNormal pair;
  if (!EdgePairNormal::find(moving.to - moving.from, still.to - still.from, zone, pair)) return {};
  const double change = dot(pair.normal, motion);
  const Vec3 normal = change > 0 ? -pair.normal : pair.normal;
  LinearGap gap;
  if (!LinearGap::find(dot(normal, moving.from - still.from), std::fabs(change), pair.behind,
                       zone.thickness, limit, gap))
    return {};
  if (!supports(still.inward, normal) || !supports(moving.inward, -normal)) return {};
  const auto passes = [&](const Vec3& p, const EdgeView& e) {
    return sides_of(p, motion, e.from, e.to, zone);
  };
  if (!straddles(passes(moving.from, still), passes(moving.to, still))) return {};
  if (!straddles(passes(still.from, moving), passes(still.to, moving))) return {};
  return settle_translation(moving, still, motion, gap, normal, zone, limit);
}

} // namespace carom
