// Two moving edges: when they first touch.
//
// The ends move each along its own straight line. Edges are closed segments, ends included; one of length zero is a point. Parallel edges, and edges on one line, are no special cases.
//
// Exact: `hit` is true exactly where the edges have a point in common at some time in [0, 1], for the numbers given as exact reals. With a separation or an input error it is exact for misses, and within
// linear_tolerance for hits.
#pragma once

#include "carom/motion/linear_answer.h"

namespace [[gnu::visibility("default")]] carom {

/// Weights: those of the ends of the first edge, then of the second.
[[nodiscard]] LinearImpact edge_edge_impact(const MovingEdge& a, const MovingEdge& b,
                                            const LinearOptions& options = {});

} // namespace carom
