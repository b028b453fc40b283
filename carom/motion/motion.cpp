#include "carom/motion/motion.h"

#include "carom/math/interval.h"
#include "carom/math/tolerance.h"
#include "carom/math/trig.h"
#include "carom/motion/moving_set.h"
#include "carom/query/rounded.h"
#include "carom/shape/support.h"

#include <algorithm>

namespace carom {
namespace {

/// What a sum of some dozen products may be off by, and the functions of an angle.
constexpr double roundings = 64 * tolerance::epsilon;
/// What turns by more is bounded piece by piece: 16 degrees, which leaves 1% of the radius.
constexpr double swept_turn = 0.28;

/// What turns farther is bounded as if it made one whole turn at every place of its way.
constexpr double many_turns = 100 * two_pi;

/// What is too small for a coordinate is zero.
Vec3 fitted(const Vec3& p) {
  const auto fit = [](double x) { return std::fabs(x) < tolerance::coordinate_min ? 0 : x; };
  return {fit(p.x), fit(p.y), fit(p.z)};
}

/// Whether an angle from `first` to `last` (either may be the greater) passes a multiple of a full turn.
bool passes_full_turn(double first, double last) {
  const auto [least, most] = std::minmax(first, last);
  return std::floor(most / two_pi) * two_pi >= least;
}

/// A point's motion about the pivot, taken apart along the axis and across.
struct PointTerms {
  PointTerms(const MotionTerms& m, const Vec3& local, double from)
      : arm(m.arm + m.frame.basis * local) {
    const Vec3 across = arm - m.axis * dot(m.axis, arm);
    radius = length(across);
    const Vec3 along_axis = m.axis * dot(m.axis, m.translation);
    const Vec3 sideways = m.translation - along_axis;
    drift_along = length(along_axis);
    drift_across = length(sideways);
    // The angle from the velocity that the rotation gives, at `from`, to the translation's, counted as the rotation turns it.
    const Vec3 circling = cross(m.axis, across);
    phase = m.turned(from) - atan2(dot(m.axis, cross(circling, sideways)), dot(circling, sideways));
  }
  Vec3 arm;
  double radius, drift_along, drift_across, phase;
};

/// Of all points within `ball` of the point, between two times in which the motion is of one piece.
double piece_speed(const MotionTerms& m, const PointTerms& p, double ball, double from, double to) {
  const double rate = m.order == MotionOrder::together ? 1 : 2;
  const bool turns = m.turned(to) != m.turned(from) || m.order == MotionOrder::together;
  const bool drifts = m.order == MotionOrder::together || to <= 0.5;
  const double spin = turns ? rate * std::fabs(m.angle) : 0;
  const double across = drifts ? rate * p.drift_across : 0;
  const double along = drifts ? rate * p.drift_along : 0;
  const double circling = spin * p.radius;
  // Two velocities across the axis, of which one turns. A negative angle turns the circling velocity round.
  const double begin = m.angle < 0 ? p.phase + pi : p.phase;
  const double end = begin + (m.turned(to) - m.turned(from));
  const double agreement = passes_full_turn(begin, end) ? 1 : std::max(cos(begin), cos(end));
  const double together = std::sqrt(std::max(0.0, across * across + circling * circling +
                                                      2 * across * circling * agreement)) +
                          spin * ball;
  const double scale = across + along + spin * (length(p.arm) + ball);
  return std::sqrt(along * along + together * together) + roundings * scale;
}

double point_speed(const MotionTerms& m, const Vec3& local, double ball, double from, double to) {
  double most = 0;
  for (double t = from;;) {
    const double end = std::min(to, m.piece_end(t));
    most = std::max(most, piece_speed(m, PointTerms(m, local, t), ball, t, end));
    if (!(end < to)) return most;
    t = end;
  }
}

double point_displacement(const MotionTerms& m, const Vec3& local, double ball, double from,
                          double to) {
  const PointTerms p(m, local, from);
  const double share = m.along(to) - m.along(from);
  const double angle = std::min(std::fabs(m.turned(to) - m.turned(from)), pi);
  const double chord = 2 * (p.radius + ball) * sin(angle / 2);
  const double across = p.drift_across * share + chord, along = p.drift_along * share;
  const double scale = length(m.translation) + length(p.arm) + ball;
  return std::sqrt(along * along + across * across) + roundings * scale;
}

template<class Of>
double greatest_of_corners(const Aabb& box, Of&& of) {
  double most = 0;
  for (int i = 0; i < 8; ++i) most = std::max(most, of(box.corner(i)));
  return most;
}

} // namespace

Motion Motion::rest(const Pose& start) { return {.start = start, .pivot = start.position}; }

Motion Motion::translation_by(const Pose& start, const Vec3& translation) {
  return {.start = start, .pivot = start.position, .translation = translation};
}

Motion Motion::rotation_about(const Pose& start, const Vec3& point, const Vec3& axis,
                              double angle) {
  return {.start = start, .pivot = point, .axis = axis, .angle = angle};
}

Motion Motion::translation_then_rotation(const Pose& start, const Vec3& translation,
                                         const Vec3& point, const Vec3& axis, double angle) {
  return {start, point, translation, axis, angle, MotionOrder::translation_first};
}

Motion Motion::screw(const Pose& start, const Vec3& point, const Vec3& axis, double angle,
                     double pitch) {
  return {start, point, normalized_or(axis, {}) * pitch, axis, angle};
}

Motion Motion::velocity(const Pose& start, const Vec3& linear, const Vec3& angular, double seconds,
                        const Vec3& center) {
  return {start, start.frame().to_world(center), linear * seconds, angular,
          length(angular) * seconds};
}

Motion Motion::between(const Pose& start, const Pose& end, const Vec3& center) {
  const Quat way = normalized(normalized(end.rotation) * conjugate(normalized(start.rotation)));
  const double sign = way.w < 0 ? -1 : 1;
  const Vec3 axis = Vec3{way.x, way.y, way.z} * sign;
  const Vec3 pivot = start.frame().to_world(center);
  return {start, pivot, end.frame().to_world(center) - pivot, axis,
          2 * atan2(length(axis), way.w * sign)};
}

bool in_range(const Motion& motion) {
  return in_range(motion.start) && max_abs(motion.pivot) <= tolerance::coordinate_max &&
         max_abs(motion.translation) <= tolerance::coordinate_max && is_finite(motion.pivot) &&
         is_finite(motion.translation) && max_abs(motion.axis) <= tolerance::coordinate_max &&
         is_finite(motion.axis) && std::fabs(motion.angle) <= 1e6;
}

Pose pose_at(const Motion& motion, double t) {
  t = std::clamp(t, 0.0, 1.0);
  const Vec3 moved = motion.translation * share_moved(motion.order, t);
  const double angle = motion.angle * share_turned(motion.order, t);
  if (angle == 0) return {motion.start.rotation, fitted(motion.start.position + moved)};
  const Quat turn = Quat::from_axis_angle(motion.axis, angle);
  const Vec3 arm = to_matrix(turn) * (motion.start.position - motion.pivot);
  return {turn * motion.start.rotation, fitted(motion.pivot + (moved + arm))};
}

Vec3 velocity_at(const Motion& motion, double t, const Vec3& x) {
  return MotionTerms(motion).velocity(t, x);
}

double greatest_speed(const Motion& motion, const Sphere& ball, double from, double to) {
  return point_speed(MotionTerms(motion), ball.center, ball.radius, from, to);
}

double greatest_speed(const Motion& motion, const Aabb& box, double from, double to) {
  const MotionTerms m(motion);
  return greatest_of_corners(box, [&](const Vec3& p) { return point_speed(m, p, 0, from, to); });
}

double greatest_displacement(const Motion& motion, const Sphere& ball, double from, double to) {
  return point_displacement(MotionTerms(motion), ball.center, ball.radius, from, to);
}

double greatest_displacement(const Motion& motion, const Aabb& box, double from, double to) {
  const MotionTerms m(motion);
  return greatest_of_corners(box,
                             [&](const Vec3& p) { return point_displacement(m, p, 0, from, to); });
}

Aabb swept_bounds(const Shape& shape, const Motion& motion, double from, double to) {
  if (!shape.bounded())
    return {Vec3{-INFINITY, -INFINITY, -INFINITY}, Vec3{INFINITY, INFINITY, INFINITY}};
  const Aabb local = bounds(shape);
  const MotionTerms m(motion);
  const auto box_reach = [&](const Vec3& d) { return reach_of(local, d); };
  const auto shape_reach = [&](const Vec3& d) { return reach_of(shape, d); };
  const MovingSet set{m, shape.convex() ? Reach(shape_reach) : Reach(box_reach),
                      radius_about_pivot(m, local)};
  const double slack = roundings * (shape.size() + length(m.arm) + max_abs(m.translation)) +
                       4 * tolerance::epsilon * (max_abs(m.pivot) + max_abs(m.translation));
  Aabb swept;
  const auto add = [&](double t, double end, double line_from, double line_to) {
    // Along a fixed direction, no point is farther from the straight line between its places at both ends.
    const double phi = std::fabs(m.turned(end) - m.turned(t));
    const double excess = phi * phi * set.radius / 8 + slack;
    const Vec3 first = m.pivot + m.translation * m.along(line_from);
    const Vec3 last = m.pivot + m.translation * m.along(line_to);
    for (int i = 0; i < 3; ++i) {
      const Vec3 n = unit_axis(i);
      swept.max[i] = std::max({swept.max[i], first[i] + set.reach_at(n, t) + excess,
                               last[i] + set.reach_at(n, end) + excess});
      swept.min[i] = std::min({swept.min[i], first[i] - set.reach_at(-n, t) - excess,
                               last[i] - set.reach_at(-n, end) - excess});
    }
  };
  for (double t = from;;) {
    const double piece = m.piece_end(t);
    const double rate = std::fabs(m.turned(piece) - m.turned(t)) / (piece - t);
    const double end = std::min(to, piece);
    const bool often = rate * (end - t) > many_turns;
    const double turned = often ? t + two_pi / rate : end;
    for (double at = t, next = t;; at = next) {
      next = rate * (turned - at) > swept_turn ? at + swept_turn / rate : turned;
      add(at, next, often ? t : at, often ? end : next);
      if (!(next < turned) || !(next > at)) break;
    }
    if (!(end < to) || !(end > t)) return swept;
    t = end;
  }
}

} // namespace carom
