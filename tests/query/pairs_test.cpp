// Every ordered pair of kinds, every answer through the checker.
#include "carom/query/distance.h"

#include "carom/geometry/separating_axis.h"
#include "carom/math/random.h"
#include "carom/math/trig.h"
#include "carom/query/overlap.h"
#include "carom/query/penetration.h"
#include "carom/query/signed_distance.h"
#include "carom/shape/support.h"
#include "tests/query/pair_cases.h"
#include "tests/support/property.h"

#include <utility>
#include <vector>

namespace carom {
namespace {

using test::PairCase;
using test::Source;

class QueryPairs : public testing::TestWithParam<int> {
protected:
  template<class Check>
  void for_each_case(std::uint64_t cases, Check&& check) {
    for (int other = 0; other < convex_kinds && !HasFailure(); ++other) {
      const auto a = static_cast<ShapeKind>(GetParam());
      const auto b = static_cast<ShapeKind>(other);
      SCOPED_TRACE(std::string(name_of(a)) + " against " + name_of(b));
      test::for_each_seed(test::fewer_when_sanitized(cases), [&](Source& source) {
        const PairCase c = test::pair_case(source, a, b);
        check(c, source);
      });
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Kinds, QueryPairs, testing::Range(0, convex_kinds),
                         [](const testing::TestParamInfo<int>& kind) {
                           return std::string(name_of(static_cast<ShapeKind>(kind.param)));
                         });

TEST_P(QueryPairs, DistancesAreProved) {
  for_each_case(200, [](const PairCase& c, Source&) {
    const Distance d = distance(c.a.shape, c.a.pose, c.b.shape, c.b.pose);
    const auto verdict = verify::check_distance(c.a, c.b, d, c.band());
    EXPECT_TRUE(verdict) << verdict.why << ", size " << c.size << ", value " << d.value;
    if (c.has(ShapeKind::custom)) return;
    EXPECT_EQ(d.status, Status::ok);
    EXPECT_LE(d.value - d.lower_bound, c.promised()) << "size " << c.size;
  });
}

TEST_P(QueryPairs, OverlapsAreProved) {
  for_each_case(200, [](const PairCase& c, Source&) {
    const ShapeOverlap o = overlap(c.a.shape, c.a.pose, c.b.shape, c.b.pose);
    const auto verdict = verify::check_overlap(c.a, c.b, o, c.band());
    EXPECT_TRUE(verdict) << verdict.why << ", size " << c.size << ", hit " << o.hit;
    if (!c.has(ShapeKind::custom)) {
      EXPECT_EQ(o.status, Status::ok);
    }
  });
}

// Apart: as the distance. Overlapping: the depth is right to the same 1e-12, or 1e-10 of curved pairs, and no direction is better; of custom shapes,
// the bounds hold.
TEST_P(QueryPairs, SignedDistancesAreProved) {
  for_each_case(15, [](const PairCase& c, Source&) {
    const SignedDistance s = signed_distance(c.a.shape, c.a.pose, c.b.shape, c.b.pose);
    if (!c.a.shape.bounded() && !c.b.shape.bounded()) {
      EXPECT_LE(s.value, s.upper_bound);
      return;
    }
    double points_slack = c.promised();
    if (!c.polyhedral() && !(s.value > 0))
      points_slack = 1e-6 * c.size + s.upper_bound - s.lower_bound;
    const auto verdict =
        verify::check_signed_distance(c.a, c.b, s, c.band(), c.band() + points_slack, 4);
    EXPECT_TRUE(verdict) << verdict.why << ", size " << c.size << ", value " << s.value
                         << ", bounds " << s.lower_bound << " " << s.upper_bound;
    if (c.has(ShapeKind::custom)) return;
    EXPECT_EQ(s.status, Status::ok) << s.upper_bound - s.lower_bound;
    EXPECT_LE(s.upper_bound - s.lower_bound, c.promised());
  });
}

// The depth is that of the signed distance; apart, a direction proves it. A limit only saves time.
TEST_P(QueryPairs, PenetrationsAreProved) {
  for_each_case(10, [](const PairCase& c, Source&) {
    if (!c.a.shape.bounded() && !c.b.shape.bounded()) return;
    const Penetration p = penetration(c.a.shape, c.a.pose, c.b.shape, c.b.pose);
    const double points_slack =
        c.polyhedral() ? 1e-12 * c.size : 1e-6 * c.size + p.depth - p.lower_bound;
    const auto verdict =
        verify::check_penetration(c.a, c.b, p, c.band(), c.band() + points_slack, 4);
    EXPECT_TRUE(verdict) << verdict.why << ", size " << c.size << ", depth " << p.depth;
    const SignedDistance s = signed_distance(c.a.shape, c.a.pose, c.b.shape, c.b.pose);
    EXPECT_NEAR(p.depth, std::max(-s.value, 0.0), c.promised() + c.band());
    if (!c.has(ShapeKind::custom) && c.polyhedral()) {
      EXPECT_EQ(p.status, Status::ok);
    }
  });
}

TEST(Penetration, ApartIsCheaperThanTheDistance) {
  // A hull: the distance of boxes takes no search.
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i) corners.push_back(Obb{{}, {}, {1, 1, 1}}.corner(i));
  const Shape cube = Shape::hull(corners).value();
  const Pose turned{{0.1, 0.2, 0.3, 0.9}, {3.5, 0.7, 0.4}};
  const Penetration p = penetration(cube, {}, cube, turned);
  EXPECT_EQ(p.depth, 0);
  EXPECT_EQ(p.status, Status::ok);
  EXPECT_EQ(p.iterations, 1);
  EXPECT_GT(signed_distance(cube, {}, cube, turned).iterations, 1);
  const SignedDistance within = signed_distance(cube, {}, cube, turned, {.limit = 1e9});
  EXPECT_EQ(within.status, Status::ok);
  const SignedDistance beyond = signed_distance(cube, {}, cube, turned, {.limit = 0.1});
  EXPECT_EQ(beyond.status, Status::stopped);
  EXPECT_GT(beyond.lower_bound, 0.1);
  EXPECT_GE(beyond.upper_bound, within.value);
}

// With a cache the answers are as good, also where it comes from elsewhere.
TEST_P(QueryPairs, CachesOnlySaveTime) {
  PairCache cache;
  for_each_case(20, [&](const PairCase& c, Source& source) {
    Pose moved = c.b.pose;
    for (int i = 0; i < 5; ++i) {
      const verify::PlacedShape b{c.b.shape, moved};
      const Distance d = distance(c.a.shape, c.a.pose, c.b.shape, moved, {}, &cache);
      const auto verdict = verify::check_distance(c.a, b, d, c.band());
      EXPECT_TRUE(verdict) << verdict.why << ", step " << i;
      const ShapeOverlap o = overlap(c.a.shape, c.a.pose, c.b.shape, moved, &cache);
      const auto overlap_verdict = verify::check_overlap(c.a, b, o, c.band());
      EXPECT_TRUE(overlap_verdict) << overlap_verdict.why << ", step " << i;
      const Vec3 step = test::direction(source);
      moved.position = test::coordinates(moved.position + step * (0.01 * c.b.shape.size()));
    }
  });
}

// The signed distance moves no more than the shape does: no jumps, from far apart to deep inside.
TEST(SignedDistanceAlongPaths, NeverJumps) {
  test::for_each_seed(test::fewer_when_sanitized(60), [](Source& source) {
    const Shape a = test::bounded_shape(source);
    const Shape b = test::bounded_shape(source);
    if (!a.polyhedral() || !b.polyhedral()) return;
    const Vec3 from = test::direction(source) * (2 * (a.size() + b.size()));
    Pose pose_a;
    Pose pose_b;
    pose_a.rotation = test::rotation(source);
    pose_b.rotation = test::rotation(source);
    constexpr int steps = 200;
    const double step = length(from) * 2 / steps;
    double last = NAN;
    for (int i = 0; i <= steps; ++i) {
      pose_b.position = from * (1 - 2.0 * i / steps);
      const double value = signed_distance(a, pose_a, b, pose_b).value;
      if (i > 0) {
        EXPECT_LE(std::fabs(value - last), step * (1 + 1e-12)) << "step " << i;
      }
      last = value;
    }
  });
}

TEST(SignedDistance, ConcentricShapes) {
  const Shape ball = Shape::sphere(2).value();
  const SignedDistance s = signed_distance(ball, {}, Shape::sphere(1).value(), {});
  EXPECT_EQ(s.value, -3);
  EXPECT_EQ(length(s.normal), 1);
  const Shape box = Shape::box({1, 2, 3}).value();
  EXPECT_NEAR(signed_distance(box, {}, box, {}).value, -2, 1e-15);
  const Shape capsule = Shape::capsule({0, 0, -1}, {0, 0, 1}, 0.5).value();
  EXPECT_NEAR(signed_distance(capsule, {}, capsule, {}).value, -1, 1e-15);
}

std::vector<Vec3> sphere_points(Random& random, int count) {
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) points.push_back(random.direction());
  return points;
}

/// Both turned, B moved by up to `reach` along each axis.
std::pair<Pose, Pose> random_poses(Random& random, double reach) {
  std::pair<Pose, Pose> poses;
  poses.first.rotation = random.rotation();
  poses.second.rotation = random.rotation();
  for (int i = 0; i < 3; ++i) poses.second.position[i] = random.uniform(-reach, reach);
  return poses;
}

/// A placed hull for the test of all separating axes.
struct Placed {
  std::vector<Vec3> vertices, normals, edges;

  Placed(const ConvexHull& hull, const Frame& frame) {
    for (const Vec3& v : hull.vertices) vertices.push_back(frame.to_world(v));
    for (std::size_t f = 0; f < hull.face_count(); ++f) {
      const auto c = hull.corners(f);
      const Vec3& o = vertices[c[0]];
      normals.push_back(cross(vertices[c[1]] - o, vertices[c[2]] - o));
    }
    for (std::uint32_t h = 0; h < hull.origin.size(); ++h) {
      if (h < hull.twin[h]) edges.push_back(vertices[hull.target(h)] - vertices[hull.origin[h]]);
    }
  }
  [[nodiscard]] PolytopeView view() const { return {vertices, normals, edges}; }
};

// Brute force: the depth of two solids is the least over all normals and all pairs of edges.
TEST(SignedDistance, DepthIsTheLeastOfAllSeparatingAxes) {
  Random random(5);
  int overlapping = 0;
  for (int i = 0; i < 300; ++i) {
    const int count = i % 2 ? 6 : 16;
    const ConvexHull hull_a = convex_hull(sphere_points(random, count)).value();
    const ConvexHull hull_b = convex_hull(sphere_points(random, count)).value();
    const auto [a, b] = random_poses(random, 1.2);
    const SignedDistance s = signed_distance(Shape::hull(hull_a.vertices).value(), a,
                                             Shape::hull(hull_b.vertices).value(), b);
    if (s.value >= 0) continue;
    ++overlapping;
    const Placed placed_a(hull_a, a.frame());
    const Placed placed_b(hull_b, b.frame());
    const SeparatingAxis all = find_separating_axis(placed_a.view(), placed_b.view());
    EXPECT_NEAR(-s.value, all.depth, 64 * tolerance::epsilon) << "case " << i;
  }
  EXPECT_GT(overlapping, 100);
}

// The quick search does the work: the slow one behind it would double the steps. (Without a look at the clock: steps are counted.)
TEST(Distance, RandomHullsTakeFewSteps) {
  Random random(6);
  const Shape a = Shape::hull(sphere_points(random, 64)).value();
  const Shape b = Shape::hull(sphere_points(random, 64)).value();
  int steps = 0;
  constexpr int cases = 500;
  for (int i = 0; i < cases; ++i) {
    const auto [pose_a, pose_b] = random_poses(random, 3);
    steps += distance(a, pose_a, b, pose_b).iterations;
  }
  EXPECT_LE(steps, 5 * cases); // 4.5 in the mean
}

TEST(Distance, KissingCubesTouchInEveryTurn) {
  const Shape cube = Shape::box({1, 1, 1}).value();
  for (int i = 0; i < 360; ++i) {
    const double half = i * pi / 360;
    const Pose turned{{0, 0, carom::sin(half), carom::cos(half)}, {0.3, -0.2, 2}};
    EXPECT_LE(distance(cube, {}, cube, turned).value, 8 * tolerance::epsilon) << i;
    EXPECT_NEAR(signed_distance(cube, {}, cube, turned).value, 0, 8 * tolerance::epsilon) << i;
    EXPECT_NEAR(std::fabs(signed_distance(cube, {}, cube, turned).normal.z), 1, 1e-9) << i;
  }
  EXPECT_TRUE(overlap(cube, {}, cube, Pose::at({2, 0, 0})));
  EXPECT_TRUE(overlap(cube, {}, cube, Pose::at({2, 2, 2})));
  EXPECT_FALSE(overlap(cube, {}, cube, Pose::at({2 + 256 * tolerance::epsilon, 0, 0})));
}

TEST(Distance, ThresholdsAndErrorsStopEarly) {
  const Shape ball = Shape::ellipsoid({1, 2, 3}).value();
  const Pose far = Pose::at({7, 1, 2});
  const Distance exact = distance(ball, {}, ball, far);
  const Distance rough = distance(ball, {}, ball, far, {.relative_error = 0.1});
  EXPECT_LE(rough.lower_bound, exact.value);
  EXPECT_GE(rough.value, exact.lower_bound);
  EXPECT_LE(rough.value - rough.lower_bound, 0.1 * rough.value);
  EXPECT_LT(rough.iterations, exact.iterations);
  const Distance near = distance(ball, {}, ball, far, {.threshold = 100});
  EXPECT_LT(near.value, 100);
  EXPECT_EQ(near.status, Status::stopped);
  const Distance apart = distance(ball, {}, ball, far, {.threshold = 0.5});
  EXPECT_GE(apart.lower_bound, 0.5);
}

TEST(Queries, BadPosesAreSaidToBe) {
  const Shape cube = Shape::box({1, 1, 1}).value();
  const Pose bad[] = {Pose::at({NAN, 0, 0}), Pose::at({0, INFINITY, 0}), Pose::at({1e31, 0, 0}),
                      Pose{{NAN, 0, 0, 1}, {}}};
  for (const Pose& pose : bad) {
    EXPECT_EQ(distance(cube, pose, cube, {}).status, Status::bad_input);
    EXPECT_EQ(distance(cube, {}, cube, pose).status, Status::bad_input);
    EXPECT_EQ(signed_distance(cube, pose, cube, {}).status, Status::bad_input);
    EXPECT_EQ(overlap(cube, pose, cube, {}).status, Status::bad_input);
  }
}

} // namespace
} // namespace carom
