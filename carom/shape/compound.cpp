#include "carom/shape/compound.h"

#include "carom/math/tolerance.h"
#include "carom/shape/composite.h"
#include "carom/shape/support.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace carom {
namespace {

bool in_range(const Pose& pose) {
  const Vec3& p = pose.position;
  return tolerance::is_coordinate(p.x) && tolerance::is_coordinate(p.y) &&
         tolerance::is_coordinate(p.z) && length_squared(pose.rotation) < INFINITY;
}

/// Of a length whose products neither vanish nor overflow. What to_matrix takes for no rotation is none.
Quat of_safe_length(const Quat& q) {
  const double l2 = length_squared(q);
  if (l2 >= 1e-100 && l2 <= 1e100) return q;
  if (!(l2 >= 1e-300 && l2 < INFINITY)) return {};
  const double l = std::sqrt(l2);
  return {q.x / l, q.y / l, q.z / l, q.w / l};
}

bool in_range(const Aabb& box) {
  return max_abs(box.min) <= tolerance::coordinate_max &&
         max_abs(box.max) <= tolerance::coordinate_max;
}

} // namespace

Pose part_pose(const Pose& whole, const Pose& part) {
  Pose pose = Pose{of_safe_length(whole.rotation), whole.position} *
              Pose{of_safe_length(part.rotation), part.position};
  for (int i = 0; i < 3; ++i)
    if (std::fabs(pose.position[i]) < tolerance::coordinate_min) pose.position[i] = 0;
  return pose;
}

Result<Compound> Compound::build(std::span<const CompoundPart> parts) {
  if (parts.empty()) return failure(ErrorCode::too_few, "The compound has no parts.");
  Compound result;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const CompoundPart& part = parts[i];
    const auto named = [&](const char* what) { return "Part " + std::to_string(i) + what; };
    if (!part.shape.bounded())
      return failure(ErrorCode::unbounded, named(" is a half-space: parts are bounded."));
    if (!in_range(part.pose))
      return failure(ErrorCode::out_of_range,
                     named(" has a pose that is not finite or out of range."));
    const auto* nested = body_of<Compound>(part.shape);
    if (result.parts_.size() + (nested ? nested->parts_.size() : 1) > most_parts)
      return failure(ErrorCode::out_of_range, "The compound has too many parts: at most 2^24.");
    if (!nested) {
      result.parts_.push_back(part);
      continue;
    }
    for (const CompoundPart& inner : nested->parts_)
      result.parts_.push_back({inner.shape, part_pose(part.pose, inner.pose), inner.material});
  }
  for (const CompoundPart& part : result.parts_) {
    const Aabb box = carom::bounds(part.shape, part.pose);
    if (!in_range(box))
      return failure(ErrorCode::out_of_range, "A part reaches beyond 1e30 where it is placed.");
    result.boxes_.push_back(box);
    result.size_ = std::max(result.size_, part.shape.size() + max_abs(part.pose.position));
    result.bounds_.min = min(result.bounds_.min, box.min);
    result.bounds_.max = max(result.bounds_.max, box.max);
  }
  result.tree_ = WideTree(result.boxes_);
  return result;
}

} // namespace carom
