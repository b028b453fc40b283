// With h = -b/2 the roots are (h ± sqrt(D)) / a, D = h^2 - a c. Two cancellations are to be avoided.
//   In h ± sqrt(D): the sum q without cancellation gives the root q / a, and the product of the roots, c / a, gives the other: c / q.
//   In D: where h^2 and a c agree in their leading bits, their rounding errors are what counts. They are known (error_free.h), and
// all the subtractions but the last are then exact, so D has its exact sign and a relative error of two roundings.
#include "carom/math/quadratic.h"

#include "carom/math/error_free.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

/// h^2 - a c where the two products agree to within a factor of two.
[[nodiscard]] double close_difference(double h, double a, double c) {
  const TwoDoubles hh = two_product(h, h);
  const TwoDoubles ac = two_product(a, c);
  const TwoDoubles errors = two_diff(hh.error, ac.error);
  // The first difference is exact (Sterbenz). So is the second, where it cancels; where it does not, errors.error is far below it.
  return ((hh.value - ac.value) + errors.value) + errors.error;
}

/// h^2 - a c with its exact sign, where nothing overflows or underflows. Without cancellation (|D| at least a quarter of h^2 + |a c|)
/// the roundings of the products are at most 4 roundings of D.
[[nodiscard]] double discriminant(double h, double a, double c) {
  const double hh = h * h;
  const double ac = a * c;
  const double d = hh - ac;
  return 4 * std::fabs(d) >= hh + std::fabs(ac) ? d : close_difference(h, a, c);
}

[[nodiscard]] QuadraticSolution ordered(double x, double y) {
  return {2, std::min(x, y), std::max(x, y)};
}

/// Coefficients near the ends of the range: a and c as mantissa and exponent, h and sqrt(D) in units of 2^unit, so that neither h^2
/// nor a c overflows, and the smaller of them vanishes only where it is below the last bit of the other.
[[nodiscard]] QuadraticSolution solve_scaled(double a, double b, double c) {
  int ea = 0;
  int eb = 0;
  int ec = 0;
  const double ma = std::frexp(a, &ea);
  const double mb = std::frexp(b, &eb);
  const double mc = std::frexp(c, &ec);
  // Zero has any exponent: take the one that leaves the other product in charge.
  if (c == 0) ec = 2 * eb - ea;
  if (b == 0) eb = (ea + ec) / 2;
  const int unit = std::max(eb, (ea + ec) / 2);
  const double h = std::ldexp(-mb, eb - 1 - unit);
  const double d = discriminant(h, std::ldexp(ma, ea + ec - 2 * unit), mc);
  if (d < 0) return {};
  if (d == 0) {
    const double x = std::ldexp(h / ma, unit - ea);
    return {1, x, x};
  }
  const double q = h + std::copysign(std::sqrt(d), h);
  return ordered(std::ldexp(q / ma, unit - ea), std::ldexp(mc / q, ec - unit));
}

} // namespace

QuadraticSolution solve_quadratic(double a, double b, double c) {
  const double h = -0.5 * b;
  const double size = h * h + std::fabs(a * c);
  // Far from the ends, products and their errors are exact. (A factor beyond 2^900 could not be split.)
  const bool tame =
      size > 0x1p-900 && size < 0x1p900 && std::fabs(a) < 0x1p900 && std::fabs(c) < 0x1p900;
  if (tame && a != 0) {
    const double d = discriminant(h, a, c);
    if (d < 0) return {};
    if (d == 0) return {1, h / a, h / a};
    const double q = h + std::copysign(std::sqrt(d), h);
    return ordered(q / a, c / q);
  }
  if (!std::isfinite(a) || !std::isfinite(b) || !std::isfinite(c)) return {};
  if (a != 0) return solve_scaled(a, b, c);
  if (b == 0) return {};
  return {1, -c / b, -c / b};
}

} // namespace carom
