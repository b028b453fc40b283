// Triangles of one mesh that touch where they should, or cut into each other.
#pragma once

#include "carom/geometry/triangle.h"

namespace [[gnu::visibility("default")]] carom {

/// Whether its corners are on one line, or in one point. Exact.
[[nodiscard]] bool is_degenerate(const Triangle& t);

/// Whether two triangles meet in more than the corners, or the edge, that they share: corners with the same coordinates are shared. Exact.
///   no corner shared    they have any point in common
///   one                 they have another point in common
///   two, an edge        they lie in one plane, on the same side of the edge: one is folded onto the other
///   all three           always: they are the same triangle twice
/// Degenerate triangles, without area, have no inside to be cut: never.
[[nodiscard]] bool meet_beyond_shared(const Triangle& a, const Triangle& b);

} // namespace carom
