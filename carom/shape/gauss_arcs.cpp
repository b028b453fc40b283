#include "carom/shape/gauss_arcs.h"

#include <algorithm>

namespace carom {

GaussArcs::GaussArcs(const ConvexHull& hull, std::span<const HalfSpace> planes) {
  arc_of.resize(hull.twin.size());
  std::vector<double> stretch(planes.size(), 1);
  for (std::uint32_t h = 0; h < hull.twin.size(); ++h) {
    if (hull.twin[h] < h) continue;
    arc_of[h] = arc_of[hull.twin[h]] = static_cast<std::uint32_t>(arcs.size());
    const Vec3& from = hull.vertices[hull.origin[h]];
    const Vec3 edge = hull.vertices[hull.target(h)] - from;
    const std::uint32_t left = hull.face[h];
    const std::uint32_t right = hull.face[hull.twin[h]];
    arcs.push_back(
        {normalized(edge), planes[left].normal, planes[right].normal, from, length(edge)});
    // Infinite where the normals are opposite to within rounding.
    const double far = 2 / std::max(0.0, length(arcs.back().left + arcs.back().right) - 0x1p-49);
    stretch[left] = std::max(stretch[left], far);
    stretch[right] = std::max(stretch[right], far);
  }
  face_blocks.resize((planes.size() + 7) / 8);
  for (std::size_t i = 0; i < 8 * face_blocks.size(); ++i) {
    PlaneBlock& block = face_blocks[i / 8];
    const std::size_t lane = i % 8;
    const std::size_t face = std::min(i, planes.size() - 1);
    block.x[lane] = planes[face].normal.x;
    block.y[lane] = planes[face].normal.y;
    block.z[lane] = planes[face].normal.z;
    block.offset[lane] = planes[face].offset;
    block.stretch[lane] = stretch[face];
  }
}

} // namespace carom
