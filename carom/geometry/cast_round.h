// Lines against balls, what balls sweep, and ellipsoids. See cast.h for what is returned.
//
// Tangent lines hit, in one point or, by rounding, in a short span. Radius 0 leaves the core: a point, a segment, a rectangle.
#pragma once

#include "carom/geometry/cast.h"
#include "carom/geometry/ellipsoid.h"
#include "carom/geometry/swept_sphere.h"

namespace [[gnu::visibility("default")]] carom {

[[nodiscard]] LineSpan clip(const Line& line, const Sphere& sphere);
[[nodiscard]] LineSpan clip(const Line& line, const Capsule& capsule);
[[nodiscard]] LineSpan clip(const Line& line, const Lozenge& lozenge);
/// A radius of 0 makes it flat.
[[nodiscard]] LineSpan clip(const Line& line, const Ellipsoid& ellipsoid);

} // namespace gnu::visibility("default")]]carom
