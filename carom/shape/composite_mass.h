// mass_properties (mass.h) of shapes that are not convex. Internal.
#pragma once

#include "carom/shape/mass.h"

namespace [[gnu::visibility("default")]] carom {

[[nodiscard]] ShapeMass composite_mass(const Shape& shape);

} // namespace carom
