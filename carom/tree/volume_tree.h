// Binary trees of bounding volumes over triangles: balls, boxes, k-DOPs, lozenges, shells, all behind one interface.
//
// For comparison and for teaching: any volume with any way to build, any descent rule and any search (volume_queries.h). The same answers
// come from all of them; what differs is the time. docs/tree-volumes.md has the figures.
//
//   const VolumeTree<Obb> tree = build_volume_tree<Obb>({vertices, triangles});
//   const VolumeTreeNearest n = nearest_triangles(tree, other, b_in_a);
//
// A node's volume contains every triangle below it; see sphere_tree.h for trees where several leaves cover one triangle together.
#pragma once

#include "carom/geometry/fit_aabb.h"
#include "carom/tree/volume_kind.h"
#include "carom/tree/volume_topology.h"
#include "carom/tree/volume_triangles.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

template<BoundingVolume V>
struct VolumeTree {
  struct Node {
    V volume;
    std::uint32_t first =
        0; ///< inner: its children are first and first + 1; leaf: its triangles begin here
    std::uint32_t count = 0; ///< of triangles; 0 in an inner node

    [[nodiscard]] constexpr bool leaf() const { return count != 0; }
  };

  TriangleSurface mesh; ///< in its own frame; it must outlive the tree
  std::vector<Node>
      nodes; ///< node 0 is the root, children come after their parents; none where there are no triangles
  std::vector<std::uint32_t> triangles; ///< of the leaves, one after the other; numbers of the mesh
  double extent = 0;                    ///< the greatest |coordinate| of the triangles

  [[nodiscard]] bool empty() const { return nodes.empty(); }
  [[nodiscard]] std::span<const std::uint32_t> triangles_of(const Node& leaf) const {
    return std::span(triangles).subspan(leaf.first, leaf.count);
  }
  /// Without the mesh.
  [[nodiscard]] std::size_t bytes() const {
    return nodes.size() * sizeof(Node) + triangles.size() * sizeof(std::uint32_t);
  }
};

/// The triangles of a mesh that trees are built over (is_usable), and the box of each.
struct UsableTriangles {
  std::vector<std::uint32_t> numbers;
  std::vector<Aabb> boxes;
  double extent = 0; ///< their greatest |coordinate|

  explicit UsableTriangles(const TriangleSurface& mesh) {
    for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i) {
      if (!is_usable(mesh, i)) continue;
      const Triangle t = mesh[i];
      numbers.push_back(i);
      boxes.push_back(bounds(t));
      extent = std::max({extent, max_abs(t.a), max_abs(t.b), max_abs(t.c)});
    }
  }
};

/// A tree over all usable triangles, each in one leaf. The same bits in, the same tree out. Its depth is bounded as that of its topology.
template<BoundingVolume V>
[[nodiscard]] VolumeTree<V> build_volume_tree(const TriangleSurface& mesh,
                                              const VolumeTreeBuild& how = {}) {
  const UsableTriangles usable(mesh);
  const VolumeTopology topology = build_topology(usable.boxes, how);
  VolumeTree<V> tree{mesh, {}, {}, usable.extent};
  for (const std::uint32_t i : topology.order) tree.triangles.push_back(usable.numbers[i]);
  tree.nodes.resize(topology.nodes.size());
  VolumeGatherer gatherer(mesh);
  for (std::size_t i = topology.nodes.size(); i-- > 0;) { // children before parents
    const VolumeTopology::Node& from = topology.nodes[i];
    typename VolumeTree<V>::Node& node = tree.nodes[i];
    node.first = from.leaf() ? from.first : from.child;
    node.count = from.leaf() ? from.count : 0;
    if (how.fit == NodeFit::children && !from.leaf()) {
      node.volume =
          VolumeKind<V>::merge(tree.nodes[from.child].volume, tree.nodes[from.child + 1].volume);
    } else {
      const auto below = std::span(tree.triangles).subspan(from.first, from.count);
      node.volume = VolumeKind<V>::fit(gatherer.gather(below));
    }
  }
  return tree;
}

} // namespace carom
