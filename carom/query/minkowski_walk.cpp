// The facets of A - B are the crossings and corners of two maps laid over each other: the Gauss map of A, and that of -B. So -B is kept as a body like A, both in A's frame, and a
// facet is either a corner of the one map in a region of the other (a face and a vertex), or a crossing of two arcs (two edges).
//
// From a facet one leaves along arcs: the edges around the face, or both ways along both edges. Along an arc of one body, the other body's farthest vertex v stays the same until
// a neighbour w of v takes over. On the chord from normal n0 to n1 the difference n . (w - v) changes linearly, so the first to take over is found in one pass around v. There the arc
// crosses that of the edge v w: the neighbouring facet. If none takes over, the arc ends at the next face.
//
// Where faces or edges are parallel, several take over at once, at the start of the arc. Then v is replaced until one stays for a while.
//
// All decisions are in doubles, and a wrong one leads to a worse facet at most: the depth is measured on all vertices in the end.
#include "carom/query/minkowski_walk.h"

#include "carom/math/tolerance.h"
#include "carom/query/gauss_map_axes.h"
#include "carom/query/rounded.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace carom {
namespace {

/// A, or -B, as a body in A's frame.
class Body {
public:
  Body(const Polytope& polytope, const Mat3& to_common)
      : polytope_(polytope), to_common_(to_common) {}

  [[nodiscard]] const ConvexHull& hull() const { return polytope_.hull(); }
  [[nodiscard]] const Vec3& vertex(std::uint32_t v) const { return polytope_.vertices()[v]; }
  [[nodiscard]] Vec3 to_local(const Vec3& n) const { return transpose_mul(to_common_, n); }
  /// A unit vector.
  [[nodiscard]] Vec3 normal(std::uint32_t face) const {
    return normalized(to_common_ * polytope_.planes()[face].normal);
  }
  [[nodiscard]] Vec3 edge(std::uint32_t h) const {
    return to_common_ * (vertex(hull().target(h)) - vertex(hull().origin[h]));
  }
  /// The greatest n . point of the body, if vertex v is the farthest.
  [[nodiscard]] double height(const Vec3& n, std::uint32_t v) const {
    return dot(to_local(n), vertex(v));
  }
  [[nodiscard]] std::uint32_t farthest(const Vec3& n) const {
    return polytope_.farthest(to_local(n));
  }
  [[nodiscard]] double size() const {
    return std::max(max_abs(polytope_.bounds().min), max_abs(polytope_.bounds().max));
  }

private:
  const Polytope& polytope_;
  Mat3 to_common_; ///< a rotation, or minus one
};

struct Facet {
  AxisKind kind = AxisKind::edges;
  std::uint32_t of[2] = {}; ///< in A and B: a face, a vertex or a half-edge
  Vec3 n;                   ///< outward, a unit vector
  double depth = INFINITY;  ///< its distance from the origin

  [[nodiscard]] bool is(const Facet& f) const {
    return kind == f.kind && of[0] == f.of[0] && of[1] == f.of[1];
  }
};

/// One arc along which to leave a facet: that of edge `h` of body `own`, up to the normal of `face`. At its beginning the other body's farthest is `vertex`.
struct Way {
  std::size_t own;
  std::uint32_t h, face, vertex;
};

class Walk {
public:
  explicit Walk(const PolytopePair& pair)
      : pair_(pair), body_{{pair.a(), Mat3::identity()}, {pair.b(), pair.b_in_a().basis * -1}} {}

  [[nodiscard]] const Facet& best() const { return best_; }
  [[nodiscard]] int seen() const { return seen_; }
  [[nodiscard]] int visited() const { return static_cast<int>(visited_.size()); }

  /// From the best facet around where `n` points. Where an earlier walk has been, it goes no further.
  void from(const Vec3& n, int patience) {
    Facet at = first_facet(n);
    double least = INFINITY;
    // Each facet is visited once, and the difference has finitely many.
    for (int waited = 0; at.depth < INFINITY && !is_visited(at);) {
      waited = at.depth < least - pair_.rounding() ? 0 : waited + 1;
      if (waited > patience) return;
      visited_.push_back(at);
      if (at.depth < best_.depth) best_ = at;
      least = std::min(least, at.depth);
      at = best_neighbour(at);
    }
  }

private:
  [[nodiscard]] bool is_visited(const Facet& f) const {
    return std::any_of(visited_.begin(), visited_.end(), [&](const Facet& v) { return v.is(f); });
  }

  /// The depth of the facet with this normal and these vertices.
  [[nodiscard]] double depth(const Vec3& n, std::uint32_t a, std::uint32_t b) const {
    return body_[0].height(n, a) + body_[1].height(n, b) - dot(n, pair_.b_in_a().origin);
  }

  Facet face_facet(std::size_t own, std::uint32_t face, std::uint32_t vertex) {
    ++seen_;
    Facet f;
    f.kind = own == 0 ? AxisKind::face_a : AxisKind::face_b;
    f.of[own] = face;
    f.of[1 - own] = vertex;
    f.n = body_[own].normal(face);
    const ConvexHull& hull = body_[own].hull();
    const std::uint32_t corner = hull.origin[hull.face_begin[face]];
    f.depth = own == 0 ? depth(f.n, corner, vertex) : depth(f.n, vertex, corner);
    return f;
  }

  /// Of two edges that cross near the direction `along`. Where they are nearly parallel that is the better normal.
  Facet edge_facet(std::size_t own, std::uint32_t h, std::uint32_t other, const Vec3& along) {
    ++seen_;
    constexpr double least_sine = 1e-7;
    Facet f;
    f.of[own] = h;
    f.of[1 - own] = other;
    const Vec3 e = body_[own].edge(h);
    const Vec3 g = body_[1 - own].edge(other);
    const Vec3 c = cross(e, g);
    const bool parallel =
        !(length_squared(c) > least_sine * least_sine * length_squared(e) * length_squared(g));
    f.n = parallel ? normalized(along) : normalized(dot(c, along) < 0 ? -c : c);
    f.depth = depth(f.n, body_[0].hull().origin[f.of[0]], body_[1].hull().origin[f.of[1]]);
    return f;
  }

  /// Of the faces around the vertices that are farthest along n, that of least depth.
  Facet first_facet(const Vec3& n) {
    Facet best;
    for (const std::size_t own : {std::size_t{0}, std::size_t{1}}) {
      const ConvexHull& hull = body_[own].hull();
      const std::uint32_t first = hull.outgoing[body_[own].farthest(n)];
      std::uint32_t h = first;
      do {
        const std::uint32_t face = hull.face[h];
        const std::uint32_t other = body_[1 - own].farthest(body_[own].normal(face));
        const Facet f = face_facet(own, face, other);
        if (f.depth < best.depth) best = f;
        h = hull.around(h);
      } while (h != first);
    }
    return best;
  }

  /// The neighbour of least depth that no walk has visited; infinite where there is none.
  Facet best_neighbour(const Facet& at) {
    Facet best;
    const auto look = [&](const Way& way) {
      const Facet f = next_along(way, at.n);
      if (f.depth < best.depth && !is_visited(f)) best = f;
    };
    if (at.kind == AxisKind::edges) {
      for (const std::size_t own : {std::size_t{0}, std::size_t{1}}) {
        const ConvexHull& hull = body_[own].hull();
        const std::uint32_t h = at.of[own];
        for (const std::uint32_t face : {hull.face[h], hull.face[hull.twin[h]]}) {
          look({own, h, face, farther_end(1 - own, at.of[1 - own], body_[own].normal(face))});
        }
      }
    } else {
      const std::size_t own = at.kind == AxisKind::face_a ? 0 : 1;
      const ConvexHull& hull = body_[own].hull();
      for (std::uint32_t h = hull.face_begin[at.of[own]]; h < hull.face_begin[at.of[own] + 1];
           ++h) {
        look({own, h, hull.face[hull.twin[h]], at.of[1 - own]});
      }
    }
    return best;
  }

  [[nodiscard]] std::uint32_t farther_end(std::size_t body, std::uint32_t h, const Vec3& n) const {
    const ConvexHull& hull = body_[body].hull();
    const std::uint32_t from = hull.origin[h];
    const std::uint32_t to = hull.target(h);
    return body_[body].height(n, to) > body_[body].height(n, from) ? to : from;
  }

  /// The facet at which the way from n0 first comes by.
  Facet next_along(const Way& way, const Vec3& n0) {
    const Vec3 n1 = body_[way.own].normal(way.face);
    std::uint32_t vertex = way.vertex;
    Vec3 from = n0;
    if (dot(n0, n1) < 0) {
      // A sharp edge, whose arc is long: its chord comes near to nothing. So by way of the middle.
      const Vec3 middle = arc_middle(way.own, way.h);
      if (const Crossing c = first_crossing(1 - way.own, from, middle, vertex); c.found)
        return edge_facet(way.own, way.h, c.edge, c.n);
      from = middle;
    }
    if (const Crossing c = first_crossing(1 - way.own, from, n1, vertex); c.found)
      return edge_facet(way.own, way.h, c.edge, c.n);
    return face_facet(way.own, way.face, vertex);
  }

  /// Between the normals of an edge's faces: as much out of the one as out of the other.
  [[nodiscard]] Vec3 arc_middle(std::size_t own, std::uint32_t h) const {
    const Body& body = body_[own];
    const ConvexHull& hull = body.hull();
    const Vec3 e = body.edge(h);
    const double mirrored = own == 0 ? 1 : -1; // -B turns the other way round
    const Vec3 out = cross(e, body.normal(hull.face[h]) - body.normal(hull.face[hull.twin[h]]));
    return normalized(out * mirrored);
  }

  struct Crossing {
    bool found = false;
    std::uint32_t edge =
        0; ///< a half-edge from the vertex that is farthest before to the one that is after
    Vec3 n;
  };
  /// On the chord from n0 to n1: where another than `v` becomes the body's farthest vertex. Where that happens at once, v is replaced.
  Crossing first_crossing(std::size_t number, const Vec3& n0, const Vec3& n1, std::uint32_t& v) {
    const Body& body = body_[number];
    const ConvexHull& hull = body.hull();
    const Vec3 local0 = body.to_local(n0);
    const Vec3 local1 = body.to_local(n1);
    // What rises no more than this is level.
    const double level = 8 * tolerance::epsilon * body.size();
    // Not more often than there are vertices around a face, mostly; else what is found lies a little farther on.
    constexpr int most_replaced = 16;
    for (int replaced = 0;; ++replaced) {
      double first_t = INFINITY;
      std::uint32_t taking_over = 0;
      const std::uint32_t begin = hull.outgoing[v];
      std::uint32_t e = begin;
      do {
        const Vec3 d = body.vertex(hull.target(e)) - body.vertex(v);
        const double rise1 = dot(local1, d);
        if (rise1 > level) {
          const double rise0 = dot(local0, d);
          const double t = rise0 >= -level ? 0 : rise0 / (rise0 - rise1);
          if (t < first_t) {
            first_t = t;
            taking_over = e;
          }
        }
        e = hull.around(e);
      } while (e != begin);
      if (first_t == INFINITY) return {};
      if (first_t > 0 || replaced == most_replaced)
        return {true, taking_over, lerp(n0, n1, first_t)};
      v = hull.target(taking_over);
    }
  }

  const PolytopePair& pair_;
  Body body_[2];
  Facet best_;
  std::vector<Facet> visited_;
  int seen_ = 0;
};

/// Whether p, in the plane of the face, lies on it.
bool is_on_face(const Polytope& polytope, std::uint32_t face, const Vec3& p, double rounding) {
  const ConvexHull& hull = polytope.hull();
  for (std::uint32_t h = hull.face_begin[face]; h < hull.face_begin[face + 1]; ++h) {
    const Vec3& from = hull.vertices[hull.origin[h]];
    const Vec3 e = hull.vertices[hull.target(h)] - from;
    const Vec3 out = cross(e, polytope.planes()[face].normal);
    if (dot(out, p - from) > rounding * length(e)) return false;
  }
  return true;
}

/// Where the edges cross, seen along n: on_a - on_b = out. False where they do not.
bool edges_cross(const PolytopePair& pair, const Facet& f, const Vec3& out,
                 PolytopePair::Points& points) {
  const ConvexHull& hull_a = pair.a().hull();
  const ConvexHull& hull_b = pair.b().hull();
  const Vec3 a = hull_a.vertices[hull_a.origin[f.of[0]]];
  const Vec3 along_a = hull_a.vertices[hull_a.target(f.of[0])] - a;
  const Vec3 b = pair.b_in_a().to_world(hull_b.vertices[hull_b.origin[f.of[1]]]);
  const Vec3 along_b = pair.b_in_a().to_world(hull_b.vertices[hull_b.target(f.of[1])]) - b;
  const Vec3 beside_a = cross(along_a, f.n);
  const Vec3 beside_b = cross(along_b, f.n);
  const double s = dot(b - a, beside_b) / dot(along_a, beside_b);
  const double t = dot(a - b, beside_a) / dot(along_b, beside_a);
  points.on_a = a + along_a * s;
  points.on_b = b + along_b * t;
  return s >= 0 && s <= 1 && t >= 0 && t <= 1 &&
         max_abs(points.on_a - points.on_b - out) <= pair.agreement();
}

/// Where the polytopes touch once B has moved out by `out`, in A's frame, B's point as it is now. The foot of the perpendicular from the origin lies in the facet, and shows them; but for faces
/// and edges that are parallel, which make one facet together. Then a search tells. False where they do not touch: so much for a minimum.
bool touching_points(const PolytopePair& pair, const Facet& f, const Vec3& out,
                     PolytopePair::Points& points) {
  if (f.kind == AxisKind::face_a) {
    points.on_b = pair.b_in_a().to_world(pair.b().vertices()[f.of[1]]);
    points.on_a = points.on_b + out;
    if (is_on_face(pair.a(), f.of[0], points.on_a, pair.rounding())) return true;
  } else if (f.kind == AxisKind::face_b) {
    points.on_a = pair.a().vertices()[f.of[0]];
    points.on_b = points.on_a - out;
    if (is_on_face(pair.b(), f.of[1], pair.b_in_a().to_local(points.on_b), pair.rounding()))
      return true;
  } else if (edges_cross(pair, f, out, points)) {
    return true;
  }
  const GjkResult contact = search_slowly(pair, pair.rounding(), out);
  points = {contact.closest.on_a, contact.closest.on_b - out};
  return contact.closest.distance <= pair.agreement();
}

/// All axes.
WalkedDepth by_all_axes(const Polytope& a, const Pose& pose_a, const Polytope& b,
                        const Pose& pose_b) {
  const SignedDistance s = signed_distance_by_axes(a, pose_a, b, pose_b);
  WalkedDepth w;
  w.depth = std::max(-s.value, 0.0);
  w.lower_bound = std::max(-s.upper_bound, 0.0);
  w.upper_bound = std::max(-s.lower_bound, 0.0);
  w.normal = s.normal;
  w.on_a = s.on_a;
  w.on_b = s.on_b;
  w.status = s.status;
  w.iterations = s.iterations;
  return w;
}

/// Direction number i: the axes, then the diagonals.
Vec3 direction(int i) {
  if (i < 6) return unit_axis(i / 2) * (i % 2 == 0 ? 1 : -1);
  return {i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0};
}
constexpr int directions = 14;

Vec3 center(const Polytope& p) { return p.bounds().center(); }

} // namespace

WalkedDepth depth_by_walk(const Polytope& a, const Pose& pose_a, const Polytope& b,
                          const Pose& pose_b, const MinkowskiWalkOptions& options) {
  WalkedDepth w;
  if (!in_range(pose_a) || !in_range(pose_b)) {
    w.status = Status::bad_input;
    return w;
  }
  if (a.hull().dimension < 3 || b.hull().dimension < 3) return by_all_axes(a, pose_a, b, pose_b);

  const PolytopePair pair(a, pose_a, b, pose_b);
  const Vec3 between = pair.b_in_a().to_world(center(b)) - center(a);
  const Vec3 start = pair.frame_a().direction_to_local(options.start);
  const int patience = std::max(options.patience, 0);
  Walk walk(pair);
  walk.from(normalized_or(start, normalized(between)), patience);
  for (int i = 0; i < std::min(options.starts - 1, directions); ++i) {
    walk.from(direction(i), patience);
  }

  const Facet& f = walk.best();
  const double gap = pair.gap(f.n);
  PolytopePair::Points points;
  if (gap <= pair.rounding() && !touching_points(pair, f, f.n * -gap, points))
    return by_all_axes(a, pose_a, b, pose_b);
  w.kind = f.kind;
  w.feature_a = static_cast<int>(f.of[0]);
  w.feature_b = static_cast<int>(f.of[1]);
  w.iterations = walk.seen();
  w.visited = walk.visited();
  w.normal = pair.frame_a().direction_to_world(f.n);
  if (gap > pair.rounding()) return w;
  w.status = Status::wide;
  w.depth = std::max(-gap, 0.0);
  w.upper_bound = w.depth + pair.rounding();
  w.on_a = pair.frame_a().to_world(points.on_a);
  w.on_b = pair.frame_a().to_world(points.on_b);
  return w;
}

} // namespace carom
