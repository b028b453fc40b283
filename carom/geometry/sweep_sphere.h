// A moving ball against a standing thing. See sweep.h for what is returned.
//
// The ball touches B when its centre is within its radius of B: a point moves against B grown by the radius (cast_rounded.h).
// The contact point lies on B, toward the centre.
//
// How exact. With L the greatest coordinate, motions and radii included, the distance of the two at t is 0 to within 64 epsilon
// L, and before t they reach into each other by no more than that. t itself is as exact as that allows: where the ball grazes, it
// moves far for a little depth. The normal comes from the nearest point of B (of its core, if it is round), which a distance of
// `reach` away shows the direction to within about 64 epsilon L / reach.
#pragma once

#include "carom/geometry/box.h"
#include "carom/geometry/plane.h"
#include "carom/geometry/polygon.h"
#include "carom/geometry/sweep.h"
#include "carom/geometry/swept_sphere.h"
#include "carom/geometry/triangle.h"

namespace [[gnu::visibility("default")]] carom {

/// From either side; through it counts as overlapping. Parallel motion beside it misses. The plane's normal has unit length.
[[nodiscard]] Sweep sweep(const Sphere& a, const Vec3& motion, const Plane& b);
/// Inside it is overlapping. A unit normal, too.
[[nodiscard]] Sweep sweep(const Sphere& a, const Vec3& motion, const HalfSpace& b);

/// One within the other is overlapping. Concentric ones separate against the motion (along x, at rest).
[[nodiscard]] Sweep sweep(const Sphere& a, const Vec3& motion, const Sphere& b);
[[nodiscard]] Sweep sweep(const Sphere& a, const Vec3& motion, const Segment& b);
[[nodiscard]] Sweep sweep(const Sphere& a, const Vec3& motion, const Capsule& b);
[[nodiscard]] Sweep sweep(const Sphere& a, const Vec3& motion, const Rectangle& b);
[[nodiscard]] Sweep sweep(const Sphere& a, const Vec3& motion, const Lozenge& b);

/// From either side, on the face, an edge or a corner. A degenerate one is the segment or point it is.
[[nodiscard]] Sweep sweep(const Sphere& a, const Vec3& motion, const Triangle& b);
/// Without corners it is never hit.
[[nodiscard]] Sweep sweep(const Sphere& a, const Vec3& motion, const Polygon& b);
[[nodiscard]] Sweep sweep(const Sphere& a, const Vec3& motion, const Quad& b);

/// Against the box with its corners and edges rounded: exact. The empty box is never hit.
[[nodiscard]] Sweep sweep(const Sphere& a, const Vec3& motion, const Aabb& b);
[[nodiscard]] Sweep sweep(const Sphere& a, const Vec3& motion, const Obb& b);

} // namespace carom
