// For how long two moving sets are surely apart along a direction. Internal.
//
// The direction may be carried along: by the world, which leaves it as it is, by A, or by B. Where a face of A is what is nearest, its normal, carried by A, stays the best; so it is for a half-space, which has no other.
//
// Seen from the carrier, each point of the sets moves along a smooth path; its place along the direction is a function of time that differs from the straight line between its first and last value by no more than an eighth of its greatest second derivative times the
// square of the time. So does the gap, which is the least of all differences of such functions. Therefore between two times the gap is at least what it is at the nearer of them, less that. Two supports, and a bound of accelerations, prove a whole stretch of time.
#pragma once

#include "carom/motion/moving_set.h"
#include "carom/motion/proof.h"

namespace [[gnu::visibility("default")]] carom {

class ClearRun {
public:
  /// Clear: more than `least` apart. `slack`: by how much a gap may be off by rounding.
  ClearRun(const MovingSet& a, const MovingSet& b, double least, double slack)
      : a_(a), b_(b), least_(least + slack) {}

  /// A unit vector in the world at a certain time, and by whom it is carried from there on, forward and back.
  struct Sight {
    Vec3 n;
    double t;
    Carrier carrier;
  };
  /// Along the direction, as it is at time t: how far apart the sets are; negative where they overlap along it.
  [[nodiscard]] double gap(const Sight& sight, double t) const;

  /// Of the three carriers of n, that with the greatest gap at the time `then`. With a half-space, the half-space; n must be its normal.
  [[nodiscard]] Carrier best_carrier(const Vec3& n, double t, double then) const;

  /// All of [from, until] is clear, proved by the one direction; `from` where nothing is. It goes on while the gap is more than `worth`, a share of what it is at `from`: a better direction may lead farther.
  struct Run {
    double until, gap;
  };
  /// Where given, `steps` gets what proves it.
  [[nodiscard]] Run follow(const Sight& sight, double until, double worth,
                           std::vector<MotionProof::Step>* steps = nullptr) const;

  /// By how much the gap may be less between two times than the straight line says.
  [[nodiscard]] double excess(Carrier carrier, double from, double to) const;

private:
  [[nodiscard]] Vec3 between_pivots(double t) const;
  [[nodiscard]] Vec3 carried(const Sight& sight, double t) const;
  struct Place {
    double t, gap;
  };
  [[nodiscard]] Place step(const Sight& sight, const Place& from, double until) const;

  MovingSet a_, b_;
  double least_;
};

} // namespace carom
