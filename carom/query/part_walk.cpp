#include "carom/query/part_walk.h"

#include "carom/math/tolerance.h"
#include "carom/query/relative_frame.h"

#include <cmath>

namespace carom {
namespace {

/// Two frames into one, a box through it, the boxes' own floats and roundings.
constexpr double box_roundings = 64;

const HalfSpace* half_space_of(const Shape& shape) {
  return shape.convex() ? std::get_if<HalfSpace>(&shape.core()) : nullptr;
}

/// The parts of a compound are placed in the world, rounded there; of others, in their own frame.
double placed_size(const Shape& shape, const Frame& frame) {
  return shape.size() + (shape.kind() == ShapeKind::compound ? max_abs(frame.origin) : 0);
}

/// How far apart along each axis, 0 where they are not.
Vec3 apart(const Vec3& center_a, const Vec3& half_a, const Vec3& center_b, const Vec3& half_b) {
  return max(abs(center_b - center_a) - (half_a + half_b), Vec3{});
}

/// n . x over the box, the least.
double least_along(const Vec3& n, const Aabb& box) {
  return dot(n, box.center()) - dot(abs(n), box.half());
}

/// Of a half-space `h` in the frame of another shape, whose box is given: how far beyond the border it begins.
double beyond(const HalfSpace& h, const Frame& h_frame, double rounding, const Aabb& box,
              const Frame& box_frame) {
  const double scale = 1 / length(h.normal);
  const Vec3 n = box_frame.direction_to_local(h_frame.direction_to_world(h.normal * scale));
  const Vec3 origin = h_frame.to_local(box_frame.origin);
  return least_along(n, box) + dot(h.normal * scale, origin) - h.offset * scale - rounding;
}

} // namespace

PartPair::PartPair(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b)
    : frame_a_(pose_a.frame()), frame_b_(pose_b.frame()), b_in_a_(seen_from(frame_a_, frame_b_)),
      extent_(abs(b_in_a_.basis)),
      size_(placed_size(a, frame_a_) + placed_size(b, frame_b_) + max_abs(b_in_a_.origin)),
      slack_(box_roundings * tolerance::epsilon * size_), half_space_a_(half_space_of(a)),
      half_space_b_(half_space_of(b)), rounding_(half_space_a_ ? a.rounding() : b.rounding()) {}

PartPair::Middle PartPair::in_a(const Aabb& b) const {
  return {b_in_a_.to_world(b.center()), extent_ * b.half()};
}
PartPair::Middle PartPair::in_b(const Aabb& a) const {
  return {b_in_a_.to_local(a.center()), transpose_mul(extent_, a.half())};
}

double PartPair::beyond_border(const Aabb& a, const Aabb& b) const {
  return half_space_a_ ? beyond(*half_space_a_, frame_a_, rounding_, b, frame_b_)
                       : beyond(*half_space_b_, frame_b_, rounding_, a, frame_a_);
}

double PartPair::gap(const Aabb& a, const Aabb& b) const {
  if (half_space_a_ || half_space_b_) return std::max(beyond_border(a, b) - slack_, 0.0);
  const Middle other = in_a(b), own = in_b(a);
  const Vec3 seen_from_a = apart(a.center(), a.half(), other.center, other.half);
  const Vec3 seen_from_b = apart(own.center, own.half, b.center(), b.half());
  return std::max(std::max(length(seen_from_a), length(seen_from_b)) - slack_, 0.0);
}

double PartPair::reach(const Aabb& a, const Aabb& b) const {
  if (half_space_a_ || half_space_b_) return INFINITY;
  const Middle other = in_a(b), own = in_b(a);
  const double from_a = length(abs(other.center - a.center()) + other.half + a.half());
  const double from_b = length(abs(own.center - b.center()) + own.half + b.half());
  return std::min(from_a, from_b) + slack_;
}

double PartPair::first_touch(const Aabb& a, const Aabb& b, const Vec3& translation) const {
  if (half_space_a_ || half_space_b_) {
    const double distance = beyond_border(a, b) - slack_;
    if (!(distance > 0)) return 0;
    const HalfSpace& h = half_space_a_ ? *half_space_a_ : *half_space_b_;
    const Frame& frame = half_space_a_ ? frame_a_ : frame_b_;
    const Vec3 n = frame.direction_to_world(h.normal / length(h.normal));
    const double along = dot(n, frame_a_.direction_to_world(translation));
    const double speed = half_space_a_ ? along : -along;
    const double turned = 16 * tolerance::epsilon * max_abs(translation);
    return speed + turned > 0 ? distance / (speed + turned) : INFINITY;
  }
  // In either frame, the time when the intervals of all three axes overlap.
  const auto seen = [&](const Vec3& center_a, const Vec3& half_a, const Vec3& center_b,
                        const Vec3& half_b, const Vec3& v) {
    const double turned = 8 * tolerance::epsilon * max_abs(v); // how much a speed may be off
    double enter = 0, leave = INFINITY;
    for (int i = 0; i < 3; ++i) {
      const double way = center_b[i] - center_a[i];
      const double sum = half_a[i] + half_b[i] + slack_;
      const double speed = std::fabs(v[i]);
      const double ahead = v[i] < 0 ? -way : way;
      if (speed <= turned) {
        if (std::fabs(way) > sum + turned) return double{INFINITY};
        continue;
      }
      enter = std::max(enter, (ahead - sum) / (speed + turned));
      leave = std::min(leave, (ahead + sum) / (speed - turned));
    }
    return enter <= leave ? enter : double{INFINITY};
  };
  const Middle other = in_a(b), own = in_b(a);
  const Vec3 in_b_frame = b_in_a_.direction_to_local(translation);
  return std::max(seen(a.center(), a.half(), other.center, other.half, translation),
                  seen(own.center, own.half, b.center(), b.half(), in_b_frame));
}

} // namespace carom
