// Each two planes that are not parallel meet in a line; the other slabs cut a piece out of it, or nothing. The pieces are the edges, their
// ends the corners.
//
// The directions have components -1, 0 and 1, so products of them are exact, and planes that are not parallel meet at large angles:
// every line and every end is known to a few roundings. A piece that is empty by no more than rounding counts as a point: so corners where
// many planes meet, and flat k-DOPs, are found. A line that a third plane contains but for rounding may be lost without harm: by the theorem of
// Sylvester and Gallai, of three and more directions that are not all in one plane some two are alone in theirs. So every corner lies on
// a line of two of its planes that no third of them contains.
#include "carom/geometry/kdop_vertices.h"

#include "carom/geometry/support.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

struct Slabs {
  std::span<const Vec3> directions;
  std::span<const double> min, max;
  double slack = 0; ///< rounding, in the units of min and max
};

/// The piece t0 <= t <= t1 of a line.
struct Piece {
  double t0 = -INFINITY, t1 = INFINITY;
};

/// What all slabs but i and j leave of the line; t0 > t1 where that is nothing.
Piece cut(const Slabs& s, const Vec3& origin, const Vec3& direction, std::size_t i, std::size_t j) {
  Piece piece;
  for (std::size_t k = 0; k < s.directions.size(); ++k) {
    if (k == i || k == j) continue;
    const double rate = dot(s.directions[k], direction); // a small integer, exactly
    const double at = dot(s.directions[k], origin);
    if (rate == 0) {
      if (at < s.min[k] || at > s.max[k]) return {1, -1};
      continue;
    }
    const double u = (s.min[k] - at) / rate;
    const double v = (s.max[k] - at) / rate;
    piece.t0 = std::max(piece.t0, std::min(u, v));
    piece.t1 = std::min(piece.t1, std::max(u, v));
    if (piece.t0 > piece.t1 + s.slack) return {1, -1};
  }
  if (piece.t0 > piece.t1) piece.t0 = piece.t1 = (piece.t0 + piece.t1) * 0.5;
  return piece;
}

class Collector {
public:
  Collector(std::span<Vec3> points, double slack) : points_(points), slack_(slack) {}

  void add(const Vec3& p) {
    for (std::size_t i = 0; i < count_; ++i) {
      if (max_abs(points_[i] - p) <= slack_) return;
    }
    if (count_ < points_.size()) points_[count_++] = p;
  }
  [[nodiscard]] int count() const { return static_cast<int>(count_); }

private:
  std::span<Vec3> points_;
  double slack_;
  std::size_t count_ = 0;
};

} // namespace

int kdop_vertices(std::span<const Vec3> directions, std::span<const double> min,
                  std::span<const double> max, std::span<Vec3> points) {
  double size = 0;
  for (std::size_t k = 0; k < directions.size(); ++k) {
    if (!(min[k] <= max[k] && std::isfinite(min[k]) && std::isfinite(max[k]))) return 0;
    size = std::max({size, std::fabs(min[k]), std::fabs(max[k])});
  }
  const Slabs slabs{directions, min, max, 16 * 0x1p-52 * size};
  Collector corners(points, slabs.slack);
  for (std::size_t i = 0; i < directions.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Vec3 along = cross(directions[i], directions[j]);
      // x = a from_i + b from_j + t along has direction_i . x = a and direction_j . x = b.
      const Vec3 from_i = cross(directions[j], along) / length_squared(along);
      const Vec3 from_j = cross(along, directions[i]) / length_squared(along);
      for (int side = 0; side < 4; ++side) {
        const Vec3 origin =
            from_i * (side & 1 ? max[i] : min[i]) + from_j * (side & 2 ? max[j] : min[j]);
        const Piece piece = cut(slabs, origin, along, i, j);
        if (piece.t0 > piece.t1) continue;
        corners.add(origin + along * piece.t0);
        corners.add(origin + along * piece.t1);
      }
    }
  }
  return corners.count();
}

Vec3 farthest_vertex(std::span<const Vec3> points, const Vec3& d) {
  return support_point(points, d);
}

} // namespace carom
