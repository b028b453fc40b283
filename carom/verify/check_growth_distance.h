// Does a growth distance hold? By convexity, with the checker's own supports and distances of points.
#pragma once

#include "carom/query/answer.h"
#include "carom/verify/check.h"

namespace [[gnu::visibility("default")]] carom {
namespace verify {

/// A set, and the point of it that it grows from.
struct GrowingSet {
  SetView set;
  Vec3 center;
};

/// The bounds are around the value. Not less: along the normal the sets scaled by lower_bound are apart, or touch. Not more: the points lie in the sets
/// scaled by `value`, and are one. An infinite value: neither set reaches beyond its centre along the normal, and the centres are apart along it.
/// The tolerances are lengths, of the sets as they are: how far points may be off and extents wrong; and how far on_a may be from on_b. (Scaled sets err by as
/// much more.)
[[nodiscard]] Verdict check_growth_distance(const GrowingSet& a, const GrowingSet& b,
                                            const GrowthDistance& answer, double tolerance,
                                            double points_tolerance);

} // namespace verify
} // namespace carom
