// Of two features, the points nearest to each other; if one of them lies outside of the Voronoi region of the other's feature, then a
// neighbour of that feature is nearer to it, and the walk goes on there. Where none does, the features are the nearest of all, by convexity: the
// plane at right angles to the line between the points has all of its hull behind it. The exception is a feature that is below a face of the other hull and
// in the prism over it. There is no nearer neighbour, but nothing is separated: the walk escapes to the face that the vertex is farthest above, or finds
// that it is above none: then it is inside.
//
// Five kinds of pairs. Each is evaluated in the frame of one of the bodies; p is the body whose feature is named first, q the other one.
//
// Why the neighbours prove it. A hull lies in the cone that the edges at one of its vertices span, in the wedge of the faces at an edge, behind a face. So where the
// axis goes down along all of these (as numbers: by more than a few epsilon, since the unit vectors are a few epsilon off), nothing of the hull is farther.
// An axis at right angles to an edge or face to within a few epsilon becomes exactly so when it is turned by as much; that changes
// how far the hull reaches by a few epsilon of its size, which the bounds allow for.
#include "carom/query/feature_walk.h"

#include "carom/query/feature_proof.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

using Kind = FeatureKind;

/// A search afresh takes as long as some fifteen steps.
constexpr int max_steps = 48;
constexpr int max_escapes = 8;
/// To look at every face of a larger hull takes longer than to search afresh.
constexpr std::size_t most_faces_scanned = 256;

using feature_proof::level;
using feature_proof::square;
using feature_proof::turn;

} // namespace

/// A point or direction of a body's frame in the other's.
template<std::size_t body>
Vec3 FeatureWalk::into_other(const Vec3& point) const {
  return body == 0 ? b_in_a_.to_local(point) : b_in_a_.to_world(point);
}
template<std::size_t body>
Vec3 FeatureWalk::turned_into_other(const Vec3& direction) const {
  return body == 0 ? b_in_a_.direction_to_local(direction) : b_in_a_.direction_to_world(direction);
}

FeatureWalk::End FeatureWalk::run(const HullFeature& a, const HullFeature& b) {
  feature_ = {level_[0]->has(a) ? a : HullFeature{}, level_[1]->has(b) ? b : HullFeature{}};
  // A pair that comes again after 4, 8, 16, ... steps is a cycle.
  std::array<HullFeature, 2> mark{};
  for (int step_count = 0; step_count < max_steps; ++step_count) {
    ++steps_;
    switch (step()) {
    case Outcome::nearest:
      return End::nearest;
    case Outcome::meeting:
      return End::meeting;
    case Outcome::lost:
      return End::lost;
    case Outcome::moved:
      break;
    }
    if (step_count >= 4 && feature_ == mark) return End::lost;
    if (step_count >= 3 && (step_count & (step_count + 1)) == 0) mark = feature_;
  }
  return End::lost;
}

FeatureWalk::Outcome FeatureWalk::step() {
  const Kind a = feature_[0].kind, b = feature_[1].kind;
  if (a == Kind::edge && b == Kind::edge) return edge_edge();
  if (a == Kind::vertex) {
    if (b == Kind::face) return vertex_face<0>();
    return b == Kind::edge ? vertex_edge<0>() : vertex_vertex();
  }
  if (b == Kind::vertex) return a == Kind::face ? vertex_face<1>() : vertex_edge<1>();
  if (a == Kind::edge) return edge_face<0>();
  if (b == Kind::edge) return edge_face<1>();
  // Two faces: only a caller's start can be that. Any corner of the one will do.
  const FeatureLevel& hull = *level_[0];
  return move(0, Kind::vertex, hull.sides[hull.sides_of(feature_[0].index)[0]].origin);
}

FeatureWalk::Outcome FeatureWalk::vertex_vertex() {
  const Vec3& on_a = level_[0]->vertices[feature_[0].index];
  const Vec3& on_b = level_[1]->vertices[feature_[1].index];
  const Vec3 w = into_other<1>(on_b) - on_a;
  const double apart = length(w);
  if (!(apart > touch_)) return Outcome::meeting;
  const FeatureSlope slope_a = steepest(*level_[0], feature_[0].index, w);
  if (slope_a.rise > turn * apart) return climb(0, slope_a, true);
  const FeatureSlope slope_b = steepest(*level_[1], feature_[1].index, -turned_into_other<0>(w));
  if (slope_b.rise > turn * apart) return climb(1, slope_b, true);
  const double below = -level * apart;
  return finish<0>(w / apart, apart, on_a, on_b, slope_a.rise < below && slope_b.rise < below);
}

template<std::size_t p>
FeatureWalk::Outcome FeatureWalk::vertex_edge() {
  constexpr std::size_t q = 1 - p;
  const FeatureLevel& hull = *level_[q];
  const FeatureSide& side = hull.sides[feature_[q].index];
  const FeatureSide& back = hull.sides[side.twin];
  const std::uint32_t vertex = feature_[p].index;
  const Vec3& on_p = level_[p]->vertices[vertex];
  const Vec3 r = into_other<p>(on_p) - hull.vertices[side.origin];
  const double s = dot(r, side.along);
  if (s < 0) return move(q, Kind::vertex, side.origin);
  if (s > side.length) return move(q, Kind::vertex, side.target);
  const bool has_faces = side.face != FeatureSide::no_face;
  if (has_faces) {
    const double out = dot(r, side.outward);
    const double out_back = dot(r, back.outward);
    if (out < -slack_ || out_back < -slack_) {
      // A flat polygon's two faces are as near: the one that the vertex is above.
      const bool first = out != out_back ? out < out_back : dot(r, hull.normals[side.face]) >= 0;
      return move(q, Kind::face, first ? side.face : back.face);
    }
  }
  Vec3 w = r - side.along * s;
  // Short ones are made of errors, partly.
  if (const double skew = dot(w, side.along);
      skew * skew > 0.25 * square * square * length_squared(w))
    w -= side.along * skew;
  const double apart = length(w);
  if (!(apart > touch_)) return Outcome::meeting;
  const FeatureSlope slope = steepest(*level_[p], vertex, -turned_into_other<q>(w));
  if (slope.rise > turn * apart) return climb(p, slope, true);
  const double above = level * apart;
  const bool proved =
      slope.rise < -above &&
      (!has_faces || (dot(w, side.outward) > above && dot(w, back.outward) > above));
  return finish<q>(w / apart, apart, hull.vertices[side.origin] + side.along * s, on_p, proved);
}

template<std::size_t p>
FeatureWalk::Outcome FeatureWalk::vertex_face() {
  constexpr std::size_t q = 1 - p;
  const FeatureLevel& hull = *level_[q];
  const std::uint32_t vertex = feature_[p].index;
  const Vec3& on_p = level_[p]->vertices[vertex];
  const Vec3 x = into_other<p>(on_p);
  const std::uint32_t crossed = crossed_side(hull, feature_[q].index, x, slack_);
  if (crossed != FeatureSide::no_face) return move(q, Kind::edge, crossed);
  const Vec3& n = hull.normals[feature_[q].index];
  const std::uint32_t first = hull.sides_of(feature_[q].index)[0];
  const double height = dot(n, x - hull.vertices[hull.sides[first].origin]);
  if (!(height > touch_)) return height < -touch_ ? escape<p>(nullptr) : Outcome::meeting;
  const FeatureSlope slope = steepest(*level_[p], vertex, -turned_into_other<q>(n));
  if (slope.rise > turn) return climb(p, slope, false);
  return finish<q>(n, height, x - n * height, on_p, slope.rise < -level);
}

FeatureWalk::Outcome FeatureWalk::edge_edge() {
  const FeatureSide& a = level_[0]->sides[feature_[0].index];
  const FeatureSide& b = level_[1]->sides[feature_[1].index];
  const Vec3& origin_a = level_[0]->vertices[a.origin];
  const Vec3& origin_b = level_[1]->vertices[b.origin];
  const Vec3 w = into_other<1>(origin_b) - origin_a;
  const Vec3 along_b = turned_into_other<1>(b.along);
  const Vec3 c = cross(a.along, along_b);
  const EdgeCrossing at = nearest_on_segments(w, a.along, a.length, along_b, b.length, c);
  if (at.end_s != 0) move(0, Kind::vertex, at.end_s < 0 ? a.origin : a.target);
  if (at.end_t != 0) move(1, Kind::vertex, at.end_t < 0 ? b.origin : b.target);
  if (at.end_s != 0 || at.end_t != 0) return Outcome::moved;

  // The axis, as long as the sine of the angle.
  const double sine = length(c);
  const double height = dot(w, c);
  if (!(std::fabs(height) > touch_ * sine)) return Outcome::meeting;
  const Vec3 n = height > 0 ? c : -c;
  const Vec3 n_b = -turned_into_other<0>(n);
  bool proved =
      std::fabs(dot(n, a.along)) <= square * sine && std::fabs(dot(n, along_b)) <= square * sine;
  // Whether the axis is between the normals of the faces on both sides.
  const FeatureSide* const edge[2] = {&a, &b};
  const Vec3* const axis[2] = {&n, &n_b};
  for (std::size_t i = 0; i < 2; ++i) {
    if (edge[i]->face == FeatureSide::no_face) continue;
    const FeatureSide& back = level_[i]->sides[edge[i]->twin];
    const double out = dot(*axis[i], edge[i]->outward);
    const double out_back = dot(*axis[i], back.outward);
    if (out < -turn * sine || out_back < -turn * sine) {
      const bool first =
          out != out_back ? out < out_back : dot(*axis[i], level_[i]->normals[edge[i]->face]) >= 0;
      return move(i, Kind::face, first ? edge[i]->face : back.face);
    }
    proved = proved && out > level * sine && out_back > level * sine;
  }
  finish<0>(n / sine, std::fabs(height) / sine, origin_a + a.along * at.s,
            origin_b + b.along * at.t, proved);
  // Where the edges are nearly parallel, the points may not be quite opposite.
  found_.between = w + along_b * at.t - a.along * at.s;
  found_.upper = length(found_.between);
  return Outcome::nearest;
}

template<std::size_t p>
FeatureWalk::Outcome FeatureWalk::edge_face() {
  constexpr std::size_t q = 1 - p;
  const FeatureSide& edge = level_[p]->sides[feature_[p].index];
  const Vec3 origin = into_other<p>(level_[p]->vertices[edge.origin]);
  const Vec3 along = turned_into_other<p>(edge.along);
  const ClippedEdge clipped =
      clip_edge(*level_[q], feature_[q].index, origin, along, edge.length, slack_, touch_);
  switch (clipped.where) {
  case ClippedEdge::Where::origin:
    return move(p, Kind::vertex, edge.origin);
  case ClippedEdge::Where::target:
    return move(p, Kind::vertex, edge.target);
  case ClippedEdge::Where::side:
    return move(q, Kind::edge, clipped.side);
  case ClippedEdge::Where::beside:
    return nearest_side(p, origin, along);
  case ClippedEdge::Where::below:
    return escape<p>(&edge);
  case ClippedEdge::Where::through:
    break;
  }
  return Outcome::meeting;
}

/// The edge of p misses the prism over the face of q: then the face's side that is nearest to it. The edge leads from `origin`, in q's frame.
FeatureWalk::Outcome FeatureWalk::nearest_side(std::size_t p, const Vec3& origin,
                                               const Vec3& along) {
  const std::size_t q = 1 - p;
  const FeatureLevel& hull = *level_[q];
  const double edge_length = level_[p]->sides[feature_[p].index].length;
  double nearest = INFINITY;
  std::uint32_t best = hull.sides_of(feature_[q].index)[0];
  for (const std::uint32_t k : hull.sides_of(feature_[q].index)) {
    const FeatureSide& side = hull.sides[k];
    const Vec3 w = hull.vertices[side.origin] - origin;
    const EdgeCrossing at = nearest_on_segments(w, along, edge_length, side.along, side.length,
                                                cross(along, side.along));
    const double far = length_squared(w + side.along * at.t - along * at.s);
    if (!(far < nearest)) continue;
    nearest = far;
    best = k;
  }
  return move(q, Kind::edge, best);
}

/// Below a face and in its prism: on to the face that a vertex of p's feature is farthest above.
template<std::size_t p>
FeatureWalk::Outcome FeatureWalk::escape(const FeatureSide* edge) {
  constexpr std::size_t q = 1 - p;
  const FeatureLevel& hull = *level_[q];
  if (hull.normals.size() > most_faces_scanned || ++escapes_ > max_escapes) return Outcome::lost;
  const std::uint32_t ends[2] = {edge ? edge->origin : feature_[p].index,
                                 edge ? edge->target : feature_[p].index};
  double highest = touch_;
  std::uint32_t vertex = 0, face = FeatureSide::no_face;
  for (std::size_t i = 0; i < (edge ? 2u : 1u); ++i) {
    const Vec3 x = into_other<p>(level_[p]->vertices[ends[i]]);
    for (std::uint32_t f = 0; f < hull.normals.size(); ++f) {
      const Vec3& corner = hull.vertices[hull.sides[hull.sides_of(f)[0]].origin];
      const double height = dot(hull.normals[f], x - corner);
      if (!(height > highest)) continue;
      highest = height;
      vertex = ends[i];
      face = f;
    }
  }
  // Above no face: a vertex is inside. Where both ends of an edge are, so is all of it.
  if (face == FeatureSide::no_face) return Outcome::meeting;
  move(p, Kind::vertex, vertex);
  return move(q, Kind::face, face);
}

FeatureWalk::Outcome FeatureWalk::move(std::size_t body, Kind kind, std::size_t index) {
  feature_[body] = {kind, static_cast<std::uint32_t>(index)};
  return Outcome::moved;
}

/// `normal`: a unit vector in q's frame, from q's feature to p's, which are `apart`. The points each in its own frame.
template<std::size_t q>
FeatureWalk::Outcome FeatureWalk::finish(const Vec3& normal, double apart, const Vec3& on_q,
                                         const Vec3& on_p, bool proved) {
  found_.on_a = q == 0 ? on_q : on_p;
  found_.on_b = q == 0 ? on_p : on_q;
  found_.axis = q == 0 ? normal : -turned_into_other<q>(normal);
  found_.between = found_.axis * apart;
  found_.upper = apart;
  proved_ = proved;
  return Outcome::nearest;
}

/// From the vertex of a body up its steepest edge.
FeatureWalk::Outcome FeatureWalk::climb(std::size_t body, const FeatureSlope& slope,
                                        bool to_point) {
  feature_[body] = climbed(*level_[body], slope, to_point);
  return Outcome::moved;
}

} // namespace carom
