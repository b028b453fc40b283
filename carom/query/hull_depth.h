// The depth of two small hulls: by every face of their difference that could be nearest, and no other. Internal to the queries.
#pragma once

#include "carom/query/expanding_polytope.h"
#include "carom/shape/polytope.h"

#include <optional>

namespace [[gnu::visibility("default")]] carom {

/// For cores that overlap and are hulls with arcs (polytope.h), each given again as what it is. Nothing where that is not the method: nearly parallel edges, faces that lie in one plane, a depth that is hardly more
/// than rounding. The expanding polytope answers then.
[[nodiscard]] std::optional<CoreDepth> hull_depth(const CorePair& pair, const Polytope& a,
                                                  const Polytope& b);

} // namespace carom
