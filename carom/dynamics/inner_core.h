// A smaller shape inside of a shape: what may never pass through anything, even where the shape itself touches something from the start. Internal to the world.
#pragma once

#include "carom/math/pose.h"
#include "carom/shape/shape.h"

#include <optional>

namespace [[gnu::visibility("default")]] carom {

struct InnerCore {
  Shape shape;
  Pose pose{}; ///< in the frame of the outer shape
};

/// The radius of a ball that is inside: what moves by less than that has its middle on the same side of a thin wall still. Of a compound: of its thinnest part. 0 where none is known: shapes that are flat, meshes, height fields.
[[nodiscard]] double inner_size(const Shape& shape);

/// The shape drawn in by at least `depth` everywhere, but by no more than three quarters of its inner size; as long as the shape but for that where it is a box, cylinder, capsule or hull, else similar to it. Of a compound, part by part. Of other shapes that are not convex: smaller about its middle by twice the depth,
/// at most by half, which draws in most of it. None where the shape is flat.
[[nodiscard]] std::optional<InnerCore> inner_core(const Shape& shape, double depth);

/// A quarter of the ball that is inside. None where there is no ball.
[[nodiscard]] std::optional<InnerCore> innermost_ball(const Shape& shape);

} // namespace carom
