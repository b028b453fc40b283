// A core as the hull of simple parts, each a sum of balls under linear maps. Internal to span.
//
// A corner is such a sum without a ball; the rim of a cylinder is a ball pressed flat, moved to one of its two places; an ellipsoid is a stretched ball. Sums, hulls of two
// and scalings of such parts are such parts again. So every core but a user's own is the hull of finitely many.
#pragma once

#include "carom/math/mat3.h"
#include "carom/shape/shape.h"

#include <optional>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// All center + M_1 u_1 + M_2 u_2 + ... with |u_i| <= 1, and what is within `radius` of them.
struct BallSum {
  Vec3 center;
  double radius = 0;
  double reach = 0; ///< no point of it is farther from the centre than this, to within rounding
  std::uint32_t first = 0, count = 0; ///< which of BallSums::images are the M_i
};

struct BallSums {
  std::vector<BallSum> parts;
  std::vector<Mat3> images;

  [[nodiscard]] std::span<const Mat3> images_of(const BallSum& part) const {
    return std::span(images).subspan(part.first, part.count);
  }
};

/// The parts of a shape's core, in its frame. Nothing where a user's own support function is part of it, or where it is unbounded, or a sum that would have more than
/// 16,384 parts.
[[nodiscard]] std::optional<BallSums> ball_sums(const Shape& shape);

} // namespace carom
