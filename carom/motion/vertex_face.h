// A moving vertex and a moving face: when they first touch.
//
// The corners of the face move each along its own straight line, so the face may turn, stretch, and collapse on the way. It is the closed triangle: edges and corners belong to it. Where
// its corners are on a line, or in a point, it is that segment or point.
//
// Exact: `hit` is true exactly where the vertex is in the face at some time in [0, 1], for the numbers given as exact reals; also for what touches at a single moment only, rests, slides along, or
// moves in the plane of the face. With a separation or an input error it is exact for misses, and within linear_tolerance for hits.
#pragma once

#include "carom/motion/linear_answer.h"

namespace [[gnu::visibility("default")]] carom {

/// Weights: 1 for the vertex, then those of the corners of the face.
[[nodiscard]] LinearImpact vertex_face_impact(const MovingPoint& vertex, const MovingFace& face,
                                              const LinearOptions& options = {});

} // namespace carom
