#include "carom/query/intersection.h"

#include "carom/math/tolerance.h"
#include "carom/query/mesh_curves.h"
#include "carom/shape/composite.h"
#include "carom/verify/check_intersection.h"
#include "tests/support/procedural_meshes.h"
#include "tests/support/property.h"

using namespace carom;
using namespace carom::test;

namespace {

Shape shape_of(const PolygonMesh& mesh) { return Shape::mesh(mesh).value(); }

PolygonMesh some_mesh(Source& source) {
  switch (source.index(5)) {
  case 0:
    return cube_mesh();
  case 1:
    return sphere_mesh(2, 0.2);
  case 2:
    return torus_mesh(12, 7);
  case 3:
    return terrain_mesh(8);
  default:
    return gear_mesh(6);
  }
}

/// The distance of p from the nearest triangle, in the world.
double off(const Shape& shape, const Pose& pose, const PartId& id, const Vec3& p) {
  const Triangle t = body_of<TriangleMesh>(shape)->surface()[id.element];
  const Frame f = pose.frame();
  return verify::distance(p, Triangle{f.to_world(t.a), f.to_world(t.b), f.to_world(t.c)});
}

std::vector<Vec3> all_points(const SurfaceIntersection& s) {
  std::vector<Vec3> result;
  for (const IntersectionCurve& c : s.curves)
    result.insert(result.end(), c.points.begin(), c.points.end());
  for (const TouchingPoint& p : s.points) result.push_back(p.point);
  for (const CoplanarOverlap& o : s.overlaps)
    result.insert(result.end(), o.corners().begin(), o.corners().end());
  return result;
}

} // namespace

TEST(Intersection, PointsAreOnBothSurfacesInTheWorld) {
  std::size_t points = 0;
  for_each_seed(fewer_when_sanitized(200), [&](Source& source) {
    const Shape a = shape_of(some_mesh(source)), b = shape_of(some_mesh(source));
    const Vec3 far = offset(source);
    Pose pose_a = pose(source), pose_b = pose(source);
    pose_a.position += far;
    pose_b.position += far;
    const MeshIntersection found = intersection(a, pose_a, b, pose_b);
    ASSERT_EQ(found.status, Status::ok);
    // As promised; the checker's own roundings are of that size, too.
    const double bound =
        2e-14 * (a.size() + b.size() + max_abs(pose_a.position) + max_abs(pose_b.position));
    for (const IntersectionCurve& c : found.curves) {
      for (std::size_t i = 0; i < c.segment_count(); ++i) {
        for (const Vec3& p : {c.begin_of(i), c.end_of(i)}) {
          EXPECT_LE(off(a, pose_a, c.triangles[i].a, p), bound);
          EXPECT_LE(off(b, pose_b, c.triangles[i].b, p), bound);
          ++points;
        }
      }
    }
    for (const TouchingPoint& p : found.points) {
      EXPECT_LE(off(a, pose_a, p.triangles.a, p.point), bound);
      EXPECT_LE(off(b, pose_b, p.triangles.b, p.point), bound);
    }
    for (const CoplanarOverlap& o : found.overlaps)
      for (const Vec3& p : o.corners()) {
        EXPECT_LE(off(a, pose_a, o.triangles.a, p), bound);
        EXPECT_LE(off(b, pose_b, o.triangles.b, p), bound);
      }
  });
  EXPECT_GT(points, fewer_when_sanitized(5'000));
}

TEST(Intersection, IsThatOfTheTriangles) {
  // A placed where it is: no rounding but that of B's vertices.
  for_each_seed(fewer_when_sanitized(100), [](Source& source) {
    const Shape a = shape_of(some_mesh(source)), b = shape_of(some_mesh(source));
    const Pose pose_b = pose(source);
    const MeshIntersection found = intersection(a, {}, b, pose_b);
    const TriangleMesh &mesh_a = *body_of<TriangleMesh>(a), &mesh_b = *body_of<TriangleMesh>(b);
    const auto expected = surface_intersection(mesh_a.set(), mesh_b.set(), pose_b.frame());
    EXPECT_EQ(all_points(found), all_points(expected));
    std::vector<Vec3> placed;
    for (const Vec3& v : mesh_b.vertices()) placed.push_back(pose_b.frame().to_world(v));
    const verify::Verdict v = verify::check_intersection(
        {mesh_a.vertices(), mesh_a.surface().triangles}, {placed, mesh_b.surface().triangles},
        found, 32 * tolerance::epsilon * (a.size() + 2 * b.size() + max_abs(pose_b.position)));
    EXPECT_TRUE(v) << v.why;
  });
}

TEST(Intersection, APosedPairIsTheSamePairElsewhere) {
  const Shape ball = shape_of(sphere_mesh(3)), ring = shape_of(torus_mesh(24, 12, 0.4));
  const Pose apart{normalized(Quat{0.3, -0.1, 0.2, 1}), {1.9, 0.2, 0.1}};
  const MeshIntersection here = intersection(ball, {}, ring, apart);
  const Pose to{normalized(Quat{-0.5, 0.7, 0.1, 0.2}), {10, -20, 30}};
  const MeshIntersection there = intersection(ball, to, ring, to * apart);
  ASSERT_FALSE(here.empty());
  ASSERT_EQ(here.curves.size(), there.curves.size());
  EXPECT_EQ(here.segment_count(), there.segment_count());
  const std::vector<Vec3> p = all_points(here), q = all_points(there);
  for (std::size_t i = 0; i < p.size(); ++i)
    EXPECT_LE(distance(to.frame().to_world(p[i]), q[i]), 1e-12); // short segments of near planes
}

TEST(Intersection, AreasAndPointsAreInTheWorld) {
  const Shape cube = shape_of(cube_mesh());
  const MeshIntersection face = intersection(cube, Pose::at({3, 5, 7}), cube, Pose::at({3, 5, 8}));
  ASSERT_FALSE(face.overlaps.empty());
  for (const CoplanarOverlap& o : face.overlaps)
    for (const Vec3& p : o.corners()) {
      EXPECT_EQ(p.z, 8);
      EXPECT_TRUE(p.x >= 3 && p.x <= 4 && p.y >= 5 && p.y <= 6);
    }
  const MeshIntersection tip = intersection(cube, Pose::at({3, 5, 7}), cube, Pose::at({4, 6, 8}));
  ASSERT_EQ(tip.points.size(), 1u);
  EXPECT_EQ(tip.points[0].point, (Vec3{4, 6, 8}));
}

TEST(Intersection, NamesPartsAndMaterials) {
  PolygonMesh cube = cube_mesh();
  cube.materials = {10, 11, 12, 13, 14, 15};
  const Shape box = shape_of(cube);
  // A bar along x, through the sides at x = 0 and x = 1 of the second box.
  PolygonMesh bar = cube_mesh();
  for (Vec3& v : bar.vertices) v = {v.x * 3 - 1, 0.2 + 0.5 * v.y, 0.3 + 0.5 * v.z};
  const std::vector<CompoundPart> boxes = {{box, Pose::at({0, 0, 5})}, {box, {}}};
  const Shape both = Shape::compound(boxes).value();
  const MeshIntersection found = intersection(both, {}, shape_of(bar), {});
  ASSERT_EQ(found.status, Status::ok);
  ASSERT_EQ(found.curves.size(), 2u);
  for (const IntersectionCurve& c : found.curves) {
    EXPECT_TRUE(c.closed);
    for (const TrianglePartPair& t : c.triangles) {
      EXPECT_EQ(t.a.part, 1u);
      EXPECT_EQ(t.a.material, c.points[0].x == 0 ? 10u : 11u);
      EXPECT_EQ(t.b.part, 0u);
      EXPECT_EQ(t.b.material, 0u);
    }
  }
  // The other way round, and with the first box, the same.
  const MeshIntersection up = intersection(shape_of(bar), Pose::at({0, 0, 5}), both, {});
  ASSERT_EQ(up.curves.size(), 2u);
  EXPECT_EQ(up.curves[0].triangles[0].b.part, 0u);
  // Two compounds: all parts with all.
  const MeshIntersection all = intersection(both, {}, both, Pose::at({0.5, 0.25, 0.125}));
  EXPECT_EQ(all.curves.size(), 2u);
}

TEST(Intersection, OfWhatHasNoTrianglesIsBadInput) {
  const Shape mesh = shape_of(cube_mesh()), ball = Shape::sphere(1).value();
  EXPECT_EQ(intersection(mesh, {}, ball, {}).status, Status::bad_input);
  EXPECT_EQ(intersection(ball, {}, mesh, {}).status, Status::bad_input);
  EXPECT_EQ(intersection(mesh.rounded(0.1).value(), {}, mesh, {}).status, Status::bad_input);
  const std::vector<CompoundPart> parts = {{mesh, {}}, {ball, Pose::at({9, 9, 9})}};
  EXPECT_EQ(intersection(mesh, {}, Shape::compound(parts).value(), {}).status, Status::bad_input);
  const std::vector<Vec3> points = {{0, 0, 0}};
  EXPECT_EQ(intersection(mesh, {}, Shape::point_cloud(points).value(), {}).status,
            Status::bad_input);
  for (const double bad : {static_cast<double>(NAN), static_cast<double>(INFINITY), 1e31, 1e-31}) {
    const MeshIntersection found = intersection(mesh, Pose::at({bad, 0, 0}), mesh, {});
    EXPECT_EQ(found.status, Status::bad_input);
    EXPECT_TRUE(found.empty());
  }
}

TEST(Intersection, ASolidInsideOfAnotherHasNone) {
  const Shape outer = shape_of(cube_mesh(4)), inner = shape_of(cube_mesh());
  const MeshIntersection found = intersection(outer, {}, inner, Pose::at({1, 1, 1}));
  EXPECT_EQ(found.status, Status::ok);
  EXPECT_TRUE(found.empty());
}
