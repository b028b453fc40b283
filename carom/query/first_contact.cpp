// Newton's method on a convex function.
//
// Along a unit vector n the cores are gap(n) - t (n . velocity) apart at time t, where gap(n) is that at t = 0: linear in t. Their distance is the greatest of
// these over all n, so it is a convex function of t. At a time t before contact, the axis n of the distance is a tangent of it. Where the
// tangent falls to the radius, contact is not yet passed: that is the next t. So t only grows, never passes the contact, and the last axis is
// the proof that nothing touched before.
//
// The tangent's zero is computed from the supports at t = 0, not from the distance at t, so that it does not matter how exact that was: any axis gives
// a true bound. Near a contact that is not tangential each step doubles the digits; grazing ones gain two bits a step.
//
// A miss. The distance stops falling before it reaches the radius: some axis n2 with n2 . velocity <= 0 separates at time t. If it is the first one, it separates at all
// times from there on. If not, the axis n1 of the step before brought us to t, with n1 . velocity > 0. The gap is superadditive (the least of a sum
// is not less than the sum of the least), so along m = n1 (-n2 . velocity) + n2 (n1 . velocity) the cores are apart at t; and m . velocity = 0,
// so they are at all times.
#include "carom/query/first_contact.h"

#include "carom/math/tolerance.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

using Kind = FirstContact::Kind;

/// A safety net: grazing contacts take about 20 steps, and the most of 266,240 casts of all pairs was 25.
constexpr int max_steps = 256;
/// The roundings of t * velocity, of a dot product with it and of a division.
constexpr double motion_roundings = 8;

/// How much of a distance its axis may miss: no exact one is needed before contact. Of curved shapes this saves half of the support points, for one step
/// more; the others do not feel it.
constexpr double axis_error = 0.01;

class Advance {
public:
  Advance(const CorePair& pair, const CoreMotion& motion)
      : pair_(pair), motion_(motion), speed_limit_(max_abs(motion.velocity)) {
    result_.t = motion.from;
    result_.axis = motion.axis;
  }

  FirstContact run(PairCache& cache) {
    while (result_.steps < max_steps) {
      ++result_.steps;
      look(cache);
      const double apart = result_.cores.upper - motion_.radius;
      if (near_enough_ || apart <= closeness(pair_.tight_agreement()))
        return end(apart <= error_allowed() ? Kind::stopped : Kind::touch);
      const Vec3 n = result_.cores.axis;
      const double speed = dot(n, motion_.velocity);
      const double start = gap_at_zero(n);
      const double gap = start - result_.t * speed;
      const bool separates = gap > moving_rounding(result_.t);
      if (separates && !(speed > 0)) return miss(n, speed);
      if (!separates || !advance(n, speed, root(start, speed))) return end(without_progress());
      if (result_.t > motion_.until || !(result_.t < INFINITY)) return end(Kind::miss);
    }
    return end(without_progress());
  }

  /// Where the gap along n, `gap` at t = 0, is used up: not later than that, with the speed off by a rounding.
  [[nodiscard]] double root(double gap, double speed) const {
    const double slack = moving_rounding(1);
    if (gap >= 0) return gap / (speed + slack);
    return speed > slack ? gap / (speed - slack) : -INFINITY;
  }

  /// How far apart the cores are along n at t = 0, less the radius; rounded down.
  [[nodiscard]] double gap_at_zero(const Vec3& n) {
    ++result_.iterations;
    return -dot(n, pair_.corner_toward(n).difference) - motion_.radius - pair_.rounding();
  }

private:
  /// The nearest points at the time that has been reached.
  void look(PairCache& cache) {
    const CorePair now = pair_.moved(motion_.velocity * -result_.t);
    const CoreQuestion question{
        .relative_error = axis_error,
        .radius = motion_.radius,
        .agreement = pair_.agreement() + moving_rounding(result_.t),
        .below = motion_.radius + std::max(closeness(pair_.tight_agreement()), error_allowed())};
    result_.cores = nearest_cores(now, question, &cache);
    if (result_.cores.upper == 0) {
      // Inside a simplex of last time, which may be flat by now: its weights are not to be trusted. Once more, from the start.
      cache = {};
      result_.iterations += result_.cores.iterations;
      result_.cores = nearest_cores(now, question, &cache);
    }
    result_.iterations += result_.cores.iterations;
    // It stopped there, though in the end the points may be some roundings farther apart.
    near_enough_ = result_.cores.answered &&
                   result_.cores.upper - result_.cores.lower > question.agreement &&
                   result_.cores.upper <= question.below + 8 * pair_.rounding();
  }

  [[nodiscard]] double moving_rounding(double t) const {
    return motion_roundings * tolerance::epsilon * (std::fabs(t) * speed_limit_);
  }
  /// How near is touching, where distances are known to within `agreement`: then no axis is sure to lead any further.
  [[nodiscard]] double closeness(double agreement) const {
    return agreement + 0.5 * pair_.rounding() + 4 * moving_rounding(result_.t);
  }

  /// Beyond what counts as touching. Not before the first axis: without one there is no normal.
  [[nodiscard]] double error_allowed() const {
    const bool more = motion_.absolute_error > closeness(pair_.agreement());
    return more && result_.axis != Vec3{} ? motion_.absolute_error : 0;
  }

  /// False where that would be less than a rounding.
  bool advance(const Vec3& n, double speed, double next) {
    const double gained = (next - result_.t) * (speed + moving_rounding(1));
    if (!(gained > 0.25 * pair_.rounding())) return false;
    result_.t = next;
    result_.axis = n;
    return true;
  }

  [[nodiscard]] Kind without_progress() const {
    const double apart = result_.cores.upper - motion_.radius;
    return apart <= closeness(pair_.agreement()) ? Kind::touch : Kind::unknown;
  }

  FirstContact miss(const Vec3& n, double speed) {
    const Vec3& last = result_.axis;
    const Vec3 level = last * -speed + n * dot(last, motion_.velocity);
    result_.axis = last == Vec3{} ? n : normalized_or(level / speed_limit_, n);
    return end(Kind::miss);
  }

  FirstContact end(Kind kind) {
    result_.kind = kind;
    return result_;
  }

  const CorePair& pair_;
  const CoreMotion& motion_;
  double speed_limit_;
  bool near_enough_ = false;
  FirstContact result_;
};

} // namespace

FirstContact first_contact(const CorePair& pair, const CoreMotion& motion, PairCache& cache) {
  return Advance(pair, motion).run(cache);
}

double kept_apart_until(const CorePair& pair, const CoreMotion& motion, const Vec3& axis) {
  Advance advance(pair, motion);
  return advance.root(advance.gap_at_zero(axis), dot(axis, motion.velocity));
}

} // namespace carom
