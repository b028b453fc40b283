// Hard cases for the exact predicates, and their checker: shared by the tests and the fuzzer.
//
// A case is six points, made to be degenerate (coplanar, collinear, cocircular, cospherical, repeated), nearly so (one ulp away), or spread
// over the whole range of exponents. The oracle scales the coordinates to integers and computes the homogeneous determinants by
// fraction-free elimination: another formula in another arithmetic.
#pragma once

#include "carom/math/predicates.h"
#include "tests/support/source.h"

#include <gmpxx.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace carom::test {

using Points = std::array<Vec3, 6>;

/// Coordinates stay in the range of the predicates: 0, or exponents -142 .. 201.
inline double into_range(double x) {
  const double a = std::fabs(x);
  if (a == 0) return 0;
  return std::copysign(std::clamp(a, 0x1p-142, 0x1.fffffffffffffp201), x);
}

inline double integer(Source& source, int reach) {
  return static_cast<double>(source.index(2 * reach + 1) - reach);
}
inline Vec3 integers(Source& source, int reach) {
  const double x = integer(source, reach);
  const double y = integer(source, reach);
  const double z = integer(source, reach);
  return {x, y, z};
}

/// Any double of the range: random, sparse or full bits.
inline double any_double(Source& source, int low_exponent, int high_exponent) {
  const double sign = source.index(2) ? -1 : 1;
  const int exponent = low_exponent + source.index(high_exponent - low_exponent + 1);
  const int form = source.index(4);
  const double mantissa = form == 0   ? 1
                          : form == 1 ? 1 + std::ldexp(1.0, -1 - source.index(52))
                          : form == 2 ? 2 - std::ldexp(1.0, -source.index(53))
                                      : 1 + source.unit();
  return sign * std::ldexp(mantissa, exponent);
}
inline Vec3 any_vector(Source& source, int low_exponent, int high_exponent) {
  const double x = any_double(source, low_exponent, high_exponent);
  const double y = any_double(source, low_exponent, high_exponent);
  const double z = any_double(source, low_exponent, high_exponent);
  return {x, y, z};
}

/// A point of the sphere |p| = 15 whose first two coordinates, in the plane case, lie on the circle |p| = 65.
inline Vec3 on_sphere(Source& source, bool plane) {
  static constexpr Vec3 sphere[] = {{15, 0, 0}, {9, 12, 0}, {5, 10, 10}, {2, 5, 14}, {2, 10, 11}};
  static constexpr Vec3 circle[] = {{65, 0, 0}, {25, 60, 1}, {39, 52, 2}, {33, 56, 3}, {16, 63, 4}};
  const int which = source.index(5);
  Vec3 p = plane ? circle[which] : sphere[which];
  if (source.index(2)) std::swap(p.x, p.y);
  if (!plane && source.index(2)) std::swap(p.y, p.z);
  if (source.index(2)) p.x = -p.x;
  if (source.index(2)) p.y = -p.y;
  if (source.index(2)) p.z = -p.z;
  return p;
}

/// Exactly degenerate or arbitrary points, before they are disturbed.
inline Points base_points(Source& source) {
  Points p;
  switch (source.index(8)) {
  case 0: // small integers: everything coincides now and then
    for (Vec3& v : p) v = integers(source, 2);
    break;
  case 1: // on an integer sphere, or cylinder for the plane
  case 2: {
    const bool plane = source.index(2) == 1;
    const Vec3 centre = integers(source, source.index(2) ? 1000 : 1 << 28);
    for (Vec3& v : p) v = on_sphere(source, plane) + centre;
    break;
  }
  case 3: // affine combinations with integer weights: coplanar, or collinear
  case 4: {
    const int reach = source.index(2) ? 10 : 1 << 24;
    const bool line = source.index(2) == 1;
    const Vec3 origin = integers(source, reach);
    const Vec3 u = integers(source, reach);
    const Vec3 v = integers(source, reach);
    for (Vec3& q : p) {
      const double s = integer(source, 20);
      const double t = line ? 0 : integer(source, 20);
      q = origin + u * s + v * t;
    }
    break;
  }
  case 5: { // the same, rounded
    const Vec3 origin = any_vector(source, -3, 3);
    const Vec3 u = any_vector(source, -3, 3);
    const Vec3 v = any_vector(source, -3, 3);
    for (Vec3& q : p) {
      const double s = source.uniform(-2, 2);
      const double t = source.uniform(-2, 2);
      q = origin + u * s + v * t;
    }
    break;
  }
  case 6:
    for (Vec3& v : p) v = any_vector(source, -142, 201);
    break;
  default: // similar sizes, far from 1
  {
    const int e = source.index(300) - 142;
    for (Vec3& v : p) v = any_vector(source, e, e + source.index(40));
  }
  }
  return p;
}

inline Points predicate_points(Source& source) {
  Points p = base_points(source);
  if (source.chance(4)) { // the ends of the range
    const double scale = std::ldexp(1.0, source.index(300) - 130);
    for (Vec3& v : p) v *= scale;
  }
  for (int i = source.index(3); i > 0; --i) { // one ulp
    const int which = source.index(6);
    const int axis = source.index(3);
    double& x = p.at(static_cast<std::size_t>(which))[axis];
    x = std::nextafter(x, source.index(2) ? INFINITY : -INFINITY);
  }
  if (source.chance(8)) {
    const int from = source.index(6);
    const int to = source.index(6);
    p.at(static_cast<std::size_t>(to)) = p.at(static_cast<std::size_t>(from));
  }
  if (source.chance(8)) {
    const int which = source.index(6);
    const int axis = source.index(3);
    p.at(static_cast<std::size_t>(which))[axis] = 0;
  }
  for (Vec3& v : p) v = {into_range(v.x), into_range(v.y), into_range(v.z)};
  return p;
}

/// Integers with the ratios of the coordinates: everything times 2^shift.
class Integers {
public:
  /// The shift, >= 0, turns the last bit of the smallest of these numbers into an integer.
  explicit Integers(const Points& points, double number = 0) {
    include(number);
    for (const Vec3& v : points) {
      for (const double x : {v.x, v.y, v.z}) include(x);
    }
  }
  [[nodiscard]] mpz_class operator()(double x) const { return mpz_class(std::ldexp(x, shift_)); }
  [[nodiscard]] std::array<mpz_class, 3> operator()(const Vec3& v) const {
    return {(*this)(v.x), (*this)(v.y), (*this)(v.z)};
  }
  /// For a number that stands beside products of two.
  [[nodiscard]] mpz_class degree_2(double x) const { return mpz_class(std::ldexp(x, 2 * shift_)); }

private:
  void include(double x) {
    int e = 53;
    if (x != 0) (void)std::frexp(x, &e);
    shift_ = std::max(shift_, 53 - e);
  }
  int shift_ = 0;
};

/// The determinant by fraction-free (Bareiss) elimination.
template<std::size_t N>
mpz_class determinant(std::array<std::array<mpz_class, N>, N> m) {
  mpz_class previous = 1;
  int sign = 1;
  for (std::size_t k = 0; k + 1 < N; ++k) {
    std::size_t pivot = k;
    while (pivot < N && m[pivot][k] == 0) ++pivot;
    if (pivot == N) return 0;
    if (pivot != k) {
      std::swap(m[pivot], m[k]);
      sign = -sign;
    }
    for (std::size_t i = k + 1; i < N; ++i) {
      for (std::size_t j = k + 1; j < N; ++j) {
        mpz_class t = m[i][j] * m[k][k] - m[i][k] * m[k][j];
        mpz_divexact(m[i][j].get_mpz_t(), t.get_mpz_t(), previous.get_mpz_t());
      }
    }
    previous = m[k][k];
  }
  return sign * m[N - 1][N - 1];
}

/// The determinant of rows (x, y, [z], [x^2 + y^2 + z^2], 1) of the first N points.
template<std::size_t N>
int homogeneous_sign(const Points& p, std::size_t dimensions) {
  const Integers scaled(p);
  std::array<std::array<mpz_class, N>, N> m;
  for (std::size_t i = 0; i < N; ++i) {
    mpz_class lift = 0;
    for (std::size_t j = 0; j < dimensions; ++j) {
      m[i][j] = scaled(p[i][static_cast<int>(j)]);
      lift += m[i][j] * m[i][j];
    }
    if (dimensions + 2 == N) m[i][dimensions] = lift;
    m[i][N - 1] = 1;
  }
  return sgn(determinant<N>(m));
}

inline mpz_class triple_of(const Integers& scaled, const Vec3& u, const Vec3& v, const Vec3& w) {
  return determinant<3>({scaled(u), scaled(v), scaled(w)});
}

/// Runs one case of the predicate numbered `which`; returns what is wrong, or nothing.
inline std::string check_predicate(int which, const Points& p, double number) {
  const auto flat = [&p](std::size_t i) { return Vec2{p[i].x, p[i].y}; };
  const Vec2 a = flat(0);
  const Vec2 b = flat(1);
  const Vec2 c = flat(2);
  const Vec2 d = flat(3);
  const auto& [u, v, w, x, y, z] = p;
  const Integers scaled(p, number);
  int want = 0;
  std::vector<int> got;     // the predicate, and its exact stage alone
  std::vector<int> flipped; // with two arguments swapped: the opposite
  switch (which) {
  case 0:
    want = homogeneous_sign<3>(p, 2);
    got = {orient2d(a, b, c), exact::orient2d(a, b, c), orient2d(b, c, a)};
    flipped = {orient2d(b, a, c), orient2d(a, c, b)};
    break;
  case 1:
    want = -homogeneous_sign<4>(p, 3);
    got = {orient3d(u, v, w, x), exact::orient3d(u, v, w, x)};
    flipped = {orient3d(v, u, w, x), orient3d(u, v, x, w), orient3d(u, w, v, x)};
    break;
  case 2:
    want = homogeneous_sign<4>(p, 2);
    got = {in_circle(a, b, c, d), exact::in_circle(a, b, c, d)};
    flipped = {in_circle(b, a, c, d), in_circle(a, b, d, c), in_circle(a, c, b, d)};
    break;
  case 3:
    want = -homogeneous_sign<5>(p, 3);
    got = {in_sphere(u, v, w, x, y), exact::in_sphere(u, v, w, x, y)};
    flipped = {in_sphere(v, u, w, x, y), in_sphere(u, v, w, y, x), in_sphere(u, x, w, v, y)};
    break;
  case 4: {
    const auto s = scaled(u);
    const auto t = scaled(v);
    want = sgn(mpz_class(s[0] * s[1] - t[0] * t[1]));
    got = {compare_products(u.x, u.y, v.x, v.y), exact::compare_products(u.x, u.y, v.x, v.y)};
    flipped = {compare_products(v.x, v.y, u.x, u.y)};
    break;
  }
  case 5: {
    const auto s = scaled(u);
    const auto t = scaled(v);
    const mpz_class inner = s[0] * t[0] + s[1] * t[1] + s[2] * t[2];
    want = sgn(mpz_class(inner - scaled.degree_2(number)));
    got = {compare_dot(u, v, number), exact::compare_dot(u, v, number)};
    flipped = {compare_dot(-u, v, -number)};
    break;
  }
  case 6:
    want = sgn(triple_of(scaled, u, v, w));
    got = {sign_of_triple(u, v, w), exact::sign_of_triple(u, v, w)};
    flipped = {sign_of_triple(v, u, w), sign_of_triple(u, w, v)};
    break;
  case 7:
    want = sgn(mpz_class(triple_of(scaled, u, v, w) - triple_of(scaled, x, y, z)));
    got = {compare_triple_products(u, v, w, x, y, z),
           exact::compare_triple_products(u, v, w, x, y, z)};
    flipped = {compare_triple_products(x, y, z, u, v, w)};
    break;
  default: {
    const auto dir = scaled(u);
    const auto o = scaled(v);
    auto s = scaled(w);
    auto t = scaled(x);
    for (std::size_t i = 0; i < 3; ++i) {
      s[i] -= o[i];
      t[i] -= o[i];
    }
    want = sgn(determinant<3>({dir, s, t}));
    got = {orient3d_direction(v, u, w, x), exact::orient3d_direction(v, u, w, x)};
    flipped = {orient3d_direction(v, u, x, w), orient3d_direction(v, -u, w, x)};
  }
  }
  const auto is = [](int sign) { return [sign](int s) { return s == sign; }; };
  if (std::all_of(got.begin(), got.end(), is(want)) &&
      std::all_of(flipped.begin(), flipped.end(), is(-want))) {
    return {};
  }
  std::string text =
      "predicate " + std::to_string(which) + ", want " + std::to_string(want) + ", got";
  for (const int s : got) text += " " + std::to_string(s);
  text += ", swapped";
  for (const int s : flipped) text += " " + std::to_string(s);
  for (const Vec3& q : p) {
    std::array<char, 120> line{};
    (void)std::snprintf(line.data(), line.size(), "\n  {%a, %a, %a}", q.x, q.y, q.z);
    text += line.data();
  }
  return text;
}

inline constexpr int predicate_count = 9;

/// One random case of one predicate; returns what is wrong, or nothing.
inline std::string check_random_predicate(Source& source) {
  const int which = source.index(predicate_count);
  Points p = predicate_points(source);
  double number = 0;
  if (which == 4 && source.index(2)) { // equal products, up to an ulp
    const double twist = std::ldexp(1.0, source.index(9) - 4);
    p[1].x = into_range(p[0].y * twist);
    p[1].y = into_range(p[0].x / twist);
  }
  if (which == 5) { // c = a.b as nearly as a double can be
    number = dot(p[0], p[1]);
    const int ulps = source.index(3);
    if (ulps) number = std::nextafter(number, ulps == 1 ? INFINITY : -INFINITY);
    if (std::fabs(number) < 0x1p-300) number = std::copysign(0x1p-300, number);
  }
  if (which == 7 && source.index(4)) { // equal triple products, disturbed or not
    const bool disturbed = source.index(2) == 1;
    const double twist = std::ldexp(1.0, source.index(9) - 4);
    p[3] = p[1] * twist;
    p[4] = p[2];
    p[5] = p[0] * (1 / twist);
    if (disturbed) p[5].x = std::nextafter(p[5].x, INFINITY);
    for (Vec3& v : p) v = {into_range(v.x), into_range(v.y), into_range(v.z)};
  }
  return check_predicate(which, p, number);
}

} // namespace carom::test
