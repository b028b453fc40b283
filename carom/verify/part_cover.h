// Whether a proof about all pairs of parts leaves none out. Internal to the checker.
#pragma once

#include "carom/verify/parts.h"

namespace [[gnu::visibility("default")]] carom {
namespace verify {

/// What a claim is about: parts first_a .. end_a of A against first_b .. end_b of B.
struct PartRectangle {
  std::uint32_t first_a = 0, end_a = 0, first_b = 0, end_b = 0;
};

/// The parts in the order of the proof; none where it does not list each once.
[[nodiscard]] std::vector<const ConvexPart*> in_order(const std::vector<ConvexPart>& parts,
                                                      const std::vector<PartId>& order);

/// Whether the rectangles cover all pairs of so many parts, and do not overlap.
[[nodiscard]] Verdict check_cover(const std::vector<PartRectangle>& claims, std::uint64_t count_a,
                                  std::uint64_t count_b);

} // namespace verify
} // namespace carom
