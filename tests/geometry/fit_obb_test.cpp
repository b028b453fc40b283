#include "carom/geometry/fit_obb.h"

#include "carom/geometry/measure.h"
#include "carom/math/random.h"
#include "carom/math/tolerance.h"
#include "carom/verify/distance.h"
#include "tests/geometry/exact_enclosure.h"
#include "tests/geometry/point_clouds.h"
#include "tests/support/property.h"

namespace carom {
namespace {

using test::Source;

bool orthonormal(const Mat3& m) {
  double worst = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      worst = std::max(worst, std::fabs(dot(m[i], m[j]) - (i == j ? 1 : 0)));
    }
  }
  return worst <= 32 * tolerance::epsilon;
}

/// Every point inside; every side touched (so that it is the least box with these axes).
void expect_tight(const Obb& box, const std::vector<Vec3>& points) {
  const double rounding = 16 * tolerance::epsilon * test::size_of(points);
  EXPECT_TRUE(orthonormal(box.axes));
  EXPECT_TRUE(test::encloses(box, points));
  for (const Vec3& p : points) EXPECT_LE(verify::distance(p, box), rounding);
  for (int i = 0; i < 3; ++i) {
    double low = INFINITY;
    double high = -INFINITY;
    for (const Vec3& p : points) {
      low = std::min(low, dot(p - box.center, box.axes[i]));
      high = std::max(high, dot(p - box.center, box.axes[i]));
    }
    EXPECT_NEAR(high, box.half[i], rounding);
    EXPECT_NEAR(low, -box.half[i], rounding);
  }
}

TEST(FitObb, EveryWayEnclosesAndTouches) {
  test::for_each_seed(350, [](Source& source) {
    const std::vector<Vec3> points = test::cloud(source);
    const Covariance spread = point_covariance(points);
    expect_tight(fit_obb(points, to_matrix(test::rotation(source))), points);
    expect_tight(fit_obb_about(points, test::direction(source)), points);
    for (const PrincipalAxes choice :
         {PrincipalAxes::all, PrincipalAxes::least, PrincipalAxes::greatest}) {
      expect_tight(fit_obb(points, spread, choice), points);
    }
    expect_tight(best_obb(points), points);
    if (points.size() < 8) expect_tight(search_obb(points, 3), points);
  });
}

/// The corners of a box turned somehow, and points inside it: whoever looks for the least box must find that one.
std::vector<Vec3> turned_box(Random& random, const Vec3& half, const Mat3& axes) {
  std::vector<Vec3> points;
  const Obb box{{0.3, -0.2, 0.1}, axes, half};
  for (int i = 0; i < 8; ++i) points.push_back(box.corner(i));
  for (int i = 0; i < 100; ++i) points.push_back(box.center + axes * random.in_box(half));
  return points;
}

TEST(FitObb, FindsATurnedBoxAgain) {
  Random random(3);
  for (int i = 0; i < 20; ++i) {
    const Vec3 half{1, 0.6, 0.3};
    const std::vector<Vec3> points = turned_box(random, half, to_matrix(random.rotation()));
    EXPECT_LE(volume(best_obb(points)), 8 * 0.18 * 1.1); // a local optimum
    // Refinement ends where a round gains less than a millionth, and each gains a good part of what is left.
    EXPECT_LE(volume(search_obb(points)), 8 * 0.18 * 1.0001);
  }
}

TEST(FitObb, SearchIsNotBeatenByRandomOrientations) {
  Random random(5);
  for (int cloud = 0; cloud < 6; ++cloud) {
    std::vector<Vec3> points;
    for (int i = 0; i < 12; ++i) points.push_back(mul(random.in_ball(), {1, 0.7, 0.5}));
    double least = INFINITY;
    for (int i = 0; i < 4000; ++i) {
      least = std::min(least, volume(fit_obb(points, to_matrix(random.rotation()))));
    }
    EXPECT_LE(volume(search_obb(points)), least * 1.001);
    EXPECT_LE(volume(best_obb(points)), least * 1.15); // no search: a local optimum
  }
}

TEST(FitObb, AboutAnAxisIsTheBestTurn) {
  test::for_each_seed(100, [](Source& source) {
    std::vector<Vec3> points = test::small_cloud(source);
    points.push_back(test::vec3(source));
    points.push_back(test::vec3(source));
    const Vec3 axis = test::direction(source);
    const Obb box = fit_obb_about(points, axis);
    const double found = box.half.x * box.half.y;
    for (int i = 0; i < 90; ++i) {
      const Mat3 turn = to_matrix(Quat::from_axis_angle(axis, i * 1.5707963267948966 / 90));
      const Obb other = fit_obb(points, Mat3{turn * box.axes.x, turn * box.axes.y, axis});
      EXPECT_LE(found, other.half.x * other.half.y + 1e-12);
    }
  });
}

TEST(FitObb, ACrowdTurnsTheAxesOfPointsButNotOfTheSurfaceOrSolid) {
  std::vector<Vec3> points;
  const Vec3 half{3, 2, 1};
  for (int i = 0; i < 8; ++i) points.push_back(Aabb{-half, half}.corner(i));
  const std::vector<IndexTriple> triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6},
                                              {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                              {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  for (int i = 0; i < 200; ++i) points.push_back(lerp(points[0], points[7], i / 200.0));
  const double box = volume(Obb{{}, {}, half});
  EXPECT_GT(volume(fit_obb(points, point_covariance(points))), 1.2 * box);
  EXPECT_NEAR(volume(fit_obb(points, surface_covariance(points, triangles))), box, 1e-12);
  EXPECT_NEAR(volume(fit_obb(points, solid_covariance(points, triangles))), box, 1e-12);
}

TEST(FitObb, NoPoints) {
  for (const Obb& box :
       {fit_obb({}, Mat3{}), fit_obb_about({}, {1, 0, 0}), best_obb({}), search_obb({})}) {
    EXPECT_LT(box.half.x, 0);
    EXPECT_EQ(volume(box), 0);
  }
  const std::vector<Vec3> nan = {{NAN, NAN, 1}, {1, 2, 3}};
  (void)best_obb(nan);
}

} // namespace
} // namespace carom
