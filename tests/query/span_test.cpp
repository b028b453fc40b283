// Every ordered pair of kinds through the checker; known values; rings and spheres of equally good directions.
#include "carom/query/span.h"

#include "carom/math/random.h"
#include "carom/math/trig.h"
#include "carom/verify/check_span.h"
#include "tests/query/pair_cases.h"
#include "tests/support/property.h"

#include <vector>

namespace carom {
namespace {

using test::PairCase;
using test::Source;

class Spans : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Kinds, Spans, testing::Range(0, convex_kinds),
                         [](const testing::TestParamInfo<int>& kind) {
                           return std::string(name_of(static_cast<ShapeKind>(kind.param)));
                         });

TEST_P(Spans, AreProved) {
  for (int other = 0; other < convex_kinds && !HasFailure(); ++other) {
    const auto kind_a = static_cast<ShapeKind>(GetParam());
    const auto kind_b = static_cast<ShapeKind>(other);
    SCOPED_TRACE(std::string(name_of(kind_a)) + " against " + name_of(kind_b));
    test::for_each_seed(test::fewer_when_sanitized(25), [&](Source& source) {
      const PairCase c = test::pair_case(source, kind_a, kind_b);
      const Span s = span(c.a.shape, c.a.pose, c.b.shape, c.b.pose);
      const auto verdict = verify::check_span(c.a, c.b, s, c.band());
      EXPECT_TRUE(verdict) << verdict.why << ", size " << c.size << ", value " << s.value
                           << ", bound " << s.upper_bound;
      if (c.has(ShapeKind::custom) || s.value == INFINITY) return;
      EXPECT_EQ(s.status, Status::ok) << "iterations " << s.iterations;
      EXPECT_LE(s.upper_bound - s.value, c.promised()) << "size " << c.size;
    });
  }
}

/// Checked, in both orders.
double checked(const verify::PlacedShape& a, const verify::PlacedShape& b) {
  const Span s = span(a.shape, a.pose, b.shape, b.pose);
  const double size =
      a.shape.size() + b.shape.size() + max_abs(a.pose.position) + max_abs(b.pose.position);
  const auto verdict = verify::check_span(a, b, s, tolerance::boolean_band * size);
  EXPECT_TRUE(verdict) << verdict.why;
  EXPECT_EQ(s.status, Status::ok) << "iterations " << s.iterations;
  const Span back = span(b.shape, b.pose, a.shape, a.pose);
  EXPECT_LE(s.value, back.upper_bound);
  EXPECT_LE(back.value, s.upper_bound);
  return s.value;
}

Pose turned(const Vec3& axis, double angle, const Vec3& position = {}) {
  const Vec3 v = axis * carom::sin(angle / 2);
  return {{v.x, v.y, v.z, carom::cos(angle / 2)}, position};
}

// A few roundings of a number of size about 10.
constexpr double exact = 1e-14;

TEST(Span, OfPolyhedra) {
  const Shape cube = Shape::box({1, 1, 1}).value();
  const Shape point = Shape::point({}).value();
  EXPECT_NEAR(checked({cube, {}}, {cube, Pose::at({3, 0, 0})}), std::sqrt(33), exact);
  EXPECT_NEAR(checked({cube, {}}, {cube, Pose::at({3, 4, 5})}), std::sqrt(25 + 36 + 49), exact);
  EXPECT_NEAR(checked({cube, {}}, {cube, {}}), std::sqrt(12), exact); // its diameter
  EXPECT_NEAR(checked({cube, {}}, {point, {}}), std::sqrt(3), exact);
  EXPECT_EQ(checked({point, Pose::at({1, 2, 3})}, {point, Pose::at({1, 2, 3})}), 0);
  EXPECT_EQ(checked({point, {}}, {point, Pose::at({3, 4, 0})}), 5);
  const Shape pebble = cube.rounded(0.25).value();
  EXPECT_NEAR(checked({pebble, {}}, {cube, {}}), std::sqrt(12) + 0.25, exact);
  // A needle and a plate.
  const Shape needle = Shape::box({1e6, 1, 1}).value();
  const Shape plate = Shape::box({1e6, 1e6, 0}).value();
  const double corner = std::sqrt(4e12 + (1e6 + 1) * (1e6 + 1) + 1);
  EXPECT_NEAR(checked({needle, {}}, {plate, {}}), corner, exact * 1e6);
}

TEST(Span, OfBallsAndCapsules) {
  const Shape ball = Shape::sphere(1).value();
  const Shape small = Shape::sphere(0.5).value();
  EXPECT_NEAR(checked({ball, {}}, {small, Pose::at({3, 4, 0})}), 6.5, exact);
  EXPECT_NEAR(checked({ball, {}}, {small, {}}), 1.5, exact); // concentric
  EXPECT_NEAR(checked({ball, {}}, {small, Pose::at({0.1, 0, 0})}), 1.6, exact);
  const Shape capsule = Shape::capsule({0, 0, -2}, {0, 0, 2}, 0.5).value();
  EXPECT_NEAR(checked({capsule, {}}, {capsule, {}}), 5, exact);
  EXPECT_NEAR(checked({capsule, {}}, {ball, Pose::at({0, 0, 1})}), 4.5, exact);
  // The larger ball is at the far end, and then at the near one, where the smaller is farther.
  const Shape taper = Shape::tapered_capsule({}, 1, {4, 0, 0}, 0.5).value();
  EXPECT_NEAR(checked({taper, {}}, {ball, Pose::at({10, 0, 0})}), 12, exact);
  EXPECT_NEAR(checked({taper, {}}, {ball, Pose::at({-10, 0, 0})}), 15.5, exact);
}

TEST(Span, OfCylindersAndCones) {
  const Shape a = Shape::cylinder(2, 1).value();
  const Shape b = Shape::cylinder(1, 0.5).value();
  // Coaxial, and the same shape twice: a whole ring of points.
  EXPECT_NEAR(checked({a, {}}, {b, Pose::at({0, 0, 3})}), std::sqrt(36 + 2.25), exact);
  EXPECT_NEAR(checked({a, {}}, {a, {}}), std::sqrt(16 + 4), exact);
  EXPECT_NEAR(checked({a, {}}, {b, Pose::at({3, 0, 0})}), std::sqrt(9 + 4.5 * 4.5), exact);
  // Side by side along x, one of them on its side along y: (x, y, z) is at most (3 + 1 + cos t, 1, sin t) ...
  double most = 0;
  for (int i = 0; i < 200'000; ++i) {
    const double s = 1e-5 * i; // the angle on the rim of the upright one
    const double x = 3 + std::cos(s), y = std::sin(s) + 1;
    // ... against the rim of the other, a circle of radius 0.5 in the plane of x and z around (3, -+1, 0).
    most = std::max(most, std::sqrt(y * y + std::pow(std::hypot(x, 2.0) + 0.5, 2)));
  }
  const double found = checked({a, {}}, {b, turned({1, 0, 0}, 1.5707963267948966, {3, 0, 0})});
  EXPECT_GE(found, most - exact);
  EXPECT_NEAR(found, most, 1e-10); // half the square of the step, times what curves there
  const Shape cone = Shape::cone(3, 1).value(); // the apex at z = 3
  EXPECT_NEAR(checked({cone, {}}, {cone, {}}), std::sqrt(10), exact);
  EXPECT_NEAR(checked({cone, {}}, {cone, Pose::at({0, 0, 4})}), std::sqrt(49 + 1), exact);
  const Shape point = Shape::point({}).value();
  EXPECT_NEAR(checked({cone, {}}, {point, Pose::at({0, 0, -5})}), 8, exact);
  const Shape disc = Shape::cylinder(0, 1).value();
  EXPECT_NEAR(checked({disc, {}}, {disc, Pose::at({0, 0, 1})}), std::sqrt(5), exact);
}

TEST(Span, OfEllipsoids) {
  const Shape e = Shape::ellipsoid({1, 2, 3}).value();
  EXPECT_NEAR(checked({e, {}}, {e, {}}), 6, exact);
  EXPECT_NEAR(checked({e, {}}, {Shape::ellipsoid({1, 1, 4}).value(), {}}), 7, exact);
  // Long ones along different axes: best between them. How far both reach together along (cos t, 0, sin t):
  double most = 0;
  for (int i = 0; i < 200'000; ++i) {
    const double c = std::cos(1e-5 * i), s = std::sin(1e-5 * i);
    most = std::max(most, std::hypot(c, 3 * s) + std::hypot(4 * c, s));
  }
  const double found = checked({e, {}}, {Shape::ellipsoid({4, 1, 1}).value(), {}});
  EXPECT_GE(found, most - exact);
  EXPECT_NEAR(found, most, 1e-9);
  EXPECT_NEAR(checked({e, {}}, {e, Pose::at({0, 0, 2})}), 8, exact);
  // From (0, 0, c), the distance to a point at height z of a flat one with radii 3, 3, 1: its square is 9 (1 - z^2) + (z - c)^2, greatest at z = -c / 8.
  const Shape flat = Shape::ellipsoid({3, 3, 1}).value();
  const Shape point = Shape::point({}).value();
  for (const double c : {0.0, 1.0, 4.0, 7.0}) {
    const double z = -c / 8;
    const double known = std::sqrt(9 * (1 - z * z) + (z - c) * (z - c));
    EXPECT_NEAR(checked({flat, {}}, {point, Pose::at({0, 0, c})}), known, exact);
  }
  EXPECT_NEAR(checked({flat, {}}, {point, Pose::at({0, 0, 9})}), 10, exact);
}

TEST(Span, OfNestedShapes) {
  const Shape cube = Shape::box({1, 1, 1}).value();
  const Shape ball = Shape::sphere(1).value();
  const Shape point = Shape::point({}).value();
  const Shape sum = Shape::sum(cube, ball).value();
  EXPECT_NEAR(checked({sum, {}}, {point, {}}), std::sqrt(3) + 1, exact);
  const Shape far = Shape::sphere(0.5, {5, 0, 0}).value();
  EXPECT_NEAR(checked({Shape::hull_of_two(cube, far).value(), {}}, {point, {}}), 5.5, exact);
  const Shape pebble = cube.rounded(1).value().scaled({2, 1, 1}).value();
  EXPECT_NEAR(checked({pebble, {}}, {pebble, {}}), 2 * checked({pebble, {}}, {point, {}}), 1e-10);
  // Of so many corners that only supports are used.
  std::vector<Vec3> points;
  Random random(7);
  for (int i = 0; i < 300; ++i) {
    const Vec3 p{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    points.push_back(normalized(p) * (i == 0 ? 1.5 : 1));
  }
  const Shape rock = Shape::hull(points).value();
  const Shape twice = Shape::sum(rock, rock).value();
  EXPECT_NEAR(checked({twice, {}}, {point, {}}), 3, exact);
}

TEST(Span, OfHalfSpacesIsInfinite) {
  const Shape ground = Shape::half_space({0, 2, 0}, 2).value();
  const Shape ball = Shape::sphere(1).value();
  for (const Shape& other : {ball, ground}) {
    EXPECT_EQ(checked({ground, {}}, {other, turned({1, 0, 0}, 0.3, {1, 2, 3})}), INFINITY);
  }
}

TEST(Span, BadPosesAreRefused) {
  const Shape ball = Shape::sphere(1).value();
  for (const double x : {static_cast<double>(NAN), static_cast<double>(INFINITY), 1e31, 1e-31}) {
    EXPECT_EQ(span(ball, Pose::at({x, 0, 0}), ball, {}).status, Status::bad_input);
    EXPECT_EQ(span(ball, {}, ball, Pose::at({0, x, 0})).status, Status::bad_input);
  }
}

// A user's function is known by its values only: of a ball, all directions are as good, and the bound stays apart from the value.
TEST(Span, OfCustomShapesHasTrueBounds) {
  const Shape point = Shape::point({}).value();
  const Shape ball = Shape::custom([](const Vec3& d) { return normalized(d); }).value();
  const Span s = span(ball, {}, point, {});
  EXPECT_EQ(s.status, Status::wide);
  EXPECT_NEAR(s.value, 1, exact);
  EXPECT_GE(s.upper_bound, 1);
  EXPECT_LE(s.upper_bound, 1 + 6e-3);
  // Away from the centre one direction is best, and a few hundred triangles find it.
  EXPECT_NEAR(checked({ball, {}}, {point, Pose::at({1, 1, 1})}), std::sqrt(3) + 1, 1e-10);
}

// Rings and spheres of directions that are equally good, but for a hair: the bounds agree still.
TEST(Span, NearlyEqualDirections) {
  const Shape a = Shape::cylinder(2, 1).value();
  const Shape b = Shape::cylinder(1, 0.5).value();
  const Shape cone = Shape::cone(3, 1).value();
  const Shape round = Shape::ellipsoid({1, 1, 2}).value();
  for (int i = 0; i <= 16; ++i) {
    const double hair = std::ldexp(1.0, -3 * i);
    const Shape sphere = Shape::ellipsoid({1, 1 - 0.5 * hair, 1 - 0.25 * hair}).value();
    const Shape other = Shape::ellipsoid({1 - 0.5 * hair, 1, 1 - 0.125 * hair}).value();
    for (const Pose& pose :
         {turned({1, 0, 0}, hair), Pose::at({hair, 0, 0}), Pose::at({0, 0, hair}),
          turned({0, 1, 0}, hair, {0, hair, 1}), turned({0.6, 0, 0.8}, hair, {hair, hair, hair})}) {
      for (const Shape* x : {&a, &cone, &round, &sphere}) {
        for (const Shape* y : {&a, &b, &cone, &round, &other}) {
          const Span s = span(*x, {}, *y, pose);
          EXPECT_EQ(s.status, Status::ok)
              << i << " iterations " << s.iterations << " " << name_of(x->kind()) << " "
              << name_of(y->kind()) << " bounds " << s.value << " + " << s.upper_bound - s.value
              << " at " << pose.position.x << " " << pose.position.y << " " << pose.position.z
              << " turned " << pose.rotation.w;
        }
      }
    }
  }
}

// Groups of corners are left out: a thousand corners of each do not make a million pairs, wherever the shapes are.
TEST(Span, OfLargeHullsIsQuick) {
  Random random(3);
  const auto sphere_points = [&] {
    std::vector<Vec3> points;
    while (points.size() < 1024) {
      const Vec3 p{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
      if (length(p) <= 1 && length(p) > 0.1) points.push_back(normalized(p));
    }
    return points;
  };
  const Shape a = Shape::hull(sphere_points()).value();
  const Shape b = Shape::hull(sphere_points()).value();
  for (const double x : {0.0, 0.01, 1.0, 10.0}) {
    EXPECT_GT(checked({a, {}}, {b, Pose::at({x, 0, 0})}), 1.99 + x);
    // Around a common centre, where all pairs of opposite corners are nearly as good, a third are looked at.
    EXPECT_LT(span(a, {}, b, Pose::at({x, 0, 0})).iterations, x < 1 ? 400'000 : 50'000) << x;
  }
}

} // namespace
} // namespace carom
