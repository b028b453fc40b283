// Which bodies hang together, for drawings: by contacts and joints, as the world lets them fall asleep and wake.
#pragma once

#include "carom/dynamics/world.h"

#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Of each slot of the world's bodies: the lowest slot of its island, asleep or not; no_index where there is no body, or one that does not give way (fixed, kinematic, frozen).
[[nodiscard]] std::vector<std::uint32_t> body_islands(const World& world);

} // namespace carom
