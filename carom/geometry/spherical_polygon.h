// Area and moments of convex polygons on the unit sphere, whose sides are arcs of great circles: what a rounded corner is made of.
#pragma once

#include "carom/math/mat3.h"

#include <span>

namespace [[gnu::visibility("default")]] carom {

/// A side: from a unit vector counter-clockwise (seen from outside) along the great circle around `axis`, a unit vector at right angles to
/// it, to where the next side begins; at most half a circle. The axis must be given because corners that coincide, or
/// are opposite, do not tell it.
struct SphericalSide {
  Vec3 from;
  Vec3 axis;
};

struct SphericalMoments {
  double area = 0;            ///< the solid angle, in steradians
  Vec3 first;                 ///< the integral of u over the polygon
  Mat3 second = Mat3::zero(); ///< the integral of u u^T
};

/// The polygon is convex and no more than a hemisphere; two sides are enough (a lune). It may be a point or an arc: then all is 0.
/// Errors are a few epsilon for each side.
[[nodiscard]] SphericalMoments spherical_moments(std::span<const SphericalSide> sides);

/// From one unit vector to another, counter-clockwise around the axis: in [0, pi]. Angles that rounding makes negative are 0.
[[nodiscard]] double angle_around(const Vec3& axis, const Vec3& from, const Vec3& to);

} // namespace carom
