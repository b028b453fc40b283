// The distance of a point from a set, by brute force: every feature is tried and the nearest kept. 0 inside.
//
// This is the checker's own containment, too: p lies in the set, to within e, where distance(p, set) <= e. The empty set is
// infinitely far. Slow and plain on purpose; It shares the structs' own accessors and the exact predicates with the algorithms under test, and nothing else.
#pragma once

#include "carom/verify/support.h"

namespace [[gnu::visibility("default")]] carom {
namespace verify {

[[nodiscard]] double distance(const Vec3& p, const Vec3& point);
[[nodiscard]] double distance(const Vec3& p, const Line& line);
[[nodiscard]] double distance(const Vec3& p, const Ray& ray);
[[nodiscard]] double distance(const Vec3& p, const Segment& segment);
/// Normals of any length; where it is zero, a plane is all of space (offset 0) or empty, a half-space all (offset >= 0) or empty.
[[nodiscard]] double distance(const Vec3& p, const Plane& plane);
[[nodiscard]] double distance(const Vec3& p, const HalfSpace& half_space);
[[nodiscard]] double distance(const Vec3& p, const Triangle& triangle);
[[nodiscard]] double distance(const Vec3& p, const Tetrahedron& tetrahedron);
[[nodiscard]] double distance(const Vec3& p, const Quad& quad);
[[nodiscard]] double distance(const Vec3& p, const Polygon& polygon);
[[nodiscard]] double distance(const Vec3& p, const Rectangle& rectangle);
[[nodiscard]] double distance(const Vec3& p, const Sphere& sphere);
[[nodiscard]] double distance(const Vec3& p, const Capsule& capsule);
[[nodiscard]] double distance(const Vec3& p, const Lozenge& lozenge);
[[nodiscard]] double distance(const Vec3& p, const Cylinder& cylinder);
[[nodiscard]] double distance(const Vec3& p, const Cone& cone);
[[nodiscard]] double distance(const Vec3& p, const ConeFrustum& frustum);
/// By bisection in extended precision.
[[nodiscard]] double distance(const Vec3& p, const Ellipsoid& ellipsoid);
[[nodiscard]] double distance(const Vec3& p, const Aabb& box);
[[nodiscard]] double distance(const Vec3& p, const Obb& box);
[[nodiscard]] double distance(const Vec3& p, const ViewFrustum& frustum);
/// By trying the nearest points on all planes, all lines of two and all points of three. Cubic, for few faces.
[[nodiscard]] double distance(const Vec3& p, const ConvexPolyhedron& polyhedron);

template<int K>
[[nodiscard]] double distance(const Vec3& p, const Kdop<K>& kdop) {
  return distance(p, ConvexPolyhedron{half_spaces(kdop)});
}

} // namespace verify
} // namespace carom
