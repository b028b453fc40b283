// Does the answer of a sweep hold? With the checker's own distances and supports, and convexity.
//
// A hit at t: the point is in B and in A as it is then; a plane with B behind and A in front goes through it, and A came from the
// front. On that normal the gap shrinks at a constant rate, so it was there at all earlier times: nothing touched before.
// A miss: what A sweeps is convex; the direction given has B behind and A in front at both ends of the motion, hence always.
// A ball's miss may come without a direction: the distance of its centre from B is a convex function of t, whose least is found
// by search.
// A ball's hit is also checked in that way: no depth before t.
#pragma once

#include "carom/geometry/sweep.h"
#include "carom/math/tolerance.h"
#include "carom/verify/check.h"

#include <algorithm>
#include <array>

namespace [[gnu::visibility("default")]] carom {
namespace verify {

/// In units of length.
struct SweepTolerance {
  double distance =
      0; ///< how far the point may be outside of the sets, and how deep they may reach into each other before t
  double normal =
      0; ///< how far the sets may reach through the plane, all that a slightly turned normal does included
};

namespace sweep_check {

[[nodiscard]] inline Verdict off(const char* what, double amount, double tolerance) {
  return Verdict::no(std::string(what) + " by " + std::to_string(amount / tolerance) +
                     " tolerances");
}

/// The least of f, convex, between low and high: by halving the bracket around it.
template<class F>
[[nodiscard]] double least(F&& f, double low, double high) {
  double best = std::min(f(low), f(high));
  for (int i = 0; i < 64; ++i) { // 0.55^64 is below epsilon
    const double a = low + (high - low) * 0.45, b = low + (high - low) * 0.55;
    const double fa = f(a), fb = f(b);
    best = std::min({best, fa, fb});
    (fa > fb ? low : high) = fa > fb ? a : b;
  }
  return best;
}

/// How far A must go in the unit direction n to leave B behind.
template<class A, class B>
[[nodiscard]] double depth(const A& a, const B& b, const Vec3& n) {
  return support(b, n) + support(a, -n);
}

/// No direction of many is a much shorter way out than n.
template<class A, class B>
[[nodiscard]] Verdict check_way_out(const A& a, const B& b, const Vec3& n, double tolerance) {
  constexpr int directions = 64;
  const double least = depth(a, b, n);
  if (!(least >= -tolerance)) return off("they do not overlap along the normal", -least, tolerance);
  for (int i = 0; i < directions; ++i) {
    // Spread over the sphere, without trigonometry: points of a rough grid.
    const Vec3 d = normalized(Vec3{(i % 4) - 1.5, (i / 4 % 4) - 1.5, (i / 16) - 1.5});
    const std::array<Vec3, 3> tried = {d, unit_axis(i % 3) * (i % 2 ? -1.0 : 1.0),
                                       normalized(n + d * 0.01)};
    for (const Vec3& u : tried) {
      if (!(depth(a, b, u) >= least - tolerance)) {
        return off("another way out is shorter", least - depth(a, b, u), tolerance);
      }
    }
  }
  return Verdict::yes();
}

template<class A, class B>
[[nodiscard]] Verdict check_hit(const A& a, const Vec3& motion, const B& b, const Sweep& answer,
                                const SweepTolerance& tolerance) {
  if (!(answer.t >= 0 && answer.t <= 1)) return Verdict::no("t is out of range");
  if (answer.overlapping_at_start != (answer.t == 0)) return Verdict::no("the flag is wrong");
  if (!is_finite(answer.point)) return Verdict::no("the point is not finite");
  if (!(std::fabs(length(answer.normal) - 1) <= 1e-12)) return Verdict::no("not a unit normal");
  const Vec3 moved = motion * answer.t;
  if (const double e = verify::distance(answer.point - moved, a); !(e <= tolerance.distance)) {
    return off("the point is off A", e, tolerance.distance);
  }
  if (const double e = verify::distance(answer.point, b); !(e <= tolerance.distance)) {
    return off("the point is off B", e, tolerance.distance);
  }
  const Vec3& n = answer.normal;
  if (answer.overlapping_at_start) return check_way_out(a, b, n, tolerance.normal);
  if (const double e = depth(a, b, n) - dot(n, moved); !(e <= tolerance.normal)) {
    return off("the normal does not separate them at t", e, tolerance.normal);
  }
  if (const double e = dot(n, motion); !(e <= tolerance.normal)) {
    return off("the normal does not face the motion", e, tolerance.normal);
  }
  return Verdict::yes();
}

template<class A, class B>
[[nodiscard]] Verdict check_separation(const A& a, const Vec3& motion, const B& b, const Vec3& n,
                                       double tolerance) {
  if (!(std::fabs(length(n) - 1) <= 1e-12)) return Verdict::no("a miss without a unit direction");
  const double e = depth(a, b, n) - std::min(0.0, dot(n, motion));
  if (!(e <= tolerance)) return off("the direction of the miss does not separate", e, tolerance);
  return Verdict::yes();
}

} // namespace sweep_check

template<class A, class B>
[[nodiscard]] Verdict check_sweep(const A& a, const Vec3& motion, const B& b, const Sweep& answer,
                                  const SweepTolerance& tolerance) {
  if (answer.hit) return sweep_check::check_hit(a, motion, b, answer, tolerance);
  return sweep_check::check_separation(a, motion, b, answer.normal, tolerance.distance);
}

template<class B>
[[nodiscard]] Verdict check_sweep(const Sphere& a, const Vec3& motion, const B& b,
                                  const Sweep& answer, const SweepTolerance& tolerance) {
  if (answer.hit) {
    if (Verdict v = sweep_check::check_hit(a, motion, b, answer, tolerance); !v) return v;
    if (answer.overlapping_at_start) return Verdict::yes();
  } else if (answer.normal != Vec3{}) {
    return sweep_check::check_separation(a, motion, b, answer.normal, tolerance.distance);
  }
  const auto gap = [&](double t) { return verify::distance(a.center + motion * t, b) - a.radius; };
  const double nearest = sweep_check::least(gap, 0, answer.hit ? answer.t : 1);
  if (!(nearest >= -tolerance.distance)) {
    return sweep_check::off("they overlap before", -nearest, tolerance.distance);
  }
  return Verdict::yes();
}

} // namespace verify
} // namespace carom
