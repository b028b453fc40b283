#include "carom/mesh/convex_hull.h"

#include "carom/verify/hull.h"
#include "tests/geometry/exact_oracle.h"
#include "tests/mesh/hull_cases.h"
#include "tests/mesh/qhull_oracle.h"
#include "tests/support/property.h"

#include <algorithm>
#include <limits>
#include <set>

namespace carom::test {
namespace {

ConvexHull hull_of(const std::vector<Vec3>& points) {
  Result<ConvexHull> hull = convex_hull(points);
  EXPECT_TRUE(hull.has_value());
  return hull ? *hull : ConvexHull{};
}

void expect_hull(const std::vector<Vec3>& points, const ConvexHull& hull) {
  const verify::Verdict verdict = verify::check_hull(points, hull);
  EXPECT_TRUE(verdict.ok) << verdict.why;
}

std::vector<Vec3> sorted(std::vector<Vec3> points) {
  std::sort(points.begin(), points.end(), [](const Vec3& a, const Vec3& b) {
    return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
  });
  return points;
}

// Brute force in rationals: all planes through three points that have all others on one side. A point on three of them is a vertex, on
// two inside an edge, on one inside a face.

struct BruteForce {
  int dimension = 0;
  std::set<std::size_t> vertices; ///< of a solid
  std::size_t faces = 0;
};

/// All points are different.
BruteForce brute_force(const std::vector<Vec3>& points) {
  BruteForce result;
  const std::size_t n = points.size();
  if (n > 1) result.dimension = 1;
  std::set<std::set<std::size_t>> faces; // the points on each
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      for (std::size_t k = j + 1; k < n; ++k) {
        const Q3 a = exact(points[i]);
        const Q3 normal = cross(exact(points[j]) - a, exact(points[k]) - a);
        if (dot(normal, normal) == 0) continue;
        result.dimension = std::max(result.dimension, 2);
        std::set<std::size_t> on;
        bool above = false;
        bool below = false;
        for (std::size_t l = 0; l < n; ++l) {
          const int s = sgn(dot(normal, exact(points[l]) - a));
          if (s == 0) on.insert(l);
          above = above || s > 0;
          below = below || s < 0;
        }
        if (above || below) result.dimension = 3;
        if (above != below) faces.insert(on);
      }
    }
  }
  result.faces = faces.size();
  for (std::size_t i = 0; i < n; ++i) {
    const auto through =
        std::count_if(faces.begin(), faces.end(), [&](const auto& on) { return on.count(i) > 0; });
    if (through >= 3) result.vertices.insert(i);
  }
  return result;
}

TEST(ConvexHull, AgreesWithBruteForce) {
  for_each_seed(fewer_when_sanitized(1500), [](Source& source) {
    std::vector<Vec3> points = sorted(hull_points(source, 9));
    points.erase(std::unique(points.begin(), points.end()), points.end());
    const ConvexHull hull = hull_of(points);
    const BruteForce expected = brute_force(points);
    EXPECT_EQ(hull.dimension, expected.dimension);
    if (expected.dimension == 3) {
      EXPECT_EQ(hull.face_count(), expected.faces);
      const std::set<std::size_t> vertices(hull.source.begin(), hull.source.end());
      EXPECT_EQ(vertices, expected.vertices);
    }
    expect_hull(points, hull);
  });
}

PROPERTY(ConvexHull, IsTheHullOfSmallSets) {
  const std::vector<Vec3> points = hull_points(source, 30);
  const Result<ConvexHull> hull = convex_hull(points);
  REQUIRE(hull.has_value());
  const verify::Verdict verdict = verify::check_hull(points, *hull);
  test::note() << verdict.why << "\n";
  REQUIRE(verdict.ok);
}

TEST(ConvexHull, IsTheHullOfLargerSets) {
  for_each_seed(fewer_when_sanitized(400), [](Source& source) {
    const std::vector<Vec3> points = hull_points(source, 300);
    expect_hull(points, hull_of(points));
  });
}

TEST(ConvexHull, TheOrderOfTheInputDoesNotMatter) {
  for_each_seed(fewer_when_sanitized(500), [](Source& source) {
    const std::vector<Vec3> points = hull_points(source, 60);
    const ConvexHull first = hull_of(points);
    const ConvexHull second = hull_of(shuffled(source, points));
    EXPECT_EQ(sorted(first.vertices), sorted(second.vertices));
    EXPECT_EQ(first.face_count(), second.face_count());
    EXPECT_EQ(first.origin.size(), second.origin.size());
  });
}

// Taking only the vertices, in their order, gives the same arrays: they do not depend on the way there.
TEST(ConvexHull, OfItsVerticesIsTheSame) {
  for_each_seed(fewer_when_sanitized(500), [](Source& source) {
    const ConvexHull first = hull_of(hull_points(source, 60));
    const ConvexHull second = hull_of(first.vertices);
    EXPECT_EQ(first.vertices, second.vertices);
    EXPECT_EQ(first.face_begin, second.face_begin);
    EXPECT_EQ(first.origin, second.origin);
    EXPECT_EQ(first.twin, second.twin);
    EXPECT_EQ(first.face, second.face);
    EXPECT_EQ(first.outgoing, second.outgoing);
  });
}

TEST(ConvexHull, APoint) {
  const ConvexHull hull = hull_of({{1, 2, 3}, {1, 2, 3}, {1, 2, 3}});
  EXPECT_EQ(hull.dimension, 0);
  EXPECT_EQ(hull.vertices, (std::vector<Vec3>{{1, 2, 3}}));
  EXPECT_EQ(hull.source, (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(hull.face_count(), 0u);
  EXPECT_EQ(hull.outgoing, (std::vector<std::uint32_t>{ConvexHull::none}));
  EXPECT_EQ(hull_of({{0.0, -0.0, 0.0}, {-0.0, 0.0, 0.0}}).dimension, 0);
}

TEST(ConvexHull, ASegment) {
  const ConvexHull hull = hull_of({{2, 2, 2}, {3, 3, 3}, {1, 1, 1}, {3, 3, 3}, {1, 1, 1}});
  EXPECT_EQ(hull.dimension, 1);
  EXPECT_EQ(hull.source, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(hull.face_count(), 1u);
  EXPECT_EQ(hull.target(0), 1u);
  EXPECT_EQ(hull.next(0), 1u);
  EXPECT_EQ(hull.twin[0], 1u);
}

TEST(ConvexHull, AFlatPolygonSeenFromAbove) {
  const ConvexHull hull =
      hull_of({{1, 1, 5}, {2, 0, 5}, {2, 2, 5}, {1, 0, 5}, {0, 0, 5}, {0, 2, 5}, {2, 2, 5}});
  EXPECT_EQ(hull.dimension, 2);
  EXPECT_EQ(hull.source, (std::vector<std::uint32_t>{1, 2, 5, 4})); // counter-clockwise from +z
  EXPECT_EQ(hull.face_count(), 2u);
  EXPECT_EQ(hull.origin, (std::vector<std::uint32_t>{0, 1, 2, 3, 0, 3, 2, 1}));
}

TEST(ConvexHull, ACube) {
  std::vector<Vec3> points;
  for (int x = 0; x < 9; ++x) {
    for (int y = 0; y < 9; ++y) {
      for (int z = 0; z < 9; ++z) points.push_back({x / 8.0, y / 8.0, z / 8.0});
    }
  }
  const ConvexHull hull = hull_of(points);
  EXPECT_EQ(hull.vertices.size(), 8u);
  EXPECT_EQ(hull.face_count(), 6u);
  EXPECT_EQ(hull.origin.size(), 24u);
  expect_hull(points, hull);
}

// A cube turned: its faces are flat no more, and a face with an inner point raised by a last bit is split.
TEST(ConvexHull, OneUlpMatters) {
  std::vector<Vec3> points;
  for (int i = 0; i < 8; ++i)
    points.push_back({i & 1 ? 1.0 : 0.0, i & 2 ? 1.0 : 0.0, i & 4 ? 1.0 : 0.0});
  points.push_back({0.5, 0.5, next_up(1.0)});
  points.push_back({0.5, 0.5, next_down(0.0)});
  points.back().z = -1e-30;
  const ConvexHull hull = hull_of(points);
  EXPECT_EQ(hull.vertices.size(), 10u);
  EXPECT_EQ(hull.face_count(), 12u);
  expect_hull(points, hull);
  points.pop_back();
  points.back().z = next_down(1.0);
  EXPECT_EQ(hull_of(points).vertices.size(), 8u);
}

TEST(ConvexHull, ThousandsOfIntegersOnASphere) {
  for (const int square : {5929, 146001}) {
    std::vector<Vec3> points;
    for (int x = -400; x <= 400; ++x) {
      for (int y = -400; y <= 400; ++y) {
        const int rest = square - x * x - y * y;
        if (rest < 0) continue;
        const auto z = static_cast<int>(std::lround(std::sqrt(rest)));
        if (z * z != rest) continue;
        points.push_back({x * 1.0, y * 1.0, z * 1.0});
        if (z != 0) points.push_back({x * 1.0, y * 1.0, z * -1.0});
      }
    }
    ASSERT_GT(points.size(), 500u);
    const ConvexHull hull = hull_of(points);
    EXPECT_EQ(hull.vertices.size(), points.size());
    expect_hull(points, hull);
    // Away from the origin by a number that spoils no bit, and at a scale at which no shortcut for small integers applies.
    std::vector<Vec3> moved = points;
    for (Vec3& p : moved) p = (p + Vec3{3.0e13, -2.0e13, 1.0e13}) * 1e10;
    expect_hull(moved, hull_of(moved));
  }
}

/// `count` points of a kind that Qhull can be trusted with.
std::vector<Vec3> generic_points(int kind, std::size_t count) {
  Random random(static_cast<std::uint64_t>(kind) + 1);
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < count; ++i) {
    Vec3 p = kind == 0   ? random.in_ball()
             : kind == 1 ? random.direction()
                         : random.in_box({1, 2, 3});
    if (kind == 3) p += Vec3{1e3, -1e3, 1e3};
    points.push_back(p);
  }
  return points;
}

double volume_of(const ConvexHull& hull) {
  long double sum = 0;
  for (std::size_t f = 0; f < hull.face_count(); ++f) {
    const auto corners = hull.corners(f);
    const Vec3 o = hull.vertices[0];
    for (std::size_t i = 2; i < corners.size(); ++i) {
      sum += triple(hull.vertices[corners[0]] - o, hull.vertices[corners[i - 1]] - o,
                    hull.vertices[corners[i]] - o);
    }
  }
  return static_cast<double>(sum / 6);
}

TEST(ConvexHull, AgreesWithQhull) {
  for (int kind = 0; kind < 4; ++kind) {
    for (const std::size_t count : {10u, 100u, 1000u, 20000u}) {
      const std::vector<Vec3> points = generic_points(kind, count);
      const ConvexHull hull = hull_of(points);
      const QhullAnswer qhull = ask_qhull(points);
      ASSERT_TRUE(qhull.ok);
      const std::set<std::uint32_t> ours(hull.source.begin(), hull.source.end());
      EXPECT_EQ(ours, qhull.vertices) << kind << ' ' << count;
      // Each of the 2 n tetrahedra is off by a few ulps of coordinates up to 1e3, in volumes of size 1.
      EXPECT_NEAR(volume_of(hull), qhull.volume, 1e-10 * qhull.volume);
    }
  }
}

TEST(ConvexHull, OfManyPointsIsExact) {
  for (int kind = 0; kind < 4; ++kind) {
    const std::vector<Vec3> points = generic_points(kind, fewer_when_sanitized(10000));
    expect_hull(points, hull_of(points));
  }
}

TEST(ConvexHull, RefusesWhatIsNoPoint) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double inf = std::numeric_limits<double>::infinity();
  const auto code = [](const std::vector<Vec3>& points, const ConvexHullOptions& options = {}) {
    const Result<ConvexHull> hull = convex_hull(points, options);
    EXPECT_FALSE(hull.has_value());
    return hull ? ErrorCode::bad_file : hull.error().code;
  };
  EXPECT_EQ(code({}), ErrorCode::too_few);
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<Vec3> points{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {}};
    points[2][axis] = nan;
    EXPECT_EQ(code(points), ErrorCode::not_finite);
    points[2][axis] = -inf;
    EXPECT_EQ(code(points), ErrorCode::not_finite);
    points[2][axis] = 1.01e30;
    EXPECT_EQ(code(points), ErrorCode::out_of_range);
    points[2][axis] = -0.99e-30;
    EXPECT_EQ(code(points), ErrorCode::out_of_range);
    points[2][axis] = 1e30;
    EXPECT_TRUE(convex_hull(points).has_value());
  }
  for (const std::uint32_t limit : {1u, 2u, 3u}) {
    EXPECT_EQ(code({{1, 0, 0}}, {limit}), ErrorCode::out_of_range);
  }
}

TEST(ConvexHull, FromEndToEndOfTheRange) {
  const std::vector<Vec3> points{{1e30, 1e30, 1e30},   {-1e30, 1e30, -1e30}, {1e-30, 1e-30, 1e-30},
                                 {1e-30, -1e30, 1e30}, {0, 1e-30, 0},        {-1e-30, 0, 1e30}};
  expect_hull(points, hull_of(points));
  std::vector<Vec3> tiny;
  for (int i = 0; i < 27; ++i)
    tiny.push_back(Vec3{i % 3 * 1.0, i / 3 % 3 * 1.0, i / 9 * 1.0} * 1e-30);
  const ConvexHull hull = hull_of(tiny);
  EXPECT_EQ(hull.vertices.size(), 8u);
  expect_hull(tiny, hull);
}

} // namespace
} // namespace carom::test
