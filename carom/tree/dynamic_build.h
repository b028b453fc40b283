// Building a tree of moving boxes at once. Internal to it.
#pragma once

#include "carom/tree/dynamic_node.h"

#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Nodes around these leaves, which are sorted by it: from the root (number 0) down, all leaves equally deep. At least one leaf; the nodes are empty before.
void build_dynamic_nodes(std::span<NodeEntry> leaves, std::vector<DynamicNode>& nodes);

} // namespace carom
