// How far apart the farthest points of two shapes are: with the proof.
//
//   Span s = span(hand, pose_a, tool, pose_b);
//   s.value; s.on_a; s.on_b;                                          // no point of the one is farther from any of the other
//
// The diameter of a shape is its span to itself. verify::check_span confirms the answer without trusting anything here.
#pragma once

#include "carom/query/answer.h"
#include "carom/shape/shape.h"

namespace [[gnu::visibility("default")]] carom {

/// For every ordered pair of kinds. Whether the shapes touch or overlap does not matter. Allocates memory: for the corners of both, and for the search.
///
/// Time: for polyhedral shapes, about that of looking at all corners, not at all pairs of them; for curved ones some microseconds, and up to tens of milliseconds where
/// many directions are nearly as good.
[[nodiscard]] Span span(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b);

} // namespace carom
