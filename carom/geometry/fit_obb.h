// Boxes along their own axes around points.
//
// Every box here encloses its points: |axes_i . (p - center)| <= half_i in exact arithmetic, for each of its three axes as they are in
// doubles. (Those are orthonormal to 32 epsilon only; so a point may be outside of center + axes * s, |s| <= half, by that much of the
// size.) The halves are rounded up, by a few last bits. No points: halves of -1. Points that are not finite: some box.
//
// Which axes? Those of the spread (principal axes) are quick and can be bad: of the *points*, a crowd of points turns the box; of the
// *surface*, the triangulation does not matter; of the *surface of the hull*, what is inside does not matter; of the *solid*, nor does detail of the
// surface. All three axes may be taken from there, or only the one of least or of greatest spread, with the least rectangle in the
// plane at right angles to it. No such box is surely near the least one: a search over directions is.
#pragma once

#include "carom/geometry/box.h"
#include "carom/geometry/covariance.h"

#include <span>

namespace [[gnu::visibility("default")]] carom {

/// What is taken from the principal axes.
enum class PrincipalAxes {
  all,      ///< the three of them
  least,    ///< the one of least spread; the others by the rectangle of least area
  greatest, ///< the one of greatest spread; the others by the rectangle of least area
};

/// The least box with these axes. Its columns are orthonormal.
[[nodiscard]] Obb fit_obb(std::span<const Vec3> points, const Mat3& axes);
/// The least box with one given axis (a unit vector): in the plane at right angles, the rectangle of least area. O(n log n).
[[nodiscard]] Obb fit_obb_about(std::span<const Vec3> points, const Vec3& axis);
/// By principal axes. `spread` is that of the points, their surface or their solid (covariance.h); of weight 0, the coordinate axes serve.
[[nodiscard]] Obb fit_obb(std::span<const Vec3> points, const Covariance& spread,
                          PrincipalAxes choice = PrincipalAxes::all);

/// The box made smaller by turning it about one of its axes at a time, each time to the rectangle of least area, until a round
/// gains less than a millionth (at most 64 rounds). Never larger than the least box with the axes it begins with. A local optimum: no turn about
/// one axis alone makes it smaller.
[[nodiscard]] Obb refine_obb(std::span<const Vec3> points, const Mat3& axes);

/// By brute force: an axis in each of the directions of a grid over half a sphere, with the rectangle of least area about it. The grid has
/// 3 steps^2 directions, so none is farther than 1.5 / steps radians from one of them. The best is
/// refined, and polished by tilting it by less and less, down to 1e-5 radians (at most 256 rounds).
[[nodiscard]] Obb search_obb(std::span<const Vec3> points, int steps = 8);

/// The least of: the coordinate axes; the principal axes of the points and, where triangles are given, of the surface and of the solid, each
/// with all three choices. The best is refined. Without search: a local
/// optimum. The most it was above search_obb on a mesh of docs/bounding-volumes.md is 17 per cent.
[[nodiscard]] Obb best_obb(std::span<const Vec3> points,
                           std::span<const IndexTriple> triangles = {});

} // namespace carom
