// Four moving points in two parts: what a vertex and a face, and two edges, have in common. Internal.
//
// The parts are convex hulls: of one point and three, or of two and two. They touch at a time when
//   - the four points are in a plane: the volume D(t) = ((x1 - x0) x (x2 - x0)) . (x3 - x0), a cubic, is zero; and
//   - in that plane, the parts are those of Radon's theorem: four points in a plane that are not all on a line have, up to a factor, one set of weights with sum 0 that makes
//     their weighted sum 0, and the hulls of those with weights >= 0 and of those with weights <= 0 meet, and those of no other two parts. The weights are the (signed) areas
//     of the triangles of the other three.
// So both questions are one: signs of a cubic, and of four quadratics where it is zero.
#pragma once

#include "carom/motion/linear_answer.h"

namespace [[gnu::visibility("default")]] carom {

struct FourPoints {
  std::array<Vec3, 4> from, to;
  /// The first part is the points before this one: 1 for a vertex and a face, 2 for edges.
  int first = 1;

  /// All points relative to the first, in doubles: off by a few roundings of their distances, however fast or far away they are together.
  [[nodiscard]] std::array<Vec3, 4> around_first(double t) const {
    std::array<Vec3, 4> x;
    for (std::size_t i = 1; i < 4; ++i) x[i] = lerp(from[i] - from[0], to[i] - to[0], t);
    return x;
  }
};

[[nodiscard]] inline FourPoints four_points(const MovingPoint& v, const MovingFace& f) {
  return {{v.from, f[0].from, f[1].from, f[2].from}, {v.to, f[0].to, f[1].to, f[2].to}, 1};
}
[[nodiscard]] inline FourPoints four_points(const MovingEdge& a, const MovingEdge& b) {
  return {{a[0].from, a[1].from, b[0].from, b[1].from}, {a[0].to, a[1].to, b[0].to, b[1].to}, 2};
}

/// The first contact, in [lo, hi].
struct ContactTime {
  bool hit = false;
  double lo = 1, hi = 1;
};

/// Exactly, in integers. Coordinates are in range.
[[nodiscard]] ContactTime exact_contact_time(const FourPoints& points);

/// When the four points are in a plane, exactly: all the time; or at the start, at most three times between (in [lo, hi], hi >= lo, in ascending order) and at the end.
struct PlaneTimes {
  bool always = false, at_start = false, at_end = false;
  int count = 0;
  std::array<double, 3> lo{}, hi{};
};
[[nodiscard]] PlaneTimes plane_times(const FourPoints& points);

/// What doubles with error bounds can tell.
struct QuickContact {
  bool decided = false;
  ContactTime time;
};
[[nodiscard]] QuickContact quick_contact_time(const FourPoints& points);

/// The nearest points of the two parts, in doubles.
struct NearestParts {
  Vec3 on_first, on_second;
  double distance = 0;
  std::array<double, 4> weight{};
};
[[nodiscard]] NearestParts nearest_parts(const std::array<Vec3, 4>& x, int first);

/// The greatest coordinate of the differences to the first point at both times, and so of all times between.
[[nodiscard]] double reach(const FourPoints& points);

/// The time until which the parts stay farther apart than `separation`, every coordinate being off by up to `input_error`: with the tolerance of linear_answer.h. hi = lo where they come that near.
[[nodiscard]] ContactTime tolerant_contact_time(const FourPoints& points, double separation,
                                                double input_error);

/// Proves that there is no contact before that of the impact, or none at all: fills the proof.
void prove_no_contact(const FourPoints& points, const LinearImpact& impact,
                      const LinearOptions& options, LinearImpactProof& proof);

/// The whole answer.
[[nodiscard]] LinearImpact linear_impact(const FourPoints& points, const LinearOptions& options);

} // namespace carom
