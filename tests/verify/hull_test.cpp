// The checker of hulls must say no to everything that is not the hull.
#include "carom/verify/hull.h"

#include "tests/mesh/hull_cases.h"
#include "tests/support/property.h"

#include <functional>

namespace carom::test {
namespace {

std::vector<Vec3> cube() {
  std::vector<Vec3> points;
  for (int i = 0; i < 8; ++i) {
    points.push_back({i & 1 ? 1.0 : 0.0, i & 2 ? 1.0 : 0.0, i & 4 ? 1.0 : 0.0});
  }
  return points;
}

TEST(VerifyHull, RefusesWhatIsNotTheHull) {
  const std::vector<Vec3> points = cube();
  const ConvexHull hull = convex_hull(points).value();
  ASSERT_TRUE(verify::check_hull(points, hull));
  const auto refused = [&](const std::function<void(ConvexHull&)>& spoil) {
    ConvexHull bad = hull;
    spoil(bad);
    return !verify::check_hull(points, bad).ok;
  };
  EXPECT_TRUE(refused([](ConvexHull& h) { h.dimension = 2; }));
  EXPECT_TRUE(refused([](ConvexHull& h) { h.growth = 1e-9; }));
  EXPECT_TRUE(refused([](ConvexHull& h) { h.vertices[3].x = next_up(h.vertices[3].x); }));
  EXPECT_TRUE(refused([](ConvexHull& h) { h.vertices.push_back({0.5, 0.5, 0.5}); }));
  EXPECT_TRUE(refused([](ConvexHull& h) { std::swap(h.source[0], h.source[1]); }));
  EXPECT_TRUE(refused([](ConvexHull& h) { h.source[2] = 8; }));
  EXPECT_TRUE(refused([](ConvexHull& h) { std::swap(h.twin[0], h.twin[1]); }));
  EXPECT_TRUE(refused([](ConvexHull& h) { h.twin[0] = 0; }));
  EXPECT_TRUE(refused([](ConvexHull& h) { h.twin[0] = 24; }));
  EXPECT_TRUE(refused([](ConvexHull& h) { h.origin[5] = 8; }));
  EXPECT_TRUE(refused([](ConvexHull& h) { std::swap(h.origin[1], h.origin[3]); }));
  EXPECT_TRUE(refused([](ConvexHull& h) { h.face[7] = 0; }));
  EXPECT_TRUE(refused([](ConvexHull& h) { h.face_begin[1] = 3; }));
  EXPECT_TRUE(refused([](ConvexHull& h) { h.outgoing[6] = h.around(h.outgoing[6]); }));
  EXPECT_TRUE(refused([](ConvexHull& h) {
    for (Vec3& v : h.vertices) v.x = 1 - v.x; // inside out
  }));
}

TEST(VerifyHull, RefusesAHullThatMissesAPoint) {
  for_each_seed(300, [](Source& source) {
    std::vector<Vec3> points = hull_points(source, 20);
    const ConvexHull hull = convex_hull(points).value();
    EXPECT_TRUE(verify::check_hull(points, hull));
    // Another set: without one vertex, and with one more point, just outside.
    const std::uint32_t gone =
        hull.source[static_cast<std::size_t>(source.below(hull.source.size()))];
    const Vec3 place = points[gone];
    std::vector<Vec3> fewer;
    for (const Vec3& p : points) {
      if (p != place) fewer.push_back(p);
    }
    EXPECT_FALSE(verify::check_hull(fewer, hull));
    if (fewer.empty()) return;
    EXPECT_FALSE(verify::check_hull(points, convex_hull(fewer).value()));
  });
}

// Large enough for the test by one ray instead of all pairs.
TEST(VerifyHull, LargeHulls) {
  Random random(5);
  std::vector<Vec3> points;
  for (int i = 0; i < 4000; ++i) points.push_back(random.direction());
  ConvexHull hull = convex_hull(points).value();
  ASSERT_GT(hull.vertices.size() * hull.face_count(), 20'000'000u);
  EXPECT_TRUE(verify::check_hull(points, hull));
  hull.vertices[17] = hull.vertices[17] * 0.9;
  EXPECT_FALSE(verify::check_hull_shape(hull));
}

TEST(VerifyHull, RefusesFlatHullsThatAreNot) {
  const std::vector<Vec3> square{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  ConvexHull hull = convex_hull(square).value();
  EXPECT_TRUE(verify::check_hull(square, hull));
  std::vector<Vec3> more = square;
  more.push_back({0.5, 0.5, 1e-30});
  EXPECT_FALSE(verify::check_hull(more, hull));
  more.back() = {1.5, 0.5, 0};
  EXPECT_FALSE(verify::check_hull(more, hull));
  hull.vertices[1].z = 1e-30;
  EXPECT_FALSE(verify::check_hull(square, hull));
  const std::vector<Vec3> pair{{0, 0, 0}, {2, 2, 2}};
  const ConvexHull segment = convex_hull(pair).value();
  EXPECT_TRUE(verify::check_hull(pair, segment));
  EXPECT_FALSE(verify::check_hull(std::vector<Vec3>{{0, 0, 0}, {2, 2, 2}, {3, 3, 3}}, segment));
  EXPECT_FALSE(verify::check_hull(std::vector<Vec3>{{0, 0, 0}, {2, 2, 2}, {1, 1, 1.5}}, segment));
}

} // namespace
} // namespace carom::test
