// What proves that nothing touches, where one direction cannot: claims about all pairs of parts. carom/query/prove.h finds them, carom/verify/check_proof.h confirms them.
#pragma once

#include "carom/math/vec3.h"
#include "carom/shape/part_id.h"

#include <vector>

namespace [[gnu::visibility("default")]] carom {

struct Proof {
  /// Of all parts of A from first_a to end_a in the order below, and all of B: along the direction, a unit vector in the world, those of B begin at least `bound` beyond where those of A end; at the start, and when A has moved. So
  /// it is at all times between.
  struct Claim {
    std::uint32_t first_a = 0, end_a = 0, first_b = 0, end_b = 0;
    Vec3 direction;
  };

  /// Every convex part of the shapes, once: the triangles of a mesh, the parts of a compound (of its meshes, their triangles), the points of a cloud; a convex shape is one part.
  std::vector<PartId> parts_a, parts_b;
  /// The rectangles first_a .. end_a, first_b .. end_b cover all pairs, and none twice.
  std::vector<Claim> claims;
  Vec3 translation; ///< of A; zero: both rest
  double bound = 0; ///< a length: to within rounding, all are at least so far apart
};

} // namespace carom
