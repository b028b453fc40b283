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

  /// A direction, a unit vector in the world at the time `from`, and by whom it is carried from there on.
  class Sight {
  public:
    Sight(const ClearRun& run, const Vec3& n, double from, Carrier carrier);

    [[nodiscard]] const Vec3& n() const { return n_; }
    [[nodiscard]] double from() const { return from_; }
    [[nodiscard]] Carrier carrier() const { return carrier_; }
    /// As it is at time t.
    [[nodiscard]] Vec3 at(double t) const;
    /// Along it at time t: how far apart the sets are; negative where they overlap along it.
    [[nodiscard]] double gap(double t) const;

  private:
    const ClearRun* run_;
    Vec3 n_;
    Vec3 at_start_; ///< turned back to t = 0 with the carrier
    double from_;
    Carrier carrier_;
    double carrier_reach_ = 0; ///< the carrier's own reach along it, which stays
  };

  /// The direction n, carried by whom its gap is the greatest at the time `then`; and that gap. With a half-space, the half-space; n must be its normal.
  struct Best {
    Sight sight;
    double then, gap_then;
  };
  [[nodiscard]] Best best_sight(const Vec3& n, double from, double then) const;

  /// All up to the result is clear, proved by the one direction; its beginning, where the gap is `gap_from`, where nothing is. It goes on while the gap is more than `worth`, a share of that: a better direction may lead farther.
  /// Where given, `steps` gets what proves it.
  [[nodiscard]] double follow(const Best& best, double gap_from, double until, double worth,
                              std::vector<MotionProof::Step>* steps = nullptr) const;

  /// By how much the gap may be less between two times than the straight line says.
  [[nodiscard]] double excess(Carrier carrier, double from, double to) const;

private:
  [[nodiscard]] Vec3 between_pivots(double t) const;
  struct Place {
    double t, gap;
  };
  /// `guess` is tried first.
  [[nodiscard]] Place step(const Sight& sight, const Place& from, double until,
                           const Place& guess) const;

  MovingSet a_, b_;
  double least_;
};

} // namespace carom
