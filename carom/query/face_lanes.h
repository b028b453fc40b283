// The arithmetic of many triangles at once, in lanes: their planes, which of them a point is outside of, which is nearest to the origin. Internal to the queries.
#pragma once

#include "carom/math/vec3.h"

#include <cstddef>
#include <cstdint>

namespace [[gnu::visibility("default")]] carom {

/// The planes of eight triangles, or fewer: lanes without one have an infinite distance and key.
struct alignas(64) FaceBlock {
  double x[8], y[8], z[8]; ///< the normals, unit vectors
  double distance[8];      ///< of the planes from the origin, along the normals
  double key[8];           ///< what the nearest is chosen by
};

/// Eight triangles that have one corner in common: the other two of each, counter-clockwise.
struct alignas(64) FanBlock {
  double from_x[8], from_y[8], from_z[8];
  double to_x[8], to_y[8], to_z[8];
};

/// The functions, for the widest registers that the machine has. Each lane goes through the operations of the scalar form: the same bits everywhere.
struct FaceLanes {
  /// The number (8 * block + lane) of the face of least key, the first of equals. At least one block.
  std::uint32_t (*nearest)(const FaceBlock* blocks, std::size_t count);
  /// How far p is above each plane: bit k of above[i] is set where that is more than `unsure`, for lane k of block i; bit k of level[i] where it is within. True where a bit of
  /// `level` is set.
  bool (*find_above)(const FaceBlock* blocks, std::size_t count, const Vec3& p, double unsure,
                     std::uint8_t* above, std::uint8_t* level);
  /// The planes of the triangles (from, to, w), but for the keys. Bit k of the answer is set where triangle k is not thin; of a thin one the plane is not to be relied on.
  std::uint8_t (*make_planes)(const FanBlock& fan, const Vec3& w, FaceBlock& planes);

  static FaceLanes widest();
};

/// Below this sine of the angle between two sides a triangle is thin: their product loses too many bits.
inline constexpr double thin_triangle = 1.0 / 16;

} // namespace carom
