// How far a set reaches in a direction: the checker's own formulas, by linear scans and first principles.
//
// support(set, d) is the greatest d . x over the set: infinite where the set is unbounded that way, minus infinity where it is
// empty. d need not be a unit vector. It shares the structs' own accessors and the exact predicates with the algorithms under test, and nothing else.
#pragma once

#include "carom/geometry/box.h"
#include "carom/geometry/cone.h"
#include "carom/geometry/convex_polyhedron.h"
#include "carom/geometry/ellipsoid.h"
#include "carom/geometry/kdop.h"
#include "carom/geometry/line.h"
#include "carom/geometry/plane.h"
#include "carom/geometry/polygon.h"
#include "carom/geometry/swept_sphere.h"
#include "carom/geometry/triangle.h"
#include "carom/geometry/view_frustum.h"

#include <vector>

namespace [[gnu::visibility("default")]] carom {
namespace verify {

[[nodiscard]] double support(const Vec3& point, const Vec3& d);
[[nodiscard]] double support(const Line& line, const Vec3& d);
[[nodiscard]] double support(const Ray& ray, const Vec3& d);
[[nodiscard]] double support(const Segment& segment, const Vec3& d);
/// Finite only where d is parallel to the normal, judged to within a part in 1e15 of |d|. The normal may have any length (zero: all of
/// space, or empty, by the offset).
[[nodiscard]] double support(const Plane& plane, const Vec3& d);
[[nodiscard]] double support(const HalfSpace& half_space, const Vec3& d);
[[nodiscard]] double support(const Triangle& triangle, const Vec3& d);
[[nodiscard]] double support(const Tetrahedron& tetrahedron, const Vec3& d);
[[nodiscard]] double support(const Quad& quad, const Vec3& d);
[[nodiscard]] double support(const Polygon& polygon, const Vec3& d);
[[nodiscard]] double support(const Rectangle& rectangle, const Vec3& d);
[[nodiscard]] double support(const Sphere& sphere, const Vec3& d);
[[nodiscard]] double support(const Capsule& capsule, const Vec3& d);
[[nodiscard]] double support(const Lozenge& lozenge, const Vec3& d);
[[nodiscard]] double support(const Cylinder& cylinder, const Vec3& d);
[[nodiscard]] double support(const Cone& cone, const Vec3& d);
[[nodiscard]] double support(const ConeFrustum& frustum, const Vec3& d);
[[nodiscard]] double support(const Ellipsoid& ellipsoid, const Vec3& d);
[[nodiscard]] double support(const Aabb& box, const Vec3& d);
[[nodiscard]] double support(const Obb& box, const Vec3& d);
[[nodiscard]] double support(const ViewFrustum& frustum, const Vec3& d);
/// Exact only where the polyhedron is bounded; an unbounded one reaches as far as its vertices here.
[[nodiscard]] double support(const ConvexPolyhedron& polyhedron, const Vec3& d);

/// The half-spaces of a k-DOP, with unit normals.
template<int K>
[[nodiscard]] std::vector<HalfSpace> half_spaces(const Kdop<K>& kdop) {
  std::vector<HalfSpace> result;
  for (int i = 0; i < Kdop<K>::slabs; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Vec3 d = Kdop<K>::directions()[k];
    const double l = length(d);
    result.push_back({d / l, kdop.max[k] / l});
    result.push_back({-d / l, -kdop.min[k] / l});
  }
  return result;
}

/// Whether a face with a zero normal leaves no point.
[[nodiscard]] bool is_void(const ConvexPolyhedron& polyhedron);
/// The faces with unit normals; those that have one up to rounding as given. Zero normals, which bound nothing, are left out.
[[nodiscard]] std::vector<HalfSpace> unit_faces(const ConvexPolyhedron& polyhedron);

/// All vertices, by trying every three planes: within `slack` of every half-space counts as inside. Cubic, for few faces.
[[nodiscard]] std::vector<Vec3> vertices(const ConvexPolyhedron& polyhedron, double slack);

template<int K>
[[nodiscard]] double support(const Kdop<K>& kdop, const Vec3& d) {
  return support(ConvexPolyhedron{half_spaces(kdop)}, d);
}

} // namespace verify
} // namespace carom
