#include "carom/motion/time_of_impact.h"

#include "carom/math/tolerance.h"
#include "carom/motion/impact_search.h"
#include "carom/motion/relative_speed.h"
#include "carom/query/penetration.h"
#include "carom/query/signed_distance.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

/// Distances and gaps agree to no better than that: of the size, of polyhedral shapes and of curved ones; and of places, by some hundred roundings.
constexpr double least_error = 1e-12, least_curved_error = 4e-10, least_place_error = 2e-13;
constexpr double usual_error = 1e-9, usual_depth_error = 1e-6;
constexpr int most_separation_steps = 4096;

double position_scale(const Motion& m) {
  return max_abs(m.start.position) + max_abs(m.pivot) + max_abs(m.translation);
}

double allowed_error(const Shape& a, const Motion& motion_a, const Shape& b, const Motion& motion_b,
                     double asked, double usual) {
  const double size = a.size() + b.size();
  const bool curved = (a.convex() && !a.polyhedral()) || (b.convex() && !b.polyhedral()) ||
                      a.kind() == ShapeKind::compound || b.kind() == ShapeKind::compound;
  const double least = (curved ? least_curved_error : least_error) * size +
                       least_place_error * (position_scale(motion_a) + position_scale(motion_b));
  return std::max(asked > 0 ? asked : usual * size, least);
}

/// Within the margin at the start.
TimeOfImpact overlapping_at_start(const Shape& a, const Motion& motion_a, const Shape& b,
                                  const Motion& motion_b, const Distance& d, double margin) {
  Distance at_start = d;
  if (margin == 0) {
    // How deep, and which way out.
    const Pose &pose_a = motion_a.start, &pose_b = motion_b.start;
    if (a.convex() && b.convex()) {
      const SignedDistance s = signed_distance(a, pose_a, b, pose_b);
      at_start = {s.value, s.lower_bound, s.on_a, s.on_b, s.normal, s.status};
    } else {
      const Penetration p = penetration(a, pose_a, b, pose_b);
      at_start = {-p.depth, -p.upper_bound, p.on_a, p.on_b, p.normal, p.status};
      at_start.part_a = d.part_a;
      at_start.part_b = d.part_b;
    }
  }
  TimeOfImpact i = hit_at(0, at_start, motion_a, motion_b);
  i.initial_overlap = true;
  i.status = at_start.status == Status::wide ? Status::wide : Status::ok;
  i.iterations = 1;
  return i;
}

} // namespace

double impact_error(const Shape& a, const Motion& motion_a, const Shape& b, const Motion& motion_b,
                    double asked) {
  return allowed_error(a, motion_a, b, motion_b, asked, usual_error);
}

TimeOfImpact time_of_impact(const Shape& a, const Motion& motion_a, const Shape& b,
                            const Motion& motion_b, const ImpactOptions& options,
                            PairCache* cache) {
  if (!in_range(motion_a) || !in_range(motion_b) || std::isnan(options.max_t) ||
      !(options.margin >= 0 && options.margin <= tolerance::coordinate_max))
    return {.status = Status::bad_input};
  ImpactQuestion q;
  q.margin = options.margin;
  q.error = impact_error(a, motion_a, b, motion_b, options.absolute_error);
  q.time_error = options.time_error;
  q.from = 0;
  q.until = std::clamp(options.max_t, 0.0, 1.0);
  q.method = options.method;
  PairCache own;
  PairCache& warm = cache ? *cache : own;
  const Distance start = distance(a, motion_a.start, b, motion_b.start, {}, &warm);
  if (start.status == Status::bad_input) return {.status = Status::bad_input};
  if (start.value <= q.margin)
    return overlapping_at_start(a, motion_a, b, motion_b, start, q.margin);
  if (start.value <= q.margin + q.error) {
    TimeOfImpact i = hit_at(0, start, motion_a, motion_b);
    i.iterations = 1;
    return i;
  }
  q.at_from = &start;
  return impact_between(a, motion_a, b, motion_b, q, warm);
}

TimeOfSeparation time_of_separation(const Shape& a, const Motion& motion_a, const Shape& b,
                                    const Motion& motion_b, double absolute_error) {
  TimeOfSeparation s;
  if (!in_range(motion_a) || !in_range(motion_b)) {
    s.status = Status::bad_input;
    return s;
  }
  const double error = allowed_error(a, motion_a, b, motion_b, absolute_error, usual_depth_error);
  PairCache cache;
  double t = 0;
  for (; s.iterations < most_separation_steps; ++s.iterations) {
    const Penetration p = penetration(a, pose_at(motion_a, t), b, pose_at(motion_b, t), &cache);
    s.t = t;
    s.depth = p.depth;
    s.on_a = p.on_a;
    s.on_b = p.on_b;
    s.normal = p.normal;
    if (p.lower_bound <= error) {
      s.separated = true;
      s.status = p.upper_bound <= 2 * error ? Status::ok : Status::wide;
      return s;
    }
    const double speed = greatest_relative_speed(a, motion_a, b, motion_b, t, 1);
    const double next = speed > 0 ? t + (p.lower_bound - 0.5 * error) / speed : 1;
    if (next >= 1 || p.lower_bound == INFINITY) {
      s.t = 1;
      return s;
    }
    t = next;
  }
  s.separated = true;
  s.status = Status::wide;
  return s;
}

} // namespace carom
