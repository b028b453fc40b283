// Segments are compared by what carries them, not by where they are: the triangle, edge or degenerate triangle of each surface inside of which a segment lies. Two triangles that cross carry it
// themselves; where one has an edge in the other's plane, that edge does. The carriers are found by exact signs. What the answer lists and what all pairs of triangles say must be the same set of carriers, each once.
#include "carom/verify/check_intersection.h"

#include "carom/geometry/triangle_neighbours.h"
#include "carom/geometry/triangle_triangle.h"
#include "carom/math/predicates.h"

#include <algorithm>
#include <map>
#include <set>

namespace carom::verify {
namespace {

using Kind = TriangleIntersection::Kind;
using Ids = std::vector<std::uint32_t>; ///< ascending, of vertices by place

/// A triangle of each surface, by number.
struct Cut {
  std::uint32_t a, b;

  Cut(std::uint32_t on_a, std::uint32_t on_b) : a(on_a), b(on_b) {}
  explicit Cut(const TrianglePartPair& t) : a(t.a.element), b(t.b.element) {}
};

/// One of the surfaces: its vertices numbered by place, its triangles without copies.
class Sheet {
public:
  explicit Sheet(const PlacedTriangles& t) : t_(t) {
    std::map<std::array<double, 3>, std::uint32_t> places;
    for (const Vec3& v : t.vertices) {
      const auto next = static_cast<std::uint32_t>(places.size());
      ids_.push_back(places.try_emplace({v.x, v.y, v.z}, next).first->second);
    }
    std::map<Ids, std::uint32_t> known;
    for (std::uint32_t i = 0; i < t.triangles.size(); ++i) {
      Ids corners = all_of(i);
      first_.push_back(known.try_emplace(corners, i).second);
      if (!first_.back() || is_degenerate((*this)[i])) continue;
      for (std::size_t k = 0; k < 3; ++k) {
        Ids edge = corners;
        edge.erase(edge.begin() + static_cast<std::ptrdiff_t>(k));
        ++triangles_at_[edge];
      }
    }
  }

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(first_.size()); }
  [[nodiscard]] bool is_first(std::uint32_t i) const { return first_[i]; }
  [[nodiscard]] Triangle operator[](std::uint32_t i) const {
    const auto& [a, b, c] = t_.triangles[i];
    return {t_.vertices[a], t_.vertices[b], t_.vertices[c]};
  }
  [[nodiscard]] std::uint32_t id(std::uint32_t triangle, int corner) const {
    return ids_[t_.triangles[triangle][static_cast<std::size_t>(corner)]];
  }
  [[nodiscard]] Ids all_of(std::uint32_t triangle) const {
    Ids all{id(triangle, 0), id(triangle, 1), id(triangle, 2)};
    std::sort(all.begin(), all.end());
    return all;
  }
  /// From a corner to the next.
  [[nodiscard]] Ids edge_of(std::uint32_t triangle, int from) const {
    const std::uint32_t p = id(triangle, from), q = id(triangle, (from + 1) % 3);
    return {std::min(p, q), std::max(p, q)};
  }
  [[nodiscard]] int triangles_at(const Ids& edge) const { return triangles_at_.at(edge); }
  [[nodiscard]] bool have_common_corner(std::uint32_t i, std::uint32_t j) const {
    const Ids p = all_of(i), q = all_of(j);
    return std::any_of(p.begin(), p.end(), [&](std::uint32_t v) {
      return std::find(q.begin(), q.end(), v) != q.end();
    });
  }

private:
  PlacedTriangles t_;
  Ids ids_;
  std::vector<bool> first_;
  std::map<Ids, int> triangles_at_; ///< of each edge: those with an area
};

bool before(const Vec3& a, const Vec3& b) {
  return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
}

/// From the first corner of all to the last: the segment that a triangle without area is.
struct Extent {
  int low = 0, high = 0;
};
Extent extent_of(const Triangle& t) {
  Extent e;
  for (int i = 1; i < 3; ++i) {
    if (before(t[i], t[e.low])) e.low = i;
    if (before(t[e.high], t[i])) e.high = i;
  }
  return e;
}

/// Whether the segments are on one line, and have more than a point in common.
bool overlap_along(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& s) {
  if (!is_degenerate({p, q, r}) || !is_degenerate({p, q, s})) return false;
  const Vec3 &low_p = before(p, q) ? p : q, &high_p = before(p, q) ? q : p;
  const Vec3 &low_r = before(r, s) ? r : s, &high_r = before(r, s) ? s : r;
  return before(before(low_p, low_r) ? low_r : low_p, before(high_p, high_r) ? high_p : high_r);
}

/// What of triangle i carries the segment that it has in common with `other`.
Ids carrier(const Sheet& sheet, std::uint32_t i, const Triangle& other) {
  const Triangle t = sheet[i];
  if (is_degenerate(t)) {
    const Extent e = extent_of(t);
    Ids ends{sheet.id(i, e.low), sheet.id(i, e.high)};
    std::sort(ends.begin(), ends.end());
    return ends;
  }
  const auto along_edge_of_other = [&](int k) {
    const Vec3 &p = t[k], &q = t[(k + 1) % 3];
    const bool line = is_degenerate(other);
    const Extent e = extent_of(other);
    for (int j = 0; j < (line ? 1 : 3); ++j)
      if (overlap_along(p, q, other[line ? e.low : j], other[line ? e.high : (j + 1) % 3]))
        return true;
    return false;
  };
  const auto side = [&](int k) { return orient3d(other.a, other.b, other.c, t[k]); };
  const bool flat = side(0) == 0 && side(1) == 0 && side(2) == 0;
  for (int k = 0; k < 3; ++k) {
    const bool on_edge = flat ? along_edge_of_other(k) : side(k) == 0 && side((k + 1) % 3) == 0;
    if (on_edge) return sheet.edge_of(i, k);
  }
  return sheet.all_of(i);
}

/// Where an edge of `sheet`'s triangle i passes strictly through the inside of `other`.
struct Piercing {
  Ids edge;
  Vec3 point;
};
std::vector<Piercing> piercings(const Sheet& sheet, std::uint32_t i, const Triangle& other) {
  std::vector<Piercing> result;
  const Triangle t = sheet[i];
  for (int k = 0; k < 3; ++k) {
    const Vec3 &p = t[k], &q = t[(k + 1) % 3];
    const auto side = [&](const Vec3& v) { return orient3d(other.a, other.b, other.c, v); };
    if (side(p) * side(q) >= 0) continue;
    const int way = orient3d(p, q, other.a, other.b);
    if (way == 0 || orient3d(p, q, other.b, other.c) != way ||
        orient3d(p, q, other.c, other.a) != way)
      continue;
    result.push_back({sheet.edge_of(i, k), intersect({p, q, q}, other).points[0]});
  }
  return result;
}

class Check {
public:
  Check(const PlacedTriangles& a, const PlacedTriangles& b, const SurfaceIntersection& answer,
        double tolerance)
      : a_(a), b_(b), answer_(answer), tolerance_(tolerance) {}

  [[nodiscard]] Verdict all() {
    for (auto part : {&Check::curves, &Check::points, &Check::overlaps, &Check::every_pair})
      if (Verdict v = (this->*part)(); !v) return v;
    return Verdict::yes();
  }

private:
  using Carriers = std::pair<Ids, Ids>;

  [[nodiscard]] bool near(const Vec3& p, const Vec3& q) const {
    const Vec3 d = abs(p - q); // not near where either is not a number
    return d.x <= tolerance_ && d.y <= tolerance_ && d.z <= tolerance_;
  }
  [[nodiscard]] Verdict exists(const Cut& t) const {
    if (t.a >= a_.size() || t.b >= b_.size()) return Verdict::no("a triangle that does not exist");
    if (!a_.is_first(t.a) || !b_.is_first(t.b)) return Verdict::no("not the first of its copies");
    return Verdict::yes();
  }
  [[nodiscard]] TriangleIntersection common(const Cut& t) const {
    return intersect(a_[t.a], b_[t.b]);
  }

  [[nodiscard]] Verdict curves() {
    for (const IntersectionCurve& c : answer_.curves) {
      const std::size_t n = c.points.size();
      if (n < 2 || c.triangles.size() != (c.closed ? n : n - 1))
        return Verdict::no("a curve's points and segments do not fit together");
      for (std::size_t i = 0; i < c.segment_count(); ++i) {
        if (Verdict v = segment(c, i); !v) return v;
        const bool last = i + 1 == c.segment_count();
        if (last && !c.closed) continue;
        const Cut t(c.triangles[i]), next(c.triangles[last ? 0 : i + 1]);
        if (!a_.have_common_corner(t.a, next.a) || !b_.have_common_corner(t.b, next.b))
          return Verdict::no("a curve goes on where triangles are no neighbours");
      }
      listed_points_.insert(listed_points_.end(), c.points.begin(), c.points.end());
      if (c.closed) continue;
      if (Verdict v = end_is_at_border(c.points[0], c.points[1], Cut(c.triangles.front())); !v)
        return v;
      if (Verdict v = end_is_at_border(c.points[n - 1], c.points[n - 2], Cut(c.triangles.back()));
          !v)
        return v;
    }
    return Verdict::yes();
  }

  [[nodiscard]] Verdict segment(const IntersectionCurve& c, std::size_t i) {
    const Cut t(c.triangles[i]);
    if (Verdict v = exists(t); !v) return v;
    const TriangleIntersection all = common(t);
    const Vec3 &p = c.begin_of(i), &q = c.end_of(i), &r = all.points[0], &s = all.points[1];
    if (all.kind != Kind::segment) return Verdict::no("triangles that do not meet in a segment");
    if (!(near(p, r) && near(q, s)) && !(near(p, s) && near(q, r)))
      return Verdict::no("a segment is not what its triangles have in common");
    if (!listed_.insert(carriers(t)).second) return Verdict::no("a segment twice");
    return Verdict::yes();
  }
  [[nodiscard]] Carriers carriers(const Cut& t) const {
    return {carrier(a_, t.a, b_[t.b]), carrier(b_, t.b, a_[t.a])};
  }

  /// Says something where the end of the segment is at a piercing without doubt, and its other end is not.
  [[nodiscard]] Verdict end_is_at_border(const Vec3& end, const Vec3& other_end,
                                         const Cut& t) const {
    int candidates = 0;
    bool border = true;
    const auto look = [&](const Sheet& sheet, const std::vector<Piercing>& found) {
      for (const Piercing& p : found) {
        if (!near(p.point, end)) continue;
        ++candidates;
        border = near(p.point, other_end) || sheet.triangles_at(p.edge) != 2;
      }
    };
    look(a_, piercings(a_, t.a, b_[t.b]));
    look(b_, piercings(b_, t.b, a_[t.a]));
    return border || candidates != 1 ? Verdict::yes()
                                     : Verdict::no("a curve ends at an edge with two triangles");
  }

  [[nodiscard]] Verdict points() {
    for (const TouchingPoint& p : answer_.points) {
      if (Verdict v = exists(Cut(p.triangles)); !v) return v;
      const TriangleIntersection all = common(Cut(p.triangles));
      if (all.kind != Kind::point || !near(all.points[0], p.point))
        return Verdict::no("a point is not what its triangles have in common");
      listed_points_.push_back(p.point);
    }
    return Verdict::yes();
  }

  [[nodiscard]] Verdict overlaps() {
    for (const CoplanarOverlap& o : answer_.overlaps) {
      const Cut t(o.triangles);
      if (Verdict v = exists(t); !v) return v;
      const TriangleIntersection all = common(t);
      if (all.kind != Kind::polygon || all.count != o.count)
        return Verdict::no("an area is not what its triangles have in common");
      if (!has_same_corners(all, o)) return Verdict::no("an area with other corners");
      if (!areas_.emplace(t.a, t.b).second) return Verdict::no("an area twice");
      listed_points_.insert(listed_points_.end(), o.points.begin(), o.points.begin() + o.count);
    }
    return Verdict::yes();
  }
  /// Both go around: from one begin, the one way or the other.
  [[nodiscard]] bool has_same_corners(const TriangleIntersection& all,
                                      const CoplanarOverlap& o) const {
    const int n = o.count;
    for (int shift = 0; shift < n; ++shift) {
      for (const int way : {1, n - 1}) {
        bool same = true;
        for (int i = 0; i < n && same; ++i)
          same = near(all.points[static_cast<std::size_t>((shift + i * way) % n)],
                      o.points[static_cast<std::size_t>(i)]);
        if (same) return true;
      }
    }
    return false;
  }

  [[nodiscard]] Verdict every_pair() {
    for (std::uint32_t i = 0; i < a_.size(); ++i)
      for (std::uint32_t j = 0; j < b_.size(); ++j)
        if (a_.is_first(i) && b_.is_first(j))
          if (Verdict v = is_listed(Cut(i, j)); !v) return v;
    return Verdict::yes();
  }
  [[nodiscard]] Verdict is_listed(const Cut& t) const {
    const TriangleIntersection all = common(t);
    if (all.kind == Kind::polygon && !areas_.contains({t.a, t.b}))
      return Verdict::no("triangles that overlap in an area are not listed");
    if (all.kind == Kind::segment && !listed_.contains(carriers(t)))
      return Verdict::no("triangles that meet in a segment are in no curve");
    if (all.kind == Kind::point &&
        std::none_of(listed_points_.begin(), listed_points_.end(),
                     [&](const Vec3& p) { return near(p, all.points[0]); }))
      return Verdict::no("triangles that meet in a point are not listed");
    return Verdict::yes();
  }

  Sheet a_, b_;
  const SurfaceIntersection& answer_;
  double tolerance_;
  std::set<Carriers> listed_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> areas_;
  std::vector<Vec3> listed_points_;
};

} // namespace

Verdict check_intersection(const PlacedTriangles& a, const PlacedTriangles& b,
                           const SurfaceIntersection& answer, double tolerance) {
  return Check(a, b, answer, tolerance).all();
}

} // namespace carom::verify
