// What shapes that are not convex weigh.
#include "carom/mesh/mass_properties.h"
#include "carom/shape/composite.h"
#include "carom/shape/mass.h"
#include "tests/support/generate_composite.h"
#include "tests/support/property.h"

#include <vector>

namespace carom {
namespace {

using test::Source;
using Body = MeshOptions::Body;

Shape ball(double r) { return Shape::sphere(r).value(); }
Result<Shape> compound(std::vector<CompoundPart> parts) { return Shape::compound(parts); }

TEST(CompositeMass, OfASolidMesh) {
  const Shape box = Shape::mesh(test::box_mesh({1, 2, 3})).value();
  const ShapeMass m = mass_properties(box);
  const ShapeMass expected = mass_properties(Shape::box({1, 2, 3}).value());
  EXPECT_NEAR(m.volume, 48, 48 * m.relative_error);
  EXPECT_LE(max_abs(m.centroid), 1e-14);
  for (int i = 0; i < 3; ++i) EXPECT_LE(max_abs(m.inertia[i] - expected.inertia[i]), 1e-12);
  // Less the cavity.
  EXPECT_NEAR(mass_properties(Shape::mesh(test::matryoshka_mesh()).value()).volume, 64 - 8 + 1,
              1e-12);
}

TEST(CompositeMass, OfASurface) {
  const Shape open = Shape::mesh(test::terrain_mesh(6)).value();
  const ShapeMass m = mass_properties(open);
  EXPECT_EQ(m.volume, 0);
  EXPECT_EQ(m.inertia, Mat3::zero());
  EXPECT_EQ(m.relative_error, 0);
  const TriangleSurface surface = body_of<TriangleMesh>(open)->surface();
  double area = 0;
  Vec3 sum;
  for (std::size_t i = 0; i < surface.size(); ++i) {
    const auto [a, b, c] = surface[i];
    const double own = length(cross(b - a, c - a));
    area += own;
    sum += (a + b + c) / 3 * own;
  }
  EXPECT_LE(max_abs(m.centroid - sum / area), 1e-14);
  // A closed one that is a surface is as flat.
  const Shape shell = Shape::mesh(test::cube_mesh(2), {Body::surface, {}}).value();
  EXPECT_EQ(mass_properties(shell).volume, 0);
  EXPECT_LE(max_abs(mass_properties(shell).centroid - Vec3{1, 1, 1}), 1e-15);
}

TEST(CompositeMass, ARoundingIsInTheErrorOnly) {
  const Shape box = Shape::mesh(test::box_mesh({1, 2, 3})).value().rounded(0.5).value();
  const ShapeMass m = mass_properties(box);
  EXPECT_NEAR(m.volume, 48, 1e-12);
  const double round = mass_properties(Shape::box({1, 2, 3}).value().rounded(0.5).value()).volume;
  EXPECT_GE(m.volume * (1 + m.relative_error), round);
  const Shape shell =
      Shape::mesh(test::cube_mesh(), {Body::surface, {}}).value().rounded(1).value();
  EXPECT_EQ(mass_properties(shell).relative_error, INFINITY);
}

TEST(CompositeMass, OfACompoundIsTheSum) {
  test::for_each_seed(test::fewer_when_sanitized(300), [](Source& source) {
    std::vector<CompoundPart> parts;
    MassProperties sum;
    for (int i = 0; i < 3; ++i) {
      const Shape part = Shape::box({test::positive(source), 1, test::positive(source)}).value();
      const Pose pose = test::pose(source);
      parts.push_back({part, pose});
      const MassProperties own = moved(mass_properties(part), pose.frame());
      sum = i == 0 ? own : sum + own;
    }
    const ShapeMass m = mass_properties(compound(parts).value());
    EXPECT_EQ(m.volume, sum.volume);
    EXPECT_EQ(m.centroid, sum.centroid);
    EXPECT_EQ(m.inertia, sum.inertia);
    EXPECT_GT(m.relative_error, 0);
  });
  const Shape flat = compound({{Shape::point({1, 0, 0}).value(), {}},
                               {Shape::point({}).value(), Pose::at({0, 3, 0})},
                               {Shape::point({}).value(), Pose::at({2, 0, 3})}})
                         .value();
  EXPECT_EQ(mass_properties(flat).volume, 0);
  EXPECT_LE(max_abs(mass_properties(flat).centroid - Vec3{1, 1, 1}), 1e-15);
  // What has no volume has no weight beside what has.
  const Shape mixed =
      compound({{ball(1), Pose::at({5, 0, 0})}, {Shape::point({}).value(), {}}}).value();
  EXPECT_EQ(mass_properties(mixed).centroid, (Vec3{5, 0, 0}));
}

TEST(CompositeMass, OfACloudIsThatOfItsBalls) {
  test::for_each_seed(test::fewer_when_sanitized(300), [](Source& source) {
    std::vector<Vec3> points;
    std::vector<CompoundPart> balls;
    const double r = test::positive(source);
    const Vec3 far = source.chance(3) ? Vec3{1e6, 0, 0} : Vec3{};
    for (int i = 0; i < 10; ++i) {
      points.push_back(test::vec3(source) * 4 + far);
      balls.push_back({ball(r), Pose::at(points.back())});
    }
    const ShapeMass m = mass_properties(Shape::point_cloud(points, r).value());
    const ShapeMass expected = mass_properties(compound(balls).value());
    EXPECT_NEAR(m.volume, expected.volume, 1e-14 * m.volume);
    EXPECT_LE(max_abs(m.centroid - expected.centroid), 1e-15 * (10 + far.x));
    const double size = 10 + far.x * 1e-3;
    for (int i = 0; i < 3; ++i) {
      EXPECT_LE(max_abs(m.inertia[i] - expected.inertia[i]), 1e-13 * m.volume * size * size);
    }
  });
  const std::vector<Vec3> two = {{1, 0, 0}, {3, 4, 0}};
  const ShapeMass m = mass_properties(Shape::point_cloud(two).value());
  EXPECT_EQ(m.volume, 0);
  EXPECT_EQ(m.centroid, (Vec3{2, 2, 0}));
  EXPECT_EQ(m.inertia, Mat3::zero());
}

} // namespace
} // namespace carom
