// What stands in a space: an object, its name, and which others it has to do with.
#pragma once

#include "carom/math/pose.h"
#include "carom/shape/shape.h"

#include <cstdint>

namespace [[gnu::visibility("default")]] carom {

/// The name of an object in a space. It is never given again: the id of an object removed is stale for ever, even if its slot is used by another. The default is no object's id. Ids are ordered by slot, then
/// by generation: that is the order of all lists sorted by ids.
struct ObjectId {
  std::uint32_t slot = 0xffffffffU;
  std::uint32_t generation = 0;

  constexpr bool operator==(const ObjectId& other) const {
    return slot == other.slot && generation == other.generation;
  }
  constexpr bool operator<(const ObjectId& other) const {
    return slot != other.slot ? slot < other.slot : generation < other.generation;
  }
};

/// Objects of different mobility are kept apart, so that those that rest cost nothing while others move. Two fixed ones are never a pair. A fixed object may be moved all the same: it costs what it costs.
enum class Mobility : std::uint8_t { moving, fixed };

/// Which others an object has to do with. The same for one who asks.
struct Filter {
  std::uint64_t category = 1; ///< bits: what it is
  std::uint64_t mask = ~0ULL; ///< bits: which categories it has to do with
  /// Not 0 and the same for both: that decides, whatever the bits say. Positive: they have to do with each other; negative: they do not.
  std::int32_t group = 0;

  constexpr bool operator==(const Filter&) const = default;
};

/// Whether two have to do with each other: by their group, or each one's mask has a bit of the other's category.
[[nodiscard]] constexpr bool may_meet(const Filter& a, const Filter& b) {
  if (a.group == b.group && a.group != 0) return a.group > 0;
  return (a.mask & b.category) != 0 && (b.mask & a.category) != 0;
}

struct SpaceObject {
  Shape shape; ///< of any kind, also unbounded
  Pose pose{}; ///< the position in range (tolerance.h), the rotation finite
  Mobility mobility = Mobility::moving;
  Filter filter{};
  std::uint64_t user = 0; ///< yours
};

enum class SpaceError : std::uint8_t {
  stale_id, ///< no object has this id (any more)
  bad_pose, ///< not finite, or out of range
  full,     ///< Space::max_objects are in the space
};
/// A sentence for a person.
[[nodiscard]] const char* describe(SpaceError error);

} // namespace carom
