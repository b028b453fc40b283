// Which objects of a space are nearest to a point, or to a shape.
//
//   SpaceNearPoint n = nearest(space, eye);
//   if (n) look_at(n.surface.point);
//
// By distance, then by id. Lists are filled anew; where they have the room, nothing is allocated but what the query between two shapes needs.
#pragma once

#include "carom/query/answer.h"
#include "carom/space/among.h"
#include "carom/space/space.h"

#include <cmath>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

struct NearOptions {
  /// Objects farther away than this do not count; at this, they do. A length, 0 or more.
  double max_distance = INFINITY;
};

struct SpaceNearPoint {
  ObjectId id{}; ///< the default: no object is so near
  /// How far the point is from the object: negative inside (closest_point of the query layer).
  SurfacePoint surface{};
  /// What lists are sorted by: surface.value; or the distance of the object's box, where rounding has put the value below that.
  double key = INFINITY;

  [[nodiscard]] explicit operator bool() const { return id != ObjectId{}; }
};

/// The nearest object; of those that contain the point, the one in which it is deepest. Coordinates out of range, or a max_distance that is negative or NaN: none, and surface.status is bad_input.
[[nodiscard]] SpaceNearPoint nearest(const Space& space, const Vec3& p,
                                     const NearOptions& options = {}, const Among& among = {});
/// The `count` nearest, or all if there are fewer.
Status nearest(const Space& space, const Vec3& p, std::size_t count,
               std::vector<SpaceNearPoint>& found, const NearOptions& options = {},
               const Among& among = {});

struct SpaceDistance {
  ObjectId id{};         ///< the default: no object is so near
  Distance distance{};   ///< from the shape asked about (A) to the object (B): 0 where they overlap
  double key = INFINITY; ///< as above

  [[nodiscard]] explicit operator bool() const { return id != ObjectId{}; }
};

/// The same for a shape.
[[nodiscard]] SpaceDistance nearest(const Space& space, const Shape& shape, const Pose& pose,
                                    const NearOptions& options = {}, const Among& among = {});
Status nearest(const Space& space, const Shape& shape, const Pose& pose, std::size_t count,
               std::vector<SpaceDistance>& found, const NearOptions& options = {},
               const Among& among = {});

} // namespace carom
