// Does the answer of a shape cast hold? By convexity, with the checker's own supports and distances of points.
#pragma once

#include "carom/query/answer.h"
#include "carom/verify/check.h"

namespace [[gnu::visibility("default")]] carom {
namespace verify {

/// Lengths: what may be off.
struct ShapeCastTolerance {
  double sets = 0;   ///< a point from its set; the sets through the plane between them
  double points = 0; ///< on_a from on_b at a contact
  double depth =
      0; ///< in an overlap at the start, on_b from where on_a, the normal and the depth along it put it
};

/// A moves by t * translation. A hit: at time t the points lie in A and B, the common point in both; on_a and on_b are one, A and B are apart along the normal,
/// and they were more so before. An overlap at the start: the common point, and points that the translation along the normal makes one;
/// that no other is shorter is for check_signed_distance to say. A miss: the normal separates at the start and at the end.
/// What is `wide` is checked for what it claims: that nothing touches before t.
[[nodiscard]] Verdict check_shape_cast(const SetView& a, const Vec3& translation, const SetView& b,
                                       const ShapeCast& answer,
                                       const ShapeCastTolerance& tolerance);

} // namespace verify
} // namespace carom
