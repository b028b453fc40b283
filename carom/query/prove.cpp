// A binary tree over the parts of each shape, in the world, halved by their middles. Two groups are apart where the boxes around them are, along the line between the nearest points of the boxes; else the larger is halved. Single parts
// that boxes do not tell apart are asked for their direction: the convex queries have it.
#include "carom/query/prove.h"

#include "carom/query/part_walk.h"
#include "carom/query/point_shape.h"
#include "carom/query/rounded.h"
#include "carom/query/shape_cast.h"
#include "carom/query/signed_distance.h"
#include "carom/shape/support.h"

#include <algorithm>
#include <numeric>

namespace carom {
namespace {

/// How far short of the bound two single parts may be, of the size: as exact as the queries are, of curved parts and others.
constexpr double allowance = 1e-12, curved_allowance = 1e-10;

/// A convex part by its numbers, and the box around it in the world.
struct Leaf {
  PartId id;
  std::uint64_t part = 0, element = 0; ///< as PartShape counts them
  Aabb box;
};

/// A placed shape taken apart into convex parts.
class Leaves {
public:
  Leaves(const Shape& shape, const Pose& pose) : outer_(shape, pose) {
    for (std::uint64_t i = 0; i < part_numbers(shape); ++i) {
      if (!is_part(shape, i)) continue;
      outer_.take(i);
      if (outer_.shape().convex()) {
        leaves_.push_back({outer_.id(), i, 0, bounds(outer_.shape(), outer_.pose())});
        continue;
      }
      PartShape inner(outer_.shape(), outer_.pose());
      for (std::uint64_t j = 0; j < part_numbers(outer_.shape()); ++j) {
        if (!is_part(outer_.shape(), j)) continue;
        inner.take(j);
        leaves_.push_back({outer_.id(inner.id()), i, j, bounds(inner.shape(), inner.pose())});
      }
    }
    order_.resize(leaves_.size());
    std::iota(order_.begin(), order_.end(), 0U);
  }

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(order_.size()); }
  [[nodiscard]] const Leaf& operator[](std::uint32_t i) const { return leaves_[order_[i]]; }
  [[nodiscard]] std::vector<PartId> ids() const {
    std::vector<PartId> result;
    for (std::uint32_t i = 0; i < size(); ++i) result.push_back((*this)[i].id);
    return result;
  }

  /// In halves by the middles of the boxes along the longest side of the box around them. The order is total.
  std::uint32_t halve(std::uint32_t first, std::uint32_t end) {
    const Aabb box = around(first, end);
    const int axis = largest_axis(box.max - box.min);
    const std::uint32_t middle = first + (end - first) / 2;
    const auto at = [&](std::uint32_t i) {
      return leaves_[i].box.min[axis] * 0.5 + leaves_[i].box.max[axis] * 0.5;
    };
    std::nth_element(order_.begin() + first, order_.begin() + middle, order_.begin() + end,
                     [&](std::uint32_t x, std::uint32_t y) {
                       const double at_x = at(x), at_y = at(y);
                       return at_x != at_y ? at_x < at_y : x < y;
                     });
    return middle;
  }
  [[nodiscard]] Aabb around(std::uint32_t first, std::uint32_t end) const {
    Aabb box;
    for (std::uint32_t i = first; i < end; ++i) {
      box.min = min(box.min, (*this)[i].box.min);
      box.max = max(box.max, (*this)[i].box.max);
    }
    return box;
  }

private:
  PartShape outer_;
  std::vector<Leaf> leaves_;
  std::vector<std::uint32_t> order_;
};

/// One leaf after another as a shape.
class LeafShape {
public:
  LeafShape(const Shape& shape, const Pose& pose) : outer_(shape, pose) {}

  void take(const Leaf& leaf) {
    if (!inner_ || leaf.part != part_) {
      part_ = leaf.part;
      outer_.take(part_);
      inner_.emplace(outer_.shape(), outer_.pose());
    }
    inner_->take(leaf.element);
  }
  [[nodiscard]] const Shape& shape() const { return inner_->shape(); }
  [[nodiscard]] const Pose& pose() const { return inner_->pose(); }

private:
  PartShape outer_;
  std::optional<PartShape> inner_;
  std::uint64_t part_ = 0;
};

/// The tree of halvings, made as it is needed.
class Halves {
public:
  struct Node {
    std::uint32_t first, end;
    std::uint32_t children = 0; ///< the first of two; 0: not halved yet
    Aabb box;
  };

  explicit Halves(Leaves& leaves) : leaves_(leaves) {
    nodes_.push_back({0, leaves.size(), 0, leaves.around(0, leaves.size())});
  }
  [[nodiscard]] const Node& operator[](std::uint32_t i) const { return nodes_[i]; }
  std::uint32_t children(std::uint32_t i) {
    if (nodes_[i].children != 0) return nodes_[i].children;
    const auto [first, end, none, box] = nodes_[i];
    const std::uint32_t middle = leaves_.halve(first, end);
    const auto at = static_cast<std::uint32_t>(nodes_.size());
    nodes_[i].children = at;
    nodes_.push_back({first, middle, 0, leaves_.around(first, middle)});
    nodes_.push_back({middle, end, 0, leaves_.around(middle, end)});
    return at;
  }

private:
  Leaves& leaves_;
  std::vector<Node> nodes_;
};

class Prover {
public:
  Prover(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
         const Vec3& translation, double bound)
      : leaves_a_(a, pose_a), leaves_b_(b, pose_b), tree_a_(leaves_a_), tree_b_(leaves_b_),
        leaf_a_(a, pose_a), leaf_b_(b, pose_b), translation_(translation), bound_(bound),
        size_(a.size() + b.size() + max_abs(pose_a.position) + max_abs(pose_b.position) +
              max_abs(translation)) {}

  std::optional<Proof> find() {
    Proof proof;
    proof.translation = translation_;
    proof.bound = bound_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> waiting = {{0, 0}};
    while (!waiting.empty()) {
      const auto [i, j] = waiting.back();
      waiting.pop_back();
      const Halves::Node &a = tree_a_[i], &b = tree_b_[j];
      std::optional<Vec3> direction = between_boxes(a.box, b.box);
      const bool single_a = a.end - a.first == 1, single_b = b.end - b.first == 1;
      if (!direction && single_a && single_b) {
        direction = between_leaves(leaves_a_[a.first], leaves_b_[b.first]);
        if (!direction) return {};
      }
      if (direction) {
        proof.claims.push_back({a.first, a.end, b.first, b.end, *direction});
        continue;
      }
      const Vec3 extent_a = a.box.max - a.box.min, extent_b = b.box.max - b.box.min;
      if (single_b || (!single_a && length(extent_a) >= length(extent_b))) {
        const std::uint32_t half = tree_a_.children(i);
        waiting.push_back({half + 1, j});
        waiting.push_back({half, j});
      } else {
        const std::uint32_t half = tree_b_.children(j);
        waiting.push_back({i, half + 1});
        waiting.push_back({i, half});
      }
    }
    proof.parts_a = leaves_a_.ids();
    proof.parts_b = leaves_b_.ids();
    return proof;
  }

private:
  /// Along which the boxes are far enough apart all the time, if they are: from A's box, swept, to B's. (A half-space has none: its box is infinite.)
  [[nodiscard]] std::optional<Vec3> between_boxes(const Aabb& a, const Aabb& b) const {
    const Aabb swept{min(a.min, a.min + translation_), max(a.max, a.max + translation_)};
    Vec3 gap;
    for (int i = 0; i < 3; ++i) {
      if (b.min[i] > swept.max[i]) gap[i] = b.min[i] - swept.max[i];
      if (swept.min[i] > b.max[i]) gap[i] = b.max[i] - swept.min[i];
    }
    const double width = length(gap);
    if (!(width > std::max(bound_, 0.0) + allowance * size_) || !(width < INFINITY)) return {};
    return gap / width;
  }

  [[nodiscard]] std::optional<Vec3> between_leaves(const Leaf& a, const Leaf& b) {
    leaf_a_.take(a);
    leaf_b_.take(b);
    const bool curved = !leaf_a_.shape().polyhedral() || !leaf_b_.shape().polyhedral();
    const double allowed = (curved ? curved_allowance : allowance) * size_;
    if (translation_ == Vec3{}) {
      const SignedDistance s =
          signed_distance(leaf_a_.shape(), leaf_a_.pose(), leaf_b_.shape(), leaf_b_.pose());
      if (s.lower_bound < bound_ - allowed) return {};
      return s.normal;
    }
    // Nothing but that they do not meet is ever asked of shapes that move.
    const ShapeCast c =
        shape_cast(leaf_a_.shape(), leaf_a_.pose(), translation_, leaf_b_.shape(), leaf_b_.pose());
    if (c.hit && (c.initial_overlap || (1 - c.t) * length(translation_) > allowed)) return {};
    return c.normal;
  }

  Leaves leaves_a_, leaves_b_;
  Halves tree_a_, tree_b_;
  LeafShape leaf_a_, leaf_b_;
  Vec3 translation_;
  double bound_, size_;
};

} // namespace

std::optional<Proof> prove_apart(const Shape& a, const Pose& pose_a, const Shape& b,
                                 const Pose& pose_b, const Vec3& translation, double bound) {
  if (!in_range(pose_a) || !in_range(pose_b) || !is_finite(translation) || !(bound < INFINITY) ||
      max_abs(translation) > tolerance::coordinate_max)
    return {};
  return Prover(a, pose_a, b, pose_b, translation, bound).find();
}

std::optional<Proof> prove(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                           const Distance& answer) {
  return prove_apart(a, pose_a, b, pose_b, {}, answer.lower_bound);
}

std::optional<Proof> prove(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                           const ShapeOverlap& answer) {
  if (answer.hit) return {};
  return prove_apart(a, pose_a, b, pose_b, {}, 0);
}

std::optional<Proof> prove(const Shape& a, const Pose& pose_a, const Vec3& translation,
                           const Shape& b, const Pose& pose_b, const ShapeCast& answer) {
  if (answer.initial_overlap) return {};
  return prove_apart(a, pose_a, b, pose_b, translation * answer.t, 0);
}

std::optional<Proof> prove(const Shape& shape, const Pose& pose, const Ray& ray,
                           const RayHit& answer, double max_t) {
  if (answer.inside) return {};
  const double t = answer.hit ? answer.t : max_t;
  return prove_apart(point_shape(), Pose::at(ray.origin), shape, pose, ray.direction * t, 0);
}

} // namespace carom
