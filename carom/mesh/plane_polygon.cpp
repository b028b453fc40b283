#include "carom/mesh/plane_polygon.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace carom {
namespace {

using Number = ExactPlane::Number;

Number difference_of_products(const Expansion<2>& a, const Expansion<2>& b, const Expansion<2>& c,
                              const Expansion<2>& d) {
  return a * b - c * d;
}

ExactPlane finished(std::array<Number, 3> normal, const Vec3& a) {
  ExactPlane p;
  p.normal = std::move(normal);
  p.offset = p.normal[0] * a.x + p.normal[1] * a.y + p.normal[2] * a.z;
  p.near_normal = {p.normal[0].estimate(), p.normal[1].estimate(), p.normal[2].estimate()};
  p.near_offset = p.offset.estimate();
  return p;
}

/// The determinant of three rows by the minors of the first, over any numbers.
template<class T>
T determinant(const std::array<T, 3>& u, const std::array<T, 3>& v, const std::array<T, 3>& w) {
  return u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) +
         u[2] * (v[0] * w[1] - v[1] * w[0]);
}

/// Rows of a plane with one column replaced by the offset: Cramer's rule.
template<class T>
std::array<T, 3> replaced(std::array<T, 3> normal, const T& offset, int column) {
  if (column >= 0) normal[static_cast<std::size_t>(column)] = offset;
  return normal;
}

struct NearPlane {
  std::array<double, 3> normal;
  double offset;
};
NearPlane near(const ExactPlane& p) {
  return {{p.near_normal.x, p.near_normal.y, p.near_normal.z}, p.near_offset};
}
NearPlane magnitude(const NearPlane& p) {
  return {{std::fabs(p.normal[0]), std::fabs(p.normal[1]), std::fabs(p.normal[2])},
          std::fabs(p.offset)};
}

/// The sum of the |terms| of a determinant.
double terms(const std::array<double, 3>& u, const std::array<double, 3>& v,
             const std::array<double, 3>& w) {
  return u[0] * (v[1] * w[2] + v[2] * w[1]) + u[1] * (v[2] * w[0] + v[0] * w[2]) +
         u[2] * (v[0] * w[1] + v[1] * w[0]);
}

/// Entries are off by 2^-51 of themselves, four in a term, and a dozen roundings follow: less than 2^-47 of the terms.
constexpr double filter = 0x1p-47;

/// The sign of the determinant of the normals.
int sign_of_determinant(const ExactPlane& p, const ExactPlane& q, const ExactPlane& r) {
  const NearPlane a = near(p);
  const NearPlane b = near(q);
  const NearPlane c = near(r);
  const double value = determinant(a.normal, b.normal, c.normal);
  const double bound =
      filter * terms(magnitude(a).normal, magnitude(b).normal, magnitude(c).normal);
  if (std::fabs(value) > bound) return value > 0 ? 1 : -1;
  return determinant(p.normal, q.normal, r.normal).sign();
}

/// The sign at the meeting point of p, q, r.
int exact_side(const ExactPlane& s, const ExactPlane& p, const ExactPlane& q, const ExactPlane& r) {
  Number exact = -(s.offset * determinant(p.normal, q.normal, r.normal));
  for (int k = 0; k < 3; ++k) {
    const auto with = [&](const ExactPlane& x) { return replaced(x.normal, x.offset, k); };
    exact = exact + s.normal[static_cast<std::size_t>(k)] * determinant(with(p), with(q), with(r));
  }
  return exact.sign() == 0 ? 0 : exact.sign() * sign_of_determinant(p, q, r);
}

} // namespace

ExactPlane ExactPlane::through(const Vec3& a, const Vec3& b, const Vec3& c) {
  std::array<Expansion<2>, 3> u;
  std::array<Expansion<2>, 3> v;
  for (int k = 0; k < 3; ++k) {
    u[static_cast<std::size_t>(k)] = exact_difference(b[k], a[k]);
    v[static_cast<std::size_t>(k)] = exact_difference(c[k], a[k]);
  }
  return finished({difference_of_products(u[1], v[2], u[2], v[1]),
                   difference_of_products(u[2], v[0], u[0], v[2]),
                   difference_of_products(u[0], v[1], u[1], v[0])},
                  a);
}

ExactPlane ExactPlane::along_axis(const Vec3& a, const Vec3& b, int axis) {
  // (b - a) x axis.
  std::array<Number, 3> normal;
  const int i = (axis + 1) % 3;
  const int j = (axis + 2) % 3;
  normal[static_cast<std::size_t>(i)] = exact_difference(b[j], a[j]);
  normal[static_cast<std::size_t>(j)] = exact_difference(a[i], b[i]);
  return finished(std::move(normal), a);
}

ExactPlane ExactPlane::across_axis(int axis, double at) {
  std::array<Number, 3> normal;
  normal[static_cast<std::size_t>(axis)] = Number(1.0);
  Vec3 a;
  a[axis] = at;
  return finished(std::move(normal), a);
}

int side_of(const ExactPlane& plane, const Vec3& p) {
  const Vec3& n = plane.near_normal;
  const double value = dot(n, p) - plane.near_offset;
  const double bound = filter * (std::fabs(n.x * p.x) + std::fabs(n.y * p.y) +
                                 std::fabs(n.z * p.z) + std::fabs(plane.near_offset));
  if (std::fabs(value) > bound) return value > 0 ? 1 : -1;
  return (plane.normal[0] * p.x + plane.normal[1] * p.y + plane.normal[2] * p.z - plane.offset)
      .sign();
}

int PlaneArrangement::side(std::uint32_t plane, const PlaneCorner& corner) const {
  for (const std::uint32_t p : corner.plane) {
    if (p == plane) return 0;
  }
  const ExactPlane& s = planes[plane];
  if (corner.vertex != PlaneCorner::none) return side_of(s, vertices[corner.vertex]);
  const ExactPlane& p = planes[corner.plane[0]];
  const ExactPlane& q = planes[corner.plane[1]];
  const ExactPlane& r = planes[corner.plane[2]];
  // With D the determinant of the normals and D_k that with column k replaced by offsets, x_k = D_k / D: the sign wanted is that of s.normal . (D_k) - s.offset D, over D.
  const NearPlane a = near(p);
  const NearPlane b = near(q);
  const NearPlane c = near(r);
  double value = -s.near_offset * determinant(a.normal, b.normal, c.normal);
  double bound = std::fabs(s.near_offset) *
                 terms(magnitude(a).normal, magnitude(b).normal, magnitude(c).normal);
  for (int k = 0; k < 3; ++k) {
    const auto with = [&](const NearPlane& x) { return replaced(x.normal, x.offset, k); };
    value += s.near_normal[k] * determinant(with(a), with(b), with(c));
    bound += std::fabs(s.near_normal[k]) *
             terms(with(magnitude(a)), with(magnitude(b)), with(magnitude(c)));
  }
  if (std::fabs(value) > 2 * filter * bound) {
    return (value > 0 ? 1 : -1) * sign_of_determinant(p, q, r);
  }
  std::array<std::uint32_t, 4> key = {corner.plane[0], corner.plane[1], corner.plane[2], plane};
  std::sort(key.begin(), key.begin() + 3);
  const auto [known, fresh] = exact_sides_.try_emplace(key, 0);
  if (fresh) known->second = exact_side(s, p, q, r);
  return known->second;
}

Vec3 PlaneArrangement::position(const PlaneCorner& corner) const {
  if (corner.vertex != PlaneCorner::none) return vertices[corner.vertex];
  const ExactPlane& p = planes[corner.plane[0]];
  const ExactPlane& q = planes[corner.plane[1]];
  const ExactPlane& r = planes[corner.plane[2]];
  const Number all = determinant(p.normal, q.normal, r.normal);
  Vec3 out;
  for (int k = 0; k < 3; ++k) {
    const auto with = [&](const ExactPlane& x) { return replaced(x.normal, x.offset, k); };
    const Number part = determinant(with(p), with(q), with(r));
    out[k] = part.estimate() / all.estimate();
    // What is left of it is exact: one more step takes the error of the quotient away.
    out[k] += (part - all * out[k]).estimate() / all.estimate();
  }
  return out;
}

int PlaneArrangement::classify(const PlanePolygon& polygon, std::uint32_t plane,
                               std::vector<int>& signs) const {
  signs.clear();
  bool below = false;
  bool above = false;
  for (const PlaneCorner& c : polygon.corners) {
    signs.push_back(polygon.plane == plane ? 0 : side(plane, c));
    below = below || signs.back() < 0;
    above = above || signs.back() > 0;
  }
  return below && above ? 2 : below ? -1 : above ? 1 : 0;
}

PlanePolygon PlaneArrangement::clipped(const PlanePolygon& polygon, std::uint32_t plane, int keep,
                                       std::span<const int> signs) const {
  PlanePolygon out;
  out.plane = polygon.plane;
  const std::size_t n = polygon.corners.size();
  const auto add = [&](const PlaneCorner& corner, std::uint32_t side) {
    out.corners.push_back(corner);
    out.side.push_back(side);
  };
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t j = i + 1 == n ? 0 : i + 1;
    const int here = signs[i] * keep;
    const int next = signs[j] * keep;
    const PlaneCorner crossing{{polygon.plane, polygon.side[i], plane}};
    if (here > 0) add(polygon.corners[i], polygon.side[i]);
    if (here == 0) add(polygon.corners[i], next < 0 ? plane : polygon.side[i]);
    if (here > 0 && next < 0) add(crossing, plane);
    if (here < 0 && next > 0) add(crossing, polygon.side[i]);
  }
  return out;
}

} // namespace carom
