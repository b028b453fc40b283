// Every ordered pair of kinds, every answer through the checker.
#include "carom/query/growth_distance.h"

#include "carom/query/signed_distance.h"
#include "carom/shape/support.h"
#include "carom/verify/check_growth_distance.h"
#include "tests/query/pair_cases.h"
#include "tests/support/property.h"

namespace carom {
namespace {

using test::PairCase;
using test::Source;

struct GrowthCase : PairCase {
  Vec3 center_a, center_b;

  [[nodiscard]] Vec3 world_a() const { return a.pose.frame().to_world(center_a); }
  [[nodiscard]] Vec3 world_b() const { return b.pose.frame().to_world(center_b); }
};

GrowthCase growth_case(Source& source, ShapeKind kind_a, ShapeKind kind_b) {
  GrowthCase c{test::pair_case(source, kind_a, kind_b), {}, {}};
  c.center_a = test::center_in(source, c.a.shape);
  c.center_b = test::center_in(source, c.b.shape);
  if (source.chance(16)) // concentric, or nearly
    c.b.pose.position = test::coordinates(c.b.pose.position + c.world_a() - c.world_b());
  c.size += max_abs(c.center_a) + max_abs(c.center_b);
  return c;
}

class GrowthDistances : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Kinds, GrowthDistances, testing::Range(0, convex_kinds),
                         [](const testing::TestParamInfo<int>& kind) {
                           return std::string(name_of(static_cast<ShapeKind>(kind.param)));
                         });

TEST_P(GrowthDistances, AreProved) {
  int apart = 0;
  int overlapping = 0;
  for (int other = 0; other < convex_kinds && !HasFailure(); ++other) {
    const auto kind_a = static_cast<ShapeKind>(GetParam());
    const auto kind_b = static_cast<ShapeKind>(other);
    SCOPED_TRACE(std::string(name_of(kind_a)) + " against " + name_of(kind_b));
    test::for_each_seed(test::fewer_when_sanitized(30), [&](Source& source) {
      const GrowthCase c = growth_case(source, kind_a, kind_b);
      if (test::nearly_facing(c)) return;
      const GrowthDistance g =
          growth_distance(c.a.shape, c.a.pose, c.center_a, c.b.shape, c.b.pose, c.center_b);
      if (g.status == Status::bad_input) { // what was drawn was moved to 0 or 1e-30
        const double off = std::max(verify::distance(c.center_a, {c.a.shape, {}}),
                                    verify::distance(c.center_b, {c.b.shape, {}}));
        const double size = std::min(c.a.shape.size(), c.b.shape.size());
        EXPECT_TRUE(off > 0.5e-12 * size || size < 1e-17) << "off " << off << ", size " << size;
        return;
      }
      const double brush = c.has(ShapeKind::brush)
                               ? 64 * tolerance::epsilon * c.size + 10 * tolerance::coordinate_min
                               : 0;
      const double band = tolerance::boolean_band * c.size + brush;
      const double points = (c.polyhedral() ? 1e-13 : 1e-11) * c.size;
      const auto verdict = verify::check_growth_distance({c.a, c.world_a()}, {c.b, c.world_b()}, g,
                                                         band, band + points);
      EXPECT_TRUE(verdict) << verdict.why << ", size " << c.size << ", value " << g.value
                           << ", bounds " << g.lower_bound << " " << g.upper_bound;
      if (!c.has(ShapeKind::custom)) {
        EXPECT_EQ(g.status, Status::ok) << "iterations " << g.iterations << " value " << g.value;
      }
      ++(g.value > 1 ? apart : overlapping);
    });
  }
  EXPECT_GT(apart, 0);
  EXPECT_GT(overlapping, 0);
}

GrowthDistance checked(const verify::PlacedShape& a, const Vec3& center_a,
                       const verify::PlacedShape& b, const Vec3& center_b) {
  const GrowthDistance g = growth_distance(a.shape, a.pose, center_a, b.shape, b.pose, center_b);
  const auto verdict =
      verify::check_growth_distance({a, a.pose.frame().to_world(center_a)},
                                    {b, b.pose.frame().to_world(center_b)}, g, 1e-12, 1e-10);
  EXPECT_TRUE(verdict) << verdict.why;
  EXPECT_EQ(g.status, Status::ok);
  return g;
}

TEST(GrowthDistance, KnownAnswers) {
  const Shape ball = Shape::sphere(1).value();
  const Shape box = Shape::box({1, 1, 1}).value();
  EXPECT_NEAR(checked({ball, {}}, {}, {ball, Pose::at({3, 4, 0})}, {}).value, 2.5, 1e-13);
  EXPECT_NEAR(checked({box, {}}, {}, {box, Pose::at({6, 1, 0})}, {}).value, 3, 1e-13);
  EXPECT_NEAR(checked({box, {}}, {}, {ball, Pose::at({1, 0, 0})}, {}).value, 0.5, 1e-13);
  // The centre at the left end: all of the box grows to the right.
  EXPECT_NEAR(checked({box, {}}, {-1, 0, 0}, {ball, Pose::at({8, 0, 0})}, {}).value, 3, 1e-13);
  // Concentric.
  EXPECT_EQ(checked({box, Pose::at({1, 2, 3})}, {}, {ball, Pose::at({1, 2, 3})}, {}).value, 0);
  // A half-space from a point of it: y <= 1.
  const Shape ground = Shape::half_space({0, 2, 0}, 2).value();
  EXPECT_NEAR(checked({ground, {}}, {0, -1, 0}, {ball, Pose::at({5, 5, 0})}, {}).value, 2, 1e-13);
  EXPECT_NEAR(checked({ball, Pose::at({5, 5, 0})}, {}, {ground, {}}, {0, -1, 0}).value, 2, 1e-13);
  EXPECT_EQ(checked({ground, {}}, {0, 0, 0}, {ball, Pose::at({0, -5, 0})}, {}).value, 0);
}

TEST(GrowthDistance, WhatCannotGrowNeverMeets) {
  const Shape point = Shape::point({}).value();
  const Shape ball = Shape::sphere(1).value();
  const Shape plate = Shape::box({1, 0, 1}).value();
  EXPECT_EQ(checked({point, {}}, {}, {point, Pose::at({1, 0, 0})}, {}).value, INFINITY);
  EXPECT_EQ(checked({plate, {}}, {}, {plate, Pose::at({0.1, 2, 0})}, {}).value, INFINITY);
  // On the border of a ball, and away from it.
  EXPECT_EQ(checked({ball, {}}, {-1, 0, 0}, {point, Pose::at({-5, 0, 0})}, {}).value, INFINITY);
  EXPECT_NEAR(checked({ball, {}}, {-1, 0, 0}, {point, Pose::at({5, 0, 0})}, {}).value, 3, 1e-12);
}

TEST(GrowthDistance, CentresOutsideAreRefused) {
  const Shape ball = Shape::sphere(1).value();
  const Shape ground = Shape::half_space({0, 1, 0}, 0).value();
  const Pose apart = Pose::at({5, 5, 0});
  EXPECT_EQ(growth_distance(ball, {}, {1.01, 0, 0}, ball, apart, {}).status, Status::bad_input);
  EXPECT_EQ(growth_distance(ball, {}, {}, ball, apart, {0, 1.01, 0}).status, Status::bad_input);
  EXPECT_EQ(growth_distance(ground, {}, {0, 1, 0}, ball, apart, {}).status, Status::bad_input);
  EXPECT_EQ(growth_distance(ball, {}, {1, 0, 0}, ball, apart, {}).status, Status::ok);
  for (const double x : {static_cast<double>(NAN), static_cast<double>(INFINITY), 1e31}) {
    EXPECT_EQ(growth_distance(ball, {}, {x, 0, 0}, ball, apart, {}).status, Status::bad_input);
    EXPECT_EQ(growth_distance(ball, Pose::at({x, 0, 0}), {}, ball, apart, {}).status,
              Status::bad_input);
    EXPECT_EQ(growth_distance(ball, {}, {}, ball, Pose::at({0, x, 0}), {}).status,
              Status::bad_input);
  }
}

// Scaled for good, the shapes are as far apart as the factor says: just not, and just so.
TEST(GrowthDistance, ScaledShapesTouch) {
  test::for_each_seed(test::fewer_when_sanitized(300), [](Source& source) {
    const Vec3 half_a{test::positive(source), test::positive(source), test::positive(source)};
    const Vec3 radii_b{test::positive(source), test::positive(source), test::positive(source)};
    const Shape a = Shape::box(half_a).value();
    const Shape b = Shape::ellipsoid(radii_b).value();
    const Pose pose_a = test::pose(source);
    Pose pose_b = test::pose(source);
    pose_b.position += Vec3{3, 0, 0};
    const double s = growth_distance(a, pose_a, {}, b, pose_b, {}).value;
    const auto signed_at = [&](double f) {
      const Shape x = a.scaled({f, f, f}).value();
      const Shape y = b.scaled({f, f, f}).value();
      return signed_distance(x, pose_a, y, pose_b).value;
    };
    if (!(s > 1e-3 && s < 1e3)) return;
    EXPECT_GT(signed_at(s * (1 - 1e-6)), 0);
    EXPECT_LT(signed_at(s * (1 + 1e-6)), 0);
  });
}

TEST(GrowthDistance, IsTheSameFromBothSides) {
  test::for_each_seed(test::fewer_when_sanitized(400), [](Source& source) {
    const auto kind_a = static_cast<ShapeKind>(source.index(convex_kinds));
    const auto kind_b = static_cast<ShapeKind>(source.index(convex_kinds));
    const GrowthCase c = growth_case(source, kind_a, kind_b);
    if (c.has(ShapeKind::custom) || test::nearly_facing(c)) return;
    const GrowthDistance ab =
        growth_distance(c.a.shape, c.a.pose, c.center_a, c.b.shape, c.b.pose, c.center_b);
    const GrowthDistance ba =
        growth_distance(c.b.shape, c.b.pose, c.center_b, c.a.shape, c.a.pose, c.center_a);
    EXPECT_LE(ab.lower_bound, ba.upper_bound * (1 + 1e-12));
    EXPECT_LE(ba.lower_bound, ab.upper_bound * (1 + 1e-12));
  });
}

// A centre that is outside by less than is_center minds: there is no extent, and no negative factor.
TEST(GrowthDistances, CenterAHairOutsideOfAHalfSpace) {
  const Shape ground = Shape::half_space({0, 0, 1}, 0).value();
  const Shape point = Shape::point({}).value();
  const GrowthDistance g =
      growth_distance(ground, {}, {1, 0, 2e-13}, point, Pose::at({1, 0, 3}), {});
  EXPECT_EQ(g.status, Status::ok);
  EXPECT_EQ(g.value, INFINITY);
  EXPECT_GE(g.lower_bound, 0);
}

} // namespace
} // namespace carom
