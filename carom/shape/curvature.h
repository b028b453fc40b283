// The support function of a core to second order: how its farthest point moves as the direction turns.
//
// h(y) = the greatest y . x over the core is convex, and its gradient is the farthest point. Its second derivative says how round the core is there: r (I -
// n n') for a ball of radius r, 0 at a corner. All are closed forms: see curvature.cpp.
//
// Where several points are farthest (a face, an edge, the side of a cylinder) h has a kink. There h is the greater of smooth pieces: the support
// functions of parts of the core, such as the two rims of a cylinder, the corners of a box, the balls of a tapered capsule. What is
// said here is about the piece of the point given. A piece is never above h.
#pragma once

#include "carom/math/mat3.h"
#include "carom/shape/core.h"

#include <cstdint>

namespace [[gnu::visibility("default")]] carom {

/// A farthest point along a unit vector n, and the second derivative of its piece of h at n: symmetric, without a negative eigenvalue, 0 along n.
struct CurvedSupport {
  Vec3 point;
  Mat3 hessian = Mat3::zero();
};

/// Along the unit vector n. A custom core says nothing of its curvature: the second derivative is given as 0. So it is where n is along the axis
/// of a disc, and h has the kink of a cone.
[[nodiscard]] CurvedSupport curved_support(const ShapeCore& core, const Vec3& n);

/// That a piece of h is at least so curved for all directions around n: with p its point at n,
///   piece(n + x) >= p . (n + x) + ball (|n + x| - 1) - x' lost x / 2 + x' bowl x / 2   for all x at right angles to n with |x| <= reach.
/// For a ball of radius `ball` both sides are equal, with the rest 0. The matrices are symmetric, 0 along n, and have no negative eigenvalue.
struct CurvatureFloor {
  double ball = 0;
  Mat3 lost = Mat3::zero(), bowl = Mat3::zero();
};

/// Where a floor must lose something, which direction is to lose nothing: the one in which the piece is most curved, or least. Only matters where s is flat in that
/// direction, as around a disc or a long ellipsoid.
enum class Exact : std::uint8_t { along_most_curved, along_least_curved };

/// Of the piece of curved_support(core, n). Good to within a few roundings. `reach` > 0.
[[nodiscard]] CurvatureFloor curvature_floor(const ShapeCore& core, const Vec3& n, double reach,
                                             Exact exact = Exact::along_most_curved);

} // namespace carom
