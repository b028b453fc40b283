// That no direction near a given one separates two cores sooner: a proof by curvature. Internal to the queries.
#pragma once

#include "carom/query/newton.h"

namespace [[gnu::visibility("default")]] carom {

/// The tangent of an angle: along no unit vector within it of found.axis do the cores reach into each other by less than `floor`. 0 where nothing was proved;
/// otherwise some power of two, the greatest that the proof gives. `floor` > 0, and less than found.reach by some roundings.
[[nodiscard]] double proved_cap(const CorePair& pair, const RefinedAxis& found, double floor);

} // namespace carom
