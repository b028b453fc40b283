// An extent is the greatest of direction . x over the placed thing, rounded up (enclose.h); the least is minus the greatest of the
// opposite direction.
#include "carom/geometry/fit_aabb.h"

#include "carom/geometry/enclose.h"

namespace carom {
namespace {

/// The box whose reach along axis i is reach(unit axis, i) and against it reach(-unit axis, i + 3).
template<class Reach>
Aabb from_reach(Reach&& reach) {
  Aabb box;
  for (int i = 0; i < 3; ++i) {
    box.max[i] = reach(unit_axis(i), i);
    box.min[i] = -reach(-unit_axis(i), i + 3);
  }
  return box;
}

} // namespace

Aabb fit_aabb(std::span<const Vec3> points) {
  Aabb box;
  for (const Vec3& p : points) {
    if (std::isnan(p.x) || std::isnan(p.y) || std::isnan(p.z)) continue;
    box.min = min(box.min, p);
    box.max = max(box.max, p);
  }
  return box;
}

Aabb placed_aabb(const Sphere& local, const Frame& frame) {
  return from_reach([&](const Vec3& d, int) {
    return rounding::add(enclose::reach(local.center, frame, d), local.radius).upper();
  });
}

Aabb placed_aabb(const Aabb& local, const Frame& frame) {
  if (local.empty()) return {};
  return from_reach([&](const Vec3& d, int) {
    // The corner farthest that way: along each local axis the end on the side that d has there, exactly, as d is an axis.
    const Vec3 toward = transpose_mul(frame.basis, d);
    const int corner = (toward.x > 0 ? 1 : 0) | (toward.y > 0 ? 2 : 0) | (toward.z > 0 ? 4 : 0);
    return enclose::reach(local.corner(corner), frame, d);
  });
}

Aabb placed_aabb(std::span<const Vec3> local, const Frame& frame) {
  return from_reach([&](const Vec3& d, int) { return enclose::reach(local, frame, d); });
}

Aabb AabbTracker::update(const HullGraph& hull, const Frame& frame) {
  seen_ = 0;
  if (hull.vertices.empty()) return {};
  return from_reach([&](const Vec3& d, int i) {
    std::uint32_t& at = touching_[static_cast<std::size_t>(i)];
    at = climber_.farthest(hull, transpose_mul(frame.basis, d), at);
    seen_ += climber_.seen();
    return rounding::add(enclose::reach(hull.vertices[at], frame, d), climber_.slack()).upper();
  });
}

} // namespace carom
