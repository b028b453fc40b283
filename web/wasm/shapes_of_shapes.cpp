// Shapes made of other shapes.
#include "carom/shape/compound.h"
#include "web/wasm/interface.h"

namespace carom::web {

/// In the buffer: a handle and a pose for each part.
CAROM_EXPORT int carom_shape_compound(int count) {
  std::vector<CompoundPart> parts;
  for (int i = 0; i < count; ++i) {
    const double* p = buffer() + 8 * static_cast<std::ptrdiff_t>(i);
    const Shape* part = shapes().find(static_cast<int>(p[0]));
    if (!part) return fail("A part of the compound is no shape.");
    parts.push_back({*part, pose_at(p + 1)});
  }
  return keep(Shape::compound(parts));
}

/// Grown by so much on all sides.
CAROM_EXPORT int carom_shape_rounded(int shape, double radius) {
  const Shape* core = shapes().find(shape);
  return core ? keep(core->rounded(radius)) : fail(no_shape);
}

/// Each coordinate multiplied by its factor.
CAROM_EXPORT int carom_shape_scaled(int shape, double x, double y, double z) {
  const Shape* given = shapes().find(shape);
  return given ? keep(given->scaled({x, y, z})) : fail(no_shape);
}

/// All sums of a point of A and a point of B.
CAROM_EXPORT int carom_shape_sum(int a, int b) {
  const Shape *s = shapes().find(a), *t = shapes().find(b);
  return s && t ? keep(Shape::sum(*s, *t)) : fail(no_shape);
}

/// The least convex shape around both.
CAROM_EXPORT int carom_shape_hull_of_two(int a, int b) {
  const Shape *s = shapes().find(a), *t = shapes().find(b);
  return s && t ? keep(Shape::hull_of_two(*s, *t)) : fail(no_shape);
}

} // namespace carom::web
