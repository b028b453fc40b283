// Greedy colours by bit masks, then a counting sort by colour and number of points, most points first, so that few lanes idle.
#include "carom/dynamics/constraint_graph.h"

#include <algorithm>
#include <bit>

namespace carom {
namespace {

constexpr std::uint32_t groups = ConstraintGraph::colors + 1; // one more for those without a colour
constexpr std::uint32_t bucket_count = 2 * groups * 4;

} // namespace

void ConstraintGraph::build(std::span<const GraphEdge> edges, std::size_t bodies) {
  used_.assign(bodies, Used{});
  bucket_.resize(edges.size());
  order_.resize(edges.size());
  blocks_.clear();
  stretches_.clear();
  std::array<std::uint32_t, bucket_count + 1> begin{};
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const GraphEdge& e = edges[i];
    const bool fixed = e.b == 0;
    const std::uint64_t taken = fixed ? used_[e.a].fixed : used_[e.a].moving | used_[e.b].moving;
    const auto color = static_cast<std::uint32_t>(std::countr_one(taken));
    if (color < colors) {
      const std::uint64_t bit = std::uint64_t{1} << color;
      if (fixed) {
        used_[e.a].fixed |= bit;
      } else {
        used_[e.a].moving |= bit;
        used_[e.b].moving |= bit;
      }
    }
    bucket_[i] = ((fixed ? groups : 0) + color) * 4 + (4 - e.points);
    ++begin[bucket_[i] + 1];
  }
  for (std::size_t k = 1; k <= bucket_count; ++k) begin[k] += begin[k - 1];

  for (std::uint32_t group = 0; group < 2 * groups; ++group) {
    const bool at_once = group % groups != colors;
    const std::uint32_t width = at_once ? lane_count : 1;
    const auto first = static_cast<std::uint32_t>(blocks_.size());
    for (std::uint32_t at = begin[group * 4]; at < begin[group * 4 + 4]; at += width)
      blocks_.push_back({at, std::min(width, begin[group * 4 + 4] - at), 1, group >= groups});
    const std::uint32_t count = static_cast<std::uint32_t>(blocks_.size()) - first;
    if (count > 0) stretches_.push_back({first, count, at_once});
  }
  for (std::size_t i = 0; i < edges.size(); ++i)
    order_[begin[bucket_[i]]++] = static_cast<std::uint32_t>(i);
  for (GraphBlock& block : blocks_)
    for (std::uint32_t k = 0; k < block.count; ++k)
      block.points = std::max(block.points, edges[order_[block.first + k]].points);
}

} // namespace carom
