// The last word where doubles cannot tell whether two polytopes meet. Internal to the queries.
//
// Poses that need no rounding are those that turn by quarter turns about the axes: no other rotation has a matrix of doubles. (Its columns would be integers over 2^k, their squares adding up to
// 4^k. Squares are 0 or 1 modulo 4, so all are even, and so on down to k = 0.) Then the corners of both are sums of doubles, and whether they meet is a matter of signs.
#pragma once

#include "carom/query/core_pair.h"

namespace [[gnu::visibility("default")]] carom {

/// Where `found` leaves open whether the cores have a point in common (no direction separates them, and they are not sure to overlap), the poses need no rounding, and
/// both cores are points, segments, triangles, boxes or hulls: decides it, exactly. Where they meet, `found` says 0 afterwards, at a common point, and that it is sure; where not, how far they are
/// apart, to within a few roundings of that, however small, and a direction that separates them. Other pairs are left as they are. Not for a pair that was moved
/// (CorePair::moved): its corners are no longer sums of what was given.
void settle(const CorePair& pair, CoreDistance& found);

} // namespace carom
