// The point of a set nearest to a given point p, and its distance, for every primitive.
//
// Solids are solid: a point inside is its own nearest point, at distance 0. Degenerate sets (a zero direction, a flat triangle, radius 0)
// are legal: they are the lower-dimensional sets that they look like. A set that is empty (an empty Aabb or Kdop, a polygon without
// corners, a polyhedron that no point satisfies) is infinitely far: the distance is INFINITY and the point is p itself.
//
// How exact. With L the greatest coordinate of p and the set, the point lies in the set and the distance is the least possible, each to
// within about 26 epsilon L (the worst measured, in 300,000 triangles), however thin or skew the set is; exceptions are stated.
#pragma once

#include "carom/geometry/answer.h"
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

#include <array>

namespace [[gnu::visibility("default")]] carom {

/// The point is line.at(t). t = 0 where the direction is zero.
struct ClosestOnLine : ClosestPoint {
  double t = 0;
};

/// The smallest face of a triangle or tetrahedron that has the nearest point inside it.
enum class SimplexFeature { vertex, edge, face, inside };

/// The point is triangle.at(barycentric) up to rounding; the weights are >= 0 and sum to 1 up to rounding. A weight is exactly 0 unless its
/// corner belongs to the feature: the positive ones name the vertex or edge.
struct ClosestOnTriangle : ClosestPoint {
  Vec3 barycentric;
  SimplexFeature feature = SimplexFeature::vertex; ///< never `inside`
};

/// As for the triangle, with the weights of a, b, c, d. `inside` where p is in the solid (or on its surface): decided exactly; the weights
/// are then ratios of rounded volumes, and poor where the tetrahedron is thin. Outside: `face`, `edge` or `vertex`.
struct ClosestOnTetrahedron : ClosestPoint {
  std::array<double, 4> barycentric{};
  SimplexFeature feature = SimplexFeature::vertex;
};

/// The point is rectangle.at(s, t): lengths along u and v.
struct ClosestOnRectangle : ClosestPoint {
  double s = 0, t = 0;
};

[[nodiscard]] ClosestOnLine closest_point(const Vec3& p, const Line& line);
/// t >= 0.
[[nodiscard]] ClosestOnLine closest_point(const Vec3& p, const Ray& ray);
/// 0 <= t <= 1; ends are exact.
[[nodiscard]] ClosestOnLine closest_point(const Vec3& p, const Segment& segment);

/// The normal may have any length. A zero normal makes the plane all of space (offset 0) or empty.
[[nodiscard]] ClosestPoint closest_point(const Vec3& p, const Plane& plane);
/// The normal may have any length. A zero normal makes it all of space (offset >= 0) or empty.
[[nodiscard]] ClosestPoint closest_point(const Vec3& p, const HalfSpace& half_space);

[[nodiscard]] ClosestOnTriangle closest_point(const Vec3& p, const Triangle& triangle);
[[nodiscard]] ClosestOnTetrahedron closest_point(const Vec3& p, const Tetrahedron& tetrahedron);
/// Flat and convex, like the polygon: to within rounding. Of others, the point is on an edge or in the plane of three far corners.
[[nodiscard]] ClosestPoint closest_point(const Vec3& p, const Quad& quad);
[[nodiscard]] ClosestPoint closest_point(const Vec3& p, const Polygon& polygon);
[[nodiscard]] ClosestOnRectangle closest_point(const Vec3& p, const Rectangle& rectangle);

[[nodiscard]] ClosestPoint closest_point(const Vec3& p, const Sphere& sphere);
[[nodiscard]] ClosestPoint closest_point(const Vec3& p, const Capsule& capsule);
[[nodiscard]] ClosestPoint closest_point(const Vec3& p, const Lozenge& lozenge);
[[nodiscard]] ClosestPoint closest_point(const Vec3& p, const Cylinder& cylinder);
[[nodiscard]] ClosestPoint closest_point(const Vec3& p, const Cone& cone);
[[nodiscard]] ClosestPoint closest_point(const Vec3& p, const ConeFrustum& frustum);
[[nodiscard]] ClosestPoint closest_point(const Vec3& p, const Ellipsoid& ellipsoid);

[[nodiscard]] ClosestPoint closest_point(const Vec3& p, const Aabb& box);
[[nodiscard]] ClosestPoint closest_point(const Vec3& p, const Obb& box);
/// near > far is empty.
[[nodiscard]] ClosestPoint closest_point(const Vec3& p, const ViewFrustum& frustum);

/// Normals may have any length; see HalfSpace for zero. A half-space counts as satisfied to within 16 epsilon L. Where nearly parallel
/// faces meet at an angle x, that may move the point by 16 epsilon L / sin x: such sets are not known better than their planes.
[[nodiscard]] ClosestPoint closest_point(const Vec3& p, const ConvexPolyhedron& polyhedron);
/// A slab with infinite ends does not bound. Any slab with min > max makes it empty.
[[nodiscard]] ClosestPoint closest_point(const Vec3& p, const Kdop6& kdop);
[[nodiscard]] ClosestPoint closest_point(const Vec3& p, const Kdop14& kdop);
[[nodiscard]] ClosestPoint closest_point(const Vec3& p, const Kdop18& kdop);
[[nodiscard]] ClosestPoint closest_point(const Vec3& p, const Kdop26& kdop);

} // namespace carom
