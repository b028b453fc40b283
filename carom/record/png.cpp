// PNG: chunks with a check sum each; rows, each byte less the one above it, which leaves zeros where a picture is even; deflate.
#include "carom/record/png.h"

#include <algorithm>
#include <array>

namespace carom {
namespace {

void put_big_endian(std::string& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xff);
}

std::uint32_t check_sum(std::string_view bytes) {
  std::uint32_t crc = ~0U;
  for (const char c : bytes) {
    crc ^= static_cast<std::uint8_t>(c);
    for (int i = 0; i < 8; ++i) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xedb88320U : 0U);
  }
  return ~crc;
}

void put_chunk(std::string& out, const char* name, const std::string& content) {
  put_big_endian(out, static_cast<std::uint32_t>(content.size()));
  const std::string named = name + content;
  out += named;
  put_big_endian(out, check_sum(named));
}

/// Deflate's bits, lowest first; codes of Huffman come with their highest bit first.
class BitWriter {
public:
  explicit BitWriter(std::string& out) : out_(out) {}
  void put(std::uint32_t bits, int count) {
    held_ |= static_cast<std::uint64_t>(bits) << used_;
    used_ += count;
    for (; used_ >= 8; used_ -= 8, held_ >>= 8) out_ += static_cast<char>(held_ & 0xff);
  }
  void put_code(std::uint32_t code, int count) {
    for (int i = count - 1; i >= 0; --i) put(code >> i & 1, 1);
  }
  /// A literal byte, the end (256), or a length's symbol, in the fixed code.
  void put_symbol(std::uint32_t symbol) {
    if (symbol < 144)
      put_code(0x30 + symbol, 8);
    else if (symbol < 256)
      put_code(0x190 + symbol - 144, 9);
    else if (symbol < 280)
      put_code(symbol - 256, 7);
    else
      put_code(0xc0 + symbol - 280, 8);
  }
  void finish() {
    if (used_ > 0) put(0, 8 - used_);
  }

private:
  std::string& out_;
  std::uint64_t held_ = 0;
  int used_ = 0;
};

/// The symbol whose base is the greatest not above the value, and how many bits tell the rest: both of deflate's tables go up by powers of two, `per_power` symbols each.
struct Range {
  std::uint32_t symbol, extra_bits, extra;
};
Range range_of(std::uint32_t value, std::uint32_t per_power) {
  // The first two powers' worth of symbols have no extra bits.
  if (value < 2 * per_power) return {value, 0, 0};
  std::uint32_t bits = 1;
  while (value >> bits >= 2 * per_power) ++bits;
  return {bits * per_power + (value >> bits), bits, value & ((1U << bits) - 1)};
}

void put_match(BitWriter& bits, std::uint32_t length, std::uint32_t distance) {
  if (length == 258) {
    bits.put_symbol(285);
  } else {
    const Range l = range_of(length - 3, 4);
    bits.put_symbol(257 + l.symbol);
    bits.put(l.extra, static_cast<int>(l.extra_bits));
  }
  const Range d = range_of(distance - 1, 2);
  bits.put_code(d.symbol, 5);
  bits.put(d.extra, static_cast<int>(d.extra_bits));
}

std::uint32_t hash_of(std::string_view bytes, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return std::uint32_t{static_cast<std::uint8_t>(bytes[at + i])};
  };
  return (byte(0) | byte(1) << 8 | byte(2) << 16) * 2654435761U >> 17;
}

} // namespace

std::string zlib_stream(std::string_view bytes) {
  std::string out = "\x78\x01";
  BitWriter bits(out);
  bits.put(1, 1); // the last block
  bits.put(1, 2); // of fixed codes
  constexpr std::size_t none = ~std::size_t{0};
  std::vector<std::size_t> last(std::size_t{1} << 15, none);
  for (std::size_t i = 0; i < bytes.size();) {
    std::size_t length = 0, from = none;
    if (i + 3 <= bytes.size()) {
      std::size_t& place = last[hash_of(bytes, i)];
      from = place;
      place = i;
    }
    if (from != none && i - from <= 32768)
      while (length < 258 && i + length < bytes.size() && bytes[from + length] == bytes[i + length])
        ++length;
    if (length >= 4) {
      put_match(bits, static_cast<std::uint32_t>(length), static_cast<std::uint32_t>(i - from));
      i += length;
    } else {
      bits.put_symbol(static_cast<std::uint8_t>(bytes[i++]));
    }
  }
  bits.put_symbol(256);
  bits.finish();
  std::uint32_t a = 1, b = 0; // Adler's sum
  for (const char c : bytes) {
    a = (a + static_cast<std::uint8_t>(c)) % 65521;
    b = (b + a) % 65521;
  }
  put_big_endian(out, b << 16 | a);
  return out;
}

std::string png(const Image& image) {
  const std::size_t row = std::size_t{3} * image.width;
  std::string rows;
  for (std::size_t y = 0; y < image.height; ++y) {
    rows += '\2'; // each byte less the one above it
    for (std::size_t x = 0; x < row; ++x) {
      const int above = y == 0 ? 0 : image.pixels[(y - 1) * row + x];
      rows += static_cast<char>((image.pixels[y * row + x] - above) & 0xff);
    }
  }
  std::string out = "\x89PNG\r\n\x1a\n", header;
  put_big_endian(header, image.width);
  put_big_endian(header, image.height);
  header += std::string("\x08\x02\x00\x00\x00", 5); // 8 bits, red green blue
  put_chunk(out, "IHDR", header);
  put_chunk(out, "IDAT", zlib_stream(rows));
  put_chunk(out, "IEND", "");
  return out;
}

} // namespace carom
