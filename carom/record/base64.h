// Bytes as text, and numbers as bytes: little-endian, whatever the machine. Internal to the recordings.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace [[gnu::visibility("default")]] carom {

/// Bytes that numbers are appended to, lowest byte first.
struct ByteString {
  std::string bytes;

  template<class Number>
  void put(Number value) {
    if constexpr (std::is_same_v<Number, float>) {
      put(std::bit_cast<std::uint32_t>(value));
    } else if constexpr (std::is_same_v<Number, double>) {
      put(std::bit_cast<std::uint64_t>(value));
    } else {
      static_assert(std::is_unsigned_v<Number>);
      for (std::size_t i = 0; i < sizeof value; ++i)
        bytes += static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i) & 0xff);
    }
  }
};

/// With the padding.
[[nodiscard]] inline std::string base64(std::string_view bytes) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? static_cast<std::uint8_t>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      out += i + k <= bytes.size() ? digits[group >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

} // namespace carom
