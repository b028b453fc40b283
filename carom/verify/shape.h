// The checker's own view of a placed shape: how far it reaches, and how far a point is outside of it.
//
// From the definition of each kind, by linear scans, in scalar arithmetic, and with nothing from carom/shape but the data of the cores. A
// placed shape is its local geometry under the doubles of Pose::frame, taken as exact reals. Shapes that are not convex: all parts are looked at (parts.h).
#pragma once

#include "carom/math/pose.h"
#include "carom/shape/shape.h"
#include "carom/verify/check.h"
#include "carom/verify/distance.h"
#include "carom/verify/support.h"

namespace [[gnu::visibility("default")]] carom {
namespace verify {

struct PlacedShape {
  Shape shape;
  Pose pose;

  /// As check.h takes it.
  operator SetView() const; // NOLINT(google-explicit-constructor)
};

/// The greatest d . x over the placed shape, to within a few epsilon of |d| times its size; d has any finite length. A half-space's is finite only
/// where d is parallel to its normal, judged to within 16 epsilon.
[[nodiscard]] double support(const PlacedShape& placed, const Vec3& d);

/// A point of the placed shape with that d . x, in the world. Of a half-space: the point of its border nearest to its origin.
[[nodiscard]] Vec3 farthest_point(const PlacedShape& placed, const Vec3& d);

/// How far p is outside of the placed shape; 0 inside. To within a few epsilon of the greatest coordinate of p, the shape and the
/// position. Of sums, hulls of two, scaled and custom shapes (and of boxes and ellipsoids whose axes are not at right angles to within
/// rounding) it is found by a search (support_distance.h), and then as good as the farthest points are: a user's own say the shape.
/// Not a number where p or the position is not finite, so that no check passes on it.
/// Of a solid mesh, what its triangles are wound around is inside. Hulls are scanned face by face, with exact signs; a brush is the hull of its corners, and its half-spaces besides.
[[nodiscard]] double distance(const Vec3& p, const PlacedShape& placed);

/// The greatest |coordinate| of the placed shape, infinite for a half-space: what its roundings are relative to.
[[nodiscard]] double extent(const PlacedShape& placed);

} // namespace verify
} // namespace carom
