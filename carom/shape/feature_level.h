// The vertices, edges and faces of a hull, laid out for walks from feature to neighbouring feature.
//
// Around each feature lies its Voronoi region: the points outside of which no other feature is nearer. Planes bound it. A plane through an end of
// an edge, at right angles to the edge, divides the region of the vertex from that of the edge. A plane through an edge, at right angles to a face, divides
// the region of the edge from that of the face. So a side of a face needs two unit vectors: along it, and out of the face across it.
#pragma once

#include "carom/mesh/convex_hull.h"

#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

enum class FeatureKind : std::uint8_t { vertex, edge, face };

/// A vertex, edge or face by its number in a FeatureLevel. (A Feature, of feature.h, is numbered by the kind of shape.)
struct HullFeature {
  FeatureKind kind = FeatureKind::vertex;
  std::uint32_t index = 0; ///< of the vertex; of one of the edge's two sides; of the face

  bool operator==(const HullFeature&) const = default;
};

/// One side of a face, with the face on its left as seen from outside. Along each edge run two, one each way: twins.
struct FeatureSide {
  static constexpr std::uint32_t no_face = 0xffffffff;

  Vec3 along; ///< unit vector from the origin to the target
  Vec3
      outward; ///< unit vector in the plane of the face, at right angles to the side, out of the face; 0 where there is no face
  double length = 0;
  std::uint32_t origin = 0, target = 0; ///< vertices
  std::uint32_t twin = 0;
  std::uint32_t face = no_face; ///< a segment has two sides and no face
};

/// The unit vectors along two sides that leave a vertex, coordinate by coordinate, for those who look at two at a time.
struct alignas(16) StarBlock {
  double x[2], y[2], z[2];
};

/// A hull's features, some 700 bytes a vertex. Sides are numbered so that those that leave a vertex stand together.
struct FeatureLevel {
  std::vector<Vec3> vertices;
  std::vector<std::uint32_t>
      star_begin; ///< per vertex: the first side that leaves it; then the number of sides
  std::vector<std::uint32_t>
      star_block_begin; ///< per vertex: its first block in `star_blocks`; then the number of these
  std::vector<StarBlock>
      star_blocks; ///< the sides that leave a vertex; where their number is odd, the last one twice
  std::vector<FeatureSide> sides;
  std::vector<Vec3> normals; ///< per face: outward unit normal, right to a few epsilon
  std::vector<std::uint32_t>
      face_begin; ///< per face: where its sides begin in `face_sides`; then the length of that
  std::vector<std::uint32_t> face_sides; ///< counter-clockwise seen from outside
  std::vector<std::uint32_t>
      finer; ///< per vertex: the same one on the next finer level; empty on the finest

  /// The sides that leave vertex v; none where the hull is a point.
  [[nodiscard]] std::span<const FeatureSide> star(std::uint32_t v) const {
    return std::span(sides).subspan(star_begin[v], star_begin[v + 1] - star_begin[v]);
  }
  [[nodiscard]] std::span<const std::uint32_t> sides_of(std::uint32_t face) const {
    return std::span(face_sides).subspan(face_begin[face], face_begin[face + 1] - face_begin[face]);
  }
  [[nodiscard]] bool has(const HullFeature& f) const {
    const std::size_t count = f.kind == FeatureKind::vertex ? vertices.size()
                              : f.kind == FeatureKind::edge ? sides.size()
                                                            : normals.size();
    return f.index < count;
  }
};

/// The features of a hull; the vertices keep their numbers.
[[nodiscard]] FeatureLevel feature_level(const ConvexHull& hull);

} // namespace carom
