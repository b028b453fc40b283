// Moving convex polytopes in space, and convex polygons in the plane: moving separating axes. See sweep.h for what is returned.
//
// Two convex polytopes overlap exactly while their shadows do on every axis of the static test: the face normals of both, and the
// cross products of an edge of each. On each axis the shadows are intervals with a relative speed, in contact during one span of
// time. The last of them to begin is the first contact; it is no contact at all if another has ended by then.
//
// How exact. With L the greatest coordinate, motion included: at t the distance is 0, and before it the depth, to within 64
// epsilon L.
#pragma once

#include "carom/geometry/cast.h"
#include "carom/geometry/separating_axis.h"
#include "carom/geometry/sweep.h"
#include "carom/math/vec2.h"

#include <span>

namespace [[gnu::visibility("default")]] carom {

/// When the two are in contact, over all of time: from `enter` to `exit`, infinite where the motion does not end it. The normals
/// point from B toward A where they come together and where they part. An empty polytope touches nothing.
[[nodiscard]] LineSpan contact_span(const PolytopeView& a, const Vec3& motion,
                                    const PolytopeView& b);

/// The first contact in [0, 1]. The axes of the views are taken as given; the axes of the world are added, for points.
/// The point costs a search for the nearest points (gjk.h) at that time.
[[nodiscard]] Sweep sweep(const PolytopeView& a, const Vec3& motion, const PolytopeView& b);

/// As Sweep, in the plane.
struct Sweep2 {
  bool hit = false;
  double t = 0;
  Vec2 point;
  Vec2 normal;
  bool overlapping_at_start = false;

  [[nodiscard]] explicit constexpr operator bool() const { return hit; }
};

/// Convex polygons by their corners, in order around them, either way. One corner is a point, two are a segment; none is the
/// empty set.
[[nodiscard]] Sweep2 sweep(std::span<const Vec2> a, const Vec2& motion, std::span<const Vec2> b);

} // namespace carom
