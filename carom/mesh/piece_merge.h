// Merging convex pieces until there are few enough. A piece of convex_decomposition.h.
#pragma once

#include "carom/math/result.h"
#include "carom/mesh/convex_hull.h"

#include <cstdint>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

struct MergeLimits {
  std::size_t most = 1; ///< pieces afterwards, at least 1
  double free = 0;      ///< pairs whose common hull adds no more than this are merged anyway
  double padding = 0;   ///< of hull_measure (cut_search.h): what is added is measured by that
};

struct MergedPieces {
  std::vector<ConvexHull> hulls;
  std::vector<std::uint32_t> of; ///< per piece given: the hull that it is in, exactly
};

/// Replaces pairs of hulls by their common hull, the pair first that adds least. Pairs whose boxes are apart are looked at only where no others are left.
/// Errors: those of convex_hull.
[[nodiscard]] Result<MergedPieces> merge_pieces(std::vector<ConvexHull> hulls,
                                                const MergeLimits& limits);

} // namespace carom
