// A ray's way through a wide tree: the walk itself, for sources compiled once a target together with what they do at leaves. Internal.
//
// The direction is scaled so that its greatest component is 1 or -1; s counts in units along that axis. Where the ray enters and leaves a box is found for all eight
// children of a node at once, axis by axis:
//   s = (origin + q * step - from) / direction = q * (step / direction) + (origin - from) / direction
// The near faces are moved toward the ray's start by the slack, and the far ones away, which covers all rounding; then there is a multiplication and an addition for each.
#include "carom/geometry/line.h"
#include "carom/tree/ordered_walk-inl.h"

#include <algorithm>
#include <cmath>

// The per-target include guard that Highway asks for: this file is read once for each target.
#if defined(CAROM_TREE_RAY_WALK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CAROM_TREE_RAY_WALK_INL_H_
#undef CAROM_TREE_RAY_WALK_INL_H_
#else
#define CAROM_TREE_RAY_WALK_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {

/// A ray in the tree's frame, in floats: the points origin + s direction, 0 <= s <= limit.
struct TreeRay {
  float origin[3];
  float direction[3]; ///< its greatest component, `major`, is 1 or -1
  int major;
  float sign;  ///< that component
  float limit; ///< negative where the ray does not come near the tree at all
  /// How far the ray or a box may really be from where the floats have it.
  float slack;
  double speed; ///< of s, per t
  double start; ///< s = t * speed - start

  /// s of the ray's own t, moved forth by the slack.
  [[nodiscard]] HWY_INLINE float farthest(double t) const {
    return static_cast<float>(t * speed - start) + 2 * slack;
  }
};

/// Directions that turn from an axis by less than this are told apart from it by less than the slack.
inline constexpr float least_component = 0x1p-40F;
/// An origin of at most so many units from the centre is used as it is.
inline constexpr double near_enough = 8;

/// s of where the ray enters the box of one unit around all things, made larger by the slack; infinite where it misses. It moves by `along` per s.
HWY_INLINE double enter_unit_box(const Vec3& from, const Vec3& along, double slack) {
  const double half = 0.5 + slack;
  double low = 0, high = INFINITY;
  for (int i = 0; i < 3; ++i) {
    if (along[i] == 0) {
      if (std::fabs(from[i]) > half) return INFINITY;
      continue;
    }
    const double a = (-half - from[i]) / along[i];
    const double b = (half - from[i]) / along[i];
    low = std::max(low, std::min(a, b));
    high = std::min(high, std::max(a, b));
  }
  return low <= high ? low : INFINITY;
}

/// Moves an origin that is far away to where the ray comes near, so that all numbers are small. Doubles round, too: from very far nothing can be told, and the slack is infinite.
HWY_INLINE void come_near(TreeRay& r, Vec3& from, const Vec3& along, double most) {
  const double far = max_abs(from);
  const double slack = static_cast<double>(tree_slack) * (1 + near_enough) + 0x1p-42 * far;
  if (!(slack < 1)) {
    from = {};
    r.slack = INFINITY;
    return;
  }
  r.slack = static_cast<float>(slack);
  r.start = enter_unit_box(from, along, slack);
  if (r.start <= most + slack) {
    from += along * r.start;
  } else {
    from = {};
    r.limit = -1;
  }
}

HWY_INLINE TreeRay tree_ray(const TreeFrame& frame, const Ray& ray, double t_max) {
  TreeRay r;
  const double greatest = max_abs(ray.direction);
  r.speed = greatest * frame.per_unit;
  Vec3 along = ray.direction * (1 / greatest);
  double most = t_max * r.speed;
  if (!(greatest > 0)) { // the ray is a point
    along = {1, 0, 0};
    r.speed = 1;
    most = 0;
  }
  Vec3 from = frame.to_tree(ray.origin);
  const double far = max_abs(from);
  r.slack = tree_slack * static_cast<float>(1 + far);
  r.start = 0;
  r.limit = 0;
  if (!(far <= near_enough)) come_near(r, from, along, most);
  if (r.limit == 0)
    r.limit = static_cast<float>(std::min(most - r.start, 2 + near_enough)) + 2 * r.slack;
  for (int i = 0; i < 3; ++i) {
    r.origin[i] = static_cast<float>(from[i]);
    r.direction[i] = static_cast<float>(along[i]);
  }
  // Again without branches.
  const int not_x = std::fabs(r.direction[0]) != 1 ? 1 : 0;
  const int not_y = std::fabs(r.direction[1]) != 1 ? 1 : 0;
  r.major = not_x + (not_x & not_y);
  r.sign = r.direction[r.major];
  return r;
}

/// What is the same for all nodes.
struct RaySlopes {
  Float4 near_from, far_from;
  Float4 inverse; ///< 1 / direction, at most 2^40
  /// From the lower row of an axis to the row met first: none, or to the upper one.
  std::ptrdiff_t to_first[3];

  HWY_INLINE explicit RaySlopes(const TreeRay& ray) {
    const auto& [x, y, z] = ray.direction;
    const Float4 d = four_floats(x, y, z, 1), zero = all_floats<4>(0);
    const Float4 least = all_floats<4>(least_component), slack = all_floats<4>(ray.slack);
    const auto backward = d < zero;
    inverse = all_floats<4>(1) / select(backward, min(d, zero - least), max(d, least));
    // The face met first is moved against the direction.
    const Float4 back = select(backward, zero - slack, slack);
    const Float4 origin = four_floats(ray.origin[0], ray.origin[1], ray.origin[2], 0);
    near_from = origin + back;
    far_from = origin - back;
    for (int i = 0; i < 3; ++i) to_first[i] = ray.direction[i] < 0 ? WideNode::to_upper : 0;
  }
};

/// Bit i: the ray meets box i before the limit; enter[i] is where, rounded down.
HWY_INLINE unsigned meet_boxes(const WideNode& node, const RaySlopes& ray, float limit,
                               Float8& enter) {
  alignas(16) float slope[4], near_at[4], far_at[4];
  const Float4 origin = load_floats<4>(node.origin);
  store_floats(powers_of_two(node.exponent) * ray.inverse, slope);
  store_floats((origin - ray.near_from) * ray.inverse, near_at);
  store_floats((origin - ray.far_from) * ray.inverse, far_at);
  Float8 near[3], far[3];
  for (int i = 0; i < 3; ++i) {
    const std::uint8_t* first = node.rows() + 8 * i + ray.to_first[i];
    const std::uint8_t* last = node.rows() + 8 * i + (WideNode::to_upper - ray.to_first[i]);
    near[i] = floats_of(first) * all_floats(slope[i]) + all_floats(near_at[i]);
    far[i] = floats_of(last) * all_floats(slope[i]) + all_floats(far_at[i]);
  }
  // In pairs: two steps, where one after another would take three.
  enter = max(max(near[0], near[1]), max(near[2], all_floats(0)));
  const Float8 leave = min(min(far[0], far[1]), min(far[2], all_floats(limit)));
  return bits(enter <= leave) & node.lanes();
}

/// Calls at_leaf(number, limit) for the leaves that the ray meets, in the order of walk_in_order.
template<First order, class Budget, class Fetch, class AtLeaf>
HWY_INLINE void walk_ray(const WideTree& tree, const TreeRay& ray, ChildStack& stack, Budget budget,
                         float reach, Fetch&& fetch, AtLeaf&& at_leaf) {
  if (ray.limit < 0) {
    stack.begun = true;
    return;
  }
  const RaySlopes slopes(ray);
  const auto look = [&](const WideNode& node, float limit, Float8& enter)
                        HWY_ATTR { return meet_boxes(node, slopes, limit, enter); };
  walk_in_order<order>(tree, stack, budget, reach, look, fetch, at_leaf);
}

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#endif // per-target guard
