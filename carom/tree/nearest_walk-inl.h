// What nearest points need of a wide tree: lower bounds of distances, for the eight boxes of a node and the eight triangles of a leaf at once. Internal.
//
// All in the tree's frame. Two kinds of bounds, with one form:
//   NearPoint  the distances themselves, squared. Their rounding grows with the distance of the point from the tree.
//   FarPoint   from farther away than some hundred times the tree's size: how far along the direction from the point to the tree. A thing is at least as
//              far away as it is along any unit vector, and for far points that is nearly the distance. Rounding does not grow: the long way to the tree is taken off in doubles.
// A bound says how far the search reaches still (`reach`): the least distance found so far, and a slack that covers all rounding. From so far that
// doubles cannot tell the triangles apart the slack is infinite, and all are asked.
#include "carom/tree/ordered_walk-inl.h"
#include "carom/tree/triangle_tree.h"

#include <algorithm>
#include <cmath>

// The per-target include guard that Highway asks for: this file is read once for each target.
#if defined(CAROM_TREE_NEAREST_WALK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CAROM_TREE_NEAREST_WALK_INL_H_
#undef CAROM_TREE_NEAREST_WALK_INL_H_
#else
#define CAROM_TREE_NEAREST_WALK_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {

/// From this many units on, the bounds along the direction are the closer ones: they miss 1/4 of a unit over the distance, the others tree_slack times it.
inline constexpr double far_from_here = 512;

/// What distances in doubles, computed from coordinates of this size, may be off by, in units: closest_point.h says 26 epsilon of it.
HWY_INLINE double distance_noise(const TreeFrame& frame, const Vec3& p) {
  const double size = std::max(max_abs(p), max_abs(frame.center) + frame.unit);
  return 0x1p-46 * size * frame.per_unit;
}

/// How far a corner may be from where the block has it: half a step along each axis.
HWY_INLINE float corner_error(const TriangleBlock& block) {
  return 0.5F * (block.grid(0).step() + block.grid(1).step() + block.grid(2).step());
}

/// More than rounding of a few operations takes away.
inline constexpr float upward = 1 + 0x1p-19F;

/// The square of the distance from zero to the segment from a along e.
HWY_INLINE Float8 edge_distance_squared(const Float8x3& a, const Float8x3& e) {
  const Float8 zero = all_floats(0), one = all_floats(1);
  // The foot's place, and the end nearest to it where it is beyond. An edge without length has its end.
  const Float8 t = (zero - dot(a, e)) / max(dot(e, e), all_floats(0x1p-100F));
  const Float8x3 foot = a + e * min(max(t, zero), one);
  return dot(foot, foot);
}

HWY_INLINE Float8 sum_of_sizes(const Float8x3& a) { return abs(a.x) + abs(a.y) + abs(a.z); }

class NearPoint {
public:
  HWY_INLINE NearPoint(const TreeFrame& frame, const Vec3& p) : per_unit_(frame.per_unit) {
    const Vec3 at = frame.to_tree(p);
    for (int i = 0; i < 3; ++i) p_[i] = static_cast<float>(at[i]);
    // The distance to a segment in floats is off by 2^-20 of the farther end's, which is less than twice as far as a coordinate; and so is the point.
    slack_ = 4 * tree_slack * static_cast<float>(1 + max_abs(at)) +
             static_cast<float>(distance_noise(frame, p));
  }

  HWY_INLINE void set_limit(double distance) {
    reach_ = static_cast<float>(distance * per_unit_) * upward + slack_;
  }
  [[nodiscard]] HWY_INLINE float node_limit() const { return reach_ * reach_ * upward; }
  [[nodiscard]] HWY_INLINE float leaf_limit(const TriangleBlock& block) const {
    const float reach = reach_ + corner_error(block);
    return reach * reach * upward;
  }

  [[nodiscard]] HWY_INLINE Float8 boxes(const WideNode& node) const {
    Float8 sum = all_floats(0);
    for (int i = 0; i < 3; ++i) {
      const Float8 step = all_floats(node.grid(i).step());
      const Float8 from = all_floats(node.origin[i] - p_[i]);
      const Float8 below = floats_of(node.lower[i]) * step + from;
      const Float8 above = floats_of(node.upper[i]) * step + from;
      const Float8 zero = all_floats(0);
      const Float8 off = max(max(below, zero - above), zero);
      sum = sum + off * off;
    }
    return sum;
  }

  /// The distance to a triangle is that to its plane where the point is over it, else that to an edge. Where rounding leaves open whether it is, the lesser counts.
  [[nodiscard]] HWY_INLINE Float8 triangles(const TriangleBlock& block) const {
    // The first corner as seen from the point, and the edges from it, which are exact.
    Float8x3 a, u, v;
    for (int i = 0; i < 3; ++i) {
      const Float8 step = all_floats(block.grid(i).step());
      const Float8 first = floats_of(block.row[i]);
      a[i] = first * step + all_floats(block.origin[i] - p_[i]);
      u[i] = (floats_of(block.row[3 + i]) - first) * step;
      v[i] = (floats_of(block.row[6 + i]) - first) * step;
    }
    const Float8 edges = min(min(edge_distance_squared(a, u), edge_distance_squared(a, v)),
                             edge_distance_squared(a + u, v - u));
    // No edge is longer than `size`, no corner farther than `far`. Each product of three or four vectors below is off by less than 2^-22 or 2^-21 of these.
    const Float8 size = sum_of_sizes(u) + sum_of_sizes(v), far = sum_of_sizes(a) + size;
    const Float8 area = size * size;
    const Float8x3 n = cross(u, v);
    const Float8 zero = all_floats(0);
    const Float8 margin = zero - area * size * far * all_floats(0x1p-21F);
    const Float8 left_u = dot(n, cross(a, u)), right_v = dot(n, cross(a, v));
    const Float8 left_w = dot(n, cross(a + u, v - u));
    const FloatMask8 over = (margin <= left_u) & (margin <= zero - right_v) & (margin <= left_w);
    const Float8 height = max(abs(dot(n, a)) - area * far * all_floats(0x1p-22F), zero) /
                          (sqrt(dot(n, n)) + area * all_floats(0x1p-22F) + all_floats(0x1p-100F));
    return select(over, min(height * height, edges), edges);
  }

private:
  double per_unit_;
  alignas(16) float p_[3];
  float slack_, reach_ = INFINITY;
};

class FarPoint {
public:
  HWY_INLINE FarPoint(const TreeFrame& frame, const Vec3& p) : per_unit_(frame.per_unit) {
    const Vec3 at = frame.to_tree(p);
    const double far = max_abs(at);
    const double noise = distance_noise(frame, p) + 0x1p-48 * far;
    blind_ = !(noise < 1);
    Vec3 n;
    if (!blind_) n = at / -length(at);
    before_ = dot(n, at);
    slack_ = blind_ ? INFINITY : 4 * tree_slack + static_cast<float>(noise);
    for (int i = 0; i < 3; ++i) {
      n_[i] = static_cast<float>(n[i]);
      to_first_[i] = n[i] < 0 ? WideNode::to_upper : 0;
    }
  }

  HWY_INLINE void set_limit(double distance) {
    reach_ = blind_ ? INFINITY : static_cast<float>(distance * per_unit_ + before_) + slack_;
  }
  [[nodiscard]] HWY_INLINE float node_limit() const { return reach_; }
  [[nodiscard]] HWY_INLINE float leaf_limit(const TriangleBlock& block) const {
    return reach_ + corner_error(block);
  }

  [[nodiscard]] HWY_INLINE Float8 boxes(const WideNode& node) const {
    Float8 sum = all_floats(0);
    for (int i = 0; i < 3; ++i) {
      const Float8 q = floats_of(node.rows() + 8 * i + to_first_[i]);
      sum = sum + q * all_floats(node.grid(i).step() * n_[i]) + all_floats(node.origin[i] * n_[i]);
    }
    return sum;
  }

  [[nodiscard]] HWY_INLINE Float8 triangles(const TriangleBlock& block) const {
    Float8 least = all_floats(INFINITY);
    for (int c = 0; c < 3; ++c) {
      Float8 sum = all_floats(0);
      for (int i = 0; i < 3; ++i) {
        const Float8 q = floats_of(block.row[3 * c + i]);
        sum = sum + q * all_floats(block.grid(i).step() * n_[i]) +
              all_floats(block.origin[i] * n_[i]);
      }
      least = min(least, sum);
    }
    return least;
  }

private:
  double per_unit_;
  double before_; ///< how far along the direction the point is: a large negative number
  bool blind_;
  float n_[3]; ///< from the point to the tree, of length 1
  std::ptrdiff_t to_first_[3];
  float slack_, reach_ = INFINITY;
};

/// Calls at_leaf(number) for the leaves whose boxes the bound reaches, near ones first. It may lower the bound's limit.
template<class Bound, class Fetch, class AtLeaf>
HWY_INLINE void walk_nearest(const WideTree& tree, const Bound& bound, Fetch&& fetch,
                             AtLeaf&& at_leaf) {
  const auto look = [&](const WideNode& node, float limit, Float8& keys) HWY_ATTR {
    keys = bound.boxes(node);
    return bits(keys <= all_floats(limit)) & node.lanes();
  };
  walk_in_order(tree, bound.node_limit(), look, fetch,
                [&](std::uint32_t leaf, float& limit) HWY_ATTR {
                  at_leaf(leaf);
                  limit = bound.node_limit();
                  return true;
                });
}

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#endif // per-target guard
