// Whether a solid mesh has something inside that its surface does not touch. Internal to the queries.
#pragma once

#include "carom/shape/parts.h"

#include <optional>

namespace [[gnu::visibility("default")]] carom {

struct InsidePoint {
  Vec3 point;  ///< in the world
  PartId part; ///< of the shape that it is a point of
};

/// Where `solid` is a solid mesh: a point of the other shape within it. One point of each piece is tried, so where nothing is found and the surface touches nothing of the other shape, they are
/// apart. Nothing for any other kind of `solid`, and for a half-space or a compound as the other.
[[nodiscard]] std::optional<InsidePoint> point_inside(const Shape& solid, const Frame& solid_frame,
                                                      const Shape& other, const Pose& pose);

} // namespace carom
