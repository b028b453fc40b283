// Numbers in the bytes of a file, in either order, whatever the order of the machine.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <string>

namespace [[gnu::visibility("default")]] carom {

enum class ByteOrder { little, big };

/// The T (an integer or floating-point type) that the sizeof(T) bytes at p hold.
template<class T>
[[nodiscard]] T load_bytes(const char* p, ByteOrder order) {
  std::array<char, sizeof(T)> bytes;
  std::memcpy(bytes.data(), p, sizeof(T));
  if ((order == ByteOrder::little) != (std::endian::native == std::endian::little)) {
    std::reverse(bytes.begin(), bytes.end());
  }
  return std::bit_cast<T>(bytes);
}

template<class T>
void append_bytes(std::string& out, T value, ByteOrder order) {
  auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(value);
  if ((order == ByteOrder::little) != (std::endian::native == std::endian::little)) {
    std::reverse(bytes.begin(), bytes.end());
  }
  out.append(bytes.data(), bytes.size());
}

} // namespace carom
