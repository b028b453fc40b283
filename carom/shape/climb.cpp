// The artificial neighbours of a vertex are farthest vertices too, in directions tilted away from the vertex's own: three ways at each of a
// few angles, each angle a third of the one before. A climb that is off by some angle finds among them one that is off by less than
// about half of it; the last angle is about that of a step along an edge, where the real neighbours take over. That makes
// O(log n) steps where the normals are spread evenly. Where they are not, it is still right: the real edges are all there.
#include "carom/shape/climb.h"

#include "carom/shape/support_tree.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

constexpr std::size_t fewest_for_links = 32; ///< below, an answer is never far
constexpr double widest_tilt = 1.5;          ///< the tangent of the greatest angle: about a radian
constexpr double tilt_factor = 1.0 / 3;

/// A direction in which each vertex is about the farthest: from the middle of all to it, or for a flat one some such.
Vec3 middle_of(std::span<const Vec3> vertices) {
  Vec3 sum;
  for (const Vec3& v : vertices) sum += v / static_cast<double>(vertices.size());
  return sum;
}

void add_links(const SupportTree& tree, std::span<const Vec3> vertices, const Vec3& middle,
               std::uint32_t i, std::vector<std::uint32_t>& list) {
  const Vec3 out = normalized(vertices[i] - middle);
  const Vec3 side = perpendicular(out), other = cross(out, side);
  // Three directions in a plane at 120 degrees.
  constexpr double half_root_3 = 0.86602540378443864676;
  const Vec3 ways[3] = {side, side * -0.5 + other * half_root_3, side * -0.5 - other * half_root_3};
  // Of n vertices spread evenly, neighbours are about 3.5 / sqrt(n) apart.
  const double finest = 3.5 / std::sqrt(static_cast<double>(vertices.size()));
  const std::size_t own = list.size();
  double tilt = widest_tilt;
  while (tilt > finest) {
    for (const Vec3& way : ways) {
      const std::uint32_t far = tree.farthest(out + way * tilt);
      if (far != i && std::find(list.begin() + static_cast<std::ptrdiff_t>(own), list.end(), far) ==
                          list.end()) {
        list.push_back(far);
      }
    }
    tilt *= tilt_factor;
  }
}

} // namespace

Neighbors edge_neighbors(const ConvexHull& hull) {
  Neighbors result;
  for (std::uint32_t v = 0; v < hull.vertices.size(); ++v) {
    result.first.push_back(static_cast<std::uint32_t>(result.list.size()));
    const std::uint32_t start = hull.outgoing[v];
    if (start == ConvexHull::none) continue;
    std::uint32_t h = start;
    do {
      result.list.push_back(hull.target(h));
      h = hull.around(h);
    } while (h != start);
  }
  result.first.push_back(static_cast<std::uint32_t>(result.list.size()));
  return result;
}

ClimbGraph::ClimbGraph(const ConvexHull& hull)
    : vertices_(hull.vertices), neighbors_(edge_neighbors(hull)) {
  if (hull.dimension < 3 || vertices_.size() < fewest_for_links) return;
  const SupportTree tree(vertices_);
  const Vec3 middle = middle_of(vertices_);
  Neighbors all;
  for (std::uint32_t i = 0; i < vertices_.size(); ++i) {
    all.first.push_back(static_cast<std::uint32_t>(all.list.size()));
    add_links(tree, vertices_, middle, i, all.list); // the far ones first: they raise the bar
    const auto near = neighbors_.of(i);
    all.list.insert(all.list.end(), near.begin(), near.end());
  }
  all.first.push_back(static_cast<std::uint32_t>(all.list.size()));
  neighbors_ = std::move(all);
}

} // namespace carom
