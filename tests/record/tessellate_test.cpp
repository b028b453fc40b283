// Triangles against the shapes they stand for: no corner off the surface, no point of the surface far from the triangles.
#include "carom/record/tessellate.h"

#include "carom/query/closest_point.h"
#include "carom/record/mesh_generators.h"
#include "carom/shape/composite.h"
#include "carom/shape/support.h"
#include "tests/record/scene_files.h"
#include "tests/support/generate_shape.h"
#include "tests/support/property.h"

#include <map>

namespace carom::test {
namespace {

double half_diagonal(const Shape& shape) {
  const Aabb box = bounds(shape);
  return length(box.max - box.min) / 2;
}

double reach(const SurfaceMesh& mesh, const Vec3& d) {
  double most = -INFINITY;
  for (const Vec3& v : mesh.positions) most = std::max(most, dot(v, d));
  return most;
}

/// Of convex sets, one inside the other: the greatest difference of what they reach is their Hausdorff distance.
void expect_close(const Shape& shape, const SurfaceMesh& mesh, double error, Source& source) {
  const double size = half_diagonal(shape);
  const double rounding = 64 * 0x1p-52 * (shape.size() + size);
  for (int i = 0; i < 40; ++i) {
    const Vec3 d = normalized(direction(source));
    const double missing = dot(support_point(shape, d), d) - reach(mesh, d);
    ASSERT_LE(missing, error * size + rounding);
    // Not outside, either; a support is right to 1e-12 of its size for curved ones.
    ASSERT_GE(missing, -1e-11 * (shape.size() + size));
  }
}

/// Each edge of a closed surface is passed as often one way as the other.
void expect_closed(const SurfaceMesh& mesh) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> sides;
  for (std::size_t t = 0; t < mesh.triangles.size(); t += 3)
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t p = mesh.triangles[t + i], q = mesh.triangles[t + (i + 1) % 3];
      sides[std::minmax(p, q)] += p < q ? 1 : -1;
    }
  for (const auto& [edge, count] : sides) ASSERT_EQ(count, 0) << edge.first << " " << edge.second;
}

class EachKind : public ::testing::TestWithParam<int> {};

TEST_P(EachKind, OfConvexShapesIsWithinItsError) {
  for_each_seed(fewer_when_sanitized(30), [&](Source& source) {
    const Shape shape = shape_of(source, static_cast<ShapeKind>(GetParam()));
    if (!shape.bounded() || half_diagonal(shape) == 0) return;
    const double error = source.chance(2) ? 0.01 : 0.003;
    const SurfaceMesh mesh = tessellate(shape, {.error = error});
    ASSERT_FALSE(mesh.positions.empty());
    expect_close(shape, mesh, error, source);
    expect_closed(mesh);
  });
}
std::string kind_name(const ::testing::TestParamInfo<int>& info) {
  return name_of(static_cast<ShapeKind>(info.param));
}
INSTANTIATE_TEST_SUITE_P(Tessellate, EachKind, ::testing::Range(0, convex_kinds), kind_name);

TEST(Tessellate, ABoxIsItsFaces) {
  const SurfaceMesh mesh = tessellate(Shape::box({1, 2, 3}).value());
  EXPECT_EQ(mesh.positions.size(), 8u);
  EXPECT_EQ(mesh.triangles.size(), 36u);
  EXPECT_EQ(mesh.edges.size(), 24u);
  const Pose turned{Quat::from_axis_angle({1, 2, 3}, 0.7), {}};
  const SurfaceMesh other = tessellate(Shape::of(Obb{{}, turned.frame().basis, {1, 2, 3}}).value());
  EXPECT_EQ(other.positions.size(), 8u);
  EXPECT_EQ(other.triangles.size(), 36u);
  EXPECT_EQ(other.edges.size(), 24u); // no diagonals
}

TEST(Tessellate, EdgesAreThoseOfTheShape) {
  EXPECT_TRUE(tessellate(Shape::sphere(1).value()).edges.empty());
  const SurfaceMesh cylinder = tessellate(Shape::cylinder(1, 1).value());
  for (const std::uint32_t i : cylinder.edges) EXPECT_EQ(std::fabs(cylinder.positions[i].z), 1);
  EXPECT_GT(cylinder.edges.size(), 40u);
}

TEST(Tessellate, OtherKinds) {
  EXPECT_TRUE(tessellate(Shape::point({1, 2, 3}).value()).triangles.empty());
  EXPECT_EQ(tessellate(Shape::segment({}, {1, 0, 0}).value()).edges.size(), 2u);
  EXPECT_EQ(tessellate(Shape::triangle({}, {1, 0, 0}, {0, 1, 0}).value()).triangles.size(),
            6u); // both sides
  const SurfaceMesh plane = tessellate(Shape::half_space({0, 0, 2}, 6).value(), {.extent = 5});
  ASSERT_EQ(plane.positions.size(), 4u);
  for (const Vec3& v : plane.positions) EXPECT_NEAR(v.z, 3, 1e-12);
  const Vec3 &p = plane.positions[plane.triangles[0]], &q = plane.positions[plane.triangles[1]],
             &r = plane.positions[plane.triangles[2]];
  EXPECT_GT(cross(q - p, r - p).z, 0);
}

TEST(Tessellate, CompositesGiveTheirOwnFaces) {
  const Shape gear = Shape::mesh(gear_mesh({.teeth = 7}).value()).value();
  const SurfaceMesh mesh = tessellate(gear);
  EXPECT_EQ(mesh.positions.size(), 4u * 28);
  EXPECT_EQ(mesh.triangles.size(), 3u * 8 * 28);
  expect_closed(mesh);
  const std::vector<float> heights{0, 1, 2, 3, 4, 5, 6, 7, 8};
  HeightFieldInput input;
  input.columns = input.rows = 3;
  input.samples = std::span<const float>(heights);
  const std::vector<std::uint8_t> holes{0, 1, 0, 0};
  input.holes = holes;
  const Shape field = Shape::height_field(input).value();
  const SurfaceMesh ground = tessellate(field);
  EXPECT_EQ(ground.triangles.size(), 3u * 2 * 3);
  for (std::size_t t = 0; t < ground.triangles.size(); t += 3) {
    const Vec3 middle =
        (ground.positions[ground.triangles[t]] + ground.positions[ground.triangles[t + 1]] +
         ground.positions[ground.triangles[t + 2]]) /
        3;
    EXPECT_LT(std::fabs(closest_point(middle, field, Pose{}).value), 1e-12);
  }
  const Shape ball = Shape::sphere(0.5).value();
  const Shape pair =
      Shape::compound(std::vector<CompoundPart>{{ball, Pose::at({5, 0, 0})}, {gear, {}}}).value();
  const SurfaceMesh both = tessellate(pair);
  EXPECT_EQ(both.triangles.size(), mesh.triangles.size() + tessellate(ball).triangles.size());
  EXPECT_NEAR(reach(both, {1, 0, 0}), 5.5, 1e-12);
  const Vec3 cloud[] = {{0, 0, 0}, {3, 0, 0}};
  const SurfaceMesh balls = tessellate(Shape::point_cloud(cloud, 1).value());
  EXPECT_NEAR(reach(balls, {1, 0, 0}), 4, 1e-12);
  EXPECT_NEAR(reach(balls, {-1, 0, 0}), 1, 1e-12);
  // A mesh with a radius: no corner is nearer to the mesh, or farther from it.
  const Shape rounded = gear.rounded(0.1).value();
  for (const Vec3& v : tessellate(rounded).positions)
    EXPECT_LT(closest_point(v, rounded, Pose{}).value, 1e-9);
}

} // namespace
} // namespace carom::test
