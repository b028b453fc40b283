#include "carom/tree/curve_order.h"

namespace carom {
namespace {

/// Every third bit.
std::uint32_t spread(std::uint32_t ten_bits) {
  std::uint32_t x = ten_bits & 0x3ffU;
  x = (x | x << 16) & 0x030000ffU;
  x = (x | x << 8) & 0x0300f00fU;
  x = (x | x << 4) & 0x030c30c3U;
  x = (x | x << 2) & 0x09249249U;
  return x;
}

/// One of 1,024 along an axis.
std::uint32_t cell(double x) {
  const double at = (x + 0.5) * 1024;
  if (at >= 1023) return 1023;
  return at > 0 ? static_cast<std::uint32_t>(at) : 0;
}

} // namespace

std::uint32_t curve_place(const Vec3& in_unit_cube) {
  return spread(cell(in_unit_cube.x)) | spread(cell(in_unit_cube.y)) << 1 |
         spread(cell(in_unit_cube.z)) << 2;
}

void sort_by_upper_half(std::vector<std::uint64_t>& keys, std::vector<std::uint64_t>& room) {
  room.resize(keys.size());
  for (int shift = 32; shift < 64; shift += 8) {
    std::size_t begin[257] = {};
    for (const std::uint64_t key : keys) ++begin[(key >> shift & 255) + 1];
    for (int i = 0; i < 256; ++i) begin[i + 1] += begin[i];
    for (const std::uint64_t key : keys) room[begin[key >> shift & 255]++] = key;
    keys.swap(room);
  }
}

} // namespace carom
