// A binary tree over the parts of each shape, in the world, halved by their middles. Two groups are apart where the boxes around them are, along the line between the nearest points of the boxes; else the larger is halved. Single parts
// that boxes do not tell apart are asked for their direction: the convex queries have it.
#include "carom/query/prove.h"

#include "carom/query/part_halves.h"
#include "carom/query/point_shape.h"
#include "carom/query/rounded.h"
#include "carom/query/shape_cast.h"
#include "carom/query/signed_distance.h"
#include "carom/shape/support.h"

#include <algorithm>

namespace carom {
namespace {

/// How far short of the bound two single parts may be, of the size: as exact as the queries are, of curved parts and others.
constexpr double allowance = 1e-12, curved_allowance = 1e-10;

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
    const bool settled = settle_pairs(
        tree_a_, tree_b_, [&](const Halves::Node& a, const Halves::Node& b) -> std::optional<bool> {
          std::optional<Vec3> direction = between_boxes(a.box, b.box);
          const bool single = a.single() && b.single();
          if (!direction && single)
            direction = between_leaves(leaves_a_[a.first], leaves_b_[b.first]);
          if (!direction) return single ? std::optional(false) : std::nullopt;
          proof.claims.push_back({a.first, a.end, b.first, b.end, *direction});
          return true;
        });
    if (!settled) return {};
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
