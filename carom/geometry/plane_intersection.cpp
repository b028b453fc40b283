// Two planes. For unit normals m, n and offsets d, e let c = m x n, whose length is the sine s of the angle between them. The point
//   d m + ((e - d (m . n)) / s) (c x m) / s
// lies on the first plane by its first term (the second is along the plane), and on the second by the choice of the factor, since
// n . (c x m) = c . c = s^2. It is the one nearest to the origin, being at right angles to c. The division by s twice, once to make c x m a unit
// vector, is needed for unit normals too: their cross product is not a unit vector. c is summed exactly; the numerator's rounding,
// an epsilon of the offsets, is the only one that is magnified, and times s it is again an epsilon in the plane's equation.
//
// Three planes. With the widest of the three angles taken between m and n, the third normal is off the plane of m and n by its part along
// c / s. A change of the three normals by an epsilon changes that by about an epsilon: so it is compared with a constant. The point
// itself is Cramer's rule in exact sums, on the planes as given.
#include "carom/geometry/plane_intersection.h"

#include "carom/math/expansion.h"
#include "carom/math/predicates.h"
#include "carom/math/tolerance.h"

#include <algorithm>
#include <array>

namespace carom {
namespace {

using tolerance::plane_parallel_sine;

/// a b - c d, rounded once.
double difference_of_products(double a, double b, double c, double d) {
  return (exact_product(a, b) - exact_product(c, d)).estimate();
}

Vec3 accurate_cross(const Vec3& a, const Vec3& b) {
  return {difference_of_products(a.y, b.z, a.z, b.y), difference_of_products(a.z, b.x, a.x, b.z),
          difference_of_products(a.x, b.y, a.y, b.x)};
}

using predicate::Row3;
using Entry = Expansion<1>;

double determinant(const Vec3& a, const Vec3& b, const Vec3& c) {
  const auto exact = [](const Vec3& v) { return Row3<Entry>{v.x, v.y, v.z}; };
  return det3(exact(a), exact(b), exact(c)).estimate();
}

/// With a unit normal. A zero or infinite normal gives NaN, which no comparison accepts.
Plane unit(const Plane& p) {
  const double l = length(p.normal);
  return {p.normal / l, p.offset / l};
}
bool is_plane(const Plane& unit_plane) {
  return is_finite(unit_plane.normal) && std::isfinite(unit_plane.offset);
}

/// The distance below which things of this size count as touching.
double slack(double size, std::initializer_list<double> offsets) {
  for (const double d : offsets) size = std::max(size, std::fabs(d));
  return plane_parallel_sine * size;
}

/// Unit planes known to be parallel.
bool coincide(const Plane& p, const Plane& q, double size) {
  const double facing = dot(p.normal, q.normal) > 0 ? 1 : -1;
  return std::fabs(p.offset - facing * q.offset) <= slack(size, {p.offset, q.offset});
}

/// Unit planes, and c = p.normal x q.normal of length s > 0.
Line line_of(const Plane& p, const Plane& q, const Vec3& c, double s) {
  const double along = (q.offset - p.offset * dot(p.normal, q.normal)) / s;
  const Vec3 direction = c / s;
  return {p.normal * p.offset + cross(direction, p.normal) * along, direction};
}

Vec3 point_of(const Plane& p, const Plane& q, const Plane& r, double whole) {
  const Vec3 offsets{p.offset, q.offset, r.offset};
  std::array<Vec3, 3> columns{Vec3{p.normal.x, q.normal.x, r.normal.x},
                              Vec3{p.normal.y, q.normal.y, r.normal.y},
                              Vec3{p.normal.z, q.normal.z, r.normal.z}};
  Vec3 result;
  for (int i = 0; i < 3; ++i) {
    auto replaced = columns;
    replaced[static_cast<std::size_t>(i)] = offsets;
    result[i] = determinant(replaced[0], replaced[1], replaced[2]) / whole;
  }
  return result;
}

/// The three normals are parallel.
ThreePlanesKind kind_of_parallel(const Plane& p, const Plane& q, const Plane& r, double size) {
  return coincide(p, q, size) && coincide(q, r, size) && coincide(p, r, size)
             ? ThreePlanesKind::coincident
             : ThreePlanesKind::all_parallel;
}

} // namespace

TwoPlanes intersect(const Plane& p, const Plane& q, double size) {
  const Plane a = unit(p);
  const Plane b = unit(q);
  if (!is_plane(a) || !is_plane(b)) return {};
  const Vec3 c = accurate_cross(a.normal, b.normal);
  const double s = length(c);
  if (s > plane_parallel_sine) return {TwoPlanesKind::line, line_of(a, b, c, s)};
  return {coincide(a, b, size) ? TwoPlanesKind::coincident : TwoPlanesKind::parallel, {}};
}

ThreePlanes intersect(const Plane& p, const Plane& q, const Plane& r, double size) {
  const std::array<Plane, 3> planes{unit(p), unit(q), unit(r)};
  if (!std::all_of(planes.begin(), planes.end(), is_plane)) return {};
  // The pair with the widest angle, and the third.
  std::size_t first = 0;
  double s = -1;
  std::array<Vec3, 3> crosses;
  std::array<double, 3> sines{};
  for (std::size_t i = 0; i < 3; ++i) {
    crosses[i] = accurate_cross(planes[i].normal, planes[(i + 1) % 3].normal);
    sines[i] = length(crosses[i]);
    if (sines[i] > s) {
      s = sines[i];
      first = i;
    }
  }
  const Plane& a = planes[first];
  const Plane& b = planes[(first + 1) % 3];
  const Plane& other = planes[(first + 2) % 3];
  if (!(s > plane_parallel_sine)) return {kind_of_parallel(a, b, other, size), {}, {}};
  if (std::fabs(determinant(a.normal, b.normal, other.normal)) > plane_parallel_sine * s) {
    const double whole = determinant(p.normal, q.normal, r.normal);
    return {ThreePlanesKind::point, point_of(p, q, r, whole), {}};
  }
  const Line line = line_of(a, b, crosses[first], s);
  // The third plane is parallel to that line; either it contains it, or it is parallel to one of the two, or there is a prism.
  if (sines[(first + 1) % 3] <= plane_parallel_sine) {
    if (!coincide(b, other, size)) return {ThreePlanesKind::two_parallel, {}, {}};
    return {ThreePlanesKind::line, {}, line};
  }
  if (sines[(first + 2) % 3] <= plane_parallel_sine) {
    if (!coincide(a, other, size)) return {ThreePlanesKind::two_parallel, {}, {}};
    return {ThreePlanesKind::line, {}, line};
  }
  const double off = std::fabs(other.signed_distance(line.origin));
  const double near = slack(size, {a.offset, b.offset, other.offset}) / s;
  return off <= near ? ThreePlanes{ThreePlanesKind::line, {}, line}
                     : ThreePlanes{ThreePlanesKind::prism, {}, {}};
}

} // namespace carom
