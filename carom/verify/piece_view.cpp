#include "carom/verify/piece_view.h"

#include "carom/geometry/line.h"
#include "carom/geometry/triangle.h"
#include "carom/math/predicates.h"
#include "carom/verify/distance.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace verify {

/// Seen along the direction in which it is thinnest, a plate has a border of edges and of faces so narrow that their planes say little: one more plane across each edge, at right
/// angles to the plate. Other solids need none.
template<class Add>
void PieceView::add_border(Add&& add) {
  const ConvexHull& hull = *hull_;
  Vec3 axis;
  double least = 1e-6 * carom::distance(low_, high_);
  for (const Plane& plane : planes_) {
    double low = plane.offset;
    for (const Vec3& v : hull.vertices) low = std::fmin(low, dot(plane.normal, v));
    if (plane.offset - low >= least) continue;
    least = plane.offset - low;
    axis = plane.normal;
  }
  if (axis == Vec3{}) return;
  for (std::uint32_t h = 0; h < hull.origin.size(); ++h) {
    add(cross(hull.vertices[hull.target(h)] - hull.vertices[hull.origin[h]], axis));
  }
}

PieceView::PieceView(const ConvexHull& hull)
    : hull_(&hull), low_(hull.vertices[0]), high_(hull.vertices[0]) {
  for (const Vec3& v : hull.vertices) {
    low_ = min(low_, v);
    high_ = max(high_, v);
  }
  const auto add = [&](const Vec3& normal) {
    const Vec3 n = normalized_or(normal, {});
    if (n == Vec3{}) return;
    double offset = -INFINITY;
    for (const Vec3& v : hull.vertices) offset = std::fmax(offset, dot(n, v));
    planes_.push_back({n, offset});
  };
  for (std::size_t f = 0; f < hull.face_count() && hull.dimension >= 2; ++f) {
    const auto c = hull.corners(f);
    const Vec3& a = hull.vertices[c[0]];
    add(cross(hull.vertices[c[1]] - a, hull.vertices[c[2]] - a));
  }
  if (hull.dimension == 3) add_border(add);
  const std::size_t n = hull.vertices.size();
  if (hull.dimension == 1) {
    add(hull.vertices[1] - hull.vertices[0]);
    add(hull.vertices[0] - hull.vertices[1]);
  }
  if (hull.dimension == 2 && !planes_.empty()) {
    const Vec3 up = planes_[0].normal;
    for (std::size_t i = 0; i < n; ++i) {
      add(cross(hull.vertices[(i + 1) % n] - hull.vertices[i], up));
    }
  }
}

bool PieceView::contains(const Vec3& p) const {
  if (hull_->dimension < 3) return false;
  for (int k = 0; k < 3; ++k) {
    if (p[k] < low_[k] || p[k] > high_[k]) return false;
  }
  for (std::size_t f = 0; f < hull_->face_count(); ++f) {
    const auto c = hull_->corners(f);
    const auto& v = hull_->vertices;
    if (orient3d(v[c[0]], v[c[1]], v[c[2]], p) > 0) return false;
  }
  return true;
}

double PieceView::distance(const Vec3& p) const {
  const auto& v = hull_->vertices;
  if (hull_->dimension == 0) return carom::distance(p, v[0]);
  if (hull_->dimension == 1) return verify::distance(p, Segment{v[0], v[1]});
  // The nearest point of a solid is on a face that p is in front of; where there is none, p is inside.
  double near = INFINITY;
  bool inside = hull_->dimension == 3;
  for (std::size_t f = 0; f < hull_->face_count(); ++f) {
    const auto c = hull_->corners(f);
    if (hull_->dimension == 3 && orient3d(v[c[0]], v[c[1]], v[c[2]], p) <= 0) continue;
    inside = false;
    for (std::size_t i = 2; i < c.size(); ++i) {
      near = std::fmin(near, verify::distance(p, Triangle{v[c[0]], v[c[i - 1]], v[c[i]]}));
    }
  }
  return inside ? 0 : near;
}

bool PieceView::is_far(const Vec3& p, double reach) const {
  for (int k = 0; k < 3; ++k) {
    if (p[k] < low_[k] - reach || p[k] > high_[k] + reach) return true;
  }
  // Offsets are right to a few roundings of the coordinates.
  const double rounding = 0x1p-48 * (max_abs(low_) + max_abs(high_) + max_abs(p));
  return std::any_of(planes_.begin(), planes_.end(), [&](const Plane& plane) {
    return plane.signed_distance(p) > reach + rounding;
  });
}

CutPolygon cut_polygon(std::span<const Vec3> polygon, const Plane& plane, double offset) {
  CutPolygon out;
  bool above = false;
  bool below = false;
  const auto height = [&](const Vec3& p) { return dot(plane.normal, p) - offset; };
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec3& a = polygon[i];
    const Vec3& b = polygon[i + 1 == polygon.size() ? 0 : i + 1];
    const double ha = height(a);
    const double hb = height(b);
    above = above || ha > 0;
    below = below || ha < 0;
    if (ha <= 0) out.below.push_back(a);
    if (ha >= 0) out.above.push_back(a);
    if ((ha < 0 && hb > 0) || (ha > 0 && hb < 0)) {
      const Vec3 c = a + (b - a) * (ha / (ha - hb));
      out.below.push_back(c);
      out.above.push_back(c);
    }
  }
  // What only touches the plane from one side has no part on the other.
  if (!above) out.above.clear();
  if (!below && above) out.below.clear();
  return out;
}

} // namespace verify
} // namespace carom
