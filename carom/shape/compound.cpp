#include "carom/shape/compound.h"

#include "carom/math/tolerance.h"
#include "carom/shape/composite.h"
#include "carom/shape/support.h"

#include <string>

namespace carom {
namespace {

bool in_range(const Pose& pose) {
  const Vec3& p = pose.position;
  return tolerance::is_coordinate(p.x) && tolerance::is_coordinate(p.y) &&
         tolerance::is_coordinate(p.z) && length_squared(pose.rotation) < INFINITY;
}

/// A coordinate that rounding left near 0 is 0.
Pose within_range(Pose pose) {
  for (int i = 0; i < 3; ++i)
    if (std::fabs(pose.position[i]) < tolerance::coordinate_min) pose.position[i] = 0;
  return pose;
}

bool in_range(const Aabb& box) {
  return max_abs(box.min) <= tolerance::coordinate_max &&
         max_abs(box.max) <= tolerance::coordinate_max;
}

} // namespace

Result<Compound> Compound::build(std::span<const CompoundPart> parts) {
  if (parts.empty()) return failure(ErrorCode::too_few, "The compound has no parts.");
  Compound result;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const CompoundPart& part = parts[i];
    const auto named = [&](const char* what) { return "Part " + std::to_string(i) + what; };
    if (!part.shape.bounded())
      return failure(ErrorCode::unbounded, named(" is a half-space: parts are bounded."));
    if (!in_range(part.pose))
      return failure(ErrorCode::out_of_range, named(" has a pose that is not finite or out of range."));
    const auto* nested = body_of<Compound>(part.shape);
    if (result.parts_.size() + (nested ? nested->parts_.size() : 1) > most_parts)
      return failure(ErrorCode::out_of_range, "The compound has too many parts: at most 2^24.");
    if (!nested) {
      result.parts_.push_back(part);
      continue;
    }
    for (const CompoundPart& inner : nested->parts_)
      result.parts_.push_back(
          {inner.shape, within_range(part.pose * inner.pose), inner.material});
  }
  for (const CompoundPart& part : result.parts_) {
    const Aabb box = carom::bounds(part.shape, part.pose);
    if (!in_range(box))
      return failure(ErrorCode::out_of_range, "A part reaches beyond 1e30 where it is placed.");
    result.boxes_.push_back(box);
    result.bounds_.min = min(result.bounds_.min, box.min);
    result.bounds_.max = max(result.bounds_.max, box.max);
  }
  result.tree_ = WideTree(result.boxes_);
  return result;
}

} // namespace carom
