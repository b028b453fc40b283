#include "carom/motion/vertex_face.h"

#include "carom/motion/four_points.h"

namespace carom {

LinearImpact vertex_face_impact(const MovingPoint& vertex, const MovingFace& face,
                                const LinearOptions& options) {
  return linear_impact(four_points(vertex, face), options);
}

} // namespace carom
