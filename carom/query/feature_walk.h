// The walk over pairs of features that V-Clip is made of. Internal to the queries (vclip.h).
#pragma once

#include "carom/query/core_pair.h"
#include "carom/query/feature_proof.h"
#include "carom/query/feature_steps.h"
#include "carom/shape/feature_hull.h"

#include <array>
#include <cstdint>

namespace [[gnu::visibility("default")]] carom {

/// From a pair of features of two hulls, by way of neighbouring ones that are nearer to each other, to the nearest pair.
class FeatureWalk {
public:
  enum class End : std::uint8_t {
    nearest, ///< no neighbouring pair is nearer
    meeting, ///< the hulls meet, or nearly so: one's vertex in the other, an edge through a face, or closer than rounding
    lost,    ///< too many steps, a cycle, or below the faces of a large hull
  };

  /// `b_in_a`: B's frame in A's; `rounding`: what a coordinate may be off by. `found` gets the points, what is between them, the axis and the upper bound
  /// where the walk ends at the nearest pair. All are referred to.
  FeatureWalk(const FeatureLevel& a, const FeatureLevel& b, const Frame& b_in_a, double rounding,
              CoreDistance& found)
      : level_{&a, &b}, b_in_a_(b_in_a), slack_(feature_proof::slack * rounding),
        touch_(feature_proof::touch * rounding), found_(found) {}

  End run(const HullFeature& a, const HullFeature& b);

  [[nodiscard]] const HullFeature& feature_a() const { return feature_[0]; }
  [[nodiscard]] const HullFeature& feature_b() const { return feature_[1]; }
  [[nodiscard]] int steps() const { return steps_; }
  /// After End::nearest: whether the neighbours prove that no vertex of A is farther along the axis than the point on A, and none of B less far than that on B, to within
  /// 8 epsilon of the sizes. Where it is false a neighbour is as far to within rounding: then it may be so all the same.
  [[nodiscard]] bool proved() const { return proved_; }

private:
  enum class Outcome : std::uint8_t { moved, nearest, meeting, lost };

  Outcome step();
  // Where p is the body of the feature named first, q is the other one.
  Outcome vertex_vertex();
  template<std::size_t p>
  Outcome vertex_edge();
  template<std::size_t p>
  Outcome vertex_face();
  Outcome edge_edge();
  template<std::size_t p>
  Outcome edge_face();
  Outcome nearest_side(std::size_t p, const Vec3& origin, const Vec3& along);
  template<std::size_t p>
  Outcome escape(const FeatureSide* edge);

  Outcome move(std::size_t body, FeatureKind kind, std::size_t index);
  template<std::size_t q>
  Outcome finish(const Vec3& normal, double apart, const Vec3& on_q, const Vec3& on_p, bool proved);
  template<std::size_t body>
  [[nodiscard]] Vec3 into_other(const Vec3& point) const;
  template<std::size_t body>
  [[nodiscard]] Vec3 turned_into_other(const Vec3& direction) const;
  Outcome climb(std::size_t body, const FeatureSlope& slope, bool to_point);

  std::array<const FeatureLevel*, 2> level_;
  const Frame& b_in_a_;
  std::array<HullFeature, 2> feature_{};
  double slack_; ///< planes are this thick
  double touch_; ///< what is closer than this is left to others
  int steps_ = 0, escapes_ = 0;
  CoreDistance& found_;
  bool proved_ = false;
};

} // namespace carom
