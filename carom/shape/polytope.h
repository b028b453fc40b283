// A convex hull made ready for queries: the farthest vertex in a direction, fast and exact; the planes of its faces.
//
// The farthest vertex is the inner loop of every algorithm that knows a convex set by its support mapping. Here it is looked up
// (support_tree.h): in constant time, without a start, and always the one vertex that a scan of all would give. Other ways to find it, to
// compare with: climb.h, dobkin_kirkpatrick.h.
#pragma once

#include "carom/geometry/box.h"
#include "carom/geometry/plane.h"
#include "carom/mesh/convex_hull.h"
#include "carom/shape/feature_level.h"
#include "carom/shape/gauss_arcs.h"
#include "carom/shape/support_tree.h"

#include <cstdint>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

class Polytope {
public:
  explicit Polytope(ConvexHull hull);

  [[nodiscard]] const ConvexHull& hull() const { return hull_; }
  [[nodiscard]] std::span<const Vec3> vertices() const { return hull_.vertices; }
  /// Per face: its outward unit normal, right to a few epsilon, and the greatest normal . vertex over all vertices, rounded up: every vertex
  /// is exactly behind it. The two normals of a flat polygon are exactly opposite. A segment's one face has no normal of its own: it gets some vector at right
  /// angles, to within rounding. A point has no face.
  [[nodiscard]] std::span<const HalfSpace> planes() const { return planes_; }
  [[nodiscard]] const Aabb& bounds() const { return bounds_; }
  /// Hulls of up to this many vertices have a table of their arcs, if they are solids: there it pays to look at all of them. It takes some 600 bytes a vertex.
  static constexpr std::size_t most_arc_vertices = 1024;
  static constexpr std::size_t most_faces = 2 * most_arc_vertices - 4;
  static constexpr std::size_t most_edges = 3 * most_arc_vertices - 6;
  /// Empty where there is none.
  [[nodiscard]] const GaussArcs& arcs() const { return arcs_; }
  /// The features to walk on, of hulls of up to this many vertices: some 700 bytes each.
  static constexpr std::size_t most_walked_vertices = 2048;
  /// Without vertices where there are none.
  [[nodiscard]] const FeatureLevel& features() const { return features_; }

  /// The vertex with the greatest d . v, computed as d.x * v.x + d.y * v.y + d.z * v.z in double; of equals, that of lowest number. Vertex
  /// 0 where d is zero or not finite.
  [[nodiscard]] std::uint32_t farthest(const Vec3& d) const { return tree_.farthest(d); }

private:
  ConvexHull hull_;
  std::vector<HalfSpace> planes_;
  Aabb bounds_;
  SupportTree tree_;
  GaussArcs arcs_;
  FeatureLevel features_;
};

} // namespace carom
