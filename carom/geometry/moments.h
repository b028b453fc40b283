// Volume, centroid and second moments of solids, in closed form: what the mass, the centre of mass and the inertia of a body come from.
//
// A moment about a far point hides what is near: so the second moments here are about the centroid, and every sum of parts is made with
// differences of centroids. Errors are a few roundings of the solid's own size, however far from the origin it is.
//
// Flat things have volume 0 and second moments 0; their centroid is that of their area, or of their length, or the point that they are.
// Density is 1 throughout: volume is mass. Lengths that are negative count as 0.
#pragma once

#include "carom/geometry/box.h"
#include "carom/geometry/cone.h"
#include "carom/geometry/ellipsoid.h"
#include "carom/geometry/swept_sphere.h"
#include "carom/geometry/tapered_capsule.h"
#include "carom/math/mat3.h"
#include "carom/math/pose.h"

namespace [[gnu::visibility("default")]] carom {

struct Moments {
  double volume = 0;
  Vec3 centroid;
  Mat3 second = Mat3::zero(); ///< the integral of (x - centroid) (x - centroid)^T over the solid
};

/// Moments, and how far the volume may be off as a part of itself. Where the volume is 0, it is exactly so if the error is 0.
struct BoundedMoments {
  Moments moments;
  double relative_error = 0;
};

/// Of both solids together, which do not overlap. What has no volume has no weight; where neither has any: the first.
[[nodiscard]] Moments operator+(const Moments& a, const Moments& b);
/// Of the solid moved by a vector.
[[nodiscard]] Moments moved(const Moments& m, const Vec3& by);
/// Of the solid placed in a frame.
[[nodiscard]] Moments moved(const Moments& m, const Frame& frame);
/// Of the solid with each coordinate multiplied by its factor. Factors may be negative.
[[nodiscard]] Moments scaled(const Moments& m, const Vec3& factors);
/// About the centroid: the integral of |x|^2 I - x x^T, that is trace(second) I - second.
[[nodiscard]] Mat3 inertia(const Moments& m);

[[nodiscard]] Moments moments(const Sphere& sphere);
[[nodiscard]] Moments moments(const Capsule& capsule);
[[nodiscard]] Moments moments(const Ellipsoid& ellipsoid);
[[nodiscard]] Moments moments(const TaperedCapsule& capsule);

// With a rounding: of all points within that distance of the solid.
[[nodiscard]] Moments moments(const Obb& box, double rounding = 0);
[[nodiscard]] Moments moments(const ConeFrustum& frustum, double rounding = 0);
[[nodiscard]] Moments moments(const Cylinder& cylinder, double rounding = 0);
[[nodiscard]] Moments moments(const Cone& cone, double rounding = 0);

} // namespace carom
