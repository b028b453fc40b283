// The volume and the area of a k-DOP. (Its corners: kdop_vertices.h.)
#pragma once

#include "carom/geometry/kdop.h"

namespace [[gnu::visibility("default")]] carom {

/// 0 where it is empty or flat. To within 1024 epsilon of the greatest |offset| cubed.
template<int K>
[[nodiscard]] double volume(const Kdop<K>& dop);
/// Both sides where it is flat. To within 1024 epsilon of the greatest |offset| squared.
template<int K>
[[nodiscard]] double area(const Kdop<K>& dop);

} // namespace carom
