// Everything against planes and half-spaces.
//
// A bounded set meets a plane where the plane's offset lies between the least and the greatest normal . x of the set, and a half-space where
// the least does not exceed it. That is one comparison of how far the set reaches along the normal.
//
// Normals may have any length (a zero normal has no direction and makes no sense). The axis of a separated answer is plus or minus
// the normal, to unit length. Empty sets meet nothing; the axis is then still the normal.
// The Boolean may go either way where the |signed distance| is at most 1e-14 of the greatest coordinate of the set and the plane's distance
// from the origin.
//
// Two planes, a plane and a half-space, two half-spaces: always meet unless their normals are parallel. Normals are taken to be parallel when
// the angle between them is within 4 epsilon: unit vectors are not known better. A common point may lie as far away as the angle is
// small, and is right to a few epsilon of that distance.
#pragma once

#include "carom/geometry/answer.h"
#include "carom/geometry/convex_core.h"
#include "carom/geometry/gjk.h"
#include "carom/geometry/plane.h"

namespace [[gnu::visibility("default")]] carom {

/// The points within `radius` of A against the plane. The common point lies between the points of A that are farthest on both sides.
[[nodiscard]] Overlap overlap_rounded(const ConvexView& a, double radius, const Plane& plane);
/// The common point is the one deepest inside the half-space.
[[nodiscard]] Overlap overlap_rounded(const ConvexView& a, double radius, const HalfSpace& half);

template<ConvexSet A>
[[nodiscard]] Overlap overlap(const A& a, const Plane& b) {
  const auto& core = core_of(a);
  if (is_empty(core)) return Overlap::separated(normalized(b.normal));
  return overlap_rounded(ConvexView(core), core_radius(a), b);
}
template<ConvexSet A>
[[nodiscard]] Overlap overlap(const A& a, const HalfSpace& b) {
  const auto& core = core_of(a);
  if (is_empty(core)) return Overlap::separated(-normalized(b.normal));
  return overlap_rounded(ConvexView(core), core_radius(a), b);
}
template<ConvexSet B>
[[nodiscard]] Overlap overlap(const Plane& a, const B& b) {
  return flipped(overlap(b, a));
}
template<ConvexSet B>
[[nodiscard]] Overlap overlap(const HalfSpace& a, const B& b) {
  return flipped(overlap(b, a));
}

[[nodiscard]] Overlap overlap(const Plane& a, const Plane& b);
[[nodiscard]] Overlap overlap(const Plane& a, const HalfSpace& b);
[[nodiscard]] Overlap overlap(const HalfSpace& a, const Plane& b);
/// Opposite half-spaces (their normals point at each other's inside) are separated where a gap is between them.
[[nodiscard]] Overlap overlap(const HalfSpace& a, const HalfSpace& b);

} // namespace carom
