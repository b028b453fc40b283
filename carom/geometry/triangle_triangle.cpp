// Everything is decided by signs of orient3d and orient2d, which are exact.
//
// Two triangles in different planes. The planes meet in a line, and each triangle in an interval of it; the triangles meet where
// the intervals do. The ends of the intervals lie on edges, so the order of an end of A's and an end of B's interval is the
// order in which two edges pass each other: the sign of the volume of the tetrahedron that they span. (See Crossing.)
//
// All in one plane, seen along an axis not in it. What they have in common is convex, the hull of its extreme points. An extreme
// point of an intersection is where a face of the one and a face of the other (vertex, edge or inside) meet in just that point:
// a vertex of one that lies in the other, or the proper crossing of two edges. Conversely all of these are
// extreme points. So they can be counted, exactly: 0 none, 1 a point, 2 a segment, more a polygon. This holds for segments and points in
// place of triangles as well, so degenerate triangles are first reduced to what they are. (See Flat.)
//
// A segment through the plane of a triangle passes its three edges on the same side.
//
// Where a point has to be computed, it divides an edge from p to q as s : t, for two determinants of opposite sign. Evaluated
// exactly and then rounded, s / (s - t) has no cancellation: the point is right to a few roundings.
#include "carom/geometry/triangle_triangle.h"

#include "carom/math/expansion.h"
#include "carom/math/predicates.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace carom {
namespace {

using Kind = TriangleIntersection::Kind;
using Signs = std::array<int, 3>;

TriangleIntersection point_at(const Vec3& p) {
  return {Kind::point, 1, {p}};
}

// The view along an axis.

Vec2 drop(const Vec3& p, int axis) {
  return axis == 0 ? Vec2{p.y, p.z} : axis == 1 ? Vec2{p.z, p.x} : Vec2{p.x, p.y};
}

/// An axis along which a, b, c do not appear collinear; -1 where they are. The largest component of the normal is tried first.
int view_of(const Vec3& a, const Vec3& b, const Vec3& c) {
  const int first = largest_axis(cross(b - a, c - a));
  for (int i = 0; i < 3; ++i) {
    const int axis = (first + i) % 3;
    if (orient2d(drop(a, axis), drop(b, axis), drop(c, axis)) != 0) return axis;
  }
  return -1;
}

/// The extreme points of a triangle: 3, or the ends of a segment, or one point.
struct Hull {
  std::array<Vec3, 3> vertex;
  int size = 3;
  int view = 0; ///< of 3 vertices: an axis along which they do not appear collinear

  [[nodiscard]] const Vec3& operator[](int i) const { return vertex[static_cast<std::size_t>(i)]; }
  [[nodiscard]] int edges() const { return size == 3 ? 3 : size - 1; }
  [[nodiscard]] int next(int i) const { return i + 1 == size ? 0 : i + 1; }
};

bool lexicographically_less(const Vec3& a, const Vec3& b) {
  return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
}

Hull hull_of(const Triangle& t) {
  Hull h{{t.a, t.b, t.c}, 3, view_of(t.a, t.b, t.c)};
  if (h.view >= 0) return h;
  // Along a line, the order of points is that of their coordinates.
  const auto ends = std::minmax_element(h.vertex.begin(), h.vertex.end(), lexicographically_less);
  const Vec3 low = *ends.first;
  const Vec3 high = *ends.second;
  return {{low, high, high}, low == high ? 1 : 2, -1};
}

// Determinants, exactly and then rounded; the sign is right, and the relative error below 2^-51.

double orient2d_value(const Vec2& a, const Vec2& b, const Vec2& c) {
  const auto x = exact_difference(b.x, a.x) * exact_difference(c.y, a.y);
  const auto y = exact_difference(b.y, a.y) * exact_difference(c.x, a.x);
  return (x - y).estimate();
}

double orient3d_value(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  using Row = predicate::Row3<Expansion<2>>;
  const auto row = [&a](const Vec3& p) {
    return Row{exact_difference(p.x, a.x), exact_difference(p.y, a.y), exact_difference(p.z, a.z)};
  };
  return predicate::det3(row(b), row(c), row(d)).estimate();
}

/// Where the edge from p to q has the value 0, for values at its ends of opposite sign or 0. Nearer to the nearer end, so that
/// the rounding of the difference counts least, and exactly at an end whose value is 0.
Vec3 divide(const Vec3& p, const Vec3& q, double at_p, double at_q) {
  if (std::fabs(at_p) <= std::fabs(at_q))
    return at_p == 0 ? p : p + (q - p) * (at_p / (at_p - at_q));
  return at_q == 0 ? q : q + (p - q) * (at_q / (at_q - at_p));
}

// All in one plane.

/// The extreme points of the intersection of two hulls in one plane.
class Flat {
public:
  Flat(const Hull& a, const Hull& b, int view) : a_(a), b_(b), view_(view) {}

  [[nodiscard]] bool meet() {
    collect(true);
    return result_.count > 0;
  }

  [[nodiscard]] TriangleIntersection intersection() {
    collect(false);
    const int n = result_.count;
    result_.kind = n == 0   ? Kind::none
                   : n == 1 ? Kind::point
                   : n == 2 ? Kind::segment
                            : Kind::polygon;
    if (n > 3) put_in_order();
    return result_;
  }

private:
  [[nodiscard]] int side(const Hull& h, int edge, const Vec3& p) const {
    return orient2d(drop(h[edge], view_), drop(h[h.next(edge)], view_), drop(p, view_));
  }

  /// Bit i: p lies on the line of edge i of the hull. -1: p lies outside of the hull.
  [[nodiscard]] int lines_through(const Hull& h, const Vec3& p) const {
    if (h.size == 1) return h[0] == p ? 0 : -1;
    if (h.size == 2) {
      const bool between = !lexicographically_less(p, h[0]) && !lexicographically_less(h[1], p);
      return between && side(h, 0, p) == 0 ? 1 : -1;
    }
    const Signs s{side(h, 0, p), side(h, 1, p), side(h, 2, p)};
    const auto [low, high] = std::minmax({s[0], s[1], s[2]});
    if (low < 0 && high > 0) return -1;
    return (s[0] == 0 ? 1 : 0) | (s[1] == 0 ? 2 : 0) | (s[2] == 0 ? 4 : 0);
  }

  /// Bits of the lines of the two edges that end in vertex i.
  static int lines_at(const Hull& h, int i) {
    return h.size == 3 ? 1 << i | 1 << (i + 2) % 3 : h.size == 2 ? 1 : 0;
  }

  void add(const Vec3& p, int lines) {
    if (result_.count == 6) return; // more cannot be, but for coordinates out of range
    lines_[static_cast<std::size_t>(result_.count)] = lines;
    result_.points[static_cast<std::size_t>(result_.count++)] = p;
  }

  void collect(bool one_is_enough) {
    const auto done = [&] { return one_is_enough && result_.count > 0; };
    for (int i = 0; i < a_.size && !done(); ++i) {
      const int through = lines_through(b_, a_[i]);
      if (through >= 0) add(a_[i], lines_at(a_, i) | through << 3);
    }
    for (int i = 0; i < b_.size && !done(); ++i) {
      const Vec3& p = b_[i];
      const int through = lines_through(a_, p);
      const bool known = std::find(a_.vertex.begin(), a_.vertex.end(), p) != a_.vertex.end();
      if (through >= 0 && !known) add(p, through | lines_at(b_, i) << 3);
    }
    for (int i = 0; i < a_.edges(); ++i) {
      for (int j = 0; j < b_.edges() && !done(); ++j) cross_edges(i, j);
    }
  }

  void cross_edges(int i, int j) {
    const Vec3& p = a_[i];
    const Vec3& q = a_[a_.next(i)];
    if (side(b_, j, p) * side(b_, j, q) != -1) return;
    if (side(a_, i, b_[j]) * side(a_, i, b_[b_.next(j)]) != -1) return;
    const auto value = [&](const Vec3& r) {
      return orient2d_value(drop(b_[j], view_), drop(b_[b_.next(j)], view_), drop(r, view_));
    };
    const double at_p = value(p);
    const double at_q = value(q);
    add(divide(p, q, at_p, at_q), 1 << i | 8 << j);
  }

  /// Two corners of the polygon are neighbours where they lie on the line of one edge: the polygon is on one side of that line, so
  /// at most two of its extreme points are on it. From each corner, go on to a neighbour not yet visited.
  void put_in_order() {
    const auto n = static_cast<std::size_t>(result_.count);
    for (std::size_t i = 0; i + 2 < n; ++i) {
      for (std::size_t j = i + 1; j < n; ++j) {
        if ((lines_[i] & lines_[j]) == 0) continue;
        std::swap(lines_[i + 1], lines_[j]);
        std::swap(result_.points[i + 1], result_.points[j]);
        break;
      }
    }
  }

  const Hull& a_;
  const Hull& b_;
  int view_;
  TriangleIntersection result_;
  std::array<int, 6> lines_{}; ///< of each point: bits 0-2 lines of a's edges, 3-5 of b's
};

/// An axis along which no two of the points in the common plane (or on the common line) of two degenerate hulls coincide that do
/// not do so really.
int common_view(const Hull& a, const Hull& b) {
  const std::array<Vec3, 4> p{a[0], a[a.size - 1], b[0], b[b.size - 1]};
  for (std::size_t skip = 0; skip < 4; ++skip) {
    const int view = view_of(p[skip == 0 ? 1 : 0], p[skip <= 1 ? 2 : 1], p[skip <= 2 ? 3 : 2]);
    if (view >= 0) return view;
  }
  // All on one line: any axis but one along it, where two points that differ would appear as one.
  const Vec3 along = max(max(p[0], p[1]), max(p[2], p[3])) - min(min(p[0], p[1]), min(p[2], p[3]));
  return smallest_axis(along);
}

// Different planes.

bool one_sided(const Signs& s) {
  return s[0] != 0 && s[0] == s[1] && s[1] == s[2];
}
bool all_zero(const Signs& s) {
  return s[0] == 0 && s[1] == 0 && s[2] == 0;
}

/// On which side of the plane of t each vertex of u lies.
Signs sides(const Triangle& t, const Triangle& u) {
  return {orient3d(t.a, t.b, t.c, u.a), orient3d(t.a, t.b, t.c, u.b), orient3d(t.a, t.b, t.c, u.c)};
}

/// A triangle that the other's plane crosses, turned so that its edges pq and pr end in, or cross, that plane, and neither lies in it.
struct Crossed {
  Vec3 p, q, r;
  bool
      above; ///< p is on the positive side of the plane or on it, q and r on the negative or on it. Else the other way round.
  bool in_a_point; ///< p lies on the plane, q and r strictly on one side
};

/// For signs neither all zero nor all the same.
Crossed turned(const Triangle& t, const Signs& s) {
  const auto sign = [&](int i) { return s[static_cast<std::size_t>(i % 3)]; };
  const auto from = [&](int i, bool above, bool in_a_point) {
    return Crossed{t[i], t[(i + 1) % 3], t[(i + 2) % 3], above, in_a_point};
  };
  for (int i = 0; i < 3; ++i) {
    if (sign(i) > 0 && sign(i + 1) <= 0 && sign(i + 2) <= 0) return from(i, true, false);
    if (sign(i) < 0 && sign(i + 1) >= 0 && sign(i + 2) >= 0) return from(i, false, false);
  }
  for (int i = 0; i < 3; ++i) {
    if (sign(i) == 0 && sign(i + 1) == sign(i + 2)) return from(i, sign(i + 1) < 0, true);
  }
  return from(0, true, false); // not reached with signs of one plane
}

/// Let na and nb be the normals, and look at A from the tip of na with nb up: p on top, q left and r right of it below, as A is
/// counter-clockwise. So along x = nb x na, A's interval runs from i on pq to j on pr. Of B the same holds with a and b exchanged, hence
/// x reversed: B's interval runs from l on p'r' to k on p'q'. They meet where i <= k and l <= j.
/// The edges pq and p'q' both go downward through the line; i <= k where orient3d(p, q, p', q') <= 0, and equal where it is 0. (One
/// case shows the sign: na = -y, nb = z, p = z, q = -z, p' = (k, -1, 0), q' = (k, 1, 0) gives -4 k. It is 0 only where i = k,
/// since neither edge lies in the other's plane.) l <= j in the same way, for pr and p'r'.
class Crossing {
public:
  Crossing(const Triangle& a, const Triangle& b, const Signs& a_to_b, const Signs& b_to_a)
      : a_(turned(a, a_to_b)), b_(turned(b, b_to_a)), plane_a_(a), plane_b_(b) {
    // Where p is below, the other's normal is turned round: by exchanging the other's q and r.
    if (!a_.above) std::swap(b_.q, b_.r);
    if (!b_.above) std::swap(a_.q, a_.r);
  }

  [[nodiscard]] bool meet() {
    i_to_k_ = orient3d(a_.p, a_.q, b_.p, b_.q);
    if (i_to_k_ > 0) return false;
    l_to_j_ = -orient3d(a_.p, a_.r, b_.p, b_.r);
    return l_to_j_ <= 0;
  }

  /// From the greater of i and l to the lesser of j and k.
  [[nodiscard]] TriangleIntersection intersection() {
    if (!meet()) return {};
    const bool from_a = orient3d(a_.p, a_.q, b_.p, b_.r) >= 0; // l <= i
    const bool to_a = orient3d(a_.p, a_.r, b_.p, b_.q) <= 0;   // j <= k
    const bool is_point =
        from_a ? (to_a ? a_.in_a_point : i_to_k_ == 0) : (to_a ? l_to_j_ == 0 : b_.in_a_point);
    const Vec3 first = from_a ? on_plane(plane_b_, a_.p, a_.q) : on_plane(plane_a_, b_.p, b_.r);
    if (is_point) return point_at(first);
    const Vec3 second = to_a ? on_plane(plane_b_, a_.p, a_.r) : on_plane(plane_a_, b_.p, b_.q);
    return {Kind::segment, 2, {first, second}};
  }

private:
  static Vec3 on_plane(const Triangle& plane, const Vec3& p, const Vec3& q) {
    const double at_p = orient3d_value(plane.a, plane.b, plane.c, p);
    const double at_q = orient3d_value(plane.a, plane.b, plane.c, q);
    return divide(p, q, at_p, at_q);
  }

  Crossed a_, b_;
  const Triangle& plane_a_;
  const Triangle& plane_b_;
  int i_to_k_ = 0, l_to_j_ = 0;
};

/// A segment or point against a triangle whose plane does not contain all of it.
TriangleIntersection pierce(const Hull& segment, const Triangle& t) {
  const Vec3& p = segment[0];
  const Vec3& q = segment[segment.size - 1];
  if (orient3d(t.a, t.b, t.c, p) * orient3d(t.a, t.b, t.c, q) > 0) return {};
  const Signs s{orient3d(p, q, t.a, t.b), orient3d(p, q, t.b, t.c), orient3d(p, q, t.c, t.a)};
  const auto [low, high] = std::minmax({s[0], s[1], s[2]});
  if (low < 0 && high > 0) return {};
  const double at_p = orient3d_value(t.a, t.b, t.c, p);
  const double at_q = orient3d_value(t.a, t.b, t.c, q);
  return point_at(divide(p, q, at_p, at_q));
}

// The cases.

bool answer(Flat&& flat, bool /*type*/) {
  return flat.meet();
}
TriangleIntersection answer(Flat&& flat, const TriangleIntersection& /*type*/) {
  return flat.intersection();
}
bool answer(Crossing&& crossing, bool /*type*/) {
  return crossing.meet();
}
TriangleIntersection answer(Crossing&& crossing, const TriangleIntersection& /*type*/) {
  return crossing.intersection();
}
bool answer(const TriangleIntersection& i, bool /*type*/) {
  return i.kind != Kind::none;
}
TriangleIntersection answer(const TriangleIntersection& i, const TriangleIntersection& /*type*/) {
  return i;
}

/// Coplanar, or degenerate, or both: wherever all three vertices of one appear to lie in the plane of the other.
template<class Answer>
Answer decide_special(const Triangle& a, const Triangle& b, const Signs& a_to_b,
                      const Signs& b_to_a) {
  const Hull ha = hull_of(a);
  const Hull hb = hull_of(b);
  if (ha.size == 3 && (hb.size == 3 || all_zero(b_to_a))) {
    return answer(Flat(ha, hb, ha.view), Answer{});
  }
  if (ha.size == 3) return answer(pierce(hb, a), Answer{});
  if (hb.size == 3) {
    if (all_zero(a_to_b)) return answer(Flat(ha, hb, hb.view), Answer{});
    return answer(pierce(ha, b), Answer{});
  }
  if (orient3d(ha[0], ha[ha.size - 1], hb[0], hb[hb.size - 1]) != 0) return {};
  return answer(Flat(ha, hb, common_view(ha, hb)), Answer{});
}

template<class Answer>
Answer decide(const Triangle& a, const Triangle& b) {
  const Signs b_to_a = sides(a, b);
  if (one_sided(b_to_a)) return {};
  const Signs a_to_b = sides(b, a);
  if (one_sided(a_to_b)) return {};
  if (all_zero(a_to_b) || all_zero(b_to_a)) return decide_special<Answer>(a, b, a_to_b, b_to_a);
  return answer(Crossing(a, b, a_to_b, b_to_a), Answer{});
}

} // namespace

bool overlaps(const Triangle& a, const Triangle& b) {
  return decide<bool>(a, b);
}

TriangleIntersection intersect(const Triangle& a, const Triangle& b) {
  return decide<TriangleIntersection>(a, b);
}

} // namespace carom
