// What a tree of moving boxes (dynamic_tree.h) can be asked: which boxes overlap a box, which does a ray meet, which overlap each other.
//
// Floats find candidates; each is then decided on the doubles as given. Queries with a box or a ray are about tight boxes, pairs are those of fat boxes. Touching counts.
// No query allocates. What is found comes in no order that means anything, but always in the same for the same tree. The tree must not be changed from
// within a call of `found`.
#pragma once

#include "carom/geometry/line.h"
#include "carom/tree/dynamic_tree.h"
#include "carom/tree/function_ref.h"

#include <cmath>

namespace [[gnu::visibility("default")]] carom {

/// Calls found(id) for each tight box that overlaps this one, which may be infinite. It returns false to end the search.
void find_boxes(const DynamicTree& tree, const Aabb& box, FunctionRef<bool(BoxId)> found);

/// Calls found(id, t) for the tight boxes that the ray meets at 0 <= t <= t_max, nodes of the tree near to far. t is where the ray enters (0 where it starts inside), as
/// enter() of geometry/ray_slabs.h has it: a box touched is never left out, one missed by a rounding may be met. `found` gives the t_max from there on, negative to
/// end: the t of a hit found in the box leaves out all that is farther.
void find_boxes(const DynamicTree& tree, const Ray& ray, double t_max,
                FunctionRef<double(BoxId, double)> found);

using FoundPair = FunctionRef<bool(BoxId, BoxId)>;

/// Calls found(a, b) for each two fat boxes that overlap, once. It returns false to end the search.
void all_pairs(const DynamicTree& tree, FoundPair found);
/// The same for those pairs of which one or both have moved since clear_moved(), or are new.
void moved_pairs(const DynamicTree& tree, FoundPair found);
/// Each fat box of `a` with each of `b` that it overlaps. Their margins and origins may differ.
void pairs_between(const DynamicTree& a, const DynamicTree& b, FoundPair found);

} // namespace carom
