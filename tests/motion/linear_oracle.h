// When four linearly moving points first touch, in rationals: by other formulas and other algebra than the library's.
//
// Polynomials in t with rational coefficients. Roots are isolated by Sturm's theorem and halving; the sign of another polynomial at a root is found by halving on until it has no root in the
// interval, after asking the greatest common divisor whether it is zero there. Inside tests are by scalar products with the moving normal (degree 4), degenerate cases by points on segments.
#pragma once

#include "carom/verify/check_linear.h"

#include <gmpxx.h>

#include <optional>
#include <vector>

namespace carom::test {

using Rational = mpq_class;

struct RationalPolynomial {
  std::vector<Rational> c; ///< of t^i; the last is not zero

  RationalPolynomial() = default;
  RationalPolynomial(std::vector<Rational> coefficients) : c(std::move(coefficients)) { // NOLINT
    while (!c.empty() && c.back() == 0) c.pop_back();
  }
  [[nodiscard]] bool zero() const { return c.empty(); }
  [[nodiscard]] Rational at(const Rational& t) const {
    Rational sum = 0;
    for (std::size_t i = c.size(); i-- > 0;) sum = sum * t + c[i];
    return sum;
  }
  [[nodiscard]] RationalPolynomial derivative() const {
    std::vector<Rational> d;
    for (std::size_t i = 1; i < c.size(); ++i) d.push_back(c[i] * static_cast<long>(i));
    return {d};
  }
};

inline RationalPolynomial operator+(const RationalPolynomial& a, const RationalPolynomial& b) {
  std::vector<Rational> sum(std::max(a.c.size(), b.c.size()));
  for (std::size_t i = 0; i < a.c.size(); ++i) sum[i] += a.c[i];
  for (std::size_t i = 0; i < b.c.size(); ++i) sum[i] += b.c[i];
  return {sum};
}
inline RationalPolynomial operator*(const RationalPolynomial& a, const RationalPolynomial& b) {
  if (a.zero() || b.zero()) return {};
  std::vector<Rational> product(a.c.size() + b.c.size() - 1);
  for (std::size_t i = 0; i < a.c.size(); ++i)
    for (std::size_t j = 0; j < b.c.size(); ++j) product[i + j] += a.c[i] * b.c[j];
  return {product};
}
inline RationalPolynomial operator-(const RationalPolynomial& a, const RationalPolynomial& b) {
  return a + b * RationalPolynomial({Rational(-1)});
}
inline RationalPolynomial remainder(RationalPolynomial a, const RationalPolynomial& b) {
  while (a.c.size() >= b.c.size()) {
    const Rational q = a.c.back() / b.c.back();
    const std::size_t shift = a.c.size() - b.c.size();
    for (std::size_t i = 0; i < b.c.size(); ++i) a.c[i + shift] -= q * b.c[i];
    a.c.pop_back();
    a = RationalPolynomial(a.c);
  }
  return a;
}
inline RationalPolynomial common_divisor(RationalPolynomial a, RationalPolynomial b) {
  while (!b.zero()) {
    RationalPolynomial r = remainder(a, b);
    a = std::move(b);
    b = std::move(r);
  }
  return a;
}

inline RationalPolynomial quotient(RationalPolynomial a, const RationalPolynomial& b) {
  std::vector<Rational> q(a.c.size() < b.c.size() ? 0 : a.c.size() - b.c.size() + 1);
  while (a.c.size() >= b.c.size()) {
    const std::size_t shift = a.c.size() - b.c.size();
    q[shift] = a.c.back() / b.c.back();
    for (std::size_t i = 0; i < b.c.size(); ++i) a.c[i + shift] -= q[shift] * b.c[i];
    a = RationalPolynomial(a.c);
  }
  return {q};
}

/// Counts distinct roots. Multiple ones are made simple first: the theorem does not hold for intervals that end at one.
class Sturm {
public:
  explicit Sturm(const RationalPolynomial& polynomial) {
    const RationalPolynomial p =
        quotient(polynomial, common_divisor(polynomial, polynomial.derivative()));
    chain_ = {p, p.derivative()};
    while (!chain_.back().zero()) {
      RationalPolynomial r = remainder(chain_[chain_.size() - 2], chain_.back());
      for (Rational& x : r.c) x = -x;
      chain_.push_back(r);
    }
    chain_.pop_back();
  }
  /// In (a, b].
  [[nodiscard]] int count(const Rational& a, const Rational& b) const {
    return changes(a) - changes(b);
  }

private:
  [[nodiscard]] int changes(const Rational& t) const {
    int n = 0;
    int last = 0;
    for (const RationalPolynomial& p : chain_) {
      const int s = sgn(p.at(t));
      if (s != 0 && s == -last) ++n;
      if (s != 0) last = s;
    }
    return n;
  }
  std::vector<RationalPolynomial> chain_;
};

/// The one root of p in (lo, hi]; or the time lo = hi.
struct RationalRoot {
  RationalPolynomial p;
  Rational lo, hi;
  const Sturm* sturm_of_p = nullptr;

  void halve() {
    if (lo == hi) return;
    const Rational middle = (lo + hi) / 2;
    (sturm_of_p->count(lo, middle) == 1 ? hi : lo) = middle;
  }
  [[nodiscard]] int sign_of(const RationalPolynomial& g) {
    if (g.zero()) return 0;
    if (lo == hi) return sgn(g.at(lo));
    const RationalPolynomial common = common_divisor(p, g);
    if (common.c.size() > 1 && Sturm(common).count(lo, hi) > 0) return 0;
    const Sturm sturm(g);
    while (sgn(g.at(lo)) == 0 || sturm.count(lo, hi) > 0) halve();
    return sgn(g.at(hi));
  }
};

class LinearOracle {
public:
  explicit LinearOracle(const verify::LinearQuery& q) : edges_(q.first_part == 2) {
    for (std::size_t i = 0; i < 4; ++i)
      for (int k = 0; k < 3; ++k) {
        const Rational a(q.points[i].from[k]);
        const Rational b(q.points[i].to[k]);
        x_[i][static_cast<std::size_t>(k)] = RationalPolynomial({a, b - a});
      }
    normal_ = edges_ ? cross(between(0, 1), between(2, 3)) : cross(between(1, 2), between(1, 3));
    volume_ = dot(between(0, 2), normal_); // also of the face: x2 is in its plane
  }

  /// The first contact, to within 2^-70; none where there is none.
  [[nodiscard]] std::optional<RationalRoot> first_contact() {
    std::optional<RationalRoot> best;
    RationalRoot start{{}, 0, 0, nullptr};
    if (touching(start)) return start;
    if (!volume_.zero()) {
      try_roots(volume_, best);
      return best;
    }
    // Within a plane, contact begins at a point on an edge; on a line, at a point on a point.
    const auto point_edge = [&](std::size_t p, std::size_t a, std::size_t b) {
      const Vector c = cross(between(p, a), between(p, b));
      if (const RationalPolynomial off = dot(c, c); !off.zero()) {
        try_roots(off, best);
        return;
      }
      for (const std::size_t e : {a, b}) {
        const Vector d = between(p, e);
        if (const RationalPolynomial off = dot(d, d); !off.zero()) try_roots(off, best);
      }
    };
    if (edges_) {
      for (const std::size_t p : {0U, 1U}) point_edge(p, 2, 3);
      for (const std::size_t p : {2U, 3U}) point_edge(p, 0, 1);
    } else {
      for (const std::size_t i : {0U, 1U, 2U}) point_edge(0, 1 + i, 1 + (i + 1) % 3);
    }
    return best;
  }

private:
  using Vector = std::array<RationalPolynomial, 3>;
  [[nodiscard]] Vector between(std::size_t a, std::size_t b) const {
    return {x_[b][0] - x_[a][0], x_[b][1] - x_[a][1], x_[b][2] - x_[a][2]};
  }
  static RationalPolynomial dot(const Vector& a, const Vector& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  }
  static Vector cross(const Vector& a, const Vector& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  }

  void try_roots(const RationalPolynomial& p, std::optional<RationalRoot>& best) {
    const Sturm sturm(p);
    std::vector<std::pair<Rational, Rational>> waiting{{0, 1}};
    while (!waiting.empty()) {
      const auto [lo, hi] = waiting.back();
      waiting.pop_back();
      const int n = sturm.count(lo, hi);
      if (n == 0) continue;
      if (n > 1) {
        const Rational middle = (lo + hi) / 2;
        waiting.emplace_back(middle, hi);
        waiting.emplace_back(lo, middle);
        continue;
      }
      RationalRoot root{p, lo, hi, &sturm};
      if (!touching(root)) continue;
      for (int i = 0; i < 70; ++i) root.halve();
      if (!best || root.lo < best->lo) best = root;
      return;
    }
  }

  bool touching(RationalRoot& t) const {
    if (t.sign_of(volume_) != 0) return false;
    return edges_ ? edges_touch(t) : vertex_touches(t);
  }
  [[nodiscard]] bool on_segment(RationalRoot& t, std::size_t p, std::size_t a,
                                std::size_t b) const {
    const Vector c = cross(between(p, a), between(p, b));
    return t.sign_of(dot(c, c)) == 0 && t.sign_of(dot(between(p, a), between(p, b))) <= 0;
  }
  bool vertex_touches(RationalRoot& t) const {
    if (t.sign_of(dot(normal_, normal_)) == 0)
      return on_segment(t, 0, 1, 2) || on_segment(t, 0, 2, 3) || on_segment(t, 0, 3, 1);
    for (const std::size_t i : {0U, 1U, 2U}) {
      const Vector c = cross(between(0, 1 + i), between(0, 1 + (i + 1) % 3));
      if (t.sign_of(dot(normal_, c)) < 0) return false;
    }
    return true;
  }
  bool edges_touch(RationalRoot& t) const {
    const RationalPolynomial n2 = dot(normal_, normal_);
    if (t.sign_of(n2) == 0)
      return on_segment(t, 0, 2, 3) || on_segment(t, 1, 2, 3) || on_segment(t, 2, 0, 1) ||
             on_segment(t, 3, 0, 1);
    // a0 + s (a1 - a0) = b0 + r (b1 - b0)
    const RationalPolynomial s = dot(cross(between(0, 2), between(2, 3)), normal_);
    const RationalPolynomial r = dot(cross(between(0, 2), between(0, 1)), normal_);
    return t.sign_of(s) >= 0 && t.sign_of(n2 - s) >= 0 && t.sign_of(r) >= 0 &&
           t.sign_of(n2 - r) >= 0;
  }

  bool edges_;
  std::array<Vector, 4> x_;
  Vector normal_;
  RationalPolynomial volume_;
};

} // namespace carom::test
