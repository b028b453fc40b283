// The search for a time of impact, of two shapes that are known to be apart up to some time. Internal.
#pragma once

#include "carom/motion/proof.h"
#include "carom/motion/time_of_impact.h"
#include "carom/query/distance.h"

namespace [[gnu::visibility("default")]] carom {

struct ImpactQuestion {
  double margin = 0, error = 0; ///< lengths: a hit is a distance of at most both together
  double time_error = 0;
  double from = 0, until = 1; ///< nothing is a hit before `from`
  ImpactMethod method = ImpactMethod::directional;
  const Distance* at_from = nullptr; ///< where it is known already
  std::vector<MotionProof::Step>* steps =
      nullptr; ///< gets what proves it, of convex shapes, with the directional method
};

/// Of two convex shapes.
[[nodiscard]] TimeOfImpact convex_impact(const Shape& a, const Motion& motion_a, const Shape& b,
                                         const Motion& motion_b, const ImpactQuestion& question,
                                         PairCache& cache);

/// Of any two.
[[nodiscard]] TimeOfImpact impact_between(const Shape& a, const Motion& motion_a, const Shape& b,
                                          const Motion& motion_b, const ImpactQuestion& question,
                                          PairCache& cache);

/// The absolute error that is used where so much is asked for (ImpactOptions).
[[nodiscard]] double impact_error(const Shape& a, const Motion& motion_a, const Shape& b,
                                  const Motion& motion_b, double asked);

/// A hit at time t, where the shapes are so far apart.
[[nodiscard]] TimeOfImpact hit_at(double t, const Distance& d, const Motion& motion_a,
                                  const Motion& motion_b);

} // namespace carom
