// An active set: some variables are free, the rest are held. The free ones are where w is 0. As long as a held one has a w that would draw it away from its bound, the worst of these is let go, and the free ones move until all their
// w are 0 again; one that meets a bound on the way is held there, and the rest go on. Each variable that is let go makes x A x / 2 + b x less, so no set comes back, and there is an end. (Dantzig's pivoting by Cottle, which Baraff used
// for contact forces, walks through the same sets one variable after the other.)
//
// Where A is singular, one that depends on the free ones moves with them along a line on which w of the free stays, until one of them meets a bound; if b = A y for some y, there is no such line to go down.
//
// The Cholesky factor of the free rows is kept: a new row is added at its end, one that leaves is taken out by plane rotations.
#include "carom/math/complementarity.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

/// What is less than this part of the terms of a sum is rounding.
constexpr double rounding = 1e-13;
/// A row whose rest, once the others are taken out, is less than this part of its diagonal depends on them.
constexpr double dependent = 1e-11;
/// The w of a row that depends on free ones, whose w are 0, is 0 as well where b = A y: up to so many times rounding, that is what it is.
constexpr double consistent = 1e4;
constexpr std::size_t nobody = static_cast<std::size_t>(-1);

bool sound(const ComplementarityProblem& p) {
  const std::size_t n = p.size;
  if (p.constant.size() != n || p.low.size() != n || p.high.size() != n) return false;
  if (p.matrix.size() != n * n) return false;
  for (std::size_t i = 0; i < n; ++i)
    if (!std::isfinite(p.constant[i]) || !(p.low[i] <= p.high[i]) || p.low[i] == INFINITY ||
        p.high[i] == -INFINITY)
      return false;
  return std::all_of(p.matrix.begin(), p.matrix.end(), [](double m) { return std::isfinite(m); });
}

class Search {
public:
  Search(const ComplementarityProblem& p, std::span<const double> start)
      : p_(p), x_(p.size), w_(p.size), noise_(p.size), place_(p.size, nobody), settled_(p.size, 0) {
    for (std::size_t i = 0; i < p.size; ++i) {
      const double wish = start.size() == p.size && std::isfinite(start[i]) ? start[i] : 0;
      x_[i] = std::clamp(wish, p.low[i], p.high[i]);
    }
    for (std::size_t i = 0; i < p.size; ++i)
      if (start.size() == p.size && x_[i] > p.low[i] && x_[i] < p.high[i] && x_[i] != 0) add(i);
  }

  Complementarity run() {
    Complementarity answer;
    const int most = 100 + 20 * static_cast<int>(p_.size);
    measure();
    // A first guess has free ones whose w is not 0.
    if (!free_.empty()) settle(answer);
    while (answer.status == ComplementarityStatus::solved) {
      const std::size_t next = worst();
      if (next == nobody) break;
      if (answer.pivots > most) {
        answer.status = ComplementarityStatus::stopped;
        break;
      }
      ++answer.pivots;
      if (add(next))
        settle(answer);
      else
        slide(next, answer);
    }
    answer.x = std::move(x_);
    answer.w = std::move(w_);
    return answer;
  }

private:
  [[nodiscard]] double at(std::size_t i, std::size_t j) const { return p_.matrix[i * p_.size + j]; }

  /// By columns, which are the rows: many x are 0.
  void measure() {
    for (std::size_t i = 0; i < p_.size; ++i) {
      w_[i] = p_.constant[i];
      noise_[i] = std::fabs(w_[i]);
    }
    for (std::size_t j = 0; j < p_.size; ++j) {
      const double x = x_[j];
      if (x == 0) continue;
      const double* column = p_.matrix.data() + j * p_.size;
      for (std::size_t i = 0; i < p_.size; ++i) {
        const double term = column[i] * x;
        w_[i] += term;
        noise_[i] += std::fabs(term);
      }
    }
    for (double& n : noise_) n *= rounding;
  }

  /// Of the held ones that w draws off, the one with the greatest w; the first of equals.
  [[nodiscard]] std::size_t worst() const {
    std::size_t found = nobody;
    double most = 0;
    for (std::size_t i = 0; i < p_.size; ++i) {
      if (place_[i] != nobody || settled_[i] != 0) continue;
      const bool draws =
          w_[i] < -noise_[i] ? x_[i] < p_.high[i] : w_[i] > noise_[i] && x_[i] > p_.low[i];
      if (!draws || !(std::fabs(w_[i]) > most)) continue;
      most = std::fabs(w_[i]);
      found = i;
    }
    return found;
  }

  /// Row i of the factor if it came next: L y = the column of A.
  [[nodiscard]] std::vector<double> next_row(std::size_t i) const {
    std::vector<double> y(free_.size() + 1);
    double rest = at(i, i);
    for (std::size_t r = 0; r < free_.size(); ++r) {
      double sum = at(i, free_[r]);
      for (std::size_t c = 0; c < r; ++c) sum -= rows_[r][c] * y[c];
      y[r] = sum / rows_[r][r];
      rest -= y[r] * y[r];
    }
    y.back() = rest;
    return y;
  }

  /// False where it depends on the free ones: then nothing has changed.
  bool add(std::size_t i) {
    std::vector<double> row = next_row(i);
    if (!(row.back() > dependent * at(i, i))) return false;
    row.back() = std::sqrt(row.back());
    place_[i] = free_.size();
    free_.push_back(i);
    rows_.push_back(std::move(row));
    return true;
  }

  /// Takes row k out; the rows below have one entry too many, which rotations of columns remove.
  void remove(std::size_t i) {
    const std::size_t k = place_[i];
    place_[i] = nobody;
    std::fill(settled_.begin(), settled_.end(), char{0});
    free_.erase(free_.begin() + static_cast<std::ptrdiff_t>(k));
    rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(k));
    for (std::size_t r = k; r < rows_.size(); ++r) {
      place_[free_[r]] = r;
      const double a = rows_[r][r], b = rows_[r][r + 1], l = std::sqrt(a * a + b * b);
      const double c = l > 0 ? a / l : 1, s = l > 0 ? b / l : 0;
      for (std::size_t q = r; q < rows_.size(); ++q) {
        const double u = rows_[q][r], v = rows_[q][r + 1];
        rows_[q][r] = c * u + s * v;
        rows_[q][r + 1] = c * v - s * u;
      }
      rows_[r].resize(r + 1);
    }
  }

  /// A_FF d = right, for the free ones.
  [[nodiscard]] std::vector<double> solve(std::vector<double> d) const {
    const std::size_t n = free_.size();
    for (std::size_t r = 0; r < n; ++r) {
      for (std::size_t c = 0; c < r; ++c) d[r] -= rows_[r][c] * d[c];
      d[r] /= rows_[r][r];
    }
    for (std::size_t r = n; r-- > 0;) {
      for (std::size_t q = r + 1; q < n; ++q) d[r] -= rows_[q][r] * d[q];
      d[r] /= rows_[r][r];
    }
    return d;
  }

  /// How far i may go along d before a bound: and not beyond t.
  void limit(std::size_t i, double d, double& t, std::size_t& who) const {
    const double bound = d < 0 ? p_.low[i] : p_.high[i];
    if (!(d != 0) || std::isinf(bound)) return;
    const double reach = std::max(0.0, (bound - x_[i]) / d);
    if (reach < t) {
      t = reach;
      who = i;
    }
  }
  void hold(std::size_t i, double d) {
    x_[i] = d < 0 ? p_.low[i] : p_.high[i];
    if (place_[i] != nobody) remove(i);
  }

  /// Moves the free ones until their w are 0, holding those that meet a bound.
  void settle(Complementarity& answer) {
    for (;;) {
      std::vector<double> d(free_.size());
      for (std::size_t r = 0; r < free_.size(); ++r) d[r] = -w_[free_[r]];
      d = solve(std::move(d));
      double t = 1;
      std::size_t who = nobody;
      for (std::size_t r = 0; r < free_.size(); ++r) limit(free_[r], d[r], t, who);
      for (std::size_t r = 0; r < free_.size(); ++r) {
        const std::size_t i = free_[r];
        x_[i] = std::clamp(x_[i] + t * d[r], p_.low[i], p_.high[i]);
      }
      if (who != nobody) {
        hold(who, d[place_[who]]);
        ++answer.pivots;
      }
      measure();
      if (who == nobody || free_.empty()) return;
    }
  }

  /// `next` depends on the free ones: all go along the line on which their w stay, until one meets a bound.
  void slide(std::size_t next, Complementarity& answer) {
    if (std::fabs(w_[next]) <= consistent * noise_[next]) {
      settled_[next] = 1;
      return;
    }
    const double way = w_[next] < 0 ? 1 : -1;
    std::vector<double> d(free_.size());
    for (std::size_t r = 0; r < free_.size(); ++r) d[r] = -way * at(next, free_[r]);
    d = solve(std::move(d));
    double t = INFINITY;
    std::size_t who = nobody;
    for (std::size_t r = 0; r < free_.size(); ++r) limit(free_[r], d[r], t, who);
    limit(next, way, t, who);
    if (!(t < INFINITY)) {
      answer.status = ComplementarityStatus::none;
      return;
    }
    for (std::size_t r = 0; r < free_.size(); ++r) {
      const std::size_t i = free_[r];
      x_[i] = std::clamp(x_[i] + t * d[r], p_.low[i], p_.high[i]);
    }
    x_[next] = std::clamp(x_[next] + t * way, p_.low[next], p_.high[next]);
    if (who == next) {
      hold(next, way);
    } else if (who != nobody) {
      hold(who, d[place_[who]]);
      ++answer.pivots;
    }
    measure();
    if (!free_.empty()) settle(answer);
  }

  const ComplementarityProblem& p_;
  std::vector<double> x_, w_, noise_;
  std::vector<std::size_t> place_; ///< among the free ones
  std::vector<char> settled_;      ///< held ones that depend on the free ones, and agree with them
  std::vector<std::size_t> free_;
  std::vector<std::vector<double>> rows_; ///< of the factor, lower triangular
};

} // namespace

Complementarity solve_complementarity(const ComplementarityProblem& problem,
                                      std::span<const double> start) {
  if (!sound(problem)) return {.x = {}, .w = {}, .status = ComplementarityStatus::bad_input};
  return Search(problem, start).run();
}

} // namespace carom
