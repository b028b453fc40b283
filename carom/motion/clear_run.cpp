#include "carom/motion/clear_run.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

/// Roots are tried so often; more only where none was found clear.
constexpr int usual_tries = 8, most_tries = 60;
/// So many steps along one direction; then it is time to measure again.
constexpr int most_steps = 256;

} // namespace

Vec3 ClearRun::between_pivots(double t) const {
  const MotionTerms &a = a_.motion, &b = b_.motion;
  return (b.pivot - a.pivot) + (b.translation * b.along(t) - a.translation * a.along(t));
}

ClearRun::Sight::Sight(const ClearRun& run, const Vec3& n, double from, Carrier carrier)
    : run_(&run), n_(n), at_start_(n), from_(from), carrier_(carrier) {
  if (carrier == Carrier::world) return;
  const bool by_a = carrier == Carrier::a;
  const MovingSet& set = by_a ? run.a_ : run.b_;
  at_start_ = set.motion.turn_back(n, from);
  carrier_reach_ = set.reach_at(by_a ? n : -n, from);
}

Vec3 ClearRun::Sight::at(double t) const {
  switch (carrier_) {
  case Carrier::a:
    return run_->a_.motion.turn(at_start_, t);
  case Carrier::b:
    return run_->b_.motion.turn(at_start_, t);
  default:
    return n_;
  }
}

double ClearRun::Sight::gap(double t) const {
  const Vec3 now = at(t);
  const double reach_a = carrier_ == Carrier::a ? carrier_reach_ : run_->a_.reach_at(now, t);
  const double reach_b = carrier_ == Carrier::b ? carrier_reach_ : run_->b_.reach_at(-now, t);
  return dot(now, run_->between_pivots(t)) - reach_a - reach_b;
}

ClearRun::Best ClearRun::best_sight(const Vec3& n, double from, double then) const {
  const auto best = [&](const Sight& sight) { return Best{sight, then, sight.gap(then)}; };
  if (!(a_.radius < INFINITY)) return best({*this, n, from, Carrier::a});
  if (!(b_.radius < INFINITY)) return best({*this, n, from, Carrier::b});
  // What does not turn carries as the world does, and better: its reach stays.
  const Best by_a = best({*this, n, from, Carrier::a});
  if (a_.motion.angle == 0 && b_.motion.angle == 0) return by_a;
  const Best by_b = best({*this, n, from, Carrier::b});
  return by_a.gap_then >= by_b.gap_then ? by_a : by_b;
}

double ClearRun::excess(Carrier carrier, double from, double to) const {
  const double turn_a = std::fabs(a_.motion.turned(to) - a_.motion.turned(from));
  const double turn_b = std::fabs(b_.motion.turned(to) - b_.motion.turned(from));
  if (carrier == Carrier::world)
    return (turn_a * turn_a * a_.radius + turn_b * turn_b * b_.radius) * 0.125;
  // Of a point of the other set, seen from the carrier, which turns: centrifugal, Coriolis, and its own.
  const bool by_a = carrier == Carrier::a;
  const double turn = by_a ? turn_a : turn_b, other_turn = by_a ? turn_b : turn_a;
  const double radius = by_a ? b_.radius : a_.radius;
  const Vec3 first = between_pivots(from), last = between_pivots(to);
  const double away = std::sqrt(std::max(length_squared(first), length_squared(last))) + radius;
  const double way = length(last - first) + other_turn * radius;
  const double own = other_turn * other_turn * radius;
  // A carrier that does not turn is the world.
  return turn == 0 ? own * 0.125 : (turn * turn * away + 2 * turn * way + own) * 0.125;
}

ClearRun::Place ClearRun::step(const Sight& sight, const Place& from, double until,
                               const Place& guess) const {
  const double end = std::min({until, a_.motion.piece_end(from.t), b_.motion.piece_end(from.t)});
  const double all = from.gap - least_;
  // Any end that is tried and found clear is a proof of its own, so the search for the last one may be as rough as it likes. First the guess, then the end; then false position, where the end that stays counts half from the second time on.
  Place clear = from, beyond = from;
  double clear_by = all, short_by = 0;
  Place tried = guess.t > from.t && guess.t < end ? guess : Place{end, sight.gap(end)};
  for (int i = 0; i < most_tries && (i < usual_tries || clear.t == from.t); ++i) {
    const double by =
        std::min(from.gap, tried.gap) - least_ - excess(sight.carrier(), from.t, tried.t);
    if (by >= 0) {
      if (tried.t == end) return tried;
      clear = tried;
      clear_by = by;
      if (by < 0.05 * all) break;
      short_by *= 0.5;
    } else {
      if (clear.t > from.t && short_by < 0) clear_by *= 0.5;
      beyond = tried;
      short_by = by;
    }
    double t = end;
    if (short_by < 0) {
      const double share = std::clamp(clear_by / (clear_by - short_by), 0.01, 0.97);
      t = clear.t + (beyond.t - clear.t) * share;
      if (!(t > clear.t && t < beyond.t)) break;
    }
    tried = {t, sight.gap(t)};
  }
  return clear;
}

double ClearRun::follow(const Best& best, double gap_from, double until, double worth,
                        std::vector<MotionProof::Step>* steps) const {
  const Sight& sight = best.sight;
  Place at{sight.from(), gap_from};
  const double enough = std::max(worth * at.gap, least_);
  for (int i = 0; i < most_steps && at.t < until && at.gap > enough; ++i) {
    const Place next = step(sight, at, until, {best.then, best.gap_then});
    if (!(next.t > at.t)) break;
    if (steps) steps->push_back({next.t, sight.at(at.t), sight.carrier()});
    at = next;
  }
  return at.t;
}

} // namespace carom
