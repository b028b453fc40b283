// Do convex pieces enclose a mesh, and do they stay close to it? By other means than those that make them: planes, clipping, and the tree of cuts that a decomposition
// carries as its proof.
//
// The mesh is given in triangles (a face of another number of corners fails): for a decomposition of polygons, triangulated(mesh). Tolerances are lengths. What passes is
// *proven* to within the tolerance, unless it says sampled.
#pragma once

#include "carom/mesh/convex_decomposition.h"
#include "carom/mesh/polygon_mesh.h"
#include "carom/verify/check.h"

#include <cstdint>
#include <span>

namespace [[gnu::visibility("default")]] carom {
namespace verify {

/// Every point of every triangle is within the tolerance of a piece. A triangle whose corners are in one piece, by exact signs, is in it; of the others the pieces are
/// taken away one by one, until nothing is left. Where something is, the sentence says where. `cuts` are planes to divide them along first, if there are any: pieces as thin as
/// rounding are hard to tell apart without. They need not be right.
[[nodiscard]] Verdict check_surface_enclosed(const PolygonMesh& triangles,
                                             std::span<const ConvexHull> pieces, double tolerance,
                                             std::span<const CutNode> cuts = {});

/// Every point around which a closed mesh is wound is within the tolerance of a piece. The proof: let m be the number of cutting planes, and take a band of
/// half width tolerance / (8 m^2) away around each. In each cell that is left, the mesh clipped to it, and the corners of the cell that are inside of the mesh, are
/// within half the tolerance of the cell's piece; so is their hull, and all of the solid there. Every other point of the inside has a point out of all bands within half
/// the tolerance, or the surface on the way there (check_surface_enclosed).
/// Three convex sets that cover a closed surface cover its inside: up to three pieces nothing is left to check.
/// Fails where the mesh is not closed, and where the bands would be narrower than those of the decomposition (`plane_band`): the tolerance has to be twice its
/// `gap` or more.
[[nodiscard]] Verdict check_inside_enclosed(const PolygonMesh& triangles,
                                            const ConvexDecomposition& decomposition,
                                            double tolerance);

/// Sampled: points of the pieces (corners, middles of faces, and `samples` random ones a piece) are no farther from the mesh or its inside than `error`. This can
/// refute the bound, not prove it.
[[nodiscard]] Verdict sample_error(const PolygonMesh& triangles,
                                   const ConvexDecomposition& decomposition, int samples,
                                   std::uint64_t seed);

/// The mesh with the decomposition's patches added.
[[nodiscard]] PolygonMesh with_patches(const PolygonMesh& triangles,
                                       const ConvexDecomposition& decomposition);

/// All of it: pieces are convex hulls (check_hull_shape), the mesh with its patches is closed where it says so, surface and inside are enclosed, and the tree's leaves name
/// pieces. The error is sampled by a few points.
[[nodiscard]] Verdict check_decomposition(const PolygonMesh& triangles,
                                          const ConvexDecomposition& decomposition,
                                          double tolerance);

} // namespace verify
} // namespace carom
