// Every kind, every answer through the checker.
#include "carom/query/closest_point.h"

#include "carom/query/signed_distance.h"
#include "carom/shape/support.h"
#include "carom/verify/check_closest_point.h"
#include "tests/query/pair_cases.h"
#include "tests/support/property.h"

namespace carom {
namespace {

using test::Source;
using verify::PlacedShape;

struct PointCase {
  PlacedShape placed;
  Vec3 p;
  double size; ///< of the shape, its position and p: what rounding errors are relative to
};

PointCase point_case(Source& source, ShapeKind kind) {
  const double scale = test::scale(source);
  const Shape shape = test::ShapeGenerator(source, scale).of_kind(kind);
  PointCase c{{shape, test::shape_pose(source, scale)}, {}, 0};
  c.p = test::coordinates(test::point_for(source, c.placed, scale));
  c.size = shape.size() + max_abs(c.placed.pose.position) + max_abs(c.p);
  return c;
}

bool has(const PointCase& c, ShapeKind kind) {
  return test::PairCase{c.placed, c.placed, 0}.has(kind);
}

class ClosestPoints : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Kinds, ClosestPoints, testing::Range(0, convex_kinds),
                         [](const testing::TestParamInfo<int>& kind) {
                           return std::string(name_of(static_cast<ShapeKind>(kind.param)));
                         });

TEST_P(ClosestPoints, AreProved) {
  const auto kind = static_cast<ShapeKind>(GetParam());
  test::for_each_seed(test::fewer_when_sanitized(400), [&](Source& source) {
    const PointCase c = point_case(source, kind);
    const SurfacePoint s = closest_point(c.p, c.placed.shape, c.placed.pose);
    const double brush = has(c, ShapeKind::brush)
                             ? 64 * tolerance::epsilon * c.size + 10 * tolerance::coordinate_min
                             : 0;
    // A formula is right to a few roundings. Else as distance and signed_distance have it.
    const bool polyhedral = c.placed.shape.polyhedral();
    const double part = s.iterations == 0 ? tolerance::boolean_band : polyhedral ? 1e-13 : 2e-12;
    // From inside, the point is value * normal away, and the value is one between its bounds.
    const double between = s.value < 0 ? s.upper_bound - s.lower_bound : 0;
    const double band = part * c.size + brush + between;
    double points = 0;
    if (s.iterations > 0) {
      // A direction that attains all but e of a distance d is within sqrt(2 e / d) of the right one.
      const double open = s.upper_bound - s.lower_bound;
      points = s.value > 0 ? std::sqrt(2 * s.value * open) : open;
      if (s.status == Status::wide) points += 1e-6 * c.size;
    }
    const auto verdict = verify::check_closest_point(c.p, c.placed, s, band, band + points, 4);
    EXPECT_TRUE(verdict) << verdict.why << ", size " << c.size << ", value " << s.value
                         << ", bounds " << s.lower_bound << " " << s.upper_bound << ", iterations "
                         << s.iterations;
  });
}

// What a formula says is what the search would have.
TEST_P(ClosestPoints, FormulasAgreeWithTheSearch) {
  const auto kind = static_cast<ShapeKind>(GetParam());
  const Shape point = Shape::point({}).value();
  test::for_each_seed(test::fewer_when_sanitized(200), [&](Source& source) {
    const PointCase c = point_case(source, kind);
    const SurfacePoint s = closest_point(c.p, c.placed.shape, c.placed.pose);
    const SignedDistance d = signed_distance(point, Pose::at(c.p), c.placed.shape, c.placed.pose);
    const double band = 3e-12 * c.size + 10 * tolerance::coordinate_min;
    EXPECT_LE(s.lower_bound, d.upper_bound + band);
    EXPECT_GE(s.upper_bound, d.lower_bound - band);
  });
}

SurfacePoint checked(const Vec3& p, const Shape& shape) {
  const SurfacePoint s = closest_point(p, shape, {});
  const auto verdict =
      verify::check_closest_point(p, verify::PlacedShape{shape, {}}, s, 1e-13, 1e-13);
  EXPECT_TRUE(verdict) << verdict.why;
  EXPECT_EQ(s.status, Status::ok);
  return s;
}

TEST(ClosestPoint, KnownAnswers) {
  const Shape box = Shape::box({1, 2, 3}).value();
  EXPECT_EQ(checked({0.5, 0, 0}, box).value, -0.5);
  EXPECT_EQ(checked({0.5, 0, 0}, box).normal, (Vec3{1, 0, 0}));
  EXPECT_EQ(checked({4, 6, 0}, box).value, 5);
  EXPECT_EQ(checked({1, 0, 0}, box).value, 0);
  EXPECT_EQ(checked({}, box).value, -1);
  EXPECT_EQ(checked({}, box.rounded(0.5).value()).value, -1.5);

  const Shape capsule = Shape::capsule({0, 0, 0}, {4, 0, 0}, 1).value();
  EXPECT_EQ(checked({2, 0.25, 0}, capsule).value, -0.75);
  EXPECT_EQ(checked({2, 0, 0}, capsule).value, -1); // on the axis: some way out
  EXPECT_EQ(checked({6, 0, 0}, capsule).value, 1);

  const Shape drum = Shape::cylinder(2, 1).value();
  EXPECT_EQ(checked({}, drum).value, -1);
  EXPECT_EQ(checked({0, 0, 1.75}, drum).value, -0.25);
  EXPECT_EQ(checked({4, 0, 6}, drum).value, 5);

  const Shape cone = Shape::cone(4, 3).value(); // base at z = 0
  EXPECT_NEAR(checked({0, 0, 1}, cone).value, -1, 1e-15);
  EXPECT_EQ(checked({0, 0, 7}, cone).value, 3);
  EXPECT_NEAR(checked({7, 0, -3}, cone).value, 5, 1e-15);
  EXPECT_NEAR(checked({1.5 + 0.8, 0, 2 + 0.6}, cone).value, 1, 1e-15); // off the side

  const Shape pin = Shape::tapered_capsule({0, 0, 0}, 2, {5, 0, 0}, 1).value();
  EXPECT_EQ(checked({-3, 0, 0}, pin).value, 1);
  EXPECT_EQ(checked({8, 0, 0}, pin).value, 2);
  EXPECT_EQ(checked({5, 0, 0}, Shape::tapered_capsule({}, 3, {1, 0, 0}, 1).value()).value, 2);

  const Shape ground = Shape::half_space({0, 5, 0}, 10).value(); // y <= 2
  EXPECT_EQ(checked({1, -1, 1}, ground).value, -3);
  EXPECT_EQ(checked({1, 4, 1}, ground).value, 2);

  const Shape triangle = Shape::triangle({0, 0, 0}, {1, 0, 0}, {0, 1, 0}).value();
  EXPECT_EQ(checked({0.25, 0.25, 0}, triangle).value, 0);
  EXPECT_EQ(checked({0.25, 0.25, -2}, triangle).value, 2);
  EXPECT_EQ(checked({}, Shape::point({}).value()).value, 0);
}

// Out by as much as it says, whichever kind: then it is as far outside as was asked for.
TEST(ClosestPoint, TheNormalLeadsOut) {
  test::for_each_seed(test::fewer_when_sanitized(500), [](Source& source) {
    const Shape shape = test::bounded_shape(source);
    const Pose pose = test::shape_pose(source);
    const Vec3 p = test::coordinates(test::point_of(source, {shape, pose}));
    const SurfacePoint s = closest_point(p, shape, pose);
    if (s.status != Status::ok) return;
    const Vec3 moved = test::coordinates(p + s.normal * (0.25 - s.value));
    const double size = shape.size() + max_abs(pose.position) + 1;
    EXPECT_NEAR(closest_point(moved, shape, pose).value, 0.25, 3e-12 * size);
  });
}

TEST(ClosestPoint, NonsenseIsSaidToBe) {
  const Shape ball = Shape::sphere(1).value();
  const Shape egg = Shape::ellipsoid({1, 2, 3}).value();
  for (const Shape& shape : {ball, egg}) {
    for (const double x : {static_cast<double>(NAN), static_cast<double>(INFINITY), 1e31}) {
      EXPECT_EQ(closest_point({x, 0, 0}, shape, {}).status, Status::bad_input);
      EXPECT_EQ(closest_point({}, shape, Pose::at({0, 0, x})).status, Status::bad_input);
    }
  }
}

} // namespace
} // namespace carom
