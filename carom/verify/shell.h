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
  const double c = std::min(1.0, shell.cos_half_angle);
  const Vec3 rim{std::sqrt(std::max(0.0, (1 - c) * (1 + c))), c, 0};
  // By the sine of the angle between p and the rim: near 1, cosines cannot tell small angles apart.
  const double sine = off_axis * rim.y - along * rim.x, cosine = along * rim.y + off_axis * rim.x;
  if (shell.all_directions() || sine < 0 || (sine == 0 && cosine >= 0)) {
    return std::max({0.0, shell.inner - r, r - shell.outer});
  }
  return distance(Vec3{off_axis, along, 0}, Segment{rim * shell.inner, rim * shell.outer});
}

} // namespace verify
} // namespace carom
