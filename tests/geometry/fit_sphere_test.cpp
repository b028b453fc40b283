#include "carom/geometry/fit_sphere.h"

#include "carom/geometry/covariance.h"
#include "carom/geometry/fit_aabb.h"
#include "carom/math/eigen3.h"
#include "carom/math/random.h"
#include "carom/math/tolerance.h"
#include "carom/verify/distance.h"
#include "tests/geometry/exact_enclosure.h"
#include "tests/geometry/point_clouds.h"
#include "tests/support/property.h"

namespace carom {
namespace {

using test::Source;

TEST(FitSphere, EnclosesExactlyAndIsNotFarFromLeast) {
  test::for_each_seed(2000, [](Source& source) {
    const std::vector<Vec3> points = test::cloud(source);
    const double rounding = 8 * tolerance::epsilon * test::size_of(points);
    const double least = minimum_sphere(points).sphere.radius;
    const Sphere ritter = ritter_sphere(points);
    const Sphere iterated = iterated_ritter_sphere(points);
    const Sphere principal = principal_axis_sphere(points);
    for (const Sphere& s : {ritter, iterated, principal, fit_sphere(fit_aabb(points))}) {
      EXPECT_TRUE(test::encloses(s, points));
      EXPECT_GE(s.radius, least - rounding);
      for (const Vec3& p : points) EXPECT_LE(verify::distance(p, s), rounding);
    }
    EXPECT_LE(iterated.radius, ritter.radius);
    // A bound that is met, not one that is proved: a ball about any point of the set that holds all others has at most twice the least.
    EXPECT_LE(ritter.radius, 2 * least + rounding);
    EXPECT_LE(principal.radius, 2 * least + rounding);
  });
}

TEST(FitSphere, HowLoose) {
  // The figures that the header gives, over many clouds: the worst of Ritter, and the mean of the iterated.
  Random random(1);
  double ritter_worst = 0;
  double iterated_sum = 0;
  constexpr int clouds = 200;
  for (int i = 0; i < clouds; ++i) {
    std::vector<Vec3> points;
    for (int k = 0; k < 100; ++k) points.push_back(random.in_box({1, 0.7, 0.4}));
    const double least = minimum_sphere(points).sphere.radius;
    ritter_worst = std::max(ritter_worst, ritter_sphere(points).radius / least);
    iterated_sum += iterated_ritter_sphere(points).radius / least;
  }
  EXPECT_LE(ritter_worst, 1.25);
  EXPECT_LE(iterated_sum / clouds, 1.02);
}

TEST(FitSphere, NoPointsAndOnePoint) {
  for (const Sphere& s : {ritter_sphere({}), iterated_ritter_sphere({}), principal_axis_sphere({}),
                          fit_sphere(Aabb{})}) {
    EXPECT_LT(s.radius, 0);
  }
  const std::vector<Vec3> one = {{1e30, -1e-30, 3}};
  for (const Sphere& s :
       {ritter_sphere(one), iterated_ritter_sphere(one), principal_axis_sphere(one)}) {
    EXPECT_EQ(s.center, one[0]);
    EXPECT_EQ(s.radius, 0);
  }
}

// A closed box [0, a] x [0, b] x [0, c] of twelve triangles, wherever it is: closed forms of its moments.
const std::vector<IndexTriple> box_triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6},
                                                {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                                {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};

std::vector<Vec3> box_corners(const Vec3& at, const Vec3& edges) {
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i) corners.push_back(Aabb{at, at + edges}.corner(i));
  return corners;
}

void expect_diagonal(const Mat3& m, const Vec3& d, double tolerance) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(m[i][j], i == j ? d[i] : 0, tolerance);
  }
}

TEST(Covariance, OfABoxInClosedForm) {
  const Vec3 edges{2, 4, 8};
  for (const Vec3& at : {Vec3{}, Vec3{1000, -2000, 500}}) {
    const std::vector<Vec3> corners = box_corners(at, edges);
    const Covariance points = point_covariance(corners);
    EXPECT_EQ(points.weight, 8);
    EXPECT_EQ(points.mean, at + edges * 0.5);
    expect_diagonal(points.covariance, {1, 4, 16}, 1e-13); // (a/2)^2

    const Covariance solid = solid_covariance(corners, box_triangles);
    EXPECT_NEAR(solid.weight, 64, 1e-13);
    EXPECT_LE(max_abs(solid.mean - points.mean), 1e-12);
    expect_diagonal(solid.covariance, {4.0 / 12, 16.0 / 12, 64.0 / 12}, 1e-13); // a^2/12

    // Surface: faces across x of area 32 each at a/2 from the middle, and so on.
    const Covariance surface = surface_covariance(corners, box_triangles);
    EXPECT_NEAR(surface.weight, 112, 1e-12);
    const double x = (64 * 1 + (112 - 64) * 4.0 / 12) / 112;
    const double y = (32 * 4 + (112 - 32) * 16.0 / 12) / 112;
    const double z = (16 * 16 + (112 - 16) * 64.0 / 12) / 112;
    expect_diagonal(surface.covariance, {x, y, z}, 1e-13);
  }
}

TEST(Covariance, TurnedInsideOutTheSolidIsTheSame) {
  const std::vector<Vec3> corners = box_corners({1, 2, 3}, {2, 4, 8});
  std::vector<IndexTriple> flipped = box_triangles;
  for (IndexTriple& t : flipped) std::swap(t[0], t[1]);
  const Covariance a = solid_covariance(corners, box_triangles);
  const Covariance b = solid_covariance(corners, flipped);
  EXPECT_EQ(a.weight, b.weight);
  EXPECT_EQ(a.covariance, b.covariance);
}

TEST(Covariance, SurfaceDoesNotDependOnTheTriangulation) {
  std::vector<Vec3> corners = box_corners({}, {2, 4, 8});
  std::vector<IndexTriple> finer;
  for (const IndexTriple& t : box_triangles) { // each cut in three at its middle
    corners.push_back((corners[t[0]] + corners[t[1]] + corners[t[2]]) / 3);
    const auto m = static_cast<std::uint32_t>(corners.size() - 1);
    finer.push_back({t[0], t[1], m});
    finer.push_back({t[1], t[2], m});
    finer.push_back({t[2], t[0], m});
  }
  const Covariance a = surface_covariance(corners, box_triangles);
  const Covariance b = surface_covariance(corners, finer);
  for (int i = 0; i < 3; ++i) EXPECT_LE(max_abs(a.covariance[i] - b.covariance[i]), 1e-13);
}

TEST(Covariance, NothingAndNonsense) {
  EXPECT_EQ(point_covariance({}).weight, 0);
  const std::vector<Vec3> corners = box_corners({}, {1, 1, 1});
  EXPECT_EQ(surface_covariance(corners, std::vector<IndexTriple>{{0, 1, 99}}).weight, 0);
  // A sheet there and back encloses nothing.
  EXPECT_EQ(solid_covariance(corners, std::vector<IndexTriple>{{1, 2, 4}, {1, 4, 2}}).weight, 0);
  EXPECT_EQ(solid_covariance({}, box_triangles).weight, 0);
}

} // namespace
} // namespace carom
