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

Vec3 ClearRun::carried(const Sight& sight, double t) const {
  if (sight.carrier == Carrier::world) return sight.n;
  const MotionTerms& m = sight.carrier == Carrier::a ? a_.motion : b_.motion;
  return m.turn(sight.n, m.turned(t) - m.turned(sight.t));
}

double ClearRun::gap(const Sight& sight, double t) const {
  const Vec3 n = carried(sight, t);
  return dot(n, between_pivots(t)) - a_.reach_at(n, t) - b_.reach_at(-n, t);
}

Carrier ClearRun::best_carrier(const Vec3& n, double t, double then) const {
  if (!(a_.radius < INFINITY)) return Carrier::a;
  if (!(b_.radius < INFINITY)) return Carrier::b;
  Carrier best = Carrier::world;
  double most = gap({n, t, Carrier::world}, then);
  const auto consider = [&](Carrier carrier, const MotionTerms& m) {
    if (m.angle == 0) return;
    const double g = gap({n, t, carrier}, then);
    if (g > most) {
      most = g;
      best = carrier;
    }
  };
  consider(Carrier::a, a_.motion);
  consider(Carrier::b, b_.motion);
  return best;
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

ClearRun::Place ClearRun::step(const Sight& sight, const Place& from, double until) const {
  const double end = std::min({until, a_.motion.piece_end(from.t), b_.motion.piece_end(from.t)});
  const auto clearance = [&](const Place& to) {
    return std::min(from.gap, to.gap) - least_ - excess(sight.carrier, from.t, to.t);
  };
  Place beyond{end, gap(sight, end)};
  double short_by = clearance(beyond);
  if (short_by >= 0) return beyond;
  // Any end that is tried and found clear is a proof of its own, so the search for the last one may be as rough as it likes. False position; the end that stays counts half from the second time on.
  Place clear = from;
  double clear_by = from.gap - least_;
  for (int i = 0; i < most_tries && (i < usual_tries || clear.t == from.t); ++i) {
    const double share = std::clamp(clear_by / (clear_by - short_by), 0.01, 0.95);
    const double t = clear.t + (beyond.t - clear.t) * share;
    if (!(t > clear.t && t < beyond.t)) break;
    const Place tried{t, gap(sight, t)};
    const double by = clearance(tried);
    if (by >= 0) {
      clear = tried;
      clear_by = by;
      short_by *= 0.5;
      if (by < 0.05 * (from.gap - least_)) break;
    } else {
      beyond = tried;
      short_by = by;
      if (clear.t > from.t) clear_by *= 0.5;
    }
  }
  return clear;
}

ClearRun::Run ClearRun::follow(const Sight& sight, double until, double worth,
                               std::vector<MotionProof::Step>* steps) const {
  Place at{sight.t, gap(sight, sight.t)};
  const double enough = std::max(worth * at.gap, least_);
  for (int i = 0; i < most_steps && at.t < until && at.gap > enough; ++i) {
    const Place next = step(sight, at, until);
    if (!(next.t > at.t)) break;
    if (steps) steps->push_back({next.t, carried(sight, at.t), sight.carrier});
    at = next;
  }
  return {at.t, at.gap};
}

} // namespace carom
