// When two cores, one of which moves along a straight line, first come within a distance of each other. Internal to the queries.
#pragma once

#include "carom/query/core_pair.h"

namespace [[gnu::visibility("default")]] carom {

/// A moves by t * velocity; in its frame B stands at -t * velocity from where the pair has it.
struct CoreMotion {
  Vec3 velocity;              ///< in A's frame; any length
  double radius = 0;          ///< contact is where the cores are this far apart
  double from = 0, until = 1; ///< the times looked at; `until` may be infinite
  /// Zero, or a unit vector along which the cores are farther apart than the radius at all times before `from`.
  Vec3 axis{};
  double absolute_error = 0; ///< so near to contact is near enough: a length
};

struct FirstContact {
  enum class Kind : std::uint8_t {
    touch,   ///< at t the cores are the radius apart, to within rounding
    stopped, ///< or to within the error asked for
    miss,    ///< they never are
    unknown, ///< not before t; more the supports do not tell
  };
  Kind kind = Kind::unknown;
  /// The cores are farther apart than the radius at all times in [from, t). Rounded down.
  double t = 0;
  /// In A's frame, a unit vector from A to B. Of a miss: it separates at all times. Else: it does so before t, because axis . velocity > 0; zero where
  /// t = from and no axis was given.
  Vec3 axis{};
  CoreDistance cores; ///< at time t
  int iterations = 0; ///< support points looked at
  int steps = 0;      ///< of Newton's method
};

[[nodiscard]] FirstContact first_contact(const CorePair& pair, const CoreMotion& motion,
                                         PairCache& cache);

/// The time before which `axis` (in A's frame, a unit vector with axis . velocity > 0) keeps the cores farther apart than the radius: rounded down.
[[nodiscard]] double kept_apart_until(const CorePair& pair, const CoreMotion& motion,
                                      const Vec3& axis);

} // namespace carom
