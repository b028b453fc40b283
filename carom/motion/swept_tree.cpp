#include "carom/motion/swept_tree.h"

#include "carom/math/tolerance.h"

#include <algorithm>

namespace carom {

namespace {

Aabb joined(const Aabb& a, const Aabb& b) { return {min(a.min, b.min), max(a.max, b.max)}; }

Result<void> check(const MovingMesh& mesh) {
  if (mesh.from.size() != mesh.to.size())
    return failure(ErrorCode::out_of_range, "The two frames have different numbers of vertices.");
  if (mesh.triangles.size() >= std::size_t{1} << 30)
    return failure(ErrorCode::out_of_range, "There are 2^30 triangles or more.");
  for (const auto& triangle : mesh.triangles)
    for (const std::uint32_t v : triangle)
      if (v >= mesh.from.size())
        return failure(ErrorCode::out_of_range, "A triangle has a corner that is no vertex.");
  for (const auto& frame : {mesh.from, mesh.to})
    for (const Vec3& v : frame) {
      if (!is_finite(v)) return failure(ErrorCode::not_finite, "A vertex is not finite.");
      if (max_abs(v) > tolerance::coordinate_max)
        return failure(ErrorCode::out_of_range, "A vertex has a coordinate above 1e30.");
    }
  return {};
}

void box_triangles(const MovingMesh& mesh, std::vector<Aabb>& boxes) {
  boxes.clear();
  boxes.reserve(mesh.triangles.size());
  for (const auto& triangle : mesh.triangles) {
    Aabb box;
    for (const std::uint32_t v : triangle)
      for (const Vec3& p : {mesh.from[v], mesh.to[v]}) box = joined(box, {p, p});
    boxes.push_back(box);
  }
}

/// Each vertex and edge to the first triangle that has it.
std::vector<FeatureMask> share_features(const MovingMesh& mesh) {
  std::vector<FeatureMask> masks(mesh.triangles.size());
  struct Edge {
    std::uint32_t low, high, triangle, number;
  };
  std::vector<Edge> edges;
  edges.reserve(3 * mesh.triangles.size());
  std::vector<bool> taken(mesh.from.size());
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto& corner = mesh.triangles[t];
    for (std::uint32_t i = 0; i < 3; ++i) {
      const std::uint32_t a = corner[i];
      const std::uint32_t b = corner[(i + 1) % 3];
      edges.push_back({std::min(a, b), std::max(a, b), t, i});
      if (taken[a]) continue;
      taken[a] = true;
      masks[t] = static_cast<FeatureMask>(masks[t] | 1U << i);
    }
  }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    if (a.low != b.low) return a.low < b.low;
    if (a.high != b.high) return a.high < b.high;
    return a.triangle != b.triangle ? a.triangle < b.triangle : a.number < b.number;
  });
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const Edge& e = edges[i];
    if (i > 0 && edges[i - 1].low == e.low && edges[i - 1].high == e.high) continue;
    masks[e.triangle] = static_cast<FeatureMask>(masks[e.triangle] | 8U << e.number);
  }
  return masks;
}

} // namespace

Result<SweptTree> SweptTree::build(const MovingMesh& mesh) {
  if (const Result<void> good = check(mesh); !good) return tl::unexpected(good.error());
  SweptTree r;
  box_triangles(mesh, r.triangle_boxes_);
  r.tree_ = WideTree(r.triangle_boxes_);
  r.features_ = share_features(mesh);
  r.fit(mesh);
  return r;
}

Result<void> SweptTree::refit(const MovingMesh& mesh) {
  if (const Result<void> good = check(mesh); !good) return tl::unexpected(good.error());
  if (mesh.triangles.size() != triangle_boxes_.size())
    return failure(ErrorCode::out_of_range, "The tree was built for another number of triangles.");
  fit(mesh);
  return {};
}

void SweptTree::fit(const MovingMesh& mesh) {
  box_triangles(mesh, triangle_boxes_);
  const std::span<const WideNode> nodes = tree_.nodes();
  child_boxes_.assign(8 * nodes.size(), Aabb{});
  // A node comes before its children.
  for (std::size_t n = nodes.size(); n-- > 0;) {
    for (std::size_t lane = 0; lane < nodes[n].count; ++lane) {
      const ChildRef child = nodes[n].child[lane];
      Aabb& box = child_boxes_[8 * n + lane];
      if (child.is_leaf()) {
        for (const std::uint32_t item : tree_.leaf(child.number()))
          if (item != WideTree::no_item) box = joined(box, triangle_boxes_[item]);
      } else {
        for (std::size_t i = 0; i < 8; ++i)
          box = joined(box, child_boxes_[8 * std::size_t{child.number()} + i]);
      }
    }
  }
}

} // namespace carom
