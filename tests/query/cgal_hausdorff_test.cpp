// The bounded Hausdorff distance of data meshes, by CGAL.
#include "carom/query/hausdorff.h"
#include "carom/shape/composite.h"
#include "tests/support/data_mesh.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/distance.h>
#include <CGAL/Surface_mesh.h>
#include <gtest/gtest.h>

namespace carom {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Mesh = CGAL::Surface_mesh<Kernel::Point_3>;

/// Of size 2, around the origin.
PolygonMesh normed(PolygonMesh mesh) {
  Aabb box;
  for (const Vec3& v : mesh.vertices) box = {min(box.min, v), max(box.max, v)};
  for (Vec3& v : mesh.vertices) v = (v - box.center()) / max_abs(box.half());
  return mesh;
}

Mesh to_cgal(const Shape& shape, const Pose& pose) {
  Mesh result;
  const TriangleMesh& mesh = *body_of<TriangleMesh>(shape);
  std::vector<Mesh::Vertex_index> vertices;
  for (const Vec3& local : mesh.vertices()) {
    const Vec3 v = pose.frame().to_world(local);
    vertices.push_back(result.add_vertex({v.x, v.y, v.z}));
  }
  // What CGAL cannot join to its neighbours comes with vertices of its own.
  for (const auto& [a, b, c] : mesh.surface().triangles) {
    if (result.add_face(vertices[a], vertices[b], vertices[c]) != Mesh::null_face()) continue;
    const auto copy = [&](std::uint32_t i) { return result.add_vertex(result.point(vertices[i])); };
    const auto u = copy(a), v = copy(b), w = copy(c);
    result.add_face(u, v, w);
  }
  result.collect_garbage();
  return result;
}

TEST(CgalHausdorff, DataMeshes) {
  const char* names[] = {"cow", "spot", "suzanne"};
  const auto folder = test::data_folder();
  if (!folder) GTEST_SKIP() << "no data: set CAROM_DATA";
  MeshOptions options;
  options.body = MeshOptions::Body::surface;
  const double error = 1e-3;
  for (int i = 0; i < 3; ++i) {
    const Shape a = Shape::mesh(normed(*test::data_mesh(names[i])), options).value();
    const Shape b = Shape::mesh(normed(*test::data_mesh(names[(i + 1) % 3])), options).value();
    const Pose moved{Quat::from_axis_angle({1, 2, 3}, 0.7), {0.1, 0.3, -0.2}};
    const OneSidedHausdorff h =
        one_sided_hausdorff(a, {}, b, moved, {.absolute_error = error, .relative_error = 0});
    EXPECT_EQ(h.status, Status::ok);
    const double theirs =
        CGAL::Polygon_mesh_processing::bounded_error_Hausdorff_distance<CGAL::Sequential_tag>(
            to_cgal(a, {}), to_cgal(b, moved), error);
    // Theirs is within the error of the true one, and so are both of our bounds.
    EXPECT_LE(h.lower_bound, theirs + error) << names[i];
    EXPECT_GE(h.upper_bound, theirs - error) << names[i];
    EXPECT_NEAR(h.value, theirs, 2 * error) << names[i];
  }
}

} // namespace
} // namespace carom
