// Coordinates in which a solid given by half-spaces is round, and planes in long numbers. A part of half_space_intersection.h.
#pragma once

#include "carom/geometry/plane.h"
#include "carom/math/double_double.h"
#include "carom/math/mat3.h"
#include "carom/math/predicates.h"
#include "carom/math/result.h"

#include <array>
#include <span>

namespace [[gnu::visibility("default")]] carom {
namespace half_spaces {

using Long = DoubleDouble;
using LongVec3 = predicate::Row3<Long>;

/// offset - normal . x; zero where that is rounding.
[[nodiscard]] Long depth(const HalfSpace& face, const LongVec3& x);

/// Where three planes meet, and the exact sign of the determinant of their normals: 0 where they do not meet in a point.
struct Meeting {
  int sign = 0;
  LongVec3 point{}; ///< each component right to 2^-74 of itself
};
[[nodiscard]] Meeting meet(const HalfSpace& a, const HalfSpace& b, const HalfSpace& c);

/// x = center + axes u. The solid contains the ball |u| < 1/7 and is contained in the ball |u| < 10, to within rounding.
struct Frame {
  Mat3 axes;
  LongVec3 center;
  std::array<LongVec3, 3> inverse; ///< of the axes, by columns

  /// The u of a point.
  [[nodiscard]] Vec3 coordinates(const LongVec3& x) const;
};

/// Errors: as for intersect_half_spaces. The numbers have been checked. A solid that is only as thick as rounding may pass, with a frame that
/// does not keep its bounds.
[[nodiscard]] Result<Frame> find_frame(std::span<const HalfSpace> faces);

/// The error for a solid that is none.
[[nodiscard]] tl::unexpected<Error> no_inside();

} // namespace half_spaces
} // namespace carom
