// A mesh that is being cut by planes, part by part, so that nothing of it is lost to rounding. A piece of convex_decomposition.h.
#pragma once

#include "carom/geometry/plane.h"
#include "carom/math/vec3.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// A point that was rounded: `at`, and a box in which the true point lies. Points of the mesh are their own boxes.
struct CutPoint {
  Vec3 at, low, high;

  [[nodiscard]] bool exact() const { return low == high; }
};

/// A part: convex polygons at common points, each of them a piece of one triangle.
struct CutPart {
  std::vector<std::uint32_t> polygon_begin = {0}; ///< one more than polygons
  std::vector<std::uint32_t> corners;             ///< points
  std::vector<std::uint32_t> triangle;            ///< per polygon: which it is a piece of
  std::vector<std::uint32_t> inner; ///< points inside of the solid that belong to the part too

  [[nodiscard]] std::size_t polygon_count() const { return triangle.size(); }
  [[nodiscard]] std::span<const std::uint32_t> polygon(std::size_t i) const {
    return std::span(corners).subspan(polygon_begin[i], polygon_begin[i + 1] - polygon_begin[i]);
  }
};

/// The triangles of a mesh, and the points that cuts make.
///
/// Cutting. A polygon with corners on both sides of a plane is divided along the chord between two points of its border, and both halves get the
/// same two points. A rounded point stands for the true one, of which it is known in which box it lies; the true halves make up the true polygon. So each
/// polygon is within the hulls of the boxes of its halves, however the signs of its corners were rounded: nothing is lost.
class CutMesh {
public:
  /// Three indices of vertices a triangle.
  CutMesh(std::span<const Vec3> vertices, std::vector<std::uint32_t> triangles);

  [[nodiscard]] CutPart whole() const;
  /// What is below the plane, then what is above. Points within `band` of it are on it: a polygon that does not leave the band belongs to the side that it is the
  /// outside of, other polygons are not cut at such points, and may so reach beyond the plane by as much. `inner` is left to the caller.
  [[nodiscard]] std::array<CutPart, 2> cut(const CutPart& part, const Plane& plane);

  [[nodiscard]] std::uint32_t add(const CutPoint& point);
  [[nodiscard]] const CutPoint& point(std::uint32_t i) const { return points_[i]; }
  [[nodiscard]] std::size_t point_count() const { return points_.size(); }
  [[nodiscard]] std::span<const std::uint32_t> triangles() const { return triangles_; }
  /// Of a triangle of the mesh: of unit length, or zero where it has no area.
  [[nodiscard]] const Vec3& normal(std::uint32_t triangle) const { return normals_[triangle]; }
  [[nodiscard]] double band() const { return band_; }
  /// The greatest |coordinate|.
  [[nodiscard]] double size() const { return size_; }

  /// The points of a part, each once, in ascending order.
  [[nodiscard]] std::vector<std::uint32_t> points_of(const CutPart& part) const;
  /// The points whose hull contains the true part: the points themselves where exact, else the corners of their boxes.
  [[nodiscard]] std::vector<Vec3> hull_points(const CutPart& part) const;

private:
  std::vector<CutPoint> points_;
  std::vector<std::uint32_t> triangles_;
  std::vector<Vec3> normals_;
  double size_ = 0, band_ = 0;
};

/// The next coordinate that Carom takes, at or below x, or at or above: between 0 and 1e-30 there is none.
[[nodiscard]] double coordinate_below(double x);
[[nodiscard]] double coordinate_above(double x);

} // namespace carom
