// A small counter-based random generator: value i of a seed is a fixed function of (seed, i), so streams can be split, skipped
// and replayed, and are the same on every machine. For tests, sampling and randomised algorithms; not for secrets.
#pragma once

#include "carom/math/integer.h"
#include "carom/math/quat.h"
#include "carom/math/vec3.h"

#include <cstdint>

namespace [[gnu::visibility("default")]] carom {

/// 64 well-mixed bits from a seed and a counter. Two rounds of multiply and xor-shift: every input bit reaches every output bit.
[[nodiscard]] constexpr std::uint64_t mix_bits(std::uint64_t seed, std::uint64_t counter) {
  std::uint64_t h = seed + counter * 0x9e3779b97f4a7c15u;
  for (int round = 0; round < 2; ++round) {
    h = (h ^ (h >> 32)) * 0xd6e8feb86659fd93u;
    h = (h ^ (h >> 29)) * 0xa24baed4963ee407u;
  }
  return h ^ (h >> 32);
}

class Random {
public:
  /// The stream of values of a seed, from value number `counter` on.
  explicit constexpr Random(std::uint64_t seed, std::uint64_t counter = 0)
      : seed_(mix_bits(0, seed)), counter_(counter) {}

  [[nodiscard]] constexpr std::uint64_t bits() { return mix_bits(seed_, counter_++); }
  /// How many values have been taken: Random(seed, counter()) goes on from here.
  [[nodiscard]] constexpr std::uint64_t counter() const { return counter_; }

  /// Uniform in [0, 1), a multiple of 2^-53.
  [[nodiscard]] constexpr double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  /// Uniform in [low, high].
  [[nodiscard]] constexpr double uniform(double low, double high) {
    return low + (high - low) * uniform();
  }
  /// Uniform in 0 .. n-1; 0 where n is 0.
  [[nodiscard]] constexpr std::uint64_t below(std::uint64_t n) { return multiply_high(bits(), n); }
  /// Uniform in the box from -half to half.
  [[nodiscard]] constexpr Vec3 in_box(const Vec3& half) {
    const double x = uniform(-half.x, half.x);
    const double y = uniform(-half.y, half.y);
    const double z = uniform(-half.z, half.z);
    return {x, y, z};
  }
  /// Uniform in the unit ball (by rejection: about two tries).
  [[nodiscard]] Vec3 in_ball();
  /// Uniform on the unit sphere.
  [[nodiscard]] Vec3 direction();
  /// Uniform over all rotations, of unit length.
  [[nodiscard]] Quat rotation();

private:
  std::uint64_t seed_;
  std::uint64_t counter_;
};

} // namespace carom
