// Numbers as bytes, lowest byte first whatever the machine, and back. Internal to the recordings.
#pragma once

#include "carom/math/pose.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Bytes that things are appended to.
struct ByteString {
  std::string bytes;

  template<class Number>
  requires std::is_arithmetic_v<Number>
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
  void put(const Vec3& v) {
    put(v.x);
    put(v.y);
    put(v.z);
  }
  void put(const Pose& pose) {
    put(Vec3{pose.rotation.x, pose.rotation.y, pose.rotation.z});
    put(pose.rotation.w);
    put(pose.position);
  }
  /// Its length first.
  void put(std::string_view text) {
    put(static_cast<std::uint64_t>(text.size()));
    bytes += text;
  }
  /// A bit each, the lowest of a byte first; what is not 0 is set.
  void put_flags(const std::vector<std::uint8_t>& flags) {
    for (std::size_t i = 0; i < flags.size(); i += 8) {
      std::uint32_t byte = 0;
      for (std::size_t k = i; k < std::min(i + 8, flags.size()); ++k)
        byte |= std::uint32_t{flags[k] != 0} << (k - i);
      put(static_cast<std::uint8_t>(byte));
    }
  }
  /// Seven bits a byte, small numbers of either sign in one.
  void put_signed(std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value);
    std::uint64_t zigzag = bits << 1 ^ (value < 0 ? ~std::uint64_t{0} : 0);
    for (; zigzag >= 128; zigzag >>= 7) put(static_cast<std::uint8_t>(zigzag | 128));
    put(static_cast<std::uint8_t>(zigzag));
  }
};

/// Reads what was put. Past the end, or once failed, everything is 0, and ok() is false.
class ByteReader {
public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  template<class Number>
  [[nodiscard]] Number get() {
    if constexpr (std::is_same_v<Number, float>) {
      return std::bit_cast<float>(get<std::uint32_t>());
    } else if constexpr (std::is_same_v<Number, double>) {
      return std::bit_cast<double>(get<std::uint64_t>());
    } else {
      static_assert(std::is_unsigned_v<Number>);
      const std::string_view taken = take(sizeof(Number));
      std::uint64_t value = 0;
      for (std::size_t i = 0; i < taken.size(); ++i)
        value |= std::uint64_t{static_cast<std::uint8_t>(taken[i])} << (8 * i);
      return static_cast<Number>(value);
    }
  }
  [[nodiscard]] Vec3 get_vec3() {
    const double x = get<double>();
    const double y = get<double>();
    const double z = get<double>();
    return {x, y, z};
  }
  [[nodiscard]] Pose get_pose() {
    const Vec3 v = get_vec3();
    const double w = get<double>();
    return {{v.x, v.y, v.z, w}, get_vec3()};
  }
  [[nodiscard]] std::string_view get_text() { return take(get<std::uint64_t>()); }
  [[nodiscard]] std::int64_t get_signed() {
    std::uint64_t zigzag = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      const auto byte = get<std::uint8_t>();
      if (shift == 63 && byte > 1) break;
      zigzag |= std::uint64_t{byte & 127U} << shift;
      if (byte < 128)
        return static_cast<std::int64_t>(zigzag >> 1 ^ ((zigzag & 1) != 0 ? ~std::uint64_t{0} : 0));
    }
    ok_ = false;
    return 0;
  }
  /// How many things follow, each of so many bytes at least: 0, and failed, where the bytes cannot hold them.
  [[nodiscard]] std::size_t get_count(std::size_t least_bytes) {
    const auto count = get<std::uint64_t>();
    if (!need(count <= left() / least_bytes)) return 0;
    return static_cast<std::size_t>(count);
  }
  [[nodiscard]] std::string_view take(std::uint64_t count) {
    if (!need(count <= left())) return {};
    const std::string_view taken = bytes_.substr(at_, static_cast<std::size_t>(count));
    at_ += taken.size();
    return taken;
  }

  bool need(bool condition) {
    ok_ = ok_ && condition;
    return ok_;
  }
  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] std::size_t at() const { return at_; }
  [[nodiscard]] std::size_t left() const { return bytes_.size() - at_; }

private:
  std::string_view bytes_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

/// A number made of all bytes (FNV-1a).
[[nodiscard]] inline std::uint64_t byte_sum(std::string_view bytes) {
  std::uint64_t sum = 0xcbf29ce484222325U;
  for (const char c : bytes) sum = (sum ^ static_cast<std::uint8_t>(c)) * 0x100000001b3U;
  return sum;
}

} // namespace carom
