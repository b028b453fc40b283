// The least and greatest heights over the cells of a grid, in levels: of blocks of 4 x 4 cells, of 8 x 8, and so on up to one block of all.
//
// A height is kept as one of 2^16 ticks between the least and the greatest of all, the range of a block rounded outward to ticks. So a block takes 4 bytes,
// and all levels together a third of a byte a cell.
#pragma once

#include "carom/tree/function_ref.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// The heights low <= z <= high. The default is empty, and vanishes in a merge.
struct HeightSpan {
  double low = INFINITY, high = -INFINITY;

  [[nodiscard]] bool empty() const { return !(low <= high); }
  void add(double z) {
    low = z < low ? z : low;
    high = z > high ? z : high;
  }
  void add(const HeightSpan& other) {
    low = other.low < low ? other.low : low;
    high = other.high > high ? other.high : high;
  }
};

/// The same in ticks. The default is empty.
struct TickSpan {
  std::uint16_t low = 0xffff, high = 0;

  [[nodiscard]] bool empty() const { return low > high; }
};

class HeightLevels {
public:
  /// A block of level k is 2^k cells wide and high; this is the first level there is.
  static constexpr int first = 2;
  /// Grids have fewer than 2^31 cells, so no level is higher.
  static constexpr int most = 31;

  HeightLevels() = default;
  /// For a grid of so many cells, whose heights are all in `all`, which is not empty. `span_of(x, y)` gives that of block (x, y) of the first level, empty where there is
  /// nothing.
  HeightLevels(std::uint32_t cell_columns, std::uint32_t cell_rows, const HeightSpan& all,
               FunctionRef<HeightSpan(std::uint32_t x, std::uint32_t y)> span_of);

  /// The level of the one block of all cells; at least `first`.
  [[nodiscard]] int top() const { return first + static_cast<int>(levels_.size()) - 1; }
  /// Of block (x, y) of a level from `first` to top(); the block exists.
  [[nodiscard]] const TickSpan& at(int level, std::uint32_t x, std::uint32_t y) const {
    const Level& l = levels_[static_cast<std::size_t>(level - first)];
    return ticks_[l.start + std::size_t{l.columns} * y + x];
  }

  /// The height of a tick: base + tick * rise.
  [[nodiscard]] double height(std::uint16_t tick) const { return base_ + tick * rise_; }
  [[nodiscard]] HeightSpan heights(const TickSpan& span) const {
    return span.empty() ? HeightSpan{} : HeightSpan{height(span.low), height(span.high)};
  }
  [[nodiscard]] double base() const { return base_; }
  /// Positive.
  [[nodiscard]] double rise() const { return rise_; }

  [[nodiscard]] std::size_t bytes() const {
    return ticks_.capacity() * sizeof(TickSpan) + levels_.capacity() * sizeof(Level);
  }

private:
  struct Level {
    std::size_t start;
    std::uint32_t columns, rows;
  };

  void set_scale(const HeightSpan& all);
  [[nodiscard]] TickSpan outward(const HeightSpan& span) const;
  /// From the level below.
  void fill(const Level& level, const Level& below);

  double base_ = 0, rise_ = 1;
  std::vector<Level> levels_;
  std::vector<TickSpan> ticks_; ///< of all levels, row by row
};

} // namespace carom
