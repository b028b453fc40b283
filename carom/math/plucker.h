// Plücker coordinates: a directed line in space as six numbers, and on which side of each other two lines pass.
//
// The line through p along d is written (d, m) with the moment m = p x d, which is the same for every p of the line. Scaling (d, m) by a
// positive number gives the same directed line; by a negative one, its reverse. Not all six numbers make a line: those with
// d . m = 0 do (the manifold identity), since m is at right angles to d.
//
// The permuted inner product side(l1, l2) = d1 . m2 + d2 . m1 tells how l2 passes l1:
//   > 0   l2 goes counter-clockwise around l1, seen with l1 coming towards the eye;
//   < 0   clockwise;
//   = 0   the lines meet or are parallel (they lie in one plane).
// It is symmetric, and changes sign when either line is reversed. For lines through points a, b and c, d it is the 4 x 4 determinant
// of rows (1, a), (1, b), (1, c), (1, d), which is ((b - a) x (c - a)) . (d - a): the number of which orient3d(a, b, c, d) is the sign.
//
// A line l passes through a counter-clockwise triangle a, b, c from the front (against its normal) when side(l, ab), side(l, bc) and
// side(l, ca) are all <= 0 and not all 0, from behind when all >= 0 and not all 0. An edge shared by two triangles has one value, up to
// its sign.
//
// side is rounded; exact_side gives the exact sign, from the points.
#pragma once

#include "carom/math/predicates.h"
#include "carom/math/vec3.h"

namespace [[gnu::visibility("default")]] carom {

struct PluckerLine {
  Vec3 direction; ///< not normalised: b - a, or as given; zero for a degenerate line
  Vec3 moment;    ///< p x direction, for any point p of the line
};

/// The line from a through b. Where a = b both parts are zero, and every side is 0. The moment is a x b, which equals a x (b - a) and is
/// spared the rounding of b - a.
[[nodiscard]] constexpr PluckerLine plucker_through(const Vec3& a, const Vec3& b) {
  return {b - a, cross(a, b)};
}
/// The line through p along `direction`.
[[nodiscard]] constexpr PluckerLine plucker_along(const Vec3& p, const Vec3& direction) {
  return {direction, cross(p, direction)};
}
[[nodiscard]] constexpr PluckerLine reversed(const PluckerLine& l) {
  return {-l.direction, -l.moment};
}

/// How l2 passes l1 (above), rounded: the error is at most about 8 * 2^-53 times the sum of the absolute values of all its terms, with the
/// coordinates of the points (not their differences) in them. Move the origin close, or use exact_side, where that matters.
[[nodiscard]] constexpr double side(const PluckerLine& l1, const PluckerLine& l2) {
  return dot(l1.direction, l2.moment) + dot(l2.direction, l1.moment);
}

/// direction . moment: 0 for every line but for rounding. How far six numbers are from being a line.
[[nodiscard]] constexpr double manifold(const PluckerLine& l) {
  return dot(l.direction, l.moment);
}

/// The exact sign of side for the lines a b and c d.
[[nodiscard]] inline int exact_side(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return orient3d(a, b, c, d);
}
/// The exact sign of side for the line through p along `direction` and the line a b.
[[nodiscard]] inline int exact_side_along(const Vec3& p, const Vec3& direction, const Vec3& a,
                                          const Vec3& b) {
  return orient3d_direction(p, direction, a, b);
}

} // namespace gnu::visibility("default")]]carom
