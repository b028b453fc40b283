// The answer is that of a scan, to the index, for all points and directions, at every lane width.
#include "carom/shape/support_tree.h"

#include "carom/mesh/convex_hull.h"
#include "tests/shape/polytope_cases.h"
#include "tests/support/property.h"

#include <hwy/targets.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace carom {
namespace {

using test::Source;

/// As if the processor had no wider lanes; all of them again at the end.
class Narrow {
public:
  explicit Narrow(std::int64_t off) { hwy::DisableTargets(off); }
  ~Narrow() { hwy::DisableTargets(0); }
  Narrow(const Narrow&) = delete;
  Narrow& operator=(const Narrow&) = delete;
};
constexpr std::int64_t widths[] = {0, HWY_AVX3 | HWY_AVX3_DL, HWY_AVX3 | HWY_AVX3_DL | HWY_AVX2,
                                   HWY_AVX3 | HWY_AVX3_DL | HWY_AVX2 | HWY_SSE4 | HWY_SSSE3};

PROPERTY(SupportTree, EqualsAScan) {
  const std::vector<Vec3> points = test::any_points(source, 1 + source.index(150));
  const SupportTree tree(points);
  for (int i = 0; i < 40; ++i) {
    const Vec3 d = test::any_direction(source, points);
    const std::uint32_t expected = test::scan(points, d);
    test::note() << d.x << ' ' << d.y << ' ' << d.z << ": " << expected;
    REQUIRE(tree.farthest(d) == expected);
  }
}

TEST(SupportTree, EqualsAScanOnThousandsOfPoints) {
  test::for_each_seed(test::fewer_when_sanitized(25), [](Source& source) {
    const int kind = source.index(test::point_kinds);
    const std::vector<Vec3> points = test::points_of_kind(source, kind, 500 + source.index(2000));
    const SupportTree tree(points);
    for (int i = 0; i < 2000; ++i) {
      const Vec3 d = test::any_direction(source, points);
      ASSERT_EQ(tree.farthest(d), test::scan(points, d)) << "kind " << kind;
    }
  });
}

TEST(SupportTree, EqualsAScanOnATenThousandVertexHull) {
  test::RandomSource source(1);
  const auto hull = convex_hull(test::sphere_points(source, 10000)).value();
  const SupportTree tree(hull.vertices);
  for (int i = 0; i < 3000; ++i) {
    const Vec3 d = test::any_direction(source, hull.vertices);
    ASSERT_EQ(tree.farthest(d), test::scan(hull.vertices, d));
  }
}

// Ties by the thousand: all corners of a cap, all points of a lattice plane, duplicates.
TEST(SupportTree, TheLowestOfEquals) {
  std::vector<Vec3> points = test::prism_points(1000, 1);
  const SupportTree prism(points);
  EXPECT_EQ(prism.farthest({0, 0, 1}), 0u);
  EXPECT_EQ(prism.farthest({0, 0, -1}), 1u);
  std::reverse(points.begin(), points.end());
  EXPECT_EQ(SupportTree(points).farthest({0, 0, -1}), 0u);
  for (const std::size_t n : {2u, 7u, 9u, 40u, 100u, 1000u}) {
    std::vector<Vec3> same(n, Vec3{1, 2, 3});
    EXPECT_EQ(SupportTree(same).farthest({1, 0, 0}), 0u);
    same[n / 2].x = 2;
    same[n - 1].x = 2;
    EXPECT_EQ(SupportTree(same).farthest({1, 0, 0}), n / 2);
  }
}

// Points in the plane of a face but for the last bits: which is farthest depends on the rounding of each product.
TEST(SupportTree, RoundingDecidesAmongCoplanarPoints) {
  test::for_each_seed(300, [](Source& source) {
    const Mat3 turn = to_matrix(test::rotation(source));
    const Vec3 at = test::vec3(source) * 100.0;
    std::vector<Vec3> points;
    for (int i = 0; i < 200; ++i)
      points.push_back(at + turn * Vec3{source.uniform(-1, 1), source.uniform(-1, 1), 0});
    const SupportTree tree(points);
    for (int i = 0; i < 20; ++i) {
      const Vec3 along = turn.z * test::real(source);
      const double tiny = std::ldexp(1.0, -40 - source.index(30));
      const Vec3 d = along + test::vec3(source) * tiny;
      ASSERT_EQ(tree.farthest(d), test::scan(points, d));
      ASSERT_EQ(tree.farthest(turn.z), test::scan(points, turn.z));
    }
  });
}

TEST(SupportTree, TheSameAtEveryWidth) {
  test::for_each_seed(60, [](Source& source) {
    const std::vector<Vec3> points = test::any_points(source, 1 + source.index(400));
    std::vector<Vec3> directions;
    for (int i = 0; i < 100; ++i) directions.push_back(test::any_direction(source, points));
    for (const std::int64_t off : widths) {
      const Narrow narrow(off);
      const SupportTree tree(points);
      for (const Vec3& d : directions) ASSERT_EQ(tree.farthest(d), test::scan(points, d));
    }
  });
}

TEST(SupportTree, NothingAndOddNumbers) {
  EXPECT_EQ(SupportTree().farthest({1, 0, 0}), 0u);
  EXPECT_EQ(SupportTree(std::vector<Vec3>{}).farthest({1, 0, 0}), 0u);
  for (const std::size_t n : {3u, 60u, 300u}) {
    test::RandomSource source(n);
    std::vector<Vec3> points = test::sphere_points(source, static_cast<int>(n));
    for (const double odd : {double{NAN}, double{INFINITY}, -double{INFINITY}, 1e300, -1e308}) {
      points[n / 2].y = odd;
      const SupportTree tree(points);
      for (int i = 0; i < 100; ++i) {
        const Vec3 d = test::any_direction(source, points);
        EXPECT_EQ(tree.farthest(d), test::scan(points, d));
      }
    }
    for (Vec3& p : points) p = test::on_sphere(source) * 1e-200;
    EXPECT_EQ(SupportTree(points).farthest({1, 2, 3}), test::scan(points, {1, 2, 3}));
    EXPECT_EQ(SupportTree(points).farthest({NAN, 2, 3}), 0u);
    EXPECT_EQ(SupportTree(points).farthest({1, -INFINITY, 3}), 0u);
    EXPECT_EQ(SupportTree(points).farthest({}), 0u);
  }
}

// Level stretches must not eat memory: a polygon's corners could all be listed in every cell near its normal.
TEST(SupportTree, MemoryIsBounded) {
  test::RandomSource source(3);
  for (int kind = 0; kind < test::point_kinds; ++kind) {
    for (const int n : {100, 1000, 3000}) {
      const std::vector<Vec3> points = test::points_of_kind(source, kind, n);
      // 40 numbers of 4 bytes in lists, 8 + 4 cells of 8 bytes, the point, and as much again for the growth of vectors. Six lists of all
      // points, in lanes, are more: 6 * 28 bytes.
      EXPECT_LE(SupportTree(points).memory(), 650 * points.size() + 4096) << "kind " << kind;
    }
  }
}

} // namespace
} // namespace carom
