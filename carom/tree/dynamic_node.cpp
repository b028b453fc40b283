// Loops over eight lanes are written so that each lane goes through the same steps: compilers make two or one wide instruction of each.
#include "carom/tree/dynamic_node.h"

#include <algorithm>
#include <array>
#include <bit>

namespace carom {
namespace {

// Not std::min and std::max: these are one instruction each.
constexpr float lesser(float a, float b) { return a < b ? a : b; }
constexpr float greater(float a, float b) { return a > b ? a : b; }

float least(const float (&row)[8]) {
  float m[4];
  for (int i = 0; i < 4; ++i) m[i] = lesser(row[i], row[i + 4]);
  return lesser(lesser(m[0], m[2]), lesser(m[1], m[3]));
}
float greatest(const float (&row)[8]) {
  float m[4];
  for (int i = 0; i < 4; ++i) m[i] = greater(row[i], row[i + 4]);
  return greater(greater(m[0], m[2]), greater(m[1], m[3]));
}

constexpr int width = 8;
constexpr int entry_count = width + 1;
/// Surfaces alone do not tell boxes in a line or plane apart. Edges longer by a thousandth of the whole do.
constexpr float pad = 0x1p-10F;

/// Entries in some order, as numbers.
using Order = std::array<int, entry_count>;

/// Two parts of an order: those before `first_count`, and the others.
struct Parting {
  Order order{};
  int first_count = 0;
  float cost = INFINITY;
};

/// The best place to part the entries sorted along an axis: where the two boxes' edges sum up to least.
void part_along(const NodeEntry (&entries)[entry_count], std::size_t axis, Parting& best) {
  Order order{};
  float middle[entry_count];
  for (int i = 0; i < entry_count; ++i) {
    middle[i] = entries[i].box.min[axis] + entries[i].box.max[axis];
    // Sorted in; of equal ones, the first stays first.
    int at = i;
    for (; at > 0 && middle[order[static_cast<std::size_t>(at) - 1]] > middle[i]; --at)
      order[static_cast<std::size_t>(at)] = order[static_cast<std::size_t>(at) - 1];
    order[static_cast<std::size_t>(at)] = i;
  }
  float after[entry_count];
  FloatBox box;
  for (int i = entry_count - 1; i > 0; --i) {
    box.add(entries[order[static_cast<std::size_t>(i)]].box);
    after[i] = edge_sum(box);
  }
  box = {};
  for (int i = 0; i < entry_count - DynamicNode::min_children; ++i) {
    box.add(entries[order[static_cast<std::size_t>(i)]].box);
    const int count = i + 1;
    if (count < DynamicNode::min_children) continue;
    const float cost = edge_sum(box) + after[count];
    if (best.first_count == 0 || cost < best.cost) best = {order, count, cost};
  }
}

} // namespace

void DynamicNode::reset(int new_level) {
  for (int i = 0; i < width; ++i) set(i, {{}, ChildRef::node(0)});
  parent = {};
  count = 0;
  level = static_cast<std::uint8_t>(new_level);
}

FloatBox DynamicNode::box() const {
  return {{least(lower[0]), least(lower[1]), least(lower[2])},
          {greatest(upper[0]), greatest(upper[1]), greatest(upper[2])}};
}

int DynamicNode::least_growth(const FloatBox& box, float scale) const {
  float before[width], after[width];
  const auto [x0, y0, z0] = box.min;
  const auto [x1, y1, z1] = box.max;
  const auto cost = [scale](float x, float y, float z) {
    const float a = x * scale + pad, b = y * scale + pad, c = z * scale + pad;
    return a * b + b * c + c * a;
  };
  for (int i = 0; i < width; ++i) {
    before[i] =
        cost(upper[0][i] - lower[0][i], upper[1][i] - lower[1][i], upper[2][i] - lower[2][i]);
    after[i] = cost(greater(upper[0][i], x1) - lesser(lower[0][i], x0),
                    greater(upper[1][i], y1) - lesser(lower[1][i], y0),
                    greater(upper[2][i], z1) - lesser(lower[2][i], z0));
  }
  // Numbers that are not negative are in the order of their bits. One comparison then does for all three, without a branch.
  std::uint64_t best = ~std::uint64_t{0};
  for (int i = 0; i < count; ++i) {
    const auto growth = std::bit_cast<std::uint32_t>(after[i] - before[i]);
    const auto size = std::bit_cast<std::uint32_t>(before[i]) & ~7U;
    const std::uint64_t key = (std::uint64_t{growth} << 32) | size | static_cast<std::uint64_t>(i);
    best = key < best ? key : best;
  }
  return static_cast<int>(best & 7);
}

void split_node(DynamicNode& full, const NodeEntry& extra, DynamicNode& empty) {
  NodeEntry entries[entry_count];
  for (int i = 0; i < width; ++i) entries[i] = full.entry(i);
  entries[width] = extra;
  Parting best;
  for (std::size_t axis = 0; axis < 3; ++axis) part_along(entries, axis, best);
  const NodeLane parent = full.parent;
  full.reset(full.level);
  full.parent = parent;
  empty.reset(full.level);
  for (int i = 0; i < entry_count; ++i) {
    const NodeEntry& entry = entries[best.order[static_cast<std::size_t>(i)]];
    (i < best.first_count ? full : empty).add(entry);
  }
}

} // namespace carom
