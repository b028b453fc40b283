// All sums are taken about the first point, so that a set far from the origin loses no digits.
//
// Second moments by the vertices of a simplex: over a triangle a, b, c of area A the integral of x x^T is
// A/12 (a a^T + b b^T + c c^T + s s^T) with s = a + b + c; over the tetrahedron 0, a, b, c of volume V it is V/20 times the same bracket.
#include "carom/geometry/covariance.h"

#include <cmath>

namespace carom {
namespace {

bool in_range(const IndexTriple& t, std::size_t n) { return t[0] < n && t[1] < n && t[2] < n; }

/// Sums of weight, weight * x and weight * x x^T, about an origin.
struct Moments {
  double weight = 0;
  Vec3 first;
  Mat3 second = Mat3::zero();

  [[nodiscard]] Covariance about(const Vec3& origin) const {
    if (!(std::fabs(weight) > 0) || !std::isfinite(weight)) return {};
    const Vec3 mean = first / weight;
    return {origin + mean, second * (1 / weight) - outer(mean, mean), std::fabs(weight)};
  }
};

/// a a^T + b b^T + c c^T + s s^T.
Mat3 bracket(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 s = a + b + c;
  return outer(a, a) + outer(b, b) + outer(c, c) + outer(s, s);
}

} // namespace

Covariance point_covariance(std::span<const Vec3> points) {
  Moments m;
  for (const Vec3& p : points) {
    const Vec3 x = p - points[0];
    m.weight += 1;
    m.first += x;
    m.second = m.second + outer(x, x);
  }
  return points.empty() ? Covariance{} : m.about(points[0]);
}

Covariance surface_covariance(std::span<const Vec3> points,
                              std::span<const IndexTriple> triangles) {
  Moments m;
  for (const IndexTriple& t : triangles) {
    if (!in_range(t, points.size())) continue;
    const Vec3 a = points[t[0]] - points[0];
    const Vec3 b = points[t[1]] - points[0];
    const Vec3 c = points[t[2]] - points[0];
    const double area = length(cross(b - a, c - a)) / 2;
    m.weight += area;
    m.first += (a + b + c) * (area / 3);
    m.second = m.second + bracket(a, b, c) * (area / 12);
  }
  return points.empty() ? Covariance{} : m.about(points[0]);
}

Covariance solid_covariance(std::span<const Vec3> points, std::span<const IndexTriple> triangles) {
  Moments m;
  double size = 0;
  for (const IndexTriple& t : triangles) {
    if (!in_range(t, points.size())) continue;
    const Vec3 a = points[t[0]] - points[0];
    const Vec3 b = points[t[1]] - points[0];
    const Vec3 c = points[t[2]] - points[0];
    const double volume = triple(a, b, c) / 6;
    const double reach = max_abs(a);
    size = reach > size ? reach : size;
    m.weight += volume;
    m.first += (a + b + c) * (volume / 4);
    m.second = m.second + bracket(a, b, c) * (volume / 20);
  }
  // What is left after cancellation of a mesh that encloses nothing says nothing.
  if (!(std::fabs(m.weight) > 1e-12 * (size * size * size))) return {};
  return m.about(points[0]);
}

} // namespace carom
