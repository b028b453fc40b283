// What proves that moving shapes do not touch: directions, each for a stretch of time. carom/motion/prove_impact.h finds them, carom/verify/check_motion.h confirms them.
#pragma once

#include "carom/math/vec3.h"
#include "carom/shape/part_id.h"

#include <cstdint>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// With whom a direction turns.
enum class Carrier : std::uint8_t { world, a, b };

struct MotionProof {
  /// From the end of the step before (at first, t = 0) until then: along the direction, a unit vector in the world at the beginning of the step, turned with its carrier, all parts of the claim of A are behind all of B, and at least `bound` from them.
  struct Step {
    double until = 0;
    Vec3 direction;
    Carrier carrier = Carrier::world;
  };
  /// Of all parts of A from first_a to end_a in the order below, and all of B from first_b to end_b: the steps from first_step to end_step, one after the other, the last of which ends at `until` of the proof.
  struct Claim {
    std::uint32_t first_a = 0, end_a = 0, first_b = 0, end_b = 0;
    std::uint32_t first_step = 0, end_step = 0;
  };

  /// Every convex part of the shapes, once (query/proof.h).
  std::vector<PartId> parts_a, parts_b;
  /// The rectangles first_a .. end_a, first_b .. end_b cover all pairs, and none twice.
  std::vector<Claim> claims;
  std::vector<Step> steps;
  double until = 0;
  double bound = 0; ///< a length
};

} // namespace carom
