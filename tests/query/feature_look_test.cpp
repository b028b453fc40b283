// The looks at last time's features: against the walk, the search and the checker.
#include "carom/query/feature_look.h"

#include "carom/math/tolerance.h"
#include "carom/query/distance.h"
#include "carom/query/hull_walk.h"
#include "carom/query/signed_distance.h"
#include "carom/verify/check_query.h"
#include "carom/verify/shape.h"
#include "tests/support/generate.h"
#include "tests/support/property.h"

#include <cmath>
#include <limits>
#include <vector>

namespace carom {
namespace {

using test::Source;
using Kind = FeatureKind;

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

/// As a query takes them: a function for each pair of kinds.
struct Find {
  template<Kind kind_a, Kind kind_b>
  static bool from(const FormPair& pair, PairCache& cache, FormAnswer& answer, int& looks) {
    return find_near_features<kind_a, kind_b>(pair, cache, answer, looks);
  }
};
bool find(const FormPair& pair, PairCache& cache, FormAnswer& answer, int& looks) {
  const auto way = way_from<Find>(cache.feature_a.kind, cache.feature_b.kind);
  return way(pair, cache, answer, looks);
}

void check(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
           const Distance& d) {
  EXPECT_EQ(d.status, Status::ok);
  const double size = a.size() + b.size() + max_abs(pose_a.position) + max_abs(pose_b.position);
  const auto verdict =
      verify::check_distance(verify::PlacedShape{a, pose_a}, verify::PlacedShape{b, pose_b}, d,
                             tolerance::boolean_band * size);
  EXPECT_TRUE(verdict) << verdict.why;
}

/// A small step of a pose.
Pose nudged(Source& source, const Pose& pose, double step) {
  const Vec3 shift = test::direction(source) * step;
  const Vec3 spin = test::direction(source) * (0.5 * step);
  return {Quat{spin.x, spin.y, spin.z, 1} * pose.rotation, pose.position + shift};
}

TEST(BothBodies, TurnsAsToMatrixDoes) {
  test::for_each_seed(1000, [](Source& source) {
    Quat a = test::rotation(source);
    const Quat b = test::rotation(source);
    const double stretch = source.uniform(0.1, 10);
    a = {a.x * stretch, a.y * stretch, a.z * stretch, a.w * stretch};
    const Vec3 v = test::direction(source);
    const Vec3 w = test::direction(source);
    const BothTurned both(a, b);
    EXPECT_TRUE(both.is_sound());
    const BothVec3 world = both.to_world(BothVec3::of(v, w));
    EXPECT_EQ(world.a(), to_matrix(a) * v);
    EXPECT_EQ(world.b(), to_matrix(b) * w);
    const BothVec3 local = both.to_local(BothVec3::of(v, w));
    EXPECT_EQ(local.a(), transpose_mul(to_matrix(a), v));
    EXPECT_EQ(local.b(), transpose_mul(to_matrix(b), w));
  });
}

TEST(BothBodies, RefusesWhatToMatrixDoesNotTake) {
  const Quat one;
  for (const Quat& bad : {Quat{0, 0, 0, 0}, Quat{1e-160, 0, 0, 0}, Quat{1e154, 1e154, 0, 0},
                          Quat{INFINITY, 0, 0, 1}, Quat{0, NAN, 0, 1}}) {
    EXPECT_FALSE(BothTurned(bad, one).is_sound());
    EXPECT_FALSE(BothTurned(one, bad).is_sound());
  }
}

TEST(BothBodies, CoordinatesInRange) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const Vec3 plain{1, 0, -2};
  EXPECT_TRUE(are_coordinates(plain, {}));
  EXPECT_TRUE(are_coordinates({}, {1e-30, -1e-30, 0}));
  for (const double bad : {1e-31, -1e-31, 5e-324, 2e30, -2e30, infinity, -infinity, std::nan("")})
    for (int i = 0; i < 3; ++i) {
      Vec3 p = plain;
      p[i] = bad;
      EXPECT_FALSE(are_coordinates(p, plain)) << bad;
      EXPECT_FALSE(are_coordinates(plain, p)) << bad;
    }
}

// From the features of a walk, after a step: each pair of kinds that can be the nearest is found by the first look, mostly. All answers are checked.
TEST(FeatureLook, FindsAllKinds) {
  int first[3][3] = {}, all[3][3] = {};
  test::for_each_seed(test::fewer_when_sanitized(3000), [&](Source& source) {
    const double flat = source.chance(3) ? std::ldexp(1.0, -source.index(20)) : 1;
    const Shape a = random_hull(source, 1 + source.index(40), {1, 1, flat});
    const Shape b = random_hull(source, 2 + source.index(40), {1, flat, 1});
    const Pose pose_a = random_pose(source, 1);
    const Pose pose_b = random_pose(source, 3);
    PairCache cache;
    if (!(distance(a, pose_a, b, pose_b, {}, &cache).value > 0) || !cache.has_features) return;
    const Pose next_a = nudged(source, pose_a, 0.005);
    const Pose next_b = nudged(source, pose_b, 0.005);
    const auto kind_a = static_cast<int>(cache.feature_a.kind);
    const auto kind_b = static_cast<int>(cache.feature_b.kind);
    ++all[kind_a][kind_b];
    const FormPair pair(a, next_a, b, next_b);
    FormAnswer found;
    int looks = 0;
    if (find(pair, cache, found, looks)) {
      if (looks == 1) ++first[kind_a][kind_b];
      check(a, next_a, b, next_b, rounded_distance(pair, found, looks));
      // Both are at most what their bounds are apart above the true value.
      const CorePair cores(a, next_a, b, next_b);
      const CoreDistance searched =
          nearest_cores(cores, {.agreement = cores.agreement(), .below = 0}, nullptr);
      EXPECT_NEAR(found.distance, searched.upper, 36 * tolerance::epsilon * cores.size());
    }
  });
  const std::pair<Kind, Kind> nearest[] = {
      {Kind::vertex, Kind::vertex}, {Kind::vertex, Kind::edge}, {Kind::vertex, Kind::face},
      {Kind::edge, Kind::vertex},   {Kind::edge, Kind::edge},   {Kind::face, Kind::vertex}};
  for (const auto& [a, b] : nearest) {
    const int i = static_cast<int>(a), j = static_cast<int>(b);
    EXPECT_GT(all[i][j], 20) << i << j;
    EXPECT_GT(first[i][j], all[i][j] * 3 / 4) << i << j;
  }
}

// From features next to the nearest, or far from them: what is found is right, and a jump is found out.
TEST(FeatureLook, AnyFeatureWillDo) {
  int found_some = 0;
  test::for_each_seed(test::fewer_when_sanitized(3000), [&](Source& source) {
    const Shape a = random_hull(source, 1 + source.index(30), {1, 1, 1});
    const Shape b = random_hull(source, 1 + source.index(30), {1, 1, 1});
    const Pose pose_a = random_pose(source, 1);
    const Pose pose_b = random_pose(source, 2);
    PairCache cache;
    cache.id_a = a.id();
    cache.id_b = b.id();
    cache.has_features = true;
    constexpr Kind kinds[] = {Kind::vertex, Kind::edge, Kind::face};
    cache.feature_a.kind = kinds[source.index(3)];
    cache.feature_b.kind = kinds[source.index(3)];
    cache.feature_a.index = static_cast<std::uint32_t>(source.index(60)); // there may be none
    cache.feature_b.index = static_cast<std::uint32_t>(source.index(60));
    const FormPair pair(a, pose_a, b, pose_b);
    FormAnswer found;
    int looks = 0;
    if (!find(pair, cache, found, looks)) return;
    ++found_some;
    EXPECT_LE(looks, 5);
    check(a, pose_a, b, pose_b, rounded_distance(pair, found, looks));
  });
  EXPECT_GT(found_some, static_cast<int>(test::fewer_when_sanitized(3000) / 300));
}

// Rounded shapes, far from the world's origin, also where only the roundings overlap.
TEST(FeatureLook, RoundedAndFarAway) {
  int touching = 0;
  test::for_each_seed(test::fewer_when_sanitized(500), [&](Source& source) {
    const Shape core_a = random_hull(source, 12, {1, 1, 1});
    const Shape core_b = random_hull(source, 12, {1, 1, 1});
    const double radius_a = source.uniform(0, 1);
    const double radius_b = source.uniform(0, 1);
    const Shape a = core_a.rounded(radius_a).value();
    const Shape b = core_b.rounded(radius_b).value();
    Pose pose_a = random_pose(source, 1);
    Pose pose_b = random_pose(source, 3);
    const Vec3 toward = test::direction(source);
    const Vec3 far = toward * std::ldexp(1.0, source.index(40));
    pose_a.position += far;
    pose_b.position += far;
    PairCache cache, signed_cache;
    for (int i = 0; i < 5; ++i) {
      const Distance d = distance(a, pose_a, b, pose_b, {}, &cache);
      check(a, pose_a, b, pose_b, d);
      if (cache.has_features && d.value == 0) ++touching;
      const SignedDistance s = signed_distance(a, pose_a, b, pose_b, {}, &signed_cache);
      const double size = a.size() + b.size() + max_abs(pose_a.position);
      EXPECT_NEAR(d.value, std::max(s.value, 0.0), 36 * tolerance::epsilon * size);
      pose_a = nudged(source, pose_a, 0.01);
      pose_b = nudged(source, pose_b, 0.01);
    }
  });
  EXPECT_GT(touching, 20);
}

// A pose that no query takes is refused with a warm cache too; a quaternion that stands for no rotation is taken as that.
TEST(FeatureLook, PosesOutOfRange) {
  const Shape box =
      Shape::hull(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}).value();
  const Pose pose_a, pose_b = Pose::at({3, 0.2, 0.1});
  PairCache warm;
  ASSERT_GT(distance(box, pose_a, box, pose_b, {}, &warm).value, 0);
  ASSERT_TRUE(warm.has_features);
  const auto ask = [&](const Pose& a, const Pose& b) {
    PairCache cache = warm;
    return distance(box, a, box, b, {}, &cache);
  };
  for (const double bad : {1e-31, 1e31, double{INFINITY}, double{NAN}}) {
    EXPECT_EQ(ask(Pose::at({0, bad, 0}), pose_b).status, Status::bad_input) << bad;
    EXPECT_EQ(ask(pose_a, Pose::at({3, 0, bad})).status, Status::bad_input) << bad;
  }
  EXPECT_EQ(ask({{INFINITY, 0, 0, 1}, {}}, pose_b).status, Status::bad_input);
  EXPECT_EQ(ask({{0, 0, NAN, 1}, {}}, pose_b).status, Status::bad_input);
  EXPECT_EQ(ask({{1e160, 0, 0, 1}, {}}, pose_b).status, Status::bad_input);
  const Distance none = ask({{0, 0, 0, 0}, {}}, pose_b);
  EXPECT_EQ(none.status, Status::ok);
  EXPECT_EQ(none.value, ask(pose_a, pose_b).value);
}

} // namespace
} // namespace carom
