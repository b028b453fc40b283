// Sorted along a curve (curve_order.h). Where the numbers of a range first differ
// in a bit, one plane in the middle of some cell tells its halves apart: that is where it is split. No thing is looked at twice for that, so it is a few times quicker than trying places.
#include "carom/tree/curve_order.h"
#include "carom/tree/split_things.h"

#include <algorithm>
#include <bit>

namespace carom {
namespace {

/// That of the box's middle.
std::uint32_t place_of(const FloatBox& box) {
  Vec3 middle;
  for (int i = 0; i < 3; ++i) {
    const auto at = static_cast<std::size_t>(i);
    middle[i] = static_cast<double>((box.min[at] + box.max[at]) * 0.5F);
  }
  return curve_place(middle);
}

class CurveSplit {
public:
  CurveSplit(std::span<const FloatBox> boxes, const std::vector<std::uint64_t>& keys)
      : boxes_(boxes), keys_(keys) {
    nodes_.reserve(boxes.size() / 2);
    add_node(0, static_cast<std::uint32_t>(keys.size()));
  }
  std::vector<BinaryNode> take() { return std::move(nodes_); }

private:
  std::uint32_t add_node(std::uint32_t begin, std::uint32_t end) {
    const auto at = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back({{}, begin, end, 0});
    FloatBox box;
    if (end - begin <= WideTree::leaf_size) {
      for (std::uint32_t i = begin; i < end; ++i)
        box.add(boxes_[static_cast<std::uint32_t>(keys_[i])]);
    } else {
      const std::uint32_t middle = split(begin, end);
      box.add(nodes_[add_node(begin, middle)].box);
      const std::uint32_t right = add_node(middle, end);
      nodes_[at].right = right;
      box.add(nodes_[right].box);
    }
    nodes_[at].box = box;
    return at;
  }

  /// The first that has the highest bit in which they differ; by count where all are in one cell.
  [[nodiscard]] std::uint32_t split(std::uint32_t begin, std::uint32_t end) const {
    const std::uint64_t differ = (keys_[begin] ^ keys_[end - 1]) >> 32;
    if (differ == 0) return begin + (end - begin) / 2;
    const std::uint64_t bit = std::bit_floor(differ) << 32;
    const auto from = keys_.begin() + begin, to = keys_.begin() + end;
    const auto found =
        std::partition_point(from, to, [bit](std::uint64_t key) { return (key & bit) == 0; });
    return begin + static_cast<std::uint32_t>(found - from);
  }

  std::span<const FloatBox> boxes_;
  const std::vector<std::uint64_t>& keys_;
  std::vector<BinaryNode> nodes_;
};

} // namespace

SplitThings split_along_curve(std::span<const FloatBox> boxes) {
  std::vector<std::uint64_t> keys, room;
  keys.reserve(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i)
    keys.push_back(std::uint64_t{place_of(boxes[i])} << 32 | i);
  sort_by_upper_half(keys, room);
  SplitThings result;
  result.nodes = CurveSplit(boxes, keys).take();
  result.order.reserve(keys.size());
  for (const std::uint64_t key : keys) result.order.push_back(static_cast<std::uint32_t>(key));
  return result;
}

} // namespace carom
