// Shapes that are polytopes rounded by a radius, though built otherwise: sums, hulls of two and scalings. Internal to mass.cpp.
#pragma once

#include "carom/shape/shape.h"

#include <optional>
#include <vector>

namespace carom {

/// The hull of `origin` + points, rounded. Points are kept from an origin near to them, so that sums lose nothing far from the world's.
struct RoundedPoints {
  std::vector<Vec3> points;
  Vec3 origin;
  double rounding = 0;
  double error = 0;        ///< how far each of `points` may be off, by rounding
  double origin_error = 0; ///< and all of them together
};

/// Nothing where the shape is none of them, or would have too many points.
[[nodiscard]] std::optional<RoundedPoints> rounded_points(const Shape& shape);

} // namespace carom
