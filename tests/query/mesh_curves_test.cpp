#include "carom/query/mesh_curves.h"

#include "carom/math/tolerance.h"
#include "carom/verify/check_intersection.h"
#include "tests/support/property.h"
#include "tests/tree/pair_cases.h"

#include <algorithm>
#include <map>
#include <numeric>

using namespace carom;
using namespace carom::test;

namespace {

const Frame identity = Pose::identity().frame();

SurfaceIntersection curves_of(const MeshPair& p) {
  return surface_intersection(p.a.set(), p.b.set(), p.b_in_a);
}

std::vector<Vec3> placed(const MeshPair& p) {
  std::vector<Vec3> result;
  for (const Vec3& v : p.b.vertices) result.push_back(p.b_in_a.to_world(v));
  return result;
}

/// Our points are off by 8 epsilon of the size, those of the checker too; twice that.
verify::Verdict check(const MeshPair& p, const SurfaceIntersection& found) {
  const std::vector<Vec3> vertices_b = placed(p);
  return verify::check_intersection({p.a.vertices, p.a.triangles}, {vertices_b, p.b.triangles},
                                    found, 32 * tolerance::epsilon * p.size());
}

/// Checked, too.
SurfaceIntersection checked_curves(const MeshPair& p) {
  SurfaceIntersection found = curves_of(p);
  const verify::Verdict v = check(p, found);
  EXPECT_TRUE(v) << v.why;
  return found;
}

std::size_t closed_count(const SurfaceIntersection& s) {
  return static_cast<std::size_t>(
      std::count_if(s.curves.begin(), s.curves.end(), [](const auto& c) { return c.closed; }));
}

double length_of(const SurfaceIntersection& s) {
  double sum = 0;
  for (const IntersectionCurve& c : s.curves)
    for (std::size_t i = 0; i < c.segment_count(); ++i) sum += distance(c.begin_of(i), c.end_of(i));
  return sum;
}

double area_of(const SurfaceIntersection& s) {
  double sum = 0;
  for (const CoplanarOverlap& o : s.overlaps) {
    const auto c = o.corners();
    Vec3 twice;
    for (std::size_t i = 2; i < c.size(); ++i) twice += cross(c[i - 1] - c[0], c[i] - c[0]);
    sum += length(twice) / 2;
  }
  return sum;
}

bool is_branch_free(const SurfaceIntersection& s) {
  std::map<std::array<double, 3>, int> at;
  for (const IntersectionCurve& c : s.curves)
    for (const Vec3& p : c.points) ++at[{p.x, p.y, p.z}];
  for (const TouchingPoint& p : s.points) ++at[{p.point.x, p.point.y, p.point.z}];
  return std::all_of(at.begin(), at.end(), [](const auto& entry) { return entry.second == 1; });
}

PolygonMesh box_mesh(const Vec3& low, const Vec3& high) {
  PolygonMesh mesh = cube_mesh();
  for (Vec3& v : mesh.vertices)
    for (int k = 0; k < 3; ++k) v[k] = v[k] == 0 ? low[k] : high[k];
  return mesh;
}

PolygonMesh single(const Vec3& a, const Vec3& b, const Vec3& c) {
  PolygonMesh mesh;
  mesh.vertices = {a, b, c};
  add_face(mesh, {0, 1, 2});
  return mesh;
}

/// A square of two triangles across z = `height`, its corners at x, y = +-reach.
PolygonMesh plate(double height, double reach = 9) {
  PolygonMesh mesh;
  mesh.vertices = {{-reach, -reach, height},
                   {reach, -reach, height},
                   {reach, reach, height},
                   {-reach, reach, height}};
  add_face(mesh, {0, 1, 2, 3});
  return mesh;
}

MeshPair pair_of(const PolygonMesh& a, const PolygonMesh& b, const Frame& b_in_a = identity) {
  return {TreeMesh(a), TreeMesh(b), b_in_a};
}

/// Closed, and nowhere through itself; of up to some hundred triangles.
PolygonMesh closed_mesh(Source& source) {
  switch (source.index(5)) {
  case 0:
    return cube_mesh(1.5);
  case 1:
    return sphere_mesh(2, 0.2);
  case 2:
    return torus_mesh(12, 7);
  case 3:
    return sponge_mesh(1);
  default:
    return gear_mesh(6);
  }
}

/// Turned and moved by no round numbers.
Frame anywhere(Source& source, double reach) {
  Quat turn{source.uniform(-1, 1), 0, 0, source.uniform(0.1, 1)};
  turn.y = source.uniform(-1, 1);
  turn.z = source.uniform(-1, 1);
  Vec3 to;
  for (int k = 0; k < 3; ++k) to[k] = source.uniform(-reach, reach);
  return {to_matrix(normalized(turn)), to};
}

} // namespace

TEST(MeshCurves, OfAnyMeshesPassTheChecker) {
  std::size_t segments = 0, points = 0, overlaps = 0;
  for_each_seed(fewer_when_sanitized(500), [&](Source& source) {
    const SurfaceIntersection found = checked_curves(near_pair(source));
    segments += found.segment_count();
    points += found.points.size();
    overlaps += found.overlaps.size();
  });
  EXPECT_GT(segments, fewer_when_sanitized(6'000));
  EXPECT_GT(points, fewer_when_sanitized(20));
  EXPECT_GT(overlaps, fewer_when_sanitized(300));
}

PROPERTY(MeshCurves, OfLatticesPassTheChecker) {
  const SurfaceIntersection found = checked_curves(lattice_pair(source));
  REQUIRE(!::testing::Test::HasFailure());
}

TEST(MeshCurves, OfClosedMeshesInGeneralPositionAreClosed) {
  std::size_t met = 0;
  for_each_seed(fewer_when_sanitized(300), [&](Source& source) {
    const PolygonMesh a = closed_mesh(source), b = closed_mesh(source);
    const MeshPair p = pair_of(a, b, anywhere(source, 1.5));
    const SurfaceIntersection found = checked_curves(p);
    const std::size_t pairs = meetings_one_by_one(p).size();
    EXPECT_EQ(found.segment_count(), pairs);
    EXPECT_EQ(closed_count(found), found.curves.size());
    EXPECT_TRUE(found.points.empty());
    EXPECT_TRUE(found.overlaps.empty());
    EXPECT_TRUE(is_branch_free(found));
    met += pairs;
  });
  EXPECT_GT(met, fewer_when_sanitized(8'000));
}

TEST(MeshCurves, RunAlongTheCrossProductOfTheNormals) {
  for_each_seed(fewer_when_sanitized(60), [](Source& source) {
    const MeshPair p = pair_of(sphere_mesh(2, 0.2), torus_mesh(12, 7), anywhere(source, 1.5));
    for (const IntersectionCurve& c : curves_of(p).curves) {
      for (std::size_t i = 0; i < c.segment_count(); ++i) {
        const Vec3 along = cross(normalized(p.a.surface()[c.triangles[i].a.element].normal()),
                                 normalized(p.placed_b(c.triangles[i].b.element).normal()));
        const Vec3 way = c.end_of(i) - c.begin_of(i);
        if (length(way) < 1e-10 || length(along) < 1e-3) continue; // too short to tell in doubles
        EXPECT_GT(dot(way, along), 0);
      }
    }
  });
}

TEST(MeshCurves, ABarThroughABox) {
  // Each end of the box: the bar's four edges and four diagonals go through it, and the diagonal of its square leaves the bar twice.
  const MeshPair p = pair_of(cube_mesh(), box_mesh({0.2, 0.3, -1}, {0.7, 0.75, 2}));
  const SurfaceIntersection found = checked_curves(p);
  ASSERT_EQ(found.curves.size(), 2u);
  EXPECT_EQ(closed_count(found), 2u);
  EXPECT_EQ(found.curves[0].segment_count(), 10u);
  EXPECT_EQ(found.curves[1].segment_count(), 10u);
  EXPECT_NEAR(length_of(found), 2 * 2 * (0.5 + 0.45), 1e-14);
}

TEST(MeshCurves, TwoSpheresMeetInACircle) {
  const MeshPair p = pair_of(sphere_mesh(4), sphere_mesh(4),
                             {to_matrix(normalized(Quat{0.1, 0.2, 0.3, 1})), {1, 0.01, 0.02}});
  const SurfaceIntersection found = curves_of(p);
  ASSERT_EQ(found.curves.size(), 1u);
  EXPECT_TRUE(found.curves[0].closed);
  EXPECT_EQ(found.segment_count(), meetings_one_by_one(p).size());
  // A circle of radius sqrt(3) / 2, to within the facets.
  EXPECT_NEAR(length_of(found), 2 * std::numbers::pi * std::sqrt(0.75), 0.05);
  // Apart and inside of each other, none.
  EXPECT_TRUE(
      curves_of(pair_of(sphere_mesh(2), sphere_mesh(2), Pose::at({5, 0, 0}).frame())).empty());
  MeshPair inside = pair_of(sphere_mesh(2), sphere_mesh(2));
  inside.b = TreeMesh(sphere_mesh(2), 0.5);
  EXPECT_TRUE(curves_of(inside).empty());
}

TEST(MeshCurves, RingsThroughEachOtherHaveTwoCurves) {
  // One ring through the other's hole, the tubes touching nothing: none. Moved until the tubes cut: closed curves.
  const Mat3 upright = to_matrix(normalized(Quat{1, 0.01, 0.02, 1}));
  EXPECT_TRUE(
      curves_of(pair_of(torus_mesh(24, 12, 0.3), torus_mesh(24, 12, 0.3), {upright, {2, 0, 0}}))
          .empty());
  const SurfaceIntersection found = checked_curves(
      pair_of(torus_mesh(24, 12, 0.3), torus_mesh(24, 12, 0.3), {upright, {0.2, 0, 0}}));
  EXPECT_EQ(found.curves.size(), closed_count(found));
  EXPECT_EQ(found.curves.size(), 2u); // one where each ring's side passes the other's
}

// What is in no general position.

TEST(MeshCurves, KissingCubesHaveAnOutlineAndAnArea) {
  const MeshPair p = pair_of(cube_mesh(), cube_mesh(), Pose::at({0.25, 0.5, 1}).frame());
  const SurfaceIntersection found = checked_curves(p);
  EXPECT_EQ(area_of(found), 0.75 * 0.5);
  ASSERT_EQ(found.curves.size(), 1u);
  EXPECT_TRUE(found.curves[0].closed);
  EXPECT_EQ(length_of(found), 2 * (0.75 + 0.5));
  EXPECT_TRUE(found.points.empty());
}

TEST(MeshCurves, CubesStackedExactly) {
  const SurfaceIntersection found =
      checked_curves(pair_of(cube_mesh(), cube_mesh(), Pose::at({0, 0, 1}).frame()));
  EXPECT_NEAR(area_of(found), 1, 1e-15);
  EXPECT_TRUE(found.points.empty());
}

TEST(MeshCurves, ACubeMovedAlongItsFaces) {
  const SurfaceIntersection found =
      checked_curves(pair_of(cube_mesh(), cube_mesh(), Pose::at({0.5, 0, 0}).frame()));
  EXPECT_NEAR(area_of(found), 4 * 0.5, 1e-15);
  EXPECT_TRUE(found.points.empty());
}

TEST(MeshCurves, CubesEdgeToEdgeAndCornerToCorner) {
  const SurfaceIntersection edge =
      checked_curves(pair_of(cube_mesh(), cube_mesh(), Pose::at({1, 1, 0.5}).frame()));
  ASSERT_EQ(edge.curves.size(), 1u); // however many triangles have that edge
  EXPECT_EQ(edge.curves[0].segment_count(), 1u);
  EXPECT_FALSE(edge.curves[0].closed);
  EXPECT_EQ(length_of(edge), 0.5);
  EXPECT_TRUE(edge.points.empty());
  const SurfaceIntersection corner =
      checked_curves(pair_of(cube_mesh(), cube_mesh(), Pose::at({1, 1, 1}).frame()));
  EXPECT_TRUE(corner.curves.empty());
  ASSERT_EQ(corner.points.size(), 1u);
  EXPECT_EQ(corner.points[0].point, (Vec3{1, 1, 1}));
}

TEST(MeshCurves, AMeshWithItself) {
  const SurfaceIntersection found = checked_curves(pair_of(sphere_mesh(1), sphere_mesh(1)));
  EXPECT_EQ(found.overlaps.size(), 32u);
  EXPECT_EQ(found.segment_count(), 48u); // its edges
  EXPECT_TRUE(found.points.empty());
}

TEST(MeshCurves, ACornerOfAnAreaIsNoPointBesides) {
  // One triangle lies in the plate, the other stands on its corner.
  PolygonMesh mesh;
  mesh.vertices = {{1, 0, 0}, {3, 0, 0}, {2, 1, 0}, {1, 0, 1}, {1, 1, 1}};
  add_face(mesh, {0, 1, 2});
  add_face(mesh, {0, 3, 4});
  const SurfaceIntersection found = checked_curves(pair_of(plate(0), mesh));
  EXPECT_EQ(area_of(found), 1);
  EXPECT_TRUE(found.points.empty());
  EXPECT_TRUE(found.curves.empty());
}

TEST(MeshCurves, CopiesOfATriangleAreOne) {
  PolygonMesh mesh = single({1, 0, 0}, {3, 0, 0}, {2, 1, 0});
  add_face(mesh, {2, 1, 0});
  add_face(mesh, {1, 2, 0});
  const SurfaceIntersection found = checked_curves(pair_of(mesh, mesh));
  ASSERT_EQ(found.overlaps.size(), 1u);
  EXPECT_EQ(found.overlaps[0].triangles, (TrianglePartPair{{0}, {0}}));
}

TEST(MeshCurves, SingleTriangles) {
  const PolygonMesh flat = single({0, 0, 0}, {4, 0, 0}, {0, 4, 0});
  const SurfaceIntersection across =
      checked_curves(pair_of(flat, single({1, 1, -1}, {1, 1, 1}, {1, 5, 0})));
  ASSERT_EQ(across.curves.size(), 1u);
  EXPECT_EQ(across.curves[0].points.size(), 2u);
  EXPECT_FALSE(across.curves[0].closed);
  EXPECT_EQ(length_of(across), 2);
  const SurfaceIntersection tip =
      checked_curves(pair_of(flat, single({1, 1, 0}, {1, 1, 1}, {1, 5, 1})));
  ASSERT_EQ(tip.points.size(), 1u);
  EXPECT_EQ(tip.points[0].point, (Vec3{1, 1, 0}));
  // Without area: a segment through, a point on it.
  EXPECT_EQ(checked_curves(pair_of(flat, single({1, 1, -1}, {1, 1, 1}, {1, 1, 3}))).points.size(),
            1u);
  EXPECT_EQ(checked_curves(pair_of(flat, single({1, 1, 0}, {1, 1, 0}, {1, 1, 0}))).points.size(),
            1u);
  EXPECT_TRUE(curves_of(pair_of(flat, PolygonMesh{})).empty());
}

TEST(MeshCurves, AnEdgeLyingInAFaceIsOneSegmentForEachTriangleUnderIt) {
  // A roof upside down: its ridge lies on the plate, across the diagonal.
  PolygonMesh roof;
  roof.vertices = {{-1, 2, 0}, {1, 2.5, 0}, {0, 9, 1}, {0, -9, 1}};
  add_face(roof, {0, 1, 2});
  add_face(roof, {1, 0, 3});
  const SurfaceIntersection one = checked_curves(pair_of(roof, plate(0)));
  ASSERT_EQ(one.curves.size(), 1u);
  EXPECT_EQ(one.curves[0].segment_count(), 1u);
  const SurfaceIntersection two =
      checked_curves(pair_of(roof, plate(0), Pose::at({0, 2.125, 0}).frame()));
  ASSERT_EQ(two.curves.size(), 1u);
  EXPECT_EQ(two.curves[0].segment_count(), 2u);
  EXPECT_FALSE(two.curves[0].closed);
}

TEST(MeshCurves, PagesOfABookEndInItsSpine) {
  PolygonMesh book;
  book.vertices = {{0, 0, -1}, {0, 0, 1}, {2, 1, 0}, {-2, 1, 0}, {0.5, -2, 0}};
  for (const std::uint32_t page : {2u, 3u, 4u}) add_face(book, {0, 1, page});
  const SurfaceIntersection found = checked_curves(pair_of(book, plate(0.25)));
  EXPECT_EQ(found.curves.size(), 3u);
  for (const IntersectionCurve& c : found.curves) {
    EXPECT_FALSE(c.closed);
    EXPECT_TRUE(c.points.front() == (Vec3{0, 0, 0.25}) || c.points.back() == (Vec3{0, 0, 0.25}));
  }
}

TEST(MeshCurves, AnHourglassCutThroughItsWaist) {
  // Two pyramids, tip to tip: the plane through the axis cuts two triangles, closed curves that begin in the tip.
  PolygonMesh glass;
  glass.vertices = {{0, 0, 0}};
  for (const double z : {1.0, -1.0}) {
    const auto first = static_cast<std::uint32_t>(glass.vertices.size());
    for (const Vec3& v : {Vec3{1, 0.2, z}, Vec3{-0.5, 1, z}, Vec3{-0.5, -1, z}})
      glass.vertices.push_back(v);
    for (std::uint32_t k = 0; k < 3; ++k) add_face(glass, {0, first + k, first + (k + 1) % 3});
    add_face(glass, {first, first + 1, first + 2});
  }
  const Frame upright{Mat3{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}, {}};
  const SurfaceIntersection found = checked_curves(pair_of(glass, plate(0), upright));
  ASSERT_EQ(found.curves.size(), 2u);
  for (const IntersectionCurve& c : found.curves) {
    EXPECT_TRUE(c.closed);
    EXPECT_EQ(c.points[0], Vec3{});
  }
}

TEST(MeshCurves, EndAtBordersAndTJunctions) {
  const SurfaceIntersection hills = checked_curves(pair_of(terrain_mesh(12), plate(0.021)));
  EXPECT_GT(hills.curves.size(), 1u);
  std::size_t open = 0;
  for (const IntersectionCurve& c : hills.curves) {
    if (c.closed) continue;
    ++open;
    for (const Vec3& end : {c.points.front(), c.points.back()})
      EXPECT_TRUE(end.x == 0 || end.x == 1 || end.y == 0 || end.y == 1);
  }
  EXPECT_GT(open, 0u);
  // One triangle on the left of an edge, two on the right of it.
  PolygonMesh junction;
  junction.vertices = {{0, 0, 0}, {0, 0, 4}, {-4, 0, 2}, {0, 0, 2}, {4, 0, 2}};
  add_face(junction, {0, 1, 2});
  add_face(junction, {0, 4, 3});
  add_face(junction, {3, 4, 1});
  EXPECT_EQ(checked_curves(pair_of(junction, plate(1))).curves.size(), 2u);
  // Through the vertex at the junction: the same point, of two nodes.
  EXPECT_EQ(checked_curves(pair_of(junction, plate(2))).segment_count(), 2u);
}

// Numbers do not matter.

TEST(MeshCurves, OfSoupsAndTwoSidedMeshesAreThoseOfTheMesh) {
  for_each_seed(fewer_when_sanitized(40), [](Source& source) {
    const PolygonMesh mesh = fanned(closed_mesh(source));
    const PolygonMesh other = closed_mesh(source);
    const Frame frame = anywhere(source, 1);
    PolygonMesh soup, two_sided = mesh;
    for (std::size_t f = 0; f < mesh.face_count(); ++f) {
      std::vector<std::uint32_t> corners;
      for (const std::uint32_t c : mesh.face(f)) {
        corners.push_back(static_cast<std::uint32_t>(soup.vertices.size()));
        soup.vertices.push_back(mesh.vertices[c]);
      }
      soup.add_face(corners);
      corners.assign(mesh.face(f).rbegin(), mesh.face(f).rend());
      two_sided.add_face(corners);
    }
    const SurfaceIntersection expected = curves_of(pair_of(other, mesh, frame));
    for (const PolygonMesh& m : {soup, two_sided}) {
      const SurfaceIntersection found = curves_of(pair_of(other, m, frame));
      ASSERT_EQ(found.curves.size(), expected.curves.size());
      for (std::size_t i = 0; i < found.curves.size(); ++i) {
        EXPECT_EQ(found.curves[i].points, expected.curves[i].points);
        EXPECT_EQ(found.curves[i].triangles, expected.curves[i].triangles);
        EXPECT_EQ(found.curves[i].closed, expected.curves[i].closed);
      }
    }
  });
}

TEST(MeshCurves, DoNotDependOnTheNumberingOfTriangles) {
  for_each_seed(fewer_when_sanitized(200), [](Source& source) {
    MeshPair p = near_pair(source);
    const SurfaceIntersection expected = curves_of(p);
    const auto shuffled = [&](std::size_t n) {
      std::vector<std::uint32_t> order(n);
      std::iota(order.begin(), order.end(), 0);
      for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[source.below(i)]);
      return order;
    };
    // New vertex i is old vertex vertex_order[i], and so with triangles.
    const auto vertex_order = shuffled(p.a.vertices.size()),
               triangle_order = shuffled(p.a.triangles.size());
    TreeMesh renumbered = p.a;
    std::vector<std::uint32_t> to(vertex_order.size());
    for (std::uint32_t i = 0; i < vertex_order.size(); ++i) {
      renumbered.vertices[i] = p.a.vertices[vertex_order[i]];
      to[vertex_order[i]] = i;
    }
    for (std::uint32_t i = 0; i < triangle_order.size(); ++i)
      for (std::size_t k = 0; k < 3; ++k)
        renumbered.triangles[i][k] = to[p.a.triangles[triangle_order[i]][k]];
    renumbered.tree = TriangleTree(renumbered.surface());
    p.a = renumbered;
    const SurfaceIntersection found = curves_of(p);
    ASSERT_EQ(found.curves.size(), expected.curves.size());
    ASSERT_EQ(found.points.size(), expected.points.size());
    ASSERT_EQ(found.overlaps.size(), expected.overlaps.size());
    for (std::size_t i = 0; i < found.curves.size(); ++i) {
      // A copy with the other winding may now be the first.
      auto backward = found.curves[i].points;
      std::reverse(backward.begin() + (found.curves[i].closed ? 1 : 0), backward.end());
      const auto& points = expected.curves[i].points;
      EXPECT_TRUE(found.curves[i].points == points || backward == points);
    }
    for (std::size_t i = 0; i < found.points.size(); ++i)
      EXPECT_EQ(found.points[i].point, expected.points[i].point);
    EXPECT_NEAR(area_of(found), area_of(expected), 1e-12 * p.size() * p.size());
  });
}

TEST(MeshCurves, FarAwayHugeAndTiny) {
  for (const double scale : {1e-20, 1e-3, 1.0, 1e6, 1e20}) {
    for (const double far : {0.0, 1e6}) {
      const Vec3 to = Vec3{far, -far, far} * scale;
      const Frame frame{to_matrix(normalized(Quat{0.3, -0.2, 0.1, 1})), {}};
      MeshPair p{TreeMesh(torus_mesh(12, 7), scale, to),
                 TreeMesh(sphere_mesh(2, 0.2), 1.5 * scale),
                 {frame.basis, to + Vec3{2.1, 0.1, 0.2} * scale}};
      const SurfaceIntersection found = checked_curves(p);
      EXPECT_GT(found.curves.size(), 0u);
      EXPECT_EQ(closed_count(found), found.curves.size());
    }
  }
}

TEST(MeshCurves, NothingOnFramesThatAreNotFinite) {
  const auto finds_nothing = [](const MeshPair& p) {
    const SurfaceIntersection found = curves_of(p);
    return found.empty();
  };
  for (const double bad : {static_cast<double>(NAN), static_cast<double>(INFINITY), 1e308}) {
    MeshPair p = pair_of(cube_mesh(), sphere_mesh(1));
    p.b_in_a.origin = {bad, 0, 0};
    EXPECT_TRUE(finds_nothing(p)) << bad;
  }
  for (const double bad : {static_cast<double>(NAN), static_cast<double>(INFINITY)}) {
    MeshPair p = pair_of(cube_mesh(), sphere_mesh(1));
    p.b_in_a.basis.x = {bad, bad, bad};
    EXPECT_TRUE(finds_nothing(p)) << bad;
  }
}
