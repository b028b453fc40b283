// The checker's own distance of a point from a spherical shell: in the half-plane through the axis and the point, by its two arcs and two edges.
#pragma once

#include "carom/geometry/spherical_shell.h"
#include "carom/verify/distance.h"

#include <algorithm>
#include <cmath>

namespace [[gnu::visibility("default")]] carom {
namespace verify {

/// 0 inside; infinite from the empty shell.
[[nodiscard]] inline double distance(const Vec3& p, const SphericalShell& shell) {
  if (shell.empty()) return INFINITY;
  const Vec3 q = p - shell.center;
  const double r = length(q);
  const double along = dot(shell.axis, q);
  const double off_axis = length(cross(shell.axis, q));
  if (shell.all_directions() || along >= shell.cos_half_angle * r) {
    return std::max({0.0, shell.inner - r, r - shell.outer});
  }
  const double c = std::min(1.0, shell.cos_half_angle);
  const Vec3 rim{std::sqrt(std::max(0.0, (1 - c) * (1 + c))), c, 0};
  return distance(Vec3{off_axis, along, 0}, Segment{rim * shell.inner, rim * shell.outer});
}

} // namespace verify
} // namespace carom
