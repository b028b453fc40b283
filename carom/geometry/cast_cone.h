// Lines against cylinders, cones and cone frustums, with their flat ends. See cast.h for what is returned.
//
// The solids are whole: a line along the axis enters and leaves through the ends, a start inside is inside, and an end is only met
// within its disc. Height 0 leaves a disc, radius 0 a segment.
#pragma once

#include "carom/geometry/cast.h"
#include "carom/geometry/cone.h"

namespace [[gnu::visibility("default")]] carom {

[[nodiscard]] LineSpan clip(const Line& line, const Cylinder& cylinder);
[[nodiscard]] LineSpan clip(const Line& line, const Cone& cone);
[[nodiscard]] LineSpan clip(const Line& line, const ConeFrustum& frustum);

} // namespace gnu::visibility("default")]]carom
