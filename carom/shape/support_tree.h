// The farthest of many points in a direction, by looking the direction up: in constant time for any number of points.
//
// The directions are those from the middle of a cube to its surface. Each side of the cube is a grid of square cells, fine enough that
// a cell sees few points that can be farthest in any of its directions; a cell that sees many is cut in four, again and again. A query finds
// the cell and compares the points listed there: two or three of them, mostly. The lists are safe: a point is left out of a cell only where
// another is proved to be farther in each of its directions, rounding included. So the answer is always that of a scan of all points,
// to the last bit. It needs no start, keeps no state, and cannot be trapped on a level stretch as a climb can.
//
// Few points, up to 40, are scanned instead, eight at a time; that is as quick. Points at random on a sphere, directions at random, one core with
// AVX-512 at 2.8 GHz, in ns a query, where each waits for the last: 30 for 16 points, 39 for 64, 39 for 256, 43 for 1024, 52 for 10,000.
// A plain scan takes 31, 95, 350, 1430, 23,000.
#pragma once

#include "carom/math/vec3.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Built once over fixed points; the queries read only, and allocate nothing.
class SupportTree {
public:
  SupportTree() = default;
  /// Expected time O(n log n). Takes some 100 bytes a point. Points with coordinates out of Carom's range are legal, and slow.
  explicit SupportTree(std::span<const Vec3> points);

  /// The index of the point with the greatest d . p, computed as d.x * p.x + d.y * p.y + d.z * p.z in double; of equals, the lowest. 0 where there are no
  /// points, or where d is zero or not finite. The same on every machine and lane width. Time: constant, plus what it takes to compare
  /// the points that are farthest to within rounding (a face with a thousand corners, seen along its normal, is a scan of a thousand).
  [[nodiscard]] std::uint32_t farthest(const Vec3& d) const {
    // Within these limits no dot product overflows, and underflow stays far below the margin that the lists were made with (the source that
    // builds them has the proof). NaN fails too.
    const double reach = std::fabs(d.x) + std::fabs(d.y) + std::fabs(d.z);
    if (!(reach >= 0x1p-900 && reach <= longest_)) return scan(d);
    return cells_.empty() ? scan_blocks_(blocks_.data(), blocks_.size(), d) : look_up(d);
  }

  /// Bytes on the heap.
  [[nodiscard]] std::size_t memory() const;

  /// Eight points in lanes. The lanes behind the last point repeat it.
  struct alignas(64) Block {
    double x[8], y[8], z[8];
    std::uint32_t index[8];
  };

private:
  friend class SupportTreeBuilder;

  /// A square of directions. Its points, in the order of their indices, are list_[first] ... where there are up to longest_list, else they fill
  /// blocks_[first] and the following. Where count is 0 it is cut in four: cells_[first + 0 .. 3].
  struct Cell {
    std::uint32_t first, count;
  };
  static constexpr std::uint32_t longest_list = 24; ///< more are quicker in lanes, measured
  /// How often a side of the cube may be halved. Cells of 2^-29 are still far wider than the rounding of a direction.
  static constexpr int finest_level = 29;

  [[nodiscard]] std::uint32_t look_up(const Vec3& d) const;
  [[nodiscard]] std::uint32_t scan(const Vec3& d) const;

  std::vector<Vec3> points_;
  std::vector<Cell> cells_; ///< first the grids of the six sides, row by row; none: no grid
  std::vector<std::uint32_t> list_;
  std::vector<Block> blocks_; ///< of long lists; without a grid, of all points
  /// The farthest point of some blocks, in the widest lanes that this machine has.
  using ScanBlocks = std::uint32_t (*)(const Block* blocks, std::size_t count, const Vec3& d);
  static ScanBlocks widest();
  ScanBlocks scan_blocks_ = widest();
  double longest_ = 0; ///< directions up to this are looked up or compared in lanes
  int grid_level_ = 0; ///< a side has 2^grid_level_ cells each way
};

} // namespace carom
