// All pairs of parts of two placed shapes that touch or overlap.
//
//   std::vector<PartOverlap> pairs = overlapping_parts(gear, pose_a, casing, pose_b);        // which triangles clash
#pragma once

#include "carom/query/answer.h"
#include "carom/shape/shape.h"

#include <vector>

namespace [[gnu::visibility("default")]] carom {

struct PartOverlap {
  PartId a, b;

  bool operator==(const PartOverlap&) const = default;
};

/// The parts are convex: triangles of meshes, points of clouds with their balls, parts of compounds (of their meshes, the triangles); a convex shape is one. Each pair that has a point in common is there once, in
/// the order of their numbers; where there are more than `most`, so many of them, always the same. What is inside of a solid without touching its surface is in no pair. Of two meshes without rounding it is decided exactly, with
/// B's corners rounded to A's frame. None for poses out of range.
[[nodiscard]] std::vector<PartOverlap> overlapping_parts(const Shape& a, const Pose& pose_a,
                                                         const Shape& b, const Pose& pose_b,
                                                         std::size_t most = SIZE_MAX);

} // namespace carom
