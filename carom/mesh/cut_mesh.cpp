#include "carom/mesh/cut_mesh.h"

#include "carom/math/interval.h"
#include "carom/math/tolerance.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace carom {
namespace {

/// The axis of a plane that is exactly at right angles to it; 3 where there is none.
int axis_of(const Plane& plane) {
  for (int k = 0; k < 3; ++k) {
    const Vec3 rest = plane.normal - unit_axis(k) * plane.normal[k];
    if (rest == Vec3{} && std::fabs(plane.normal[k]) == 1) return k;
  }
  return 3;
}

/// Where the side from a to b meets the plane, with its box.
///
/// Let t be the quotient of distances as it was rounded. The point (1 - t) a + t b of the true side is as good as any: only that both halves have it matters.
/// Its distance from the same combination of the rounded ends is at most the greater half width of their boxes, and evaluating costs three roundings. At right
/// angles to an axis, t is taken as the real number that gives the plane's own coordinate; t as rounded is then off by three roundings relative to itself,
/// two of the distances and one of the quotient.
CutPoint crossing(const CutPoint& a, const CutPoint& b, double from_a, double from_b,
                  const Plane& plane, int axis) {
  const double t = from_a / (from_a - from_b);
  CutPoint c;
  for (int k = 0; k < 3; ++k) {
    const double low = std::fmin(a.low[k], b.low[k]);
    const double high = std::fmax(a.high[k], b.high[k]);
    const double width = std::fmax(std::fmax(a.high[k] - a.at[k], a.at[k] - a.low[k]),
                                   std::fmax(b.high[k] - b.at[k], b.at[k] - b.low[k]));
    const double rounding =
        8 * tolerance::epsilon * std::fmax(std::fabs(a.at[k]), std::fabs(b.at[k]));
    double at = a.at[k] + t * (b.at[k] - a.at[k]);
    double reach = 0;
    if (k == axis && width == 0) {
      at = plane.offset * plane.normal[k];
    } else {
      reach = width > 0 || a.at[k] != b.at[k] ? width + rounding : 0;
    }
    at = std::fmin(std::fmax(at, low), high);
    c.at[k] = at;
    c.low[k] = std::fmax(coordinate_below(next_down(at - reach)), low);
    c.high[k] = std::fmin(coordinate_above(next_up(at + reach)), high);
    if (reach == 0) c.low[k] = c.high[k] = at;
  }
  // The middle, too, is a coordinate that Carom takes.
  for (int k = 0; k < 3; ++k) c.at[k] = std::fmax(coordinate_below(c.at[k]), c.low[k]);
  return c;
}

/// One side's polygons as they are put together.
void add_polygon(CutPart& part, std::span<const std::uint32_t> corners, std::uint32_t triangle) {
  part.corners.insert(part.corners.end(), corners.begin(), corners.end());
  part.polygon_begin.push_back(static_cast<std::uint32_t>(part.corners.size()));
  part.triangle.push_back(triangle);
}

} // namespace

double coordinate_below(double x) {
  if (tolerance::is_coordinate(x)) return x;
  if (x > 0 && x < tolerance::coordinate_min) return 0;
  if (x < 0 && x > -tolerance::coordinate_min) return -tolerance::coordinate_min;
  return x;
}
double coordinate_above(double x) { return -coordinate_below(-x); }

CutMesh::CutMesh(std::span<const Vec3> vertices, std::vector<std::uint32_t> triangles)
    : triangles_(std::move(triangles)) {
  points_.reserve(vertices.size());
  for (const Vec3& v : vertices) points_.push_back({v, v, v});
  for (const std::uint32_t i : triangles_) size_ = std::fmax(size_, max_abs(points_[i].at));
  // Distances from planes are rounded by 4 epsilon of the size at most; a mesh that was rotated in doubles has corners off the planes of its faces by about as
  // much. A thousand times that is still nothing to look at.
  band_ = 0x1p-42 * size_;
  normals_.reserve(triangles_.size() / 3);
  for (std::size_t i = 0; i + 2 < triangles_.size(); i += 3) {
    const Vec3& a = points_[triangles_[i]].at;
    normals_.push_back(normalized_or(
        cross(points_[triangles_[i + 1]].at - a, points_[triangles_[i + 2]].at - a), {}));
  }
}

CutPart CutMesh::whole() const {
  CutPart part;
  part.corners = triangles_;
  part.polygon_begin.resize(triangles_.size() / 3 + 1);
  part.triangle.resize(triangles_.size() / 3);
  for (std::uint32_t t = 0; t < part.triangle.size(); ++t) {
    part.polygon_begin[t + 1] = 3 * t + 3;
    part.triangle[t] = t;
  }
  return part;
}

std::uint32_t CutMesh::add(const CutPoint& point) {
  points_.push_back(point);
  return static_cast<std::uint32_t>(points_.size() - 1);
}

std::array<CutPart, 2> CutMesh::cut(const CutPart& part, const Plane& plane) {
  std::array<CutPart, 2> sides;
  const int axis = axis_of(plane);
  // Neighbours share the points on their common sides.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> made;
  const auto distance_of = [&](std::uint32_t i) {
    const double d = plane.signed_distance(points_[i].at);
    return std::fabs(d) <= band_ ? 0 : d;
  };
  const auto crossing_of = [&](std::uint32_t a, std::uint32_t b, double from_a, double from_b) {
    if (a > b) {
      std::swap(a, b);
      std::swap(from_a, from_b);
    }
    const auto found = made.find({a, b});
    if (found != made.end()) return found->second;
    const std::uint32_t c = add(crossing(points_[a], points_[b], from_a, from_b, plane, axis));
    made[{a, b}] = c;
    return c;
  };

  std::vector<double> distance;
  std::array<std::vector<std::uint32_t>, 2> half;
  for (std::size_t p = 0; p < part.polygon_count(); ++p) {
    const auto corners = part.polygon(p);
    const std::uint32_t triangle = part.triangle[p];
    distance.clear();
    bool below = false;
    bool above = false;
    for (const std::uint32_t c : corners) {
      const double d = distance_of(c);
      distance.push_back(d);
      below = below || d < 0;
      above = above || d > 0;
    }
    if (!below || !above) {
      const bool up = above || (!below && dot(normals_[triangle], plane.normal) < 0);
      add_polygon(sides[up ? 1 : 0], corners, triangle);
      continue;
    }
    half[0].clear();
    half[1].clear();
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const std::size_t j = i + 1 == corners.size() ? 0 : i + 1;
      if (distance[i] <= 0) half[0].push_back(corners[i]);
      if (distance[i] >= 0) half[1].push_back(corners[i]);
      if (distance[i] * distance[j] < 0) {
        const std::uint32_t c = crossing_of(corners[i], corners[j], distance[i], distance[j]);
        half[0].push_back(c);
        half[1].push_back(c);
      }
    }
    // A polygon whose corners were rounded may seem to cross more than twice. Still both halves have all points where the sign changes, and with the corners between
    // two of them their hulls cover the polygon.
    for (std::size_t side = 0; side < 2; ++side) add_polygon(sides[side], half[side], triangle);
  }
  return sides;
}

std::vector<std::uint32_t> CutMesh::points_of(const CutPart& part) const {
  std::vector<std::uint32_t> used = part.corners;
  used.insert(used.end(), part.inner.begin(), part.inner.end());
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  return used;
}

std::vector<Vec3> CutMesh::hull_points(const CutPart& part) const {
  std::vector<Vec3> out;
  for (const std::uint32_t i : points_of(part)) {
    const CutPoint& p = points_[i];
    if (p.exact()) {
      out.push_back(p.at);
      continue;
    }
    for (int corner = 0; corner < 8; ++corner) {
      bool again = false;
      Vec3 v;
      for (int k = 0; k < 3; ++k) {
        const bool high = (corner >> k & 1) != 0;
        again = again || (high && p.low[k] == p.high[k]);
        v[k] = high ? p.high[k] : p.low[k];
      }
      if (!again) out.push_back(v);
    }
  }
  return out;
}

} // namespace carom
