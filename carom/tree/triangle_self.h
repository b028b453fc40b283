// Triangles of one surface that cut into each other.
#pragma once

#include "carom/tree/triangle_pairs.h"

namespace [[gnu::visibility("default")]] carom {

/// Calls found(pair) for each pair of triangles that meet beyond the corners or the edge they share (geometry/triangle_neighbours.h: exact; triangles without area do not count).
/// Each pair once, pair.a < pair.b, in an order that means nothing, always the same. It may return false to end the search.
///
/// All triangles around one vertex have boxes that overlap: of n in a fan, n^2 / 2 pairs are tried. False where the search ended, by `found` or after trying `most_tried` pairs.
bool self_meetings(const TriangleSet& set, const std::function<bool(const TrianglePair&)>& found,
                   std::uint64_t most_tried = UINT64_MAX);

} // namespace carom
