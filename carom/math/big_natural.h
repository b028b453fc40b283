// Natural numbers of up to 4,096 bits, without a heap: what exact conversion between decimal and binary needs.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace [[gnu::visibility("default")]] carom {

/// A natural number below 2^4096. What would reach beyond is the caller's mistake: its upper bits are lost, and nothing else happens.
class BigNatural {
public:
  constexpr BigNatural() = default;
  constexpr explicit BigNatural(std::uint64_t value) {
    push(static_cast<std::uint32_t>(value));
    push(static_cast<std::uint32_t>(value >> 32));
    trim();
  }

  [[nodiscard]] constexpr bool zero() const { return size_ == 0; }
  /// The position of the highest bit that is set, from 1; 0 for zero.
  [[nodiscard]] constexpr int bits() const {
    return size_ == 0 ? 0 : static_cast<int>(32 * size_) - std::countl_zero(word_[size_ - 1]);
  }

  /// this * factor + addend.
  constexpr void multiply_add(std::uint32_t factor, std::uint32_t addend) {
    std::uint64_t carry = addend;
    for (std::size_t i = 0; i < size_; ++i) {
      carry += std::uint64_t{word_[i]} * factor;
      word_[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    push(static_cast<std::uint32_t>(carry));
    trim();
  }

  /// this * 10^exponent, exponent >= 0.
  constexpr void multiply_power_of_ten(int exponent) {
    for (; exponent >= 9; exponent -= 9) multiply_add(1'000'000'000, 0);
    for (; exponent > 0; --exponent) multiply_add(10, 0);
  }

  /// this * 2^count, count >= 0.
  constexpr void shift_left(int count) {
    const auto words = static_cast<std::size_t>(count / 32);
    const auto low = static_cast<unsigned>(count % 32);
    const std::size_t old = size_;
    size_ = old + words + 1 < capacity ? old + words + 1 : capacity;
    for (std::size_t i = size_; i-- > 0;) {
      const auto at = [&](std::size_t k) {
        return k >= words && k - words < old ? std::uint64_t{word_[k - words]} : 0;
      };
      const std::uint64_t below = i > 0 ? at(i - 1) : 0;
      word_[i] = static_cast<std::uint32_t>((at(i) << 32 | below) << low >> 32);
    }
    trim();
  }

  /// this + other.
  constexpr void add(const BigNatural& other) {
    while (size_ < other.size_) word_[size_++] = 0;
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      carry += std::uint64_t{word_[i]} + (i < other.size_ ? other.word_[i] : 0);
      word_[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    push(static_cast<std::uint32_t>(carry));
    trim();
  }

  /// this - other, where other <= this.
  constexpr void subtract(const BigNatural& other) {
    std::uint64_t borrow = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      const std::uint64_t taken = (i < other.size_ ? other.word_[i] : 0) + borrow;
      borrow = word_[i] < taken ? 1 : 0;
      word_[i] = static_cast<std::uint32_t>(word_[i] - taken);
    }
    trim();
  }

  /// -1, 0 or 1: how a compares with b.
  [[nodiscard]] friend constexpr int compare(const BigNatural& a, const BigNatural& b) {
    if (a.size_ != b.size_) return a.size_ < b.size_ ? -1 : 1;
    for (std::size_t i = a.size_; i-- > 0;) {
      if (a.word_[i] != b.word_[i]) return a.word_[i] < b.word_[i] ? -1 : 1;
    }
    return 0;
  }

private:
  static constexpr std::size_t capacity = 128;

  constexpr void push(std::uint32_t word) {
    if (size_ < capacity) word_[size_++] = word;
  }
  constexpr void trim() {
    while (size_ > 0 && word_[size_ - 1] == 0) --size_;
  }

  std::size_t size_ = 0;                       ///< words in use; the last of them is not 0
  std::array<std::uint32_t, capacity> word_{}; ///< the least significant first
};

} // namespace carom
