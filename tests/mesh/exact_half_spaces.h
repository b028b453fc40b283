// The oracle of half_space_intersection_test.cpp: corners of an intersection of a few half-spaces by trying all triples, in rationals.
#pragma once

#include "carom/geometry/plane.h"

#include <gmpxx.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace carom::test {

using ExactPoint = std::array<mpq_class, 3>;

inline ExactPoint exact(const Vec3& v) { return {mpq_class(v.x), mpq_class(v.y), mpq_class(v.z)}; }
inline mpq_class exact_dot(const ExactPoint& a, const ExactPoint& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline ExactPoint exact_cross(const ExactPoint& a, const ExactPoint& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline ExactPoint exact_difference(const ExactPoint& a, const ExactPoint& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline bool is_zero(const ExactPoint& a) { return a[0] == 0 && a[1] == 0 && a[2] == 0; }

/// To the nearest double.
inline double rounded(const mpq_class& q) {
  const double inner = q.get_d(); // towards zero
  const double outer = std::nextafter(inner, q > 0 ? HUGE_VAL : -HUGE_VAL);
  return abs(q - mpq_class(inner)) <= abs(q - mpq_class(outer)) ? inner : outer;
}
inline Vec3 rounded(const ExactPoint& p) { return {rounded(p[0]), rounded(p[1]), rounded(p[2])}; }

struct ExactHalfSpace {
  ExactPoint normal;
  mpq_class offset;

  [[nodiscard]] mpq_class excess(const ExactPoint& p) const {
    return exact_dot(normal, p) - offset;
  }
};

struct ExactIntersection {
  enum class Kind { empty, unbounded, flat, solid } kind = Kind::empty;
  std::vector<ExactPoint> corners; // flat or solid; each once
};

inline std::vector<ExactPoint> exact_corners(std::span<const ExactHalfSpace> faces) {
  std::vector<ExactPoint> corners;
  for (std::size_t i = 0; i < faces.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const ExactPoint line = exact_cross(faces[i].normal, faces[j].normal);
      if (is_zero(line)) continue;
      for (std::size_t k = 0; k < j; ++k) {
        const mpq_class det = exact_dot(line, faces[k].normal);
        if (det == 0) continue;
        const ExactPoint jk = exact_cross(faces[j].normal, faces[k].normal);
        const ExactPoint ki = exact_cross(faces[k].normal, faces[i].normal);
        ExactPoint p;
        for (std::size_t c = 0; c < 3; ++c)
          p[c] =
              (faces[i].offset * jk[c] + faces[j].offset * ki[c] + faces[k].offset * line[c]) / det;
        const bool inside = std::all_of(faces.begin(), faces.end(),
                                        [&](const ExactHalfSpace& f) { return f.excess(p) <= 0; });
        if (inside && std::find(corners.begin(), corners.end(), p) == corners.end())
          corners.push_back(p);
      }
    }
  }
  return corners;
}

/// Whether there is a direction r != 0 with normal . r <= 0 for all: along the line of two planes, or on one of a few normals.
inline bool has_ray(std::span<const ExactHalfSpace> faces) {
  const auto is_ray = [&](const ExactPoint& r) {
    return !is_zero(r) && std::all_of(faces.begin(), faces.end(), [&](const ExactHalfSpace& f) {
      return exact_dot(f.normal, r) <= 0;
    });
  };
  const auto either = [&](const ExactPoint& r) {
    return is_ray(r) || is_ray({-r[0], -r[1], -r[2]});
  };
  // Where the normals span space, the rays' cone has an edge on two planes; where they do not, it contains a line, which is across them all.
  for (std::size_t i = 0; i < faces.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j)
      if (either(exact_cross(faces[i].normal, faces[j].normal))) return true;
    for (int axis = 0; axis < 3; ++axis)
      if (either(exact_cross(faces[i].normal, exact(unit_axis(axis))))) return true;
  }
  return faces.empty();
}

inline bool spans_space(const std::vector<ExactPoint>& points) {
  ExactPoint normal{};
  ExactPoint side{};
  for (const ExactPoint& p : points) {
    const ExactPoint d = exact_difference(p, points[0]);
    if (is_zero(side)) side = d;
    if (is_zero(normal)) normal = exact_cross(side, d);
    if (exact_dot(normal, d) != 0) return true;
  }
  return false;
}

/// Half-spaces with |offset| far below 1e6 times the determinants of their normals.
inline ExactIntersection exact_intersection(std::span<const HalfSpace> given) {
  std::vector<ExactHalfSpace> faces;
  for (const HalfSpace& f : given) faces.push_back({exact(f.normal), f.offset});
  ExactIntersection result;
  if (has_ray(faces)) {
    // It may have no corner, but within a great cube it has, unless it is empty.
    for (int k = 0; k < 6; ++k)
      faces.push_back({exact(unit_axis(k / 2) * (k % 2 == 0 ? 1.0 : -1.0)), mpq_class(0x1p300)});
    if (!exact_corners(faces).empty()) result.kind = ExactIntersection::Kind::unbounded;
    return result;
  }
  result.corners = exact_corners(faces);
  if (result.corners.empty()) return result;
  result.kind =
      spans_space(result.corners) ? ExactIntersection::Kind::solid : ExactIntersection::Kind::flat;
  return result;
}

} // namespace carom::test
