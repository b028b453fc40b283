// How a direction finds its cell, and how the points there are compared.
//
// The lanes are compiled once for each instruction set (everything between the HWY_ lines), and chosen at run time.
#undef HWY_TARGET_INCLUDE
#if defined(__aarch64__)
#define HWY_DISABLED_TARGETS                                                                       \
  (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128) // vectors without a size cannot be members
#endif
#define HWY_TARGET_INCLUDE "carom/shape/support_tree.cpp"
#include <hwy/foreach_target.h>

#include "carom/math/choose_lanes-inl.h"
#include "carom/math/wide.h"
#include "carom/shape/support_tree.h"

#include <algorithm>
#include <bit>
#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {

/// The first of the points with the greatest d . p; 0 where there is none. No dot product may be NaN. Two passes: how far, then
/// who. The second costs less than to carry the indices through the first, and its products are ready before the first is done.
std::uint32_t first_farthest(const SupportTree::Block* block, std::size_t count, const Vec3& d) {
  const Vec3x8 direction{all8(d.x), all8(d.y), all8(d.z)};
  const auto heights = [&](std::size_t i) HWY_ATTR {
    return dot8(direction, {load8(block[i].x), load8(block[i].y), load8(block[i].z)});
  };
  if (count == 0) return 0;
  Double8 top = heights(0);
  for (std::size_t i = 1; i < count; ++i) top = greater8(top, heights(i));
  top = greatest8(top);
  for (std::size_t first = 0; first < count; first += 8) {
    std::uint64_t farthest = 0; // bit 8 i + k: lane k of block first + i
    const std::size_t blocks = std::min<std::size_t>(count - first, 8);
    for (std::size_t i = 0; i < blocks; ++i)
      farthest |= std::uint64_t{bits8(top <= heights(first + i))} << (8 * i);
    if (farthest == 0) continue;
    const auto at = static_cast<std::size_t>(std::countr_zero(farthest));
    return block[first + at / 8].index[at % 8];
  }
  return 0;
}

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace carom {
namespace {

HWY_EXPORT(first_farthest);

/// Which of 2^level equal parts of [-1, 1] the ratio lies in.
std::uint32_t part_of(double ratio, int level) {
  const std::uint32_t parts = std::uint32_t{1} << level;
  const auto part = static_cast<std::uint32_t>((ratio + 1) * (0.5 * parts));
  return std::min(part, parts - 1);
}

} // namespace

SupportTree::ScanBlocks SupportTree::widest() {
  choose_lanes();
  return &HWY_DYNAMIC_DISPATCH(first_farthest);
}

std::uint32_t SupportTree::look_up(const Vec3& d) const {
  const double x = std::fabs(d.x), y = std::fabs(d.y), z = std::fabs(d.z);
  // The side of the cube is that of the greatest component. Indexed, not branched on: a branch would be guessed wrong every other time.
  const double xy = y > x ? y : x;
  const std::size_t axis = z > xy ? 2 : y > x ? 1 : 0;
  const double greatest = z > xy ? z : xy;
  const double component[5] = {d.x, d.y, d.z, d.x, d.y};
  const std::uint32_t u = part_of(component[axis + 1] / greatest, finest_level);
  const std::uint32_t v = part_of(component[axis + 2] / greatest, finest_level);
  const std::size_t side = 2 * axis + (component[axis] < 0 ? 1 : 0);

  int shift = finest_level - grid_level_;
  const std::size_t row = (side << grid_level_) + (v >> shift);
  Cell cell = cells_[(row << grid_level_) + (u >> shift)];
  while (cell.count == 0) {
    --shift;
    cell = cells_[cell.first + (u >> shift & 1) + 2 * (v >> shift & 1)];
  }
  if (cell.count > longest_list) return scan_blocks_(&blocks_[cell.first], (cell.count + 7) / 8, d);
  const std::uint32_t* const list = &list_[cell.first];
  std::uint32_t best = list[0];
  double top = dot(d, points_[best]);
  for (std::uint32_t i = 1; i < cell.count; ++i) {
    const double height = dot(d, points_[list[i]]);
    best = height > top ? list[i] : best;
    top = height > top ? height : top;
  }
  return best;
}

/// For what no one asks for in earnest: directions so long or short that products leave the range of double.
std::uint32_t SupportTree::scan(const Vec3& d) const {
  std::uint32_t best = 0;
  double top = -INFINITY;
  if (!(std::fabs(d.x) < INFINITY && std::fabs(d.y) < INFINITY && std::fabs(d.z) < INFINITY))
    return 0;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const double height = dot(d, points_[i]);
    if (!(height > top)) continue;
    top = height;
    best = static_cast<std::uint32_t>(i);
  }
  return best;
}

std::size_t SupportTree::memory() const {
  return points_.capacity() * sizeof(Vec3) + cells_.capacity() * sizeof(Cell) +
         list_.capacity() * sizeof(std::uint32_t) + blocks_.capacity() * sizeof(Block);
}

} // namespace carom
#endif
