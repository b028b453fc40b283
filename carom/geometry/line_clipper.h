// The two tools from which every clip(line, solid) is made: cutting an interval by planes, and by round walls.
//
// A convex solid is an intersection of pieces. Each piece cuts the interval [enter, exit] of the line; what is left at the end is in
// the solid. The normal of the piece that cut last is the normal there, and it supports the solid because it supports the piece.
#pragma once

#include "carom/geometry/cast.h"

namespace [[gnu::visibility("default")]] carom {
namespace cast_detail {

/// Cuts a line's interval.
struct Clipper {
  LineSpan span{true, -INFINITY, INFINITY, {}, {}};

  void enter_at(double t, const Vec3& normal) {
    if (t > span.enter) {
      span.enter = t;
      span.enter_normal = normal;
    }
  }
  void exit_at(double t, const Vec3& normal) {
    if (t < span.exit) {
      span.exit = t;
      span.exit_normal = normal;
    }
  }
  void reject() { span.hit = false; }

  /// Keeps what is behind a plane with this outward normal: `room` is how far the origin is behind it, `speed` how fast the line goes
  /// toward it. A parallel line (speed +-0) stays whole or goes whole: nothing is divided by zero.
  void cut(double room, double speed, const Vec3& normal) {
    if (speed > 0) {
      exit_at(room / speed, normal);
    } else if (speed < 0) {
      enter_at(room / speed, normal);
    } else if (!(room >= 0)) {
      reject();
    }
  }

  [[nodiscard]] LineSpan finish() const {
    LineSpan result = span;
    result.hit =
        span.hit && span.enter <= span.exit && span.enter < INFINITY && span.exit > -INFINITY;
    return result;
  }
};

/// clip_with(0), and where that misses, clip_with(slack): the solid grown by the rounding error, so that no touch is lost.
template<class ClipWith>
[[nodiscard]] LineSpan clip_or_touch(double slack, ClipWith&& clip_with) {
  const LineSpan span = clip_with(0.0);
  return span.hit ? span : clip_with(slack);
}

/// The hull of two spans of one line.
[[nodiscard]] LineSpan join(const LineSpan& a, const LineSpan& b);

/// v less its part along a unit vector; taken twice, so that what is left is at right angles to the last bits.
[[nodiscard]] constexpr Vec3 across(const Vec3& v, const Vec3& axis) {
  const Vec3 once = v - axis * dot(v, axis);
  return once - axis * dot(once, axis);
}

/// A line m + t d seen from the origin, or from an axis when m and d are at right angles to it.
struct Approach {
  double t = 0;     ///< where it is nearest
  Vec3 nearest;     ///< the point there, at right angles to d
  double gap = 0;   ///< |nearest|
  Vec3 along;       ///< d / |d|, zero for a zero direction
  double speed = 0; ///< |d|
};

/// The nearest point is found twice, the second time from the first: its error is then a few epsilon of |m| sideways, and a few
/// epsilon of its own length along d. The classic discriminant (m.d)^2 - |d|^2 (|m|^2 - r^2) loses everything for a small
/// ball far away; r - gap does not.
[[nodiscard]] Approach approach(const Vec3& m, const Vec3& d);

/// Where sqrt(gap^2 + s^2) <= radius + widening s: the places s, measured along a line from its nearest point to an axis, at which it is
/// within a wall that widens by `widening` a unit of s, between -1 and 1. A convex condition: one interval.
struct Reach {
  bool hit = false;
  double low = 0, high = 0;
};
[[nodiscard]] Reach reach(double gap, double radius, double widening);

/// Keeps what is within a round wall, `radius` wide at the approach's nearest point. outward(u) gives the unit normal for a vector u from the axis to
/// the wall; where the wall meets the axis (a zero u), for the way the line goes in or out.
template<class Outward>
void cut_wall(Clipper& clipper, const Approach& line, double radius, double widening,
              Outward&& outward) {
  if (!(line.speed > 0)) {
    if (!(line.gap <= radius)) clipper.reject();
    return;
  }
  const Reach within = reach(line.gap, radius, widening);
  if (!within.hit) return clipper.reject();
  const auto normal = [&](double s, const Vec3& at_axis) {
    const Vec3 u = line.nearest + line.along * s;
    return outward(max_abs(u) > 0 ? u : at_axis);
  };
  clipper.enter_at(line.t + within.low / line.speed, normal(within.low, -line.along));
  clipper.exit_at(line.t + within.high / line.speed, normal(within.high, line.along));
}

} // namespace cast_detail
} // namespace carom
