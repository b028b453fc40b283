// Rays against a height field.
//
// Whether a ray meets a triangle is decided exactly on the vertices (geometry/cast_flat.h), so nothing slips through between cells. All answers are those of asking
// every triangle that is no hole, to the bit. The types are those of rays against trees (triangle_rays.h).
//
// A ray may start anywhere and go anywhere: straight down, along the lines of the grid, in the plane of a flat field, from 1e20 away. A zero direction makes it a point. Rays with
// numbers that are not finite, or beyond 8e30, meet nothing: those in range, seen from a frame in range, are not.
#pragma once

#include "carom/shape/height_field.h"
#include "carom/tree/function_ref.h"
#include "carom/tree/triangle_rays.h"

namespace [[gnu::visibility("default")]] carom {

/// The first one met. Of those met at the same t (the ray goes through an edge) the one of the lowest number.
[[nodiscard]] RayTriangle first_hit(const HeightField& field, const TriangleRay& ray);
/// Whether any is met.
[[nodiscard]] bool any_hit(const HeightField& field, const TriangleRay& ray);
/// Calls `found` for each triangle met, in no order that means anything, always the same. It may return false to end the search.
void all_hits(const HeightField& field, const TriangleRay& ray,
              FunctionRef<bool(const RayTriangle&)> found);

} // namespace carom
