#include "carom/motion/moving_boxes.h"

#include "carom/math/tolerance.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

constexpr double roundings = 64 * tolerance::epsilon;

/// Along the line between the nearest points of two boxes, as far as one of their frames shows it: a unit vector in the world, or zero where it shows none.
Vec3 between_boxes(const Frame& frame_a, const Aabb& a, const Frame& frame_b, const Aabb& b) {
  const auto seen_from = [](const Frame& own, const Aabb& box, const Frame& other,
                            const Aabb& other_box) {
    const Vec3 away = own.to_local(other.to_world(other_box.center())) - box.center();
    const Mat3 turned{own.direction_to_local(other.basis.x), own.direction_to_local(other.basis.y),
                      own.direction_to_local(other.basis.z)};
    const Vec3 reach = box.half() + abs(turned) * other_box.half();
    Vec3 gap;
    for (int i = 0; i < 3; ++i)
      gap[i] = std::copysign(std::max(std::fabs(away[i]) - reach[i], 0.0), away[i]);
    return gap;
  };
  const Vec3 from_a = seen_from(frame_a, a, frame_b, b);
  const Vec3 from_b = seen_from(frame_b, b, frame_a, a);
  const bool first = length_squared(from_a) >= length_squared(from_b);
  const Vec3 gap = first ? frame_a.direction_to_world(from_a) : -frame_b.direction_to_world(from_b);
  return normalized_or(gap, {});
}

} // namespace

MovingBoxes::MovingBoxes(const Shape& a, const Motion& motion_a, const Shape& b,
                         const Motion& motion_b, double least)
    : a_(a), b_(b), motion_a_(motion_a), motion_b_(motion_b), terms_a_(motion_a),
      terms_b_(motion_b), least_(least),
      slack_(roundings * (a.size() + b.size() + length(terms_a_.arm) + length(terms_b_.arm) +
                          max_abs(terms_b_.pivot - terms_a_.pivot) + max_abs(motion_a.translation) +
                          max_abs(motion_b.translation)) +
             4 * tolerance::epsilon *
                 (max_abs(motion_a.start.position) + max_abs(motion_b.start.position))) {}

double MovingBoxes::clear_until(const Aabb& a, const Aabb& b, double from, double until, int looks,
                                std::vector<MotionProof::Step>* steps) {
  const auto reach_a = [&](const Vec3& d) {
    return a_.bounded() ? reach_of(a, d) : reach_of(a_, d);
  };
  const auto reach_b = [&](const Vec3& d) {
    return b_.bounded() ? reach_of(b, d) : reach_of(b_, d);
  };
  const MovingSet set_a{terms_a_, reach_a,
                        a_.bounded() ? radius_about_pivot(terms_a_, a) : INFINITY};
  const MovingSet set_b{terms_b_, reach_b,
                        b_.bounded() ? radius_about_pivot(terms_b_, b) : INFINITY};
  const ClearRun run(set_a, set_b, least_, slack_);
  double t = from;
  for (int i = 0; i < looks; ++i) {
    look(t);
    const Vec3 n = between(a, b);
    if (n == Vec3{}) break;
    const ClearRun::Best best = run.best_sight(n, t, until);
    const double next = run.follow(best, best.sight.gap(t), until, 0.2, steps);
    if (next >= until) return INFINITY;
    if (!(next > t)) break;
    t = next;
  }
  return t;
}

/// A direction that may separate them: a unit vector in the world from A to B, or zero where none is seen.
Vec3 MovingBoxes::between(const Aabb& a, const Aabb& b) const {
  const auto outward = [](const Shape& half_space, const Frame& frame) {
    return normalized(frame.direction_to_world(std::get<HalfSpace>(half_space.core()).normal));
  };
  if (!a_.bounded()) return outward(a_, frame_a_);
  if (!b_.bounded()) return -outward(b_, frame_b_);
  return between_boxes(frame_a_, a, frame_b_, b);
}

void MovingBoxes::look(double t) {
  if (t == at_) return;
  at_ = t;
  frame_a_ = pose_at(motion_a_, t).frame();
  frame_b_ = pose_at(motion_b_, t).frame();
}

} // namespace carom
