// Hulls with a vertex limit: they enclose every point, exactly, and the growth they state is true and small.
#include "carom/geometry/gjk.h"
#include "carom/mesh/convex_hull.h"
#include "carom/verify/hull.h"
#include "tests/mesh/hull_cases.h"
#include "tests/support/property.h"

#include <algorithm>

namespace carom::test {

struct Points {
  std::vector<Vec3> all;
};
inline Vec3 support_point(const Points& points, const Vec3& d) {
  return *std::max_element(points.all.begin(), points.all.end(), [&](const Vec3& a, const Vec3& b) {
    return carom::dot(a, d) < carom::dot(b, d);
  });
}

namespace {

double size_of(const std::vector<Vec3>& points) {
  double size = 0;
  for (const Vec3& p : points) size = std::max(size, max_abs(p));
  return size;
}

/// A lower bound of how far the vertices reach beyond the hull of the points.
double true_growth(const std::vector<Vec3>& points, const ConvexHull& hull) {
  const Points set{points};
  double growth = 0;
  for (const Vec3& v : hull.vertices) {
    const Points vertex{{v}};
    growth = std::max(growth, gjk(ConvexView(set), ConvexView(vertex)).lower_bound);
  }
  return growth;
}

void expect_enclosing(const std::vector<Vec3>& points, const ConvexHull& hull,
                      std::uint32_t limit) {
  EXPECT_LE(hull.vertices.size(), limit);
  const verify::Verdict verdict = verify::check_hull_encloses(points, hull);
  EXPECT_TRUE(verdict.ok) << verdict.why;
  for (const std::uint32_t s : hull.source) EXPECT_LT(s, points.size());
  if (hull.growth == 0) {
    const verify::Verdict exact = verify::check_hull(points, hull);
    EXPECT_TRUE(exact.ok) << exact.why;
  }
}

TEST(HullLimit, EnclosesEveryPoint) {
  for_each_seed(fewer_when_sanitized(1500), [](Source& source) {
    const std::vector<Vec3> points = hull_points(source, 60);
    const auto limit = static_cast<std::uint32_t>(4 + source.index(16));
    const Result<ConvexHull> full = convex_hull(points);
    const Result<ConvexHull> hull = convex_hull(points, {limit});
    ASSERT_TRUE(hull.has_value()) << hull.error().message;
    expect_enclosing(points, *hull, limit);
    if (full->vertices.size() <= limit) {
      EXPECT_EQ(hull->growth, 0);
      EXPECT_EQ(hull->origin, full->origin);
    }
    // The lower bound of gjk is good to 8 epsilon of the greatest coordinate.
    const double size = std::max(size_of(points), size_of(hull->vertices));
    EXPECT_LE(true_growth(full->vertices, *hull), hull->growth + 16 * 0x1p-52 * size);
  });
}

TEST(HullLimit, OfABall) {
  Random random(1);
  std::vector<Vec3> points;
  for (int i = 0; i < 5000; ++i) points.push_back(random.direction());
  double before = 10;
  for (const std::uint32_t limit : {4u, 8u, 16u, 64u, 256u, 1024u}) {
    const Result<ConvexHull> hull = convex_hull(points, {limit});
    ASSERT_TRUE(hull.has_value());
    expect_enclosing(points, *hull, limit);
    EXPECT_GT(hull->growth, 0);
    EXPECT_LT(hull->growth, before);
    // A polytope around the unit ball with n vertices reaches at least about 2.4 / n beyond it (n large); at n = 4, 2 (the simplex).
    EXPECT_LT(hull->growth, limit == 4 ? 3.5 : 16.0 / limit) << limit;
    before = hull->growth;
  }
}

TEST(HullLimit, OfAFlatDisk) {
  for (const double thickness : {0.0, 1e-16, 1e-12, 1e-9, 1e-6}) {
    Random random(2);
    const Frame frame{to_matrix(random.rotation()), {1, 2, 3}};
    std::vector<Vec3> points;
    for (int i = 0; i < 2000; ++i) {
      const Vec3 d = random.direction();
      const double l = std::sqrt(d.x * d.x + d.y * d.y);
      const Vec3 p{d.x / l, d.y / l, thickness * random.uniform(-1, 1)};
      points.push_back(thickness == 0 ? Vec3{p.x, p.y, 4} : frame.to_world(p));
    }
    for (const std::uint32_t limit : {4u, 6u, 16u, 64u}) {
      const Result<ConvexHull> hull = convex_hull(points, {limit});
      ASSERT_TRUE(hull.has_value());
      expect_enclosing(points, *hull, limit);
      // A regular polygon of n - 1 corners around the disk reaches (pi / (n - 1))^2 / 2 beyond it. Ours has corners among the points, a
      // factor of 8, and a height of the square root of the thickness.
      const double corners = limit - 1.0;
      EXPECT_LT(hull->growth,
                (limit == 4 ? 3.0 : 40 / (corners * corners)) + 4 * std::sqrt(thickness) + 1e-6)
          << thickness << ' ' << limit;
    }
  }
}

TEST(HullLimit, SaysSoWhereItWouldLeaveTheRange) {
  Random random(3);
  std::vector<Vec3> points;
  for (int i = 0; i < 100; ++i) points.push_back(random.direction() * 1e30);
  for (Vec3& p : points) p = min(max(p, {-1e30, -1e30, -1e30}), {1e30, 1e30, 1e30});
  EXPECT_TRUE(convex_hull(points).has_value());
  const Result<ConvexHull> hull = convex_hull(points, {4});
  ASSERT_FALSE(hull.has_value());
  EXPECT_EQ(hull.error().code, ErrorCode::out_of_range);
}

} // namespace
} // namespace carom::test
