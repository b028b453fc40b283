#include "carom/dynamics/joint_forest.h"

#include <algorithm>

namespace carom {

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
      found_[i].leaf = false;
    }
  }
}

void JointForest::order() {
  round_.assign(masses_.size(), 0);
  keys_.clear();
  for (std::size_t i = found_.size(); i-- > 0;) {
    const ForestEntry& e = found_[i];
    const std::uint32_t round =
        std::max(e.child == 0 ? 0 : round_[e.child], e.parent == 0 ? 0 : round_[e.parent]);
    if (e.parent != 0) round_[e.parent] = round + 1;
    const std::uint32_t kind = e.edge == no_edge ? 0 : edges_[e.edge].kind;
    keys_.push_back(std::uint64_t{round} << 40 | std::uint64_t{kind & 0xffU} << 32 | i);
  }
  std::sort(keys_.begin(), keys_.end());
  entries_.clear();
  blocks_.clear();
  for (const std::uint64_t key : keys_) {
    const auto i = static_cast<std::uint32_t>(entries_.size());
    const bool same_round =
        i > 0 && key >> 40 == keys_[i - 1] >> 40 && blocks_.back().count < lane_count;
    // A block of one kind needs no more rows than that kind has.
    if (!same_round) blocks_.push_back({i, 0});
    ++blocks_.back().count;
    entries_.push_back(found_[key & 0xffffffffU]);
  }
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
