// Tetrahedra from vertex 0 to the triangles of all faces: their volumes are positive, and their determinants are computed with twice the digits
// from exact differences, so thin solids and those far from the origin come out as well as others.
#include "carom/geometry/triangle_normal.h"
#include "carom/math/double_double.h"
#include "carom/math/tolerance.h"
#include "carom/mesh/rounded_hull.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace carom {
namespace {

DoubleDouble exact_difference(double a, double b) {
  const TwoDoubles d = two_diff(a, b);
  return {d.value, d.error};
}

/// (a - o) . ((b - o) x (c - o)): six times the volume of the tetrahedron.
DoubleDouble wide_triple(const Vec3& o, const Vec3& a, const Vec3& b, const Vec3& c) {
  const auto u = [&](int i) { return exact_difference(a[i], o[i]); };
  const auto v = [&](int i) { return exact_difference(b[i], o[i]); };
  const auto w = [&](int i) { return exact_difference(c[i], o[i]); };
  const auto minor = [&](int i, int j) { return v(i) * w(j) + -(v(j) * w(i)); };
  return u(0) * minor(1, 2) + (u(1) * minor(2, 0) + u(2) * minor(0, 1));
}

Moments tetrahedron(const Vec3& a, const Vec3& b, const Vec3& c, double volume) {
  const Vec3 centroid = (a + b + c) * 0.25;
  Mat3 second = outer(centroid, centroid);
  for (const Vec3& p : {a, b, c}) second = second + outer(p - centroid, p - centroid);
  return {volume, centroid, second * (volume / 20)};
}

/// The centroid is given from vertex 0.
BoundedMoments solid_moments(const ConvexHull& hull) {
  const Vec3 origin = hull.vertices[0];
  Moments sum;
  DoubleDouble six_volumes;
  double size = 0;
  for (std::size_t f = 0; f < hull.face_count(); ++f) {
    const auto corners = hull.corners(f);
    const Vec3 a = hull.vertices[corners[0]];
    for (std::size_t i = 2; i < corners.size(); ++i) {
      const Vec3 b = hull.vertices[corners[i - 1]];
      const Vec3 c = hull.vertices[corners[i]];
      const DoubleDouble six = wide_triple(origin, a, b, c);
      if (sign(six) <= 0) continue; // a face around vertex 0
      six_volumes = six_volumes + six;
      sum = sum + tetrahedron(a - origin, b - origin, c - origin, six.high / 6);
      size = std::max({size, max_abs(a - origin), max_abs(b - origin), max_abs(c - origin)});
    }
  }
  sum.volume = six_volumes.high / 6;
  // 2^-94 of the size cubed, of which each determinant is a sum of six products.
  const double determinants =
      0x1p-94 * static_cast<double>(hull.origin.size()) * size * size * size;
  const double error = sum.volume > 0 ? 64 * tolerance::epsilon + determinants / sum.volume
                                      : std::numeric_limits<double>::infinity();
  return {sum, error};
}

/// From vertex 0.
Vec3 area_centroid(const ConvexHull& hull) {
  const auto corners = hull.corners(0);
  const Vec3 a = hull.vertices[corners[0]];
  double total = 0;
  Vec3 centroid;
  for (std::size_t i = 2; i < corners.size(); ++i) {
    const Vec3 b = hull.vertices[corners[i - 1]];
    const Vec3 c = hull.vertices[corners[i]];
    const double area = length(triangle_normal(a, b, c));
    total += area;
    centroid += (((b - a) + (c - a)) / 3 - centroid) * (area / total);
  }
  return (a - hull.vertices[0]) + centroid;
}

} // namespace

BoundedMoments hull_moments(const ConvexHull& hull, const Vec3& origin) {
  if (hull.vertices.empty()) return {};
  BoundedMoments result;
  if (hull.dimension == 3) result = solid_moments(hull);
  if (hull.dimension == 2) result.moments.centroid = area_centroid(hull);
  if (hull.dimension == 1) result.moments.centroid = (hull.vertices[1] - hull.vertices[0]) * 0.5;
  result.moments.centroid += hull.vertices[0] - origin;
  return result;
}

} // namespace carom
