// What two faces have in common, seen along a normal: the points of a manifold. Internal to the world.
#pragma once

#include "carom/dynamics/short_list.h"
#include "carom/math/pose.h"

#include <cstdint>
#include <span>

namespace [[gnu::visibility("default")]] carom {

struct MeetingPoint {
  Vec3 on_a, on_b;
  double separation = 0;
  std::uint64_t id = 0;
};

struct FormCorner {
  Vec3 at;
  std::uint32_t name = 0;
};
/// Of a convex polygon: a face has 32 at most, and so have those that cut it, each of which adds one.
using FormCorners = ShortList<FormCorner, 64>;

/// A face, an edge or a point: its corners have names, counter-clockwise seen from outside.
struct FormFace {
  FormCorners corners;
  Vec3 normal{};
  double offset = 0;
};

/// Keeps its storage from call to call.
class FaceClip {
public:
  FormFace a, b; ///< what is to be clipped: filled by the caller

  void clear() { points_.clear(); }
  /// Adds the corners of what `a` and `b` share, seen along n, a unit vector from A toward B, where they are no farther apart than `limit` along it. The first argument says which is cut by the sides of
  /// the other: that one must be a face.
  void cut(bool cuts_b, const Vec3& n, double limit);
  /// Two edges along each other: the ends of what they share.
  void cut_edges(const Vec3& n, double limit);
  void add(const MeetingPoint& point) { points_.push(point); }
  /// Moves the points out to where shapes end that have radii around their cores.
  void round(const Vec3& n, double radius_a, double radius_b);
  /// Makes A of B, and places the points.
  void swap(const Frame& frame);

  [[nodiscard]] std::span<const MeetingPoint> points() const {
    return {points_.begin(), points_.size()};
  }

private:
  const FormCorners& cut_by(const FormFace& by, const Vec3& up, const FormCorners& face);

  FormCorners left_[2]; ///< what is left of the face that is cut, by turns
  ShortList<MeetingPoint, 65> points_;
};

} // namespace carom
