// A look ahead by one stretch covers, where the distance changes little, a stretch on both of its sides: half as many looks as
// steps from stretch to stretch. Where it does not reach back, nothing is lost but the look: the next is nearer.
#include "carom/geometry/interval_halving.h"

#include "carom/math/tolerance.h"

#include <algorithm>

namespace carom {
namespace {

/// The next look is a little nearer than the last stretch is long, so that a distance that shrinks slowly still reaches back.
constexpr double overlap = 0.9375;

} // namespace

IntervalHalving::IntervalHalving(double max_speed, double t0, double t1,
                                 const HalvingOptions& options)
    : max_speed_(max_speed), end_(t1), options_(options), free_(t0) {
  if (!(t0 <= t1) || !(max_speed >= 0)) finish(HalvingStatus::free, t1);
  if (options.max_evaluations <= 0 && !done_) finish(HalvingStatus::undecided, t0);
}

double IntervalHalving::next() const { return std::min(free_ + leap_, end_); }

void IntervalHalving::tell(double distance) {
  const double t = next();
  ++result_.evaluations;
  result_.distance = distance;
  const bool at_edge = t == free_;
  if (at_edge && !(distance > options_.tolerance)) return finish(HalvingStatus::contact, t);

  // Shortened by what its own roundings and those of the times may add.
  const double room = distance - options_.distance_error;
  const double radius = room > 0 ? room / max_speed_ * (1 - 4 * tolerance::epsilon) : 0;
  if (t - radius < free_) {
    if (t + radius > end_) return finish(HalvingStatus::free, end_);
    // A stretch below the spacing of doubles leads nowhere.
    if (at_edge && !(t + radius > free_)) return finish(HalvingStatus::undecided, free_);
    free_ = std::max(free_, t + radius);
    leap_ = radius * overlap;
  } else {
    // Once the look ahead is nearer than a contact is wide, look at the edge itself.
    leap_ *= 0.5;
    if (at_edge || !(leap_ * max_speed_ > options_.tolerance)) leap_ = 0;
  }
  if (result_.evaluations >= options_.max_evaluations) finish(HalvingStatus::undecided, free_);
}

void IntervalHalving::finish(HalvingStatus status, double t) {
  done_ = true;
  result_.status = status;
  result_.t = t;
}

} // namespace carom
