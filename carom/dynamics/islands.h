// Bodies that hang together by contacts and joints: they fall asleep together, and wake together. Internal to the world.
#pragma once

#include "carom/dynamics/contact_store.h"
#include "carom/dynamics/joint_store.h"
#include "carom/mesh/union_find.h"

#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

struct SleepOptions {
  bool enabled = true;
  double speed = 0.05; ///< metres a second: what no point of the body exceeds is rest
  double time = 0.5;   ///< seconds of rest before it sleeps
};

/// Counts a body's time of rest by a step. True: it alone has rested long enough to sleep.
bool count_rest(Body& body, double time, const SleepOptions& options);

class Islands {
public:
  /// Finds the active bodies whose whole island has rested long enough. Nothing sleeps on a body that moves of itself. The slots, in the order of `active`.
  const std::vector<std::uint32_t>& find_resting(const BodyStore& bodies, const ContactStore& pairs,
                                                 const JointStore& joints,
                                                 std::span<const std::uint32_t> active,
                                                 const SleepOptions& options);
  /// The bodies that sleep (or are awake) together with this one, which does as well, and itself.
  const std::vector<std::uint32_t>& find_around(const BodyStore& bodies, const ContactStore& pairs,
                                                const JointStore& joints, std::uint32_t slot,
                                                bool awake);

private:
  UnionFind sets_;
  std::vector<double> rest_; ///< of an island, by its root
  std::vector<std::uint32_t> found_;
  std::vector<std::uint8_t> seen_;
};

/// Whether a pair transmits forces: it has points.
[[nodiscard]] bool pair_carries(const ContactStore& pairs, const PairRecord& pair);

} // namespace carom
