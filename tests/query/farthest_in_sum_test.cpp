// Against many climbs in long double, on sums with peaks that are nearly as high as the highest.
#include "carom/query/farthest_in_sum.h"

#include "tests/support/generate.h"
#include "tests/support/property.h"

#include <algorithm>
#include <vector>

namespace carom {
namespace {

using test::Source;

struct Sum {
  Vec3 center;
  std::vector<Mat3> images;
};

/// Discs and ellipsoids around a centre that is far from the origin, near it, or all but there: then opposite peaks differ by little.
Sum random_sum(Source& source) {
  Sum s;
  const double far = std::ldexp(1.0, 2 - source.index(30));
  const Vec3 toward = test::direction(source);
  s.center = toward * far;
  const int count = 1 + source.index(4);
  for (int i = 0; i < count; ++i) {
    const Vec3 axis = test::direction(source);
    const Vec3 u = perpendicular(axis);
    const double x = source.uniform(0.1, 1);
    const double y = source.index(2) == 0 ? x : source.uniform(0.1, 1);
    const double z = source.index(2) == 0 ? 0 : source.uniform(0.1, 1);
    s.images.push_back({u * x, cross(axis, u) * y, axis * z});
  }
  return s;
}

using Real = long double;
struct Real3 {
  Real x, y, z;
};
Real dot(const Vec3& a, const Real3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

/// The highest peak that is reached from any of 60 directions, by going to the farthest point along the direction to the last one.
Real highest(const Sum& s, Source& source) {
  Real most = 0;
  for (int i = 0; i < 60; ++i) {
    const Vec3 v{source.uniform(-1, 1), source.uniform(-1, 1), source.uniform(-1, 1)};
    Real3 n{v.x, v.y, v.z};
    Real height = 0;
    for (int k = 0; k < 200; ++k) {
      Real3 p{s.center.x, s.center.y, s.center.z};
      for (const Mat3& m : s.images) {
        const Real a = dot(m.x, n), b = dot(m.y, n), c = dot(m.z, n);
        const Real l = std::sqrt(a * a + b * b + c * c);
        if (!(l > 0)) continue;
        p.x += (m.x.x * a + m.y.x * b + m.z.x * c) / l;
        p.y += (m.x.y * a + m.y.y * b + m.z.y * c) / l;
        p.z += (m.x.z * a + m.y.z * b + m.z.z * c) / l;
      }
      const Real reached = std::sqrt(p.x * p.x + p.y * p.y + p.z * p.z);
      if (!(reached > height * (1 + 1e-17L))) break;
      height = reached;
      n = p;
    }
    most = std::max(most, height);
  }
  return most;
}

TEST(FarthestInSum, IsTheHighestPeak) {
  int searched = 0;
  test::for_each_seed(300, [&](Source& source) {
    const Sum s = random_sum(source);
    Farthest found;
    search_ball_sum(s.center, s.images, 0.25, {1e-11, 1 << 17}, found);
    const Real known = highest(s, source) + 0.25L;
    EXPECT_GE(found.value, known - 1e-11L);
    EXPECT_GE(found.upper, known - 1e-14L);
    EXPECT_LE(found.upper, found.value + 1e-11) << found.steps;
    if (found.steps > 200) ++searched;
  });
  EXPECT_GT(searched, 0); // by triangles of directions
}

// What was found before is kept: a better value, and an upper bound of other sets.
TEST(FarthestInSum, KeepsWhatIsKnown) {
  const Mat3 disc{{1, 0, 0}, {0, 1, 0}, {}};
  Farthest found{.value = 10, .direction = {0, 1, 0}, .upper = 11};
  search_ball_sum({1, 0, 0}, std::vector{disc}, 0, {1e-12, 1000}, found);
  EXPECT_EQ(found.value, 10);
  EXPECT_EQ(found.upper, 11);
  EXPECT_EQ(found.direction, (Vec3{0, 1, 0}));
  found = {};
  search_ball_sum({1, 0, 0}, std::vector{disc}, 0, {1e-12, 1000}, found);
  EXPECT_NEAR(found.value, 2, 1e-15);
  EXPECT_NEAR(found.upper, 2, 1e-12);
  search_ball_sum({0, 3, 0}, {}, 0.5, {1e-12, 1000}, found);
  EXPECT_EQ(found.value, 3.5);
}

// Too few steps leave a bound that holds.
TEST(FarthestInSum, EndsWithATrueBound) {
  test::for_each_seed(test::fewer_when_sanitized(200), [](Source& source) {
    const Sum s = random_sum(source);
    const Real known = highest(s, source);
    for (const int steps : {1, 40, 120}) {
      Farthest found;
      search_ball_sum(s.center, s.images, 0, {1e-12, steps}, found);
      EXPECT_GE(found.upper, known - 1e-14L) << steps;
    }
  });
}

} // namespace
} // namespace carom
