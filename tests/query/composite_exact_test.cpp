// Meshes that touch on a lattice, decided by CGAL in rational numbers: nothing may go either way there.
#include "carom/query/distance.h"
#include "carom/query/overlap.h"
#include "tests/query/composite_cases.h"
#include "tests/support/property.h"

#include <CGAL/Gmpq.h>
#include <CGAL/Intersections_3/Triangle_3_Triangle_3.h>
#include <CGAL/Simple_cartesian.h>

namespace carom {
namespace {

using test::Source;
using Kernel = CGAL::Simple_cartesian<CGAL::Gmpq>;

Kernel::Point_3 exact(const Vec3& p) { return {p.x, p.y, p.z}; }
Kernel::Triangle_3 exact(const Triangle& t, const Vec3& by) {
  return {exact(t.a + by), exact(t.b + by), exact(t.c + by)};
}

/// Triangles at small whole numbers, none of them degenerate.
Shape lattice_soup(Source& source) {
  PolygonMesh mesh;
  const int count = 1 + source.index(4);
  for (int i = 0; i < count; ++i) {
    Vec3 p[3];
    for (Vec3& v : p) {
      const double x = source.index(4);
      const double y = source.index(4);
      v = {x, y, static_cast<double>(source.index(4))};
    }
    if (cross(p[1] - p[0], p[2] - p[0]) == Vec3{}) continue;
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), p, p + 3);
    test::add_face(mesh, {first, first + 1, first + 2});
  }
  if (mesh.face_count() == 0) mesh = test::tetrahedron_mesh();
  return Shape::mesh(mesh, {MeshOptions::Body::surface, {}}).value();
}

TEST(CompositeExact, MeshesOnALattice) {
  int touching = 0;
  test::for_each_seed(test::fewer_when_sanitized(3000), [&](Source& source) {
    const Shape a = lattice_soup(source);
    const Shape b = lattice_soup(source);
    const double x = source.index(5) - 2;
    const double y = source.index(5) - 2;
    const Vec3 by{x, y, 0.5 * source.index(5)};
    const TriangleSurface surface_a = body_of<TriangleMesh>(a)->surface();
    const TriangleSurface surface_b = body_of<TriangleMesh>(b)->surface();
    bool meet = false;
    for (std::size_t i = 0; i < surface_a.size(); ++i)
      for (std::size_t j = 0; j < surface_b.size() && !meet; ++j)
        meet = CGAL::do_intersect(exact(surface_a[i], {}), exact(surface_b[j], by));
    touching += meet;
    const ShapeOverlap o = overlap(a, {}, b, Pose::at(by));
    EXPECT_EQ(o.hit, meet);
    EXPECT_EQ(distance(a, {}, b, Pose::at(by)).value == 0, meet);
    EXPECT_EQ(distance(b, Pose::at(by), a, {}).value == 0, meet);
    // The same as compounds of triangles, and of one mesh.
    std::vector<CompoundPart> triangles;
    for (std::size_t j = 0; j < surface_b.size(); ++j) {
      const Triangle t = surface_b[j];
      triangles.push_back({Shape::triangle(t.a, t.b, t.c).value(), {}});
    }
    const Shape parts = Shape::compound(triangles).value();
    EXPECT_EQ(overlap(a, {}, parts, Pose::at(by)).hit, meet);
    EXPECT_EQ(distance(parts, Pose::at(by), a, {}).value == 0, meet);
    const Shape one = Shape::compound(std::vector<CompoundPart>{{b, Pose::at(by)}}).value();
    EXPECT_EQ(overlap(one, {}, a, {}).hit, meet);
  });
  EXPECT_GT(touching, 100);
}

} // namespace
} // namespace carom
