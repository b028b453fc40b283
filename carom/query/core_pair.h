// Two placed cores, seen from the frame of the first, and the search for their nearest points. Internal to the queries.
#pragma once

#include "carom/query/pair_cache.h"
#include "carom/shape/shape.h"

#include <cmath>

namespace [[gnu::visibility("default")]] carom {

/// Both shapes are bounded.
class CorePair {
public:
  CorePair(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b);

  [[nodiscard]] const Frame& frame_a() const { return frame_a_; }
  [[nodiscard]] const Frame& frame_b() const { return frame_b_; }
  /// B's frame in A's.
  [[nodiscard]] const Frame& b_in_a() const { return b_in_a_; }
  /// The length that rounding errors are relative to: both sizes and the translation between them.
  [[nodiscard]] double size() const { return size_; }

  /// How far apart the bounds may be in the end: a few roundings; more where a core is curved and the search goes on for ever.
  [[nodiscard]] double agreement() const { return agreement_; }
  /// The same without that allowance: an upper bound is a support point's rounding above the true value, a lower bound one below.
  [[nodiscard]] double tight_agreement() const { return 2.25 * rounding_; }
  /// How far apart the bounds are at most, as answer.h promises.
  [[nodiscard]] double promise() const { return (curved_ ? 1e-10 : 1e-12) * size_; }
  /// Whether a core is not the hull of finitely many points.
  [[nodiscard]] bool curved() const { return curved_; }
  /// How much a support value along a unit vector may be off.
  [[nodiscard]] double rounding() const { return rounding_; }
  /// The cores themselves, each in its own frame.
  [[nodiscard]] const ShapeCore& core_a() const { return core_a_; }
  [[nodiscard]] const ShapeCore& core_b() const { return core_b_; }
  [[nodiscard]] std::uint64_t id_a() const { return id_a_; }
  [[nodiscard]] std::uint64_t id_b() const { return id_b_; }

  /// The balls inside the cores, each in its shape's frame.
  [[nodiscard]] const Sphere& inner_a() const { return inner_a_; }
  [[nodiscard]] const Sphere& inner_b() const { return inner_b_; }
  /// A point of A - B, in A's frame: from the centre of the one ball to that of the other.
  [[nodiscard]] Vec3 inner_difference() const {
    return inner_a_.center - b_in_a_.to_world(inner_b_.center);
  }

  /// The same with B moved by t, in A's frame.
  [[nodiscard]] CorePair moved(const Vec3& t) const {
    CorePair result = *this;
    result.b_in_a_.origin += t;
    return result;
  }

  /// A point of A - B: the corner itself, from points of A and B in their own frames.
  struct Corner {
    Vec3 on_a, on_b;
    Vec3 difference; ///< in A's frame
  };
  /// The farthest point of A - B along d, in A's frame.
  [[nodiscard]] Corner corner_toward(const Vec3& d) const {
    return corner(support_a(d), support_b(-d));
  }
  /// The farthest points of A and of B along d, each in its own frame; d in A's.
  [[nodiscard]] Vec3 support_a(const Vec3& d) const { return support_a_(d); }
  [[nodiscard]] Vec3 support_b(const Vec3& d) const {
    return support_b_(b_in_a_.direction_to_local(d));
  }
  [[nodiscard]] Corner corner(const Vec3& on_a, const Vec3& on_b) const {
    return {on_a, on_b, on_a - b_in_a_.to_world(on_b)};
  }

private:
  Frame frame_a_, frame_b_, b_in_a_;
  const CoreSupport &support_a_, &support_b_;
  const ShapeCore &core_a_, &core_b_;
  const Sphere &inner_a_, &inner_b_;
  double size_, rounding_, agreement_;
  std::uint64_t id_a_, id_b_;
  bool curved_;
};

/// When the search may stop, apart from when it is done.
struct CoreQuestion {
  double absolute_error = 0;
  double relative_error = 0; ///< of the distance between the rounded shapes
  double radius = 0;         ///< of both roundings together
  double agreement = 0;      ///< the bounds agree when they are no farther apart than this
  double below = -INFINITY;  ///< once the upper bound is at or below this,
  double above = INFINITY;   ///< or the lower bound above this
  /// Any points that are at most `below` apart will do, also those that the inner balls give at once; then the cache keeps fewer corners.
  bool any_points = false;
};

/// What is known of the distance of two cores.
struct CoreDistance {
  /// Sets each number by itself. As an aggregate it would be cleared as a whole, by an instruction that takes a twentieth of the time of a query.
  CoreDistance() {} // NOLINT(modernize-use-equals-default)

  double upper = INFINITY; ///< the distance of the points below; 0 where the cores overlap
  double lower = 0; ///< at least this far apart, rounded down; 0 where no direction separates
  Vec3 on_a, on_b;  ///< points of the cores, each in its own frame
  Vec3 between;     ///< from on_a to on_b, in A's frame
  Vec3 axis{
      1, 0,
      0}; ///< in A's frame, a unit vector from A to B: that of the lower bound where it is not 0
  int iterations = 0;
  bool answered = false; ///< what was asked is known, or the bounds agree
  bool sure = false;     ///< they have a point in common for certain, whatever rounding did
};

[[nodiscard]] CoreDistance nearest_cores(const CorePair& pair, const CoreQuestion& question,
                                         PairCache* cache);

} // namespace carom
