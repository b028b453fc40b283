#include "carom/shape/gauss_arcs.h"

#include <algorithm>

namespace carom {
namespace {

void set(PlaneBlock& block, std::size_t lane, const HalfSpace& plane) {
  block.x[lane] = plane.normal.x;
  block.y[lane] = plane.normal.y;
  block.z[lane] = plane.normal.z;
  block.offset[lane] = plane.offset;
}

/// Calls f(block, lane, i) for i < count, and for the lanes left over with the last i.
template<class Block, class Function>
std::vector<Block> blocks_of(std::size_t count, Function&& f) {
  std::vector<Block> blocks((count + 7) / 8);
  for (std::size_t i = 0; i < 8 * blocks.size(); ++i)
    f(blocks[i / 8], i % 8, std::min(i, count - 1));
  return blocks;
}

} // namespace

GaussArcs::GaussArcs(const ConvexHull& hull, std::span<const HalfSpace> planes) {
  std::vector<std::uint32_t> edges; // a half-edge of each
  for (std::uint32_t h = 0; h < hull.twin.size(); ++h) {
    if (hull.twin[h] > h) edges.push_back(h);
  }
  for (const std::uint32_t h : edges) {
    const Vec3& from = hull.vertices[hull.origin[h]];
    const Vec3 edge = hull.vertices[hull.target(h)] - from;
    const std::uint32_t left = hull.face[h];
    const std::uint32_t right = hull.face[hull.twin[h]];
    arcs.push_back({normalized(edge), planes[left].normal, planes[right].normal, from, length(edge),
                    left, right});
  }
  arc_blocks = blocks_of<ArcBlock>(edges.size(), [&](ArcBlock& b, std::size_t lane, std::size_t i) {
    set(b.left, lane, planes[hull.face[edges[i]]]);
    set(b.right, lane, planes[hull.face[hull.twin[edges[i]]]]);
    // Infinite where the normals are opposite to within rounding.
    b.stretch[lane] = 2 / std::max(0.0, length(arcs[i].left + arcs[i].right) - 0x1p-49);
  });
  face_blocks =
      blocks_of<PlaneBlock>(planes.size(), [&](PlaneBlock& b, std::size_t lane, std::size_t i) {
        set(b, lane, planes[i]);
      });
}

} // namespace carom
