// The least translation that separates two placed shapes.
//
//   Penetration p = penetration(a, pose_a, b, pose_b);
//   Pose apart = pose_b;  apart.position += p.normal * p.depth;      // just touching now, or apart as before
#pragma once

#include "carom/query/answer.h"
#include "carom/query/pair_cache.h"
#include "carom/shape/shape.h"

namespace [[gnu::visibility("default")]] carom {

/// For every ordered pair of kinds. As the signed distance where the shapes overlap, and quicker where they do not: the first separating direction ends it.
/// Where one is not convex: a search that takes milliseconds (docs/penetration.md). Moved by depth * normal the shapes are apart, by a hair, rather than touching.
[[nodiscard]] Penetration penetration(const Shape& a, const Pose& pose_a, const Shape& b,
                                      const Pose& pose_b, PairCache* cache = nullptr);

} // namespace carom
