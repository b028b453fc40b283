// Asking again while things move: the same pairs as from the roots, along paths with small steps, jumps, and other trees in between.
#include "carom/tree/triangle_pairs.h"
#include "tests/support/property.h"
#include "tests/tree/pair_cases.h"

namespace carom {
namespace {

using namespace test;

PairSet plainly(const MeshPair& p) {
  PairSet result;
  all_meetings(p.a.set(), p.b.set(), p.b_in_a, [&](const TrianglePair& pair) {
    result.insert({pair.a, pair.b});
    return true;
  });
  return result;
}

void expect_same(const MeshPair& p, MeetingCache& for_all, MeetingCache& for_any) {
  const PairSet right = plainly(p);
  PairSet found;
  all_meetings(p.a.set(), p.b.set(), p.b_in_a, for_all, [&](const TrianglePair& pair) {
    EXPECT_TRUE(found.insert({pair.a, pair.b}).second) << "twice";
    return true;
  });
  EXPECT_EQ(found, right);
  const TrianglePair any = any_meeting(p.a.set(), p.b.set(), p.b_in_a, for_any);
  EXPECT_EQ(static_cast<bool>(any), !right.empty());
  if (any) {
    EXPECT_TRUE(right.contains({any.a, any.b}));
  }
}

Pose moved(Source& source, const Pose& from, double by) {
  Pose to = from;
  to.position += vec3(source) * by;
  const Vec3 axis = direction(source);
  to.rotation = normalized(Quat::from_axis_angle(axis, by) * from.rotation);
  return to;
}

TEST(MeetingCache, SameAlongRandomPaths) {
  for_each_seed(fewer_when_sanitized(100), [](Source& source) {
    MeshPair p = near_pair(source);
    MeetingCache for_all, for_any;
    static constexpr double margins[] = {0, 0.01, 0.1, 1};
    for_all.margin = for_any.margin = margins[source.index(4)];
    Pose pose{rotation(source), p.b_in_a.origin};
    static constexpr double steps[] = {0, 1e-3, 0.02, 0.1};
    const double step = steps[source.index(4)];
    for (int i = 0; i < 20; ++i) {
      pose =
          source.chance(10) ? Pose{rotation(source), vec3(source) * 2} : moved(source, pose, step);
      p.b_in_a = pose.frame();
      expect_same(p, for_all, for_any);
    }
  });
}

/// Lattices meet and part by steps of exactly the margin.
TEST(MeetingCache, SameWhereThingsJustTouch) {
  for_each_seed(fewer_when_sanitized(200), [](Source& source) {
    MeshPair p = lattice_pair(source);
    MeetingCache for_all, for_any;
    const double step = std::ldexp(1.0, -source.index(4));
    for_all.margin = for_any.margin = step;
    for (int i = 0; i < 10; ++i) {
      p.b_in_a.origin[source.index(3)] += source.chance(2) ? step : -step;
      expect_same(p, for_all, for_any);
    }
  });
}

TEST(MeetingCache, SameForTinyAndFarThings) {
  static constexpr double scales[] = {1e-12, 1e-3, 1e3, 1e12};
  for_each_seed(fewer_when_sanitized(60), [](Source& source) {
    const double by_a = scales[source.index(4)];
    const double by_b = source.chance(2) ? by_a : scales[source.index(4)];
    const PolygonMesh mesh_a = pair_mesh(source);
    const PolygonMesh mesh_b = pair_mesh(source);
    const Vec3 far = vec3(source) * (100 * by_a);
    MeshPair p{TreeMesh(mesh_a, by_a, far), TreeMesh(mesh_b, by_b), {}};
    MeetingCache for_all, for_any;
    for_all.margin = for_any.margin = 0.05 * by_a;
    for (int i = 0; i < 10; ++i) {
      p.b_in_a.origin = far + vec3(source) * (0.03 * by_a);
      expect_same(p, for_all, for_any);
    }
  });
}

TEST(MeetingCache, WalksNoTreeWithinTheMargin) {
  MeshPair p{TreeMesh(sphere_mesh(3)), TreeMesh(sphere_mesh(3)), {}};
  MeetingCache cache, other;
  cache.margin = other.margin = 0.1;
  p.b_in_a.origin = {1.9, 0, 0};
  expect_same(p, cache, other);
  const Frame filled = cache.filled_at;
  p.b_in_a.origin = {1.95, 0.05, 0};
  expect_same(p, cache, other);
  EXPECT_EQ(cache.filled_at.origin, filled.origin);
  p.b_in_a.origin = {2.05, 0, 0};
  expect_same(p, cache, other);
  EXPECT_EQ(cache.filled_at.origin, p.b_in_a.origin);
  // Farther apart than the margin: nothing is kept, and nothing is looked at.
  p.b_in_a.origin = {2.3, 0, 0};
  expect_same(p, cache, other);
  EXPECT_TRUE(cache.leaves.empty());
}

TEST(MeetingCache, OtherTreesAreNoticed) {
  const MeshPair p{TreeMesh(sponge_mesh(1)), TreeMesh(gear_mesh(5)), {}};
  const MeshPair q{TreeMesh(cube_mesh()), TreeMesh(cube_mesh()), {}};
  const MeshPair none{TreeMesh(), TreeMesh(cube_mesh()), {}};
  MeetingCache cache, other;
  cache.margin = other.margin = 0.5;
  for (const MeshPair* pair : {&p, &q, &none, &p}) expect_same(*pair, cache, other);
}

} // namespace
} // namespace carom
