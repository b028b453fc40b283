// A random order of 0 .. n-1 without a table.
//
// A Feistel network permutes the numbers below the next power of two; a number that lands at n or above is sent through again until
// it falls below n. That ends, since the walk is on a cycle that begins below n, and takes two steps on average at most.
#pragma once

#include "carom/math/random.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace [[gnu::visibility("default")]] carom {

class RandomOrder {
public:
  explicit RandomOrder(std::size_t n, std::uint64_t seed) : n_(n) {
    const auto bits = static_cast<unsigned>(std::bit_width(n > 4 ? n - 1 : 3));
    left_mask_ = (std::uint64_t{1} << bits / 2) - 1;
    right_bits_ = bits - bits / 2;
    Random random(seed);
    for (std::uint64_t& key : keys_) key = random.bits();
  }
  /// What stands at a place (below n) of the order.
  [[nodiscard]] std::size_t operator[](std::size_t place) const {
    std::uint64_t x = place;
    do {
      std::uint64_t left = x >> right_bits_;
      std::uint64_t right = x & ((std::uint64_t{1} << right_bits_) - 1);
      for (std::size_t round = 0; round < keys_.size(); round += 2) {
        left ^= stir(right, keys_[round]) & left_mask_;
        right ^= stir(left, keys_[round + 1]) & ((std::uint64_t{1} << right_bits_) - 1);
      }
      x = left << right_bits_ | right;
    } while (x >= n_);
    return static_cast<std::size_t>(x);
  }

private:
  static std::uint64_t stir(std::uint64_t x, std::uint64_t key) {
    return ((x + key) * 0x9e3779b97f4a7c15u) >> 32;
  }
  std::size_t n_;
  std::uint64_t left_mask_;
  unsigned right_bits_;
  std::array<std::uint64_t, 6> keys_{};
};

} // namespace gnu::visibility("default")]]carom
