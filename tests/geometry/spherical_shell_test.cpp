#include "carom/geometry/spherical_shell.h"

#include "carom/math/random.h"
#include "carom/math/tolerance.h"
#include "carom/math/trig.h"
#include "carom/verify/shell.h"
#include "tests/geometry/exact_enclosure.h"
#include "tests/geometry/point_clouds.h"
#include "tests/support/property.h"

namespace carom {
namespace {

using test::Source;

SphericalShell shell(Source& source) {
  const Vec3 center = test::vec3(source);
  const Vec3 axis = test::direction(source);
  const double inner = test::radius(source);
  const double outer = inner + test::radius(source);
  static constexpr double cosines[] = {-1, 0, 1, 0.5, -0.5};
  const double c = source.chance(3) ? source.uniform(-1, 1) : cosines[source.index(5)];
  return {center, axis, inner, outer, c};
}

/// A point of the shell, anywhere in it or on its rims.
Vec3 point_in(Source& source, const SphericalShell& s) {
  const double c = std::max(-1.0, s.cos_half_angle);
  const double cosine = source.chance(3) ? c : source.uniform(c, 1);
  const double sine = std::sqrt(std::max(0.0, 1 - cosine * cosine));
  const double turn = source.uniform(0, 6.283185307179586);
  const Vec3 u = perpendicular(s.axis);
  const Vec3 v = cross(s.axis, u);
  const double r = source.chance(3) ? s.outer : source.uniform(s.inner, s.outer);
  return s.center + (s.axis * cosine + (u * std::cos(turn) + v * std::sin(turn)) * sine) * r;
}

TEST(SphericalShell, FitEnclosesExactly) {
  test::for_each_seed(1000, [](Source& source) {
    const std::vector<Vec3> points = test::cloud(source);
    const double size = test::size_of(points);
    const Vec3 center = source.chance(4) ? points[0] : test::vec3(source) * size;
    for (const SphericalShell& s : {fit_shell(points, center), fit_shell(points)}) {
      EXPECT_TRUE(test::encloses(s, points));
      EXPECT_FALSE(s.empty());
      const double reach = size + max_abs(s.center);
      double nearest = INFINITY;
      double farthest = 0;
      for (const Vec3& p : points) {
        EXPECT_LE(verify::distance(p, s), 16 * tolerance::epsilon * reach);
        nearest = std::min(nearest, distance(p, s.center));
        farthest = std::max(farthest, distance(p, s.center));
      }
      EXPECT_NEAR(s.inner, nearest, 16 * tolerance::epsilon * reach);
      EXPECT_NEAR(s.outer, farthest, 16 * tolerance::epsilon * reach);
    }
  });
}

TEST(SphericalShell, FindsACapAgain) {
  Random random(2);
  std::vector<Vec3> points;
  const Vec3 axis = normalized(Vec3{1, 2, 2});
  while (points.size() < 2000) {
    const Vec3 u = random.direction();
    if (dot(u, axis) > 0.8) points.push_back(Vec3{5, 6, 7} + u * random.uniform(3, 3.1));
  }
  const SphericalShell truth{{5, 6, 7}, axis, 3, 3.1, 0.8};
  EXPECT_LE(volume(fit_shell(points, truth.center)), volume(truth) * 1.001);
  EXPECT_LE(volume(fit_shell(points)),
            volume(truth) * 1.25); // its centre is found by least squares
}

TEST(SphericalShell, ConeIsTheNarrowest) {
  // Directions at 60 degrees about z: the cone has half angle 60 degrees.
  const double s = std::sqrt(0.75);
  const std::vector<Vec3> points = {
      {s, 0, 0.5}, {0, s, 0.5}, {-s, 0, 0.5}, {0, -s, 0.5}, {0, 0, 1}};
  const SphericalShell shell = fit_shell(points, Vec3{});
  EXPECT_NEAR(shell.cos_half_angle, 0.5, 4 * tolerance::epsilon);
  EXPECT_NEAR(shell.axis.z, 1, 4 * tolerance::epsilon);
}

TEST(SphericalShell, SupportIsTheFarthest) {
  test::for_each_seed(2000, [](Source& source) {
    const SphericalShell s = shell(source);
    const Vec3 d = test::direction(source);
    const Vec3 p = support_point(s, d);
    EXPECT_LE(verify::distance(p, s), 1e-14 * 8); // sizes up to 6, a few roundings
    for (int i = 0; i < 20; ++i) {
      EXPECT_LE(dot(point_in(source, s), d), dot(p, d) + 1e-14 * 8);
    }
  });
}

TEST(SphericalShell, LowerBoundIsOne) {
  test::for_each_seed(2000, [](Source& source) {
    const SphericalShell a = shell(source);
    SphericalShell b = shell(source);
    if (source.chance(4)) { // small, in the hollow of a
      b.outer = a.inner * 0.25;
      b.inner = b.outer * 0.5;
      b.center = a.center + test::direction(source) * (a.inner * 0.25);
    }
    const double bound = distance_lower_bound(a, b);
    EXPECT_NEAR(bound, distance_lower_bound(b, a),
                1e-10); // curved hulls: to where the search for each ends
    EXPECT_EQ(may_overlap(a, b), bound <= 0);
    for (int i = 0; i < 20; ++i) {
      EXPECT_GE(verify::distance(point_in(source, a), b), bound - 1e-14 * 8);
      EXPECT_GE(verify::distance(point_in(source, b), a), bound - 1e-14 * 8);
    }
  });
}

TEST(SphericalShell, LowerBoundSeesWhatIsApart) {
  const SphericalShell dome{{}, {0, 0, 1}, 2, 3, 0};
  EXPECT_NEAR(distance_lower_bound(dome, {{0, 0, 10}, {0, 0, 1}, 0, 1, -1}), 6, 1e-13);
  EXPECT_NEAR(distance_lower_bound(dome, {{0, 0, 0}, {0, 0, 1}, 0, 1, -1}), 1,
              1e-13); // in the hollow
  EXPECT_NEAR(distance_lower_bound(dome, {{0, 0, -5}, {0, 0, 1}, 0, 1, -1}), 4, 1e-13); // below
  EXPECT_FALSE(may_overlap(dome, {}));
  EXPECT_EQ(distance_lower_bound(dome, {}), INFINITY);
  EXPECT_TRUE(may_overlap(dome, {{0, 0, 2.5}, {0, 0, 1}, 0, 0.1, -1}));
  EXPECT_TRUE(may_overlap(dome, {{0, 0, 5}, {0, 0, -1}, 0, 2, 0.5})); // touching
}

TEST(SphericalShell, MergeEnclosesBoth) {
  test::for_each_seed(2000, [](Source& source) {
    const SphericalShell a = shell(source);
    SphericalShell b = shell(source);
    if (source.chance(2)) b.center = a.center;
    const SphericalShell both = merge(a, b);
    for (int i = 0; i < 10; ++i) {
      EXPECT_LE(verify::distance(point_in(source, a), both), 1e-14 * 16);
      EXPECT_LE(verify::distance(point_in(source, b), both), 1e-14 * 16);
    }
    EXPECT_EQ(merge(a, SphericalShell{}).outer, a.outer);
    EXPECT_EQ(merge(SphericalShell{}, a).outer, a.outer);
    // About one centre: no wider than the two cones and what is between.
    if (a.center == b.center && !both.all_directions()) {
      const auto angle = [](double c) { return std::acos(std::min(1.0, std::max(-1.0, c))); };
      const double wide =
          angle(a.cos_half_angle) + angle(b.cos_half_angle) + angle(dot(a.axis, b.axis));
      const double least = std::max({angle(a.cos_half_angle), angle(b.cos_half_angle), 0.5 * wide});
      EXPECT_LE(angle(both.cos_half_angle),
                least + 1e-6); // an arc cosine near 1 has half the digits
    }
  });
}

TEST(SphericalShell, VolumeAndAreaInClosedForm) {
  EXPECT_NEAR(volume(SphericalShell{{}, {0, 0, 1}, 0, 3, -1}), 36 * pi, 1e-13);
  EXPECT_NEAR(area(SphericalShell{{}, {0, 0, 1}, 0, 3, -1}), 36 * pi, 1e-13);
  EXPECT_NEAR(volume(SphericalShell{{}, {0, 0, 1}, 1, 2, 0}), 2 * pi / 3 * 7, 1e-13);
  EXPECT_NEAR(area(SphericalShell{{}, {0, 0, 1}, 1, 2, 0}), 10 * pi + 3 * pi, 1e-13);
  EXPECT_EQ(volume(SphericalShell{}), 0);
}

TEST(SphericalShell, MovesWithItsPoints) {
  test::for_each_seed(500, [](Source& source) {
    const SphericalShell s = shell(source);
    const Frame frame = test::pose(source).frame();
    const SphericalShell m = moved(s, frame);
    for (int i = 0; i < 5; ++i) {
      EXPECT_LE(verify::distance(frame.to_world(point_in(source, s)), m), 1e-14 * 8);
    }
  });
}

} // namespace
} // namespace carom
