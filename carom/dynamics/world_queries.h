// What a ray, a moving shape or a shape at rest meets in a world: the first, any, or all.
//
//   WorldRayHit h = ray_cast(world, Ray{eye, look}, {.max_t = 100});
//   if (h) world.add_impulse(h.shape.body, look * 5, h.hit.point);
//   std::vector<WorldOverlap> near;
//   overlapping(world, blast, Pose::at(where), near, {.fixed = false});
//
// About the bodies as they are now, asleep or awake. Answers depend on nothing but where the bodies are: casts by time, then by body and shape; overlaps by body and shape. Questions change nothing: any number of threads may
// ask while nobody steps or changes the world. Lists are filled anew. Each answer is the certified one of the query layer about that shape.
#pragma once

#include "carom/dynamics/world.h"
#include "carom/query/ray_cast.h"
#include "carom/query/shape_cast.h"
#include "carom/space/among.h"

#include <cmath>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Says of a shape whether it counts. It must answer the same whenever asked during one question.
using WorldShapeTest = FunctionRef<bool(const WorldShape&)>;

inline constexpr auto every_shape = [](const WorldShape&) { return true; };

/// Which shapes a question is about. By default: all that stop bodies.
struct WorldAmong {
  /// Of the one who asks: may_meet() with that of the shape.
  Filter filter{.category = ~0ULL, .mask = ~0ULL};
  bool fixed = true, kinematic = true, dynamic = true; ///< by the kind of the body
  bool sensors = false;
  /// Asked last. It refers to a function of the caller, as Among::accept (space/among.h) does.
  WorldShapeTest accept = every_shape;
};

struct WorldRayHit {
  WorldShape shape{}; ///< its body is the default id where nothing is hit
  RayHit hit{};
  /// What lists are sorted by: hit.t; or where the ray enters the shape's box, where rounding has put t before that.
  double key = INFINITY;

  [[nodiscard]] explicit operator bool() const { return hit.hit; }
};

/// The shape that is hit first. What is legal, and what options mean, is as for one shape; out of range: no hit, and hit.status is bad_input. `any` does not matter here.
[[nodiscard]] WorldRayHit ray_cast(const World& world, const Ray& ray,
                                   const RayCastOptions& options = {},
                                   const WorldAmong& among = {});
[[nodiscard]] SpaceMeets ray_cast_any(const World& world, const Ray& ray,
                                      const RayCastOptions& options = {},
                                      const WorldAmong& among = {});
/// All shapes that are hit, each once, where the ray first meets it.
Status ray_cast_all(const World& world, const Ray& ray, std::vector<WorldRayHit>& hits,
                    const RayCastOptions& options = {}, const WorldAmong& among = {});

struct WorldShapeCast {
  WorldShape shape{};
  ShapeCast cast{};      ///< of the shape that moves (A) and the one in the world (B)
  double key = INFINITY; ///< as above

  [[nodiscard]] explicit operator bool() const { return cast.hit; }
};

/// What the shape, moved by t * translation, first touches. As for two shapes; what it touches at the start is met at t = 0.
[[nodiscard]] WorldShapeCast shape_cast(const World& world, const Shape& shape, const Pose& pose,
                                        const Vec3& translation,
                                        const ShapeCastOptions& options = {},
                                        const WorldAmong& among = {});
[[nodiscard]] SpaceMeets shape_cast_any(const World& world, const Shape& shape, const Pose& pose,
                                        const Vec3& translation,
                                        const ShapeCastOptions& options = {},
                                        const WorldAmong& among = {});
Status shape_cast_all(const World& world, const Shape& shape, const Pose& pose,
                      const Vec3& translation, std::vector<WorldShapeCast>& casts,
                      const ShapeCastOptions& options = {}, const WorldAmong& among = {});

struct WorldOverlap {
  WorldShape shape{};
  ShapeOverlap overlap{}; ///< of the shape asked about (A) and the one in the world (B)
};

/// All that overlap the shape; touching counts. A pose out of range: none, and bad_input.
Status overlapping(const World& world, const Shape& shape, const Pose& pose,
                   std::vector<WorldOverlap>& found, const WorldAmong& among = {});
[[nodiscard]] SpaceMeets overlapping_any(const World& world, const Shape& shape, const Pose& pose,
                                         const WorldAmong& among = {});
/// Those whose boxes overlap the box, which may be infinite: quick. An empty box, or NaN: none, and bad_input.
Status boxes_in(const World& world, const Aabb& box, std::vector<WorldShape>& found,
                const WorldAmong& among = {});

} // namespace carom
