// HullFeature tracking: every answer goes through the checker and agrees with distance(), from any start; and the walk itself is good: it
// seldom gives up, also where faces and edges are parallel.
#include "carom/query/vclip.h"

#include "carom/math/random.h"
#include "carom/math/tolerance.h"
#include "carom/math/trig.h"
#include "carom/query/distance.h"
#include "carom/shape/support.h"
#include "tests/query/pair_cases.h"
#include "tests/support/property.h"

#include <vector>

namespace carom {
namespace {

using test::Source;
using Found = FeaturePair::Found;
using Kind = FeatureKind;

FeatureHull features_of(const Shape& shape, bool levels = false) {
  return FeatureHull::of(shape, {.levels = levels}).value();
}

/// One query, checked.
Distance checked(const FeatureHull& a, const Pose& pose_a, const FeatureHull& b, const Pose& pose_b,
                 FeaturePair& pair) {
  const double size =
      a.shape().size() + b.shape().size() + max_abs(pose_a.position) + max_abs(pose_b.position);
  const Distance d = tracked_distance(a, pose_a, b, pose_b, pair);
  EXPECT_EQ(d.status, Status::ok);
  const auto proof = verify::check_distance(verify::PlacedShape{a.shape(), pose_a},
                                            verify::PlacedShape{b.shape(), pose_b}, d,
                                            tolerance::boolean_band * size);
  EXPECT_TRUE(proof) << proof.why;
  // Both are at most the 36 epsilon above the true value that their bounds are apart.
  const Distance searched = distance(a.shape(), pose_a, b.shape(), pose_b);
  EXPECT_NEAR(d.value, searched.value, 36 * tolerance::epsilon * size);
  return d;
}

std::vector<HullFeature> all_features(const FeatureLevel& level) {
  std::vector<HullFeature> result;
  for (std::uint32_t i = 0; i < level.vertices.size(); ++i) result.push_back({Kind::vertex, i});
  for (std::uint32_t i = 0; i < level.sides.size(); ++i) result.push_back({Kind::edge, i});
  for (std::uint32_t i = 0; i < level.normals.size(); ++i) result.push_back({Kind::face, i});
  return result;
}

FeaturePair starting_at(const FeatureHull& a, const HullFeature& on_a, const FeatureHull& b,
                        const HullFeature& on_b) {
  FeaturePair pair;
  pair.a = on_a;
  pair.b = on_b;
  pair.id_a = a.shape().id();
  pair.id_b = b.shape().id();
  return pair;
}

Shape sphere_hull(int points, std::uint64_t seed) {
  Random random(seed);
  std::vector<Vec3> on_sphere;
  for (int i = 0; i < points; ++i) on_sphere.push_back(random.direction());
  return Shape::hull(on_sphere).value();
}

Pose random_pose(Random& random, const Vec3& position) { return {random.rotation(), position}; }

constexpr ShapeKind polyhedral_kinds[] = {
    ShapeKind::point,   ShapeKind::segment, ShapeKind::triangle, ShapeKind::sphere,
    ShapeKind::capsule, ShapeKind::box,     ShapeKind::hull,     ShapeKind::brush};

// Flat, thin, tiny and huge, touching, deep and apart, rounded or not; from any features at all.
TEST(VClip, AgreesWithTheSearchOnHardPairsOfAllKinds) {
  test::for_each_seed(test::fewer_when_sanitized(2500), [](Source& source) {
    const ShapeKind kind_a = polyhedral_kinds[source.index(8)];
    const ShapeKind kind_b = polyhedral_kinds[source.index(8)];
    const test::PairCase c = test::pair_case(source, kind_a, kind_b);
    const auto a = FeatureHull::of(c.a.shape, {.levels = source.index(2) == 0});
    const auto b = FeatureHull::of(c.b.shape);
    if (!a || !b) return; // a corner out of range
    const auto on_a = all_features(a->levels()[0]);
    const auto on_b = all_features(b->levels()[0]);
    const auto start_a = static_cast<std::size_t>(source.index(static_cast<int>(on_a.size())));
    const auto start_b = static_cast<std::size_t>(source.index(static_cast<int>(on_b.size())));
    FeaturePair pair = starting_at(*a, on_a[start_a], *b, on_b[start_b]);
    checked(*a, c.a.pose, *b, c.b.pose, pair);
    checked(*a, c.a.pose, *b, c.b.pose, pair); // from where that ended
    FeaturePair fresh;
    checked(*a, c.a.pose, *b, c.b.pose, fresh);
    checked(*b, c.b.pose, *a, c.a.pose, fresh); // other shapes: starts afresh
  });
}

struct Tally {
  int apart = 0, walked = 0, steps = 0;
};

/// B flies through A and back, both turning; a step is about 1% of the size.
Tally fly(const FeatureHull& a, const FeatureHull& b, int steps, std::uint64_t seed) {
  Random random(seed);
  Pose pose_a = random_pose(random, {});
  Pose pose_b = random_pose(random, {2.2, 0, 0});
  const Vec3 spin = random.direction() * 0.005;
  Vec3 velocity{-0.01, 0.002, 0.001};
  FeaturePair pair;
  Tally tally;
  for (int i = 0; i < steps; ++i) {
    const Distance d = checked(a, pose_a, b, pose_b, pair);
    if (d.value > 0) {
      ++tally.apart;
      tally.walked += pair.found != Found::by_search ? 1 : 0;
      tally.steps += d.iterations;
    }
    pose_a.rotation = normalized(Quat{spin.x, spin.y, spin.z, 1} * pose_a.rotation);
    pose_b.rotation = normalized(Quat{spin.z, spin.x, spin.y, 1} * pose_b.rotation);
    pose_b.position += velocity;
    for (int k = 0; k < 3; ++k)
      if (std::fabs(pose_b.position[k]) > 2.2) velocity[k] = -velocity[k];
  }
  return tally;
}

TEST(VClip, FollowsCoherentMotionThroughOverlaps) {
  const FeatureHull box = features_of(Shape::box({0.5, 0.7, 0.3}).value());
  const FeatureHull small = features_of(sphere_hull(16, 1));
  const FeatureHull large = features_of(sphere_hull(100, 2), true);
  const FeatureHull round = features_of(sphere_hull(20, 3).rounded(0.2).value());
  const FeatureHull rod = features_of(Shape::capsule({0, 0, -1}, {0, 0, 1}, 0.1).value());
  const FeatureHull* const pairs[][2] = {{&box, &small}, {&small, &large}, {&box, &box},
                                         {&round, &box}, {&rod, &small},   {&rod, &rod}};
  std::uint64_t seed = 1;
  const int steps = static_cast<int>(test::fewer_when_sanitized(2500));
  for (const auto& p : pairs) {
    const Tally t = fly(*p[0], *p[1], steps, seed++);
    EXPECT_GT(t.apart, steps / 4);
    EXPECT_LT(t.apart, steps) << "no overlap on the way";
    // Only where an overlap ends is there nothing to start from.
    EXPECT_LE(t.apart - t.walked, 12) << seed;
    EXPECT_LT(t.steps, 1.6 * t.apart) << seed;
  }
}

/// From every pair of features, the same distance. How many walks had to be given up for the search.
int from_every_start(const FeatureHull& a, const Pose& pose_a, const FeatureHull& b,
                     const Pose& pose_b) {
  const double value = distance(a.shape(), pose_a, b.shape(), pose_b).value;
  int searched = 0;
  for (const HullFeature& on_a : all_features(a.levels()[0])) {
    for (const HullFeature& on_b : all_features(b.levels()[0])) {
      FeaturePair pair = starting_at(a, on_a, b, on_b);
      const Distance d = tracked_distance(a, pose_a, b, pose_b, pair);
      EXPECT_NEAR(d.value, value, 1e-14);
      EXPECT_LE(d.value - d.lower_bound, 1e-13);
      searched += pair.found == Found::by_search ? 1 : 0;
    }
  }
  return searched;
}

TEST(VClip, EscapesFromEveryStart) {
  Random random(3);
  const FeatureHull box = features_of(Shape::box({0.5, 0.7, 0.3}).value());
  const FeatureHull plate = features_of(Shape::box({1, 1, 0.01}).value());
  const FeatureHull hull = features_of(sphere_hull(12, 4));
  for (int i = 0; i < static_cast<int>(test::fewer_when_sanitized(25)); ++i) {
    const Vec3 away = random.direction() * (1.9 + 0.1 * i);
    const Pose at_origin = random_pose(random, {});
    const Pose apart = random_pose(random, away);
    EXPECT_EQ(from_every_start(box, at_origin, box, apart), 0);
    EXPECT_EQ(from_every_start(plate, at_origin, hull, apart), 0);
    // Near: a thin plate is below the faces of much that is beside it.
    const Pose above = random_pose(random, at_origin.frame().direction_to_world({0.3, 0.2, 1.3}));
    EXPECT_EQ(from_every_start(plate, at_origin, box, above), 0);
    // Overlapping: the search says so.
    const Pose inside = random_pose(random, away * 0.1);
    const int all = from_every_start(box, at_origin, box, inside);
    EXPECT_EQ(all, 38 * 38);
  }
}

Pose turned(const Vec3& axis, double angle, const Vec3& position) {
  const Vec3 v = axis * carom::sin(angle / 2);
  return {{v.x, v.y, v.z, carom::cos(angle / 2)}, position};
}

TEST(VClip, WalksOnParallelFacesAndEdges) {
  const FeatureHull cube = features_of(Shape::box({1, 1, 1}).value());
  FeaturePair faces;
  for (int i = -300; i <= 300; ++i) {
    const Vec3 at{0.01 * i, 0.0037 * i, 2.5};
    const Distance d = checked(cube, {}, cube, Pose::at(at), faces);
    const Vec3 gap{std::max(std::fabs(at.x) - 2, 0.0), std::max(std::fabs(at.y) - 2, 0.0), 0.5};
    EXPECT_NEAR(d.value, length(gap), 1e-15) << i;
    EXPECT_NE(faces.found, Found::by_search) << i;
  }
  // Edge above edge, along it and across, in every turn about the vertical.
  const double diagonal = 2 * std::sqrt(2.0);
  FeaturePair edges;
  for (int i = -300; i <= 300; ++i) {
    const Pose low = turned({1, 0, 0}, pi / 4, {});
    Pose high = turned({1, 0, 0}, pi / 4, {0.01 * i, 0, diagonal + 0.1});
    EXPECT_NEAR(checked(cube, low, cube, high, edges).value,
                std::hypot(std::max(std::fabs(0.01 * i) - 2, 0.0), 0.1), 4e-15);
    EXPECT_NE(edges.found, Found::by_search) << i;
    high.rotation = turned({0, 0, 1}, i * pi / 150, {}).rotation * high.rotation;
    high.position = {0, 0, diagonal + 0.1};
    EXPECT_NEAR(checked(cube, low, cube, high, edges).value, 0.1, 4e-15);
    EXPECT_NE(edges.found, Found::by_search) << i;
  }
}

TEST(VClip, DownToTheNarrowestGaps) {
  const FeatureHull cube = features_of(Shape::box({1, 1, 1}).value());
  const FeatureHull hull = features_of(sphere_hull(30, 5));
  Random random(6);
  for (int i = 0; i < 200; ++i) {
    const Pose a = random_pose(random, {});
    const Vec3 d = random.direction();
    Pose b = random_pose(random, d * 4);
    const double apart = distance(cube.shape(), a, hull.shape(), b).value;
    const Vec3 normal = distance(cube.shape(), a, hull.shape(), b).normal;
    FeaturePair pair;
    for (double gap = 1; gap > 1e-17; gap /= 16) {
      Pose near = b;
      near.position -= normal * (apart - gap);
      EXPECT_NEAR(checked(cube, a, hull, near, pair).value, gap, 4e-15);
      EXPECT_TRUE(gap < 1e-13 || pair.found != Found::by_search) << gap;
    }
    b.position -= normal * (apart + 1e-15);
    checked(cube, a, hull, b, pair);
  }
}

TEST(VClip, FlatAndThin) {
  const Vec3 hexagon[] = {{2, 0, 0}, {1, 2, 0}, {-1, 2, 0}, {-2, 0, 0}, {-1, -2, 0}, {1, -2, 0}};
  const FeatureHull shapes[] = {
      features_of(Shape::point({0.1, 0, 0}).value()),
      features_of(Shape::segment({-1, 0, 0}, {1, 0.5, 0}).value()),
      features_of(Shape::segment({1, 1, 1}, {1, 1, 1}).value()),
      features_of(Shape::triangle({0, 0, 0}, {1, 0, 0}, {0, 1, 0}).value()),
      features_of(Shape::triangle({0, 0, 0}, {1, 1, 1}, {2, 2, 2}).value()),
      features_of(Shape::hull(hexagon).value()),
      features_of(Shape::box({1, 1, 0}).value()),
      features_of(Shape::box({1, 0, 0}).value()),
      features_of(Shape::sphere(0.5).value()),
      features_of(Shape::box({1e-6, 1, 1e-3}).value())};
  Random random(7);
  for (const FeatureHull& a : shapes) {
    for (const FeatureHull& b : shapes) {
      for (int i = 0; i < 6; ++i) {
        const Pose pose_a = i < 3 ? Pose{} : random_pose(random, {});
        const Pose pose_b = i < 2 ? Pose::at({0.5, 0.25, 1.0 * i})
                                  : random_pose(random, random.direction() * (0.8 * i));
        const double value = distance(a.shape(), pose_a, b.shape(), pose_b).value;
        for (const HullFeature& on_a : all_features(a.levels()[0])) {
          for (const HullFeature& on_b : all_features(b.levels()[0])) {
            FeaturePair pair = starting_at(a, on_a, b, on_b);
            const Distance d = tracked_distance(a, pose_a, b, pose_b, pair);
            ASSERT_NEAR(d.value, value, 1e-14);
            EXPECT_TRUE(value < 1e-3 || pair.found != Found::by_search);
          }
        }
        FeaturePair pair;
        checked(a, pose_a, b, pose_b, pair);
      }
    }
  }
}

TEST(VClip, MarchesFromTheCoarsestLevel) {
  const FeatureHull a = features_of(sphere_hull(1024, 8), true);
  const FeatureHull b = features_of(sphere_hull(200, 9), true);
  ASSERT_EQ(a.levels().size(), 4u);
  ASSERT_EQ(b.levels().size(), 3u);
  Random random(10);
  int steps = 0;
  const int cases = 100;
  for (int i = 0; i < cases; ++i) {
    const Pose pose_a = random_pose(random, {});
    const Pose pose_b = random_pose(random, random.direction() * 2.3);
    FeaturePair pair;
    const bool swap = i % 2 == 1;
    const Distance d =
        swap ? checked(b, pose_b, a, pose_a, pair) : checked(a, pose_a, b, pose_b, pair);
    EXPECT_NE(pair.found, Found::by_search);
    steps += d.iterations;
  }
  // Measured: 28. From random vertices of the finest level most walks are given up after 48.
  EXPECT_LT(steps, 34 * cases);
}

// At the vertex in the middle two edges lead away that are level to within rounding, and the hull still reaches far beyond it: the sliver's other side. The neighbours
// must not be believed.
TEST(VClip, DoesNotBelieveLevelNeighbors) {
  for (const double rise : {1e-30, 1e-18, 1e-16, 1e-15}) {
    const Vec3 kite[] = {{0, 0, 0}, {1, rise, 0}, {0, 1, 0}, {-1, rise, 0}};
    const FeatureHull hull = features_of(Shape::hull(kite).value());
    const FeatureHull point = features_of(Shape::point({}).value());
    const FeatureHull rod = features_of(Shape::segment({-1, 0, 0}, {1, 0, 0}).value());
    for (const HullFeature& start : all_features(hull.levels()[0])) {
      FeaturePair pair = starting_at(hull, start, point, {});
      EXPECT_EQ(checked(hull, {}, point, Pose::at({0, 3, 0}), pair).value, 2);
      for (const HullFeature& other : all_features(rod.levels()[0])) {
        pair = starting_at(hull, start, rod, other);
        EXPECT_EQ(checked(hull, {}, rod, Pose::at({0, 3, 0}), pair).value, 2);
      }
    }
  }
}

TEST(VClip, TakesAnyStartAndAnyPose) {
  const FeatureHull box = features_of(Shape::box({1, 1, 1}).value());
  const FeatureHull point = features_of(Shape::point({}).value());
  for (const Kind kind : {Kind::vertex, Kind::edge, Kind::face}) {
    FeaturePair pair = starting_at(box, {kind, 12345}, point, {kind, 1});
    EXPECT_EQ(checked(box, {}, point, Pose::at({3, 0, 0}), pair).value, 2);
    EXPECT_NE(pair.found, Found::by_search);
  }
  const double odd[] = {NAN, INFINITY, -INFINITY, 1e300, 1e-31};
  for (const double x : odd) {
    FeaturePair pair;
    EXPECT_EQ(tracked_distance(box, Pose::at({0, x, 0}), point, {}, pair).status,
              Status::bad_input);
    EXPECT_EQ(tracked_distance(box, {}, point, {Quat{0, x, 0, 1}, {}}, pair).status == Status::ok,
              std::fabs(x) < 1);
  }
}

} // namespace
} // namespace carom
