#include "carom/motion/polyhedral_rotation.h"

#include "carom/motion/polyhedral_translation.h"

#include <algorithm>

namespace carom {
namespace {

/// tan(angle / 2) of where v0 + v2 cos + v1 sin falls through 0; the root is real, but for rounding. Negative: it did so in the last half turn.
double falling_root(double v0, double v1, double v2, double swing) {
  const double discriminant = (swing - v0) * (swing + v0); // b^2 - a c
  const double root = discriminant > 0 ? std::sqrt(discriminant) : 0;
  if (v1 < 0) return (v0 + v2) / (root - v1);
  const double a = v0 - v2;
  return a == 0 ? INFINITY : -(v1 + root) / a;
}

/// Of where it is greatest: the angle of (v2, v1).
double peak(double v1, double v2, double swing) {
  if (v2 >= 0) return v1 / (v2 + swing);
  return v1 == 0 ? INFINITY : (swing - v2) / v1;
}

/// How far a thing of this radius gets while the gap changes by a rounding.
double uncertainty(const TurningGap& gap, double radius, double rounding) {
  return radius * rounding / std::max(gap.slope, std::sqrt(rounding * gap.swing));
}

double radius_of(const Vec3& p) { return std::sqrt(p.x * p.x + p.y * p.y); }

ZoneHit finish(double at, double meet, const Vec3& normal, double limit) {
  ZoneHit hit;
  if (!(at >= 0 && at <= limit)) return hit;
  hit.hit = true;
  hit.at = at;
  hit.meet = meet;
  hit.normal = normal;
  return hit;
}

} // namespace

bool TurningGap::find(double v0, double v1, double v2, double rounding, double behind,
                      double thickness, double limit, TurningGap& result) {
  const double square = v1 * v1 + v2 * v2;
  if (v0 > rounding && (v0 - rounding) * (v0 - rounding) > square) return false;  // stays in front
  if (v0 < -rounding && (v0 + rounding) * (v0 + rounding) > square) return false; // stays behind
  const double swing = std::sqrt(square);
  if (!(swing > 0)) return false;
  double meet = falling_root(v0, v1, v2, swing);
  const double start = v0 + v2;
  if (start <= 0 && start >= -behind && v1 <= 0 && !(v1 == 0 && v2 < 0)) meet = 0;
  if (!(meet >= 0)) return false;
  // From where the gap is e, or greatest, it falls all the way. Either may be before the start: an angle that is negative, or more than that of the meeting.
  double low =
      v0 + swing >= thickness ? falling_root(v0 - thickness, v1, v2, swing) : peak(v1, v2, swing);
  if (!(low >= 0 && low <= meet)) low = 0;
  if (!(low <= limit)) return false;
  const double discriminant = (swing - v0) * (swing + v0);
  result = {low, meet, discriminant > 0 ? std::sqrt(discriminant) : 0, swing};
  return true;
}

ZoneHit rotate_vertex_polygon(const Vec3& vertex, const PolygonView& polygon, double way,
                              double sign, const TurningGap& gap, const ExpelZone& zone,
                              double end) {
  const auto placed = [&](double r) {
    const ZTurn turn(r);
    return way > 0 ? turn(vertex) : turn.back(vertex);
  };
  const Vec3 there = placed(gap.meet);
  const double slack = zone.lateral + uncertainty(gap, radius_of(vertex), zone.rounding);
  const Vec3& n = polygon.plane.normal;
  for (std::size_t i = 0; i < polygon.corners.size(); ++i) {
    const Vec3& a = polygon.corners[i];
    const Vec3 d = polygon.corners[i + 1 == polygon.corners.size() ? 0 : i + 1] - a;
    const double side = dot(cross(n, d), there - a);
    if (side < 0 && side * side > slack * slack * length_squared(d)) return {};
  }
  const double at = settle(gap.low, std::min(gap.meet, end), zone.thickness + zone.rounding,
                           [&](double r) { return nearest_points(placed(r), polygon).distance; });
  const Vec3 normal = way > 0 ? n : -ZTurn(gap.meet)(n);
  return finish(at, gap.meet, normal * sign, end);
}

namespace {

ZoneHit either_side(const Vec3& vertex, const PolygonView& polygon, double way,
                    const ExpelZone& zone, bool both_sides, double end, double limit) {
  const TurnCoefficients v = turning_gap(polygon.plane, vertex, way);
  ZoneHit best;
  for (const double sign : {1.0, -1.0}) {
    if (sign < 0 && !both_sides) break;
    // Of two sides a vertex is in front of one: on the plane itself, of the front.
    if (sign < 0 && v.v0 + v.v2 == 0 && v.v1 >= 0) continue;
    const double behind = both_sides ? 0 : zone.rounding;
    TurningGap gap;
    const double first = std::min(end, limit);
    ZoneHit hit;
    if (TurningGap::find(sign * v.v0, sign * v.v1, sign * v.v2, zone.rounding, behind,
                         zone.thickness, first, gap))
      hit = rotate_vertex_polygon(vertex, polygon, way, sign, gap, zone, end);
    if (!hit.hit) {
      // A flat path: over the polygon at half of e?
      const double least = flat_share * zone.thickness;
      if (TurningGap::find(sign * v.v0 - least, sign * v.v1, sign * v.v2, 0, least,
                           zone.thickness - least, first, gap) &&
          gap.slope <= flat_slope * radius_of(vertex) && gap.meet <= end)
        hit = rotate_vertex_polygon(vertex, polygon, way, sign, gap, zone, end);
    }
    if (hit.hit && (!best.hit || hit.at < best.at)) best = hit;
  }
  return best;
}

} // namespace

ZoneHit rotate_vertex_polygon(const Vec3& vertex, const PolygonView& polygon, const ExpelZone& zone,
                              bool both_sides, double end, double limit) {
  return either_side(vertex, polygon, 1, zone, both_sides, end, limit);
}

ZoneHit rotate_polygon_vertex(const PolygonView& polygon, const Vec3& vertex, const ExpelZone& zone,
                              bool both_sides, double end, double limit) {
  return either_side(vertex, polygon, -1, zone, both_sides, end, limit);
}

namespace {

/// A flat path of two edges, on which they slide off each other before they meet: whether they still cross when the gap is half of e; then that counts as the meeting.
bool skims(const EdgeView& moving, const EdgeView& still, double sign, const TurningGap& gap,
           const ExpelZone& zone, double end, double& meet) {
  const double least = flat_share * zone.thickness;
  const auto gap_at = [&](double r) {
    const ZTurn turn(r);
    const Vec3 a = turn(moving.from), n = cross(turn(moving.to) - a, still.to - still.from);
    return sign * dot(n, a - still.from) / length(n);
  };
  double low = gap.low, high = std::min(gap.meet, end);
  if (gap_at(low) <= least) high = low;
  if (!(gap_at(high) <= least)) return false;
  for (int i = 0; i < 40 && low < high; ++i) {
    const double middle = low + (high - low) * 0.5;
    (gap_at(middle) <= least ? high : low) = middle;
  }
  const ZTurn turn(high);
  const FeaturePoints then =
      nearest_points(turn(moving.from), turn(moving.to), still.from, still.to);
  if (then.distance > least + zone.lateral) return false;
  meet = high;
  return true;
}

} // namespace

ZoneHit rotate_edge_edge(const EdgeView& moving, const EdgeView& still, double sign,
                         const TurningGap& gap, const ExpelZone& zone, double end) {
  const ZTurn turn(gap.meet);
  const Vec3 a = turn(moving.from), d1 = turn(moving.to) - a, d2 = still.to - still.from;
  EdgePairNormal pair;
  if (!EdgePairNormal::find(d1, d2, zone, pair)) return {};
  const Vec3 normal = pair.normal * sign;
  if (!supports(still.inward, normal)) return {};
  if (!supports({turn(moving.inward[0]), turn(moving.inward[1])}, -normal)) return {};
  // When the lines meet, the edges are as near as the meeting is to being in bounds.
  const double radius = std::max(radius_of(moving.from), radius_of(moving.to));
  const double both = std::sqrt(length_squared(d1) * length_squared(d2));
  const double slack = zone.lateral + uncertainty(gap, radius, zone.rounding * both);
  const FeaturePoints then = nearest_points(a, turn(moving.to), still.from, still.to);
  double meet = gap.meet;
  if (then.distance > slack) {
    const bool flat = gap.slope <= flat_slope * radius * length(cross(d1, d2));
    if (!flat || !skims(moving, still, sign, gap, zone, end, meet)) return {};
  }
  const double at =
      settle(gap.low, std::min(meet, end), zone.thickness + zone.rounding, [&](double r) {
        const ZTurn t(r);
        return nearest_points(t(moving.from), t(moving.to), still.from, still.to).distance;
      });
  return finish(at, meet, normal, end);
}

ZoneHit rotate_edge_edge(const EdgeView& moving, const EdgeView& still, const ExpelZone& zone,
                         double end) {
  const PluckerLine p = plucker_through(moving.from, moving.to);
  const PluckerLine q = plucker_through(still.from, still.to);
  const TurnCoefficients v = turning_gap(p, q);
  const double both = std::sqrt(length_squared(p.direction) * length_squared(q.direction));
  ZoneHit best;
  for (const double sign : {1.0, -1.0}) {
    TurningGap gap;
    if (!TurningGap::find(sign * v.v0, sign * v.v1, sign * v.v2, zone.rounding * both,
                          zone.rounding * both, zone.thickness * both, end, gap))
      continue;
    const ZoneHit hit = rotate_edge_edge(moving, still, sign, gap, zone, end);
    if (hit.hit && (!best.hit || hit.at < best.at)) best = hit;
  }
  return best;
}

} // namespace carom
