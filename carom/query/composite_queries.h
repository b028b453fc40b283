// The queries where at least one shape is not convex: what the public functions pass on. Internal.
//
// All by one scheme: walk through both shapes by their parts (part_walk.h), ask the same query of the parts, which are convex (or, of compounds, meshes and so on: then it comes back to here one level down). Two
// meshes have a faster walk of their own (tree/triangle_pairs.h). The poses are in range.
#pragma once

#include "carom/query/closest_point.h"
#include "carom/query/distance.h"
#include "carom/query/overlap.h"
#include "carom/query/ray_cast.h"
#include "carom/query/shape_cast.h"
#include "carom/query/span.h"

namespace [[gnu::visibility("default")]] carom {

[[nodiscard]] ShapeOverlap composite_overlap(const Shape& a, const Pose& pose_a, const Shape& b,
                                             const Pose& pose_b);
[[nodiscard]] Distance composite_distance(const Shape& a, const Pose& pose_a, const Shape& b,
                                          const Pose& pose_b, const DistanceOptions& options,
                                          PairCache* cache);
[[nodiscard]] SurfacePoint composite_closest_point(const Vec3& p, const Shape& shape,
                                                   const Pose& pose);
[[nodiscard]] RayHit composite_ray_cast(const Shape& shape, const Pose& pose, const Ray& ray,
                                        const RayCastOptions& options);
[[nodiscard]] ShapeCast composite_shape_cast(const Shape& a, const Pose& pose_a,
                                             const Vec3& translation, const Shape& b,
                                             const Pose& pose_b, const ShapeCastOptions& options);
[[nodiscard]] Span composite_span(const Shape& a, const Pose& pose_a, const Shape& b,
                                  const Pose& pose_b);

} // namespace carom
