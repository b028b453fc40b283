// The boxes of the trees that find the pairs of a world, as they stand: for drawings.
#pragma once

#include "carom/dynamics/world.h"

#include <vector>

namespace [[gnu::visibility("default")]] carom {

struct TreeBox {
  Aabb box;  ///< in the world
  int level; ///< 0: the fat box of one shape; of a node, one more than that of its children
};

/// Of the tree of shapes that move, then of that of fixed shapes: a node before its children. Boxes without end, and nodes around one, are left out.
void tree_boxes(const World& world, std::vector<TreeBox>& boxes);

} // namespace carom
