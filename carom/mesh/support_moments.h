// The moments of any bounded convex set that is known by its support mapping, with a bound of the error.
//
// For what has no closed form: sums and hulls with curved parts, rounded ellipsoids, a user's own shapes.
#pragma once

#include "carom/mesh/rounded_hull.h"

#include <functional>

namespace [[gnu::visibility("default")]] carom {

/// How far off the volume may be as a part of itself, where the search stops: some 10,000 support points for an ellipsoid, and four times fewer for four times
/// this. What is nearly flat in places needs fewer.
inline constexpr double support_moments_accuracy = 9e-4;

/// `support` gives a point of the set farthest in a direction, which is never 0. The volume lies between that of a polytope inside and one outside; the bound follows
/// from these, and is proved as far as the support points are right. It exceeds the accuracy asked for only where 50,000 points do not
/// suffice. Centroid and second moments are those of a solid between the two; no bound is given for them, but they are mostly
/// better than the volume's.
///
/// What is flat to within 2^-46 of its size has volume 0 and the centroid of its area or length, the former to about 1e-5 of its size.
/// Where support gives points that are not finite or beyond Carom's range: volume 0, relative_error infinite.
[[nodiscard]] BoundedMoments support_moments(const std::function<Vec3(const Vec3&)>& support,
                                             double accuracy = support_moments_accuracy);

} // namespace carom
