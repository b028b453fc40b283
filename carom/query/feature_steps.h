// The steps that walks over features are made of: from a feature to the neighbour that is nearer. Internal to the queries (feature_walk.h, feature_look.h).
#pragma once

#include "carom/query/feature_proof.h"
#include "carom/shape/feature_level.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace [[gnu::visibility("default")]] carom {

/// An edge that leaves a vertex, and how far up a direction it leads: the cosine of the angle, times the direction's length.
struct FeatureSlope {
  double rise; ///< minus infinity where there is no edge
  std::uint32_t side;
};
/// Of the edges at a vertex, the one that leads up along d most steeply; d in the hull's frame.
[[nodiscard]] inline FeatureSlope steepest(const FeatureLevel& hull, std::uint32_t vertex,
                                           const Vec3& d) {
  const std::uint32_t end = hull.star_begin[vertex + 1];
  FeatureSlope most{-INFINITY, 0};
  for (std::uint32_t k = hull.star_begin[vertex]; k < end; ++k) {
    const double rise = dot(hull.sides[k].along, d);
    most.side = rise > most.rise ? k : most.side;
    most.rise = rise > most.rise ? rise : most.rise;
  }
  return most;
}

/// From a vertex to its steepest edge. Where the direction leads to a point, as long as it is, then past the edge to its other end, if that is nearer to the point than all of the
/// edge before it.
[[nodiscard]] inline HullFeature climbed(const FeatureLevel& hull, const FeatureSlope& slope,
                                         bool to_point) {
  const FeatureSide& side = hull.sides[slope.side];
  if (to_point && slope.rise > side.length) return {FeatureKind::vertex, side.target};
  return {FeatureKind::edge, slope.side};
}

/// The side of a face that x is beyond, by more than the slack; of several the nearest, so that the way leads down. FeatureSide::no_face where x is in the prism over the face.
[[nodiscard]] inline std::uint32_t crossed_side(const FeatureLevel& hull, std::uint32_t face,
                                                const Vec3& x, double slack) {
  double nearest = INFINITY;
  std::uint32_t crossed = FeatureSide::no_face;
  for (const std::uint32_t k : hull.sides_of(face)) {
    const FeatureSide& side = hull.sides[k];
    const Vec3 r = x - hull.vertices[side.origin];
    const double out = dot(r, side.outward);
    if (!(out > slack)) continue;
    const double s = dot(r, side.along);
    const double beyond = std::max({0.0, -s, s - side.length});
    const double far = out * out + beyond * beyond;
    if (!(far < nearest)) continue;
    nearest = far;
    crossed = k;
  }
  return crossed;
}

/// How far along each of two segments they come nearest, and whether that is at an end: -1 the origin, 1 the target, 0 between.
struct EdgeCrossing {
  double s, t;
  int end_s, end_t;
};
/// Of a segment of this length.
[[nodiscard]] inline int segment_end(double s, double length) {
  return s <= 0 ? -1 : s >= length ? 1 : 0;
}

/// The segments lead from 0 along `u` and from `w` along `v`, unit vectors; c = u x v.
[[nodiscard]] inline EdgeCrossing nearest_on_segments(const Vec3& w, const Vec3& u, double length_u,
                                                      const Vec3& v, double length_v,
                                                      const Vec3& c) {
  const double cc = length_squared(c);
  const double s_cc = dot(w, cross(v, c));
  const double t_cc = dot(w, cross(u, c));
  const bool parallel = !(cc > feature_proof::parallel_squared);
  // The divisions come after the decision.
  if (!parallel && s_cc > 0 && s_cc < length_u * cc && t_cc > 0 && t_cc < length_v * cc)
    return {s_cc / cc, t_cc / cc, 0, 0};
  // Beyond an end of one: the nearest on the other to that end, and back.
  double s = parallel ? 0 : std::clamp(s_cc / cc, 0.0, length_u);
  double t = dot(u * s - w, v);
  if (t > 0 && t < length_v) {
    const int end = segment_end(s, length_u);
    return {s, t, end != 0 || !parallel ? end : -1, 0};
  }
  t = std::clamp(t, 0.0, length_v);
  s = std::clamp(dot(w + v * t, u), 0.0, length_u);
  return {s, t, segment_end(s, length_u), segment_end(t, length_v)};
}

/// What of an edge is nearest to a face: it is clipped to the prism over the face; then its lower end tells.
struct ClippedEdge {
  enum class Where : std::uint8_t {
    origin, ///< of the edge
    target,
    side,    ///< where it is above a side of the face
    beside,  ///< it misses the prism
    below,   ///< the face
    through, ///< the face, or touching it
  };
  Where where;
  std::uint32_t side = FeatureSide::no_face;
};
/// The edge leads from `origin` along a unit vector, in the frame of the hull. Planes are `slack` thick; nearer than `touch` counts as touching.
[[nodiscard]] inline ClippedEdge clip_edge(const FeatureLevel& hull, std::uint32_t face,
                                           const Vec3& origin, const Vec3& along,
                                           double edge_length, double slack, double touch) {
  using Where = ClippedEdge::Where;
  double from = 0, to = edge_length;
  std::uint32_t cut_from = FeatureSide::no_face, cut_to = FeatureSide::no_face;
  const auto sides = hull.sides_of(face);
  for (const std::uint32_t k : sides) {
    const FeatureSide& side = hull.sides[k];
    const double out = dot(origin - hull.vertices[side.origin], side.outward);
    const double rise = dot(along, side.outward);
    const double out_end = out + rise * edge_length;
    if (out > slack && out_end > slack) return {Where::beside};
    if (out > slack && -out < rise * from) {
      from = -out / rise;
      cut_from = k;
    }
    if (out_end > slack && -out < rise * to) {
      to = -out / rise;
      cut_to = k;
    }
  }
  if (!(from <= to)) return {Where::beside};
  const Vec3& n = hull.normals[face];
  const Vec3 above = origin - hull.vertices[hull.sides[sides[0]].origin];
  const double height_from = dot(n, above + along * from);
  const double height_to = dot(n, above + along * to);
  if (std::max(height_from, height_to) < -touch) return {Where::below};
  if (!(std::min(height_from, height_to) > touch)) return {Where::through};
  // Where it is level to within rounding, rather to a vertex.
  const double lean = height_to - height_from;
  const bool first = std::fabs(lean) <= slack && (cut_from != cut_to)
                         ? cut_from == FeatureSide::no_face
                         : lean >= 0;
  const std::uint32_t cut = first ? cut_from : cut_to;
  if (cut != FeatureSide::no_face) return {Where::side, cut};
  return {first ? Where::origin : Where::target};
}

} // namespace carom
