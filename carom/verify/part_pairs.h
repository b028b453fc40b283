// What check_composite.h asks of all parts, and of all pairs of them. Internal to the checker.
#pragma once

#include "carom/verify/parts.h"

namespace [[gnu::visibility("default")]] carom {
namespace verify {

/// Every two parts are at least `wanted` apart, to within the tolerance, the parts of A also on all the way along `sweep`. Where 0 is wanted: they may reach into each other by the tolerance. `hint` is a direction to try.
[[nodiscard]] Verdict check_pairs_apart(const PlacedShape& a, const Vec3& sweep,
                                        const PlacedShape& b, double wanted, double tolerance,
                                        const Vec3& hint);

/// A point of each part of `other` is not inside of a solid mesh of `shape`, or no deeper than the tolerance.
[[nodiscard]] Verdict check_outside(const PlacedShape& shape, const PlacedShape& other,
                                    double tolerance);

/// p lies in the part named, whose material is the one named. Where the id has no element and the part is a solid mesh: anywhere in it.
[[nodiscard]] Verdict check_part(const char* what, const Vec3& p, const PlacedShape& shape,
                                 const PartId& id, double tolerance);

/// Of all pairs of parts: the farthest corners, or points that a search from 14 directions finds where the cores are curved.
[[nodiscard]] double greatest_span(const PlacedShape& a, const PlacedShape& b);

} // namespace verify
} // namespace carom
