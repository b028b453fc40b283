// Who has to do with whom: beside category, mask and group (space/object.h), a function of the user's.
//
//   world.set_pair_filter([&](const WorldShape& a, const WorldShape& b) { return !same_team(a.body, b.body); });
#pragma once

#include "carom/dynamics/body.h"

#include <cstdint>
#include <functional>

namespace [[gnu::visibility("default")]] carom {

/// A shape of a body in a world, by its number among the body's.
struct WorldShape {
  BodyId body;
  std::uint32_t shape = 0;

  bool operator==(const WorldShape&) const = default;
};

/// Says whether two shapes that the masks allow to meet do. The lower slot's comes first. It is asked when their boxes come near each other, and not again until they have parted (World::filter_again asks sooner); of a fast
/// body also about what it flies by. Always in the same order for the same calls, from the thread that steps.
///
/// It may ask the world, and cannot change it: calls that would are refused (WorldError::busy). For steps to be repeatable it must depend on nothing but its arguments and what is the same in each run; it is no part of a snapshot, so whoever restores one has the same function set.
using PairFilter = std::function<bool(const WorldShape& a, const WorldShape& b)>;

} // namespace carom
