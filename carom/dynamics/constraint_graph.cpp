// Greedy colours by bit masks, then a counting sort by part, colour, number of points and whether something acts in them, so that few lanes idle, and idle contacts share blocks.
#include "carom/dynamics/constraint_graph.h"

#include <algorithm>
#include <bit>

namespace carom {
namespace {

/// Of a colour: most points first, and of each number of points what acts first.
///
/// A point that is alone is solved once more where its block has several points of others. Which are, is not to depend on what is idle: so the first ones, as many as fill up the last block of those with more points, come before the others.
constexpr std::uint32_t kinds = 9, first_singles = 6;
std::uint32_t kind_of(const GraphEdge& e) {
  const std::uint32_t idle = e.idle ? 1 : 0;
  return e.points > 1 ? 2 * (4 - e.points) + idle : first_singles + 1 + idle;
}

} // namespace

/// Regions; pairs of them, pairs of pairs, ... up to all; and the regions once more, for contacts with what is fixed.
void ConstraintGraph::lay_stages(std::size_t regions) {
  stages_.assign(1, 0);
  for (auto parts = static_cast<std::uint32_t>(regions); parts > 0; parts /= 2)
    stages_.push_back(stages_.back() + parts);
  stages_.push_back(stages_.back() + static_cast<std::uint32_t>(regions));
  parts_.assign(stages_.back(), GraphPart{});
}

ConstraintGraph::Tint ConstraintGraph::tint(const GraphEdge& e,
                                            std::span<const std::uint8_t> region_of) {
  const unsigned own = region_of[e.a], other = e.b == 0 ? own : region_of[e.b];
  const bool fixed = e.b == 0;
  std::uint64_t Used::*const kind =
      fixed ? &Used::fixed : (own == other ? &Used::inner : &Used::border);
  const std::uint64_t taken = used_[e.a].*kind | (fixed ? 0 : used_[e.b].*kind);
  const auto color = static_cast<std::uint32_t>(std::countr_one(taken));
  if (color < colors_at_most) {
    used_[e.a].*kind |= std::uint64_t{1} << color;
    if (!fixed) used_[e.b].*kind |= std::uint64_t{1} << color;
  }
  // How often regions are to be joined in twos until both are in one.
  const auto stage = static_cast<std::size_t>(std::bit_width(own ^ other));
  return {(fixed ? stages_[stages() - 1] : stages_[stage]) + (own >> stage), color};
}

void ConstraintGraph::lay_blocks(std::uint32_t groups, std::uint32_t fixed_parts) {
  for (std::uint32_t i = 0; i < parts_.size(); ++i) {
    GraphPart& part = parts_[i];
    part.first = static_cast<std::uint32_t>(blocks_.size());
    part.first_color = static_cast<std::uint32_t>(colors_.size());
    for (std::uint32_t group = i * groups; group < (i + 1) * groups; ++group) {
      const bool at_once = group % groups != groups - 1;
      const std::uint32_t width = at_once ? lane_count : 1;
      const std::uint32_t end = bucket_begin_[(group + 1) * kinds];
      const auto first = static_cast<std::uint32_t>(blocks_.size());
      for (std::uint32_t at = bucket_begin_[group * kinds]; at < end; at += width)
        blocks_.push_back(
            {.first = at, .count = std::min(width, end - at), .fixed = i >= fixed_parts});
      const std::uint32_t count = static_cast<std::uint32_t>(blocks_.size()) - first;
      if (count > 0) colors_.push_back({first, count, at_once});
    }
    part.count = static_cast<std::uint32_t>(blocks_.size()) - part.first;
    part.color_count = static_cast<std::uint32_t>(colors_.size()) - part.first_color;
  }
}

/// `groups`: colours that a part has, and one more.
void ConstraintGraph::sort_kinds(std::span<const GraphEdge> edges, std::uint32_t groups) {
  const auto group = [&](const Tint& t) { return t.part * groups + std::min(t.color, groups - 1); };
  singles_.assign(parts_.size() * groups, 0);
  for (std::size_t i = 0; i < edges.size(); ++i)
    if (edges[i].points > 1) --singles_[group(tints_[i])];
  for (std::uint32_t& n : singles_) n %= lane_count; // what is missing to a whole number of blocks
  for (std::size_t i = 0; i < edges.size(); ++i) {
    Tint& t = tints_[i];
    std::uint32_t& left = singles_[group(t)];
    t.kind = kind_of(edges[i]);
    if (t.color >= groups - 1) {
      t.kind = 2 * (4 - edges[i].points); // those that have no colour are solved in their order
    } else if (edges[i].points == 1 && left > 0) {
      t.kind = first_singles;
      --left;
    }
  }
}

void ConstraintGraph::build(std::span<const GraphEdge> edges,
                            std::span<const std::uint8_t> region_of, std::size_t regions) {
  used_.assign(region_of.size(), Used{});
  tints_.resize(edges.size());
  order_.resize(edges.size());
  blocks_.clear();
  colors_.clear();
  lay_stages(regions);
  std::uint32_t most = 0; // colours
  for (std::size_t i = 0; i < edges.size(); ++i) {
    tints_[i] = tint(edges[i], region_of);
    if (tints_[i].color < colors_at_most) most = std::max(most, tints_[i].color + 1);
  }
  // The last group of each part has those without a colour.
  const std::uint32_t groups = most + 1;
  sort_kinds(edges, groups);
  const auto bucket = [&](std::size_t i) {
    const Tint& t = tints_[i];
    return (t.part * groups + std::min(t.color, most)) * kinds + t.kind;
  };
  bucket_begin_.assign(parts_.size() * groups * kinds + 1, 0);
  for (std::size_t i = 0; i < edges.size(); ++i) ++bucket_begin_[bucket(i) + 1];
  for (std::size_t k = 1; k < bucket_begin_.size(); ++k) bucket_begin_[k] += bucket_begin_[k - 1];
  lay_blocks(groups, stages_[stages() - 1]);
  for (std::size_t i = 0; i < edges.size(); ++i)
    order_[bucket_begin_[bucket(i)]++] = static_cast<std::uint32_t>(i);
  for (GraphBlock& block : blocks_)
    for (std::uint32_t k = 0; k < block.count; ++k) {
      const GraphEdge& e = edges[order_[block.first + k]];
      block.points = std::max(block.points, e.points);
      block.idle = block.idle && e.idle;
    }
}

} // namespace carom
