// Which things of a tree may a volume meet? For trees whose things are not triangles, or whose users know better what meeting means.
#pragma once

#include "carom/geometry/swept_sphere.h"
#include "carom/tree/walk_progress.h"

#include <functional>

namespace [[gnu::visibility("default")]] carom {

/// Called once for each leaf, with the numbers of its things. Returns false to end the search.
using LeafVisit = std::function<bool(std::span<const std::uint32_t> things)>;

/// Visits every leaf that has a thing whose box the volume touches or overlaps, and some others: boxes of leaves are what is compared, rounded outward. In the frame of the things, as their boxes were given. In an
/// order that means nothing, always the same. An empty box meets nothing; volumes that are not finite, anything or nothing.
void visit_touching(const WideTree& tree, const Aabb& box, const LeafVisit& visit);
void visit_touching(const WideTree& tree, const Obb& box, const LeafVisit& visit);
void visit_touching(const WideTree& tree, const Sphere& ball, const LeafVisit& visit);

/// The next part of the same: the same leaves in the same order, however it is divided. True when it is done. A search that `visit` has ended is.
bool resume_touching(const WideTree& tree, const Aabb& box, ChildProgress& progress,
                     WalkBudget budget, const LeafVisit& visit);
bool resume_touching(const WideTree& tree, const Obb& box, ChildProgress& progress,
                     WalkBudget budget, const LeafVisit& visit);
bool resume_touching(const WideTree& tree, const Sphere& ball, ChildProgress& progress,
                     WalkBudget budget, const LeafVisit& visit);

} // namespace carom
