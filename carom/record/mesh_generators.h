// Meshes made by formula, for scenes: closed, wound outward, the same bits everywhere.
#pragma once

#include "carom/math/result.h"
#include "carom/math/vec2.h"
#include "carom/mesh/polygon_mesh.h"

#include <cstdint>
#include <span>

namespace [[gnu::visibility("default")]] carom {

struct GearInput {
  std::uint32_t teeth = 12; ///< 3 to 1000
  double root = 0.8;        ///< the radius between the teeth
  double tip = 1;           ///< that of the teeth; more than `root`
  double bore = 0.2;        ///< that of the hole along its axis; more than 0, less than `root`
  double half_width = 0.1;  ///< along z; more than 0
  /// Of the pitch: how much of it a tooth takes at its foot and at its tip.
  double foot_share = 0.6, tip_share = 0.3;
};

/// A gear about z around the origin; the middle of its first tooth is at +x. Errors: out_of_range.
[[nodiscard]] Result<PolygonMesh> gear_mesh(const GearInput& input);

/// A profile turned about z: points (distance from the axis, height), a closed loop without crossings, in either sense. Points on the axis are legal. Segments: 3 to 10,000.
/// Errors: too_few for less than three points; out_of_range.
[[nodiscard]] Result<PolygonMesh> lathe_mesh(std::span<const Vec2> profile, std::uint32_t segments);

} // namespace carom
