#include "carom/geometry/rectangle2.h"

#include "carom/geometry/hull2.h"
#include "carom/math/tolerance.h"
#include "tests/geometry/exact_oracle.h"
#include "tests/support/property.h"

using namespace carom;
using namespace carom::test;

namespace {

/// Every edge, every corner, in extended precision.
long double least_area(const std::vector<Vec2>& hull) {
  long double least = INFINITY;
  for (std::size_t i = 0; i < hull.size(); ++i) {
    const Vec2 a = hull[i], b = hull[(i + 1) % hull.size()];
    const long double ux = static_cast<long double>(b.x) - a.x,
                      uy = static_cast<long double>(b.y) - a.y;
    long double low = INFINITY, high = -INFINITY, top = 0;
    for (const Vec2& p : hull) {
      const long double x = static_cast<long double>(p.x) - a.x,
                        y = static_cast<long double>(p.y) - a.y;
      low = std::min(low, x * ux + y * uy);
      high = std::max(high, x * ux + y * uy);
      top = std::max(top, y * ux - x * uy);
    }
    least = std::min(least, (high - low) * top / (ux * ux + uy * uy));
  }
  return least;
}

void check(const std::vector<Vec2>& hull) {
  const Rectangle2 r = min_area_rectangle(hull);
  const double size = reach(hull);
  double perimeter = 0;
  ASSERT_NEAR(length(r.axis), 1, 4 * tolerance::epsilon);
  for (std::size_t i = 0; i < hull.size(); ++i) {
    const Vec2 d = hull[i] - r.center;
    ASSERT_LE(std::fabs(dot(d, r.axis)), r.half_u + 8 * tolerance::epsilon * size);
    ASSERT_LE(std::fabs(dot(d, left(r.axis))), r.half_v + 8 * tolerance::epsilon * size);
    perimeter += distance(hull[i], hull[(i + 1) % hull.size()]);
  }
  if (hull.size() < 3) {
    ASSERT_NEAR(2 * r.half_u, hull.size() == 2 ? distance(hull[0], hull[1]) : 0,
                8 * tolerance::epsilon * size);
    ASSERT_LE(r.half_v, 8 * tolerance::epsilon * size);
    return;
  }
  ASSERT_NEAR(r.area(), static_cast<double>(least_area(hull)),
              8 * tolerance::epsilon * size * perimeter);
}

} // namespace

TEST(MinAreaRectangle, IsTheBestOfAllEdges) {
  for_each_seed(20'000, [](Source& source) {
    std::vector<Vec2> hull;
    convex_hull(points2(source, 1 + source.index(12)), hull);
    check(hull);
  });
}

TEST(MinAreaRectangle, ManyCorners) {
  for_each_seed(100, [](Source& source) {
    std::vector<Vec2> points, hull;
    const double squeeze = positive(source);
    const double c = source.unit(), s = std::sqrt(1 - c * c);
    for (int i = 0; i < 300; ++i) {
      const double a = source.uniform(0, 6.3);
      const Vec2 p{std::cos(a), squeeze * std::sin(a)};
      points.push_back({c * p.x - s * p.y, s * p.x + c * p.y});
    }
    convex_hull(points, hull);
    check(hull);
  });
}

// The tilted square: its box along the axes has twice the area.
TEST(MinAreaRectangle, Named) {
  EXPECT_NEAR(min_area_rectangle(std::vector<Vec2>{{0, -1}, {1, 0}, {0, 1}, {-1, 0}}).area(), 2,
              1e-15);
  EXPECT_EQ(min_area_rectangle(std::vector<Vec2>{}).area(), 0);
  EXPECT_EQ(min_area_rectangle(std::vector<Vec2>{{3, 4}}).center, (Vec2{3, 4}));
  EXPECT_EQ(min_area_rectangle(std::vector<Vec2>{{0, 0}, {0, 4}}).half_u, 2);
}
