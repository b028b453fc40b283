// In which features two triangles meet: vertex, edge or inside of the one, with vertex, edge or inside of the other. What tells neighbouring pairs of two meshes that they meet in the same point.
#pragma once

#include "carom/geometry/triangle_triangle.h"

#include <array>
#include <cstdint>

namespace [[gnu::visibility("default")]] carom {

/// A feature is the set of corners it is spanned by, bit i for corner i: one a vertex, two an edge, three the inside.
struct FeaturePair {
  std::uint8_t on_a = 0, on_b = 0;

  bool operator==(const FeaturePair&) const = default;
};

/// The extreme points of what two triangles have in common, each as the pair of features that have this point, and no other, in common: a vertex without its neighbourhood,
/// an edge without its ends, the inside without its edges.
///
/// A triangle without area is the segment or the point that it is: of corners in the same place the first stands for all, and one between the others is none of its vertices.
struct TriangleFeatures {
  TriangleIntersection::Kind kind = TriangleIntersection::Kind::none; ///< that of `intersect`
  int count = 0;                                                      ///< how many are in use
  /// 1 for a point, 2 for a segment, 3 to 6 for a polygon, in order around it.
  std::array<FeaturePair, 6> corners{};
};

/// Exact for all triangles of coordinates in range (tolerance.h).
[[nodiscard]] TriangleFeatures meeting_features(const Triangle& a, const Triangle& b);

/// Where the segment from p to q passes through the triangle, p strictly on the one side of its plane and q on the other. Within 8 epsilon of the greatest |coordinate| of where it really is, in each component,
/// however nearly parallel the two are.
[[nodiscard]] Vec3 piercing_point(const Vec3& p, const Vec3& q, const Triangle& triangle);

} // namespace carom
