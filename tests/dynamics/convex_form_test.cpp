// Convex shapes as the narrow phase reads them: the box around one, however it is turned.
#include "carom/dynamics/convex_form.h"

#include "carom/shape/support.h"
#include "tests/support/generate_shape.h"
#include "tests/support/property.h"

namespace carom::test {
namespace {

TEST(ConvexForm, BoundsAreTightAround) {
  int boxes = 0, others = 0;
  for_each_seed(fewer_when_sanitized(2000), [&](Source& source) {
    const Shape shape = source.chance(2) ? shape_of(source, ShapeKind::box) : bounded_shape(source);
    const auto form = ConvexForm::of(shape);
    if (!form) return;
    ++(shape.kind() == ShapeKind::box ? boxes : others);
    const Mat3 axes = transpose(to_matrix(rotation(source)));
    const Aabb box = form->bounds(axes);
    for (int i = 0; i < 3; ++i) {
      const double most = dot(axes[i], support_point(shape, axes[i]));
      const double least = dot(axes[i], support_point(shape, -axes[i]));
      ASSERT_GE(box.max[i], most);
      ASSERT_LE(box.max[i], most + 2e-6 * shape.size());
      ASSERT_LE(box.min[i], least);
      ASSERT_GE(box.min[i], least - 2e-6 * shape.size());
    }
  });
  EXPECT_GT(boxes, fewer_when_sanitized(200));
  EXPECT_GT(others, fewer_when_sanitized(50));
}

} // namespace
} // namespace carom::test
