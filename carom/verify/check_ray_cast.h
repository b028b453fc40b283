// Does the answer of a ray cast against a shape hold? By convexity, with the checker's own supports and distances of points.
#pragma once

#include "carom/geometry/line.h"
#include "carom/query/answer.h"
#include "carom/verify/check.h"

namespace [[gnu::visibility("default")]] carom {
namespace verify {

/// A hit: the point is where the ray is at t, in range, and lies in the set; the plane through it has the set behind and the ray comes from the front. Inside: the
/// start lies in the set. A miss with a normal: it separates at the start of the ray, and at its end or where the ray has left
/// the set behind. A miss without: refuted where the ray clearly meets the set (check_cast.h says how); of an unbounded set it does not count.
/// `tolerance` is a length: how far the point may be off the set, and the set through the plane.
[[nodiscard]] Verdict check_ray_cast(const SetView& set, const Ray& ray, double max_t,
                                     const RayHit& answer, double tolerance);

} // namespace verify
} // namespace carom
