// What the queries about moving shapes answer, and how each answer proves itself.
#pragma once

#include "carom/query/answer.h"

namespace [[gnu::visibility("default")]] carom {

/// When two moving shapes first come within the margin of each other: touch, where that is 0.
///
/// Proof of a hit: at time t the points lie in A and B, `distance` apart, which is no more than the margin and the error allowed. That nothing was within the margin before is a matter of all times: for each stretch of time there is a direction along which the
/// shapes are apart all through it. prove_impact gives these (prove_impact.h), and verify::check_motion_proof confirms them; so it is with a miss.
struct TimeOfImpact {
  bool hit = false;
  /// They are within the margin at t = 0, to within rounding: then that is the hit, whichever way they move.
  bool initial_overlap = false;
  /// Of the hit; 1 where there is none. Nothing is within the margin before: a lower bound.
  double t = 1;
  /// Where ImpactOptions::time_error was reached first: the shapes are within the margin at that time. Else infinite: not asked for.
  double upper_t = INFINITY;
  /// Of the points. In an initial overlap: negative, minus the depth (Penetration), where the margin is 0.
  double distance = 0;
  /// Points of A and of B at time t, in the world; of a miss, they say nothing. In an initial overlap: as signed_distance has them.
  Vec3 on_a{}, on_b{};
  /// A unit vector from A toward B. In an initial overlap: the way B has to go.
  Vec3 normal{1, 0, 0};
  /// At time t the points do not come nearer to each other: along the normal, B's is at least as fast as A's. So an initial overlap is left, at first.
  bool separating = false;
  /// `stopped`: the time error was reached. `wide`: nothing is within the margin before t, but whether at t is not known. `bad_input`: a motion is out of range.
  Status status = Status::ok;
  int iterations =
      0; ///< times at which the distance was measured; of shapes that are not convex, pairs of parts
  PartId part_a{}, part_b{}; ///< that the points are of

  [[nodiscard]] explicit constexpr operator bool() const { return hit; }
};

/// When two moving shapes that overlap first come apart.
struct TimeOfSeparation {
  /// They overlap at all times before t (and, where `separated` is false, to the end). 0 where they do not overlap at the start.
  double t = 1;
  bool separated = false;
  /// How deep they overlap at t: no more than the error allowed.
  double depth = 0;
  Vec3 on_a{}, on_b{}; ///< at time t, as Penetration has them
  Vec3 normal{1, 0, 0};
  /// `wide`: that they come apart at t is not known.
  Status status = Status::ok;
  int iterations = 0;
};

} // namespace carom
