// How points, a surface or a solid spread about their mean: the moments whose eigenvectors (math/eigen3.h) are the principal axes.
#pragma once

#include "carom/math/mat3.h"

#include <array>
#include <cstdint>
#include <span>

namespace [[gnu::visibility("default")]] carom {

/// A triangle as the indices of its corners among some points. Triangles with an index out of range are passed over.
using IndexTriple = std::array<std::uint32_t, 3>;

/// The mean, and the mean of (x - mean) (x - mean)^T. `weight` is what the mean is taken over: the number of points, the area, or the
/// volume. Weight 0 (nothing there, or nothing finite): both zero.
struct Covariance {
  Vec3 mean;
  Mat3 covariance = Mat3::zero();
  double weight = 0;
};

/// Every point counts the same: axes are drawn to where there are many.
[[nodiscard]] Covariance point_covariance(std::span<const Vec3> points);
/// Every piece of the triangles' surface counts by its area, so the way it is cut into triangles does not matter. Given the triangles of
/// a convex hull, points inside do not matter either.
[[nodiscard]] Covariance surface_covariance(std::span<const Vec3> points,
                                            std::span<const IndexTriple> triangles);
/// Every piece of the solid inside a closed mesh counts by its volume. The triangles run counter-clockwise seen from outside, or all
/// of them clockwise. Where the mesh is not closed the result means little; where it encloses no volume (less than 1e-12 of its
/// size cubed) the weight is 0.
[[nodiscard]] Covariance solid_covariance(std::span<const Vec3> points,
                                          std::span<const IndexTriple> triangles);

} // namespace carom
