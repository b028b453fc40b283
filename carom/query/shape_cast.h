// When a shape that moves along a straight line first touches another, with the proof.
//
//   ShapeCast c = shape_cast(crate, pose, {0, -10, 0}, ground, {});
//   if (c.hit) pose.position += Vec3{0, -10, 0} * c.t;               // down to the ground, not into it
//
// Both bounds of the time come with their proof (answer.h); verify::check_shape_cast confirms it without trusting anything here.
#pragma once

#include "carom/query/answer.h"
#include "carom/query/pair_cache.h"
#include "carom/shape/shape.h"

namespace [[gnu::visibility("default")]] carom {

struct ShapeCastOptions {
  /// A length. So near to contact is near enough: then t may be smaller than that of the contact, and the points this far apart (Status::stopped). 0: as exact as
  /// doubles allow.
  double absolute_error = 0;
  /// Contacts after that time do not count; 0 to 1.
  double max_t = 1;
};

/// For every ordered pair of kinds. A moves by t * translation, t from 0 to 1, without turning; B rests. Of two that move, only the difference of
/// their translations counts.
///
/// Touching counts, at t = 1 too. At the start it is a hit at t = 0 whichever way A moves, also where it moves away. A zero translation is legal: it hits what A
/// touches where it is. Each coordinate of the translation is at most 1e30; where it is not finite or larger, the status is bad_input.
/// How exact: a hit or miss may go either way only where the shapes pass within 1e-14 of their size and distance (1e-12 where one is curved).
[[nodiscard]] ShapeCast shape_cast(const Shape& a, const Pose& pose_a, const Vec3& translation,
                                   const Shape& b, const Pose& pose_b,
                                   const ShapeCastOptions& options = {},
                                   PairCache* cache = nullptr);

} // namespace carom
