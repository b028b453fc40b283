// Which objects of a space overlap, or are near each other.
//
//   std::vector<SpaceOverlapPair> clashes;
//   overlapping_pairs(space, clashes);
//
// About the shapes themselves, not their boxes, and about all objects, not only those that have moved (Space::update_pairs). Pairs of two fixed objects, and those that their filters
// keep apart, do not count. Sorted by ids. The lists are filled anew; where they have the room, nothing is allocated but what a query between two shapes that are not convex needs.
#pragma once

#include "carom/query/answer.h"
#include "carom/space/space.h"

#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Says of two objects, the lower id first, whether they count.
using PairTest = FunctionRef<bool(ObjectId, ObjectId)>;

inline constexpr auto every_pair = [](ObjectId, ObjectId) { return true; };

struct SpaceOverlapPair {
  ObjectPair pair;
  ShapeOverlap overlap; ///< of a and b, in this order
};

/// All that overlap. Touching counts.
void overlapping_pairs(const Space& space, std::vector<SpaceOverlapPair>& pairs,
                       PairTest accept = every_pair);

struct SpaceDistancePair {
  ObjectPair pair;
  Distance distance; ///< from a to b
};

/// All that are at most `limit` apart, with how far: a length. Where it is negative or NaN: none, and bad_input.
Status pairs_within(const Space& space, double limit, std::vector<SpaceDistancePair>& pairs,
                    PairTest accept = every_pair);

} // namespace carom
