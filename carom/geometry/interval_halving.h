// The first contact of two things that move in any way, given only their distance at a time and a bound on its rate of change.
//
// If at time t they are d apart, and no two points of them approach faster than max_speed, then they are apart at all times
// within d / max_speed of t. Such stretches of time are laid one after the other, from the start on, without a gap. Each look is
// made one stretch ahead of what is known to be free; where its stretch does not reach back, the way there is halved, at last
// down to a look at the very end of what is known.
//
// It needs no convexity, and rotations are as good as translations. Motion along a surface is where it is slow: at a distance d
// it takes about max_speed * time / (2 d) looks. So the number of looks is bounded, and the answer may be that the time left is
// undecided.
#pragma once

namespace [[gnu::visibility("default")]] carom {

struct HalvingOptions {
  /// This near is contact, in units of length. It must be greater than distance_error, or contacts may stay undecided.
  double tolerance = 0;
  /// The distances given may be too great by at most this.
  double distance_error = 0;
  /// At most this many looks.
  int max_evaluations = 1000;
};

enum class HalvingStatus {
  free,      ///< no contact from t0 to t1
  contact,   ///< at t the distance is at most the tolerance
  undecided, ///< the looks are used up: nothing is known from t on
};

/// Guarantee: for every s with t0 <= s < t, the two are apart: some look at a time u with |s - u| max_speed < distance(u) -
/// distance_error proved it.
struct FirstContact {
  HalvingStatus status = HalvingStatus::free;
  double t = 0;        ///< where free: t1
  double distance = 0; ///< the distance at t where in contact, else the last one seen
  int evaluations = 0;
};

/// The search, one look at a time, so that the caller may interrupt it: while (!done()) tell(distance at next()).
class IntervalHalving {
public:
  /// max_speed: an upper bound of |distance(s) - distance(u)| / |s - u|, in length a unit of t; 0 where nothing moves. Where t1 <
  /// t0, or a number is NaN, there is no time to search, and it is done.
  IntervalHalving(double max_speed, double t0, double t1, const HalvingOptions& options);

  [[nodiscard]] bool done() const { return done_; }
  /// The time at which to look next, from t0 to t1.
  [[nodiscard]] double next() const;
  /// The distance there: 0 or negative where they overlap.
  void tell(double distance);
  [[nodiscard]] const FirstContact& result() const { return result_; }

private:
  void finish(HalvingStatus status, double t);

  double max_speed_, end_;
  HalvingOptions options_;
  double free_;     // all before it is free
  double leap_ = 0; // how far beyond that to look
  bool done_ = false;
  FirstContact result_;
};

/// distance_at(t) is called at most max_evaluations times.
template<class Distance>
[[nodiscard]] FirstContact first_contact(Distance&& distance_at, double max_speed, double t0,
                                         double t1, const HalvingOptions& options) {
  IntervalHalving search(max_speed, t0, t1, options);
  while (!search.done()) {
    const double t = search.next();
    search.tell(distance_at(t));
  }
  return search.result();
}

} // namespace carom
