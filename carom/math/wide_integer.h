// Integers of a fixed capacity, without a heap: what exact decisions about polynomials with integer coefficients need.
//
// A sign and a magnitude in words of 64 bits, as many as the number takes: small numbers cost little. Sums, differences and products are exact.
// What would reach beyond the capacity is the caller's mistake: its upper bits are lost, and nothing else happens.
#pragma once

#include "carom/math/integer.h"

#include <bit>
#include <cmath>
#include <cstdint>

namespace [[gnu::visibility("default")]] carom {

/// The capacity is in words of 64 bits.
template<int Capacity>
class WideInteger {
public:
  static constexpr int capacity = Capacity;

  /// Zero. The storage is left as it is.
  WideInteger() {} // NOLINT: `= default` would zero the storage of WideInteger{}
  WideInteger(std::int64_t value)
      : WideInteger(value < 0 ? 0 - static_cast<std::uint64_t>(value)
                              : static_cast<std::uint64_t>(value),
                    0, value < 0) {}
  /// magnitude 2^shift, shift >= 0, with a sign.
  WideInteger(std::uint64_t magnitude, int shift, bool negative) : negative_(negative) {
    const int words = shift / 64;
    const int rest = shift % 64;
    if (magnitude == 0 || words + 2 > capacity) return;
    for (int i = 0; i < words; ++i) word_[i] = 0;
    word_[words] = magnitude << rest;
    word_[words + 1] = rest == 0 ? 0 : magnitude >> (64 - rest);
    size_ = words + 2;
    trim();
  }
  WideInteger(const WideInteger& other) { *this = other; }
  /// The same number in a greater capacity.
  template<int Less>
  requires(Less < Capacity) WideInteger(const WideInteger<Less>& other)
      : size_(other.size_), negative_(other.negative_) {
    for (int i = 0; i < size_; ++i) word_[i] = other.word_[i];
  }
  WideInteger& operator=(const WideInteger& other) {
    if (this == &other) return *this;
    size_ = other.size_;
    negative_ = other.negative_;
    for (int i = 0; i < size_; ++i) word_[i] = other.word_[i];
    return *this;
  }

  /// -1, 0 or 1.
  [[nodiscard]] int sign() const { return size_ == 0 ? 0 : negative_ ? -1 : 1; }
  /// The position of the highest bit that is set, from 1; 0 for zero.
  [[nodiscard]] int bits() const {
    return size_ == 0 ? 0 : 64 * size_ - std::countl_zero(word_[size_ - 1]);
  }
  /// How often 2 divides it; 0 for zero.
  [[nodiscard]] int trailing_zeros() const {
    int i = 0;
    while (i < size_ && word_[i] == 0) ++i;
    return i == size_ ? 0 : 64 * i + std::countr_zero(word_[i]);
  }
  /// The number times 2^exponent, off by less than 2^-52 of it. Zero where its last bits would be below the normal doubles, infinite where it is too great.
  [[nodiscard]] double times_power_of_two(int exponent) const {
    if (size_ == 0) return 0;
    // The upper 64 bits: what is below them is less than 2^-63 of the whole.
    const std::uint64_t high = word_[size_ - 1];
    const int shift = std::countl_zero(high);
    const std::uint64_t low = size_ > 1 && shift > 0 ? word_[size_ - 2] >> (64 - shift) : 0;
    const int power = 64 * (size_ - 1) - shift + exponent;
    const double top = power_of_two(power) * static_cast<double>(high << shift | low);
    return negative_ ? -top : top;
  }

  void negate() { negative_ = !negative_; }
  [[nodiscard]] WideInteger operator-() const {
    WideInteger r = *this;
    r.negate();
    return r;
  }
  /// Divides by 2^shift, which must divide it.
  void shift_right(int shift) {
    const int words = shift / 64;
    const int rest = shift % 64;
    for (int i = words; i < size_; ++i) {
      const std::uint64_t above = i + 1 < size_ && rest != 0 ? word_[i + 1] << (64 - rest) : 0;
      word_[i - words] = word_[i] >> rest | above;
    }
    size_ = size_ > words ? size_ - words : 0;
    trim();
  }

  WideInteger& operator+=(const WideInteger& b) {
    set_sum(*this, b, b.negative_);
    return *this;
  }
  WideInteger& operator-=(const WideInteger& b) {
    set_sum(*this, b, !b.negative_);
    return *this;
  }
  friend WideInteger operator+(const WideInteger& a, const WideInteger& b) {
    WideInteger r;
    r.set_sum(a, b, b.negative_);
    return r;
  }
  friend WideInteger operator-(const WideInteger& a, const WideInteger& b) {
    WideInteger r;
    r.set_sum(a, b, !b.negative_);
    return r;
  }
  friend WideInteger operator*(const WideInteger& a, const WideInteger& b) {
    WideInteger r;
    const int n = a.size_ + b.size_;
    if (a.size_ == 0 || b.size_ == 0 || n > capacity) return r;
    for (int i = 0; i < n; ++i) r.word_[i] = 0;
    for (int i = 0; i < a.size_; ++i) {
      std::uint64_t carry = 0;
      for (int j = 0; j < b.size_; ++j)
        carry = multiply_add(a.word_[i], b.word_[j], carry, r.word_[i + j]);
      r.word_[i + b.size_] = carry;
    }
    r.size_ = n;
    r.negative_ = a.negative_ != b.negative_;
    r.trim();
    return r;
  }
  friend bool operator==(const WideInteger& a, const WideInteger& b) { return (a - b).sign() == 0; }

private:
  template<int>
  friend class WideInteger;

  /// 2^power; 0 or infinity beyond the normal doubles.
  static double power_of_two(int power) {
    if (power < -1022) return 0;
    return power > 1023 ? HUGE_VAL
                        : std::bit_cast<double>(static_cast<std::uint64_t>(power + 1023) << 52);
  }

  /// word = the lower half of x y + carry + word; returns the upper one, which cannot overflow.
  static std::uint64_t multiply_add(std::uint64_t x, std::uint64_t y, std::uint64_t carry,
                                    std::uint64_t& word) {
#ifdef __SIZEOF_INT128__
    // Only so is it no breach of the standard. NOLINTNEXTLINE
    __extension__ typedef unsigned __int128 Double;
    // The analyser does not see that the first words are set. NOLINTNEXTLINE
    const Double t = static_cast<Double>(x) * y + carry + word;
    word = static_cast<std::uint64_t>(t);
    return static_cast<std::uint64_t>(t >> 64);
#else
    std::uint64_t high = multiply_high(x, y);
    std::uint64_t low = x * y + carry;
    high += low < carry ? 1 : 0;
    low += word;
    high += low < word ? 1 : 0;
    word = low;
    return high;
#endif
  }

  void trim() {
    while (size_ > 0 && word_[size_ - 1] == 0) --size_;
  }
  /// The sign of |a| - |b|.
  static int compare(const WideInteger& a, const WideInteger& b) {
    if (a.size_ != b.size_) return a.size_ < b.size_ ? -1 : 1;
    for (int i = a.size_ - 1; i >= 0; --i)
      if (a.word_[i] != b.word_[i]) return a.word_[i] < b.word_[i] ? -1 : 1; // NOLINT: likewise
    return 0;
  }
  /// Becomes a + b, where b counts as negative or not as told. Either may be this number itself: each word is read before it is written.
  void set_sum(const WideInteger& a, const WideInteger& b, bool b_negative) {
    if (a.negative_ == b_negative) {
      set_added(a, b, b_negative);
      return;
    }
    const bool a_negative = a.negative_;
    if (compare(a, b) >= 0)
      set_subtracted(a, b, a_negative);
    else
      set_subtracted(b, a, b_negative);
  }
  void set_added(const WideInteger& a, const WideInteger& b, bool negative) {
    const WideInteger& longer = a.size_ >= b.size_ ? a : b;
    const WideInteger& shorter = a.size_ >= b.size_ ? b : a;
    const int n = longer.size_;
    const int m = shorter.size_;
    std::uint64_t carry = 0;
    for (int i = 0; i < n; ++i) {
      const std::uint64_t y = i < m ? shorter.word_[i] : 0;
      const std::uint64_t x = longer.word_[i] + carry;
      carry = x < carry ? 1 : 0;
      word_[i] = x + y;
      carry += word_[i] < y ? 1 : 0;
    }
    size_ = n;
    if (carry != 0 && size_ < capacity) word_[size_++] = carry;
    negative_ = negative;
  }
  /// Becomes |a| - |b| with a sign, where |a| >= |b|.
  void set_subtracted(const WideInteger& a, const WideInteger& b, bool negative) {
    const int n = a.size_;
    const int m = b.size_;
    std::uint64_t borrow = 0;
    for (int i = 0; i < n; ++i) {
      const std::uint64_t y = i < m ? b.word_[i] : 0;
      const std::uint64_t x = a.word_[i] - y;
      const std::uint64_t next = (a.word_[i] < y ? 1U : 0U) + (x < borrow ? 1U : 0U);
      word_[i] = x - borrow;
      borrow = next;
    }
    size_ = n;
    negative_ = negative;
    trim();
  }

  int size_ = 0;
  bool negative_ = false;
  std::uint64_t word_[capacity];
};

} // namespace carom
