// Roots between separators.
//
// A *separator* is a real number where the sign of p is known and not zero, so that exactly one root lies between two neighbouring
// ones. For a quadratic with two roots it is the vertex, for a cubic with three the two critical points; plus and minus infinity
// complete them. A critical point rounded to a double mostly has the right sign too: then that double is the separator, and the
// sign changes alone prove how many roots there are. Otherwise the exact sign of the discriminant tells whether the roots are there, and
// the critical point itself is the separator. It is not a double, but lies between two neighbouring ones, being a root of the
// derivative.
//
// So a separator is kept as an Interval, of one double or of two neighbours, and a root is found by bisection over the doubles in
// between, with exact signs: lo is left of the root and hi is right of it, until they are neighbours. That stays right where a root
// and a critical point share a gap between neighbouring doubles, and where two roots do. There are less than 2^64 doubles: at
// most 64 steps that double from a first guess, then 64 that halve. With a good guess two or three do.
#include "carom/math/roots.h"

#include "carom/math/polynomial_sign.h"
#include "carom/math/product_sum.h"
#include "carom/math/quadratic.h"

#include <bit>
#include <cstdint>
#include <numeric>

namespace carom {
namespace {

/// The doubles numbered in their order: neighbours differ by one, 0 is number 0, infinity follows the greatest double.
[[nodiscard]] std::int64_t number_of(double x) {
  const auto bits = std::bit_cast<std::int64_t>(std::fabs(x));
  return x < 0 ? -bits : bits;
}
[[nodiscard]] double double_of(std::int64_t n) {
  return n < 0 ? -std::bit_cast<double>(-n) : std::bit_cast<double>(n);
}

[[nodiscard]] int sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

[[nodiscard]] Interval minus_infinity() { return {Interval::whole().lo, Interval::whole().lo}; }
[[nodiscard]] Interval plus_infinity() { return {Interval::whole().hi, Interval::whole().hi}; }

/// The root that p has between two separators, where slope * p is negative just right of `left` and positive just left of `right`.
[[nodiscard]] Interval locate(const WeightedPolynomial& p, int slope, const Interval& left,
                              const Interval& right, double guess) {
  std::int64_t lo = number_of(left.lo);
  std::int64_t hi = number_of(right.hi);
  std::int64_t at = std::isnan(guess) ? std::midpoint(lo, hi) : number_of(guess);
  std::uint64_t step = 1;
  while (lo + 1 < hi) {
    // A guess at or beyond an end: bisect from there on.
    if (at <= lo || at >= hi) {
      at = std::midpoint(lo, hi);
      step = 0;
    }
    const int s = slope * sign_at(p, double_of(at));
    if (s == 0) return double_of(at);
    (s < 0 ? lo : hi) = at;
    // Step away from the guess, twice as far each time, until the root is passed; step 0 means that it has been.
    const std::uint64_t room = static_cast<std::uint64_t>(hi) - static_cast<std::uint64_t>(lo);
    if (step == 0 || step >= room) {
      at = std::midpoint(lo, hi);
      step = 0;
      continue;
    }
    at = s < 0 ? lo + static_cast<std::int64_t>(step) : hi - static_cast<std::int64_t>(step);
    step *= 2;
  }
  return {double_of(lo), double_of(hi)};
}

/// The end of x nearer to the root of p in it: by the tangent at x.lo, is the root within half of the gap?
[[nodiscard]] double best_of(const WeightedPolynomial& p, const Interval& x) {
  if (std::isinf(x.lo)) return x.hi;
  if (std::isinf(x.hi) || x.lo == x.hi) return x.lo;
  double slope = 0;
  for (int i = p.degree; i > 0; --i)
    slope = slope * x.lo + i * p.term[static_cast<std::size_t>(i)].value;
  return std::fabs(evaluate_doubled(p, x.lo).value) > 0.5 * (x.hi - x.lo) * std::fabs(slope) ? x.hi
                                                                                             : x.lo;
}

void append(Roots& roots, const WeightedPolynomial& p, const Interval& x, int multiplicity = 1) {
  roots.root[static_cast<std::size_t>(roots.count++)] = {x, best_of(p, x), multiplicity};
}

/// The root of a polynomial of degree one, weights and all.
[[nodiscard]] Interval linear_root(const WeightedPolynomial& p) {
  return locate(p, sign(p.coefficient[1]), minus_infinity(), plus_infinity(),
                -p.term[0].value / p.term[1].value);
}

/// Roots of degree two.
[[nodiscard]] Roots quadratic(const WeightedPolynomial& p) {
  Roots roots;
  const auto& [c, b, a, unused] = p.coefficient;
  const int slope = sign(a);
  const double vertex = -p.term[1].value / (2 * p.term[2].value);
  Interval separator = vertex;
  if (!std::isfinite(vertex) || slope * sign_at(p, vertex) >= 0) {
    const int discriminant =
        sign_of_sum(std::array<Product, 2>{{{p.weight[1] * p.weight[1], {b, b, 1, 1}},
                                            {-4 * p.weight[2] * p.weight[0], {a, c, 1, 1}}}});
    if (discriminant < 0) return roots;
    const WeightedPolynomial d = derivative(p);
    separator = linear_root(d);
    if (discriminant == 0) {
      append(roots, d, separator, 2);
      return roots;
    }
  }
  const QuadraticSolution guess =
      solve_quadratic(p.term[2].value, p.term[1].value, p.term[0].value);
  append(roots, p, locate(p, -slope, minus_infinity(), separator, guess.lo));
  append(roots, p, locate(p, slope, separator, plus_infinity(), guess.hi));
  return roots;
}

/// Newton's method, as a guess: no promise.
[[nodiscard]] double newton(const WeightedPolynomial& p, double x) {
  constexpr int max_steps = 20;
  const WeightedPolynomial d = derivative(p);
  bool close = false;
  for (int i = 0; i < max_steps; ++i) {
    // Far away plain doubles do; the last step, in doubled precision, brings the error down to a rounding.
    const BoundedValue value = close ? evaluate_doubled(p, x) : evaluate(p, x);
    const double step = value.value / evaluate(d, x).value;
    if (!std::isfinite(step)) return x;
    x -= step;
    if (close) return x;
    close = std::fabs(step) <= 0x1p-26 * std::fabs(x) || std::fabs(value.value) <= value.error;
  }
  return x;
}

/// A power of two between the cube root of x > 0 and twice that.
[[nodiscard]] double cube_root_above(double x) {
  int exponent = 0;
  (void)std::frexp(x, &exponent);
  return std::ldexp(1.0, exponent > 0 ? (exponent + 2) / 3 : exponent / 3);
}

/// A point from which Newton's method falls monotonically on the only root. With x = t - b / (3 a) the polynomial over a is
/// t^3 + 3 m t + q. For q < 0 the root is positive, and the left side is convex there: start above the root. That is 2 sqrt(-m) plus the
/// cube root of -q where m < 0, and the smaller of that cube root and -q / (3 m) otherwise. For q > 0 mirrored.
[[nodiscard]] double start_for_single_root(const Polynomial& p) {
  const double centre = -p.b / p.a / 3;
  const double m = p.c / p.a / 3 - centre * centre;
  const double q = evaluate({3, {p.d, p.c, p.b, p.a}}, centre).value / p.a;
  const double size = std::fabs(q);
  double t = size > 0 ? cube_root_above(size) : 0;
  if (m < 0) t += 2 * std::sqrt(-m);
  if (m > 0 && size / (3 * m) < t) t = size / (3 * m);
  return q < 0 ? centre + t : centre - t;
}

/// 18abcd - 4b^3d + b^2c^2 - 4ac^3 - 27a^2d^2: positive with three distinct real roots, negative with one, zero with a multiple one.
[[nodiscard]] int sign_of_discriminant(const Polynomial& p) {
  const auto& [a, b, c, d] = p;
  return sign_of_sum(std::array<Product, 5>{{{18, {a, b, c, d}},
                                             {-4, {b, b, b, d}},
                                             {1, {b, b, c, c}},
                                             {-4, {a, c, c, c}},
                                             {-27, {a, a, d, d}}}});
}

/// The sign of a p(-b / (3a)): 27 a^2 times that value of p is 2b^3 - 9abc + 27a^2d.
[[nodiscard]] int sign_at_inflection(const Polynomial& p) {
  const auto& [a, b, c, d] = p;
  return sign(a) * sign_of_sum(std::array<Product, 3>{
                       {{2, {b, b, b, 1}}, {-9, {a, b, c, 1}}, {27, {a, a, d, 1}}}});
}

/// The two critical points of a cubic that has them (b^2 > 3ac), as separators, and estimates of them.
struct CriticalPoints {
  Interval first, second;
  double about_first, about_second;
};

/// A cubic with three distinct roots, one on each side of and one between the separators.
[[nodiscard]] Roots three_roots(const WeightedPolynomial& p, const CriticalPoints& k) {
  const int slope = sign(p.coefficient[3]);
  // From the critical points out, half of their distance is beyond the outer root; the middle root is nearest to the centre.
  const double half = 0.5 * (k.about_second - k.about_first);
  Roots roots;
  append(roots, p, locate(p, slope, minus_infinity(), k.first, newton(p, k.about_first - half)));
  append(roots, p, locate(p, -slope, k.first, k.second, newton(p, k.about_first + half)));
  append(roots, p, locate(p, slope, k.second, plus_infinity(), newton(p, k.about_second + half)));
  return roots;
}

/// A cubic with one critical point touching zero: a double root there, and a simple one beyond the other critical point.
[[nodiscard]] Roots double_and_simple(const Polynomial& cubic, const WeightedPolynomial& p,
                                      const CriticalPoints& k) {
  const int slope = sign(cubic.a);
  Roots roots;
  // Above zero at the inflection (with a > 0) the simple root is on the left, and the minimum on the right touches.
  if (sign_at_inflection(cubic) > 0) {
    const double start = k.about_first - 0.5 * (k.about_second - k.about_first);
    append(roots, p, locate(p, slope, minus_infinity(), k.first, newton(p, start)));
    append(roots, derivative(p), k.second, 2);
  } else {
    const double start = k.about_second + 0.5 * (k.about_second - k.about_first);
    append(roots, derivative(p), k.first, 2);
    append(roots, p, locate(p, slope, k.second, plus_infinity(), newton(p, start)));
  }
  return roots;
}

[[nodiscard]] Roots cubic_roots(const Polynomial& cubic) {
  const auto& [a, b, c, d] = cubic;
  const WeightedPolynomial p{3, {d, c, b, a}};
  const int slope = sign(a);
  const int critical = sign_of_sum(std::array<Product, 2>{{{1, {b, b, 1, 1}}, {-3, {a, c, 1, 1}}}});
  if (critical > 0) {
    const WeightedPolynomial dp = derivative(p);
    const QuadraticSolution about =
        solve_quadratic(dp.term[2].value, dp.term[1].value, dp.term[0].value);
    CriticalPoints k{about.lo, about.hi, about.lo, about.hi};
    if (about.lo < about.hi && std::isfinite(about.lo) && std::isfinite(about.hi) &&
        slope * sign_at(p, about.lo) > 0 && slope * sign_at(p, about.hi) < 0) {
      return three_roots(p, k);
    }
    const int discriminant = sign_of_discriminant(cubic);
    if (discriminant >= 0) {
      const Roots exact = quadratic(dp);
      k.first = exact.root[0].x;
      k.second = exact.root[1].x;
      return discriminant > 0 ? three_roots(p, k) : double_and_simple(cubic, p, k);
    }
  }
  Roots roots;
  if (critical == 0 && sign_at_inflection(cubic) == 0) {
    const WeightedPolynomial second = derivative(derivative(p));
    append(roots, second, linear_root(second), 3);
  } else {
    const double guess = newton(p, start_for_single_root(cubic));
    append(roots, p, locate(p, slope, minus_infinity(), plus_infinity(), guess));
  }
  return roots;
}

[[nodiscard]] bool is_finite(const Polynomial& p) {
  return std::isfinite(p.a) && std::isfinite(p.b) && std::isfinite(p.c) && std::isfinite(p.d);
}

[[nodiscard]] Roots all_roots(const Polynomial& p) {
  Roots roots;
  if (!is_finite(p)) {
    roots.finite = false;
  } else if (p.a != 0) {
    roots = cubic_roots(p);
  } else if (p.b != 0) {
    roots = quadratic({2, {p.d, p.c, p.b, 0}});
  } else if (p.c != 0) {
    const WeightedPolynomial linear{1, {p.d, p.c, 0, 0}};
    append(roots, linear, linear_root(linear));
  } else {
    roots.everywhere = p.d == 0;
  }
  return roots;
}

} // namespace

Roots real_roots(const Polynomial& p, const Interval& range) {
  const Roots all = all_roots(p);
  Roots kept = all;
  kept.count = 0;
  for (int i = 0; i < all.count; ++i) {
    // The ends of the range are doubles, or infinite: none is inside a gap between neighbours. So a gap is in the range or outside.
    const Root& r = all.root[static_cast<std::size_t>(i)];
    if (r.x.lo >= range.lo && r.x.hi <= range.hi)
      kept.root[static_cast<std::size_t>(kept.count++)] = r;
  }
  return kept;
}

Roots quadratic_roots(double a, double b, double c, const Interval& range) {
  return real_roots({0, a, b, c}, range);
}

int sign_of_polynomial(const Polynomial& p, double x) {
  return is_finite(p) ? sign_at({3, {p.d, p.c, p.b, p.a}}, x) : 0;
}

} // namespace carom
