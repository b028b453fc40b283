// The support mapping: the point of a bounded convex set that lies farthest in a direction.
//
// support_point(set, d) maximises d . x over the set; d need not be a unit vector. Where several points are farthest (a face, an edge),
// it is one of them, always the same one; where d is zero or not finite, any point of the set. It is what the algorithms for
// arbitrary convex sets (gjk.h) know of a set.
#pragma once

#include "carom/geometry/box.h"
#include "carom/geometry/cone.h"
#include "carom/geometry/ellipsoid.h"
#include "carom/geometry/line.h"
#include "carom/geometry/polygon.h"
#include "carom/geometry/swept_sphere.h"
#include "carom/geometry/tapered_capsule.h"
#include "carom/geometry/triangle.h"
#include "carom/geometry/view_frustum.h"

#include <span>

namespace [[gnu::visibility("default")]] carom {

[[nodiscard]] constexpr Vec3 support_point(const Vec3& point, const Vec3&) { return point; }
[[nodiscard]] Vec3 support_point(const Segment& segment, const Vec3& d);
[[nodiscard]] Vec3 support_point(const Triangle& triangle, const Vec3& d);
[[nodiscard]] Vec3 support_point(const Tetrahedron& tetrahedron, const Vec3& d);
[[nodiscard]] Vec3 support_point(const Quad& quad, const Vec3& d);
[[nodiscard]] Vec3 support_point(const Rectangle& rectangle, const Vec3& d);
/// The hull of the points: the first of the farthest. The origin where there is none.
[[nodiscard]] Vec3 support_point(std::span<const Vec3> points, const Vec3& d);
[[nodiscard]] Vec3 support_point(const Polygon& polygon, const Vec3& d);
[[nodiscard]] Vec3 support_point(const Sphere& sphere, const Vec3& d);
[[nodiscard]] Vec3 support_point(const Capsule& capsule, const Vec3& d);
[[nodiscard]] Vec3 support_point(const TaperedCapsule& capsule, const Vec3& d);
[[nodiscard]] Vec3 support_point(const Lozenge& lozenge, const Vec3& d);
[[nodiscard]] Vec3 support_point(const Cylinder& cylinder, const Vec3& d);
[[nodiscard]] Vec3 support_point(const Cone& cone, const Vec3& d);
[[nodiscard]] Vec3 support_point(const ConeFrustum& frustum, const Vec3& d);
[[nodiscard]] Vec3 support_point(const Ellipsoid& ellipsoid, const Vec3& d);
[[nodiscard]] Vec3 support_point(const Aabb& box, const Vec3& d);
[[nodiscard]] Vec3 support_point(const Obb& box, const Vec3& d);
[[nodiscard]] Vec3 support_point(const ViewFrustum& frustum, const Vec3& d);

} // namespace carom
