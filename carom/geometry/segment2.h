// Segments in the plane: where two of them meet, decided exactly.
#pragma once

#include "carom/math/vec2.h"

namespace [[gnu::visibility("default")]] carom {

/// The points from a to b. Where a == b, it is a point.
struct Segment2 {
  Vec2 a, b;
};

/// What two closed segments have in common.
enum class Meeting2 {
  none,
  point,   ///< one point: a crossing, a touch, or the one end that collinear segments share
  overlap, ///< collinear segments that share a piece of positive length
};

struct SegmentMeeting2 {
  Meeting2 kind = Meeting2::none;
  /// The common point (from == to), or the ends of the common piece, in the direction of the first segment. Zero where there is none.
  Vec2 from, to;

  [[nodiscard]] explicit constexpr operator bool() const { return kind != Meeting2::none; }
};

/// Whether p lies on the closed segment s. Exact.
[[nodiscard]] bool on_segment(const Vec2& p, const Segment2& s);

/// What segments s and t have in common. The kind is exact. Where the common point or an end of the common piece is an end of a
/// segment, it is that very point, to the bit. A crossing inside of both is a rounded point: off by at most 4 epsilon times the
/// greatest |coordinate|, however flat the angle, and within the bounding boxes of both.
[[nodiscard]] SegmentMeeting2 intersect(const Segment2& s, const Segment2& t);

/// The point of the closed segment s nearest to p, and its distance from p.
struct ClosestOnSegment2 {
  Vec2 point;
  double distance = 0;
  bool inside = false; ///< the point is not an end of s: then p lies straight off it
};
/// The distance is right to a few epsilon of itself where the point is an end, and otherwise too, since it is measured across the
/// line with an exact determinant.
[[nodiscard]] ClosestOnSegment2 closest_on_segment(const Vec2& p, const Segment2& s);

} // namespace gnu::visibility("default")]]carom
