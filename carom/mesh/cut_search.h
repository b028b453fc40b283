// Which plane to cut a part of a mesh by. A piece of convex_decomposition.h.
#pragma once

#include "carom/geometry/plane.h"
#include "carom/mesh/convex_hull.h"
#include "carom/mesh/cut_mesh.h"
#include "carom/mesh/reflex_edges.h"

#include <cstddef>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// How large a hull is, for the purpose of making it smaller: volume + padding * area. The padding, a length, lets flat parts be compared too.
[[nodiscard]] double hull_measure(const ConvexHull& hull, double padding);

/// A plane to cut by. What it costs is the sum of the measures of the two halves, and a bias: even halves are better, and so are planes along reflex edges, which
/// are reflex no more when cut along. (A cut need not make the hulls smaller at once: a U is three boxes, but no single cut of it gains anything.)
struct RankedCut {
  Plane plane;
  double cost = 0; ///< estimated
  double bias = 0; ///< included in it
};

/// The most promising planes of some hundred, best first, at most `count`: across the coordinate axes, the principal axes and the normals of faces at
/// reflex edges; through vertices of reflex edges, and at even distances. Hulls are estimated from their extreme points in 98 directions.
/// Planes that would leave one side without anything are left out.
[[nodiscard]] std::vector<RankedCut> rank_cuts(const CutMesh& mesh, const CutPart& part,
                                               const ReflexEdges& reflex, double padding,
                                               std::size_t count);

} // namespace carom
