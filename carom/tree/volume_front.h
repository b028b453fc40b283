// Generalised front tracking: all overlapping pairs of two trees that move little by little, from where the last search ended instead of from the roots.
//
// A search makes a tree of pairs of nodes. Its ends, the front, are pairs that are apart, and pairs of leaves. When things have moved a little, most of the front is where it was. So only the front is tested: where a
// pair that was apart is so no longer, the front sprouts downward, as in a search from the roots. And where all pairs below one are apart, that one is tested itself: if it is apart, too, the front is raised to it. The
// pairs above the front are not tested at all. In binary trees they are up to half of all that a search tests.
#pragma once

#include "carom/tree/volume_queries.h"

namespace [[gnu::visibility("default")]] carom {

/// What is kept from one search to the next, for one pair of trees and one rule of descent. Empty, the search begins at the roots.
struct VolumeFront {
  struct Node {
    VolumeNodePair pair;
    std::uint32_t parent = 0;
    std::uint8_t children = 0; ///< none: it belongs to the front
    std::uint8_t apart = 0;    ///< how many of them are apart, in the search that is going on
    bool dropped = false;      ///< by that search
  };
  /// The root is the first, parents come before their children.
  std::vector<Node> nodes;
};

namespace volume_query {

/// Leaves out what was dropped.
inline void compact(VolumeFront& front) {
  std::vector<std::uint32_t> place(front.nodes.size());
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < front.nodes.size(); ++i) {
    VolumeFront::Node node = front.nodes[i];
    if (node.dropped) continue;
    node.parent = place[node.parent];
    place[i] = kept;
    front.nodes[kept++] = node;
  }
  front.nodes.resize(kept);
}

/// Marks the nodes that are apart together with all their siblings as dropped, if apart(parent) holds as well; from the bottom up.
template<class Apart>
void raise(VolumeFront& front, Apart&& apart) {
  for (std::size_t i = front.nodes.size(); i-- > 0;) {
    VolumeFront::Node& node = front.nodes[i];
    if (node.children == 0 || node.apart != node.children) continue;
    if (!apart(node.pair)) continue;
    node.children = 0;
    if (i != 0) ++front.nodes[node.parent].apart;
  }
  for (std::size_t i = 1; i < front.nodes.size(); ++i) {
    const VolumeFront::Node& parent = front.nodes[front.nodes[i].parent];
    front.nodes[i].dropped = parent.dropped || parent.children == 0;
  }
}

} // namespace volume_query

/// All pairs of triangles that meet, in ascending order, each once: the same as without the front.
template<BoundingVolume V>
[[nodiscard]] std::vector<VolumeTreePair>
overlapping_pairs(const VolumeTree<V>& a, const VolumeTree<V>& b, const Frame& b_in_a,
                  VolumeFront& front, TreeDescent descent = TreeDescent::larger,
                  VolumeTreeStats* stats = nullptr) {
  VolumeTreeStats own;
  VolumeTreeStats& counted = stats ? *stats : own;
  std::vector<VolumeTreePair> pairs;
  if (a.empty() || b.empty()) return pairs;
  if (front.nodes.empty()) front.nodes.push_back({});
  const typename VolumeKind<V>::Relative relative(b_in_a);
  const double room = volume_query::slack(a, b, b_in_a);
  const auto apart = [&](const VolumeNodePair& pair) {
    ++counted.volumes;
    return relative.apart(a.nodes[pair.a].volume, b.nodes[pair.b].volume, room);
  };
  for (VolumeFront::Node& node : front.nodes) node.apart = 0;
  for (std::uint32_t i = 0; i < front.nodes.size(); ++i) { // it grows on the way
    const VolumeFront::Node at = front.nodes[i];
    if (at.children != 0) continue;
    if (apart(at.pair)) {
      if (i != 0) ++front.nodes[at.parent].apart;
      continue;
    }
    const auto& node_a = a.nodes[at.pair.a];
    const auto& node_b = b.nodes[at.pair.b];
    const VolumeTreeStep step = descent_step<V>(descent, node_a, node_b, at.pair);
    if (!step.a && !step.b) {
      volume_query::any_pair(a, node_a, b, node_b, b_in_a, counted,
                             [&](const VolumeTreePair& pair, const Triangle& s, const Triangle& t) {
                               if (overlaps(s, t)) pairs.push_back(pair);
                               return false;
                             });
      continue;
    }
    for_each_child(at.pair, step, node_a.first, node_b.first, [&](const VolumeNodePair& child) {
      front.nodes.push_back({child, i});
      ++front.nodes[i].children;
    });
  }
  volume_query::raise(front, apart);
  volume_query::compact(front);
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

} // namespace carom
