#include "carom/dynamics/joint_forest.h"

#include <algorithm>
#include <tuple>

namespace carom {
namespace {

/// Fewer trees of one form would leave more lanes idle than rounds do.
constexpr std::size_t least_side_by_side = 6;

} // namespace

void JointForest::list_neighbours() {
  begin_.assign(masses_.size() + 1, 0);
  for (const ForestEdge& e : edges_)
    for (const std::uint32_t body : {e.a, e.b})
      if (body != 0) ++begin_[body + 1];
  for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
  neighbours_.resize(begin_.back());
  round_.assign(begin_.begin(), begin_.end());
  for (std::uint32_t i = 0; i < edges_.size(); ++i)
    for (const std::uint32_t body : {edges_[i].a, edges_[i].b})
      if (body != 0) neighbours_[round_[body]++] = i;
}

void JointForest::find_part(std::uint32_t from) {
  part_.assign(1, from);
  seen_[from] = 1;
  for (std::size_t i = 0; i < part_.size(); ++i)
    for (std::uint32_t k = begin_[part_[i]]; k < begin_[part_[i] + 1]; ++k) {
      const ForestEdge& e = edges_[neighbours_[k]];
      const std::uint32_t other = e.a == part_[i] ? e.b : e.a;
      if (other == 0 || seen_[other] != 0) continue;
      seen_[other] = 1;
      part_.push_back(other);
    }
}

/// The entries of one part, roots before what hangs on them; anchors come right after their bodies.
void JointForest::grow(std::uint32_t from) {
  find_part(from);
  std::uint32_t root = part_[0], ground = no_edge;
  for (const std::uint32_t body : part_) {
    if (masses_[body] > masses_[root] || (masses_[body] == masses_[root] && body < root))
      root = body;
    for (std::uint32_t k = begin_[body]; k < begin_[body + 1]; ++k) {
      const ForestEdge& e = edges_[neighbours_[k]];
      if (e.a == 0 || e.b == 0) ground = std::min(ground, neighbours_[k]);
    }
  }
  if (ground != no_edge) {
    root = edges_[ground].a + edges_[ground].b; // one of them is 0
    used_[ground] = 1;
  }
  const std::size_t first = found_.size();
  found_.push_back({ground, root, 0, true});
  above_.push_back(no_edge);
  seen_[root] = 2;
  for (std::size_t i = first; i < found_.size(); ++i) {
    const std::uint32_t body = found_[i].child;
    if (body == 0) continue;
    for (std::uint32_t k = begin_[body]; k < begin_[body + 1]; ++k) {
      const std::uint32_t edge = neighbours_[k];
      const std::uint32_t other = edges_[edge].a == body ? edges_[edge].b : edges_[edge].a;
      if (used_[edge] != 0 || (other != 0 && seen_[other] == 2)) continue;
      used_[edge] = 1;
      if (other != 0) seen_[other] = 2;
      found_.push_back({edge, other, body, true});
      above_.push_back(static_cast<std::uint32_t>(i - first));
      found_[i].leaf = false;
    }
  }
  trees_.push_back(
      {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(found_.size() - first)});
}

/// Of two trees: 0 where entry by entry they have the same parents and are of the same kinds.
int JointForest::compare_forms(const ForestBatch& a, const ForestBatch& b) const {
  if (a.count != b.count) return a.count < b.count ? -1 : 1;
  const auto form = [&](std::uint32_t i) {
    const ForestEntry& e = found_[i];
    return std::tuple(above_[i], e.edge == no_edge ? no_edge : edges_[e.edge].kind, e.child == 0);
  };
  for (std::uint32_t i = 0; i < a.count; ++i) {
    const auto x = form(a.first + i), y = form(b.first + i);
    if (x != y) return x < y ? -1 : 1;
  }
  return 0;
}

/// Trees of one form, as many as there are lanes or fewer. What hangs on an entry comes before it.
void JointForest::put_side_by_side(std::span<const ForestBatch> trees) {
  batches_.push_back({static_cast<std::uint32_t>(blocks_.size()), trees[0].count});
  for (std::uint32_t i = trees[0].count; i-- > 0;) {
    blocks_.push_back(
        {static_cast<std::uint32_t>(entries_.size()), static_cast<std::uint32_t>(trees.size())});
    for (const ForestBatch& tree : trees) {
      entries_.push_back(found_[tree.first + i]);
      placed_[tree.first + i] = 1;
    }
  }
}

/// All that have no place yet.
void JointForest::put_in_rounds() {
  round_.assign(masses_.size(), 0);
  keys_.clear();
  for (std::size_t i = found_.size(); i-- > 0;) {
    if (placed_[i] != 0) continue;
    const ForestEntry& e = found_[i];
    const std::uint32_t round =
        std::max(e.child == 0 ? 0 : round_[e.child], e.parent == 0 ? 0 : round_[e.parent]);
    if (e.parent != 0) round_[e.parent] = round + 1;
    const std::uint32_t kind = e.edge == no_edge ? 0 : edges_[e.edge].kind;
    keys_.push_back(std::uint64_t{round} << 40 | std::uint64_t{kind & 0xffU} << 32 | i);
  }
  if (keys_.empty()) return;
  std::sort(keys_.begin(), keys_.end());
  const auto first = static_cast<std::uint32_t>(blocks_.size());
  for (std::size_t k = 0; k < keys_.size(); ++k) {
    const bool same_round =
        k > 0 && keys_[k] >> 40 == keys_[k - 1] >> 40 && blocks_.back().count < lane_count;
    // A block of one kind needs no more rows than that kind has.
    if (!same_round) blocks_.push_back({static_cast<std::uint32_t>(entries_.size()), 0});
    ++blocks_.back().count;
    entries_.push_back(found_[keys_[k] & 0xffffffffU]);
  }
  batches_.push_back({first, static_cast<std::uint32_t>(blocks_.size()) - first});
}

void JointForest::order() {
  entries_.clear();
  blocks_.clear();
  batches_.clear();
  placed_.assign(found_.size(), 0);
  std::sort(trees_.begin(), trees_.end(), [&](const ForestBatch& a, const ForestBatch& b) {
    const int order = compare_forms(a, b);
    return order != 0 ? order < 0 : a.first < b.first;
  });
  const std::span<const ForestBatch> trees(trees_);
  for (std::size_t i = 0; i < trees.size();) {
    std::size_t end = i + 1;
    while (end < trees.size() && end - i < lane_count && compare_forms(trees[i], trees[end]) == 0)
      ++end;
    if (end - i >= least_side_by_side) put_side_by_side(trees.subspan(i, end - i));
    i = end;
  }
  put_in_rounds();
}

void JointForest::build(std::span<const ForestEdge> edges, std::span<const float> masses) {
  if (std::equal(edges.begin(), edges.end(), edges_.begin(), edges_.end()) &&
      std::equal(masses.begin(), masses.end(), masses_.begin(), masses_.end()))
    return;
  edges_.assign(edges.begin(), edges.end());
  masses_.assign(masses.begin(), masses.end());
  list_neighbours();
  seen_.assign(masses_.size(), 0);
  used_.assign(edges_.size(), 0);
  found_.clear();
  above_.clear();
  trees_.clear();
  for (const ForestEdge& e : edges_) {
    const std::uint32_t body = e.a != 0 ? e.a : e.b;
    if (seen_[body] == 0) grow(body);
  }
  order();
  cut_.clear();
  for (std::uint32_t i = 0; i < edges_.size(); ++i)
    if (used_[i] == 0) cut_.push_back(i);
}

} // namespace carom
