#include "carom/tree/volume_kind.h"

#include "carom/geometry/closest_flat.h"
#include "carom/geometry/closest_point.h"
#include "carom/math/tolerance.h"
#include "tests/support/generate_geometry.h"
#include "tests/support/property.h"
#include "tests/tree/volume_cases.h"
#include "tests/tree/volume_containment.h"

namespace carom::test {
namespace {

template<class V>
class VolumeKindOf : public ::testing::Test {};
using Kinds =
    ::testing::Types<Sphere, Aabb, Obb, Lozenge, SphericalShell, Kdop6, Kdop14, Kdop18, Kdop26>;
TYPED_TEST_SUITE(VolumeKindOf, Kinds);

/// A few triangles that are near each other, and the volume around them.
template<class V>
struct Patch {
  std::vector<Vec3> points;
  std::vector<IndexTriple> triangles;
  V volume;

  explicit Patch(Source& source) {
    const Vec3 center = vec3(source) * 2;
    const double size = std::ldexp(1.0, -source.index(8));
    const int count = 1 + source.index(6);
    for (int i = 0; i < count + 2; ++i) points.push_back(center + vec3(source) * size);
    for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(count); ++i) {
      triangles.push_back({i, i + 1, i + 2});
    }
    volume = VolumeKind<V>::fit({points, triangles});
  }
  [[nodiscard]] Triangle at(std::size_t i) const {
    const auto [a, b, c] = triangles[i];
    return {points[a], points[b], points[c]};
  }
};

Pose relative_pose(Source& source) {
  const Quat turn = rotation(source);
  const Vec3 by = halved_vec3(source, 6);
  return {turn, by * 4};
}

/// What the traversals allow for, on data of size about 10.
constexpr double slack = 256 * tolerance::epsilon * 10;

TYPED_TEST(VolumeKindOf, BoundsNeverExceedTheDistanceOfWhatIsInside) {
  using Kind = VolumeKind<TypeParam>;
  for_each_seed(fewer_when_sanitized(2000), [](Source& source) {
    const Patch<TypeParam> a(source);
    const Patch<TypeParam> b(source);
    const Frame frame = relative_pose(source).frame();
    double least = INFINITY;
    for (std::size_t i = 0; i < a.triangles.size(); ++i) {
      for (std::size_t j = 0; j < b.triangles.size(); ++j) {
        const Triangle placed = volume_query::placed(b.at(j), frame);
        least = std::min(least, closest_points(a.at(i), placed).distance);
      }
    }
    const typename Kind::Relative relative(frame);
    EXPECT_LE(relative.distance_below(a.volume, b.volume, INFINITY), least + slack);
    EXPECT_LE(relative.distance_below(a.volume, b.volume, 0), least + slack);
    EXPECT_LE(relative.distance_below(a.volume, b.volume, 0.5 * least), least + slack);
    EXPECT_TRUE(least > 0 || !relative.apart(a.volume, b.volume, slack));

    const Vec3 p = frame.origin;
    double nearest = INFINITY;
    for (std::size_t i = 0; i < a.triangles.size(); ++i) {
      nearest = std::min(nearest, closest_point(p, a.at(i)).distance);
    }
    EXPECT_LE(Kind::distance_below(a.volume, p), nearest + slack);
  });
}

// A bound of 0 would pass the test above. Small things far apart are seen to be apart, and the bound is near the distance.
TYPED_TEST(VolumeKindOf, BoundsAreGoodFromAfar) {
  using Kind = VolumeKind<TypeParam>;
  for_each_seed(fewer_when_sanitized(500), [](Source& source) {
    const Patch<TypeParam> a(source);
    const Patch<TypeParam> b(source);
    const Quat turn = rotation(source);
    const Vec3 away = direction(source) * 1000;
    const typename Kind::Relative relative(Pose{turn, away}.frame());
    const double bound = relative.distance_below(a.volume, b.volume, INFINITY);
    EXPECT_TRUE(relative.apart(a.volume, b.volume, slack * 100));
    // K-DOPs know distances only along their directions: the worst of 6 planes is 1 / sqrt(3) of it, but for boxes' corners.
    EXPECT_GT(bound, 850);
    EXPECT_GT(Kind::distance_below(a.volume, away), 850);
  });
}

TYPED_TEST(VolumeKindOf, MergesAndGrownOnesContainBoth) {
  using Kind = VolumeKind<TypeParam>;
  for_each_seed(fewer_when_sanitized(200), [](Source& source) {
    const Patch<TypeParam> a(source);
    const Patch<TypeParam> b(source);
    const TypeParam both = Kind::merge(a.volume, b.volume);
    const double by = std::ldexp(1.0, -source.index(50));
    const TypeParam grown = Kind::grown(a.volume, by);
    const Vec3 step = direction(source) * (by * 0.999);
    const Sphere ball = Kind::ball(a.volume);
    for (std::size_t i = 0; i < a.triangles.size(); ++i) {
      EXPECT_TRUE(contains_triangle(both, a.at(i)));
      const Triangle t = a.at(i);
      EXPECT_TRUE(inside(t.a + step, grown) && inside(t.b + step, grown));
      EXPECT_LE(distance(ball.center, t.a), ball.radius + slack);
    }
    for (std::size_t i = 0; i < b.triangles.size(); ++i) {
      EXPECT_TRUE(contains_triangle(both, b.at(i)));
    }
  });
}

// Any pose, an axis-aligned one or a quarter turn included, keeps a k-DOP where it was: then the bound along its own directions is the gap.
TEST(VolumeKindKdop, TurnedDirectionsAreExactForTheTurnsOfACube) {
  const std::vector<Vec3> points = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
  const std::vector<IndexTriple> triangles = {{0, 1, 2}, {0, 1, 3}};
  const Kdop26 dop = VolumeKind<Kdop26>::fit({points, triangles});
  const Mat3 quarter{{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}};
  // B's triangle side of y = 2 points to -x: from there it reaches x = -2 .. 0.
  const VolumeKind<Kdop26>::Relative relative(Frame{quarter, {8, 0, 0}});
  EXPECT_DOUBLE_EQ(relative.distance_below(dop, dop, INFINITY), 5);
}

} // namespace
} // namespace carom::test
