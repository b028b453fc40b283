// 64-bit integer arithmetic that the language lacks.
#pragma once

#include <cstdint>

namespace [[gnu::visibility("default")]] carom {

/// The upper 64 bits of the 128-bit product. (A 128-bit type is not standard C++, and costs more in WebAssembly.)
[[nodiscard]] constexpr std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t low = 0xffffffffu;
  const std::uint64_t cross_1 = (a & low) * (b >> 32);
  const std::uint64_t cross_2 = (a >> 32) * (b & low);
  const std::uint64_t carry =
      (((a & low) * (b & low)) >> 32) + (cross_1 & low) + (cross_2 & low); // below 3 * 2^32
  return (a >> 32) * (b >> 32) + (cross_1 >> 32) + (cross_2 >> 32) + (carry >> 32);
}

} // namespace carom
