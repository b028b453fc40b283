// The exact stage: the formulas of predicates.h over expansions.
//
// Where no coordinate difference was rounded (grids, small integers, points close together) its entries are single doubles, and
// the expansions short; otherwise they are pairs. Both are exact.
//
// Range. Coordinates of exponent >= -142 are multiples of 2^-194, and everything of degree j that is formed, rounded or not, head or tail, is
// a multiple of 2^(-194 j): the halves of a split number are multiples of its last bit, products of multiples are multiples, and
// rounding keeps a multiple of a power of two one. Degree 5 gives 2^-970, above 2^-1074: no tail is lost. At the other end, everything is below
// 2^1022 (predicates.h), and the factors that are split (degree 3 at most) below 2^613, far from 2^995.
// The vectors' functions, at exponents -300 to 300: multiples of 2^-1056, and below 2^910.
#include "carom/math/predicates.h"

#include "carom/math/double_double.h"
#include "carom/math/expansion.h"

namespace carom {

namespace {

using predicate::Row2;
using predicate::Row3;

using Single = Expansion<1>;
using Pair = Expansion<2>;

Row3<Single> singles(const Vec3& v) { return {v.x, v.y, v.z}; }

bool subtracts_exactly(double a, double b) { return two_diff(a, b).error == 0; }
bool subtracts_exactly(const Vec2& a, const Vec2& b) {
  return subtracts_exactly(a.x, b.x) && subtracts_exactly(a.y, b.y);
}
bool subtracts_exactly(const Vec3& a, const Vec3& b) {
  return subtracts_exactly(a.x, b.x) && subtracts_exactly(a.y, b.y) && subtracts_exactly(a.z, b.z);
}

Row2<Single> single_difference(const Vec2& a, const Vec2& b) { return {a.x - b.x, a.y - b.y}; }
Row3<Single> single_difference(const Vec3& a, const Vec3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
Row2<Pair> pair_difference(const Vec2& a, const Vec2& b) {
  return {exact_difference(a.x, b.x), exact_difference(a.y, b.y)};
}
Row3<Pair> pair_difference(const Vec3& a, const Vec3& b) {
  return {exact_difference(a.x, b.x), exact_difference(a.y, b.y), exact_difference(a.z, b.z)};
}

Row3<DoubleDouble> long_difference(const Vec3& a, const Vec3& b) {
  const auto exact = [](double x, double y) {
    const TwoDoubles d = two_diff(x, y);
    return DoubleDouble{d.value, d.error};
  };
  return {exact(a.x, b.x), exact(a.y, b.y), exact(a.z, b.z)};
}

/// The sign of formula(points - origin).
template<class Formula, class Point, class... Points>
int sign_from(const Point& origin, Formula formula, const Points&... points) {
  if ((... && subtracts_exactly(points, origin))) {
    return formula(single_difference(points, origin)...).sign();
  }
  return formula(pair_difference(points, origin)...).sign();
}

} // namespace

namespace exact {

int orient2d(const Vec2& a, const Vec2& b, const Vec2& c) {
  return sign_from(
      a, [](const auto&... rows) { return det2(rows...); }, b, c);
}

int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  // Points that are coplanar to within rounding, but not exactly, are the commonest case that gets here: 104 bits tell them.
  const DoubleDouble volume =
      det3(long_difference(b, a), long_difference(c, a), long_difference(d, a));
  const Vec3 u = abs(b - a), v = abs(c - a), w = abs(d - a);
  // No term is greater than this, and none of the operations loses more than 2^-100 of a term or of a sum of terms.
  const double magnitude = 6 * max_abs(u) * max_abs(v) * max_abs(w);
  if (std::fabs(volume.high) > 0x1p-90 * magnitude) return sign(volume);
  return sign_from(
      a, [](const auto&... rows) { return det3(rows...); }, b, c, d);
}

int in_circle(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
  return sign_from(
      d, [](const auto&... rows) { return lifted_det3(rows...); }, a, b, c);
}

int in_sphere(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, const Vec3& e) {
  return sign_from(
      e, [](const auto&... rows) { return lifted_det4(rows...); }, a, b, c, d);
}

int orient3d_direction(const Vec3& p, const Vec3& direction, const Vec3& a, const Vec3& b) {
  const Row3<Single> along = singles(direction);
  return sign_from(
      p, [&along](const auto&... rows) { return det3(along, rows...); }, a, b);
}

int compare_products(double a, double b, double c, double d) {
  return (exact_product(a, b) - exact_product(c, d)).sign();
}

int compare_dot(const Vec3& a, const Vec3& b, double c) {
  return (inner(singles(a), singles(b)) - Single(c)).sign();
}

int sign_of_triple(const Vec3& u, const Vec3& v, const Vec3& w) {
  return det3(singles(u), singles(v), singles(w)).sign();
}

int compare_triple_products(const Vec3& u, const Vec3& v, const Vec3& w, const Vec3& x,
                            const Vec3& y, const Vec3& z) {
  return (det3(singles(u), singles(v), singles(w)) - det3(singles(x), singles(y), singles(z)))
      .sign();
}

} // namespace exact

} // namespace carom
