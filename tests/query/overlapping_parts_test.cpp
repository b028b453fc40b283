#include "carom/query/overlapping_parts.h"

#include "carom/query/overlap.h"
#include "carom/query/signed_distance.h"
#include "carom/shape/composite.h"
#include "carom/verify/parts.h"
#include "tests/support/generate_shape.h"
#include "tests/support/procedural_meshes.h"
#include "tests/support/property.h"

#include <algorithm>

namespace carom {
namespace {

using test::Source;

Shape soup(Source& source, int triangles) {
  PolygonMesh mesh;
  for (int i = 0; i < triangles; ++i) {
    const Vec3 at = test::direction(source);
    std::uint32_t face[3];
    for (std::uint32_t& corner : face) {
      const Vec3 off = test::direction(source);
      corner = static_cast<std::uint32_t>(mesh.vertices.size());
      mesh.vertices.push_back(at + off * 0.4);
    }
    mesh.add_face(face);
    mesh.materials.push_back(static_cast<std::uint32_t>(i % 3));
  }
  return Shape::mesh(mesh).value();
}

Shape cloud(Source& source) {
  std::vector<Vec3> points;
  for (int i = 0; i < 30; ++i) points.push_back(test::direction(source));
  return Shape::point_cloud(points, 0.2).value();
}

Shape some_shape(Source& source) {
  switch (source.index(5)) {
  case 0:
    return soup(source, 25);
  case 1:
    return cloud(source);
  case 2:
    return Shape::mesh(test::sphere_mesh(1, 0.1)).value().rounded(0.05).value();
  case 3: {
    const Pose turned{test::rotation(source), {0.5, 0, 0}};
    const CompoundPart parts[] = {{soup(source, 10), turned, 5},
                                  {Shape::box({0.3, 0.4, 0.5}).value(), Pose::at({0, 1, 0}), 6},
                                  {cloud(source), Pose::at({-1, 0, 0}), 7}};
    return Shape::compound(parts).value();
  }
  default:
    return Shape::capsule({-0.5, 0, 0}, {0.5, 0.2, 0}, 0.3).value();
  }
}

// Every pair of parts, one by one: those that overlap by more than rounding are there, those apart by more are not.
TEST(OverlappingParts, AreThoseOfBruteForce) {
  std::size_t pairs = 0;
  test::for_each_seed(test::fewer_when_sanitized(150), [&](Source& source) {
    const Shape shape_a = some_shape(source);
    const verify::PlacedShape a{shape_a, {test::rotation(source), {}}};
    const Shape shape_b = some_shape(source);
    const Quat turn = test::rotation(source);
    const verify::PlacedShape b{shape_b, {turn, test::direction(source)}};
    const std::vector<PartOverlap> found = overlapping_parts(a.shape, a.pose, b.shape, b.pose);
    pairs += found.size();
    std::size_t at = 0;
    const auto parts_b = verify::convex_parts(b);
    for (const auto& part_a : verify::convex_parts(a)) {
      for (const auto& part_b : parts_b) {
        const PartOverlap pair{part_a.id, part_b.id};
        const bool is_there = at < found.size() && found[at] == pair;
        if (is_there) ++at;
        const double apart = signed_distance(part_a.placed.shape, part_a.placed.pose,
                                             part_b.placed.shape, part_b.placed.pose)
                                 .value;
        if (std::fabs(apart) < 1e-13) continue;
        EXPECT_EQ(is_there, apart < 0) << apart;
      }
    }
    EXPECT_EQ(at, found.size()) << "in order, none twice, with their materials";
    const std::vector<PartOverlap> few = overlapping_parts(a.shape, a.pose, b.shape, b.pose, 3);
    EXPECT_EQ(few.size(), std::min<std::size_t>(found.size(), 3));
    for (const PartOverlap& p : few)
      EXPECT_NE(std::find(found.begin(), found.end(), p), found.end());
  });
  EXPECT_GT(pairs, 100U);
}

TEST(OverlappingParts, OfConvexShapesIsOnePair) {
  const Shape box = Shape::box({1, 1, 1}).value();
  EXPECT_EQ(overlapping_parts(box, {}, box, Pose::at({1.5, 0, 0})).size(), 1U);
  EXPECT_EQ(overlapping_parts(box, {}, box, Pose::at({2.5, 0, 0})).size(), 0U);
  EXPECT_EQ(overlapping_parts(box, {}, box, Pose::at({NAN, 0, 0})).size(), 0U);
  const Shape floor = Shape::half_space({0, 0, 1}, 0).value();
  const Shape mesh = Shape::mesh(test::sphere_mesh(2, 0)).value();
  const std::size_t all = overlapping_parts(floor, {}, mesh, Pose::at({0, 0, -9})).size();
  EXPECT_EQ(all, verify::convex_parts({mesh, {}}).size());
  EXPECT_EQ(overlapping_parts(floor, {}, mesh, Pose::at({0, 0, 9})).size(), 0U);
}

} // namespace
} // namespace carom
