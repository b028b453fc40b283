// Shapes as bytes, and back: the same numbers, so the same set to the last bit.
//
//   std::string bytes = shape_bytes(rock).value();
//   Shape same = shape_from_bytes(bytes).value();
//
// Custom shapes are functions: they cannot be written. A tapered capsule of which one ball holds the other comes back as a sphere, a mesh that was deformed as one that was built so; else the kind stays.
#pragma once

#include "carom/record/bytes.h"
#include "carom/shape/shape.h"

#include <string>
#include <string_view>

namespace [[gnu::visibility("default")]] carom {

/// Errors: degenerate for a custom shape, or one that has one in it.
[[nodiscard]] Result<std::string> shape_bytes(const Shape& shape);

/// Errors: bad_file where the bytes are cut short, damaged or more than a shape; those of building one.
[[nodiscard]] Result<Shape> shape_from_bytes(std::string_view bytes);

} // namespace carom
