// The head of a PLY file: which elements follow, how many of each, and the names and types of their properties.
#pragma once

#include "carom/math/result.h"
#include "carom/mesh/byte_order.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// The types of numbers, by either of their names in files (uchar, uint8). The 64-bit integers are not in the standard, but in files.
enum class PlyType { int8, uint8, int16, uint16, int32, uint32, int64, uint64, float32, float64 };

/// In bytes.
[[nodiscard]] constexpr std::size_t size_of(PlyType type) {
  constexpr std::size_t sizes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
  return sizes[static_cast<std::size_t>(type)];
}

struct PlyProperty {
  std::string name;
  PlyType type = PlyType::float32; ///< of the number, or of each number of the list
  bool list = false;
  PlyType count_type = PlyType::uint8; ///< of the list's count, which comes before it
};

struct PlyElement {
  std::string name;
  std::size_t count = 0;
  std::vector<PlyProperty> properties;
};

struct PlyHeader {
  bool binary = false;
  ByteOrder order = ByteOrder::little;
  std::vector<PlyElement> elements; ///< in the order of the data
  std::size_t data_line = 0;        ///< the line after the head, counted from 1
  std::size_t data_byte = 0;        ///< where it begins in the text given
};

/// Reads the head of a text without byte order mark. Comments and obj_info lines are passed over. Unknown lines, types and formats, and names
/// that come twice, are errors: the data could not be understood.
[[nodiscard]] Result<PlyHeader> read_ply_header(std::string_view text);

} // namespace carom
