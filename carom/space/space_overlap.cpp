#include "carom/space/space_overlap.h"

#include "carom/geometry/overlap.h"
#include "carom/query/overlap.h"
#include "carom/query/rounded.h"
#include "carom/shape/support.h"
#include "carom/space/candidates.h"

#include <algorithm>
#include <array>

namespace carom {
namespace {

template<class Found>
void sort_by_id(std::vector<Found>& found) {
  std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.id < b.id; });
}

std::array<Vec3, 8> corners_of(const ViewFrustum& frustum) {
  std::array<Vec3, 8> corners;
  for (int i = 0; i < 8; ++i) corners[static_cast<std::size_t>(i)] = frustum.corner(i);
  return corners;
}

/// The box around the corners: the empty box where they are no numbers in range, or the frustum is empty.
Aabb bounds_of(const ViewFrustum& frustum) {
  if (!(0 <= frustum.near && frustum.near <= frustum.far)) return {};
  if (!(frustum.slope_x >= 0) || !(frustum.slope_y >= 0)) return {};
  Aabb box;
  double size = max_abs(frustum.eye);
  for (const Vec3& c : corners_of(frustum)) {
    if (!is_finite(c) || max_abs(c) > tolerance::coordinate_max) return {};
    box = {min(box.min, c), max(box.max, c)};
    size = std::max(size, max_abs(c));
  }
  // Corners are rounded: what only they exclude is for the frustum itself to decide.
  const double slack = 16 * tolerance::epsilon * size;
  return {box.min - Vec3{slack, slack, slack}, box.max + Vec3{slack, slack, slack}};
}

/// Of a shape that may not have come to be.
Status overlapping_with(const Space& space, const Result<Shape>& shape,
                        std::vector<SpaceOverlap>& found, const Among& among) {
  found.clear();
  return shape ? overlapping(space, *shape, {}, found, among) : Status::bad_input;
}

} // namespace

Status overlapping(const Space& space, const Shape& shape, const Pose& pose,
                   std::vector<SpaceOverlap>& found, const Among& among) {
  found.clear();
  if (!in_range(pose)) return Status::bad_input;
  visit_overlapping(space, bounds(shape, pose), among, [&](std::uint32_t slot) {
    const SpaceObject& object = space.object_at(slot);
    const ShapeOverlap o = overlap(shape, pose, object.shape, object.pose);
    if (o) found.push_back({space.id_at(slot), o});
    return true;
  });
  sort_by_id(found);
  return Status::ok;
}

SpaceMeets overlapping_any(const Space& space, const Shape& shape, const Pose& pose,
                           const Among& among) {
  if (!in_range(pose)) return {false, Status::bad_input};
  bool any = false;
  visit_overlapping(space, bounds(shape, pose), among, [&](std::uint32_t slot) {
    const SpaceObject& object = space.object_at(slot);
    any = static_cast<bool>(overlap(shape, pose, object.shape, object.pose));
    return !any;
  });
  return {any, Status::ok};
}

Status boxes_in(const Space& space, const Aabb& box, std::vector<ObjectId>& found,
                const Among& among) {
  found.clear();
  if (box.empty()) return Status::bad_input;
  visit_overlapping(space, box, among, [&](std::uint32_t slot) {
    found.push_back(space.id_at(slot));
    return true;
  });
  std::sort(found.begin(), found.end());
  return Status::ok;
}

Status overlapping(const Space& space, const Aabb& box, std::vector<SpaceOverlap>& found,
                   const Among& among) {
  return overlapping_with(space, make_shape(box), found, among);
}

Status boxes_in(const Space& space, const ViewFrustum& frustum, std::vector<ObjectId>& found,
                const Among& among) {
  found.clear();
  const Aabb around = bounds_of(frustum);
  if (around.empty()) return Status::bad_input;
  visit_overlapping(space, around, among, [&](std::uint32_t slot) {
    // Of an unbounded one, what there is of it near the frustum.
    const Aabb& box = space.box_at(slot);
    const Aabb near{max(box.min, around.min), min(box.max, around.max)};
    if (overlaps(frustum, near)) found.push_back(space.id_at(slot));
    return true;
  });
  std::sort(found.begin(), found.end());
  return Status::ok;
}

Status overlapping(const Space& space, const ViewFrustum& frustum, std::vector<SpaceOverlap>& found,
                   const Among& among) {
  return overlapping_with(space, make_shape(frustum), found, among);
}

Result<Shape> make_shape(const Aabb& box) {
  if (!is_finite(box.min) || !is_finite(box.max))
    return failure(ErrorCode::not_finite, "The box is not finite.");
  if (box.empty()) return failure(ErrorCode::degenerate, "The box is empty.");
  std::array<Vec3, 8> corners;
  for (int i = 0; i < 8; ++i) corners[static_cast<std::size_t>(i)] = box.corner(i);
  return Shape::hull(corners);
}

Result<Shape> make_shape(const ViewFrustum& frustum) {
  if (bounds_of(frustum).empty())
    return failure(ErrorCode::out_of_range,
                   "The frustum is empty (0 <= near <= far, slopes >= 0), or reaches beyond 1e30.");
  return Shape::hull(corners_of(frustum));
}

} // namespace carom
