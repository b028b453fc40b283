// All pairs of parts, cheapest refusals first.
//
// Rotation. A point keeps its distance from the axis and its height along it. So two parts meet only where the ranges of both overlap: four comparisons refuse most pairs. Then the gap, as a sinusoid of the angle, must come down to
// 0 at all.
#include "carom/math/plucker.h"
#include "carom/motion/polyhedral_rotation.h"
#include "carom/motion/polyhedral_search.h"

#include <algorithm>

namespace carom {
namespace {

using Kind = PolyhedralContact::Kind;

double radius_of(const Vec3& p) { return std::sqrt(p.x * p.x + p.y * p.y); }

TurnRing ring_of(const Vec3& p, double margin) {
  const double r = radius_of(p);
  return {r - margin, r + margin, p.z - margin, p.z + margin};
}

/// Of a segment: the nearest point of its projection to the origin.
TurnRing ring_of(const Vec3& a, const Vec3& b, double margin) {
  const double dx = b.x - a.x, dy = b.y - a.y, dd = dx * dx + dy * dy;
  const double t = dd > 0 ? std::clamp(-(a.x * dx + a.y * dy) / dd, 0.0, 1.0) : 0.0;
  const double x = a.x + dx * t, y = a.y + dy * t;
  return {std::sqrt(x * x + y * y) - margin, std::max(radius_of(a), radius_of(b)) + margin,
          std::min(a.z, b.z) - margin, std::max(a.z, b.z) + margin};
}

/// Of a polygon, which may be around the axis.
TurnRing ring_of(const PolygonView& p, double margin) {
  TurnRing ring{-margin, 0, INFINITY, -INFINITY};
  for (const Vec3& c : p.corners) {
    ring.far = std::max(ring.far, radius_of(c) + margin);
    ring.low = std::min(ring.low, c.z - margin);
    ring.high = std::max(ring.high, c.z + margin);
  }
  return ring;
}

class RotationSearch {
public:
  RotationSearch(const PlacedParts& moving, const PlacedParts& resting, const ExpelZone& zone,
                 const PolyhedralOptions& options, SearchMemory& memory, FirstHit& first)
      : m_(moving), s_(resting), zone_(zone), both_(options.both_sides), end_(first.limit),
        memory_(memory), first_(first) {}

  void run() {
    points_and_polygons(m_, s_, 1);
    points_and_polygons(s_, m_, -1);
    lines_of(m_, memory_.moving_lines);
    lines_of(s_, memory_.resting_lines);
    for (const TurnLine& q : memory_.resting_lines)
      for (const TurnLine& p : memory_.moving_lines)
        if (p.ring.meets(q.ring)) edge_pair(p, q);
  }

private:
  /// Way 1: the points turn; -1: the polygons do.
  void points_and_polygons(const PlacedParts& points, const PlacedParts& polygons, double way) {
    std::vector<TurnRing>& rings = memory_.rings;
    rings.clear();
    for (const Vec3& v : points.vertices()) rings.push_back(ring_of(v, 2 * zone_.thickness));
    for (const PlacedParts::Polygon& p : polygons.polygons()) {
      const PolygonView view = polygons.view(p);
      const TurnRing ring = ring_of(view, 0);
      for (std::uint32_t v = 0; v < points.vertices().size(); ++v) {
        if (!points.vertex_collides(v) || !ring.meets(rings[v])) continue;
        const ZoneHit hit = pair(points.vertices()[v], view, way);
        if (!hit.hit) continue;
        if (way > 0)
          first_.take(hit, Kind::vertex_polygon, points.vertex_id(v), p.id);
        else
          first_.take(hit, Kind::polygon_vertex, p.id, points.vertex_id(v));
      }
    }
  }

  [[nodiscard]] ZoneHit pair(const Vec3& point, const PolygonView& polygon, double way) const {
    const TurnCoefficients v = turning_gap(polygon.plane, point, way);
    // Most pairs end here: never so low as the zone.
    const double high = v.v0 - zone_.thickness;
    if (!both_ && high > 0 && high * high > v.v1 * v.v1 + v.v2 * v.v2) return {};
    return way > 0 ? rotate_vertex_polygon(point, polygon, zone_, both_, end_, first_.limit)
                   : rotate_polygon_vertex(polygon, point, zone_, both_, end_, first_.limit);
  }

  void lines_of(const PlacedParts& parts, std::vector<TurnLine>& lines) const {
    lines.clear();
    for (std::uint32_t i = 0; i < parts.edges().size(); ++i) {
      const PlacedParts::Edge& e = parts.edges()[i];
      if (!e.collides) continue;
      const Vec3 &a = parts.vertices()[e.from], &b = parts.vertices()[e.to];
      lines.push_back({plucker_through(a, b), ring_of(a, b, zone_.thickness), i});
    }
  }

  void edge_pair(const TurnLine& p, const TurnLine& q) {
    const TurnCoefficients v = turning_gap(p.line, q.line);
    const PlacedParts::Edge &own = m_.edges()[p.edge], &other = s_.edges()[q.edge];
    const double both = own.length * other.length;
    for (const double sign : {1.0, -1.0}) {
      TurningGap gap;
      if (!TurningGap::find(sign * v.v0, sign * v.v1, sign * v.v2, zone_.rounding * both,
                            zone_.rounding * both, zone_.thickness * both, first_.limit, gap))
        continue;
      first_.take(rotate_edge_edge(m_.view(own), s_.view(other), sign, gap, zone_, end_),
                  Kind::edge_edge, own.id, other.id);
    }
  }

  const PlacedParts &m_, &s_;
  const ExpelZone& zone_;
  const bool both_;
  const double end_;
  SearchMemory& memory_;
  FirstHit& first_;
};

} // namespace

void search_rotation(const PlacedParts& moving, const PlacedParts& resting, const ExpelZone& zone,
                     const PolyhedralOptions& options, SearchMemory& memory, FirstHit& first) {
  RotationSearch(moving, resting, zone, options, memory, first).run();
}

} // namespace carom
