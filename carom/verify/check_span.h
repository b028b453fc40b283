// Does a span hold? By the checker's own farthest points; for polyhedral shapes, by all pairs of corners.
#pragma once

#include "carom/query/answer.h"
#include "carom/verify/shape.h"

namespace [[gnu::visibility("default")]] carom {
namespace verify {

/// The points lie in the shapes, value * direction apart; the direction is a unit vector; the upper bound is not below the value, and nothing is farther apart than it.
///
/// The last is proved for polyhedral shapes, rounded or not, by measuring every corner of the one against every corner of the other. For others it is proved to 1% of the shapes' size: over 2,048 triangles of directions
/// convexity bounds how far both reach. A finer error is refuted, not excluded: from every direction of the grid that comes near, a search goes up.
/// An infinite value: along the direction one of the shapes has no end.
///
/// `tolerance` is a length: how far the points may be off and the bound exceeded.
[[nodiscard]] Verdict check_span(const PlacedShape& a, const PlacedShape& b, const Span& answer,
                                 double tolerance);

} // namespace verify
} // namespace carom
