// What proves that no short translation separates two shapes that are not convex. carom/query/prove_depth.h finds it, carom/verify/check_depth_proof.h confirms it.
#pragma once

#include "carom/math/vec3.h"
#include "carom/shape/shape.h"

#include <cstdint>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// A convex piece of a shape, in the world.
struct PlacedPiece {
  Shape shape;
  Pose pose;
};

struct DepthProof {
  /// For every translation t of B within `radius` of `at`, piece a of A and piece b of B, moved by t, have a point in common.
  struct Claim {
    Vec3 at;
    double radius = 0;
    std::uint32_t a = 0, b = 0;
  };

  /// Each of them is convex, and all of it in its shape (B's where B stands, not moved).
  std::vector<PlacedPiece> pieces_a, pieces_b;
  /// The balls cover the one of radius `bound` around the origin.
  std::vector<Claim> claims;
  double bound = 0; ///< a length: no shorter translation separates the shapes
};

} // namespace carom
