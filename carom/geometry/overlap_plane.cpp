#include "carom/geometry/overlap_plane.h"

#include "carom/geometry/separating_axis.h"

#include <cmath>

namespace carom {
namespace {

/// The ends of a set along the normal of a plane.
struct Reach {
  Vec3 lowest, highest;   ///< points of the set
  double least, greatest; ///< normal . x there
};

Reach reach_along(const ConvexView& a, double radius, const Vec3& normal) {
  const Vec3 ball = normalized_or(normal, Vec3{}) * radius;
  const Vec3 low = a.support(-normal);
  const Vec3 high = a.support(normal);
  // The radius is added to the products, not to the points: one rounding less, and right for a ball far from the origin.
  const double thickness = radius * length(normal);
  return {low - ball, high + ball, dot(normal, low) - thickness, dot(normal, high) + thickness};
}

/// A plane's normal and offset, to unit length.
struct Unit {
  Vec3 normal;
  double offset;

  [[nodiscard]] Vec3 foot() const { return normal * offset; } ///< nearest to the origin
};

template<class PlaneOrHalfSpace>
Unit to_unit(const PlaneOrHalfSpace& p) {
  const double l = length(p.normal);
  return l > 0 ? Unit{p.normal / l, p.offset / l} : Unit{{1, 0, 0}, p.offset};
}

/// How two normals lie to each other.
struct Meeting {
  Vec3 along;        ///< the direction of the common line
  bool parallel;     ///< or opposite
  bool same = false; ///< where parallel: they point the same way
};

Meeting meeting(const Unit& a, const Unit& b) {
  const Vec3 along = accurate_cross({}, a.normal, {}, b.normal);
  return {along, length(along) <= 4 * 0x1p-52, dot(a.normal, b.normal) > 0};
}

/// The point of the common line of two planes that is nearest to the origin.
Vec3 common_point(const Unit& a, const Unit& b, const Vec3& along) {
  const auto at_heights = [&](double height_a, double height_b) {
    return (cross(b.normal, along) * height_a + cross(along, a.normal) * height_b) /
           length_squared(along);
  };
  const Vec3 p = at_heights(a.offset, b.offset);
  // Of nearly parallel planes the two terms nearly cancel. What p is off by is small, and the same formula takes it away.
  return p + at_heights(a.offset - dot(a.normal, p), b.offset - dot(b.normal, p));
}

} // namespace

Overlap overlap_rounded(const ConvexView& a, double radius, const Plane& plane) {
  const Reach r = reach_along(a, radius, plane.normal);
  if (r.greatest < plane.offset) return Overlap::separated(normalized(plane.normal));
  if (r.least > plane.offset) return Overlap::separated(-normalized(plane.normal));
  const double t = (plane.offset - r.least) / (r.greatest - r.least);
  return Overlap::at(r.greatest > r.least ? lerp(r.lowest, r.highest, t) : r.lowest);
}

Overlap overlap_rounded(const ConvexView& a, double radius, const HalfSpace& half) {
  const Reach r = reach_along(a, radius, half.normal);
  if (r.least > half.offset) return Overlap::separated(-normalized(half.normal));
  return Overlap::at(r.lowest);
}

Overlap overlap(const Plane& a, const Plane& b) {
  const Unit ua = to_unit(a);
  const Unit ub = to_unit(b);
  const Meeting m = meeting(ua, ub);
  if (!m.parallel) return Overlap::at(common_point(ua, ub, m.along));
  const double beyond = (m.same ? ub.offset : -ub.offset) - ua.offset;
  if (beyond == 0) return Overlap::at(ua.foot());
  return Overlap::separated(beyond > 0 ? ua.normal : -ua.normal);
}

Overlap overlap(const Plane& a, const HalfSpace& b) {
  const Unit ua = to_unit(a);
  const Unit ub = to_unit(b);
  const Meeting m = meeting(ua, ub);
  if (!m.parallel) return Overlap::at(common_point(ua, ub, m.along));
  const double height = m.same ? ua.offset : -ua.offset; // of the plane, along b's normal
  return height <= ub.offset ? Overlap::at(ua.foot()) : Overlap::separated(-ub.normal);
}

Overlap overlap(const HalfSpace& a, const Plane& b) { return flipped(overlap(b, a)); }

Overlap overlap(const HalfSpace& a, const HalfSpace& b) {
  const Unit ua = to_unit(a);
  const Unit ub = to_unit(b);
  const Meeting m = meeting(ua, ub);
  if (m.parallel && m.same) return Overlap::at((ua.offset < ub.offset ? ua : ub).foot());
  if (m.parallel) {
    return -ub.offset <= ua.offset ? Overlap::at(ua.foot()) : Overlap::separated(ua.normal);
  }
  // The feet are no farther than need be; the common line may be far away.
  if (b.signed_distance(ua.foot()) <= 0) return Overlap::at(ua.foot());
  if (a.signed_distance(ub.foot()) <= 0) return Overlap::at(ub.foot());
  return Overlap::at(common_point(ua, ub, m.along));
}

} // namespace carom
