// Does a Hausdorff distance hold? By brute-force distances from every piece of B.
#pragma once

#include "carom/query/answer.h"
#include "carom/verify/shape.h"

#include <span>

namespace [[gnu::visibility("default")]] carom {
namespace verify {

/// What one point proves, for sets of any kind: on_a lies in A, on_b in B, `value` apart; and B is no nearer to on_a than lower_bound. The bounds are in order. `samples` are points of A: none of them is
/// farther from B than upper_bound. That refutes a bound, and does not prove it.
///
/// An infinite value says nothing that could be checked here.
///
/// `tolerance` is a length: how far the points may be off, and the bounds exceeded.
[[nodiscard]] Verdict check_hausdorff(const SetView& a, const SetView& b,
                                      const OneSidedHausdorff& answer,
                                      std::span<const Vec3> samples, double tolerance);

/// The same for placed shapes of any kind: the distance from each of B's convex parts is measured; it is 0 inside of a solid mesh.
[[nodiscard]] Verdict check_hausdorff(const PlacedShape& a, const PlacedShape& b,
                                      const OneSidedHausdorff& answer,
                                      std::span<const Vec3> samples, double tolerance);

/// The same for surfaces of triangles, and proves that no point of A is farther from B than upper_bound + margin: each triangle of A is cut down until, of some triangle of B, none of the corners of a piece is farther away. Takes time in
/// proportion to the triangles of B, times those of A, times (size / margin) squared where the surfaces are close to each other: for small ones. `most_pieces` ends it, with a verdict that says so.
[[nodiscard]] Verdict check_hausdorff(std::span<const Triangle> a, std::span<const Triangle> b,
                                      const OneSidedHausdorff& answer, double margin,
                                      double tolerance, int most_pieces = 200'000);

} // namespace verify
} // namespace carom
