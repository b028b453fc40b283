// How far one of two shapes has to be moved to separate them, where neither needs to be convex. Internal to penetration.
//
// Let t be a translation of B. The translations that leave A and B overlapping are the points of an open set, the interior of A - B; the depth is the distance from the origin to its complement. The
// set is not convex, and as complicated as A and B together. It is enclosed from both sides:
//   below  For convex pieces P of A and Q of B the set contains the interior of P - Q. Around the origin, space is divided into cells; a cell that is in one P - Q is done with. The nearest of
//          the cells that are left proves the lower bound.
//   above  A translation is outside where A and the moved B are apart, by their distance. Cells that are left are where to look for one: from there B is moved back, toward where it came from, until it
//          touches, and along what it touches.
// The search goes on from the nearest cell that is left, and ends where the bounds are near enough to each other. Where a cell is left and nothing separates A and B there, pieces are looked for that
// overlap just there.
#pragma once

#include "carom/query/answer.h"
#include "carom/query/depth_proof.h"

#include <functional>
#include <optional>
#include <span>

namespace [[gnu::visibility("default")]] carom {

/// How A and the moved B are apart, or not.
struct Separation {
  double lower = 0;     ///< not more than their distance; 0 where they may overlap
  Vec3 normal{1, 0, 0}; ///< from A to B where they are nearest, a unit vector
  Vec3 on_a{}, on_b{};  ///< points there, of A and of the moved B, in the world
};

/// A piece of A, and one of B where it stands (not moved).
struct InnerPair {
  PlacedPiece a, b;
};

/// What is asked of two shapes, both bounded.
struct SolidPair {
  std::span<const PlacedPiece> pieces_a, pieces_b; ///< convex and inside; there may be none
  double size = 0; ///< what rounding errors are relative to: sizes and translations of both
  /// Of A, and of B moved by `t`. `lower` is at least 1 - relative_error of the distance, less what rounding takes; where B is inside of A or A of B, 0.
  std::function<Separation(const Vec3& t, double relative_error)> apart;
  /// Pieces of A and B such that no translation near t separates them: as deep as can be found, or `enough`. None where A and the moved B do not overlap, or nothing was found.
  std::function<std::optional<InnerPair>(const Vec3& t, double enough)> inner_pair;
  /// How far B has to go along a unit vector to be beyond the plane that A is behind.
  std::function<double(const Vec3& direction)> way_out;
};

struct SolidPenetrationOptions {
  /// The search may end where upper_bound / lower_bound is at most this.
  double ratio = 1.25;
  /// So many cells are looked at, at most.
  int most_cells = 2000;
  /// So often pieces are asked for, at most.
  int most_pairs = 96;
};

/// Where they are apart, the depth is 0 and the normal that of the distance. The status is `wide` where the bounds are farther apart than penetration promises for convex shapes. What is found of a proof
/// of the lower bound goes into `proof`, if there is one.
[[nodiscard]] Penetration solid_penetration(const SolidPair& pair,
                                            const SolidPenetrationOptions& options = {},
                                            DepthProof* proof = nullptr);

} // namespace carom
