// Convex shapes as the narrow phase reads them: the box around one, however it is turned; its edges; one for all that are equal.
#include "carom/dynamics/convex_form.h"

#include "carom/dynamics/form_store.h"
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

/// Each edge once, between the two faces that share it, also of hulls far from their own origin.
TEST(ConvexForm, EdgesLieBetweenTheirFaces) {
  for (const Vec3& at : {Vec3{}, Vec3{300, -200, 500}}) {
    std::vector<Vec3> points;
    Random random(5);
    for (int i = 0; i < 20; ++i) points.push_back(at + random.direction());
    const auto form = ConvexForm::of(Shape::hull(points).value());
    ASSERT_TRUE(form);
    // Euler: all of the points are corners.
    ASSERT_EQ(form->vertices().size() + form->planes().size(), form->edges().size() + 2);
    for (std::size_t i = 0; i < form->edges().size(); ++i) {
      const ConvexForm::Edge& e = form->edges()[i];
      const FloatEdge f = form->float_edge(i);
      const auto part = [&](FloatEdge::Part p) {
        return Vec3{double{f.numbers[p]}, double{f.numbers[p + 1]}, double{f.numbers[p + 2]}};
      };
      const Vec3 &from = form->vertices()[e.from], &to = form->vertices()[e.to];
      for (const std::uint8_t face : {e.left, e.right})
        for (const Vec3& v : {from, to})
          EXPECT_NEAR(dot(form->planes()[face].normal, v), form->planes()[face].offset,
                      1e-9 * (1 + length(at)));
      EXPECT_LT(distance(part(FloatEdge::at_from), from - form->inner().center), 1e-6);
      EXPECT_LT(distance(part(FloatEdge::at_direction), normalized(to - from)), 1e-5);
      EXPECT_LT(distance(part(FloatEdge::at_left), form->planes()[e.left].normal), 1e-6);
      EXPECT_LT(distance(part(FloatEdge::at_right), form->planes()[e.right].normal), 1e-6);
      EXPECT_GT(dot(part(FloatEdge::at_middle), from - form->inner().center), 0);
    }
  }
}

TEST(FormStore, EqualShapesHaveOneForm) {
  FormStore store;
  const auto box = [](double x, double rounding) {
    return Shape::box({x, 1, 1}).value().rounded(rounding).value();
  };
  const ConvexForm* first = store.of(0, box(1, 0));
  EXPECT_EQ(store.of(1, box(1, 0)), first);
  EXPECT_NE(store.of(2, box(1, 0.1)), first);
  EXPECT_NE(store.of(3, box(1 + 1e-15, 0)), first);
  EXPECT_NE(store.of(4, Shape::capsule({0, 0, -1}, {0, 0, 1}, 0.5).value()),
            store.of(5, Shape::capsule({0, 0, -1}, {0, 0, 1}, 0.6).value()));
  EXPECT_EQ(store.of(6, Shape::sphere(0.5).value()), store.of(7, Shape::sphere(0.5).value()));
  // All are gone; then one is made anew.
  for (std::uint32_t i = 0; i < 8; ++i) (void)store.of(i, Shape::sphere(2).value());
  EXPECT_EQ(store.of(1, box(1, 0))->vertices().size(), 8U);
}

} // namespace
} // namespace carom::test
