// The planes. A normal is formed exactly from three corners of its face and then rounded (no three are collinear, and all are exactly
// coplanar, so any three do), hence right to a few epsilon also on slivers. It is still not the exact one, so a corner, or on a nearly flat stretch
// another vertex, may stand out by some epsilon. The offset makes up for that: it is the exact reach of all vertices along the rounded normal,
// rounded up. To find the farthest without looking at all, note that from any vertex a way along edges leads to it that never
// goes down. So it is enough to search from one that is farthest up to rounding, through those that are as far up to rounding.
#include "carom/shape/polytope.h"

#include "carom/geometry/enclose.h"
#include "carom/geometry/separating_axis.h"
#include "carom/math/tolerance.h"

#include <utility>

namespace carom {
namespace {

Vec3 face_normal(const ConvexHull& hull, std::size_t f) {
  const auto corner = hull.corners(f);
  const auto at = [&](std::size_t i) -> const Vec3& { return hull.vertices[corner[i]]; };
  if (corner.size() < 3) return perpendicular(at(1) - at(0));
  return normalized(accurate_cross(at(0), at(1), at(0), at(2)));
}

/// How far a hull reaches, never understated. Keeps its memory from call to call.
class Reach {
public:
  Reach(const ConvexHull& hull, const SupportTree& tree)
      : hull_(hull), tree_(tree), mark_(hull.vertices.size(), 0),
        // A dot product with a unit vector is off by 1.5 epsilon of the sum of its |terms|, at most sqrt(3) sizes: 2.6 epsilon, and as
        // much again for the one it is compared with.
        slack_(6 * tolerance::epsilon * enclose::size(hull.vertices)) {}

  double along(const Vec3& n) {
    ++stamp_;
    open_.clear();
    farthest_.clear();
    const std::uint32_t start = tree_.farthest(n);
    const double top = dot(n, hull_.vertices[start]);
    visit(start);
    while (!open_.empty()) {
      const std::uint32_t first = hull_.outgoing[open_.back()];
      open_.pop_back();
      std::uint32_t h = first;
      do {
        const std::uint32_t v = hull_.target(h);
        if (mark_[v] != stamp_ && dot(n, hull_.vertices[v]) >= top - slack_) visit(v);
        h = hull_.around(h);
      } while (h != first);
    }
    return enclose::reach(farthest_, Vec3{}, n);
  }

private:
  void visit(std::uint32_t v) {
    mark_[v] = stamp_;
    open_.push_back(v);
    farthest_.push_back(hull_.vertices[v]);
  }

  const ConvexHull& hull_;
  const SupportTree& tree_;
  std::vector<std::uint32_t> mark_;
  std::uint32_t stamp_ = 0;
  double slack_;
  std::vector<std::uint32_t> open_;
  std::vector<Vec3> farthest_;
};

} // namespace

Polytope::Polytope(ConvexHull hull) : hull_(std::move(hull)), tree_(hull_.vertices) {
  for (const Vec3& v : hull_.vertices) {
    bounds_.min = min(bounds_.min, v);
    bounds_.max = max(bounds_.max, v);
  }
  Reach reach(hull_, tree_);
  for (std::size_t f = 0; f < hull_.face_count(); ++f) {
    // The two faces of a polygon look exactly opposite ways.
    const bool back = hull_.dimension == 2 && f == 1;
    const Vec3 n = back ? -planes_[0].normal : face_normal(hull_, f);
    planes_.push_back({n, reach.along(n)});
  }
  if (hull_.dimension == 3 && hull_.vertices.size() <= most_arc_vertices)
    arcs_ = GaussArcs(hull_, planes_);
  if (hull_.vertices.size() <= most_walked_vertices) features_ = feature_level(hull_);
}

} // namespace carom
