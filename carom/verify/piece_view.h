// A convex piece as the checks of decompositions see it: planes around it, and distances from it. By linear scans.
#pragma once

#include "carom/geometry/plane.h"
#include "carom/mesh/convex_hull.h"

#include <optional>
#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {
namespace verify {

class PieceView {
public:
  /// The hull outlives it; its arrays fit together (check_hull_topology).
  explicit PieceView(const ConvexHull& hull);

  /// Planes that bound it, normals of unit length: its faces, and of a thin plate the border too. Of a flat piece its two sides and its border, of a segment the ends. The piece
  /// is below all of them, to within rounding.
  [[nodiscard]] std::span<const Plane> planes() const { return planes_; }
  [[nodiscard]] const ConvexHull& hull() const { return *hull_; }

  /// Exactly inside or on the boundary. Solids only: false for others.
  [[nodiscard]] bool contains(const Vec3& p) const;
  /// 0 inside; right to rounding.
  [[nodiscard]] double distance(const Vec3& p) const;
  /// Whether it is certain, without much work, that p is farther away than this.
  [[nodiscard]] bool is_far(const Vec3& p, double reach) const;

private:
  template<class Add>
  void add_border(Add&& add);

  const ConvexHull* hull_;
  std::vector<Plane> planes_;
  Vec3 low_, high_;
};

/// A convex polygon cut by a plane: what is below it, and what is above. Either may have no corners. Both have the same new points.
struct CutPolygon {
  std::vector<Vec3> below, above;
};
[[nodiscard]] CutPolygon cut_polygon(std::span<const Vec3> polygon, const Plane& plane,
                                     double offset);

} // namespace verify
} // namespace carom
