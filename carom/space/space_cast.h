// What a ray, or a shape that moves along a straight line, meets in a space: the first object, any, or all.
//
//   SpaceRayHit h = ray_cast(space, Ray{eye, look}, {.max_t = 100});
//   bool seen = !ray_cast_any(space, Ray{eye, there - eye}, {.max_t = 1});
//   SpaceShapeCast c = shape_cast(space, body, pose, step, {}, {.accept = [&](ObjectId id) { return id != self; }});
//
// By time, then by id. Lists are filled anew; where they have the room, nothing is allocated but what the query between two shapes needs.
#pragma once

#include "carom/query/ray_cast.h"
#include "carom/query/shape_cast.h"
#include "carom/space/among.h"
#include "carom/space/space.h"

#include <cmath>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

struct SpaceRayHit {
  ObjectId id{}; ///< the default: nothing is hit
  RayHit hit{};  ///< of that object (ray_cast of the query layer)
  /// What lists are sorted by: hit.t; or where the ray enters the object's box, where rounding has put t before that.
  double key = INFINITY;

  [[nodiscard]] explicit operator bool() const { return hit.hit; }
};

/// The object that is hit first. What is legal, and what options mean, is as for one shape; out of range: no hit, and hit.status is bad_input. `any` does not matter here.
[[nodiscard]] SpaceRayHit ray_cast(const Space& space, const Ray& ray,
                                   const RayCastOptions& options = {}, const Among& among = {});
[[nodiscard]] SpaceMeets ray_cast_any(const Space& space, const Ray& ray,
                                      const RayCastOptions& options = {}, const Among& among = {});
/// All objects that are hit, each once, where the ray first meets it.
Status ray_cast_all(const Space& space, const Ray& ray, std::vector<SpaceRayHit>& hits,
                    const RayCastOptions& options = {}, const Among& among = {});

struct SpaceShapeCast {
  ObjectId id{};         ///< the default: nothing is met
  ShapeCast cast{};      ///< of the shape that moves (A) and the object (B)
  double key = INFINITY; ///< as above

  [[nodiscard]] explicit operator bool() const { return cast.hit; }
};

/// The object that the shape, moved by t * translation, first touches. As for two shapes; what it touches at the start is met at t = 0.
[[nodiscard]] SpaceShapeCast shape_cast(const Space& space, const Shape& shape, const Pose& pose,
                                        const Vec3& translation,
                                        const ShapeCastOptions& options = {},
                                        const Among& among = {});
[[nodiscard]] SpaceMeets shape_cast_any(const Space& space, const Shape& shape, const Pose& pose,
                                        const Vec3& translation,
                                        const ShapeCastOptions& options = {},
                                        const Among& among = {});
Status shape_cast_all(const Space& space, const Shape& shape, const Pose& pose,
                      const Vec3& translation, std::vector<SpaceShapeCast>& casts,
                      const ShapeCastOptions& options = {}, const Among& among = {});

} // namespace carom
