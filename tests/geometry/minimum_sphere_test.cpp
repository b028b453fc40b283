#include "carom/geometry/minimum_sphere.h"

#include "carom/math/random.h"
#include "carom/math/tolerance.h"
#include "tests/geometry/exact_enclosure.h"
#include "tests/geometry/point_clouds.h"
#include "tests/support/property.h"

namespace carom {
namespace {

using test::Source;

/// The proof, in rationals: the support is of the input, the weights are not negative, and lower_bound is below what they show.
bool proof_holds(const std::vector<Vec3>& points, const MinimumSphere& m) {
  mpq_class sum = 0;
  mpq_class weight = 0;
  for (std::size_t i = 0; i < m.count; ++i) {
    if (m.support[i] >= points.size() || !(m.weights[i] >= 0)) return false;
    weight += m.weights[i];
    for (std::size_t j = 0; j < i; ++j) {
      const test::Exact d = test::exact(points[m.support[i]]) - test::exact(points[m.support[j]]);
      sum += mpq_class(m.weights[i]) * m.weights[j] * test::dot(d, d);
    }
  }
  return weight > 0 && test::square(mpq_class(m.lower_bound)) * weight * weight <= sum;
}

/// All points inside, exactly; proved to be least up to a few roundings of the coordinates.
void expect_least(const std::vector<Vec3>& points, const MinimumSphere& m) {
  // The centre is off by half a rounding in each coordinate, and the equations by a few: 16 in all are kept, 8 nearly always.
  const double slack = 16 * tolerance::epsilon * test::size_of(points);
  ASSERT_GE(m.count, 1u);
  ASSERT_LE(m.count, 4u);
  EXPECT_TRUE(test::encloses(m.sphere, points));
  EXPECT_TRUE(proof_holds(points, m));
  EXPECT_LE(m.sphere.radius - m.lower_bound, slack)
      << "in roundings: " << (m.sphere.radius - m.lower_bound) / slack * 16;
  for (std::size_t i = 0; i < m.count; ++i) {
    // A point with a weight is on the boundary; how exactly depends on the weight.
    if (m.weights[i] > 0.01) {
      EXPECT_GE(distance(points[m.support[i]], m.sphere.center), m.sphere.radius - 1000 * slack);
    }
  }
}

TEST(MinimumSphere, EnclosesExactlyAndProvesItIsLeast) {
  test::for_each_seed(4000, [](Source& source) {
    const std::vector<Vec3> points = test::cloud(source);
    expect_least(points, minimum_sphere(points));
  });
}

/// The least ball by trying every two, three and four of them, in extended precision.
long double brute_force_radius(const std::vector<Vec3>& points) {
  using Real = long double;
  using V = std::array<Real, 3>;
  const auto sub = [](const V& a, const V& b) { return V{a[0] - b[0], a[1] - b[1], a[2] - b[2]}; };
  const auto dot3 = [](const V& a, const V& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; };
  const auto cross3 = [](const V& a, const V& b) {
    return V{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  };
  std::vector<V> p;
  for (const Vec3& q : points) p.push_back({q.x, q.y, q.z});
  Real best = INFINITY;
  const auto consider = [&](const V& c) {
    Real r = 0;
    for (const V& q : p) r = std::max(r, std::sqrt(dot3(sub(q, c), sub(q, c))));
    best = std::min(best, r);
  };
  const std::size_t n = p.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      const V b = sub(p[j], p[i]);
      consider({p[i][0] + b[0] / 2, p[i][1] + b[1] / 2, p[i][2] + b[2] / 2});
      for (std::size_t k = j + 1; k < n; ++k) {
        const V c = sub(p[k], p[i]);
        const auto solve_with = [&](const V& d, Real level) {
          const Real det = dot3(b, cross3(c, d));
          if (!(std::fabs(det) > 0)) return;
          V x{};
          const V cd = cross3(c, d), db = cross3(d, b), bc = cross3(b, c);
          for (std::size_t m = 0; m < 3; ++m) {
            x[m] =
                p[i][m] + (cd[m] * dot3(b, b) / 2 + db[m] * dot3(c, c) / 2 + bc[m] * level) / det;
          }
          consider(x);
        };
        solve_with(cross3(b, c), 0);
        for (std::size_t l = k + 1; l < n; ++l) {
          const V d = sub(p[l], p[i]);
          solve_with(d, dot3(d, d) / 2);
        }
      }
    }
  }
  return best;
}

TEST(MinimumSphere, AgreesWithAllSubsets) {
  test::for_each_seed(2000, [](Source& source) {
    std::vector<Vec3> points = test::small_cloud(source);
    if (points.size() < 2) points.push_back(test::vec3(source));
    const double radius = minimum_sphere(points).sphere.radius;
    EXPECT_NEAR(radius, static_cast<double>(brute_force_radius(points)),
                8 * tolerance::epsilon * test::size_of(points));
  });
}

TEST(MinimumSphere, KnownSupports) {
  const auto expect = [](const std::vector<Vec3>& points, const Sphere& sphere, std::size_t count) {
    const MinimumSphere m = minimum_sphere(points);
    EXPECT_EQ(m.sphere.center, sphere.center);
    EXPECT_EQ(m.sphere.radius, sphere.radius);
    EXPECT_EQ(m.count, count);
  };
  expect({{1, 2, 3}}, {{1, 2, 3}, 0}, 1);
  expect({{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}, {{1, 2, 3}, 0}, 1); // one place, three times
  expect({{-1, 0, 0}, {1, 0, 0}}, {{}, 1}, 2);
  expect({{-1, 0, 0}, {0.5, 0, 0}, {1, 0, 0}, {1, 0, 0}}, {{}, 1}, 2); // on a line
  expect({{-1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, -1, 0}}, {{}, 1}, 2);  // on a circle
  expect({{-1, 0, 0}, {1, 0, 0}, {0, 0.25, 0.5}}, {{}, 1}, 2);         // obtuse
  EXPECT_EQ(minimum_sphere(std::vector<Vec3>{{3, 0, 0}, {-1.5, 2.5, 0}, {-1.5, -2.5, 0}}).count,
            3u);
  EXPECT_EQ(
      minimum_sphere(std::vector<Vec3>{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}).count,
      4u);
  EXPECT_EQ(minimum_sphere({}).count, 0u);
  EXPECT_LT(minimum_sphere({}).sphere.radius, 0);
}

TEST(MinimumSphere, NearlyOnOneSphere) {
  // Clouds on which a search that keeps the support alone goes in circles.
  for (const std::uint64_t seed : {1u, 17u, 231806u, 235777u}) {
    test::RandomSource source(seed);
    const std::vector<Vec3> points = test::cloud(source);
    expect_least(points, minimum_sphere(points));
  }
}

TEST(MinimumSphere, TwoPairsAboutOneCentre) {
  // The shorter pair comes in on the way; its ball has the right centre and proves too little.
  const std::vector<Vec3> points = {{-0.5, -2, 0}, {0.5, 2, 0}, {1.5, 1, 0},
                                    {-1.5, -1, 0}, {-1, -1, 0}, {0, 0, 0}};
  expect_least(points, minimum_sphere(points));
  std::vector<Vec3> turned(points.rbegin(), points.rend());
  for (Vec3& p : turned) p += {0.7, -0.2, 0.5};
  expect_least(turned, minimum_sphere(turned));
}

TEST(MinimumSphere, TenThousandPointsWithoutDeepRecursion) {
  Random random(7);
  std::vector<Vec3> ball;
  std::vector<Vec3> surface;
  std::vector<Vec3> line;
  for (int i = 0; i < 10'000; ++i) {
    ball.push_back(random.in_ball());
    surface.push_back(random.direction());
    line.push_back(Vec3{1, 2, 3} * (i / 10'000.0));
  }
  for (const auto& points : {ball, surface, line}) {
    const MinimumSphere m = minimum_sphere(points);
    expect_least(points, m);
    EXPECT_LE(m.steps, 40);
  }
}

TEST(MinimumSphere, NotFiniteStillReturns) {
  const std::vector<Vec3> points = {{NAN, 0, 0}, {1, 0, 0}, {-1, 0, 0}, {0, NAN, NAN}};
  const MinimumSphere m = minimum_sphere(points);
  EXPECT_EQ(m.sphere.radius, 1);
  EXPECT_EQ(minimum_sphere(std::vector<Vec3>{{INFINITY, 0, 0}, {1, 0, 0}}).sphere.radius, INFINITY);
  EXPECT_EQ(minimum_sphere(std::vector<Vec3>{{NAN, 0, 0}}).count, 0u);
}

} // namespace
} // namespace carom
