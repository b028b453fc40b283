// Lines against half-spaces and the solids made of them. See cast.h for what is returned.
#pragma once

#include "carom/geometry/cast.h"
#include "carom/geometry/convex_polyhedron.h"
#include "carom/geometry/plane.h"
#include "carom/geometry/triangle.h"
#include "carom/geometry/view_frustum.h"

namespace [[gnu::visibility("default")]] carom {

/// The normal need not have unit length here; the one returned has. One end is infinite; both, for a line parallel to the plane, which is in
/// when it is behind the plane or on it, judged exactly.
[[nodiscard]] LineSpan clip(const Line& line, const HalfSpace& half_space);

/// Unit normals. A line parallel to a face and outside it misses; on it, it is in. With no faces, everything is in.
[[nodiscard]] LineSpan clip(const Line& line, const ConvexPolyhedron& polyhedron);

/// Through its six half-spaces.
[[nodiscard]] LineSpan clip(const Line& line, const ViewFrustum& frustum);

/// Through its four faces as triangles: hit or miss is exact, flat ones included (cast_flat.h).
[[nodiscard]] LineSpan clip(const Line& line, const Tetrahedron& tetrahedron);

} // namespace gnu::visibility("default")]]carom
