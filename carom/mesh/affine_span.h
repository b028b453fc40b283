// How many dimensions a set of points has, exactly. A part of convex_hull.h.
#pragma once

#include "carom/math/vec3.h"

#include <array>
#include <cstdint>
#include <span>

namespace [[gnu::visibility("default")]] carom {

/// dimension + 1 of the points that span the smallest point, line, plane or space with all of them in it.
struct AffineSpan {
  int dimension = 0;
  /// Which points: the first `dimension + 1` are set. Each the first of equals, and far from each other.
  std::array<std::uint32_t, 4> corner{};
};

/// At least one point, at most 2^32 - 1, coordinates in Carom's range.
[[nodiscard]] AffineSpan affine_span(std::span<const Vec3> points);

/// An axis (0, 1, 2) that the plane of a, b, c is not parallel to, exactly; the steepest, as far as doubles can tell. The points are not
/// collinear.
[[nodiscard]] int projection_axis(const Vec3& a, const Vec3& b, const Vec3& c);

} // namespace carom
