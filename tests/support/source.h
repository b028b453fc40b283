// One set of generators, three drivers.
//
// A generator (tests/support/generate.h) turns a stream of small choices into a value of some type. The choices come from
//   RandomSource      a printed seed: millions of cases a second;
//   RapidcheckSource  RapidCheck, which shrinks a failing case to a small one;
//   BytesSource       libFuzzer's bytes, which evolve toward new code paths.
// Choice 0 is always the simplest, so that shrinking and empty input lead to simple values.
#pragma once

#include "carom/math/random.h"

#include <cstddef>
#include <cstdint>

namespace carom::test {

class Source {
public:
  virtual ~Source() = default;
  /// A choice in 0 .. n-1 (n >= 1).
  virtual std::uint64_t below(std::uint64_t n) = 0;

  bool chance(std::uint64_t one_in) { return below(one_in) == one_in - 1; }
  int index(int n) { return static_cast<int>(below(static_cast<std::uint64_t>(n))); }
  /// In [0, 1), a multiple of 2^-53.
  double unit() { return static_cast<double>(below(std::uint64_t{1} << 53)) * 0x1p-53; }
  double uniform(double low, double high) { return low + (high - low) * unit(); }
};

class RandomSource final : public Source {
public:
  explicit RandomSource(std::uint64_t seed) : random_(seed) {}
  std::uint64_t below(std::uint64_t n) override { return random_.below(n); }

private:
  Random random_;
};

/// Choices from bytes; 0 for ever after their end.
class BytesSource final : public Source {
public:
  BytesSource(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  std::uint64_t below(std::uint64_t n) override {
    std::uint64_t bits = 0;
    for (std::uint64_t reach = n - 1; reach > 0; reach >>= 8) {
      bits = bits << 8 | (at_ < size_ ? data_[at_] : 0u);
      ++at_;
    }
    return bits % n;
  }
  [[nodiscard]] bool empty() const { return at_ >= size_; }

private:
  const std::uint8_t* data_;
  std::size_t size_;
  std::size_t at_ = 0;
};

} // namespace carom::test
