// Exact predicates: signs of determinants of the coordinates, never wrong.
//
// Each returns -1, 0 or 1: the sign of the real number named, as if computed without rounding. So they are consistent with each other:
// swapping two points flips the sign exactly, and 0 means exactly flat, collinear, cocircular or cospherical.
//
// Range: exact for coordinates that are 0 or have binary exponents from -142 to 201 (all of Carom's coordinates, 1e-30 .. 1e30, and
// their sums; tolerance.h). The functions of vectors alone (degree 3 at most) are exact for exponents from -300 to 300.
// Outside, or with NaN or infinity, they return one of -1, 0, 1 and promise nothing about which.
//
// Method (Shewchuk 1997): the formula is evaluated in double, and beside it a bound of its rounding error. Where the value is greater
// than the bound its sign is right: nearly always, and inline. Otherwise the same formula is evaluated in expansions
// (predicates.cpp). Each formula is written once, below, over the type of its numbers; those of orient2d and orient3d a second time, in
// lanes, for speed.
#pragma once

#include "carom/math/vec2.h"
#include "carom/math/vec3.h"

#include <bit>
#include <cmath>
#include <cstdint>

namespace [[gnu::visibility("default")]] carom {

// The formulas, and the arithmetic of the filter.
namespace predicate {

/// Vectors over any number type. (A formula may be given rows of different types.)
template<class T>
struct Row2 {
  T x, y;
};
template<class T>
struct Row3 {
  T x, y, z;
};

/// The determinant of rows u, v.
template<class U, class V>
[[nodiscard]] constexpr auto det2(const Row2<U>& u, const Row2<V>& v) {
  return u.x * v.y - u.y * v.x;
}

/// u . (v x w): the determinant of rows u, v, w.
template<class U, class V, class W>
[[nodiscard]] constexpr auto det3(const Row3<U>& u, const Row3<V>& v, const Row3<W>& w) {
  return u.x * (v.y * w.z - v.z * w.y) + u.y * (v.z * w.x - v.x * w.z) +
         u.z * (v.x * w.y - v.y * w.x);
}

template<class U, class V>
[[nodiscard]] constexpr auto inner(const Row3<U>& u, const Row3<V>& v) {
  return u.x * v.x + u.y * v.y + u.z * v.z;
}

/// The determinant of rows (p, |p|^2) for p = a, b, c.
template<class T>
[[nodiscard]] constexpr auto lifted_det3(const Row2<T>& a, const Row2<T>& b, const Row2<T>& c) {
  const auto lift = [](const Row2<T>& p) { return p.x * p.x + p.y * p.y; };
  return lift(a) * det2(b, c) + lift(b) * det2(c, a) + lift(c) * det2(a, b);
}

/// Minus the determinant of rows (p, |p|^2) for p = a, b, c, d, by the minors of x and y, then z, then the lift.
template<class T>
[[nodiscard]] constexpr auto lifted_det4(const Row3<T>& a, const Row3<T>& b, const Row3<T>& c,
                                         const Row3<T>& d) {
  const auto minor = [](const Row3<T>& p, const Row3<T>& q) { return p.x * q.y - p.y * q.x; };
  const auto lift = [](const Row3<T>& p) { return inner(p, p); };
  const auto ab = minor(a, b);
  const auto ac = minor(a, c);
  const auto ad = minor(a, d);
  const auto bc = minor(b, c);
  const auto bd = minor(b, d);
  const auto cd = minor(c, d);
  const auto bcd = b.z * cd - c.z * bd + d.z * bc;
  const auto acd = a.z * cd - c.z * ad + d.z * ac;
  const auto abd = a.z * bd - b.z * ad + d.z * ab;
  const auto abc = a.z * bc - b.z * ac + c.z * ab;
  return (lift(a) * bcd - lift(b) * acd) + (lift(c) * abd - lift(d) * abc);
}

// The filter.
//
// Error bound. Let u = 2^-53, and let every term of the expanded formula pass through at most k roundings on its way into the value (one
// for each rounded difference in it, each multiplication, each addition). Then the value is the sum of term (1 + d), |1 + d| <=
// (1 + u)^k, and so it is off by at most ((1 + u)^k - 1) M, where M is the sum of the |terms|. We compute a `magnitude` that would be >= M
// without rounding; it has no cancellation, so with its at most k + 1 roundings (that of the comparison's factor included) it is at least
// (1 - u)^(k + 1) M. The error is thus at most
//   ((1 + u)^k - 1) / (1 - u)^(k + 1) * magnitude  <=  (k + 1) u * magnitude   for k <= 20,
// since the fraction is below k u (1 + 3 k u), and 3 k^2 u < 1.
//
// Magnitude. The terms of det3 can be added up as they are. With the greatest lift L = max |p|^2 at hand there is less to do: by
// Cauchy-Schwarz the |terms| of a 2 x 2 minor add up to at most |p| |q| <= L, and so those of a 3 x 3 minor to (|p_x| + |p_y| + |p_z|) L <=
// sqrt(3) L^(3/2). Hence M <= 3 L^2 for lifted_det3, and M <= 4 sqrt(3) L^(5/2) for lifted_det4.
//
// Underflow. Coordinates of exponent >= -142 are multiples of g = 2^-194; so are their differences, rounded or not, since rounding a
// multiple of g gives a multiple of g. In the same way everything of degree j is a multiple of g^j, thus 0 or >= 2^-970 for j <= 5: no
// product underflows, and the bound needs no absolute term. Times (k + 1) u it is >= 2^-1019, still normal. (Vectors of exponent >= -300 at
// degree 3: products are >= 2^-1004 or 0, and a sum that is subnormal is exact.)
// Overflow. Coordinates below 2^202 have differences below 2^203; a lift is below 3 * 2^406, and M for lifted_det4 below
// 7 * (3 * 2^406)^(5/2) < 2^1022.
// Whatever is infinite or NaN fails the comparison in `sign`, and goes on to the exact stage.

[[nodiscard]] constexpr Row2<double> row(const Vec2& v) { return {v.x, v.y}; }
[[nodiscard]] constexpr Row3<double> row(const Vec3& v) { return {v.x, v.y, v.z}; }

[[nodiscard]] inline double det3_magnitude(const Vec3& u, const Vec3& v, const Vec3& w) {
  return std::fabs(u.x) * (std::fabs(v.y * w.z) + std::fabs(v.z * w.y)) +
         std::fabs(u.y) * (std::fabs(v.z * w.x) + std::fabs(v.x * w.z)) +
         std::fabs(u.z) * (std::fabs(v.x * w.y) + std::fabs(v.y * w.x));
}
/// The greatest |p|^2.
[[nodiscard]] constexpr double greatest_lift(const Vec2& a, const Vec2& b, const Vec2& c) {
  const double la = length_squared(a);
  const double lb = length_squared(b);
  const double lc = length_squared(c);
  const double ab = la > lb ? la : lb;
  return ab > lc ? ab : lc;
}
[[nodiscard]] constexpr double greatest_lift(const Vec3& a, const Vec3& b, const Vec3& c,
                                             const Vec3& d) {
  const double la = length_squared(a);
  const double lb = length_squared(b);
  const double lc = length_squared(c);
  const double ld = length_squared(d);
  const double ab = la > lb ? la : lb;
  const double cd = lc > ld ? lc : ld;
  return ab > cd ? ab : cd;
}

// x and y of a vector side by side in one register: an operation on both costs one. (A type of g++ and clang; where the machine
// has no such register, they make it two operations. Each lane rounds as a double does.)
using Lanes [[gnu::vector_size(16)]] = double;

[[nodiscard]] inline Lanes lanes(const Vec2& v) { return Lanes{v.x, v.y}; }
[[nodiscard]] inline Lanes lanes(const Vec3& v) { return Lanes{v.x, v.y}; }
[[nodiscard]] inline Lanes swapped(Lanes v) { return Lanes{v[1], v[0]}; }
[[nodiscard]] inline Lanes abs(Lanes v) {
  using Bits [[gnu::vector_size(16)]] = std::int64_t;
  constexpr std::int64_t all_but_sign = INT64_MAX;
  return std::bit_cast<Lanes>(std::bit_cast<Bits>(v) & Bits{all_but_sign, all_but_sign});
}

/// -1 or 1, from the sign bit alone: no comparison, and no branch (signs are hard to predict).
[[nodiscard]] constexpr int sign_of_nonzero(double x) {
  return static_cast<int>(std::bit_cast<std::int64_t>(x) >> 63) | 1;
}

/// The sign of a formula whose terms pass through at most `Roundings` roundings; `exact` is asked where the filter cannot tell.
template<int Roundings, class Exact>
[[nodiscard]] inline int sign(double value, double magnitude, Exact&& exact) {
  static_assert(Roundings <= 20);
  constexpr double factor = (Roundings + 1) * 0x1p-53;
  if (std::fabs(value) > factor * magnitude) [[likely]] {
    return sign_of_nonzero(value);
  }
  // A factor of each term is zero, and a difference is zero only of equal numbers: points in a plane along the axes.
  if (magnitude == 0) return 0;
  return exact();
}

} // namespace predicate

// The exact stage alone: the same answers, slowly.
namespace exact {

[[nodiscard]] int orient2d(const Vec2& a, const Vec2& b, const Vec2& c);
[[nodiscard]] int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);
[[nodiscard]] int in_circle(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d);
[[nodiscard]] int in_sphere(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d,
                            const Vec3& e);
[[nodiscard]] int orient3d_direction(const Vec3& p, const Vec3& direction, const Vec3& a,
                                     const Vec3& b);
[[nodiscard]] int compare_products(double a, double b, double c, double d);
[[nodiscard]] int compare_dot(const Vec3& a, const Vec3& b, double c);
[[nodiscard]] int sign_of_triple(const Vec3& u, const Vec3& v, const Vec3& w);
[[nodiscard]] int compare_triple_products(const Vec3& u, const Vec3& v, const Vec3& w,
                                          const Vec3& x, const Vec3& y, const Vec3& z);

} // namespace exact

/// The sign of (b - a) x (c - a): 1 when a, b, c turn counter-clockwise (c is left of the line from a to b), 0 when collinear.
[[nodiscard]] inline int orient2d(const Vec2& a, const Vec2& b, const Vec2& c) {
  using namespace predicate;
  // Roundings: 2 differences, a product, a sum. The magnitude is |l| + |r| for the two products. |l + r| will do: where l and r have the
  // same sign it is that, to the bit; where not, l - r, if not 0, has the right sign anyway, since those of l and r are right.
  const Lanes u = lanes(b) - lanes(a);
  const Lanes v = lanes(c) - lanes(a);
  const Lanes products = u * swapped(v);
  return sign<4>(products[0] - products[1], std::fabs(products[0] + products[1]),
                 [&] { return exact::orient2d(a, b, c); });
}

/// The sign of ((b - a) x (c - a)) . (d - a), six times the signed volume: 1 when d is on the side to which the normal of the triangle
/// a, b, c points (the side from which a, b, c appear counter-clockwise), -1 on the other side, 0 when coplanar. With the plane
/// n.x = d through a, b, c it is the sign of n.d - d. (Ericson's book and Shewchuk's code have the opposite sign.)
[[nodiscard]] inline int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  using namespace predicate;
  // The determinant by the minors of x and y: one lane has their positive terms, the other the negative ones.
  // Roundings: 3 differences, 2 products, 2 sums, a difference; as many in the sum of the |terms|.
  const Lanes u = lanes(b) - lanes(a);
  const Lanes v = lanes(c) - lanes(a);
  const Lanes w = lanes(d) - lanes(a);
  const Lanes vw = (b.z - a.z) * (v * swapped(w));
  const Lanes wu = (c.z - a.z) * (w * swapped(u));
  const Lanes uv = (d.z - a.z) * (u * swapped(v));
  const Lanes sum = vw + wu + uv;
  const Lanes magnitude = abs(vw) + abs(wu) + abs(uv);
  return sign<8>(sum[0] - sum[1], magnitude[0] + magnitude[1],
                 [&] { return exact::orient3d(a, b, c, d); });
}

/// 1 when d is inside the circle through a, b, c, -1 outside, 0 on it, where orient2d(a, b, c) = 1; the opposite where that is -1.
/// Where a, b, c are collinear: the sign of the limit, the side of the line (0 on it, or where two of the three coincide).
[[nodiscard]] inline int in_circle(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
  using namespace predicate;
  // Roundings: 4 differences, 2 in the minor, 2 in the lift, a product, 2 sums.
  const Vec2 u = a - d;
  const Vec2 v = b - d;
  const Vec2 w = c - d;
  const double l = greatest_lift(u, v, w);
  return sign<11>(lifted_det3(row(u), row(v), row(w)), 3 * l * l,
                  [&] { return exact::in_circle(a, b, c, d); });
}

/// 1 when e is inside the sphere through a, b, c, d, -1 outside, 0 on it, where orient3d(a, b, c, d) = 1; the opposite where that is -1.
/// Where a, b, c, d are coplanar: 0 when they are also cocircular, else the sign of the side of their plane, up to orientation.
[[nodiscard]] inline int in_sphere(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d,
                                   const Vec3& e) {
  using namespace predicate;
  // Roundings: 5 differences, 2 in the minor of two rows, 1 + 2 in that of three, 3 in the lift, a product, 2 sums.
  const Vec3 s = a - e;
  const Vec3 t = b - e;
  const Vec3 u = c - e;
  const Vec3 v = d - e;
  const double value = lifted_det4(row(s), row(t), row(u), row(v));
  // |value| > 17 u * 4 sqrt(3) L^(5/2), squared and divided by L^4 so that it needs no root and stays in range. (18 instead of 17
  // pays for the roundings of the quotient and the square. A quotient whose square underflows fails the comparison.)
  const double l = greatest_lift(s, t, u, v);
  const double quotient = value / (l * l);
  constexpr double factor = 18 * 4 * 0x1p-53;
  if (quotient * quotient > 3 * factor * factor * l) [[likely]] {
    return sign_of_nonzero(value);
  }
  return exact::in_sphere(a, b, c, d, e);
}

/// The sign of direction . ((a - p) x (b - p)): on which side of the line a b the ray from p along `direction` passes. 1 when a b goes
/// counter-clockwise around the ray, seen with the ray coming towards the eye; 0 when the lines meet or are parallel. A ray hits a
/// counter-clockwise triangle from the front when this is <= 0 for its three edges, from behind when >= 0.
/// The direction is taken as given, the differences are exact.
[[nodiscard]] inline int orient3d_direction(const Vec3& p, const Vec3& direction, const Vec3& a,
                                            const Vec3& b) {
  using namespace predicate;
  // Roundings: 2 differences, 2 in the minor, a product, 2 sums.
  const Vec3 u = a - p;
  const Vec3 v = b - p;
  return sign<7>(det3(row(direction), row(u), row(v)), det3_magnitude(direction, u, v),
                 [&] { return exact::orient3d_direction(p, direction, a, b); });
}

/// The sign of a b - c d.
[[nodiscard]] inline int compare_products(double a, double b, double c, double d) {
  const double ab = a * b;
  const double cd = c * d;
  if (ab != cd) [[likely]] {
    return ab > cd ? 1 : -1; // rounding is monotone
  }
  return exact::compare_products(a, b, c, d);
}

/// The sign of a.b - c: on which side of the plane a.x = c the point b is.
[[nodiscard]] inline int compare_dot(const Vec3& a, const Vec3& b, double c) {
  using namespace predicate;
  const double magnitude =
      std::fabs(a.x * b.x) + std::fabs(a.y * b.y) + std::fabs(a.z * b.z) + std::fabs(c);
  return sign<4>(inner(row(a), row(b)) - c, magnitude, [&] { return exact::compare_dot(a, b, c); });
}
/// The sign of a.b.
[[nodiscard]] inline int sign_of_dot(const Vec3& a, const Vec3& b) { return compare_dot(a, b, 0); }

/// The sign of u . (v x w).
[[nodiscard]] inline int sign_of_triple(const Vec3& u, const Vec3& v, const Vec3& w) {
  using namespace predicate;
  return sign<5>(det3(row(u), row(v), row(w)), det3_magnitude(u, v, w),
                 [&] { return exact::sign_of_triple(u, v, w); });
}

/// The sign of u . (v x w) - x . (y x z).
[[nodiscard]] inline int compare_triple_products(const Vec3& u, const Vec3& v, const Vec3& w,
                                                 const Vec3& x, const Vec3& y, const Vec3& z) {
  using namespace predicate;
  return sign<6>(det3(row(u), row(v), row(w)) - det3(row(x), row(y), row(z)),
                 det3_magnitude(u, v, w) + det3_magnitude(x, y, z),
                 [&] { return exact::compare_triple_products(u, v, w, x, y, z); });
}

} // namespace carom
