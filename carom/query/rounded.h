// From cores to rounded shapes. Internal to the queries.
#pragma once

#include "carom/math/tolerance.h"
#include "carom/query/answer.h"
#include "carom/query/core_pair.h"

#include <algorithm>

namespace [[gnu::visibility("default")]] carom {

/// Whether a query takes the pose: positions in range, a rotation that is finite.
[[nodiscard]] inline bool in_range(const Pose& pose) {
  const Quat& q = pose.rotation;
  const Vec3 p = abs(pose.position);
  const auto small = [](double x) { return x < tolerance::coordinate_min && x != 0; };
  // NaN fails the first, whichever component it is in. All at once: there is nothing to gain by leaving early.
  const bool finite = p.x + p.y + p.z + length_squared(q) < INFINITY;
  return finite && max_abs(p) <= tolerance::coordinate_max &&
         !(static_cast<int>(small(p.x)) | static_cast<int>(small(p.y)) |
           static_cast<int>(small(p.z)));
}

/// A point within radius_a of the one core and radius_b of the other, in the world: between the nearest points, as the radii divide their line.
/// The cores' distance is at most both radii together.
[[nodiscard]] inline Vec3 common_point(const CorePair& pair, const CoreDistance& cores,
                                       double radius_a, double radius_b) {
  const double radius = radius_a + radius_b;
  const double share = radius > 0 ? radius_a / radius : 0.5;
  const Vec3 on_a = pair.frame_a().to_world(cores.on_a);
  return on_a + pair.frame_a().direction_to_world(cores.between) * share;
}

/// What distance() asks of the cores where the caller asks for nothing special.
[[nodiscard]] inline CoreQuestion nearest_question(const CorePair& pair, double radius) {
  return {.radius = radius, .agreement = pair.agreement(), .below = radius, .any_points = true};
}

/// The distance of the rounded shapes from that of their cores: each nearest point moved out by its rounding along the line between them.
[[nodiscard]] inline Distance rounded_distance(const CorePair& pair, const CoreDistance& cores,
                                               double radius_a, double radius_b) {
  const double radius = radius_a + radius_b;
  // Rounded shapes are never less than 0 apart, however near the cores are.
  const bool exact = cores.upper - std::max(cores.lower, radius) <= pair.promise();
  const Status status = exact ? Status::ok : cores.answered ? Status::stopped : Status::wide;
  const Vec3 normal = pair.frame_a().direction_to_world(cores.axis);
  if (cores.upper <= radius) {
    const Vec3 common = common_point(pair, cores, radius_a, radius_b);
    return {0, 0, common, common, normal, status, cores.iterations};
  }
  Vec3 on_a = pair.frame_a().to_world(cores.on_a);
  Vec3 on_b = pair.frame_b().to_world(cores.on_b);
  if (radius > 0) {
    const Vec3 toward_b = pair.frame_a().direction_to_world(cores.between * (1 / cores.upper));
    on_a += toward_b * radius_a;
    on_b -= toward_b * radius_b;
  }
  const double lower = std::max(0.0, cores.lower - radius);
  return {cores.upper - radius, lower, on_a, on_b, normal, status, cores.iterations};
}

} // namespace carom
