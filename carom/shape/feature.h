// The corners, edges and faces of a shape's core, by number; and the one that lies farthest in a direction.
//
// Two shapes touch with features: a corner on a face, an edge across an edge, a face on a face. The numbers stay the same while the shapes
// move, so a contact can be known again in the next step.
//
// The numbering:
//   point        vertex 0.
//   segment      vertices 0 and 1 (a and b), edge 0.
//   triangle     vertices 0, 1, 2 (a, b, c); edge i from vertex i to the next; face 0 on the side from which a, b, c run counter-clockwise, face 1
//                on the other.
//   box          vertex: bits 0, 1, 2 choose the far end of axes 0, 1, 2 (Obb::corner). Edge: 4 * its axis + bit 0 for the far end of the axis that
//                follows it (0, 1, 2, 0, ...), bit 1 for that of the one after. Face: 2 * its axis, + 1 at the far end.
//   hull, brush  vertices and faces of the ConvexHull; an edge has the lower number of its two half-edges. Faces that are coplanar to within rounding
//                count as one, which has the lowest number of those met along its outline.
//   cylinder     face 0 the cap against the axis, 1 the cap along it, 2 the side. A rim counts as 16 points with 16 arcs between: rim r = 0, 1 (of cap r)
//                has vertices and edges 16 r + k. A line along the side is edge 32, its ends vertices 32 + r. Any one point of rim r is edge 33 + r.
//   cone         face 0 the base, 1 the side. The rim has vertices and edges 0 .. 15. The apex is vertex 16. A line along the side is
//                edge 16 from vertex 16 to vertex 17. Any one point of the rim is edge 17.
//   tapered      vertices 0 and 1: the balls around a and b. A line along the side is edge 0.
//   capsule
//   half-space   face 0.
//   the rest     face 0: ellipsoids, sums, hulls of two, custom and scaled shapes are one surface without marks. So are shapes that are not convex, as a whole: their parts have features of their own, as triangles, points
//                and so on. support_face gives their farthest point.
// Spheres and capsules are those of their cores. Rounding changes no numbers.
#pragma once

#include "carom/shape/feature_level.h"
#include "carom/shape/shape.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

struct Feature {
  FeatureKind kind = FeatureKind::vertex;
  std::uint32_t id = 0;

  constexpr bool operator==(const Feature&) const = default;
};

/// Kind and number in 32 bits: two for the kind, thirty for the number (of hulls with more than 2^30 half-edges, its lower bits).
[[nodiscard]] constexpr std::uint32_t packed(const Feature& f) {
  return static_cast<std::uint32_t>(f.kind) << 30 | (f.id & 0x3fffffffu);
}
[[nodiscard]] constexpr Feature unpacked(std::uint32_t bits) {
  return {static_cast<FeatureKind>(bits >> 30), bits & 0x3fffffffu};
}

/// A corner of a feature.
struct FaceCorner {
  Vec3 point;
  Feature at;   ///< what the corner is
  Feature side; ///< what lies between it and the next corner
};

/// Where support_face puts the corners: up to 16 of them in place, more on the heap. May be used again and again.
struct FaceStorage {
  std::array<FaceCorner, 16> few;
  std::vector<FaceCorner> many;
};

/// A feature of a core as a convex polygon: one corner, or two for an edge, or all of a face's in order, counter-clockwise seen from outside.
struct SupportFace {
  Feature feature;
  /// Outward, a unit vector: of a face its normal, of an edge the direction at right angles to it that is nearest to the one asked for, of a
  /// point the one asked for. Moved along it by the shape's rounding, the polygon lies on the surface of the rounded shape.
  Vec3 normal;
  /// In the storage, in the shape's frame. Corners of a flat box or a disc without radius may coincide. None for a half-space.
  std::span<FaceCorner> corners;
  /// An edge around which the core turns with this radius: a segment with 0, a line along a cylinder's side with the cylinder's. Negative for all else.
  double turn_radius = -1;
};

/// The feature of the core that lies farthest along d, a unit vector in the shape's frame. Where a face has a normal within an angle of d whose cosine is
/// `min_cosine`, it is taken whole, and the best of those; else an edge whose normal is (SupportFace::normal); else the
/// farthest point. Only features at the farthest point are considered. With min_cosine 1 - 1e-12 or so: what lies
/// farthest to within rounding. With 0.5: what faces in that direction, more or less. Above 1: points only. Not below 0.1.
///
/// Discs are given as the regular 16-gon inscribed, always the same one: its area is 2.6% less. So the farthest point of a tilted disc is mostly not a
/// corner. Allocates only for faces of more than 16 corners.
[[nodiscard]] SupportFace support_face(const Shape& shape, const Vec3& d, double min_cosine,
                                       FaceStorage& storage);

} // namespace carom
