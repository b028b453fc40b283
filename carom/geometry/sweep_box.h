// Moving boxes. See sweep.h for what is returned.
//
// How exact. With L the greatest coordinate, motion included: as in sweep_sphere.h, 64 epsilon L. Boxes along the axes are
// compared exactly where the motion is zero on an axis.
#pragma once

#include "carom/geometry/box.h"
#include "carom/geometry/cast.h"
#include "carom/geometry/plane.h"
#include "carom/geometry/sweep.h"

namespace [[gnu::visibility("default")]] carom {

/// When the two are in contact, over all of time: from `enter` to `exit`, perhaps infinite. Boxes that are apart on an axis on
/// which the motion is zero never are. The normals point from B toward A where they come together, and where they part.
[[nodiscard]] LineSpan contact_span(const Aabb& a, const Vec3& motion, const Aabb& b);

/// The point is the middle of the patch in which they touch. Empty boxes hit nothing.
[[nodiscard]] Sweep sweep(const Aabb& a, const Vec3& motion, const Aabb& b);

/// From either side; across it counts as overlapping. The point is the middle of the face, edge or corner that touches. The normal of
/// the plane or half-space has unit length.
[[nodiscard]] Sweep sweep(const Aabb& a, const Vec3& motion, const Plane& b);
[[nodiscard]] Sweep sweep(const Aabb& a, const Vec3& motion, const HalfSpace& b);
[[nodiscard]] Sweep sweep(const Obb& a, const Vec3& motion, const Plane& b);
[[nodiscard]] Sweep sweep(const Obb& a, const Vec3& motion, const HalfSpace& b);

} // namespace carom
