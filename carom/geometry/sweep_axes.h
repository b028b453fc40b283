// Moving intervals on axes: the tool from which the sweeps of boxes and polytopes are made.
//
// On an axis, A and B are intervals, and A's moves with constant speed. They overlap there during one span of time. A and B,
// convex, overlap while they do on all axes that matter: the cut of the spans. Either it is the answer, or it is empty and a
// direction says why.
#pragma once

#include "carom/geometry/line_clipper.h"
#include "carom/geometry/sweep.h"

namespace [[gnu::visibility("default")]] carom {
namespace sweep_detail {

struct Range {
  double min = INFINITY, max = -INFINITY;
};

/// Cuts the time of contact, over all of time, axis by axis. The normals of its span point from B toward A.
class AxisSweep {
public:
  /// What rounding may have moved on an axis widens B there: an absolute length, or a part of the distance that A has to go.
  struct Slack {
    double absolute = 0, relative = 0;
  };
  AxisSweep(const Vec3& motion, const Slack& slack) : motion_(motion), slack_(slack) {}

  /// A and B at t = 0 on the unit vector `axis`.
  void cut(const Vec3& axis, const Range& a, const Range& b) {
    const double speed = dot(axis, motion_);
    cut_side(axis, speed, b.max - a.min);
    cut_side(-axis, -speed, a.max - b.min);
  }

  [[nodiscard]] LineSpan span() const { return clipper_.finish(); }

  /// For a miss in [0, 1]: a unit vector along which A stays in front of B all the time.
  [[nodiscard]] Vec3 separating_direction() const {
    const LineSpan& s = clipper_.span;
    if (!s.hit) return parallel_;
    if (s.enter > 1) return s.enter_normal;
    if (s.exit < 0) return s.exit_normal;
    // They leave on one axis before they arrive on the other. Weighted so that the motion drops out, the two make one direction:
    // when A arrives on the first, it is past B on the second.
    const double in = -dot(s.enter_normal, motion_), out = dot(s.exit_normal, motion_);
    const double greater = in > out ? in : out;
    return normalized(s.enter_normal * (out / greater) + s.exit_normal * (in / greater));
  }

private:
  // A is in touch with B's far side in direction n, or short of it, while speed t <= room.
  void cut_side(const Vec3& n, double speed, double room) {
    // Room may be infinite.
    const double part = slack_.relative > 0 ? slack_.relative * std::fabs(room) : 0;
    const double wide = room + slack_.absolute + part;
    if (speed == 0 && !(wide >= 0) && clipper_.span.hit) parallel_ = n;
    clipper_.cut(wide, speed, n);
  }

  Vec3 motion_;
  Slack slack_;
  cast_detail::Clipper clipper_;
  Vec3 parallel_;
};

/// Where in [0, 1] a span of all time begins.
enum class Phase { miss, start, later };
[[nodiscard]] inline Phase phase(const LineSpan& span) {
  if (!span.hit || !(span.enter <= 1) || !(span.exit >= 0)) return Phase::miss;
  return span.enter <= 0 ? Phase::start : Phase::later;
}

/// Runs all cuts without slack, and where that misses, with it: a touch is not lost to rounding. cut_all(AxisSweep&) cuts every
/// axis.
template<class CutAll>
[[nodiscard]] AxisSweep cut_axes(const Vec3& motion, const AxisSweep::Slack& slack,
                                 CutAll&& cut_all) {
  AxisSweep exact(motion, {});
  cut_all(exact);
  if (phase(exact.span()) != Phase::miss) return exact;
  AxisSweep widened(motion, slack);
  cut_all(widened);
  return widened;
}

} // namespace sweep_detail
} // namespace carom
