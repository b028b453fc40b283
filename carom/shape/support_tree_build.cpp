// Which points a cell must list.
//
// A cell is a square on a side of the cube [-1, 1]^3: the directions in it are the sums, with weights >= 0, of its four corners c[0] .. c[3].
// If a point w is farther than v at each corner, c[k] . w > c[k] . v, it is so for all of them. The same holds for w in the middle between
// two points: then at each direction one of the two is farther than v. So v is left out where it is beaten at all corners by the best
// point of some corner or of the middle, or by the mean of two of those. From the whole side down to the cells each square has
// only to look at the list of the one that it is a quarter of.
//
// Rounding. Let M be the greatest |coordinate| of the points, e = 2^-52, d a direction, m its greatest |component|.
//   1. A dot product of three terms is off by at most 3 (1 + e) e/2 times the sum of |terms|. With m and M: 4.6 e m M, and another 2^-1073
//      where products underflow, which is nothing against e m M while m >= 2^-902 and M >= 2^-100. So if d . w - d . v > 10 e m M in real
//      numbers, w's computed product is the greater: v is not the answer of a scan, whether or not w is.
//   2. The query's ratio is off by 2^-54, its sum with 1 by another 2^-53: d / m is within e, in two components, of a mean of the
//      corners. For d . w - d . v that is 4 e m M at most. So 1 holds if at each corner c . w - c . v > 14 e M.
//   3. Here the two products are off by 4.6 e M each (as in 1 with m = 1), the mean of two by 1.6 e M more, and the subtraction of the
//      margin by 1.6 e M: less than 13 e M in all. A margin of 32 e M leaves 19, more than the 14 needed.
#include "carom/math/tolerance.h"
#include "carom/shape/support_tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace carom {
namespace {

constexpr std::size_t scan_limit = 40; ///< up to so many points are scanned in lanes, measured
constexpr std::size_t split_above = 8; ///< a cell with more points is cut in four
constexpr std::size_t good_enough = 2; ///< a square with so few points is not cut on
constexpr std::size_t scan_above = std::size_t{1}
                                   << 25; ///< so many that indices of lists could pass 32 bits
constexpr std::size_t most_in_grid =
    20; ///< room for the lists of a grid, in numbers per point; 14 where the points are even
constexpr std::size_t most_in_all = 40; ///< and with those of the cells that were cut
constexpr int finest_grid = 9;          ///< 6 * 4^9 cells are 12 MB
constexpr double margin_factor = 32 * tolerance::epsilon;

/// A square on a side of the cube: number (u, v) of those that halving the side `level` times gives.
struct Square {
  std::size_t side;
  int level;
  std::uint32_t u, v;

  [[nodiscard]] Square quarter(std::uint32_t i) const {
    return {side, level + 1, 2 * u + (i & 1), 2 * v + (i >> 1)};
  }
  [[nodiscard]] std::array<Vec3, 4> corners() const {
    const int axis = static_cast<int>(side / 2);
    const double width = 2.0 / static_cast<double>(std::uint32_t{1} << level);
    std::array<Vec3, 4> result;
    for (std::uint32_t k = 0; k < 4; ++k) {
      result[k][axis] = side % 2 == 0 ? 1 : -1;
      result[k][(axis + 1) % 3] = (u + (k & 1)) * width - 1;
      result[k][(axis + 2) % 3] = (v + (k >> 1)) * width - 1;
    }
    return result;
  }
};

/// c[k] . p at the four corners.
struct Heights {
  double at[4];

  [[nodiscard]] bool below(const Heights& other) const {
    return at[0] < other.at[0] && at[1] < other.at[1] && at[2] < other.at[2] && at[3] < other.at[3];
  }
};

/// Up to five points that are good somewhere in a cell, and the means of any two of them, each lowered by the margin.
class Rivals {
public:
  Rivals(std::span<const Heights> heights, double margin) {
    std::array<std::size_t, 5> best{};
    std::array<double, 5> top;
    top.fill(-INFINITY);
    for (std::size_t i = 0; i < heights.size(); ++i) {
      const auto& at = heights[i].at;
      // The middle first: its best beats most others.
      const double value[5] = {at[0] + at[1] + at[2] + at[3], at[0], at[1], at[2], at[3]};
      for (std::size_t k = 0; k < 5; ++k) {
        if (value[k] > top[k]) {
          top[k] = value[k];
          best[k] = i;
        }
      }
    }
    for (std::size_t k = 0; k < 5; ++k) {
      if (std::find(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(k), best[k]) ==
          best.begin() + static_cast<std::ptrdiff_t>(k)) {
        rival_[count_++] = heights[best[k]];
      }
    }
    const std::size_t singles = count_;
    for (std::size_t a = 1; a < singles; ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        for (std::size_t k = 0; k < 4; ++k)
          rival_[count_].at[k] = 0.5 * (rival_[a].at[k] + rival_[b].at[k]);
        ++count_;
      }
    }
    for (std::size_t i = 0; i < count_; ++i)
      for (double& height : rival_[i].at) height -= margin;
  }

  [[nodiscard]] bool beat(const Heights& heights) const {
    return std::any_of(rival_.begin(), rival_.begin() + static_cast<std::ptrdiff_t>(count_),
                       [&](const Heights& rival) { return heights.below(rival); });
  }

private:
  std::array<Heights, 15> rival_; // 5 and 5 * 4 / 2
  std::size_t count_ = 0;
};

} // namespace

class SupportTreeBuilder {
public:
  explicit SupportTreeBuilder(SupportTree& tree) : tree_(tree) {}

  void build() {
    double size = 0;
    for (const Vec3& p : tree_.points_) {
      if (!is_finite(p) || max_abs(p) > 0x1p100) return; // plain scans
      size = std::max(size, max_abs(p));
    }
    tree_.longest_ = 0x1p900;
    const std::size_t n = tree_.points_.size();
    std::vector<std::uint32_t> all(n);
    std::iota(all.begin(), all.end(), std::uint32_t{0});
    if (n <= scan_limit || n > scan_above || size < 0x1p-100) {
      add_blocks(all);
      return;
    }
    margin_ = margin_factor * size;
    while (tree_.grid_level_ < finest_grid && cells_in_grids() <= 2 * n) ++tree_.grid_level_;
    while (!fill_grids(all)) --tree_.grid_level_;
    refine();
    settle();
  }

private:
  using Cell = SupportTree::Cell;

  /// Part of pool_.
  struct List {
    std::size_t first, count;
  };
  struct Crowded {
    std::size_t cell;
    Square square;
  };

  /// In numbers of 4 bytes: a point in lanes takes 28 bytes.
  [[nodiscard]] static std::size_t room_for(std::size_t count) {
    return count > SupportTree::longest_list ? 7 * count : count;
  }

  [[nodiscard]] std::size_t cells_in_grids() const {
    return std::size_t{6} << (2 * tree_.grid_level_);
  }
  [[nodiscard]] std::size_t cell_of(const Square& s) const {
    return (((s.side << s.level) + s.v) << s.level) + s.u;
  }

  /// The points of `from` that may be farthest in a direction of the square, appended to the pool.
  List filter(const Square& square, const List& from) {
    const List result{pool_.size(), 1};
    if (from.count == 1) {
      pool_.push_back(pool_[from.first]);
      return result;
    }
    const std::array<Vec3, 4> corners = square.corners();
    heights_.clear();
    for (std::size_t i = 0; i < from.count; ++i) {
      const Vec3& p = tree_.points_[pool_[from.first + i]];
      heights_.push_back(
          {{dot(corners[0], p), dot(corners[1], p), dot(corners[2], p), dot(corners[3], p)}});
    }
    const Rivals rivals(heights_, margin_);
    for (std::size_t i = 0; i < from.count; ++i) {
      if (!rivals.beat(heights_[i])) pool_.push_back(pool_[from.first + i]);
    }
    return {result.first, pool_.size() - result.first};
  }

  [[nodiscard]] bool too_full() const {
    return tree_.grid_level_ > 0 && room_ > most_in_grid * tree_.points_.size();
  }

  /// False where the lists get too long. A flat polygon of n corners has n sqrt(n) entries in a grid of n cells, since each cell near
  /// its normal sees a good part of all corners.
  bool fill_grids(const std::vector<std::uint32_t>& all) {
    tree_.cells_.assign(cells_in_grids(), {});
    kept_.clear();
    room_ = 0;
    crowded_.clear();
    pool_ = all;
    for (std::size_t side = 0; side < 6; ++side) fill_grid({side, 0, 0, 0}, {0, all.size()});
    return !too_full();
  }

  void fill_grid(const Square& square, const List& above) {
    if (too_full()) return;
    const List list = filter(square, above);
    if (square.level == tree_.grid_level_ || list.count <= good_enough) {
      share(square, keep(list));
      if (list.count > split_above) crowded_.push_back({cell_of(square), square});
      return;
    }
    for (std::uint32_t i = 0; i < 4; ++i) fill_grid(square.quarter(i), list);
    // What the quarters kept has moved to kept_.
    pool_.resize(list.first);
  }

  /// All cells of the grid in the square get the same list.
  void share(const Square& square, const Cell& cell) {
    const int halvings = tree_.grid_level_ - square.level;
    const std::uint32_t cells = std::uint32_t{1} << halvings;
    for (std::uint32_t v = 0; v < cells; ++v) {
      const std::size_t row = cell_of(
          {square.side, tree_.grid_level_, square.u << halvings, (square.v << halvings) + v});
      std::fill_n(tree_.cells_.begin() + static_cast<std::ptrdiff_t>(row), cells, cell);
    }
  }

  /// Moves the list, which is the last of the pool, to where it stays.
  Cell keep(const List& list) {
    const auto begin = pool_.begin() + static_cast<std::ptrdiff_t>(list.first);
    const Cell cell{static_cast<std::uint32_t>(kept_.size()),
                    static_cast<std::uint32_t>(list.count)};
    room_ += room_for(list.count);
    kept_.insert(kept_.end(), begin, begin + static_cast<std::ptrdiff_t>(list.count));
    pool_.resize(list.first);
    return cell;
  }

  /// Cuts crowded cells, the widest first, while it is worth the memory: level stretches stay crowded however small the cell is.
  void refine() {
    const std::size_t n = tree_.points_.size();
    const std::size_t most_cells = cells_in_grids() + 4 * n;
    for (std::size_t i = 0; i < crowded_.size(); ++i) {
      const Crowded c = crowded_[i];
      if (c.square.level == SupportTree::finest_level) continue;
      if (tree_.cells_.size() >= most_cells || room_ >= most_in_all * n) return;
      const Cell cell = tree_.cells_[c.cell];
      const std::size_t first = tree_.cells_.size();
      tree_.cells_.resize(first + 4);
      tree_.cells_[c.cell] = {static_cast<std::uint32_t>(first), 0};
      room_ -= room_for(cell.count);
      const auto list = kept_.begin() + cell.first;
      pool_.assign(list, list + cell.count);
      for (std::uint32_t k = 0; k < 4; ++k) {
        const Square quarter = c.square.quarter(k);
        const Cell& part = tree_.cells_[first + k] = keep(filter(quarter, {0, cell.count}));
        if (part.count > split_above) crowded_.push_back({first + k, quarter});
      }
    }
  }

  /// Moves the lists of the cells that were not cut to where the queries read them.
  void settle() {
    constexpr std::uint32_t nowhere = 0xffffffff;
    std::vector<std::uint32_t> moved(kept_.size(), nowhere); // per list, by its first place
    for (Cell& cell : tree_.cells_) {
      if (cell.count == 0) continue;
      std::uint32_t& place = moved[cell.first];
      const std::span<const std::uint32_t> list = std::span(kept_).subspan(cell.first, cell.count);
      const bool in_lanes = cell.count > SupportTree::longest_list;
      if (place == nowhere) {
        place = static_cast<std::uint32_t>(in_lanes ? tree_.blocks_.size() : tree_.list_.size());
        if (in_lanes)
          add_blocks(list);
        else
          tree_.list_.insert(tree_.list_.end(), list.begin(), list.end());
      }
      cell.first = place;
    }
  }

  void add_blocks(std::span<const std::uint32_t> list) {
    for (std::size_t first = 0; first < list.size(); first += 8) {
      SupportTree::Block& block = tree_.blocks_.emplace_back();
      for (std::size_t lane = 0; lane < 8; ++lane) {
        const std::uint32_t i = list[std::min(first + lane, list.size() - 1)];
        block.x[lane] = tree_.points_[i].x;
        block.y[lane] = tree_.points_[i].y;
        block.z[lane] = tree_.points_[i].z;
        block.index[lane] = i;
      }
    }
  }

  SupportTree& tree_;
  double margin_ = 0;
  std::vector<std::uint32_t> pool_; ///< the lists of the squares being cut, as a stack
  std::vector<std::uint32_t> kept_; ///< the lists of cells
  std::size_t room_ = 0;
  std::vector<Crowded> crowded_;
  std::vector<Heights> heights_;
};

SupportTree::SupportTree(std::span<const Vec3> points) : points_(points.begin(), points.end()) {
  SupportTreeBuilder(*this).build();
}

} // namespace carom
