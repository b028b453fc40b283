// What became of a query.
#pragma once

#include <cstdint>

namespace [[gnu::visibility("default")]] carom {

enum class Status : std::uint8_t {
  ok,      ///< the bounds are as near to each other as promised
  stopped, ///< the caller's error or threshold was reached first; the bounds hold
  wide, ///< the bounds hold, but are farther apart than promised: a custom shape whose support is not convex or not exact
  bad_input, ///< a pose is not finite or out of range (tolerance.h); the rest of the answer says nothing
};

} // namespace carom
