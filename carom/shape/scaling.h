// The core and rounding of a scaled shape. Internal to Shape::scaled.
#pragma once

#include "carom/shape/shape.h"

namespace [[gnu::visibility("default")]] carom {

struct ScaledParts {
  ShapeKind kind;
  ShapeCore core;
  double rounding = 0;
};

/// The kind stays where the scaled set is one of that kind: points and planes always do, what is round where the factors allow. The rest
/// becomes a ScaledCore around the shape. The factors are finite and not 0. Errors: a product out of range.
[[nodiscard]] Result<ScaledParts> scale(const Shape& shape, const Vec3& factors);

} // namespace carom
