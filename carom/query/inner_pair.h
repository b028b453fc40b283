// Convex pieces of two overlapping shapes that reach deep into each other. Internal to penetration.
//
// Around a point x of both, let r be the radius of a ball in A and s that of one in B. No translation shorter than r + s separates these balls, so none separates A and B. Where shapes only just reach into each
// other, at places that no larger piece of them fills, this is what bounds their depth from below.
#pragma once

#include "carom/query/solid_penetration.h"

#include <optional>

namespace [[gnu::visibility("default")]] carom {

/// Of A, and of B moved by t: a piece of each (of B where it stands, not moved), found around a common point where r + s is as large as a search finds, or `enough`. A convex part is its own piece. A
/// triangle of a surface is; of a solid it is the ball, grown away from where it touches the surface as far as there is room, which makes it count for other
/// translations as well. None where no common point was found.
[[nodiscard]] std::optional<InnerPair> inner_pair_at(const Shape& a, const Pose& pose_a,
                                                     const Shape& b, const Pose& pose_b,
                                                     const Vec3& t, double enough);

} // namespace carom
