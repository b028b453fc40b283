// Where the line of a straight thing meets a triangle, decided exactly: what the casts against triangles and tetrahedra share.
#pragma once

#include "carom/geometry/triangle.h"
#include "carom/math/predicates.h"

namespace [[gnu::visibility("default")]] carom {
namespace cast_detail {

/// The straight thing: a line by its direction, or by two points where `end` is given.
struct Carrier {
  Vec3 origin, direction;
  const Vec3* end = nullptr;

  /// The sign of direction . ((a - origin) x (b - origin)).
  [[nodiscard]] int side(const Vec3& a, const Vec3& b) const {
    return end ? orient3d(origin, *end, a, b) : orient3d_direction(origin, direction, a, b);
  }
};

/// Where the line of a carrier meets a triangle: at one t, or in an interval of its plane.
/// (A carrier that is a point is in the plane, and meets with every t or not at all.)
struct Meeting {
  bool hit = false;
  bool in_plane = false;
  int along_normal = 0; ///< the sign of direction . normal
  double enter = 0, exit = 0;
};

[[nodiscard]] Meeting meet(const Carrier& line, const Triangle& triangle);

/// t where the line crosses the triangle's plane, as meet() has it: for a line that is known to cross the triangle inside its edges.
[[nodiscard]] double crossing(const Carrier& line, const Triangle& triangle);

/// Whether the point lies in the closed triangle, exactly.
[[nodiscard]] bool contains(const Triangle& triangle, const Vec3& point);

/// Accurate for slivers too; zero where the triangle is degenerate.
[[nodiscard]] Vec3 unit_normal(const Triangle& triangle);

} // namespace cast_detail
} // namespace carom
