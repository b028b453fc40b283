// Exact arithmetic on sums of doubles.
//
// An Expansion<N> is a real number written as a sum of at most N doubles: increasing in magnitude, none of them zero, and
// *nonoverlapping*: the bits of each lie wholly above those of the one before (Shewchuk 1997). So the last term outweighs the sum of
// the others: it has the sign of the whole. Sums and products of such
// numbers are exact, and their sizes known when compiling, so a polynomial of doubles has an exact sign without a heap:
//
//   const auto d = exact_product(a, b) - exact_product(c, d);   // Expansion<4>
//   d.sign();                                                   // of a b - c d, exactly
//
// Range: exact as long as nothing overflows and every product formed is a multiple of 2^-1074. Enough for a polynomial of degree k
// in coordinates that are multiples of 2^-m: k m <= 1074, and the sum of the absolute values of its terms below 2^995.
// Outside of the range (or with NaN or infinity) the value is meaningless, but nothing else happens: the counts of terms hold whatever the
// terms are.
//
// Capacity: sums of N and M terms have up to N + M, products up to 2 N M. From `max_terms` on the capacity grows no more: a longer
// result is compressed, and all the bits of a double's range fit in so few compressed terms.
#pragma once

#include "carom/math/error_free.h"

#include <cmath>

namespace [[gnu::visibility("default")]] carom {

namespace expansion {

/// A compressed expansion has at most this many terms: the exponents of neighbours differ by at least 52 (see compress), and
/// there are 2098 exponents, from -1074 to 1023; (2098 - 1) / 52 + 1 = 41.
inline constexpr int max_terms = 41;

[[nodiscard]] constexpr int capped(int terms) { return terms < max_terms ? terms : max_terms; }
[[nodiscard]] constexpr int greater(int a, int b) { return a > b ? a : b; }

/// h = e + f; returns the number of terms of h, at most m + n. h may not overlap e or f in memory.
/// Merges the terms by magnitude and adds them from the smallest on. A rounding error is not final at once: the next term may reach
/// below it, so it first goes through one more addition. Then h is nonoverlapping when e and f are (Shewchuk's linear expansion
/// sum). The faster sum that skips this needs more than nonoverlapping inputs.
constexpr int add(const double* e, int m, const double* f, int n, double* h) {
  const auto magnitude = [](double x) { return x < 0 ? -x : x; };
  int i = 0;
  int j = 0;
  const auto take = [&] {
    const bool from_e = j == n || (i < m && magnitude(e[i]) < magnitude(f[j]));
    // The analyser does not see that the first m and n terms are set.
    return from_e ? e[i++] : f[j++]; // NOLINT
  };
  if (m + n == 0) return 0;
  TwoDoubles sum = {take(), 0};
  if (m + n > 1) sum = two_sum(sum.value, take());
  int size = 0;
  for (int k = 2; k < m + n; ++k) {
    const TwoDoubles next = fast_two_sum(take(), sum.error);
    if (next.error != 0) h[size++] = next.error;
    sum = two_sum(sum.value, next.value);
  }
  if (sum.error != 0) h[size++] = sum.error;
  if (sum.value != 0) h[size++] = sum.value;
  return size;
}

/// h = e b; returns the number of terms of h, at most 2 m. h may not overlap e in memory.
/// h is nonoverlapping when e is (Shewchuk's theorem 19).
constexpr int scale(const double* e, int m, double b, double* h) {
  if (m == 0) return 0;
  const TwoDoubles b_halves = split(b);
  const TwoDoubles first = two_product(e[0], b, b_halves); // NOLINT: the analyzer loses track of m
  double sum = first.value;
  int size = 0;
  if (first.error != 0) h[size++] = first.error;
  for (int i = 1; i < m; ++i) {
    const TwoDoubles product = two_product(e[i], b, b_halves);
    const TwoDoubles low = two_sum(sum, product.error);
    if (low.error != 0) h[size++] = low.error;
    const TwoDoubles high = fast_two_sum(product.value, low.value);
    if (high.error != 0) h[size++] = high.error;
    sum = high.value;
  }
  if (sum != 0) h[size++] = sum;
  return size;
}

/// Rewrites e, in place, with at most max_terms terms; returns their number.
///
/// Downward first: the largest terms are added until a rounding error is left; the sum is a finished term, the error starts the next.
/// That error is at most half an ulp of the finished term, and the terms still to come add less than one unit of its own last bit,
/// so the next finished term is at most one ulp: its exponent is smaller by 52 at least. Then upward, which makes no more terms, and
/// leaves them nonoverlapping again (Shewchuk's theorem 23).
constexpr int compress(double* e, int m) {
  if (m == 0) return 0;
  int bottom = m - 1;
  double sum = e[m - 1];
  for (int i = m - 2; i >= 0; --i) {
    const TwoDoubles s = fast_two_sum(sum, e[i]);
    sum = s.value;
    if (s.error != 0) {
      e[bottom--] = s.value;
      sum = s.error;
    }
  }
  e[bottom] = sum;
  // Out of range the bound may fail; then the smallest terms are dropped, rather than memory overrun.
  bottom = greater(bottom, m - max_terms);
  sum = e[bottom];
  int size = 0;
  for (int i = bottom + 1; i < m; ++i) {
    const TwoDoubles s = fast_two_sum(e[i], sum);
    sum = s.value;
    if (s.error != 0) e[size++] = s.error;
  }
  if (sum != 0) e[size++] = sum;
  return size;
}

} // namespace expansion

template<int N>
class Expansion {
  static_assert(N >= 1);

public:
  static constexpr int capacity = N;

  /// Zero. The storage is left as it is.
  constexpr Expansion() {} // NOLINT: `= default` would zero the storage of Expansion<N>{}

  /// A double is an expansion of one term, or of none when zero.
  constexpr Expansion(double x) : size_(x != 0 ? 1 : 0) { term_[0] = x; }

  /// The exact sum value + error of an error-free transformation.
  constexpr explicit Expansion(const TwoDoubles& x) requires(N >= 2) {
    if (x.error != 0) term_[size_++] = x.error;
    if (x.value != 0) term_[size_++] = x.value;
  }

  /// The same number in a greater capacity.
  template<int M>
  requires(M < N) constexpr Expansion(const Expansion<M>& other) : size_(other.size()) {
    for (int i = 0; i < size_; ++i) term_[i] = other[i];
  }

  constexpr Expansion(const Expansion& other) : size_(other.size_) {
    for (int i = 0; i < size_; ++i) term_[i] = other.term_[i];
  }
  constexpr Expansion& operator=(const Expansion& other) {
    if (this == &other) return *this;
    size_ = other.size_;
    for (int i = 0; i < size_; ++i) term_[i] = other.term_[i];
    return *this;
  }

  [[nodiscard]] constexpr int size() const { return size_; }
  /// Term i, 0 <= i < size(), in increasing magnitude.
  [[nodiscard]] constexpr double operator[](int i) const { return term_[i]; }
  [[nodiscard]] constexpr const double* data() const { return term_; }

  /// -1, 0 or 1: the sign of the number, exactly.
  [[nodiscard]] constexpr int sign() const {
    return size_ == 0 ? 0 : term_[size_ - 1] > 0 ? 1 : -1;
  }

  /// A double close to the number: the terms added from the smallest on. The relative error is below 2^-51, and the sign is right.
  [[nodiscard]] constexpr double estimate() const {
    double sum = 0;
    for (int i = 0; i < size_; ++i) sum += term_[i];
    return sum;
  }

  [[nodiscard]] constexpr Expansion operator-() const {
    Expansion r;
    r.size_ = size_;
    for (int i = 0; i < size_; ++i) r.term_[i] = -term_[i];
    return r;
  }

  template<int A, int B>
  friend constexpr Expansion<expansion::capped(A + B)> operator+(const Expansion<A>& a,
                                                                 const Expansion<B>& b);
  template<int A>
  friend constexpr Expansion<expansion::capped(2 * A)> operator*(const Expansion<A>& a, double b);
  template<int A, int B>
  friend constexpr Expansion<expansion::capped(2 * A * B)> operator*(const Expansion<A>& a,
                                                                     const Expansion<B>& b);

private:
  /// Takes the m terms of a work array, which it may overwrite.
  constexpr void take(double* e, int m) {
    size_ = m <= N ? m : expansion::compress(e, m);
    for (int i = 0; i < size_; ++i) term_[i] = e[i];
  }

  int size_ = 0;
  double term_[N];
};

template<int A, int B>
[[nodiscard]] constexpr Expansion<expansion::capped(A + B)> operator+(const Expansion<A>& a,
                                                                      const Expansion<B>& b) {
  Expansion<expansion::capped(A + B)> r;
  if constexpr (A + B <= expansion::max_terms) {
    r.size_ = expansion::add(a.data(), a.size(), b.data(), b.size(), r.term_);
  } else {
    double work[A + B];
    r.take(work, expansion::add(a.data(), a.size(), b.data(), b.size(), work));
  }
  return r;
}

template<int A, int B>
[[nodiscard]] constexpr Expansion<expansion::capped(A + B)> operator-(const Expansion<A>& a,
                                                                      const Expansion<B>& b) {
  return a + -b;
}

template<int A>
[[nodiscard]] constexpr Expansion<expansion::capped(2 * A)> operator*(const Expansion<A>& a,
                                                                      double b) {
  Expansion<expansion::capped(2 * A)> r;
  double work[2 * A];
  r.take(work, expansion::scale(a.data(), a.size(), b, work));
  return r;
}
template<int A>
[[nodiscard]] constexpr Expansion<expansion::capped(2 * A)> operator*(double a,
                                                                      const Expansion<A>& b) {
  return b * a;
}

/// The longer factor times each term of the shorter, added up.
template<int A, int B>
[[nodiscard]] constexpr Expansion<expansion::capped(2 * A * B)> operator*(const Expansion<A>& a,
                                                                          const Expansion<B>& b) {
  constexpr int longest = 2 * expansion::greater(A, B);
  constexpr int capacity = expansion::capped(2 * A * B);
  const bool a_is_longer = a.size() >= b.size();
  const double* longer = a_is_longer ? a.data() : b.data();
  const double* shorter = a_is_longer ? b.data() : a.data();
  const int m = a_is_longer ? a.size() : b.size();
  const int n = a_is_longer ? b.size() : a.size();
  Expansion<capacity> sum;
  for (int i = 0; i < n; ++i) {
    double scaled[longest];
    double work[capacity + longest];
    const int size = expansion::scale(longer, m, shorter[i], scaled);
    sum.take(work, expansion::add(sum.data(), sum.size(), scaled, size, work));
  }
  return sum;
}

/// a + b, a - b and a b of doubles, exactly.
[[nodiscard]] constexpr Expansion<2> exact_sum(double a, double b) {
  return Expansion<2>(two_sum(a, b));
}
[[nodiscard]] constexpr Expansion<2> exact_difference(double a, double b) {
  return Expansion<2>(two_diff(a, b));
}
[[nodiscard]] constexpr Expansion<2> exact_product(double a, double b) {
  return Expansion<2>(two_product(a, b));
}

} // namespace carom
