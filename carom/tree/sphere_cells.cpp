// Whether a triangle has a point in a box is decided exactly (overlap_box.h), and neighbouring boxes share their faces to the bit. So no part
// of a triangle is lost between two.
#include "carom/tree/sphere_cells.h"

#include "carom/geometry/overlap_box.h"
#include "carom/math/interval.h"

#include <utility>

namespace carom {
namespace {

constexpr std::uint32_t most_levels = 20;
constexpr std::size_t most_mentions = 32;

struct Open {
  std::uint32_t node = 0;
  SphereCellRange range;
  std::vector<std::uint32_t> triangles;
};

/// The longest side, the first of equals; false where it is one cube long, or doubles have no room for a face between.
bool halve(const SphereCellRange& range, const SphereCellGrid& grid, SphereCellRange& low,
           SphereCellRange& high) {
  std::size_t axis = 0;
  for (std::size_t i = 1; i < 3; ++i) {
    if (range.high[i] - range.low[i] > range.high[axis] - range.low[axis]) axis = i;
  }
  if (range.high[axis] - range.low[axis] < 2) return false;
  low = high = range;
  low.high[axis] = high.low[axis] = range.low[axis] + (range.high[axis] - range.low[axis]) / 2;
  const auto i = static_cast<int>(axis);
  const double middle = low.box(grid).max[i];
  return range.box(grid).min[i] < middle && middle < range.box(grid).max[i];
}

std::vector<std::uint32_t> within(const TriangleSurface& mesh,
                                  const std::vector<std::uint32_t>& all, const Aabb& box) {
  std::vector<std::uint32_t> found;
  for (const std::uint32_t t : all) {
    if (overlaps(box, mesh[t])) found.push_back(t);
  }
  return found;
}

} // namespace

SphereCellGrid::SphereCellGrid(const Aabb& bounds, double spacing) : origin(bounds.min) {
  const double length = 2 * max_abs(bounds.half());
  side = length;
  while (levels < most_levels && side > spacing) {
    side *= 0.5;
    ++levels;
  }
  // Rounding must not leave the far ends outside.
  const double count = static_cast<double>(1u << levels);
  for (int i = 0; i < 3; ++i) {
    while (origin[i] + count * side < bounds.max[i]) side = next_up(side) * (1 + 0x1p-50);
  }
}

SphereCellTree divide_cells(const TriangleSurface& mesh, std::span<const std::uint32_t> triangles,
                            const SphereCellGrid& grid, std::uint32_t leaf_size) {
  SphereCellTree tree;
  if (triangles.empty()) return tree;
  const std::uint32_t count = 1u << grid.levels;
  std::vector<Open> open;
  open.push_back({0, {{}, {count, count, count}}, {triangles.begin(), triangles.end()}});
  tree.nodes.resize(1);
  std::size_t mentions = triangles.size();
  while (!open.empty()) {
    Open at = std::move(open.back());
    open.pop_back();
    SphereCellRange low;
    SphereCellRange high;
    std::vector<std::uint32_t> in_low;
    std::vector<std::uint32_t> in_high;
    bool divided = false;
    while (!divided && at.triangles.size() > leaf_size &&
           mentions < most_mentions * triangles.size() && halve(at.range, grid, low, high)) {
      in_low = within(mesh, at.triangles, low.box(grid));
      in_high = within(mesh, at.triangles, high.box(grid));
      divided = !in_low.empty() && !in_high.empty();
      if (!divided) at.range = in_high.empty() ? low : high;
    }
    SphereCellTree::Node& node = tree.nodes[at.node];
    node.range = at.range;
    if (!divided) {
      node.first = static_cast<std::uint32_t>(tree.triangles.size());
      node.count = static_cast<std::uint32_t>(at.triangles.size());
      tree.triangles.insert(tree.triangles.end(), at.triangles.begin(), at.triangles.end());
      continue;
    }
    const auto child = static_cast<std::uint32_t>(tree.nodes.size());
    node.child = child;
    mentions += in_low.size() + in_high.size() - at.triangles.size();
    tree.nodes.resize(tree.nodes.size() + 2);
    open.push_back({child + 1, high, std::move(in_high)});
    open.push_back({child, low, std::move(in_low)});
  }
  return tree;
}

} // namespace carom
