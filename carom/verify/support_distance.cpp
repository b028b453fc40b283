// The hull of a few points of the set is the set seen so far. Its point nearest to p is an upper bound; the farthest point of the set in the
// direction from there to p is a lower bound, and, where the two differ, a new point of the set that brings the hull nearer. Of the
// points only those are kept that span the nearest point, four at most.
//
// The nearest point of a simplex is found by trying all its faces that contain the newest point: each face that p projects into is a
// candidate, a vertex always is one. So a badly shaped simplex costs a bit of progress at worst, never a wrong point. Everything is relative to p and
// in extended precision: near the set the points are close together, and so are their differences exact.
#include "carom/verify/support_distance.h"

#include "carom/math/tolerance.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace carom::verify {
namespace {

using Real = long double;

struct Real3 {
  Real x = 0, y = 0, z = 0;
};
Real3 operator+(const Real3& a, const Real3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Real3 operator-(const Real3& a, const Real3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Real3 operator*(const Real3& a, Real s) { return {a.x * s, a.y * s, a.z * s}; }
Real dot(const Real3& a, const Real3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Real3 cross(const Real3& a, const Real3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
Real3 difference(const Vec3& a, const Vec3& b) {
  return {Real{a.x} - b.x, Real{a.y} - b.y, Real{a.z} - b.z};
}

/// A few points, and the point of their hull nearest to the origin.
struct Simplex {
  std::array<Real3, 4> points;
  int count = 0;
  Real3 nearest;
  Real squared = INFINITY; ///< |nearest|^2

  void consider(std::initializer_list<Real3> face, const Real3& candidate) {
    const Real l = dot(candidate, candidate);
    if (!(l < squared)) return;
    std::copy(face.begin(), face.end(), points.begin());
    count = static_cast<int>(face.size());
    nearest = candidate;
    squared = l;
  }
};

void try_edge(Simplex& best, const Real3& a, const Real3& b) {
  const Real3 e = b - a;
  const Real t = -dot(a, e) / dot(e, e);
  if (t > 0 && t < 1) best.consider({a, b}, a + e * t);
}

void try_triangle(Simplex& best, const Real3& a, const Real3& b, const Real3& c) {
  const Real3 u = b - a, v = c - a;
  const Real uu = dot(u, u), uv = dot(u, v), vv = dot(v, v);
  const Real3 n = cross(u, v);
  const Real det = dot(n, n);
  if (!(det > 0)) return;
  Real s = 0, t = 0;
  Real3 x = a;
  for (int pass = 0; pass < 2; ++pass) { // the second takes away what the first one's rounding left
    const Real xu = dot(x, u), xv = dot(x, v);
    s -= (xu * vv - xv * uv) / det;
    t -= (xv * uu - xu * uv) / det;
    x = a + u * s + v * t;
  }
  if (s >= 0 && t >= 0 && s + t <= 1) best.consider({a, b, c}, x);
}

/// Inside where the origin with any three of the points is turned as the fourth is.
void try_tetrahedron(Simplex& best, const Real3& a, const Real3& b, const Real3& c,
                     const Real3& d) {
  const std::array<Real, 4> volumes = {dot(b, cross(d, c)), dot(a, cross(c, d)),
                                       dot(a, cross(d, b)), dot(a, cross(b, c))};
  const auto [least, most] = std::minmax_element(volumes.begin(), volumes.end());
  if (*least > 0 || *most < 0) best.consider({a, b, c, d}, {});
}

Simplex with(const Simplex& old, const Real3& p) {
  Simplex best;
  best.consider({p}, p);
  const auto& q = old.points;
  for (std::size_t i = 0, n = static_cast<std::size_t>(old.count); i < n; ++i) {
    try_edge(best, p, q[i]);
    for (std::size_t j = 0; j < i; ++j) try_triangle(best, p, q[i], q[j]);
  }
  if (old.count == 3) try_tetrahedron(best, p, q[0], q[1], q[2]);
  return best;
}

/// Of a length that no product under- or overflows.
Vec3 scaled_to_one(const Real3& v) {
  const Real m = std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)});
  return {static_cast<double>(v.x / m), static_cast<double>(v.y / m), static_cast<double>(v.z / m)};
}

} // namespace

DistanceBounds support_distance(const Vec3& p,
                                const std::function<Vec3(const Vec3& direction)>& farthest) {
  constexpr int most_steps = 500;
  Vec3 d{1, 0, 0};
  Vec3 s = farthest(d);
  const Real3 first = difference(s, p);
  Simplex seen = with({}, first);
  DistanceBounds result{0, static_cast<double>(std::sqrt(seen.squared)), 1};
  double size = std::max(max_abs(p), max_abs(s));
  while (result.steps < most_steps) {
    // Nearer than half a rounding of the coordinates there is nothing to find.
    if (!(result.upper - result.lower > 0.25 * tolerance::epsilon * size)) break;
    d = scaled_to_one(seen.nearest * -1);
    s = farthest(d);
    ++result.steps;
    if (!is_finite(s)) return {NAN, NAN, result.steps};
    size = std::max(size, max_abs(s));
    const Real3 y = difference(s, p);
    const Real3 direction{d.x, d.y, d.z};
    const Real width = -dot(direction, y) / std::sqrt(dot(direction, direction));
    result.lower = std::max(result.lower, static_cast<double>(width));
    const Simplex next = with(seen, y);
    if (!(next.squared < seen.squared)) break;
    seen = next;
    result.upper = static_cast<double>(std::sqrt(seen.squared));
  }
  result.lower = std::min(result.lower, result.upper);
  return result;
}

} // namespace carom::verify
