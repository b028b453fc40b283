// Lines against convex things grown by a radius: all points within `radius` of the thing. See cast.h for what is returned.
//
// This is what the centre of a moving ball meets. Each is a convex union of plain pieces (prisms over the faces, capsules around
// the edges; the balls around the corners are in the capsules), so the line's span is the hull of the pieces' spans.
// Radius 0 is the thing itself. The normals are those of the piece met; where two pieces meet within rounding, they may differ
// from the true ones by the root of it.
#pragma once

#include "carom/geometry/box.h"
#include "carom/geometry/cast.h"
#include "carom/geometry/polygon.h"
#include "carom/geometry/triangle.h"

namespace [[gnu::visibility("default")]] carom {

[[nodiscard]] LineSpan clip_rounded(const Line& line, const Triangle& triangle, double radius);
/// Flat and convex. Without corners it is never met.
[[nodiscard]] LineSpan clip_rounded(const Line& line, const Polygon& polygon, double radius);
[[nodiscard]] LineSpan clip_rounded(const Line& line, const Aabb& box, double radius);
[[nodiscard]] LineSpan clip_rounded(const Line& line, const Obb& box, double radius);

} // namespace carom
