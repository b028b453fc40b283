// All pairs of parts, cheapest refusals first.
//
// Translation. What refuses most: the time at which the moving body's box first reaches a part's box (later than the first hit, or never); polygons that face away; edges of two polygons that
// both face away. Then, for a resting edge, the plane through it along the motion: one product for each moving vertex says on which side it passes, and only moving edges with ends on
// different sides go on. The signs of what is left are remembered.
#include "carom/motion/polyhedral_search.h"

#include "carom/motion/polyhedral_translation.h"

#include <algorithm>
#include <tuple>

namespace carom {

void FirstHit::take(const ZoneHit& h, PolyhedralContact::Kind k, std::uint32_t moving,
                    std::uint32_t resting) {
  if (!h.hit || h.at > limit) return;
  if (hit.hit && h.at == hit.at && found &&
      std::tuple(kind, on_moving, on_resting) <= std::tuple(k, moving, resting))
    return;
  if (hit.hit && h.at == hit.at && !found) return; // of an earlier body
  hit = h;
  limit = h.at;
  kind = k;
  on_moving = moving;
  on_resting = resting;
  found = true;
}

void PassingSides::start(std::size_t rows, std::size_t columns, bool remember) {
  // More than a few megabytes cost more to clear than they save.
  constexpr std::size_t most = std::size_t{1} << 21;
  columns_ = columns;
  remember_ = remember && rows < most && columns < most && rows * columns < most;
  if (remember_) bits_.assign(rows * columns / 2 + 1, 0);
}

namespace {

using Kind = PolyhedralContact::Kind;

/// When a moving box reaches others.
struct MovingBox {
  Vec3 min, max, motion;
  double margin;

  MovingBox(std::span<const Vec3> points, const Vec3& along, double by)
      : motion(along), margin(by) {
    min = max = points.empty() ? Vec3{} : points[0];
    for (const Vec3& p : points) {
      min = carom::min(min, p);
      max = carom::max(max, p);
    }
  }
  /// Whether it has a point in common with [low, high] at a time from 0 to `limit`.
  [[nodiscard]] bool reaches(const Vec3& low, const Vec3& high, double limit) const {
    double enter = 0, leave = limit;
    for (int i = 0; i < 3; ++i) {
      const double ahead = low[i] - margin - max[i], behind = high[i] + margin - min[i];
      const double v = motion[i];
      if (v == 0) {
        if (ahead > 0 || behind < 0) return false;
        continue;
      }
      const double t0 = (v > 0 ? ahead : behind) / v, t1 = (v > 0 ? behind : ahead) / v;
      enter = std::max(enter, t0);
      leave = std::min(leave, t1);
    }
    return enter <= leave;
  }
};

class TranslationSearch {
public:
  TranslationSearch(const PlacedParts& moving, const PlacedParts& resting, const Vec3& motion,
                    const ExpelZone& zone, const PolyhedralOptions& options, SearchMemory& memory,
                    FirstHit& first)
      : m_(moving), s_(resting), v_(motion), zone_(zone), both_(options.both_sides),
        box_(moving.vertices(), motion, 2 * zone.thickness), memory_(memory), first_(first) {
    memory_.moving_vertices.start(s_.edges().size(), m_.vertices().size(), options.sidedness_cache);
    memory_.resting_vertices.start(s_.vertices().size(), m_.edges().size(),
                                   options.sidedness_cache);
  }

  void run() {
    if (!(length_squared(v_) > 0)) return;
    find_planes(s_, memory_.resting_planes);
    for (const PlacedParts::Polygon& p : s_.polygons()) vertices_at(p);
    prepare_moving();
    for (std::uint32_t c = 0; c < s_.vertices().size(); ++c)
      if (s_.vertex_collides(c)) polygons_at(c);
    for (std::uint32_t q = 0; q < s_.edges().size(); ++q)
      if (s_.edges()[q].collides) edges_at(q);
  }

private:
  using Sides = PassingSides::Sides;

  void find_planes(const PlacedParts& parts, std::vector<PassingPlane>& planes) const {
    planes.clear();
    const double rounding = zone_.rounding * length(v_);
    for (const PlacedParts::Edge& e : parts.edges()) {
      const Vec3& a = parts.vertices()[e.from];
      const Vec3 normal = cross(parts.vertices()[e.to] - a, v_);
      planes.push_back(
          {normal, dot(normal, a), zone_.lateral * length(normal) + rounding * e.length});
    }
  }
  [[nodiscard]] static Sides judge(const Vec3& point, const PassingPlane& plane) {
    const double side = dot(plane.normal, point) - plane.offset;
    return {side >= -plane.slack, side <= plane.slack};
  }
  [[nodiscard]] Sides moving_vertex(std::uint32_t v, std::uint32_t edge) {
    return memory_.moving_vertices.of(
        edge, v, [&] { return judge(m_.vertices()[v], memory_.resting_planes[edge]); });
  }
  [[nodiscard]] Sides resting_vertex(std::uint32_t v, std::uint32_t edge) {
    return memory_.resting_vertices.of(
        v, edge, [&] { return judge(s_.vertices()[v], memory_.moving_planes[edge]); });
  }

  /// Which side of a polygon is ahead of what comes along `motion`: 1 the front, -1 the back, 0 none that counts.
  [[nodiscard]] double facing(const Plane& plane, const Vec3& motion) const {
    const double beta = dot(plane.normal, motion);
    return beta < 0 ? 1 : beta > 0 && both_ ? -1 : 0;
  }

  /// Inside of all sides, `want` being the sign of a passing on the left of a side that runs as its edge does.
  template<class SidesOf>
  [[nodiscard]] bool inside(std::span<const std::uint32_t> sides, double want, SidesOf&& of) {
    for (const std::uint32_t side : sides) {
      const Sides s = of(side / 2);
      if (!((side % 2 == 0) == (want > 0) ? s.left : s.right)) return false;
    }
    return true;
  }

  [[nodiscard]] bool gap_of(const Plane& plane, double side, const Vec3& point, double speed,
                            LinearGap& gap) const {
    const double alpha = plane.signed_distance(point);
    if (both_ && (side > 0) != (alpha >= 0)) return false;
    return LinearGap::find(side * alpha, speed, zone_.rounding, zone_.thickness, first_.limit, gap);
  }

  void vertices_at(const PlacedParts::Polygon& p) {
    const double side = facing(p.plane, v_);
    const Aabb& own = s_.body().polygons()[p.id].box;
    if (side == 0 || !box_.reaches(own.min, own.max, first_.limit)) return;
    const double speed = std::fabs(dot(p.plane.normal, v_));
    for (std::uint32_t v = 0; v < m_.vertices().size(); ++v) {
      LinearGap gap;
      if (!gap_of(p.plane, side, m_.vertices()[v], speed, gap) || !m_.vertex_collides(v)) continue;
      if (!inside(s_.sides(p), side, [&](std::uint32_t e) { return moving_vertex(v, e); }) &&
          !skims(m_.vertices()[v], s_.view(p), v_, side * p.plane.signed_distance(m_.vertices()[v]),
                 speed, zone_, 1, gap))
        continue;
      first_.take(settle_translation(m_.vertices()[v], s_.view(p), v_, gap, p.plane.normal * side,
                                     zone_, 1),
                  Kind::vertex_polygon, m_.vertex_id(v), p.id);
    }
  }

  /// The moving polygons that face ahead; the moving edges that can be the first to touch; the coordinates of moving vertices one after the other.
  void prepare_moving() {
    find_planes(m_, memory_.moving_planes);
    memory_.facing.clear();
    for (const PlacedParts::Polygon& p : m_.polygons()) {
      const double side = facing(p.plane, -v_);
      if (side == 0) continue;
      memory_.facing.push_back({&p, side, std::fabs(dot(p.plane.normal, v_))});
    }
    memory_.active.clear();
    for (std::uint32_t e = 0; e < m_.edges().size(); ++e)
      if (m_.edges()[e].collides && leads(m_, m_.edges()[e], v_)) memory_.active.push_back(e);
    const std::size_t n = m_.vertices().size();
    memory_.coordinates.resize(3 * n);
    memory_.passing.resize(n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < 3; ++k)
        memory_.coordinates[k * n + i] = m_.vertices()[i][static_cast<int>(k)];
  }

  /// Whether a ridge has a polygon that faces ahead. Of other edges nothing is said.
  [[nodiscard]] bool leads(const PlacedParts& parts, const PlacedParts::Edge& e,
                           const Vec3& motion) const {
    const PolyhedralEdge& own = parts.body().edges()[e.id];
    if (both_ || own.kind != PolyhedralEdgeKind::convex) return true;
    const Vec3 local = parts.frame().direction_to_local(motion);
    const double allowed = -support_slack * length(motion);
    for (const std::uint32_t p : own.polygons)
      if (dot(parts.body().polygons()[p].plane.normal, local) >= allowed) return true;
    return false;
  }

  void polygons_at(std::uint32_t c) {
    const Vec3& point = s_.vertices()[c];
    if (!box_.reaches(point, point, first_.limit)) return;
    for (const FacingPolygon& f : memory_.facing) {
      LinearGap gap;
      if (!gap_of(f.polygon->plane, f.side, point, f.speed, gap)) continue;
      if (!inside(m_.sides(*f.polygon), -f.side,
                  [&](std::uint32_t e) { return resting_vertex(c, e); }) &&
          !skims(point, m_.view(*f.polygon), -v_, f.side * f.polygon->plane.signed_distance(point),
                 f.speed, zone_, 1, gap))
        continue;
      first_.take(settle_translation(point, m_.view(*f.polygon), -v_, gap,
                                     f.polygon->plane.normal * -f.side, zone_, 1),
                  Kind::polygon_vertex, f.polygon->id, s_.vertex_id(c));
    }
  }

  void edges_at(std::uint32_t q) {
    const PlacedParts::Edge& e = s_.edges()[q];
    const Vec3 &c = s_.vertices()[e.from], &d = s_.vertices()[e.to];
    if (!leads(s_, e, -v_) || !box_.reaches(min(c, d), max(c, d), first_.limit)) return;
    const Vec3 plane = memory_.resting_planes[q].normal;
    const double offset = memory_.resting_planes[q].offset, slack = memory_.resting_planes[q].slack;
    const std::size_t n = m_.vertices().size();
    const double *x = memory_.coordinates.data(), *y = x + n, *z = y + n;
    double* side = memory_.passing.data();
    for (std::size_t i = 0; i < n; ++i)
      side[i] = (plane.x * x[i] + plane.y * y[i] + plane.z * z[i]) - offset;
    for (const std::uint32_t j : memory_.active) {
      const PlacedParts::Edge& other = m_.edges()[j];
      const double a = side[other.from], b = side[other.to];
      if ((a < -slack && b < -slack) || (a > slack && b > slack)) continue;
      edge_pair(e, j);
    }
  }

  void edge_pair(const PlacedParts::Edge& still, std::uint32_t j) {
    const PlacedParts::Edge& own = m_.edges()[j];
    const Sides from = resting_vertex(still.from, j), to = resting_vertex(still.to, j);
    if (!((from.left && to.right) || (from.right && to.left))) return;
    const EdgeView still_edge = s_.view(still), moving_edge = m_.view(own);
    EdgePairNormal pair;
    if (!EdgePairNormal::find(moving_edge.to - moving_edge.from, still_edge.to - still_edge.from,
                              zone_, pair))
      return;
    const double change = dot(pair.normal, v_);
    const Vec3 normal = change > 0 ? -pair.normal : pair.normal;
    LinearGap gap;
    if (!LinearGap::find(dot(normal, moving_edge.from - still_edge.from), std::fabs(change),
                         pair.behind, zone_.thickness, first_.limit, gap))
      return;
    if (!supports(still_edge.inward, normal) || !supports(moving_edge.inward, -normal)) return;
    first_.take(settle_translation(moving_edge, still_edge, v_, gap, normal, zone_, 1),
                Kind::edge_edge, own.id, still.id);
  }

  const PlacedParts &m_, &s_;
  const Vec3 v_;
  const ExpelZone& zone_;
  const bool both_;
  const MovingBox box_;
  SearchMemory& memory_;
  FirstHit& first_;
};

} // namespace

void search_translation(const PlacedParts& moving, const PlacedParts& resting, const Vec3& motion,
                        const ExpelZone& zone, const PolyhedralOptions& options,
                        SearchMemory& memory, FirstHit& first) {
  TranslationSearch(moving, resting, motion, zone, options, memory, first).run();
}

} // namespace carom
