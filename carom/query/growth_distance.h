// By how much two shapes must grow, each about a centre of its own, to touch: with the proof.
//
//   GrowthDistance g = growth_distance(crate, pose_a, {}, rock, pose_b, rock_centroid);
//   g.value < 1;                                                     // they overlap
//
// Unlike the signed distance it is as easy inside as outside, and smooth in the poses where the shapes are; what it measures is relative to their size.
// verify::check_growth_distance confirms the answer without trusting anything here.
#pragma once

#include "carom/query/answer.h"
#include "carom/query/pair_cache.h"
#include "carom/shape/shape.h"

namespace [[gnu::visibility("default")]] carom {

/// For every ordered pair of convex kinds; others give bad_input: scaled about a centre, what is not convex moves its parts about. Each centre is a point of its shape, in the shape's own frame: inside or on the border, to within 1e-12 of the size; one that is
/// outside, or not finite, gives bad_input.
///
/// Coinciding centres give 0: both shapes shrunk to their centres still touch. A centre on the border is legal: its shape does not grow that way. Where
/// neither shape grows toward the other, along some direction between them (two different points; plates side by side), no factor will do, and the
/// value is infinite. A half-space grown by 0 is the half-space through its centre; so where the other centre lies within that, the value is 0.
[[nodiscard]] GrowthDistance growth_distance(const Shape& a, const Pose& pose_a,
                                             const Vec3& center_a, const Shape& b,
                                             const Pose& pose_b, const Vec3& center_b,
                                             PairCache* cache = nullptr);

} // namespace carom
