// When two moving shapes first touch. Rotation counts: nothing is missed, however thin, however fast it spins.
//
//   TimeOfImpact i = time_of_impact(bar, Motion::velocity(pose, v, w, dt), plate, Motion::rest(plate_pose));
//   if (i.hit) pose = pose_at(motion, i.t);                           // just before they touch
//
// Conservative advancement along a direction: at a time when the shapes are apart, take the direction between the nearest points, and follow the gap along it, as a function of time, for as far as it is surely open (moving_set.h). There
// measure again. Each stretch is proved by its direction; the last ends where the shapes are as near as was asked for.
#pragma once

#include "carom/motion/answer.h"
#include "carom/motion/motion.h"
#include "carom/query/pair_cache.h"

namespace [[gnu::visibility("default")]] carom {

/// How two convex shapes are followed through time; docs/time-of-impact.md compares them.
enum class ImpactMethod : std::uint8_t {
  directional, ///< as above
  speed_bound, ///< the classical advancement: on by the distance over the greatest speed
  subdivision, ///< time in halves: a half is clear where the distance in its middle is more than any point can go from there
  cast, ///< shape_cast, where nothing turns, without a margin; else directional. Exact: no gap is left at t
  bisection, ///< for comparison: 64 times are tried, the first that hits is narrowed down. What passes between two of them is missed; so a miss, and the promise that nothing touched before, are no more than `wide`
};

struct ImpactOptions {
  /// A length >= 0: nearer than this is a hit. The time at which a distance first falls below it.
  double margin = 0;
  /// A length: so near to the margin is near enough. 0: 1e-9 of the shapes' sizes. No less is ever asked for than 1e-12 of the sizes (4e-10 where they are curved) and 2e-13 of positions and translations.
  double absolute_error = 0;
  /// Also near enough: the shapes are surely within the margin not later than this after t. 0: do not ask.
  double time_error = 0;
  /// What comes later does not count; 0 to 1.
  double max_t = 1;
  ImpactMethod method = ImpactMethod::directional;
};

/// For every ordered pair of kinds and all motions. Where a shape is solid, inside counts: what begins there overlaps. Half-spaces may turn, too.
[[nodiscard]] TimeOfImpact time_of_impact(const Shape& a, const Motion& motion_a, const Shape& b,
                                          const Motion& motion_b, const ImpactOptions& options = {},
                                          PairCache* cache = nullptr);

/// When shapes that overlap first come apart. For every ordered pair of kinds; bounded by how deep they are: on by the depth over the greatest speed. `absolute_error` is a depth: so little overlap is none; 0: 1e-6 of the sizes.
[[nodiscard]] TimeOfSeparation time_of_separation(const Shape& a, const Motion& motion_a,
                                                  const Shape& b, const Motion& motion_b,
                                                  double absolute_error = 0);

} // namespace carom
