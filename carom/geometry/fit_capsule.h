// Capsules and lozenges around points, and around balls (so that they can be merged).
//
// Every one here encloses in exact arithmetic: the radius is an upper bound of the distance of each point from the core, rounded up. The core may
// come out as a point or a segment. No points: radius -1. Points that are not finite: some capsule.
//
// Not the least ones. A capsule is tight along the axis tried: no end can be drawn in alone, nor the radius.
#pragma once

#include "carom/geometry/swept_sphere.h"
#include "carom/math/mat3.h"

#include <span>

namespace [[gnu::visibility("default")]] carom {

/// With its core along `axis` (a unit vector): about the least circle around the points seen along the axis, and as short as can be.
[[nodiscard]] Capsule fit_capsule_along(std::span<const Vec3> points, const Vec3& axis);
/// The least by volume along the three principal axes; or the least ball, as a capsule of no length, where that is smaller.
[[nodiscard]] Capsule fit_capsule(std::span<const Vec3> points);
/// Around balls, along `axis`: about the line that is the axis of the least circle around the centres seen along it.
[[nodiscard]] Capsule fit_capsule_along(std::span<const Sphere> balls, const Vec3& axis);
/// Around balls, with this core prolonged or shortened along its own line (of direction x where it is a point), as thick as needed.
[[nodiscard]] Capsule fit_capsule_on(std::span<const Sphere> balls, const Segment& core);

/// With its core at right angles to axes.z, its sides along axes.x and axes.y (orthonormal): as thick as the points are along axes.z.
[[nodiscard]] Lozenge fit_lozenge_along(std::span<const Vec3> points, const Mat3& axes);
/// The least by volume of the three with principal axes as sides.
[[nodiscard]] Lozenge fit_lozenge(std::span<const Vec3> points);
/// Around balls.
[[nodiscard]] Lozenge fit_lozenge_along(std::span<const Sphere> balls, const Mat3& axes);

} // namespace carom
