// The walk that answers for small hulls that are apart, cold and with a cache: against the search and the checker.
#include "carom/query/hull_walk.h"

#include "carom/math/random.h"
#include "carom/math/tolerance.h"
#include "carom/query/distance.h"
#include "carom/query/signed_distance.h"
#include "carom/verify/check_query.h"
#include "carom/verify/shape.h"
#include "tests/support/generate.h"
#include "tests/support/property.h"

#include <cmath>
#include <vector>

namespace carom {
namespace {

using test::Source;

Shape random_hull(Source& source, int points, const Vec3& stretch) {
  std::vector<Vec3> p;
  for (int i = 0; i < points; ++i) p.push_back(mul(test::direction(source), stretch));
  return Shape::hull(p).value();
}

Pose random_pose(Source& source, double reach) {
  const Quat rotation = test::rotation(source);
  const double x = source.uniform(-reach, reach);
  const double y = source.uniform(-reach, reach);
  const double z = source.uniform(-reach, reach);
  return {rotation, {x, y, z}};
}

double size_of(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  return a.size() + b.size() + max_abs(pose_a.position) + max_abs(pose_b.position);
}

void check(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
           const Distance& d) {
  EXPECT_EQ(d.status, Status::ok);
  const double band = tolerance::boolean_band * size_of(a, pose_a, b, pose_b);
  const auto verdict = verify::check_distance(verify::PlacedShape{a, pose_a},
                                              verify::PlacedShape{b, pose_b}, d, band);
  EXPECT_TRUE(verdict) << verdict.why;
}

TEST(HullWalk, AgreesWithTheSearch) {
  int apart = 0, walked = 0;
  test::for_each_seed(test::fewer_when_sanitized(1000), [&](Source& source) {
    const int points_a = 1 + source.index(60);
    const int points_b = 4 + source.index(source.chance(4) ? 252 : 20);
    const double flat = std::ldexp(1.0, -source.index(30));
    const Shape a = random_hull(source, points_a, {1, 1, flat});
    const Shape b = random_hull(source, points_b, {1, flat, 1});
    const Pose pose_a = random_pose(source, 1);
    const Pose pose_b = random_pose(source, 2);
    const CorePair pair(a, pose_a, b, pose_b);
    const CoreQuestion question{.agreement = pair.agreement(), .below = 0};
    const CoreDistance searched = nearest_cores(pair, question, nullptr);
    CoreDistance found;
    const bool walks = walk_hulls(pair, nullptr, found);
    if (searched.lower > 0) ++apart;
    if (walks) {
      ++walked;
      EXPECT_GT(searched.lower, 0);
      // Both are at most the 36 epsilon above the true value that their bounds are apart.
      EXPECT_NEAR(found.upper, searched.upper, 36 * tolerance::epsilon * pair.size());
    }
    check(a, pose_a, b, pose_b, distance(a, pose_a, b, pose_b));
  });
  EXPECT_GT(walked, apart * 3 / 4);
}

// B flies through A and back, both turning. Each answer is checked, and the walks are short: they go on where the last one ended.
TEST(HullWalk, GoesOnFromTheCache) {
  Random random(5);
  std::vector<Vec3> points_a, points_b;
  for (int i = 0; i < 16; ++i) points_a.push_back(random.direction());
  for (int i = 0; i < 64; ++i) points_b.push_back(random.direction());
  const Shape a = Shape::hull(points_a).value();
  const Shape b = Shape::hull(points_b).value();
  Pose pose_a, pose_b;
  pose_b.position = {4, 0.2, 0.1};
  PairCache cache, signed_cache;
  int apart = 0, steps = 0, signed_steps = 0;
  for (int i = 0; i < 500; ++i) {
    pose_a.rotation = normalized(Quat{0.002, 0.004, 0.001, 1} * pose_a.rotation);
    pose_b.rotation = normalized(Quat{-0.003, 0.001, 0.002, 1} * pose_b.rotation);
    pose_b.position.x -= 0.016;
    const Distance d = distance(a, pose_a, b, pose_b, {}, &cache);
    check(a, pose_a, b, pose_b, d);
    const SignedDistance s = signed_distance(a, pose_a, b, pose_b, {}, &signed_cache);
    const double size = size_of(a, pose_a, b, pose_b);
    EXPECT_NEAR(d.value, std::max(s.value, 0.0), 36 * tolerance::epsilon * size);
    if (d.value > 0) {
      ++apart;
      steps += d.iterations;
      signed_steps += s.iterations;
    }
    EXPECT_EQ(cache.has_features, d.value > 0);
  }
  EXPECT_GT(apart, 200);
  EXPECT_LT(apart, 400);
  EXPECT_LT(steps, 1.5 * apart);
  EXPECT_LT(signed_steps, 1.5 * apart);
}

// Whatever the features in the cache are, the answer is right.
TEST(HullWalk, AnyStartWillDo) {
  test::for_each_seed(test::fewer_when_sanitized(1000), [](Source& source) {
    const Shape a = random_hull(source, 4 + source.index(30), {1, 1, 1});
    const Shape b = random_hull(source, 4 + source.index(30), {1, 1, 1});
    const Pose pose_a = random_pose(source, 1);
    const Pose pose_b = random_pose(source, 2);
    PairCache cache;
    cache.id_a = a.id();
    cache.id_b = b.id();
    cache.has_features = true;
    constexpr FeatureKind kinds[] = {FeatureKind::vertex, FeatureKind::edge, FeatureKind::face};
    cache.feature_a.kind = kinds[source.index(3)];
    cache.feature_b.kind = kinds[source.index(3)];
    cache.feature_a.index = static_cast<std::uint32_t>(source.index(60)); // there may be none
    cache.feature_b.index = static_cast<std::uint32_t>(source.index(60));
    check(a, pose_a, b, pose_b, distance(a, pose_a, b, pose_b, {}, &cache));
  });
}

} // namespace
} // namespace carom
