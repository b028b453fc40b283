// Do the answers about shapes that are not convex hold? By brute force over all pairs of their convex parts (parts.h).
//
// What one direction cannot prove, all pairs can: two parts are apart by at least so much where an empty slab of that width lies between them. The slab is found here, by a few directions and then by a search of
// the checker's own (support_distance.h); the answer's normal is but one of those tried. Solids: where no parts meet, a part lies inside or outside as a whole, so one point of each decides, by an exact winding number.
//
// `tolerance` is a length: how far a point may be off its shape, and how much less than claimed two parts may be apart. Each check also holds for convex shapes. For few parts: each pair may cost a tenth of a millisecond.
#pragma once

#include "carom/geometry/line.h"
#include "carom/query/answer.h"
#include "carom/verify/shape.h"

namespace [[gnu::visibility("default")]] carom {
namespace verify {

/// The points lie in the parts named, and `value` apart; no pair of parts is nearer than lower_bound, and where that is not 0, nothing lies inside of a solid.
[[nodiscard]] Verdict check_composite_distance(const PlacedShape& a, const PlacedShape& b,
                                               const Distance& answer, double tolerance);

/// The point lies in the parts named; or no pair of parts has a common point, and nothing lies inside of a solid.
[[nodiscard]] Verdict check_composite_overlap(const PlacedShape& a, const PlacedShape& b,
                                              const ShapeOverlap& answer, double tolerance);

/// The point lies on the part named and is p - value * normal; no part's value is less than lower_bound, that of the part named not more than upper_bound (answer.h says what it is).
[[nodiscard]] Verdict check_composite_closest_point(const Vec3& p, const PlacedShape& shape,
                                                    const SurfacePoint& answer, double tolerance);

/// A hit: the point is on the ray, in range, and in the part named, and the ray comes from the front; it clearly meets no part before (check_cast.h). Inside: the start lies in the shape. A miss: no part is clearly met, and
/// the start is not in a solid. All triangles count, from either side.
[[nodiscard]] Verdict check_composite_ray_cast(const PlacedShape& shape, const Ray& ray,
                                               double max_t, const RayHit& answer,
                                               double tolerance);

/// A hit: at time t, the points lie in the parts named and are one, to within `points`; no two parts, the one swept along all the way up to t, have a common point, and nothing is inside of a solid at the start.
/// A miss: the same with t = max_t. An overlap at the start: a point of both.
[[nodiscard]] Verdict check_composite_shape_cast(const PlacedShape& a, const Vec3& translation,
                                                 const PlacedShape& b, double max_t,
                                                 const ShapeCast& answer, double tolerance,
                                                 double points);

/// The points lie in the shapes, `value` apart along the direction. No corners of polyhedral parts are farther apart than upper_bound; of others, none that a search from 14 directions finds.
[[nodiscard]] Verdict check_composite_span(const PlacedShape& a, const PlacedShape& b,
                                           const Span& answer, double tolerance);

} // namespace verify
} // namespace carom
