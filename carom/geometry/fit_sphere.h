// Balls around points, from quick to least.
//
// Every ball here encloses its points in exact arithmetic: the radius is rounded up from the farthest point. No points give
// radius -1, which contains nothing. Points that are not finite give some ball.
//
// How loose, as radius over the least radius, measured (docs/bounding-volumes.md, and random clouds), not proved: Ritter's 1.0 to 1.25, by
// principal axis much the same, iterated up to 1.05; least: 1, proved each time (minimum_sphere.h).
#pragma once

#include "carom/geometry/box.h"
#include "carom/geometry/minimum_sphere.h"
#include "carom/geometry/swept_sphere.h"

#include <span>

namespace [[gnu::visibility("default")]] carom {

/// Ritter's: the ball over the two points farthest apart among those extreme along the coordinate axes, then grown by each point that
/// is outside, to the least ball around itself and the point.
[[nodiscard]] Sphere ritter_sphere(std::span<const Vec3> points);

/// The same from the two points extreme along the principal axis of greatest spread.
[[nodiscard]] Sphere principal_axis_sphere(std::span<const Vec3> points);

/// Ritter's, then `rounds` times: shrink the best ball by 5 per cent, grow it again over the points in another order, keep it if smaller.
/// Never worse than Ritter's. The orders are fixed by their number, so the result is too.
[[nodiscard]] Sphere iterated_ritter_sphere(std::span<const Vec3> points, int rounds = 8);

/// Around the box, of the same centre up to rounding: its corners touch. The empty box gives radius -1.
[[nodiscard]] Sphere fit_sphere(const Aabb& box);

} // namespace carom
