// What hull_depth.cpp asks of all faces and edges of a hull, eight at a time. Internal to the queries.
#pragma once

#include "carom/geometry/swept_sphere.h"
#include "carom/shape/gauss_arcs.h"

#include <cstddef>
#include <cstdint>

namespace [[gnu::visibility("default")]] carom {

/// Arcs that are left, eight at a time.
struct alignas(64) ArcFan {
  double along_x[8], along_y[8], along_z[8];
  double left_x[8], left_y[8], left_z[8];
  double right_x[8], right_y[8], right_z[8];
  double from_x[8], from_y[8], from_z[8];
};

/// Eight directions.
struct alignas(64) DirectionBlock {
  double x[8], y[8], z[8];
};

/// The functions, for the widest registers that the machine has. Each lane goes through the operations of the scalar form: the same bits everywhere.
struct ArcLanes {
  /// Per face: how far a set with this ball in it makes the difference reach at least, along the face's normal, and along an arc between two faces of which none has a lesser
  /// bound. Heights are off by `rounding` at most. Returns the face for which that is least, the first of equals.
  std::uint32_t (*bound_faces)(const PlaneBlock* blocks, std::size_t count, const Sphere& ball,
                               double rounding, double* bounds);
  /// The faces whose bound is below `reach`, by number. Returns how many. `out` has room for eight more than there are faces.
  std::size_t (*find_below)(const double* bounds, std::size_t blocks, double reach,
                            std::uint32_t* out);
  /// Per direction, the number of the point that is farthest along it, of equals the lowest: what SupportTree::farthest says. At least one point.
  void (*find_farthest)(const DirectionBlock& directions, const Vec3* points, std::size_t count,
                        std::uint32_t* out);
  /// Which of eight arcs of B may cross an arc of A, turned around, at a direction along which the edges are no farther into each other than `reach`, give or take `rounding` of the points: bit k for lane k. All in one frame.
  std::uint8_t (*find_crossing)(const ArcFan& b, const GaussArcs::Arc& a, double reach,
                                double rounding);

  static ArcLanes widest();
};

/// Products of unit vectors are off by a few epsilon.
inline constexpr double arc_slack = 1e-12;

} // namespace carom
