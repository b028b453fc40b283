// Exact counts of real roots: Sturm sequences over the rationals. The oracle of the root finders.
#pragma once

#include <gmpxx.h>

#include <cmath>
#include <utility>
#include <vector>

namespace carom::test {

/// A polynomial over the rationals: lowest coefficient first, no leading zeros. Zero is empty.
using Exact = std::vector<mpq_class>;

inline Exact trimmed(Exact p) {
  while (!p.empty() && p.back() == 0) p.pop_back();
  return p;
}

inline Exact derivative_of(const Exact& p) {
  Exact d;
  for (std::size_t i = 1; i < p.size(); ++i) d.push_back(p[i] * static_cast<int>(i));
  return trimmed(d);
}

/// {quotient, remainder}
inline std::pair<Exact, Exact> divide(Exact p, const Exact& q) {
  Exact quotient(p.size() >= q.size() ? p.size() - q.size() + 1 : 0);
  while (p.size() >= q.size() && !p.empty()) {
    const std::size_t shift = p.size() - q.size();
    const mpq_class f = p.back() / q.back();
    quotient[shift] = f;
    for (std::size_t i = 0; i < q.size(); ++i) p[i + shift] -= f * q[i];
    p.pop_back();
    p = trimmed(p);
  }
  return {quotient, p};
}

inline Exact gcd_of(Exact p, Exact q) {
  while (!q.empty()) {
    Exact r = divide(p, q).second;
    p = std::move(q);
    q = std::move(r);
  }
  return p;
}

inline int sign_of(const Exact& p, double x) {
  if (p.empty()) return 0;
  if (std::isinf(x)) return x > 0 || p.size() % 2 == 1 ? sgn(p.back()) : -sgn(p.back());
  mpq_class v = 0;
  for (std::size_t i = p.size(); i-- > 0;) v = v * mpq_class(x) + p[i];
  return sgn(v);
}

/// Counts the distinct real roots of a polynomial that is not zero.
class Sturm {
public:
  explicit Sturm(const Exact& p) {
    if (p.size() < 2) return;
    chain_.push_back(divide(p, gcd_of(p, derivative_of(p))).first);
    chain_.push_back(derivative_of(chain_[0]));
    while (chain_.back().size() > 1) {
      Exact r = divide(chain_[chain_.size() - 2], chain_.back()).second;
      for (mpq_class& x : r) x = -x;
      if (r.empty()) break;
      chain_.push_back(r);
    }
  }
  /// Distinct roots in the open interval.
  [[nodiscard]] int inside(double lo, double hi) const {
    if (chain_.empty()) return 0;
    return changes(lo) - changes(hi) - (!std::isinf(hi) && sign_of(chain_[0], hi) == 0 ? 1 : 0);
  }
  /// Distinct roots in the point or open gap of an enclosure.
  [[nodiscard]] int in(const Interval& x) const {
    if (chain_.empty()) return 0;
    return x.lo == x.hi ? sign_of(chain_[0], x.lo) == 0 : inside(x.lo, x.hi);
  }

private:
  [[nodiscard]] int changes(double x) const {
    int count = 0;
    int last = 0;
    for (const Exact& p : chain_) {
      const int s = sign_of(p, x);
      if (s == 0) continue;
      if (last != 0 && s != last) ++count;
      last = s;
    }
    return count;
  }
  std::vector<Exact> chain_;
};

} // namespace carom::test
