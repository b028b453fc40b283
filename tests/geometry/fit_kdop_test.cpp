#include "carom/geometry/fit_kdop.h"

#include "carom/geometry/kdop_faces.h"
#include "carom/geometry/kdop_vertices.h"
#include "carom/geometry/measure.h"
#include "carom/math/tolerance.h"
#include "carom/verify/distance.h"
#include "tests/geometry/exact_enclosure.h"
#include "tests/geometry/point_clouds.h"
#include "tests/support/generate_geometry.h"
#include "tests/support/property.h"

namespace carom {
namespace {

using test::Source;

template<int K>
constexpr std::size_t slabs = static_cast<std::size_t>(Kdop<K>::slabs);

/// All inside, exactly; each plane within two last bits of a point, also exactly.
template<int K>
void expect_tight(const std::vector<Vec3>& points) {
  const Kdop<K> dop = fit_kdop<K>(points);
  EXPECT_TRUE(test::encloses(dop, points));
  const double bit = tolerance::epsilon * test::size_of(points);
  for (std::size_t i = 0; i < slabs<K>; ++i) {
    mpq_class low;
    mpq_class high;
    bool first = true;
    for (const Vec3& p : points) {
      const mpq_class x = test::dot(test::exact(Kdop<K>::directions()[i]), test::exact(p));
      low = first || x < low ? x : low;
      high = first || x > high ? x : high;
      first = false;
    }
    EXPECT_LE(mpq_class(dop.max[i]) - high, (i < 3 ? 0 : 4 * bit));
    EXPECT_LE(low - dop.min[i], (i < 3 ? 0 : 4 * bit));
  }
}

TEST(FitKdop, SlabsAreTight) {
  test::for_each_seed(500, [](Source& source) {
    const std::vector<Vec3> points = test::cloud(source);
    expect_tight<6>(points);
    expect_tight<14>(points);
    expect_tight<18>(points);
    expect_tight<26>(points);
  });
}

TEST(FitKdop, SinglePointSetsBothMinAndMax) {
  const Kdop26 dop = fit_kdop<26>(std::vector<Vec3>{{-3, -5, -7}});
  for (std::size_t i = 0; i < slabs<26>; ++i) {
    EXPECT_EQ(dop.min[i], dop.max[i]);
    EXPECT_EQ(dop.min[i], dot(Kdop26::directions()[i], Vec3{-3, -5, -7}));
  }
  // Each point is a new least in all directions, so the first must have set the greatest.
  const Kdop26 falling = fit_kdop<26>(std::vector<Vec3>{{4, 2, 1}, {-4, -2, -1}});
  EXPECT_EQ(falling.max[9], 7);
  EXPECT_EQ(falling.min[9], -7);
  EXPECT_GT(fit_kdop<14>({}).min[0], fit_kdop<14>({}).max[0]);
}

/// The four ways to follow a turn: each encloses the placed points exactly; the tight ones are tight, the others no tighter than the turned DOP.
template<int K>
void expect_follows(Source& source, const test::OwnedGraph& hull, const Frame& frame) {
  const double size = test::size_of(hull.vertices) + max_abs(frame.origin);
  const double slack = 128 * tolerance::epsilon * size * 3;
  const Kdop<K> rest = fit_kdop<K>(hull.vertices);
  const Kdop<K> tight = placed_kdop<K>(hull.vertices, frame);
  KdopTracker<K> tracker;
  (void)tracker.update(hull.view(), test::pose(source).frame());
  const Kdop<K> climbed = tracker.update(hull.view(), frame);
  const Kdop<K> by_program = placed_kdop(rest, frame);
  const KdopVertices<K> corners = kdop_vertices(rest);
  const Kdop<K> by_corners = placed_kdop_of_vertices<K>(corners.span(), frame);
  for (const Kdop<K>& dop : {tight, climbed, by_program, by_corners}) {
    EXPECT_TRUE(test::encloses(dop, hull.vertices, frame));
  }
  for (std::size_t i = 0; i < slabs<K>; ++i) {
    const Vec3 d = Kdop<K>::directions()[i];
    const Vec3 local = transpose_mul(frame.basis, d);
    const double at = dot(frame.origin, d);
    double farthest = -INFINITY;
    for (const Vec3& p : hull.vertices) farthest = std::max(farthest, dot(p, local));
    EXPECT_NEAR(tight.max[i], farthest + at, slack / 16);
    EXPECT_NEAR(climbed.max[i], farthest + at, slack);
    const double turned = verify::support(rest, local) + at; // by all triples of planes
    EXPECT_NEAR(by_program.max[i], turned, slack);
    EXPECT_NEAR(by_corners.max[i], turned, slack);
    EXPECT_GE(by_corners.max[i], tight.max[i] - slack);
  }
}

TEST(PlacedKdop, FourWaysToFollowATurn) {
  test::for_each_seed(40, [](Source& source) {
    test::OwnedGraph hull = source.chance(4) ? test::cube_grid(2) : test::random_hull(source, 12);
    const Vec3 shift = source.chance(2) ? Vec3{} : test::offset(source) * 1e-3;
    for (Vec3& p : hull.vertices) p += shift;
    const Frame frame = test::pose(source).frame();
    expect_follows<6>(source, hull, frame);
    expect_follows<14>(source, hull, frame);
    expect_follows<18>(source, hull, frame);
    if (source.chance(4)) expect_follows<26>(source, hull, frame);
  });
}

TEST(PlacedKdop, HillClimbingTrap) {
  // The search starts at vertex 0: make that the middle of a face, whose neighbours are all as far as itself along the face's normal.
  test::OwnedGraph cube = test::cube_grid(4);
  const auto middle = static_cast<std::uint32_t>(
      std::find(cube.vertices.begin(), cube.vertices.end(), Vec3{1, 0, 0}) - cube.vertices.begin());
  ASSERT_LT(middle, cube.vertices.size());
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  const auto renamed = [&](std::uint32_t i) { return i == 0 ? middle : i == middle ? 0 : i; };
  for (std::uint32_t i = 0; i < cube.vertices.size(); ++i) {
    for (std::uint32_t k = cube.first[i]; k < cube.first[i + 1]; ++k) {
      if (i < cube.neighbors[k]) edges.insert({renamed(i), renamed(cube.neighbors[k])});
    }
  }
  std::swap(cube.vertices[0], cube.vertices[middle]);
  const test::OwnedGraph graph = test::make_graph(cube.vertices, edges);
  for (const Frame& frame : {Frame{}, Pose{Quat{0, 0, 1, 0}, {5, 6, 7}}.frame()}) {
    KdopTracker<18> tracker;
    EXPECT_TRUE(test::encloses(tracker.update(graph.view(), frame), graph.vertices, frame));
  }
}

TEST(PlacedKdop, EmptyAndOutOfRange) {
  const Frame frame = Pose{Quat{1, 2, 3, 4}, {1, 2, 3}}.frame();
  EXPECT_GT(placed_kdop(Kdop14{}, frame).min[0], placed_kdop(Kdop14{}, frame).max[0]);
  EXPECT_GT(placed_kdop<14>(std::span<const Vec3>{}, frame).min[0], 0);
  // Offsets too small for a linear program: bounded by the box, still enclosing.
  const std::vector<Vec3> tiny = {{1e-30, 0, 0}, {1e-30, -1.1e-30, 1e-30}};
  const Kdop14 dop = placed_kdop(fit_kdop<14>(tiny), frame);
  EXPECT_TRUE(test::encloses(dop, tiny, frame));
}

// Faces.

TEST(KdopFaces, AreThoseOfKnownSolids) {
  const std::vector<Vec3> octahedron = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                        {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
  // Offsets are 1, and 5 for the square: the bounds of the header.
  constexpr double e = 1024 * tolerance::epsilon;
  EXPECT_NEAR(volume(fit_kdop<6>(octahedron)), 8, e);
  EXPECT_NEAR(area(fit_kdop<6>(octahedron)), 24, e);
  EXPECT_NEAR(volume(fit_kdop<14>(octahedron)), 4.0 / 3, e);
  EXPECT_NEAR(area(fit_kdop<14>(octahedron)), 4 * std::sqrt(3.0), e);
  EXPECT_NEAR(volume(fit_kdop<18>(octahedron)), 2, e); // the rhombic dodecahedron
  EXPECT_NEAR(area(fit_kdop<18>(octahedron)), 6 * std::sqrt(2.0), e);
  EXPECT_NEAR(volume(fit_kdop<26>(octahedron)), 4.0 / 3, e);
  EXPECT_EQ(volume(Kdop26{}), 0);
  EXPECT_EQ(area(Kdop26{}), 0);
  // A flat square has two sides.
  EXPECT_NEAR(area(fit_kdop<6>(std::vector<Vec3>{{0, 0, 5}, {1, 1, 5}})), 2, 25 * e);
}

TEST(KdopFaces, VolumeAddsUp) {
  test::for_each_seed(300, [](Source& source) {
    const Kdop<26> whole = test::kdop<26>(source);
    Kdop<26> left = whole;
    Kdop<26> right = whole;
    const auto i = static_cast<std::size_t>(source.index(13));
    const double cut = whole.min[i] + (whole.max[i] - whole.min[i]) * source.unit();
    left.max[i] = cut;
    right.min[i] = cut;
    EXPECT_NEAR(volume(left) + volume(right), volume(whole), 256 * tolerance::epsilon * 6 * 6 * 6);
  });
}

} // namespace
} // namespace carom
