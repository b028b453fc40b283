// What a tree of moving boxes (dynamic_tree.h) can be asked where the caller decides: which boxes may a moving box meet, which may be near.
//
// These answer from the floats alone, by fat boxes, and so may give a few that are not met: for callers who test what they are given in doubles anyway. None is left out. No call allocates. What is found comes near
// ones first, more or less, and always in the same order for the same tree. The tree must not be changed from within a call of `found`.
#pragma once

#include "carom/tree/dynamic_tree.h"
#include "carom/tree/function_ref.h"

namespace [[gnu::visibility("default")]] carom {

/// Calls found(id) for all fat boxes that the box, moved by t * translation, touches at some 0 <= t <= t_max, which may be infinite. A box without extent makes it a ray. `found` gives the t_max from there on,
/// negative to end. Where the box or the translation is not finite, nothing is found.
void find_swept(const DynamicTree& tree, const Aabb& box, const Vec3& translation, double t_max,
                FunctionRef<double(BoxId)> found);

/// Calls found(id) for all fat boxes that are at most `limit` away from the box. The box may be infinite; if it is empty, nothing is found. `found` gives the limit from there on, negative to end.
void find_near(const DynamicTree& tree, const Aabb& box, double limit,
               FunctionRef<double(BoxId)> found);

} // namespace carom
