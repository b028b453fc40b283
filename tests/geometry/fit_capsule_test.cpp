#include "carom/geometry/fit_capsule.h"

#include "carom/geometry/fit_sphere.h"
#include "carom/geometry/measure.h"
#include "carom/math/random.h"
#include "carom/math/tolerance.h"
#include "carom/verify/distance.h"
#include "tests/geometry/exact_enclosure.h"
#include "tests/geometry/point_clouds.h"
#include "tests/support/generate_geometry.h"
#include "tests/support/property.h"

namespace carom {
namespace {

using test::Source;

TEST(FitCapsule, EnclosesExactly) {
  test::for_each_seed(1000, [](Source& source) {
    const std::vector<Vec3> points = test::cloud(source);
    const double rounding = 16 * tolerance::epsilon * test::size_of(points);
    for (const Capsule& c :
         {fit_capsule(points), fit_capsule_along(points, test::direction(source))}) {
      EXPECT_TRUE(test::encloses(c, points));
      for (const Vec3& p : points) EXPECT_LE(verify::distance(p, c), rounding);
    }
    EXPECT_LE(volume(fit_capsule(points)),
              volume(minimum_sphere(points).sphere) * (1 + 8 * tolerance::epsilon));
  });
}

TEST(FitLozenge, EnclosesExactly) {
  test::for_each_seed(1000, [](Source& source) {
    const std::vector<Vec3> points = test::cloud(source);
    const double rounding = 16 * tolerance::epsilon * test::size_of(points);
    for (const Lozenge& l :
         {fit_lozenge(points), fit_lozenge_along(points, to_matrix(test::rotation(source)))}) {
      EXPECT_TRUE(test::encloses(l, points));
      for (const Vec3& p : points) EXPECT_LE(verify::distance(p, l), rounding);
      EXPECT_GE(l.core.half_u, 0);
      EXPECT_GE(l.core.half_v, 0);
    }
  });
}

/// No end of the core can be drawn in, and the radius not made less, without losing a point.
TEST(FitCapsule, IsTightAlongItsAxis) {
  test::for_each_seed(300, [](Source& source) {
    std::vector<Vec3> points = test::small_cloud(source);
    points.push_back(test::vec3(source) + Vec3{4, 0, 0});
    const Capsule c = fit_capsule_along(points, test::direction(source));
    const auto loses = [&](const Capsule& smaller) {
      return std::any_of(points.begin(), points.end(),
                         [&](const Vec3& p) { return verify::distance(p, smaller) > 1e-12; });
    };
    const double step = 1e-5;
    EXPECT_TRUE(c.radius < 2 * step || loses({c.a, c.b, c.radius - step}));
    if (distance(c.a, c.b) < 4 * step || c.radius < 0.01) return;
    const Vec3 d = normalized(c.b - c.a);
    EXPECT_TRUE(loses({c.a + d * step, c.b, c.radius}));
    EXPECT_TRUE(loses({c.a, c.b - d * step, c.radius}));
  });
}

TEST(FitCapsule, FindsACapsuleAgain) {
  Random random(11);
  const Capsule truth{{1, 2, 3}, {4, -1, 5}, 0.5};
  std::vector<Vec3> points;
  for (int i = 0; i < 4000; ++i) {
    const Vec3 u = random.direction();
    points.push_back((dot(u, truth.b - truth.a) > 0 ? truth.b : truth.a) + u * truth.radius);
  }
  const Capsule c = fit_capsule(points);
  EXPECT_LE(volume(c), volume(truth) * 1.02); // the axis is that of a random sample
  EXPECT_GE(volume(c), volume(truth) * 0.95);
}

TEST(FitLozenge, FindsALozengeAgain) {
  Random random(12);
  const Lozenge truth{{{1, 2, 3}, {0.6, 0.8, 0}, {0, 0, 1}, 3, 1.5}, 0.5};
  std::vector<Vec3> points;
  for (int i = 0; i < 8000; ++i) {
    const double s = random.uniform(-3, 3);
    const double t = random.uniform(-1.5, 1.5);
    points.push_back(truth.core.at(s, t) + random.direction() * truth.radius);
  }
  EXPECT_LE(volume(fit_lozenge(points)), volume(truth) * 1.05);
}

TEST(FitLozenge, CornersAreEnclosedToo) {
  // Four flat corners between two points that set the thickness: each is beyond two sides at once.
  const std::vector<Vec3> points = {{2, 3, 0},   {-2, 3, 0}, {2, -3, 0},
                                    {-2, -3, 0}, {0, 0, 1},  {0, 0, -1}};
  const Lozenge l = fit_lozenge_along(points, Mat3{});
  EXPECT_TRUE(test::encloses(l, points));
  EXPECT_NEAR(l.radius, 1, 8 * tolerance::epsilon);
  EXPECT_NEAR(l.core.half_u, 2 - std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(l.core.half_v, 3 - std::sqrt(0.5), 1e-15);
}

TEST(FitCapsule, DegenerateAndNone) {
  EXPECT_LT(fit_capsule({}).radius, 0);
  EXPECT_LT(fit_lozenge({}).radius, 0);
  const std::vector<Vec3> one = {{1, 2, 3}};
  EXPECT_EQ(fit_capsule(one).radius, 0);
  EXPECT_EQ(fit_capsule(one).a, one[0]);
  EXPECT_EQ(fit_lozenge(one).radius, 0);
  const std::vector<Vec3> two = {{-1, 0, 0}, {1, 0, 0}};
  EXPECT_EQ(fit_capsule(two).radius, 0);
  EXPECT_EQ(distance(fit_capsule(two).a, fit_capsule(two).b), 2);
  (void)fit_capsule(std::vector<Vec3>{{NAN, 0, 0}, {1, 0, 0}});
  (void)fit_lozenge(std::vector<Vec3>{{NAN, 0, 0}, {1, 0, 0}});
}

// Volume and area: an area is how fast the volume grows with the radius.
TEST(Measure, AreaIsTheDerivativeOfTheVolume) {
  test::for_each_seed(1000, [](Source& source) {
    const auto check = [](auto thing, auto grown) {
      const double h = 0x1p-16;
      const double slope = (volume(grown(thing, h)) - volume(grown(thing, -h))) / (2 * h);
      // The third derivative is at most that of a ball, 8 pi; times h^2 / 6.
      EXPECT_NEAR(area(thing), slope, 5 * h * h + 1e-10 * area(thing));
    };
    const auto round = [](auto t, double h) {
      t.radius += h;
      return t;
    };
    Sphere s = test::sphere(source);
    Capsule c = test::capsule(source);
    Lozenge l = test::lozenge(source);
    s.radius += 0.01;
    c.radius += 0.01;
    l.radius += 0.01;
    check(s, round);
    check(c, round);
    check(l, round);
    check(Obb{{}, {}, test::obb(source).half + Vec3{1, 1, 1}}, [](Obb b, double h) {
      b.half += {h, h, h};
      return b;
    });
    const Aabb box = test::aabb(source);
    EXPECT_NEAR(area(box), area(to_obb(box)), 1e-14 * (1 + area(box)));
    EXPECT_NEAR(volume(box), volume(to_obb(box)), 1e-14 * (1 + volume(box)));
  });
}

TEST(Measure, KnownValuesAndTheEmpty) {
  EXPECT_DOUBLE_EQ(volume(Sphere{{}, 3}), 36 * pi);
  EXPECT_DOUBLE_EQ(volume(Capsule{{}, {0, 0, 2}, 3}), 36 * pi + 18 * pi);
  EXPECT_DOUBLE_EQ(volume(Lozenge{{{}, {1, 0, 0}, {0, 1, 0}, 1, 0}, 3}), 36 * pi + 18 * pi);
  EXPECT_DOUBLE_EQ(volume(Lozenge{{{}, {1, 0, 0}, {0, 1, 0}, 1, 2}, 0}), 0);
  EXPECT_DOUBLE_EQ(area(Lozenge{{{}, {1, 0, 0}, {0, 1, 0}, 1, 2}, 0}), 16);
  EXPECT_EQ(volume(Aabb{}), 0);
  EXPECT_EQ(area(Aabb{}), 0);
  EXPECT_EQ(volume(Aabb{{0, 0, 0}, {2, 3, 4}}), 24);
  EXPECT_EQ(area(Aabb{{0, 0, 0}, {2, 3, 4}}), 52);
  EXPECT_EQ(area(Sphere{{}, -1}), 0);
  EXPECT_EQ(area(Obb{{}, {}, {-1, -1, -1}}), 0);
}

} // namespace
} // namespace carom
