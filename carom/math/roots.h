// The real roots of polynomials of degree three at most, each with its proof.
//
// The coefficients are taken as exact real numbers. All decisions (how many roots, of which multiplicity, on which side of a double) are
// exact signs, so the answer is right for *all* finite coefficients: roots that nearly coincide, double and triple roots, leading
// coefficients that are zero or so small that a root lies beyond the range of double. Only the speed depends on the case: the usual
// ones are decided by filters in plain and doubled precision.
//
// Where a few roundings of error do no harm, solve_quadratic in quadratic.h is some twenty times faster.
#pragma once

#include "carom/math/interval.h"

#include <array>

namespace [[gnu::visibility("default")]] carom {

/// a x^3 + b x^2 + c x + d. Leading coefficients may be zero.
struct Polynomial {
  double a = 0, b = 0, c = 0, d = 0;
};

struct Root {
  /// Where it is. Either a single double, x.lo = x.hi, which is the root exactly. Or two neighbouring doubles, with the root strictly
  /// between them. A root beyond the greatest double lies between that and infinity.
  ///
  /// Of the polynomial's distinct roots, none other is in that point or open gap, unless several roots lie between the same two
  /// neighbouring doubles: then each has its own entry, with the same x.
  Interval x;
  /// An end of x, finite: the one nearer to the root, as far as an estimate tells.
  double best = 0;
  /// 1: the polynomial changes sign. 2: it touches zero, and keeps its sign. 3: it changes sign, with a horizontal tangent.
  int multiplicity = 1;
};

struct Roots {
  int count = 0;              ///< distinct roots, 0 to 3
  std::array<Root, 3> root{}; ///< the first `count` are set, in ascending order
  bool everywhere = false; ///< the polynomial is zero: every number is a root, and none is listed
  bool finite = true;      ///< false where a coefficient is NaN or infinite; then no root is listed
};

/// The roots in `range`, which is closed: a root exactly at an end counts. A range with lo > hi or NaN holds none. `everywhere` does
/// not depend on the range.
[[nodiscard]] Roots real_roots(const Polynomial& p, const Interval& range = Interval::whole());

/// The roots of a x^2 + b x + c: real_roots of {0, a, b, c}.
[[nodiscard]] Roots quadratic_roots(double a, double b, double c,
                                    const Interval& range = Interval::whole());

/// -1, 0 or 1: the exact sign of p at x, for all finite coefficients and x. At an infinite x, the sign of the limit. 0 where a number is NaN
/// or a coefficient infinite.
[[nodiscard]] int sign_of_polynomial(const Polynomial& p, double x);

} // namespace carom
