// One sweep against dense sampling: nothing is met before its end, and something is met there. Hard cases on purpose: along planes and edges, degenerate triangles, contact at the very start and the very end, overlap all the way.
#include "carom/mover/surroundings.h"
#include "carom/query/closest_point.h"
#include "carom/shape/support.h"
#include "tests/mover/levels.h"
#include "tests/support/generate.h"
#include "tests/support/property.h"

namespace carom::test {
namespace {

constexpr double skin = 0.02, padding = skin / 2;

struct Sweep {
  Space space;
  Mover mover;
  Pose pose;
  MoveInput input{};
  Surroundings around;

  Sweep(const Shape& world, const Mover& m, const Pose& start)
      : space(space_of(world)), mover(m), pose(start) {
    around.begin(space, mover, pose.rotation, input);
  }
  SweepEnd to(const Vec3& translation) { return around.sweep(pose, translation); }
  /// From the mover's own shape, moved so far.
  [[nodiscard]] double gap_at(const Vec3& moved) const {
    const Pose there{pose.rotation, pose.position + moved};
    return distance(mover.shape(), there, space.object_at(0).shape, {}).value;
  }
};

Shape ball() { return Shape::sphere(0.3).value(); }

Vec3 corner_of(Source& source) { return vec3(source) * 0.7; }

/// A few triangles, some of them degenerate, some that share corners or a plane.
Soup random_soup(Source& source) {
  Soup soup;
  const int count = 1 + source.index(5);
  Vec3 a = corner_of(source), b = corner_of(source), c = corner_of(source);
  for (int i = 0; i < count; ++i) {
    soup.triangle(a, b, c);
    switch (source.index(4)) {
    case 0: // beside it, at an edge
      a = b;
      b = corner_of(source);
      break;
    case 1: { // coplanar with it
      const double s = source.uniform(-1, 2);
      a = lerp(b, c, s);
      break;
    }
    case 2: // nearly or quite without area
      c = lerp(a, b, source.chance(2) ? 0.5 : source.unit());
      break;
    default:
      a = corner_of(source);
      b = corner_of(source);
      c = corner_of(source);
    }
  }
  return soup;
}

std::vector<Shape> sweepers() {
  return {ball(), capsule(), ellipsoid(), standing_box(), standing_hull()};
}

TEST(MoverSweep, AgainstDenseSampling) {
  const std::vector<Shape> shapes = sweepers();
  int hits = 0, misses = 0;
  for_each_seed(fewer_when_sanitized(3000), [&](Source& source) {
    const Soup soup = random_soup(source);
    const Shape& shape = shapes[static_cast<std::size_t>(source.index(5))];
    const Vec3 from = vec3(source) * 3;
    const Vec3 toward = vec3(source) * 0.5;
    Sweep sweep(soup.shape(), mover_of(shape), Pose::at(from));
    if (!(sweep.gap_at({}) > padding)) return; // those below
    const Vec3 way = (toward - from) * source.uniform(0.2, 1.5);
    if (!(length(way) > 0.01)) return;
    const SweepEnd end = sweep.to(way);
    const double share = end.hit ? end.share : 1;
    for (int i = 0; i <= 40; ++i) {
      const double gap = sweep.gap_at(way * (share * i / 40));
      ASSERT_GE(gap, padding * (1 - 1e-9)) << i;
    }
    (end.hit ? hits : misses)++;
    if (!end.hit) return;
    EXPECT_NEAR(length(end.normal), 1, 1e-12);
    const double cosine = -dot(end.normal, normalized(way));
    ASSERT_GT(cosine, 0);
    // As far again as the padding is thick, along the way, and the padded shape touches; a bit before that it does not.
    const double gone = share * length(way) - end.too_near;
    const Vec3 touching = normalized(way) * (gone + padding / cosine);
    ASSERT_NEAR(sweep.gap_at(touching), padding, 1e-9 * (1 + 1 / cosine));
    EXPECT_EQ(end.share > 0, gone > 0);
    // The point is on the triangles, and the shape in front of the plane there by just the padding.
    EXPECT_NEAR(closest_point(end.point, soup.shape(), {}).value, 0, 1e-9);
    const Vec3 lowest = from + touching + support_point(shape, -end.normal);
    ASSERT_NEAR(dot(lowest - end.point, end.normal), padding, 1e-7 / cosine);
  });
  EXPECT_GT(hits, 300 / (fewer_when_sanitized(5) == 5 ? 1 : 5));
  EXPECT_GT(misses, 100 / (fewer_when_sanitized(5) == 5 ? 1 : 5));
}

TEST(MoverSweep, EachFeatureOfATriangle) {
  Soup soup;
  soup.triangle({-1, 0, -1}, {1, 0, -1}, {0, 0, 1});
  const double far = 0.3 + skin;
  for (const double s : {-1.0, 1.0}) { // both sides
    const auto come = [&](const Vec3& from, const Vec3& way) {
      Sweep sweep(soup.shape(), mover_of(ball()), Pose::at(from));
      return sweep.to(way);
    };
    const SweepEnd face = come({0, 2 * s, 0}, {0, -4 * s, 0});
    ASSERT_TRUE(face.hit);
    EXPECT_NEAR(face.share, (2 - far) / 4, 1e-12);
    EXPECT_NEAR(distance(face.normal, {0, s, 0}), 0, 1e-12);
    // In its plane, across the edge z = -1, where nothing but the edge can be met.
    const SweepEnd edge = come({0.2, 0, -3}, {0, 0, 4});
    ASSERT_TRUE(edge.hit);
    EXPECT_NEAR(edge.share, (2 - far) / 4, 1e-9);
    EXPECT_NEAR(distance(edge.normal, {0, 0, -1}), 0, 1e-9);
    // Onto the corner at z = 1.
    const SweepEnd corner = come({0, 0, 3}, {0, 0, -4});
    ASSERT_TRUE(corner.hit);
    EXPECT_NEAR(corner.share, (2 - far) / 4, 1e-9);
    EXPECT_NEAR(distance(corner.normal, {0, 0, 1}), 0, 1e-9);
    // Along the plane and along an edge: it passes at a skin, and ends before a wall only.
    EXPECT_FALSE(come({-3, s * far, 0}, {6, 0, 0}).hit);
    EXPECT_FALSE(come({-3, s * (0.3 + padding * 1.001), 0}, {6, 0, 0}).hit);
    EXPECT_FALSE(come({-3, 0, -1 - far}, {6, 0, 0}).hit);
    // Away from it, from within its padding: no hit.
    EXPECT_FALSE(come({0, s * (0.3 + padding / 2), 0}, {0, s, 0}).hit);
    EXPECT_FALSE(come({0, s * 0.3, 0}, {1, s, 0}).hit);
    EXPECT_FALSE(come({0, s * 0.2, 0}, {0, s, 0}).hit); // even from overlap
    // Toward it from there: at once.
    const SweepEnd nearer = come({0, s * (0.3 + padding / 2), 0}, {0.1, -s, 0});
    EXPECT_TRUE(nearer.hit);
    EXPECT_EQ(nearer.share, 0);
  }
}

TEST(MoverSweep, ContactAtTheVeryStartAndTheVeryEnd) {
  Soup soup;
  soup.ground(5);
  const Mover mover = mover_of(ball());
  // It ends at a skin: just that far is no hit, or a hit at the end of the way.
  Sweep sweep(soup.shape(), mover, Pose::at({0, 2, 0}));
  const double way = 2 - 0.3 - skin;
  const SweepEnd exact = sweep.to({0, -way, 0});
  EXPECT_TRUE(!exact.hit || exact.share > 1 - 1e-12);
  EXPECT_FALSE(sweep.to({0, -way * (1 - 1e-9), 0}).hit);
  const SweepEnd beyond = sweep.to({0, -way * (1 + 1e-9), 0});
  EXPECT_TRUE(beyond.hit);
  EXPECT_NEAR(beyond.share, 1, 1e-8);
  // At a skin, down: at once, and the rest of the world is where it was.
  Sweep at_skin(soup.shape(), mover, Pose::at({0, 0.3 + skin, 0}));
  const SweepEnd start = at_skin.to({0, -1, 0});
  EXPECT_TRUE(start.hit);
  EXPECT_NEAR(start.share, 0, 1e-12);
  EXPECT_FALSE(at_skin.to({1, 0, 0}).hit);
}

TEST(MoverSweep, OverlapAllTheWay) {
  // In a plane before, during and after: t0 < 0 and 1 < t1. Along it nothing stops it; across, it goes no deeper.
  Soup soup;
  soup.ground(5);
  const Mover mover = mover_of(ball());
  Sweep sweep(soup.shape(), mover, Pose::at({0, 0.1, 0}));
  EXPECT_FALSE(sweep.to({0.5, 0, 0.2}).hit);
  EXPECT_FALSE(sweep.to({0.5, 0.1, 0.2}).hit);
  const SweepEnd deeper = sweep.to({0.5, -0.1, 0.2});
  EXPECT_TRUE(deeper.hit);
  EXPECT_EQ(deeper.share, 0);
  EXPECT_NEAR(deeper.normal.y, 1, 1e-9);
}

TEST(MoverSweep, NoWayIsNoHit) {
  Soup soup;
  soup.ground(5);
  Sweep sweep(soup.shape(), mover_of(ball()), Pose::at({0, 0.3, 0}));
  EXPECT_FALSE(sweep.to({}).hit);
  EXPECT_FALSE(sweep.to({1e-320, 0, 0}).hit);
}

} // namespace
} // namespace carom::test
