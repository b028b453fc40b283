// Meshes of the external data as shapes: the same answers as their trees give, as all triangles tried one by one, and as CGAL's AABB tree.
#include "carom/math/random.h"
#include "carom/query/closest_point.h"
#include "carom/query/distance.h"
#include "carom/query/overlap.h"
#include "carom/query/ray_cast_all.h"
#include "carom/shape/composite.h"
#include "carom/verify/check_composite.h"
#include "carom/verify/parts.h"
#include "tests/support/data_mesh.h"

#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Simple_cartesian.h>
#include <gtest/gtest.h>

#include <memory>

namespace carom {
namespace {

/// Anywhere in the box, and half of it more around.
Vec3 point_around(Random& random, const Aabb& box) {
  Vec3 p;
  for (int i = 0; i < 3; ++i) {
    const double more = 0.5 * (box.max[i] - box.min[i]);
    p[i] = random.uniform(box.min[i] - more, box.max[i] + more);
  }
  return p;
}

Frame relative(const Pose& a, const Pose& b) {
  const Frame f = a.frame(), g = b.frame();
  return {{f.direction_to_local(g.basis.x), f.direction_to_local(g.basis.y),
           f.direction_to_local(g.basis.z)},
          f.to_local(g.origin)};
}

TEST(CompositeData, BunniesAsTheirTreesHaveThem) {
  const auto mesh = test::data_mesh("stanford-bunny");
  if (!mesh) GTEST_SKIP() << "no external data: CAROM_DATA names no folder";
  const Shape bunny = Shape::mesh(*mesh).value();
  const TriangleSet set = body_of<TriangleMesh>(bunny)->set();
  Random random(1);
  int hits = 0;
  for (int i = 0; i < 60; ++i) {
    Pose a, b;
    a.rotation = random.rotation();
    b.rotation = random.rotation();
    for (int k = 0; k < 3; ++k) b.position[k] = random.uniform(-0.15, 0.15);
    const Frame frame = relative(a, b);
    const ShapeOverlap o = overlap(bunny, a, bunny, b);
    const Distance d = distance(bunny, a, bunny, b);
    const NearestTriangles nearest = nearest_pair(set, set, frame);
    if (any_meeting(set, set, frame)) {
      EXPECT_TRUE(o.hit);
    } else if (!o.hit) {
      EXPECT_NEAR(d.value, nearest.closest.distance, 1e-15);
      EXPECT_LE(d.value - d.lower_bound, 1e-12);
      EXPECT_EQ(d.part_a.element, nearest.a);
      EXPECT_EQ(d.part_b.element, nearest.b);
    }
    hits += o.hit;
    EXPECT_EQ(o.hit, d.value == 0);
  }
  EXPECT_GT(hits, 10);
  EXPECT_LT(hits, 60);
}

TEST(CompositeData, RobAgainstAllPairs) {
  const auto mesh = test::data_mesh("rob");
  if (!mesh) GTEST_SKIP() << "no external data: CAROM_DATA names no folder";
  const Shape rob = Shape::mesh(*mesh).value();
  Random random(2);
  const double size = rob.size();
  int apart = 0;
  for (int i = 0; i < 8; ++i) {
    verify::PlacedShape a{rob, {}}, b{rob, {}};
    a.pose.rotation = random.rotation();
    b.pose.rotation = random.rotation();
    for (int k = 0; k < 3; ++k) b.pose.position[k] = random.uniform(-2, 2) * size;
    const Distance d = distance(a.shape, a.pose, b.shape, b.pose);
    const auto verdict = verify::check_composite_distance(a, b, d, 1e-14 * 8 * size);
    EXPECT_TRUE(verdict) << verdict.why;
    apart += d.value > 0;
  }
  EXPECT_GT(apart, 2);
}

TEST(CompositeData, PointsOfSolidsAgreeWithTheWinding) {
  for (const char* name : {"spot", "fandisk", "rocker-arm", "cow", "homer"}) {
    const auto mesh = test::data_mesh(name);
    if (!mesh) GTEST_SKIP() << "no external data: CAROM_DATA names no folder";
    const Shape shape = Shape::mesh(*mesh).value();
    if (!body_of<TriangleMesh>(shape)->solid()) continue;
    const verify::PlacedShape placed{shape, {}};
    Random random(3);
    const Aabb box = bounds_of(shape.composite());
    int inside = 0;
    for (int i = 0; i < 60; ++i) {
      const Vec3 p = i % 2 == 0 ? point_around(random, box)
                                : box.center() + (point_around(random, box) - box.center()) * 0.3;
      const SurfacePoint s = closest_point(p, shape, {});
      const double away = verify::distance_from_triangles(p, placed);
      const bool within = verify::wound_around(placed, p);
      EXPECT_NEAR(s.value, within ? -away : away, 1e-13 * shape.size()) << name;
      EXPECT_EQ(ray_cast(shape, {}, Ray{p, {1, 0, 0}}).inside, within) << name;
      EXPECT_EQ(overlap(shape, {}, Shape::point(p).value(), {}).hit, within) << name;
      inside += within;
    }
    EXPECT_GT(inside, 3) << name;
  }
}

using Kernel = CGAL::Simple_cartesian<double>;
using Triangles = std::vector<Kernel::Triangle_3>;
using Primitive = CGAL::AABB_triangle_primitive<Kernel, Triangles::const_iterator>;
using CgalTree = CGAL::AABB_tree<CGAL::AABB_traits<Kernel, Primitive>>;

TEST(CompositeData, PointsAgreeWithCgal) {
  for (const char* name : {"stanford-bunny", "env", "teapot"}) {
    const auto mesh = test::data_mesh(name);
    if (!mesh) GTEST_SKIP() << "no external data: CAROM_DATA names no folder";
    const Shape shape = Shape::mesh(*mesh, {MeshOptions::Body::surface, {}}).value();
    const TriangleSurface surface = body_of<TriangleMesh>(shape)->surface();
    Triangles triangles;
    for (std::size_t i = 0; i < surface.size(); ++i) {
      const auto [a, b, c] = surface[i];
      const Kernel::Triangle_3 t({a.x, a.y, a.z}, {b.x, b.y, b.z}, {c.x, c.y, c.z});
      if (!t.is_degenerate()) triangles.push_back(t);
    }
    CgalTree tree(triangles.begin(), triangles.end());
    Random random(4);
    for (int i = 0; i < 200; ++i) {
      const Vec3 p = point_around(random, bounds_of(shape.composite()));
      const double expected = std::sqrt(tree.squared_distance({p.x, p.y, p.z}));
      // CGAL's own arithmetic is plain doubles, and slivers cost it digits.
      EXPECT_NEAR(closest_point(p, shape, {}).value, expected, 1e-9 * shape.size()) << name;
    }
  }
}

} // namespace
} // namespace carom
