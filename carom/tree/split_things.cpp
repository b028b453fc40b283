// From the top down: all things are split in two, each part again, until a part fits into a leaf.
//
// Where to split is the surface-area heuristic's choice. A ray that meets a box meets a part of it with a chance in proportion to its surface; so the cost of a split is
// the surface of each side times the leaves it will take. The things are sorted by the middles of their boxes into bins along each axis, and only
// the borders of bins are tried. Ties are broken by the order of trying, so the tree is the same on every machine.
//
// Things whose middles crowd together geometrically could make the tree as deep as there are things. Below a certain depth they are halved by count instead.
//
// Compiled once for each instruction set (everything between the HWY_ lines), and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "carom/tree/split_things.cpp"
#include <hwy/foreach_target.h>

#include "carom/math/wide_float-inl.h"
#include "carom/tree/split_things.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <thread>

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {
namespace {

constexpr std::size_t leaf_size = WideTree::leaf_size;
/// Fewer things are not worth a thread.
constexpr std::size_t least_share = 4096;
constexpr int most_bins = 16;

/// x, y, z, and a lane that does not count.
struct Box4 {
  Float4 min, max;

  /// The box without points.
  [[nodiscard]] static HWY_INLINE Box4 none() {
    return {all_floats<4>(INFINITY), all_floats<4>(-INFINITY)};
  }

  HWY_INLINE void add(const Float4& low, const Float4& high) {
    min = HWY_NAMESPACE::min(min, low);
    max = HWY_NAMESPACE::max(max, high);
  }
  void add(const Box4& other) { add(other.min, other.max); }

  [[nodiscard]] float half_area() const {
    alignas(16) float e[4];
    store_floats(max - min, e);
    return e[0] * e[1] + e[1] * e[2] + e[2] * e[0];
  }
  [[nodiscard]] FloatBox box() const {
    alignas(16) float low[4], high[4];
    store_floats(min, low);
    store_floats(max, high);
    return {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
  }
};

/// A thing: its box, and its number. Only the boxes are in the lanes that are computed with: as a float, a number would be a very small one, and adding those is slow.
struct alignas(16) Item {
  float min[3];
  float none_min;
  float max[3];
  float none_max;
  std::uint32_t number;

  [[nodiscard]] HWY_INLINE Float4 low() const { return load_floats<4>(min); }
  [[nodiscard]] HWY_INLINE Float4 high() const { return load_floats<4>(max); }
  /// Twice the middle.
  [[nodiscard]] HWY_INLINE Float4 middle() const { return low() + high(); }
};

struct Range {
  std::size_t begin, end;
  Box4 box;     ///< around the things
  Box4 middles; ///< around twice the middles of their boxes

  /// Before anything is added.
  [[nodiscard]] static HWY_INLINE Range from(std::size_t begin, std::size_t end) {
    return {begin, end, Box4::none(), Box4::none()};
  }

  [[nodiscard]] std::size_t count() const { return end - begin; }
  void add(const Item& item) {
    box.add(item.low(), item.high());
    const Float4 middle = item.middle();
    middles.add(middle, middle);
  }
};

/// Where the middles fall: the same arithmetic for sorting into bins and for splitting.
struct Binning {
  Float4 from, per_bin;
  int bins;

  Binning(const Range& range, int bin_count) : from(range.middles.min), bins(bin_count) {
    // A little less than the number of bins, so that the greatest falls into the last one. Where all middles are one, all into the first.
    const Float4 extent = range.middles.max - range.middles.min;
    const Float4 least = all_floats<4>(0x1p-60F), zero = all_floats<4>(0);
    const Float4 scale = all_floats<4>(static_cast<float>(bins) * 0.99999F) / max(extent, least);
    per_bin = select(least < extent, scale, zero);
  }
  HWY_INLINE void of(const Item& item, std::int32_t (&bin)[4]) const {
    store_whole((item.middle() - from) * per_bin, bin);
  }
};

/// Things whose bin along the axis is before `bin` go to the left.
struct Split {
  int axis = -1; ///< -1: there is none
  int bin = 0;
  float cost = INFINITY;
};

float leaves_of(std::size_t count) {
  return static_cast<float>((count + leaf_size - 1) / leaf_size);
}

Split best_split(std::span<const Item> items, const Binning& binning) {
  Box4 boxes[3][most_bins];
  for (auto& axis : boxes)
    for (int b = 0; b < binning.bins; ++b) axis[b] = Box4::none();
  std::uint32_t counts[3][most_bins] = {};
  const int bins = binning.bins;
  for (const Item& item : items) {
    alignas(16) std::int32_t bin[4];
    binning.of(item, bin);
    for (int axis = 0; axis < 3; ++axis) {
      boxes[axis][bin[axis]].add(item.low(), item.high());
      ++counts[axis][bin[axis]];
    }
  }
  Split best;
  for (int axis = 0; axis < 3; ++axis) {
    // From the right: what lies in the bins from b on.
    float right_cost[most_bins];
    Box4 right = Box4::none();
    std::size_t right_count = 0;
    for (int b = bins - 1; b > 0; --b) {
      right.add(boxes[axis][b]);
      right_count += counts[axis][b];
      right_cost[b] = right_count == 0 ? INFINITY : right.half_area() * leaves_of(right_count);
    }
    Box4 left = Box4::none();
    std::size_t left_count = 0;
    for (int b = 1; b < bins; ++b) {
      left.add(boxes[axis][b - 1]);
      left_count += counts[axis][b - 1];
      if (left_count == 0) continue;
      const float cost = left.half_area() * leaves_of(left_count) + right_cost[b];
      if (cost < best.cost) best = {axis, b, cost};
    }
  }
  return best;
}

class Builder {
public:
  Builder(std::span<const FloatBox> boxes, const SplitRule& rule) : rule_(rule) {
    items_.reserve(boxes.size());
    root_ = Range::from(0, boxes.size());
    for (const FloatBox& box : boxes) {
      const auto& [low, high] = box;
      const auto number = static_cast<std::uint32_t>(items_.size());
      items_.push_back({{low[0], low[1], low[2]}, 0, {high[0], high[1], high[2]}, 0, number});
      root_.add(items_.back());
    }
  }

  std::vector<BinaryNode> split_all() {
    std::vector<BinaryNode> nodes;
    nodes.reserve(root_.count() / 2);
    if (rule_.threads > 1 && root_.count() > 2 * least_share) {
      split_in_shares(nodes);
    } else {
      add_node(root_, 0, nodes);
    }
    return nodes;
  }
  [[nodiscard]] std::vector<std::uint32_t> order() const {
    std::vector<std::uint32_t> result;
    result.reserve(items_.size());
    for (const Item& item : items_) result.push_back(item.number);
    return result;
  }

private:
  std::uint32_t add_node(const Range& range, int depth, std::vector<BinaryNode>& nodes) {
    const auto at = static_cast<std::uint32_t>(nodes.size());
    nodes.push_back(node_of(range));
    if (range.count() > leaf_size) {
      Range left, right;
      split(range, depth, left, right);
      add_node(left, depth + 1, nodes);
      nodes[at].right = add_node(right, depth + 1, nodes);
    }
    return at;
  }
  static BinaryNode node_of(const Range& range) {
    return {range.box.box(), static_cast<std::uint32_t>(range.begin),
            static_cast<std::uint32_t>(range.end), 0};
  }

  // ---- several threads: the top of the tree by one, what is under it in shares, put together in the order in which one thread would have come to them

  /// A part of the things, small enough to be one thread's work.
  struct Share {
    Range range;
    int depth;
    std::vector<BinaryNode> nodes;
  };

  void split_in_shares(std::vector<BinaryNode>& nodes) {
    const std::size_t many = root_.count() / (8 * static_cast<std::size_t>(rule_.threads));
    std::deque<Share> shares;
    std::vector<BinaryNode> top;
    add_top(root_, 0, std::max(many, least_share), top, shares);
    run(shares);
    put_together(top, 0, shares, nodes);
  }

  /// As add_node. A node without parts stands for a share, by its number in `right`.
  std::uint32_t add_top(const Range& range, int depth, std::size_t share,
                        std::vector<BinaryNode>& top, std::deque<Share>& shares) {
    const auto at = static_cast<std::uint32_t>(top.size());
    if (range.count() <= share) {
      top.push_back({{}, 0, 0, static_cast<std::uint32_t>(shares.size())});
      shares.push_back({range, depth, {}});
      return at;
    }
    top.push_back(node_of(range));
    Range left, right;
    split(range, depth, left, right);
    add_top(left, depth + 1, share, top, shares);
    const std::uint32_t second = add_top(right, depth + 1, share, top, shares);
    top[at].right = second;
    return at;
  }

  void run(std::deque<Share>& shares) {
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
      for (std::size_t i = next++; i < shares.size(); i = next++)
        add_node(shares[i].range, shares[i].depth, shares[i].nodes);
    };
    std::vector<std::thread> helpers;
    helpers.reserve(static_cast<std::size_t>(rule_.threads));
    try {
      for (int i = 1; i < rule_.threads; ++i) helpers.emplace_back(work);
    } catch (...) { // NOLINT(bugprone-empty-catch): fewer threads than wished for will do
    }
    work();
    for (std::thread& helper : helpers) helper.join();
  }

  std::uint32_t put_together(const std::vector<BinaryNode>& top, std::uint32_t n,
                             const std::deque<Share>& shares, std::vector<BinaryNode>& nodes) {
    const auto at = static_cast<std::uint32_t>(nodes.size());
    if (top[n].begin == top[n].end) { // a share
      for (BinaryNode node : shares[top[n].right].nodes) {
        if (!node.is_leaf()) node.right += at;
        nodes.push_back(node);
      }
      return at;
    }
    nodes.push_back(top[n]);
    put_together(top, n + 1, shares, nodes);
    nodes[at].right = put_together(top, top[n].right, shares, nodes);
    return at;
  }

  // ---- one split

  void split(const Range& whole, int depth, Range& left, Range& right) {
    const std::span<Item> items(items_.data() + whole.begin, whole.count());
    if (depth < rule_.sorted_depth) {
      // Few things do not fill many bins.
      const int bins = static_cast<int>(std::min<std::size_t>(most_bins, 4 + items.size() / 4));
      const Binning binning(whole, bins);
      const Split best = best_split(items, binning);
      if (best.axis >= 0) {
        partition(whole, binning, best, left, right);
        return;
      }
    }
    halve(whole, left, right);
  }

  void partition(const Range& whole, const Binning& binning, const Split& split, Range& left,
                 Range& right) {
    left = Range::from(whole.begin, whole.begin);
    right = Range::from(whole.end, whole.end);
    while (left.end < right.begin) {
      Item& item = items_[left.end];
      alignas(16) std::int32_t bin[4];
      binning.of(item, bin);
      if (bin[split.axis] < split.bin) {
        left.add(item);
        ++left.end;
      } else {
        right.add(item);
        --right.begin;
        std::swap(item, items_[right.begin]);
      }
    }
  }

  /// By count, along the longest side; of equal middles, the lower number first.
  void halve(const Range& whole, Range& left, Range& right) {
    const FloatBox middles = whole.middles.box();
    std::size_t axis = 0;
    for (std::size_t i = 1; i < 3; ++i)
      if (middles.max[i] - middles.min[i] > middles.max[axis] - middles.min[axis]) axis = i;
    const auto before = [axis](const Item& a, const Item& b) {
      const float x = a.min[axis] + a.max[axis], y = b.min[axis] + b.max[axis];
      return x != y ? x < y : a.number < b.number;
    };
    const std::size_t middle = whole.begin + whole.count() / 2;
    const auto at = [this](std::size_t i) {
      return items_.begin() + static_cast<std::ptrdiff_t>(i);
    };
    std::nth_element(at(whole.begin), at(middle), at(whole.end), before);
    // What nth_element leaves in which order is the library's choice.
    const auto by_number = [](const Item& a, const Item& b) { return a.number < b.number; };
    std::sort(at(whole.begin), at(middle), by_number);
    std::sort(at(middle), at(whole.end), by_number);
    left = Range::from(whole.begin, middle);
    right = Range::from(middle, whole.end);
    for (std::size_t i = left.begin; i < left.end; ++i) left.add(items_[i]);
    for (std::size_t i = right.begin; i < right.end; ++i) right.add(items_[i]);
  }

  SplitRule rule_;
  std::vector<Item> items_;
  Range root_;
};

} // namespace

SplitThings split_into_two(std::span<const FloatBox> boxes, const SplitRule& rule) {
  Builder builder(boxes, rule);
  std::vector<BinaryNode> nodes = builder.split_all();
  return {std::move(nodes), builder.order()};
}

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace carom {
namespace {

HWY_EXPORT(split_into_two);

} // namespace

SplitThings split_things(std::span<const FloatBox> boxes, const SplitRule& rule) {
  return HWY_DYNAMIC_DISPATCH(split_into_two)(boxes, rule);
}

} // namespace carom
#endif
