#include "carom/geometry/hull2.h"

#include "tests/geometry/exact_oracle.h"
#include "tests/support/property.h"

#include <algorithm>

using namespace carom;
using namespace carom::test;

namespace {

enum class Place { corner, straight, interior };

/// By all triangles and segments of the other points: quartic, and from the definition.
Place place(const std::vector<Vec2>& points, const Vec2& point) {
  const Q2 p = exact(point);
  Place result = Place::corner;
  std::vector<Q2> q;
  for (const Vec2& v : points) {
    if (!(v == point)) q.push_back(exact(v));
  }
  for (std::size_t i = 0; i < q.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      if (on_segment(p, q[i], q[j])) result = Place::straight;
    }
  // Interior: no line through p has all points on one side.
  bool supported = q.empty();
  for (const Q2& b : q) {
    int low = 0, high = 0;
    for (const Q2& c : q) {
      low = std::min(low, sgn(turn(p, b, c)));
      high = std::max(high, sgn(turn(p, b, c)));
    }
    supported = supported || low == 0 || high == 0;
  }
  return supported ? result : Place::interior;
}

std::vector<Vec2> hull_of(const std::vector<Vec2>& points,
                          StraightPoints s = StraightPoints::drop) {
  std::vector<Vec2> hull;
  convex_hull(points, hull, s);
  return hull;
}
std::vector<Vec2> quickhull_of(const std::vector<Vec2>& points) {
  std::vector<Vec2> hull;
  quickhull(points, hull);
  return hull;
}

} // namespace

TEST(ConvexHull2, HoldsTheCornersAndNothingElse) {
  for_each_seed(1'000, [](Source& source) {
    const std::vector<Vec2> points = points2(source, 1 + source.index(10));
    const std::vector<Vec2> hull = hull_of(points), kept = hull_of(points, StraightPoints::keep);
    for (const Vec2& p : points) {
      const Place truth = place(points, p);
      ASSERT_EQ(std::count(hull.begin(), hull.end(), p), truth == Place::corner);
      ASSERT_EQ(std::count(kept.begin(), kept.end(), p), truth != Place::interior);
    }
    for (std::size_t i = 0; hull.size() > 2 && i < hull.size(); ++i) {
      const auto at = [&](std::size_t k) { return exact(hull[(i + k) % hull.size()]); };
      ASSERT_GT(turn(at(0), at(1), at(2)), 0) << "not counter-clockwise";
    }
    ASSERT_EQ(quickhull_of(points), hull);
  });
}

TEST(ConvexHull2, EqualX) {
  const std::vector<Vec2> column{{1, 3}, {1, 1}, {1, 2}, {1, 4}, {1, 1}};
  EXPECT_EQ(hull_of(column), (std::vector<Vec2>{{1, 1}, {1, 4}}));
  EXPECT_EQ(hull_of(column, StraightPoints::keep),
            (std::vector<Vec2>{{1, 1}, {1, 2}, {1, 3}, {1, 4}}));
  const std::vector<Vec2> box{{2, 1}, {0, 1}, {0, 0}, {2, 0}, {0, 0.5}, {2, 0.5}, {1, 0}, {1, 1}};
  EXPECT_EQ(hull_of(box), (std::vector<Vec2>{{0, 0}, {2, 0}, {2, 1}, {0, 1}}));
  EXPECT_EQ(
      hull_of(box, StraightPoints::keep),
      (std::vector<Vec2>{{0, 0}, {1, 0}, {2, 0}, {2, 0.5}, {2, 1}, {1, 1}, {0, 1}, {0, 0.5}}));
  // Sorted by x alone, a point of the first column may come too late: the walk from (0, 0) must end at (0, 1).
  EXPECT_EQ(quickhull_of(box), hull_of(box));
}

TEST(ConvexHull2, FewAndCoincident) {
  EXPECT_TRUE(hull_of({}).empty());
  EXPECT_TRUE(quickhull_of({}).empty());
  EXPECT_EQ(hull_of({{1, 2}, {1, 2}}), (std::vector<Vec2>{{1, 2}}));
  EXPECT_EQ(quickhull_of({{1, 2}, {1, 2}}), (std::vector<Vec2>{{1, 2}}));
  EXPECT_EQ(hull_of({{3, 2}, {1, 2}}), (std::vector<Vec2>{{1, 2}, {3, 2}}));
  EXPECT_EQ(quickhull_of({{3, 2}, {1, 2}}), (std::vector<Vec2>{{1, 2}, {3, 2}}));
  EXPECT_EQ(hull_of({{std::nan(""), 0}, {1, INFINITY}, {1, 2}}), (std::vector<Vec2>{{1, 2}}));
}

TEST(ConvexHull2, Cocircular) {
  std::vector<Vec2> points; // Pythagorean points, exactly on a circle of radius 1105
  for (int x = -1105; x <= 1105; ++x)
    for (int y = -1105; y <= 1105; ++y)
      if (x * x + y * y == 1105 * 1105) points.push_back({x * 1.0, y * 1.0});
  ASSERT_GT(points.size(), 100u);
  EXPECT_EQ(hull_of(points).size(), points.size());
  EXPECT_EQ(quickhull_of(points), hull_of(points));
  std::vector<Vec2> rounded;
  for (int i = 0; i < 5000; ++i)
    rounded.push_back({std::cos(i * 1.2566e-3), std::sin(i * 1.2566e-3)});
  EXPECT_EQ(quickhull_of(rounded), hull_of(rounded));
}

// A search that starts from index 1, or takes index 0 as 'none', loses the farthest point when it comes first.
TEST(ConvexHull2, FarthestSkipsIndexZero) {
  const std::vector<Vec2> points{{2, 9}, {1, 3}, {3, 2}};
  std::size_t wrong = 0; // 0 for 'none', and begins at 1
  double most = 0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const double d = cross(Vec2{4, 0}, points[i]);
    if (d > most) {
      most = d;
      wrong = i;
    }
  }
  EXPECT_NE(wrong, 0u) << "the wrong search misses it";
  EXPECT_EQ(farthest_left_of({0, 0}, {4, 0}, points), 0u);
  EXPECT_EQ(farthest_left_of({4, 0}, {0, 0}, points), points.size()); // none on that side
  // Of equals the one farthest along; of coincident ones the first.
  EXPECT_EQ(farthest_left_of({0, 0}, {4, 0}, std::vector<Vec2>{{1, 3}, {3, 3}, {2, 3}, {3, 3}}),
            1u);
  EXPECT_EQ(farthest_left_of({0, 0}, {0, 4}, std::vector<Vec2>{{-3, 1}, {-3, 3}, {-3, 2}}), 1u);
}
