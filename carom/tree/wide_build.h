// Building the fast tree. Internal to it.
#pragma once

#include "carom/tree/wide_tree.h"

namespace [[gnu::visibility("default")]] carom {

/// Nodes and the things of leaves (eight places each), as WideTree has them.
void build_wide_tree(std::span<const FloatBox> boxes, const TreeBuild& options,
                     std::vector<WideNode>& nodes, std::vector<std::uint32_t>& items);

} // namespace carom
