#include "carom/shape/inner_ball.h"

#include "carom/verify/shape.h"
#include "tests/support/generate_shape.h"
#include "tests/support/property.h"

namespace carom {
namespace {

using test::Source;

class InnerBallOf : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Kinds, InnerBallOf, testing::Range(0, convex_kinds),
                         [](const testing::TestParamInfo<int>& kind) {
                           return std::string(name_of(static_cast<ShapeKind>(kind.param)));
                         });

// A ball is part of a convex set exactly if the set reaches at least as far in every direction.
TEST_P(InnerBallOf, IsPartOfTheCore) {
  test::for_each_seed(test::fewer_when_sanitized(300), [](Source& source) {
    const double scale = test::scale(source);
    const auto kind = static_cast<ShapeKind>(GetParam());
    const Shape shape = test::ShapeGenerator(source, scale).of_kind(kind);
    if (!shape.bounded()) return;
    const Sphere ball = shape.inner_ball();
    EXPECT_GE(ball.radius, 0);
    const verify::PlacedShape placed{shape, Pose::identity()};
    for (int i = 0; i < 32; ++i) {
      const Vec3 d = test::direction(source);
      const double reach = verify::support(placed, d) - shape.rounding();
      // Radii and axes of the core are rounded; the corners of a brush are, too.
      EXPECT_LE(dot(d, ball.center) + ball.radius, reach + 64 * tolerance::epsilon * shape.size())
          << name_of(kind) << " of size " << shape.size();
    }
  });
}

TEST(InnerBall, IsTheGreatestOfThePlainKinds) {
  EXPECT_EQ(Shape::box({3, 2, 5}).value().inner_ball().radius, 2);
  EXPECT_EQ(Shape::cylinder(3, 2).value().inner_ball().radius, 2);
  EXPECT_EQ(Shape::cylinder(1, 2).value().inner_ball().radius, 1);
  EXPECT_EQ(Shape::ellipsoid({3, 2, 5}).value().inner_ball().radius, 2);
  EXPECT_EQ(Shape::tapered_capsule({}, 1, {5, 0, 0}, 2).value().inner_ball().radius, 2);
  // Seen from the side: a triangle with sides 10, 10 and 12.
  const Sphere in_cone = Shape::cone(8, 6).value().inner_ball();
  EXPECT_DOUBLE_EQ(in_cone.radius, 3);
  EXPECT_NEAR(in_cone.center.z, 3, 1e-15);
}

TEST(InnerBall, FillsMostOfAHull) {
  // A tetrahedron of edge 2 sqrt 2 has an inscribed ball of radius 1 / sqrt 3, a cube's one touches all faces.
  const Vec3 tetrahedron[] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  EXPECT_NEAR(Shape::hull(tetrahedron).value().inner_ball().radius, 1 / std::sqrt(3.0), 1e-12);
  // Far from its corners' mean: many points near one corner.
  std::vector<Vec3> lopsided = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                                {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1}};
  for (int i = 0; i < 50; ++i)
    lopsided.push_back({1 - 1e-3 * i * i, 1 - 1e-3, 1 - 1e-3 * (50 - i)});
  EXPECT_GE(Shape::hull(lopsided).value().inner_ball().radius, 0.9);
}

} // namespace
} // namespace carom
