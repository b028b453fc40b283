// The axes are those of the difference of B and A, a polytope in which the moving origin of A is a point: each is cut as two
// planes cut a line. That is complete where the axes are all its face normals:
//   solid or flat A and B that span space together: their normals and the cross products of their edges;
//   two flat ones in one plane: the plane's normal and their edges' normals within it, which flat views have;
//   a segment in the plane of the other: the segment's normals, which say the same as the one within the plane does;
//   collinear segments, and points: the axes of the world, which tell any two points of a line apart.
// As in the static test, a rounded axis only ever loses a separation: the shadows on it are computed as it stands.
#include "carom/geometry/sweep_convex.h"

#include "carom/geometry/gjk.h"
#include "carom/geometry/sweep_axes.h"
#include "carom/math/tolerance.h"

#include <algorithm>
#include <cstddef>

namespace carom {
namespace {

using sweep_detail::AxisSweep;
using sweep_detail::Phase;
using sweep_detail::phase;
using sweep_detail::Range;

Vec3 lift(const Vec3& v) { return v; }
Vec3 lift(const Vec2& v) { return {v.x, v.y, 0}; }

/// The hull of some points, moved.
template<class Point>
struct MovedHull {
  std::span<const Point> vertices;
  Vec3 shift;
};

template<class Point>
Vec3 support_point(const MovedHull<Point>& hull, const Vec3& d) {
  const Point* best = &hull.vertices[0];
  double farthest = dot(lift(*best), d);
  for (const Point& v : hull.vertices.subspan(1)) {
    const double x = dot(lift(v), d);
    if (x > farthest) {
      farthest = x;
      best = &v;
    }
  }
  return lift(*best) + hull.shift;
}

template<class Point>
Range project(std::span<const Point> vertices, const Vec3& axis) {
  Range r;
  for (const Point& v : vertices) {
    const double x = dot(axis, lift(v));
    r.min = std::min(r.min, x);
    r.max = std::max(r.max, x);
  }
  return r;
}

template<class Point>
double greatest_coordinate(std::span<const Point> vertices) {
  double size = 0;
  for (const Point& v : vertices) size = std::max(size, max_abs(lift(v)));
  return size;
}

/// Cuts by axes of any length; zero ones say nothing. Remembers the one along which A is least deep in B at the start.
template<class Point>
class HullSweep {
public:
  HullSweep(AxisSweep& axes, std::span<const Point> a, std::span<const Point> b)
      : axes_(axes), a_(a), b_(b) {}

  void cut(const Vec3& v) {
    const double l = length(v);
    if (!(l > 0 && l < INFINITY)) return;
    const Vec3 n = v / l;
    const Range a = project(a_, n), b = project(b_, n);
    axes_.cut(n, a, b);
    const double up = b.max - a.min, down = a.max - b.min;
    if (std::min(up, down) < depth_) {
      depth_ = std::min(up, down);
      way_out_ = up <= down ? n : -n;
    }
  }
  void cut_all(std::span<const Vec3> axes) {
    for (const Vec3& v : axes) cut(v);
  }
  [[nodiscard]] const Vec3& way_out() const { return way_out_; }

private:
  AxisSweep& axes_;
  std::span<const Point> a_, b_;
  double depth_ = INFINITY;
  Vec3 way_out_{1, 0, 0};
};

/// u x v, or zero where they are parallel but for rounding: see find_separating_axis for why that is safe.
Vec3 cross_or_zero(const Vec3& u, const Vec3& v) {
  const Vec3 axis = accurate_cross({}, u, {}, v);
  return length(axis) > 4 * tolerance::epsilon * length(u) * length(v) ? axis : Vec3{};
}

struct Cuts {
  AxisSweep axes;
  Vec3 way_out;
};

/// cut_all(hulls) cuts every axis.
template<class Point, class CutAll>
Cuts cut_hulls(std::span<const Point> a, const Vec3& motion, std::span<const Point> b,
               CutAll&& cut_all) {
  const double size = std::max(greatest_coordinate(a), greatest_coordinate(b)) + max_abs(motion);
  Vec3 way_out;
  // Two projections of three products each, as in the static test, and the motion's.
  const AxisSweep axes =
      sweep_detail::cut_axes(motion, {8 * tolerance::epsilon * size, 0}, [&](AxisSweep& s) {
        HullSweep<Point> hulls(s, a, b);
        cut_all(hulls);
        way_out = hulls.way_out();
      });
  return {axes, way_out};
}

Cuts cut_polytopes(const PolytopeView& a, const Vec3& motion, const PolytopeView& b) {
  return cut_hulls(a.vertices, motion, b.vertices, [&](HullSweep<Vec3>& hulls) {
    for (int i = 0; i < 3; ++i) hulls.cut(unit_axis(i));
    hulls.cut_all(a.normals);
    hulls.cut_all(b.normals);
    for (const Vec3& u : a.edges) {
      for (const Vec3& v : b.edges) hulls.cut(cross_or_zero(u, v));
    }
  });
}

void cut_edge_normals(HullSweep<Vec2>& hulls, std::span<const Vec2> p) {
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Vec2 e = p[i + 1 < p.size() ? i + 1 : 0] - p[i];
    hulls.cut({e.y, -e.x, 0});
  }
}

/// What both dimensions do with the cuts.
template<class Point>
Sweep first_contact(const Cuts& cuts, std::span<const Point> a, const Vec3& motion,
                    std::span<const Point> b) {
  const LineSpan span = cuts.axes.span();
  const Phase when = phase(span);
  if (when == Phase::miss) return {false, 0, {}, cuts.axes.separating_direction(), false};
  const bool start = when == Phase::start;
  const double t = start ? 0 : span.enter;
  const MovedHull<Point> moved{a, motion * t}, standing{b, {}};
  const ClosestPair nearest = gjk(ConvexView(moved), ConvexView(standing)).closest;
  return {true, t, nearest.on_a * 0.5 + nearest.on_b * 0.5,
          start ? cuts.way_out : span.enter_normal, start};
}

// The empty set is apart from everything in every direction.
constexpr Sweep never{false, 0, {}, {1, 0, 0}, false};

} // namespace

LineSpan contact_span(const PolytopeView& a, const Vec3& motion, const PolytopeView& b) {
  if (a.vertices.empty() || b.vertices.empty()) return {};
  return cut_polytopes(a, motion, b).axes.span();
}

Sweep sweep(const PolytopeView& a, const Vec3& motion, const PolytopeView& b) {
  if (a.vertices.empty() || b.vertices.empty()) return never;
  return first_contact(cut_polytopes(a, motion, b), a.vertices, motion, b.vertices);
}

Sweep2 sweep(std::span<const Vec2> a, const Vec2& motion, std::span<const Vec2> b) {
  if (a.empty() || b.empty()) return {false, 0, {}, {1, 0}, false};
  const Cuts cuts = cut_hulls(a, lift(motion), b, [&](HullSweep<Vec2>& hulls) {
    hulls.cut({1, 0, 0});
    hulls.cut({0, 1, 0});
    cut_edge_normals(hulls, a);
    cut_edge_normals(hulls, b);
  });
  const Sweep s = first_contact(cuts, a, lift(motion), b);
  return {s.hit, s.t, {s.point.x, s.point.y}, {s.normal.x, s.normal.y}, s.overlapping_at_start};
}

} // namespace carom
