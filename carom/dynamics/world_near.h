// Which shapes of a world are nearest to a point, or to a shape.
//
//   WorldNearPoint n = nearest(world, eye, {.max_distance = 10}, {.fixed = false});
//   if (n) world.add_impulse(n.shape.body, push, n.surface.point);
//
// By distance, then by body and shape; as nearest() in a space (space/space_near.h), with the filters of the other questions about a world (world_queries.h). Lists are filled anew.
#pragma once

#include "carom/dynamics/world_queries.h"
#include "carom/query/answer.h"
#include "carom/space/space_near.h"

#include <cmath>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

struct WorldNearPoint {
  WorldShape shape{}; ///< its body is the default id where nothing is so near
  /// How far the point is from the shape: negative inside (closest_point of the query layer).
  SurfacePoint surface{};
  double key = INFINITY; ///< what lists are sorted by: surface.value

  [[nodiscard]] explicit operator bool() const { return shape.body != BodyId{}; }
};

/// The nearest shape; of those that contain the point, the one in which it is deepest. Coordinates out of range, or a max_distance that is negative or NaN: none, and surface.status is bad_input.
[[nodiscard]] WorldNearPoint nearest(const World& world, const Vec3& p,
                                     const NearOptions& options = {}, const WorldAmong& among = {});
/// The `count` nearest, or all if there are fewer.
Status nearest(const World& world, const Vec3& p, std::size_t count,
               std::vector<WorldNearPoint>& found, const NearOptions& options = {},
               const WorldAmong& among = {});

struct WorldDistance {
  WorldShape shape{}; ///< its body is the default id where nothing is so near
  Distance
      distance{}; ///< from the shape asked about (A) to the one in the world (B): 0 where they overlap
  double key = INFINITY; ///< distance.value

  [[nodiscard]] explicit operator bool() const { return shape.body != BodyId{}; }
};

/// The same for a shape.
[[nodiscard]] WorldDistance nearest(const World& world, const Shape& shape, const Pose& pose,
                                    const NearOptions& options = {}, const WorldAmong& among = {});
Status nearest(const World& world, const Shape& shape, const Pose& pose, std::size_t count,
               std::vector<WorldDistance>& found, const NearOptions& options = {},
               const WorldAmong& among = {});

} // namespace carom
