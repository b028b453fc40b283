// A ray's way through a tree of moving boxes, for sources compiled once a target. Internal.
//
// The direction is scaled so that its greatest component is 1 or -1; s counts the length along that axis. Boxes come in all sizes and at all distances, so what rounding may
// do is covered in two parts: the origin's own rounding by moving near faces toward it and far ones away, by `slack`; that of the arithmetic by making s of the near ones
// smaller and of the far ones greater by a few parts in 2^24.
#include "carom/geometry/ray_slabs.h"
#include "carom/math/wide_float-inl.h"
#include "carom/tree/dynamic_ordered_walk-inl.h"
#include "carom/tree/dynamic_tree.h"

#include <algorithm>
#include <cmath>

// The per-target include guard that Highway asks for: this file is read once for each target.
#if defined(CAROM_TREE_DYNAMIC_RAY_WALK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CAROM_TREE_DYNAMIC_RAY_WALK_INL_H_
#undef CAROM_TREE_DYNAMIC_RAY_WALK_INL_H_
#else
#define CAROM_TREE_DYNAMIC_RAY_WALK_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {

/// The points origin + s direction, 0 <= s <= limit, in a tree's floats.
struct DynamicRay {
  float origin[3];
  float inverse[3]; ///< 1 / direction, finite
  float half[3];    ///< of the box that moves along the ray: 0 for the ray alone
  float slack;
  double speed; ///< of s, per t
  double start; ///< s = t * speed - start

  DynamicRay(const DynamicTree& tree, const Ray& ray, const Vec3& box_half) {
    Vec3 from = ray.origin - tree.origin();
    speed = max_abs(ray.direction);
    Vec3 d = ray.direction;
    if (!(speed > 0)) { // a point
      d = {1, 0, 0};
      speed = 1;
    }
    // Components of less than 2^-100 are as good as zero: over the whole length of the tree they turn the ray by `turned`.
    constexpr double least = 0x1p-100;
    Vec3 unit;
    for (int i = 0; i < 3; ++i) {
      unit[i] = d[i] / speed;
      inverse[i] = static_cast<float>(
          1 / (std::fabs(unit[i]) > least ? unit[i] : std::copysign(least, d[i])));
    }
    const FloatBox all = tree.nodes()[tree.root()].box();
    double reach = 0;
    for (std::size_t i = 0; i < 3; ++i)
      reach = std::max({reach, std::fabs(static_cast<double>(all.min[i])),
                        std::fabs(static_cast<double>(all.max[i]))});
    const double extent = max_abs(box_half);
    reach += extent;
    // From far away the origin is moved to within the tree's reach: an earlier point than where anything can be met.
    const double far = max_abs(from);
    start = 0;
    if (far > 4 * reach) {
      start = far - 2 * reach;
      from += unit * start;
    }
    const double turned = 4 * least * (reach + far);
    // At least so much that no float too small to be whole decides anything.
    slack =
        static_cast<float>(0x1p-22 * (max_abs(from) + extent) + 0x1p-48 * far + turned + 0x1p-100);
    for (int i = 0; i < 3; ++i) {
      origin[i] = static_cast<float>(from[i]);
      half[i] = float_above(box_half[i]);
    }
  }

  /// s of the ray's own t, not too small.
  [[nodiscard]] HWY_INLINE float farthest(double t) const {
    const double s = t * speed - start;
    return static_cast<float>(std::min(
        s + 0x1p-20 * (std::fabs(s) + static_cast<double>(slack)) + 0x1p-48 * start, 0x1p127));
  }
};

/// The same eight times, for lanes.
struct RayLanes {
  Float8 near_from[3], far_from[3], inverse[3];
  bool back[3];

  HWY_INLINE explicit RayLanes(const DynamicRay& ray) {
    for (int i = 0; i < 3; ++i) {
      back[i] = ray.inverse[i] < 0;
      const float ahead = back[i] ? -(ray.slack + ray.half[i]) : ray.slack + ray.half[i];
      near_from[i] = all_floats(ray.origin[i] + ahead);
      far_from[i] = all_floats(ray.origin[i] - ahead);
      inverse[i] = all_floats(ray.inverse[i]);
    }
  }
};

/// Bit i: the ray meets box i at s <= limit; near[i] is where, not too late.
HWY_INLINE unsigned meet_boxes(const DynamicNode& node, const RayLanes& ray, float limit,
                               float* near_at) {
  Float8 near = all_floats(0), far = all_floats(limit);
  const Float8 later = all_floats(1 + 0x1p-20F);
  for (int i = 0; i < 3; ++i) {
    const Float8 first = load_floats(ray.back[i] ? node.upper[i] : node.lower[i]);
    const Float8 last = load_floats(ray.back[i] ? node.lower[i] : node.upper[i]);
    near = max(near, (first - ray.near_from[i]) * ray.inverse[i]);
    far = min(far, (last - ray.far_from[i]) * ray.inverse[i] * later);
  }
  near = near * all_floats(1 - 0x1p-20F);
  store_floats(near, near_at);
  return bits(near <= far) & node.lanes();
}

/// Calls at_slot(slot) for the fat boxes that the ray may meet, or the box with these half edges whose middle moves along it, near ones first. It gives the t up to which others matter, negative to end.
template<class AtSlot>
HWY_INLINE void walk_ray(const DynamicTree& tree, const Ray& line, const Vec3& half, double t_max,
                         AtSlot&& at_slot) {
  if (tree.empty() || !(t_max >= 0) || !is_finite(line.origin) || !is_finite(line.direction))
    return;
  const DynamicRay ray(tree, line, half);
  const RayLanes lanes(ray);
  walk_near_first(
      tree, ray.farthest(t_max),
      [&](const DynamicNode& node, float limit, float* near)
          HWY_ATTR { return meet_boxes(node, lanes, limit, near); },
      [&](std::uint32_t slot, float& limit) HWY_ATTR {
        const double t = at_slot(slot);
        if (!(t >= 0)) return false;
        limit = std::min(limit, ray.farthest(t));
        return true;
      });
}

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#endif // per-target guard
