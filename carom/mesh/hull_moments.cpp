// Tetrahedra from vertex 0 to the triangles of all faces: their volumes are positive, and their determinants are right to a few
// roundings of their own size, so thin solids and those far from the origin come out as well as others.
#include "carom/geometry/triangle_normal.h"
#include "carom/math/double_double.h"
#include "carom/math/expansion.h"
#include "carom/math/predicates.h"
#include "carom/math/tolerance.h"
#include "carom/mesh/rounded_hull.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

DoubleDouble wide_difference(double a, double b) {
  const TwoDoubles d = two_diff(a, b);
  return {d.value, d.error};
}

/// (a - o) . ((b - o) x (c - o)): six times the volume of the tetrahedron, to within 2^-50 of itself.
DoubleDouble six_volumes(const Vec3& o, const Vec3& a, const Vec3& b, const Vec3& c) {
  const auto u = [&](int i) { return wide_difference(a[i], o[i]); };
  const auto v = [&](int i) { return wide_difference(b[i], o[i]); };
  const auto w = [&](int i) { return wide_difference(c[i], o[i]); };
  const auto minor = [&](int i, int j) { return v(i) * w(j) + -(v(j) * w(i)); };
  const DoubleDouble wide = u(0) * minor(1, 2) + (u(1) * minor(2, 0) + u(2) * minor(0, 1));
  // Its error is below 2^-95 of the products that it is the sum of. Where little is left of these, exactly.
  const double products = max_abs(a - o) * max_abs(b - o) * max_abs(c - o);
  if (std::fabs(wide.high) >= 0x1p-40 * products) return wide;
  const auto row = [&](const Vec3& p) {
    return predicate::Row3<Expansion<2>>{exact_difference(p.x, o.x), exact_difference(p.y, o.y),
                                         exact_difference(p.z, o.z)};
  };
  return {predicate::det3(row(a), row(b), row(c)).estimate()};
}

/// The centroid is given from vertex 0.
Moments solid_moments(const ConvexHull& hull) {
  const Vec3 origin = hull.vertices[0];
  Moments sum;
  DoubleDouble six_total;
  for (std::size_t f = 0; f < hull.face_count(); ++f) {
    const auto corners = hull.corners(f);
    if (std::find(corners.begin(), corners.end(), 0U) != corners.end()) continue;
    const Vec3 a = hull.vertices[corners[0]];
    for (std::size_t i = 2; i < corners.size(); ++i) {
      const Vec3 b = hull.vertices[corners[i - 1]];
      const Vec3 c = hull.vertices[corners[i]];
      const DoubleDouble six = six_volumes(origin, a, b, c);
      six_total = six_total + six;
      sum = sum + tetrahedron_moments({a - origin, b - origin, c - origin}, six.high / 6);
    }
  }
  sum.volume = six_total.high / 6;
  return sum;
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
  return centroid; // a is vertex 0, as the hull is numbered
}

} // namespace

BoundedMoments hull_moments(const ConvexHull& hull, const Vec3& origin) {
  if (hull.vertices.empty()) return {};
  BoundedMoments result;
  if (hull.dimension == 3) result = {solid_moments(hull), 64 * tolerance::epsilon};
  if (hull.dimension == 2) result.moments.centroid = area_centroid(hull);
  if (hull.dimension == 1) result.moments.centroid = (hull.vertices[1] - hull.vertices[0]) * 0.5;
  result.moments.centroid += hull.vertices[0] - origin;
  return result;
}

} // namespace carom
