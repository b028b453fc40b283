// Constraints that contradict each other, found quickly. Internal to the queries.
#pragma once

#include "carom/math/linear_program.h"

#include <optional>
#include <span>

namespace [[gnu::visibility("default")]] carom {

/// If no point satisfies all constraints, up to four of them and their multipliers, as LinearOptimum3 has them for an infeasible program. Found in plain doubles, by Seidel's
/// method, 10 to 70 times as fast as maximize() does it in 104 bits, and not always found: nothing also where rounding decides, or where the program is degenerate. The caller
/// checks what the multipliers are for.
[[nodiscard]] std::optional<LinearProof<4>>
find_contradiction(std::span<const Constraint3> constraints);

} // namespace carom
