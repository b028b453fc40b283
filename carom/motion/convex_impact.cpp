#include "carom/math/tolerance.h"
#include "carom/motion/ball_impact.h"
#include "carom/motion/clear_run.h"
#include "carom/motion/impact_search.h"
#include "carom/motion/relative_speed.h"
#include "carom/query/overlap.h"
#include "carom/query/shape_cast.h"
#include "carom/shape/support.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace carom {
namespace {

/// So often is a distance measured at most. A spin at a hair's breadth from a wall takes some hundreds.
constexpr int most_measurements = 4096;
/// A direction is followed until the gap along it has shrunk to this share. Less: fewer measurements, more of the way with a direction that is not the best any more.
constexpr double worth_following = 0.03;
/// Supports turned and moved, and their sums.
constexpr double roundings = 64 * tolerance::epsilon;

bool turns(const Motion& motion) { return motion.angle != 0 && !(motion.axis == Vec3{}); }

/// A pair of convex shapes at one time after another.
class Pair {
public:
  Pair(const Shape& a, const Motion& motion_a, const Shape& b, const Motion& motion_b,
       const ImpactQuestion& question, PairCache& cache)
      : a_(a), b_(b), motion_a_(motion_a), motion_b_(motion_b), terms_a_(motion_a),
        terms_b_(motion_b), question_(question), cache_(cache) {}

  [[nodiscard]] const MotionTerms& terms_a() const { return terms_a_; }
  [[nodiscard]] const MotionTerms& terms_b() const { return terms_b_; }
  /// How fast the nearest points come nearer to each other.
  [[nodiscard]] double approach(double t, const Distance& d) const {
    return dot(d.normal, terms_a_.velocity(t, d.on_a) - terms_b_.velocity(t, d.on_b));
  }

  [[nodiscard]] Distance measure(double t) {
    ++measurements_;
    return distance(a_, pose_at(motion_a_, t), b_, pose_at(motion_b_, t), {}, &cache_);
  }

  /// Goes on from one measurement to the next. on(t, distance) gives how far is clear from there.
  template<class On>
  TimeOfImpact search(On&& on) {
    double t = question_.from;
    while (measurements_ < most_measurements) {
      const bool known = question_.at_from && t == question_.from;
      const Distance d = known ? *question_.at_from : measure(t);
      if (d.status == Status::bad_input) return {.status = Status::bad_input};
      if (d.value <= question_.margin + question_.error)
        return finished(hit_at(t, d, motion_a_, motion_b_));
      if (const auto soon = surely_soon(t, d)) return finished(*soon);
      const double next = on(t, d);
      if (next >= question_.until) return finished({});
      if (!(next > t)) break;
      t = next;
    }
    TimeOfImpact unknown = hit_at(t, measure(t), motion_a_, motion_b_);
    unknown.status = Status::wide;
    return finished(unknown);
  }

  /// Halves of time, the earlier first. `speed`: no distance changes faster.
  TimeOfImpact subdivide(double speed) {
    struct Stretch {
      double from, to;
    };
    std::vector<Stretch> waiting = {{question_.from, question_.until}};
    const double near = question_.margin + question_.error;
    while (!waiting.empty() && measurements_ < most_measurements) {
      const Stretch s = waiting.back();
      waiting.pop_back();
      const double middle = s.from + (s.to - s.from) / 2;
      const Distance d = measure(middle);
      const double reach = speed * (s.to - s.from) / 2;
      if (d.lower_bound - reach > question_.margin) continue;
      // All of it is within the error, and nothing before it was within the margin: the beginning is where they are near enough.
      if (d.value + reach <= near || !(middle > s.from && middle < s.to)) {
        TimeOfImpact i = hit_at(s.from, measure(s.from), motion_a_, motion_b_);
        if (i.distance > near) i.status = Status::wide; // doubles do not divide time any further
        return finished(i);
      }
      waiting.push_back({middle, s.to});
      waiting.push_back({s.from, middle});
    }
    if (waiting.empty()) return finished({});
    const double t = waiting.back().from;
    TimeOfImpact unknown = hit_at(t, measure(t), motion_a_, motion_b_);
    unknown.status = Status::wide;
    return finished(unknown);
  }

  /// Of equally many times, the first within the margin, and the last before it that is not, brought together.
  TimeOfImpact bisect() {
    constexpr int times = 64;
    const double near = question_.margin + question_.error;
    double before = question_.from, after = -1;
    for (int i = 1; i <= times && after < 0; ++i) {
      const double t = question_.from + (question_.until - question_.from) * i / times;
      (measure(t).value <= near ? after : before) = t;
    }
    if (after < 0) return finished({.status = Status::wide});
    Distance d = measure(after);
    for (int i = 0; i < 60 && d.value == 0; ++i) {
      const double middle = before + (after - before) / 2;
      const Distance there = measure(middle);
      if (there.value <= near) {
        after = middle;
        d = there;
      } else {
        before = middle;
      }
    }
    TimeOfImpact i = hit_at(after, d, motion_a_, motion_b_);
    i.status = Status::wide;
    return finished(i);
  }

private:
  [[nodiscard]] TimeOfImpact finished(TimeOfImpact i) const {
    i.iterations = measurements_;
    return i;
  }
  /// Where the time error is asked for, and the shapes move such that it might be reached: whether it is.
  std::optional<TimeOfImpact> surely_soon(double t, const Distance& d) {
    if (!(question_.time_error > 0)) return {};
    if (!((d.value - question_.margin) * 1.25 <= approach(t, d) * question_.time_error)) return {};
    const double then = std::min(t + question_.time_error, question_.until);
    if (!within_margin(then)) return {};
    TimeOfImpact i = hit_at(t, d, motion_a_, motion_b_);
    i.upper_t = then;
    i.status = Status::stopped;
    return i;
  }

  [[nodiscard]] bool within_margin(double t) {
    if (question_.margin > 0) return measure(t).value <= question_.margin;
    ++measurements_;
    return overlap(a_, pose_at(motion_a_, t), b_, pose_at(motion_b_, t)).hit;
  }

  const Shape &a_, &b_;
  const Motion &motion_a_, &motion_b_;
  const MotionTerms terms_a_, terms_b_;
  const ImpactQuestion& question_;
  PairCache& cache_;
  int measurements_ = 0;
};

/// Nothing turns: a cast of the one against the other, from where they are at `from`.
TimeOfImpact cast_impact(const Shape& a, const Motion& motion_a, const Shape& b,
                         const Motion& motion_b, const ImpactQuestion& q, PairCache& cache) {
  const Vec3 relative = motion_a.translation - motion_b.translation;
  const ShapeCast c =
      shape_cast(a, motion_a.start, relative, b, motion_b.start, {.max_t = q.until}, &cache);
  if (!c.hit) return {.status = c.status, .iterations = 1};
  TimeOfImpact i;
  i.hit = true;
  i.t = std::max(c.t, q.from);
  const Vec3 with_b = motion_b.translation * c.t;
  i.on_a = c.on_a + with_b;
  i.on_b = c.on_b + with_b;
  i.distance = length(i.on_b - i.on_a);
  i.normal = c.normal;
  i.separating = dot(c.normal, relative) <= 0;
  i.status = c.status == Status::wide ? Status::wide : Status::ok;
  i.iterations = 1;
  return i;
}

/// When two balls come within the margin and half of the error, where a formula says it, and no steps of a proof are asked for.
std::optional<double> by_formula(const Shape& a, const MotionTerms& motion_a, const Shape& b,
                                 const MotionTerms& motion_b, const ImpactQuestion& q) {
  if (q.steps) return {};
  const auto path_a = straight_center(a, motion_a), path_b = straight_center(b, motion_b);
  if (!path_a || !path_b) return {};
  const double radii = a.rounding() + b.rounding();
  return first_time_within(*path_a, *path_b, radii + q.margin + 0.5 * q.error);
}

} // namespace

TimeOfImpact hit_at(double t, const Distance& d, const Motion& motion_a, const Motion& motion_b) {
  TimeOfImpact i;
  i.hit = true;
  i.t = t;
  i.distance = d.value;
  i.on_a = d.on_a;
  i.on_b = d.on_b;
  i.normal = d.normal;
  const Vec3 relative = velocity_at(motion_b, t, d.on_b) - velocity_at(motion_a, t, d.on_a);
  i.separating = dot(d.normal, relative) >= 0;
  i.part_a = d.part_a;
  i.part_b = d.part_b;
  return i;
}

TimeOfImpact convex_impact(const Shape& a, const Motion& motion_a, const Shape& b,
                           const Motion& motion_b, const ImpactQuestion& q, PairCache& cache) {
  const bool straight = !turns(motion_a) && !turns(motion_b) &&
                        motion_a.order == MotionOrder::together &&
                        motion_b.order == MotionOrder::together;
  if (q.method == ImpactMethod::cast && straight && q.margin == 0)
    return cast_impact(a, motion_a, b, motion_b, q, cache);

  Pair pair(a, motion_a, b, motion_b, q, cache);
  const double least = q.margin + 0.5 * q.error;
  if (!a.bounded() && !b.bounded()) {
    // Parallel ones that do not turn have the same gap everywhere. Else they meet somewhere far out, at once.
    if (turns(motion_a) || turns(motion_b)) {
      TimeOfImpact i = hit_at(q.from, pair.measure(q.from), motion_a, motion_b);
      i.status = Status::wide;
      return i;
    }
    return pair.search([&](double t, const Distance& d) {
      const double speed = 2 * (length(motion_a.translation) + length(motion_b.translation));
      return speed > 0 ? t + (d.value - least) / speed : q.until;
    });
  }
  if (q.method == ImpactMethod::bisection) return pair.bisect();
  if (q.method == ImpactMethod::subdivision)
    return pair.subdivide(greatest_relative_speed(a, motion_a, b, motion_b, q.from, q.until));
  if (q.method == ImpactMethod::speed_bound) {
    return pair.search([&](double t, const Distance& d) {
      const double speed = greatest_relative_speed(a, motion_a, b, motion_b, t, q.until);
      return speed > 0 ? t + (d.lower_bound - least) / speed : q.until;
    });
  }
  const MotionTerms &terms_a = pair.terms_a(), &terms_b = pair.terms_b();
  const auto shape_reach_a = [&](const Vec3& d) { return reach_of(a, d); };
  const auto shape_reach_b = [&](const Vec3& d) { return reach_of(b, d); };
  const MovingSet set_a{terms_a, shape_reach_a, radius_about_pivot(terms_a, a)};
  const MovingSet set_b{terms_b, shape_reach_b, radius_about_pivot(terms_b, b)};
  const double size = a.size() + b.size() + length(terms_a.arm) + length(terms_b.arm) +
                      max_abs(terms_b.pivot - terms_a.pivot) + max_abs(terms_a.translation) +
                      max_abs(terms_b.translation);
  const ClearRun run(set_a, set_b, least, roundings * size);
  const std::optional<double> formula = by_formula(a, terms_a, b, terms_b, q);
  return pair.search([&](double t, const Distance& d) {
    if (formula && t < *formula) return *formula;
    // Who carries the direction best is seen about when they will touch.
    const double speed = pair.approach(t, d);
    const double then = speed > 0 ? std::min(t + (d.value - q.margin) / speed, q.until) : q.until;
    return run.follow(run.best_sight(d.normal, t, then), d.lower_bound, q.until, worth_following,
                      q.steps);
  });
}

} // namespace carom
