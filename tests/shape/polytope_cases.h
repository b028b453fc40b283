// Points whose hulls are hard for a search of the farthest vertex, and directions that are hard on them.
#pragma once

#include "carom/mesh/convex_hull.h"
#include "tests/support/generate.h"

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace carom::test {

inline Vec3 on_sphere(Source& source) {
  return normalized_or(Vec3{source.uniform(-1, 1), source.uniform(-1, 1), source.uniform(-1, 1)},
                       {0, 0, 1});
}

inline std::vector<Vec3> sphere_points(Source& source, int n) {
  std::vector<Vec3> points;
  for (int i = 0; i < n; ++i) points.push_back(on_sphere(source));
  return points;
}

/// A prism over a regular polygon: caps with many vertices on a level.
inline std::vector<Vec3> prism_points(int n, double height) {
  std::vector<Vec3> points;
  for (int i = 0; i < n; ++i) {
    const double a = 6.283185307179586 * i / n;
    points.push_back({std::cos(a), std::sin(a), height});
    points.push_back({std::cos(a), std::sin(a), -height});
  }
  return points;
}

/// All points of the lattice at squared distance r2 from the origin: exactly on a sphere, with many exact ties.
inline std::vector<Vec3> lattice_sphere_points(int r2) {
  std::vector<Vec3> points;
  const int r = static_cast<int>(std::sqrt(r2)) + 1;
  for (int x = -r; x <= r; ++x)
    for (int y = -r; y <= r; ++y)
      for (int z = -r; z <= r; ++z)
        if (x * x + y * y + z * z == r2)
          points.push_back(
              {static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)});
  return points;
}

/// Most points on a small piece of the unit sphere, some of them within rounding of each other's planes; a few elsewhere.
inline std::vector<Vec3> cluster_points(Source& source, int n) {
  const Vec3 out = on_sphere(source);
  const double r = std::ldexp(1.0, -source.index(40));
  std::vector<Vec3> points = sphere_points(source, 4 + source.index(20));
  for (int i = 0; i < n; ++i) points.push_back(normalized(out + on_sphere(source) * r));
  return points;
}

constexpr int point_kinds = 12;

/// Some n points or more, of the given kind.
inline std::vector<Vec3> points_of_kind(Source& source, int kind, int n) {
  std::vector<Vec3> points = sphere_points(source, n);
  const Mat3 turn = to_matrix(rotation(source));
  switch (kind) {
  case 0:
    break;
  case 1: // a box, with all sorts of points in it
    for (int i = 0; i < 8; ++i)
      points.push_back({i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0});
    break;
  case 2: // a grid, whose faces merge
    points.clear();
    for (int i = 0; i < 125; ++i) points.push_back({i % 5 * 1.0, i / 5 % 5 * 1.0, i / 25 * 1.0});
    break;
  case 3: // flat
    for (Vec3& p : points) p = turn * normalized_or(Vec3{p.x, p.y, 0}, {1, 0, 0});
    break;
  case 4: // a segment
    for (Vec3& p : points) p = Vec3{1, 2, 3} * std::floor(p.x * 16);
    break;
  case 5: // a point
    points.assign(points.size(), Vec3{0.5, -2, 1});
    break;
  case 6: // a needle or a plate, tilted
    for (Vec3& p : points) p = turn * mul(p, {1, source.chance(2) ? 1e-6 : 1, 1e-9});
    break;
  case 7:
    points = cluster_points(source, n);
    break;
  case 8:
    points = prism_points(3 + n / 2, positive(source));
    for (Vec3& p : points) p = turn * p;
    break;
  case 9:
    points = lattice_sphere_points(n > 500 ? 3 * 7 * 11 * 13 : 41);
    break;
  case 10: // two shallow caps of a great sphere: faces nearly on a level
    for (Vec3& p : points) {
      const double s = std::ldexp(1.0, -10 - source.index(12));
      const double x = p.x * s, y = p.y * s;
      p = {x, y, (p.z > 0 ? -1 : 1) * (x * x + y * y)};
    }
    break;
  default: // random ones inside too
    for (Vec3& p : points) p = p * source.unit();
  }
  return points;
}

/// At any scale, sometimes far from the origin.
inline std::vector<Vec3> any_points(Source& source, int n) {
  const int kind = source.index(point_kinds);
  std::vector<Vec3> points = points_of_kind(source, kind, n);
  const double s = scale(source);
  const Vec3 o = offset(source);
  for (Vec3& p : points) {
    p = (p + o) * s;
    for (int i = 0; i < 3; ++i)
      if (std::fabs(p[i]) < 1e-30) p[i] = 0;
  }
  return points;
}

/// Of length 2^low to 2^high.
inline Vec3 any_length(Source& source, int low, int high) {
  const double length = std::ldexp(1.0, low + source.index(high - low));
  return on_sphere(source) * length;
}

/// Finite, and within what squares can be taken of.
inline Vec3 ordinary_direction(Source& source, std::span<const Vec3> points) {
  const auto any = [&]() -> const Vec3& {
    return points[static_cast<std::size_t>(source.below(points.size()))];
  };
  const double tiny = std::ldexp(1.0, -20 - source.index(36));
  switch (source.index(7)) {
  case 0:
    return direction(source);
  case 1: // at right angles to an edge, or a diagonal
  {
    const Vec3 a = any(), b = any();
    return normalized(cross(b - a, on_sphere(source)));
  }
  case 2: // nearly the normal of a face, or of another plane through three points
  {
    const Vec3 a = any(), b = any(), c = any();
    return normalized(normalized(cross(b - a, c - a)) + on_sphere(source) * tiny);
  }
  case 3: // on or next to a border between cells
  {
    const double part = std::ldexp(1.0, -source.index(30));
    Vec3 d{1, std::floor(source.uniform(-1, 1) / part) * part,
           std::floor(source.uniform(-1, 1) / part) * part};
    if (source.chance(2)) d.y = std::nextafter(d.y, source.chance(2) ? 2 : -2);
    if (source.chance(2)) d.z = std::nextafter(d.z, source.chance(2) ? 2 : -2);
    if (source.chance(2)) d = -d;
    const int turn = source.index(3);
    return turn == 0 ? d : turn == 1 ? Vec3{d.y, d.z, d.x} : Vec3{d.z, d.x, d.y};
  }
  case 4: // toward a point
    return any();
  case 5: // nearly along an axis
  {
    const Vec3 axis = unit_axis(source.index(3));
    return axis + on_sphere(source) * tiny;
  }
  default:
    return any_length(source, -200, 200);
  }
}

/// Any at all.
inline Vec3 any_direction(Source& source, std::span<const Vec3> points) {
  static constexpr double odd[] = {0, -0.0, 1e-310, -4e-324, 1e300, -1.7e308, INFINITY, NAN, 1};
  if (!source.chance(8)) return ordinary_direction(source, points);
  switch (source.index(3)) {
  case 0:
    return {odd[source.index(9)], odd[source.index(9)], odd[source.index(9)]};
  case 1:
    return any_length(source, 850, 1023);
  default:
    return any_length(source, -1070, -850);
  }
}

/// What every search is measured against.
inline std::uint32_t scan(std::span<const Vec3> points, const Vec3& d) {
  std::uint32_t best = 0;
  double top = -INFINITY;
  if (!is_finite(d)) return 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double height = d.x * points[i].x + d.y * points[i].y + d.z * points[i].z;
    if (height > top) {
      top = height;
      best = static_cast<std::uint32_t>(i);
    }
  }
  return best;
}

} // namespace carom::test
