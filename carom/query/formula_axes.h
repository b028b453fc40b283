// Whether a closed form may be used: it takes axes for unit vectors at right angles, and a user's may be off by 1e-12. Internal to the queries.
#pragma once

#include "carom/math/mat3.h"
#include "carom/math/tolerance.h"

#include <cmath>

namespace [[gnu::visibility("default")]] carom {

[[nodiscard]] inline bool is_unit(const Vec3& v) {
  return std::fabs(length_squared(v) - 1) <= 4 * tolerance::epsilon;
}

[[nodiscard]] inline bool is_orthonormal(const Mat3& m) {
  bool yes = true;
  for (int i = 0; i < 3; ++i) {
    yes = yes && is_unit(m[i]) && std::fabs(dot(m[i], m[(i + 1) % 3])) <= 4 * tolerance::epsilon;
  }
  return yes;
}

} // namespace carom
