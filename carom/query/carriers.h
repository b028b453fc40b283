// What carries an axis: the corners of A - B that a proof about its neighbourhood starts from. Internal to the queries.
#pragma once

#include "carom/query/newton.h"

namespace [[gnu::visibility("default")]] carom {

/// Finds the corners of a refined axis anew, beside the axis itself (within 1e-9): on each side of a kink, around the point below the origin on a flat face. Then their mixture is the
/// axis times its reach, if the axis is the best nearby.
void settle_carriers(const CorePair& pair, RefinedAxis& axis);

} // namespace carom
