// Pictures as PNG files, without a library.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Rows from the top, three bytes a pixel: red, green, blue.
struct Image {
  std::uint32_t width = 0, height = 0;
  std::vector<std::uint8_t> pixels; ///< 3 * width * height
};

/// The bytes of a PNG file.
[[nodiscard]] std::string png(const Image& image);

/// A stream of RFC 1950 (zlib) that inflates to the bytes: matches by a table of the last place of each three bytes, written with the fixed codes of deflate.
[[nodiscard]] std::string zlib_stream(std::string_view bytes);

} // namespace carom
