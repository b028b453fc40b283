// Convex polygons whose corners are meeting points of planes, and never anything else: cut as often as one likes, every sign is exact. A piece of exact_pieces.h.
//
// (Bernstein and Fussell 2009, after Sugihara and Iri.) A plane is given by doubles, and its equation kept as expansions. A corner is where three planes meet; on which side
// of a fourth it is, is the sign of a determinant of degree 9 in the coordinates. Cutting makes no new planes, so that nothing grows from cut to cut.
#pragma once

#include "carom/math/expansion.h"
#include "carom/math/vec3.h"

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// normal . x = offset, exactly. Coordinates are below 2 in magnitude and multiples of 2^-119: then no determinant underflows.
struct ExactPlane {
  using Number = Expansion<expansion::max_terms>;

  std::array<Number, 3> normal;
  Number offset;
  Vec3 near_normal; ///< rounded, each component to 2^-51 of itself
  double near_offset = 0;

  [[nodiscard]] static ExactPlane through(const Vec3& a, const Vec3& b, const Vec3& c);
  /// Through a and b, and along a coordinate axis.
  [[nodiscard]] static ExactPlane along_axis(const Vec3& a, const Vec3& b, int axis);
  /// Where the coordinate is `at`.
  [[nodiscard]] static ExactPlane across_axis(int axis, double at);
};

/// The sign of normal . p - offset.
[[nodiscard]] int side_of(const ExactPlane& plane, const Vec3& p);

/// The meeting point of three planes.
struct PlaneCorner {
  std::array<std::uint32_t, 3> plane{};
  static constexpr std::uint32_t none = 0xffffffff;
  std::uint32_t vertex = none; ///< where it is a vertex of the mesh: which
};

/// The side from corner i to the next lies in plane side[i].
struct PlanePolygon {
  std::uint32_t plane = 0;
  std::vector<PlaneCorner> corners;
  std::vector<std::uint32_t> side;
};

/// Planes, and the vertices of the mesh, by number.
class PlaneArrangement {
public:
  std::vector<ExactPlane> planes;
  std::vector<Vec3> vertices;

  /// The sign of a plane's normal . x - offset at a corner. The three planes of the corner meet in one point.
  [[nodiscard]] int side(std::uint32_t plane, const PlaneCorner& corner) const;
  /// The corner as doubles: each coordinate is the one nearest to the true one, or next to that; the true one where it is a double.
  [[nodiscard]] Vec3 position(const PlaneCorner& corner) const;

  /// The corners' signs; -1, 1, or 2 where there are both. 0: all are in the plane.
  [[nodiscard]] int classify(const PlanePolygon& polygon, std::uint32_t plane,
                             std::vector<int>& signs) const;
  /// What is on the side `keep` (-1 or 1) of a plane, with the signs of classify(); there are both.
  [[nodiscard]] PlanePolygon clipped(const PlanePolygon& polygon, std::uint32_t plane, int keep,
                                     std::span<const int> signs) const;

private:
  /// Signs that took exact arithmetic, by the planes of the corner in ascending order and the plane: the same are asked for again and again.
  mutable std::map<std::array<std::uint32_t, 4>, int> exact_sides_;
};

} // namespace carom
