// The cores meet where they are both roundings apart: first_contact finds when. A half-space has but one normal, which decides.
#include "carom/query/shape_cast.h"

#include "carom/query/composite_queries.h"
#include "carom/query/first_contact.h"
#include "carom/query/half_space_pair.h"
#include "carom/query/rounded.h"
#include "carom/query/signed_distance.h"

#include <algorithm>

namespace carom {
namespace {

ShapeCast overlapping_at_start(const SignedDistance& s, const Vec3& common) {
  return {true, true, 0, s.on_a, s.on_b, common, s.normal, s.status, s.iterations};
}

ShapeCast missed(const Vec3& separating, int iterations) {
  ShapeCast c;
  c.normal = separating;
  c.iterations = iterations;
  return c;
}

ShapeCast cast_half_space(const Shape& a, const Pose& pose_a, const Vec3& translation,
                          const Shape& b, const Pose& pose_b, double last) {
  const HalfSpaceAnswer start = half_space_pair(a, pose_a, b, pose_b);
  const SignedDistance& s = start.distance;
  if (!(s.lower_bound > 0)) return overlapping_at_start(s, start.common_point);
  const double speed = dot(s.normal, translation);
  if (!(speed > 0)) return missed(s.normal, s.iterations);
  // Not later than that, with the speed off by a rounding.
  const double t = s.lower_bound / (speed + 8 * tolerance::epsilon * max_abs(translation));
  if (!(t <= last)) return missed(s.normal, s.iterations);
  // The border has a point wherever it is wanted.
  const Vec3 left = s.normal * (s.value - t * speed);
  const Vec3 on_a = a.bounded() ? s.on_a + translation * t : s.on_b - left;
  const Vec3 on_b = a.bounded() ? on_a + left : s.on_b;
  return {true, false, t, on_a, on_b, (on_a + on_b) * 0.5, s.normal, Status::ok, s.iterations};
}

/// Along the line between the nearest points where roundings touch: it is known better than the last axis. Not where it fails to prove the same.
Vec3 contact_normal(const CorePair& pair, const CoreMotion& motion, const FirstContact& c) {
  const Vec3 n = normalized_or(c.cores.between, c.cores.axis);
  if (c.axis == Vec3{}) return n; // nothing is known
  if (!(motion.radius > 0) || !(dot(n, motion.velocity) > 0)) return c.axis;
  return kept_apart_until(pair, motion, n) >= c.t ? n : c.axis;
}

Status status_of(FirstContact::Kind kind) {
  switch (kind) {
  case FirstContact::Kind::stopped:
    return Status::stopped;
  case FirstContact::Kind::unknown:
    return Status::wide;
  default:
    return Status::ok;
  }
}

double last_time(const ShapeCastOptions& options) { return std::clamp(options.max_t, 0.0, 1.0); }

bool is_translation(const Vec3& v) { return max_abs(v) <= tolerance::coordinate_max; }

} // namespace

ShapeCast shape_cast(const Shape& a, const Pose& pose_a, const Vec3& translation, const Shape& b,
                     const Pose& pose_b, const ShapeCastOptions& options, PairCache* cache) {
  if (!in_range(pose_a) || !in_range(pose_b) || !is_finite(translation) ||
      !is_translation(translation) || std::isnan(options.max_t)) {
    return {.status = Status::bad_input};
  }
  if (!a.convex() || !b.convex())
    return composite_shape_cast(a, pose_a, translation, b, pose_b, options);
  if (!a.bounded() || !b.bounded())
    return cast_half_space(a, pose_a, translation, b, pose_b, last_time(options));

  const CorePair pair(a, pose_a, b, pose_b);
  const CoreMotion motion{.velocity = pair.frame_a().direction_to_local(translation),
                          .radius = a.rounding() + b.rounding(),
                          .until = last_time(options),
                          .absolute_error = std::max(options.absolute_error, 0.0)};
  PairCache own;
  PairCache& warm = cache ? *cache : own;
  const FirstContact found = first_contact(pair, motion, warm);
  if (found.kind == FirstContact::Kind::miss) {
    return missed(pair.frame_a().direction_to_world(found.axis), found.iterations);
  }
  if (found.axis == Vec3{} && found.kind != FirstContact::Kind::unknown) {
    ShapeCast c = overlapping_at_start(signed_distance(a, pose_a, b, pose_b, {}, cache),
                                       common_point(pair, found.cores, a.rounding(), b.rounding()));
    c.iterations += found.iterations;
    return c;
  }
  const Frame& frame = pair.frame_a();
  const Vec3 toward_b =
      frame.direction_to_world(normalized_or(found.cores.between, found.cores.axis));
  ShapeCast c;
  c.hit = true;
  c.t = found.t;
  c.normal = frame.direction_to_world(contact_normal(pair, motion, found));
  c.on_a = frame.to_world(found.cores.on_a) + toward_b * a.rounding() + translation * found.t;
  c.on_b = pair.frame_b().to_world(found.cores.on_b) - toward_b * b.rounding();
  c.point = (c.on_a + c.on_b) * 0.5;
  c.status = status_of(found.kind);
  c.iterations = found.iterations;
  return c;
}

} // namespace carom
