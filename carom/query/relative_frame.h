// One frame as it is in another. Internal to the queries.
#pragma once

#include "carom/math/pose.h"

namespace [[gnu::visibility("default")]] carom {

/// Where `frame` is, seen from the frame `from`: rounded once for each coordinate.
[[nodiscard]] constexpr Frame seen_from(const Frame& from, const Frame& frame) {
  return {{from.direction_to_local(frame.basis.x), from.direction_to_local(frame.basis.y),
           from.direction_to_local(frame.basis.z)},
          from.to_local(frame.origin)};
}

} // namespace carom
