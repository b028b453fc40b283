#include "carom/verify/check_complementarity.h"

#include "carom/math/double_double.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace carom::verify {

Verdict check_complementarity(const ComplementarityProblem& p, std::span<const double> x,
                              double tolerance) {
  if (x.size() != p.size) return Verdict::no("x has not one number a row");
  std::vector<double> w(p.size);
  double scale = 0;
  for (std::size_t i = 0; i < p.size; ++i) {
    if (!(x[i] >= p.low[i] && x[i] <= p.high[i])) return Verdict::no("x is beyond its bounds");
    DoubleDouble sum{p.constant[i]};
    double size = std::fabs(p.constant[i]);
    for (std::size_t j = 0; j < p.size; ++j) {
      const DoubleDouble term = DoubleDouble{p.matrix[i * p.size + j]} * DoubleDouble{x[j]};
      sum = sum + term;
      size += std::fabs(term.high);
    }
    w[i] = sum.high;
    scale = std::max(scale, size);
  }
  for (std::size_t i = 0; i < p.size; ++i) {
    if (x[i] > p.low[i] && !(w[i] <= tolerance * scale))
      return Verdict::off("x is above its lower bound, and w positive,", w[i] / scale);
    if (x[i] < p.high[i] && !(w[i] >= -tolerance * scale))
      return Verdict::off("x is below its upper bound, and w negative,", w[i] / scale);
  }
  return Verdict::yes();
}

} // namespace carom::verify
