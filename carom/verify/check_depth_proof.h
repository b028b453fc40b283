// Does a proof hold that no short translation separates two shapes?
#pragma once

#include "carom/query/depth_proof.h"
#include "carom/verify/shape.h"

namespace [[gnu::visibility("default")]] carom {
namespace verify {

/// Each piece is convex, and all of it in its shape: it is one of its convex parts, or a ball or a hull inside of one of its solids (no triangle reaches deeper than the tolerance into it, and one point of it is inside).
[[nodiscard]] Verdict check_piece_of(const PlacedShape& shape, const PlacedPiece& piece,
                                     double tolerance);

/// The pieces are pieces of the shapes. For each claim, the difference of its pieces holds its ball: of balls, hulls and triangles by all planes that may bound the difference; of others no direction of many, each improved
/// by a search, refutes it. The claims' balls cover the ball of the proof's bound, but for a billionth, by cells that are each in one ball.
/// `tolerance` is a length. Only claims that the cover needs are looked at.
[[nodiscard]] Verdict check_depth_proof(const PlacedShape& a, const PlacedShape& b,
                                        const DepthProof& proof, double tolerance);

} // namespace verify
} // namespace carom
