// The faces of a k-DOP: its vertices, its volume and its area.
#pragma once

#include "carom/geometry/kdop.h"

#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// The corners of the DOP, appended to `vertices`: each once (corners nearer than 64 epsilon of the greatest |offset| to another are
/// one), each within 64 epsilon of the greatest |offset| of its exact place. None where the DOP is empty. A DOP that is a point or flat has the
/// corners of that. At most 2 K - 4, less what coincides. For K = 6, 14, 18, 26.
template<int K>
void kdop_corners(const Kdop<K>& dop, std::vector<Vec3>& vertices);

/// 0 where it is empty or flat. To within 1024 epsilon of the greatest |offset| cubed.
template<int K>
[[nodiscard]] double volume(const Kdop<K>& dop);
/// Both sides where it is flat. To within 1024 epsilon of the greatest |offset| squared.
template<int K>
[[nodiscard]] double area(const Kdop<K>& dop);

} // namespace carom
