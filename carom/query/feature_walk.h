// The walk over pairs of features that V-Clip is made of. Internal to the queries (vclip.h).
#pragma once

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

  /// B's frame in A's; what a coordinate may be off by.
  FeatureWalk(const FeatureLevel& a, const FeatureLevel& b, const Frame& b_in_a, double rounding);

  End run(const Feature& a, const Feature& b);

  [[nodiscard]] const Feature& feature_a() const { return feature_[0]; }
  [[nodiscard]] const Feature& feature_b() const { return feature_[1]; }
  [[nodiscard]] int steps() const { return steps_; }

  // After End::nearest.
  [[nodiscard]] const Vec3& on_a() const { return on_[0]; } ///< in A's frame
  [[nodiscard]] const Vec3& on_b() const { return on_[1]; } ///< in B's frame
  [[nodiscard]] const Vec3& between() const { return between_; } ///< from on_a to on_b, in A's frame
  [[nodiscard]] const Vec3& axis() const { return axis_; }       ///< a unit vector from A to B, in A's frame
  /// Whether the neighbours prove that no vertex of A is farther along the axis than on_a, and none of B less far than on_b, to within 8 epsilon of the sizes. Where it is false a
  /// neighbour is as far to within rounding: then it may be so all the same.
  [[nodiscard]] bool proved() const { return proved_; }

private:
  enum class Outcome : std::uint8_t { moved, nearest, meeting, lost };
  struct Slope {
    std::uint32_t side;
    double value;
  };

  Outcome step();
  Outcome vertex_vertex();
  Outcome vertex_edge(std::size_t p);
  Outcome vertex_face(std::size_t p);
  Outcome edge_edge();
  Outcome edge_face(std::size_t p);
  Outcome nearest_side(std::size_t p, const Vec3& origin, const Vec3& along);
  Outcome escape(std::size_t p, const FeatureSide* edge);

  Outcome move(std::size_t body, Feature::Kind kind, std::size_t index);
  Outcome finish(std::size_t q, const Vec3& normal, const Vec3& on_q, const Vec3& on_p, bool proved);
  [[nodiscard]] Slope steepest(std::size_t body, std::uint32_t vertex, const Vec3& d) const;

  std::array<const FeatureLevel*, 2> level_;
  std::array<Frame, 2> into_; ///< from a body's frame into the other's
  std::array<Feature, 2> feature_{};
  double slack_; ///< planes are this thick
  double touch_; ///< what is closer than this is left to others
  int steps_ = 0, escapes_ = 0;

  std::array<Vec3, 2> on_{};
  Vec3 between_, axis_;
  bool proved_ = false;
};

} // namespace carom
