#include "carom/motion/edge_edge.h"

#include "carom/motion/four_points.h"

namespace carom {

LinearImpact edge_edge_impact(const MovingEdge& a, const MovingEdge& b,
                              const LinearOptions& options) {
  return linear_impact(four_points(a, b), options);
}

} // namespace carom
