// Shapes that are not convex: made of many convex parts, with a tree over them.
//
//   mesh          triangles; of a solid, also what they enclose
//   height_field  two triangles a cell
//   compound      shapes with poses of their own
//   point_cloud   points
//
// Each part is convex (but for a compound's, which may be any but a compound). The shape's rounding is around all parts alike. What the queries need of a composite is its parts by number, and groups of
// parts with boxes around them: `parts.h`.
#pragma once

#include "carom/shape/compound.h"
#include "carom/shape/height_field.h"
#include "carom/shape/point_cloud.h"
#include "carom/shape/shape.h"
#include "carom/shape/triangle_mesh.h"

#include <variant>

namespace [[gnu::visibility("default")]] carom {

/// What a shape that is not convex is made of. A new kind goes into this list, into ShapeKind, and wherever the compiler then asks for it.
struct Composite {
  std::variant<TriangleMesh, HeightField, Compound, PointCloud> body;
};

/// Of the given kind, or null.
template<class Body>
[[nodiscard]] const Body* body_of(const Shape& shape) {
  return shape.convex() ? nullptr : std::get_if<Body>(&shape.composite().body);
}

/// Around all parts, in the shape's frame, without the rounding.
[[nodiscard]] Aabb bounds_of(const Composite& composite);

} // namespace carom
