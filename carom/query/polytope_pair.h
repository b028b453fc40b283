// Two placed polytopes, seen from the frame of the first: what the classic methods for them share (docs/convex-methods.md). Internal to the queries.
//
// Each method decides what it can decide in doubles, with a proof. What rounding leaves open (sets that touch to within a few epsilon,
// slivers) goes to the search of geometry/gjk.h, which ends in numbers of twice the length. So all methods give the same answers.
#pragma once

#include "carom/geometry/gjk.h"
#include "carom/query/answer.h"
#include "carom/shape/shape.h"

#include <span>

namespace [[gnu::visibility("default")]] carom {

/// How a method came to its answer, for those who compare methods.
struct MethodTrace {
  bool settled = false; ///< rounding left the method undecided, and the slow search answered
  int programs =
      0; ///< linear programs that were solved in 104 bits, because doubles were not enough
};

class PolytopePair {
public:
  PolytopePair(const Polytope& a, const Pose& pose_a, const Polytope& b, const Pose& pose_b);

  [[nodiscard]] const Polytope& a() const { return a_; }
  [[nodiscard]] const Polytope& b() const { return b_; }
  [[nodiscard]] const Frame& frame_a() const { return frame_a_; }
  [[nodiscard]] const Frame& frame_b() const { return frame_b_; }
  [[nodiscard]] const Frame& b_in_a() const { return b_in_a_; }
  /// Both sizes and the translation between them: the length that rounding errors are relative to.
  [[nodiscard]] double size() const { return size_; }
  /// How much the gap along a unit vector may be off.
  [[nodiscard]] double rounding() const { return rounding_; }
  /// The bounds of a distance agree when they are no farther apart than this: some 3e-14 of the size, where 1e-12 is promised.
  [[nodiscard]] double agreement() const { return 8 * rounding_; }

  /// A vertex of each.
  struct Corner {
    std::uint32_t a, b;
    Vec3 difference; ///< from A's vertex to B's, in A's frame
  };
  [[nodiscard]] Corner corner(std::uint32_t a, std::uint32_t b) const {
    return {a, b, b_in_a_.to_world(b_.vertices()[b]) - a_.vertices()[a]};
  }
  /// A's vertex farthest along n and B's farthest against it; n of any length, in A's frame.
  [[nodiscard]] Corner facing(const Vec3& n) const {
    return corner(a_.farthest(n), b_.farthest(-b_in_a_.direction_to_local(n)));
  }
  /// The width of the slab between A and B at right angles to the unit vector n, negative where they overlap along it. Off by `rounding` at most.
  [[nodiscard]] double gap(const Vec3& n) const { return dot(n, facing(n).difference); }

  /// The points of A and B that the corners' vertices make with these weights, in the world. The weights are not negative and add up to 1.
  struct Points {
    Vec3 on_a, on_b;
  };
  [[nodiscard]] Points points(std::span<const Corner> corners,
                              std::span<const double> weights) const;

private:
  const Polytope &a_, &b_;
  Frame frame_a_, frame_b_, b_in_a_;
  double size_, rounding_;
};

/// The slow search, with B moved by `move` in A's frame. Points and axis are in A's frame, B's point as moved.
[[nodiscard]] GjkResult search_slowly(const PolytopePair& pair, double question = NAN,
                                      const Vec3& move = {});

/// What the slow search answers, and the trace says so. `iterations` are those that were spent before.
[[nodiscard]] ShapeOverlap settled_overlap(const PolytopePair& pair, int iterations,
                                           MethodTrace* trace);
[[nodiscard]] Distance settled_distance(const PolytopePair& pair, int iterations,
                                        MethodTrace* trace);

} // namespace carom
