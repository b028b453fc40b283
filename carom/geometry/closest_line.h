// The nearest points of two straight things: lines, rays and segments in every combination.
//
// How exact. Let L be the greatest coordinate of the input and of the two answers. The points lie on the two sets and the distance is
// the least possible, each to within about 16 epsilon L: also for nearly parallel and for badly scaled input. (The points
// themselves may move along nearly parallel things by much more than that: their distance does not change.)
//
// Parallel. Directions that enclose an angle of less than 4 epsilon count as parallel. Among all nearest pairs the answer is then
//   the middle of the stretch where the two face each other, where it is bounded;
//   its end, where it is unbounded one way (rays);
//   the origin of one of the two and the point nearest to it, where it is unbounded both ways (two lines).
// Where parallel things do not face each other, the nearest points are ends, and unique.
//
// Degenerate. A zero direction, or a segment with a == b, is a point, with parameter 0. Both may be points.
#pragma once

#include "carom/geometry/answer.h"
#include "carom/geometry/line.h"

namespace [[gnu::visibility("default")]] carom {

/// on_a is a.at(s), on_b is b.at(t), up to rounding; origins of lines and rays and first ends of segments are exact. Where the two cross, the distance is 0 up to rounding, and the points agree up to rounding.
struct ClosestLines : ClosestPair {
  double s = 0, t = 0;
};

/// The same answer with A and B exchanged.
[[nodiscard]] constexpr ClosestLines flipped(const ClosestLines& c) {
  return {flipped(static_cast<const ClosestPair&>(c)), c.t, c.s};
}

[[nodiscard]] ClosestLines closest_points(const Line& a, const Line& b);
[[nodiscard]] ClosestLines closest_points(const Line& a, const Ray& b);
[[nodiscard]] ClosestLines closest_points(const Line& a, const Segment& b);
[[nodiscard]] ClosestLines closest_points(const Ray& a, const Ray& b);
[[nodiscard]] ClosestLines closest_points(const Segment& a, const Ray& b);
[[nodiscard]] ClosestLines closest_points(const Segment& a, const Segment& b);

[[nodiscard]] inline ClosestLines closest_points(const Ray& a, const Line& b) {
  return flipped(closest_points(b, a));
}
[[nodiscard]] inline ClosestLines closest_points(const Segment& a, const Line& b) {
  return flipped(closest_points(b, a));
}
[[nodiscard]] inline ClosestLines closest_points(const Ray& a, const Segment& b) {
  return flipped(closest_points(b, a));
}

} // namespace carom
