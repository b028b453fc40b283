// Two placed shapes as trees of parts, walked through together. Internal to the queries.
//
// One walk serves all queries: what they ask of two boxes is a number, a bound of what any of the parts inside may give. Pairs of groups are opened in the order of it, and not at all beyond the limit.
#pragma once

#include "carom/math/pose.h"
#include "carom/math/scratch.h"
#include "carom/math/tolerance.h"
#include "carom/shape/parts.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace [[gnu::visibility("default")]] carom {

/// Two shapes by their boxes: each box is along the axes of its own shape.
class PartPair {
public:
  PartPair(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b);

  [[nodiscard]] const Frame& frame_a() const { return frame_a_; }
  [[nodiscard]] const Frame& frame_b() const { return frame_b_; }
  [[nodiscard]] const Frame& b_in_a() const { return b_in_a_; }
  /// The length that rounding errors are relative to: both sizes and the translation between them.
  [[nodiscard]] double size() const { return size_; }
  /// How much what is said of boxes, or of parts that were measured in other frames, may be off: a few dozen roundings.
  [[nodiscard]] double slack() const { return slack_; }

  /// At least so far are things in the boxes apart: rounded down, and not negative. A half-space's box is not used: it is the half-space itself that counts.
  [[nodiscard]] double gap(const Aabb& a, const Aabb& b) const;
  /// At most so far are points of the boxes apart.
  [[nodiscard]] double reach(const Aabb& a, const Aabb& b) const;
  /// Not before that time do they touch where A moves by t * translation, in A's frame, t up to 1; infinite where they never do.
  [[nodiscard]] double first_touch(const Aabb& a, const Aabb& b, const Vec3& translation) const;

private:
  struct Middle {
    Vec3 center, half;
  };
  /// B's box, as it is in A's frame: the box around it there. And A's in B's.
  [[nodiscard]] Middle in_a(const Aabb& b) const;
  [[nodiscard]] Middle in_b(const Aabb& a) const;
  /// Beyond the border of the half-space, along its normal. Negative inside.
  [[nodiscard]] double beyond_border(const Aabb& a, const Aabb& b) const;

  Frame frame_a_, frame_b_, b_in_a_;
  Mat3 extent_;
  double size_, slack_;
  const HalfSpace *half_space_a_, *half_space_b_;
  double rounding_; ///< of the half-space
};

/// Calls visit(part of A, part of B, limit) for pairs of single parts whose key is not above the limit, those of small keys first, more or less. key(box of A, box of B) is of all pairs in those boxes: that of a box
/// within a box is not smaller. `visit` may lower the limit, to minus infinity to end the walk. Where `key` takes a third argument, it is what is known from the boxes around; so is that of `visit`, before the limit.
template<class Key, class Visit>
void walk_parts(const PartTree& a, const PartTree& b, double limit, Key&& key, Visit&& visit) {
  struct Waiting {
    double key;
    PartGroup a, b;
  };
  ScratchVector<Waiting> waiting;
  const auto key_of = [&](const Aabb& box_a, const Aabb& box_b, double known) {
    if constexpr (std::is_invocable_v<Key, const Aabb&, const Aabb&, double>)
      return std::max(known, key(box_a, box_b, known));
    else
      return std::max(known, key(box_a, box_b));
  };
  waiting.push_back({key_of(a.whole().box, b.whole().box, -INFINITY), a.whole(), b.whole()});
  PartTree::Children children;
  while (!waiting.empty()) {
    const Waiting next = waiting.back();
    waiting.pop_back();
    if (!(next.key <= limit)) continue;
    if (next.a.single && next.b.single) {
      if constexpr (std::is_invocable_v<Visit, std::uint64_t, std::uint64_t, double, double&>)
        visit(next.a.place, next.b.place, next.key, limit);
      else
        visit(next.a.place, next.b.place, limit);
      continue;
    }
    const Vec3 extent_a = next.a.box.max - next.a.box.min;
    const Vec3 extent_b = next.b.box.max - next.b.box.min;
    const bool open_a =
        next.b.single || (!next.a.single && extent_a.x + extent_a.y + extent_a.z >=
                                                extent_b.x + extent_b.y + extent_b.z);
    const std::size_t count = open_a ? a.open(next.a, children) : b.open(next.b, children);
    const auto first = static_cast<std::ptrdiff_t>(waiting.size());
    for (std::size_t i = 0; i < count; ++i) {
      const PartGroup& group_a = open_a ? children[i] : next.a;
      const PartGroup& group_b = open_a ? next.b : children[i];
      const double k = key_of(group_a.box, group_b.box, next.key);
      if (!(k <= limit)) continue;
      // The smallest last, the first of equals last.
      waiting.push_back({k, group_a, group_b});
      const auto at = std::find_if(waiting.begin() + first, waiting.end(),
                                   [&](const Waiting& w) { return w.key <= k; });
      std::rotate(at, waiting.end() - 1, waiting.end());
    }
  }
}

/// Whether the parts, too, are placed in range. Of shapes but compounds they are where the shape is.
[[nodiscard]] inline bool parts_in_range(const Shape& shape, const Pose& pose) {
  return shape.kind() != ShapeKind::compound ||
         max_abs(pose.position) + shape.size() <= tolerance::coordinate_max;
}

/// Which of two shapes are walked through by their parts: where one is a compound, compounds only, since the other's own tree serves each part by itself.
struct Opened {
  bool a, b;

  Opened(const Shape& shape_a, const Shape& shape_b) {
    const bool compound_a = shape_a.kind() == ShapeKind::compound;
    const bool compound_b = shape_b.kind() == ShapeKind::compound;
    a = compound_a || !compound_b;
    b = compound_b || !compound_a;
  }
};

} // namespace carom
