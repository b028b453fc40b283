// The hull of a few points of the set is the set seen so far. Its point nearest to p is an upper bound; the farthest point of the set in the
// direction from there to p is a lower bound, and, where the two differ, a new point of the set that brings the hull nearer. Of the
// points only those are kept that span the nearest point, four at most.
//
// The nearest point of a simplex is found by trying all its faces that contain the newest point: each face that p projects into is a
// candidate, a vertex always is one. So a badly shaped simplex costs a bit of progress at worst, never a wrong point. Everything is relative to p and
// in numbers of 104 bits: on a needle a step may bring the hull nearer by one part in the square of its aspect ratio.
#include "carom/verify/support_distance.h"

#include "carom/math/double_double.h"
#include "carom/math/tolerance.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace carom::verify {
namespace {

using Real = DoubleDouble;

bool operator<(const Real& a, const Real& b) { return sign(a - b) < 0; }

struct Real3 {
  Real x, y, z;
};
Real3 operator+(const Real3& a, const Real3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Real3 operator-(const Real3& a, const Real3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Real3 operator*(const Real3& a, const Real& s) { return {a.x * s, a.y * s, a.z * s}; }
Real dot(const Real3& a, const Real3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Real3 cross(const Real3& a, const Real3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
Real3 exact(const Vec3& v) { return {Real{v.x}, Real{v.y}, Real{v.z}}; }
Vec3 rounded(const Real3& v) { return {v.x.high, v.y.high, v.z.high}; }

/// A few points, and the point of their hull nearest to the origin.
struct Simplex {
  std::array<Real3, 4> points;
  int count = 0;
  Real3 nearest;
  Real squared{INFINITY}; ///< |nearest|^2

  void consider(std::initializer_list<Real3> face, const Real3& candidate) {
    const Real l = dot(candidate, candidate);
    if (count > 0 && !(l < squared)) return;
    std::copy(face.begin(), face.end(), points.begin());
    count = static_cast<int>(face.size());
    nearest = candidate;
    squared = l;
  }
};

void try_edge(Simplex& best, const Real3& a, const Real3& b) {
  const Real3 e = b - a;
  const Real ee = dot(e, e);
  if (sign(ee) == 0) return;
  const Real t = -dot(a, e) / ee;
  if (sign(t) > 0 && sign(Real{1} - t) > 0) best.consider({a, b}, a + e * t);
}

/// Twice the area long; from the two shorter edges, so that a sliver's has all its digits.
Real3 normal_of(const Real3& a, const Real3& b, const Real3& c) {
  const Real3 ab = b - a, bc = c - b, ca = a - c;
  const Real c2 = dot(ab, ab), a2 = dot(bc, bc), b2 = dot(ca, ca);
  if (a2 < c2 && b2 < c2) return cross(bc, ca);
  return b2 < a2 ? cross(ca, ab) : cross(ab, bc);
}

/// The origin seen along the normal is in the triangle where it is on the left of all edges. Its foot is a multiple of the normal: a mean of
/// the corners would lose its digits in a sliver.
void try_triangle(Simplex& best, const Real3& a, const Real3& b, const Real3& c) {
  const Real3 n = normal_of(a, b, c);
  if (rounded(n) == Vec3{}) return;
  if (sign(dot(n, cross(a, b - a))) < 0 || sign(dot(n, cross(b, c - b))) < 0 ||
      sign(dot(n, cross(c, a - c))) < 0) {
    return;
  }
  const Real3 nearer = dot(a, a) < dot(b, b) ? a : b;
  best.consider({a, b, c}, n * (dot(nearer, n) / dot(n, n)));
}

/// Inside where the origin with any three of the points is turned as the fourth is.
void try_tetrahedron(Simplex& best, const Real3& a, const Real3& b, const Real3& c,
                     const Real3& d) {
  const int first = sign(dot(b, cross(d, c)));
  if (first != 0 && first == sign(dot(a, cross(c, d))) && first == sign(dot(a, cross(d, b))) &&
      first == sign(dot(a, cross(b, c)))) {
    best.consider({a, b, c, d}, {});
  }
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

} // namespace

DistanceBounds support_distance(const Vec3& p,
                                const std::function<Vec3(const Vec3& direction)>& farthest) {
  constexpr int most_steps = 1000;
  DistanceBounds result{0, INFINITY, 0};
  double size = max_abs(p);
  const auto ask = [&](const Vec3& d) { // relative to p
    const Vec3 s = farthest(d);
    ++result.steps;
    size = std::max(size, max_abs(s));
    const Real3 y = exact(s) - exact(p);
    result.lower = std::max(result.lower, -dot(exact(d), y).high / length(d));
    return y;
  };
  Simplex seen = with({}, ask({1, 0, 0}));
  while (result.steps < most_steps) {
    result.upper = std::sqrt(seen.squared.high);
    if (!(result.upper < INFINITY)) return {NAN, NAN, result.steps};
    // Nearer than a quarter of a rounding of the coordinates there is nothing to find.
    if (result.upper - result.lower <= 0.25 * tolerance::epsilon * size) break;
    const Vec3 x = rounded(seen.nearest);
    const Vec3 d = -x / max_abs(x);
    const Real3 y = ask(d);
    Simplex next = with(seen, y);
    // Where several points are farthest, the one given may be at the far end of a needle and bring nothing. Then the direction is turned
    // a bit toward p, for a nearer one.
    const Vec3 home = -normalized(rounded(y));
    for (double turn = 0x1p-50; turn < 0x1p-10 && !(next.squared < seen.squared); turn *= 64) {
      next = with(seen, ask(d + home * turn));
    }
    if (!(next.squared < seen.squared)) break;
    seen = next;
  }
  result.lower = std::min(result.lower, result.upper);
  return result;
}

} // namespace carom::verify
