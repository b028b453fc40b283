#include "carom/tree/triangle_pairs.h"

#include "tests/support/property.h"
#include "tests/tree/pair_cases.h"

namespace carom {
namespace {

using namespace test;

PairSet meetings(const MeshPair& p) {
  PairSet result;
  all_meetings(p.a.set(), p.b.set(), p.b_in_a, [&](const TrianglePair& pair) {
    EXPECT_TRUE(result.insert({pair.a, pair.b}).second) << "twice";
    return true;
  });
  return result;
}

void expect_right_meetings(const MeshPair& p) {
  const PairSet right = meetings_one_by_one(p);
  EXPECT_EQ(meetings(p), right);
  const TrianglePair any = any_meeting(p.a.set(), p.b.set(), p.b_in_a);
  EXPECT_EQ(static_cast<bool>(any), !right.empty());
  if (any) {
    EXPECT_TRUE(right.contains({any.a, any.b}));
  }
}

NearestTriangles nearest(const MeshPair& p, const NearestOptions& options = {}) {
  return nearest_pair(p.a.set(), p.b.set(), p.b_in_a, options);
}

/// The answer is that of its own two triangles, to the bit.
void expect_own_points(const MeshPair& p, const NearestTriangles& found) {
  ASSERT_TRUE(found);
  ASSERT_LT(found.a, p.a.triangles.size());
  ASSERT_LT(found.b, p.b.triangles.size());
  const ClosestTriangles own = closest_points(p.a.surface()[found.a], p.placed_b(found.b));
  EXPECT_EQ(found.closest.distance, own.distance);
  EXPECT_EQ(found.closest.on_a, own.on_a);
  EXPECT_EQ(found.closest.on_b, own.on_b);
}

/// Distances of equally near pairs differ by their rounding (closest_flat.h).
double rounding(const MeshPair& p) { return 64 * 0x1p-52 * p.size(); }

/// What the rounding of corners may cost where they are far away, or one mesh much smaller than the other (pair_frame.cpp).
double far_rounding(const MeshPair& p) { return 3e-14 * p.size() + rounding(p); }

void expect_right_nearest(const MeshPair& p, double off) {
  const double right = distance_one_by_one(p);
  const NearestTriangles found = nearest(p);
  EXPECT_EQ(static_cast<bool>(found), right < INFINITY);
  if (!found) return;
  expect_own_points(p, found);
  EXPECT_GE(found.closest.distance, right);
  EXPECT_LE(found.closest.distance, right + off);
  // Where they meet they do so exactly.
  if (right == 0) {
    EXPECT_EQ(found.closest.distance, 0);
  }
}
void expect_right_nearest(const MeshPair& p) { expect_right_nearest(p, rounding(p)); }

void expect_right(const MeshPair& p) {
  expect_right_meetings(p);
  expect_right_nearest(p);
}

TEST(TrianglePairs, MeetingsAreThoseOfAllPairs) {
  for_each_seed(fewer_when_sanitized(400),
                [](Source& source) { expect_right_meetings(near_pair(source)); });
}

TEST(TrianglePairs, NearestIsThatOfAllPairs) {
  for_each_seed(fewer_when_sanitized(150),
                [](Source& source) { expect_right_nearest(near_pair(source)); });
}

TEST(TrianglePairs, ExactTouchingOnALattice) {
  for_each_seed(fewer_when_sanitized(800),
                [](Source& source) { expect_right_meetings(lattice_pair(source)); });
  for_each_seed(fewer_when_sanitized(200),
                [](Source& source) { expect_right_nearest(lattice_pair(source)); });
}

TEST(TrianglePairs, TinySpikesTipToTip) {
  for_each_seed(fewer_when_sanitized(300),
                [](Source& source) { expect_right_meetings(spike_pair(source, 0)); });
  static constexpr double ways[] = {0x1p-14, 0x1p-18, 0x1p-22, 0x1p-26};
  for_each_seed(fewer_when_sanitized(200), [](Source& source) {
    const double apart = ways[source.index(4)];
    expect_right_nearest(spike_pair(source, apart));
  });
}

/// Of two smooth surfaces many triangles are almost equally near: one that is ruled out wrongly shows.
TEST(TrianglePairs, SmoothSurfacesThatFaceEachOther) {
  for_each_seed(fewer_when_sanitized(40), [](Source& source) {
    const double bump = source.uniform(0, 0.02);
    const double apart = source.uniform(2.01, 2.4);
    MeshPair p{TreeMesh(sphere_mesh(2, bump)), TreeMesh(sphere_mesh(2)), {}};
    p.b_in_a.basis = to_matrix(rotation(source));
    p.b_in_a.origin = normalized_or(vec3(source), {1, 0, 0}) * apart;
    expect_right_nearest(p);
  });
}

TEST(TrianglePairs, AnyScaleAndAnyRatioOfScales) {
  static constexpr double scales[] = {1e-25, 1e-12, 1e-6, 1e-3, 1, 1e3, 1e6, 1e12, 1e25};
  for_each_seed(fewer_when_sanitized(100), [](Source& source) {
    const double by_a = scales[source.index(9)];
    const double by_b = source.chance(2) ? by_a : scales[source.index(9)];
    const PolygonMesh mesh_a = pair_mesh(source);
    const PolygonMesh mesh_b = pair_mesh(source);
    MeshPair p{TreeMesh(mesh_a, by_a), TreeMesh(mesh_b, by_b), {}};
    if (p.a.triangles.empty() || p.b.triangles.empty()) return;
    // A vertex of B is put on one of A, or near it, in the measure of either.
    const Vec3 on_a = p.a.vertices[source.below(p.a.vertices.size())];
    const Vec3 on_b = p.b.vertices[source.below(p.b.vertices.size())];
    p.b_in_a.basis = to_matrix(rotation(source));
    static constexpr double ways[] = {0, 1e-9, 1e-3, 1, 30};
    const double measure = source.chance(2) ? by_a : by_b;
    const double way = ways[source.index(5)] * measure;
    p.b_in_a.origin = on_a - p.b_in_a.basis * on_b + vec3(source) * way;
    expect_right_meetings(p);
    expect_right_nearest(p, far_rounding(p));
  });
}

TEST(TrianglePairs, FarFromTheOrigin) {
  static constexpr double ways[] = {1e3, 1e6, 1e9, 1e12};
  for_each_seed(fewer_when_sanitized(200), [](Source& source) {
    const double way_a = ways[source.index(4)];
    const double way_b = ways[source.index(4)];
    const Vec3 far_a = vec3(source) * way_a;
    const Vec3 far_b = vec3(source) * way_b;
    const PolygonMesh mesh_a = pair_mesh(source);
    const PolygonMesh mesh_b = pair_mesh(source);
    MeshPair p{TreeMesh(mesh_a, 1, far_a), TreeMesh(mesh_b, 1, far_b), {}};
    p.b_in_a.basis = to_matrix(rotation(source));
    p.b_in_a.origin = far_a - p.b_in_a.basis * far_b + vec3(source) * 2;
    expect_right(p);
  });
}

TEST(TrianglePairs, FarApart) {
  static constexpr double ways[] = {10, 1e2, 1e3, 1e5, 1e8, 1e12, 1e15, 1e25};
  for_each_seed(fewer_when_sanitized(60), [](Source& source) {
    const PolygonMesh mesh_a = pair_mesh(source);
    const PolygonMesh mesh_b = pair_mesh(source);
    MeshPair p{TreeMesh(mesh_a), TreeMesh(mesh_b), {}};
    p.b_in_a.basis = to_matrix(rotation(source));
    const Vec3 way = direction(source);
    p.b_in_a.origin = way * ways[source.index(8)];
    expect_right_meetings(p);
    expect_right_nearest(p, far_rounding(p));
  });
}

TEST(TrianglePairs, OneInsideTheOtherDoesNotMeetIt) {
  const MeshPair p{TreeMesh(sphere_mesh(3), 2), TreeMesh(gear_mesh(9), 0.5), {}};
  EXPECT_FALSE(any_meeting(p.a.set(), p.b.set(), p.b_in_a));
  EXPECT_TRUE(meetings(p).empty());
  EXPECT_GT(nearest(p).closest.distance, 1);
  expect_right_nearest(p);
}

TEST(TrianglePairs, TheSameMeshAtTheSamePlace) {
  for (const PolygonMesh& mesh : {sponge_mesh(1), torus_mesh(8, 5), terrain_mesh(6)}) {
    const MeshPair p{TreeMesh(mesh, 0.7), TreeMesh(mesh, 0.7), {}};
    expect_right(p);
    EXPECT_GE(meetings(p).size(), p.a.triangles.size());
    EXPECT_EQ(nearest(p).closest.distance, 0);
  }
}

TEST(TrianglePairs, FlatMeshesInOnePlane) {
  const auto flat = [](std::uint32_t n) {
    return grid_mesh(n, n, [](double u, double v) { return Vec3{u, v, 0}; }, {});
  };
  for (const double x : {0.0, 0.3, 1.0, 1.25}) {
    MeshPair p{TreeMesh(flat(6)), TreeMesh(flat(5)), {}};
    p.b_in_a.origin = {x, 0.1, 0};
    expect_right(p);
    EXPECT_EQ(static_cast<bool>(any_meeting(p.a.set(), p.b.set(), p.b_in_a)), x <= 1);
  }
}

TEST(TrianglePairs, NothingAndOneTriangle) {
  PolygonMesh one;
  one.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  add_face(one, {0, 1, 2});
  const TreeMesh empty, single(one), many(torus_mesh(8, 5));
  for (const TreeMesh* a : {&empty, &single, &many})
    for (const TreeMesh* b : {&empty, &single, &many})
      for (const double x : {0.0, 0.5, 3.0, 1e9})
        expect_right({*a, *b, {Mat3{}, {x, 0.25, 0.125}}});
}

TEST(TrianglePairs, OnlyPairsNearerThanAsked) {
  for_each_seed(fewer_when_sanitized(100), [](Source& source) {
    MeshPair p = near_pair(source);
    const double right = distance_one_by_one(p);
    if (right == INFINITY || right < 1e-3) return;
    EXPECT_FALSE(nearest(p, {.below = right * 0.999}));
    EXPECT_FALSE(nearest(p, {.below = 0}));
    EXPECT_FALSE(nearest(p, {.below = -1}));
    const NearestTriangles found = nearest(p, {.below = right * 1.001});
    expect_own_points(p, found);
    EXPECT_LE(found.closest.distance, right + rounding(p));
  });
}

TEST(TrianglePairs, AllowedErrorsAreKept) {
  for_each_seed(fewer_when_sanitized(100), [](Source& source) {
    const MeshPair p = near_pair(source);
    const double right = distance_one_by_one(p);
    if (right == INFINITY) return;
    const double absolute = source.uniform(0, 0.5);
    const double relative = source.uniform(0, 0.5);
    const NearestTriangles found =
        nearest(p, {.absolute_error = absolute, .relative_error = relative});
    expect_own_points(p, found);
    EXPECT_GE(found.closest.distance, right);
    EXPECT_LE(found.closest.distance,
              std::max(right + absolute, right * (1 + relative)) + rounding(p));
  });
}

TEST(TrianglePairs, AGuessChangesNothingButTheWay) {
  for_each_seed(fewer_when_sanitized(100), [](Source& source) {
    const MeshPair p = near_pair(source);
    if (p.a.triangles.empty() || p.b.triangles.empty()) return;
    const NearestTriangles plain = nearest(p);
    const TrianglePair guesses[] = {
        {plain.a, plain.b},
        {static_cast<std::uint32_t>(source.below(p.a.triangles.size())), 0},
        {0, static_cast<std::uint32_t>(source.below(p.b.triangles.size()))},
        {static_cast<std::uint32_t>(p.a.triangles.size()), 0},
        {0, static_cast<std::uint32_t>(p.b.triangles.size())},
        {0x7fffffffU, 0x7fffffffU}};
    for (const TrianglePair& guess : guesses) {
      const NearestTriangles found = nearest(p, {.guess = guess});
      expect_own_points(p, found);
      EXPECT_NEAR(found.closest.distance, plain.closest.distance, rounding(p));
    }
  });
}

TEST(TrianglePairs, AGuessThatMeetsIsTheAnswer) {
  for_each_seed(fewer_when_sanitized(100), [](Source& source) {
    const MeshPair p = near_pair(source);
    const PairSet right = meetings(p);
    const TrianglePair first = any_meeting(p.a.set(), p.b.set(), p.b_in_a);
    for (int i = 0; i < 20; ++i) { // some beyond the last
      const TrianglePair guess{static_cast<std::uint32_t>(source.below(p.a.triangles.size() + 2)),
                               static_cast<std::uint32_t>(source.below(p.b.triangles.size() + 2))};
      const TrianglePair found = any_meeting(p.a.set(), p.b.set(), p.b_in_a, guess);
      const TrianglePair& expected = right.contains({guess.a, guess.b}) ? guess : first;
      EXPECT_EQ(found.a, expected.a);
      EXPECT_EQ(found.b, expected.b);
    }
    for (const auto& [i, j] : right) {
      const TrianglePair found = any_meeting(p.a.set(), p.b.set(), p.b_in_a, {i, j});
      EXPECT_EQ(found.a, i);
      EXPECT_EQ(found.b, j);
    }
  });
}

TEST(TrianglePairs, TheSameAgain) {
  for_each_seed(20, [](Source& source) {
    const MeshPair p = near_pair(source);
    const MeshPair again{p.a, p.b, p.b_in_a};
    const NearestTriangles one = nearest(p), two = nearest(again);
    EXPECT_EQ(one.a, two.a);
    EXPECT_EQ(one.b, two.b);
    const auto in_order = [](const MeshPair& pair) {
      std::vector<std::pair<std::uint32_t, std::uint32_t>> order;
      all_meetings(pair.a.set(), pair.b.set(), pair.b_in_a, [&](const TrianglePair& met) {
        order.emplace_back(met.a, met.b);
        return true;
      });
      return order;
    };
    EXPECT_EQ(in_order(p), in_order(again));
  });
}

TEST(TrianglePairs, TheSearchEndsWhenTold) {
  const MeshPair p{TreeMesh(sponge_mesh(1)), TreeMesh(sponge_mesh(1)), {}};
  int calls = 0;
  all_meetings(p.a.set(), p.b.set(), p.b_in_a, [&](const TrianglePair&) { return ++calls < 5; });
  EXPECT_EQ(calls, 5);
}

} // namespace
} // namespace carom
