// Which part of a shape an answer is about.
#pragma once

#include <cstdint>

namespace [[gnu::visibility("default")]] carom {

struct PartId {
  static constexpr std::uint32_t none = 0xffffffffU;

  /// The triangle of a mesh or height field, the point of a cloud; of a compound, that of the part. None for what is convex, and where the answer is about the inside of a solid.
  std::uint32_t element = none;
  std::uint32_t part = 0; ///< of a compound, taken apart (compound.h); else 0
  std::uint32_t material =
      0; ///< of the triangle; for what has no triangles, that of the compound's part

  constexpr bool operator==(const PartId&) const = default;
};

} // namespace carom
