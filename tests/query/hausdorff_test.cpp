// Every ordered pair of kinds, every answer through the checker; and answers that are known.
#include "carom/query/hausdorff.h"

#include "carom/shape/composite.h"
#include "carom/verify/check_hausdorff.h"
#include "carom/verify/parts.h"
#include "tests/query/pair_cases.h"
#include "tests/support/procedural_meshes.h"
#include "tests/support/property.h"

namespace carom {
namespace {

using test::PairCase;
using test::Source;
using verify::PlacedShape;

Shape mesh_of(const PolygonMesh& mesh, MeshOptions::Body body = MeshOptions::Body::automatic) {
  MeshOptions options;
  options.body = body;
  return Shape::mesh(mesh, options).value();
}

Shape composite_of(Source& source, ShapeKind kind) {
  if (kind == ShapeKind::mesh) {
    const PolygonMesh meshes[] = {test::cube_mesh(), test::torus_mesh(5, 4), test::gear_mesh(3),
                                  test::terrain_mesh(2), test::sphere_mesh(1, 0.3)};
    const Shape mesh = mesh_of(meshes[source.index(5)], source.chance(2)
                                                            ? MeshOptions::Body::automatic
                                                            : MeshOptions::Body::surface);
    return source.chance(4) ? mesh.rounded(0.1).value() : mesh;
  }
  if (kind == ShapeKind::point_cloud) {
    std::vector<Vec3> points;
    const int count = source.index(12) + 1;
    for (int i = 0; i < count; ++i) points.push_back(test::vec3(source));
    const double radius = source.chance(2) ? 0.2 : 0;
    return Shape::point_cloud(points, radius).value();
  }
  std::vector<CompoundPart> parts;
  const int count = source.index(3) + 1;
  for (int i = 0; i < count; ++i) {
    const bool is_mesh = source.chance(3);
    const Shape part = is_mesh ? composite_of(source, ShapeKind::mesh)
                               : test::ShapeGenerator(source, 1).bounded(0);
    const Quat rotation = test::rotation(source);
    const Vec3 at = test::coordinates(test::vec3(source));
    parts.push_back({part, {rotation, at}});
  }
  return Shape::compound(parts).value();
}

PairCase any_case(Source& source, ShapeKind kind_a, ShapeKind kind_b) {
  const auto is_convex = [](ShapeKind kind) { return static_cast<int>(kind) < convex_kinds; };
  if (is_convex(kind_a) && is_convex(kind_b)) return test::pair_case(source, kind_a, kind_b);
  const auto make = [&](ShapeKind kind) {
    return is_convex(kind) ? test::shape_of(source, kind) : composite_of(source, kind);
  };
  const Shape a = make(kind_a);
  const Shape b = make(kind_b);
  PairCase c{{a, {}}, {b, {}}, 0};
  c.a.pose = test::shape_pose(source);
  c.b.pose = c.a.pose;
  if (!source.chance(4)) {
    c.b.pose.rotation = test::rotation(source);
    const Vec3 way = test::vec3(source);
    c.b.pose.position = test::coordinates(c.b.pose.position + way * (source.chance(2) ? 0.2 : 1));
  }
  c.size = a.size() + b.size() + max_abs(c.a.pose.position) + max_abs(c.b.pose.position);
  return c;
}

/// Points of the shape: of its parts, and of its inside.
std::vector<Vec3> samples_of(Source& source, const PlacedShape& placed, int count) {
  std::vector<Vec3> samples;
  if (!placed.shape.bounded()) return samples;
  const auto parts = verify::convex_parts(placed);
  const Aabb box = bounds(placed.shape, placed.pose);
  for (int i = 0; i < count; ++i) {
    const PlacedShape& part = parts[source.below(parts.size())].placed;
    const Vec3 d = test::direction(source);
    const Frame frame = part.pose.frame();
    samples.push_back(frame.to_world(support_point(part.shape, frame.direction_to_local(d))));
    samples.push_back(test::point_of(source, part));
    const Vec3 at = test::vec3(source);
    const Vec3 p = box.center() + mul(box.half(), at);
    if (verify::inside_solid(placed, p)) samples.push_back(p);
  }
  return samples;
}

/// What the checker may find to be off: the slack of the bounds, once more.
double tolerance_of(const PairCase& c) { return 1e-12 * c.size + c.band(); }

class HausdorffPairs : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Kinds, HausdorffPairs, testing::Range(0, shape_kinds),
                         [](const testing::TestParamInfo<int>& kind) {
                           return std::string(name_of(static_cast<ShapeKind>(kind.param)));
                         });

TEST_P(HausdorffPairs, BoundsHold) {
  for (int other = 0; other < shape_kinds && !HasFailure(); ++other) {
    const auto kind_a = static_cast<ShapeKind>(GetParam());
    const auto kind_b = static_cast<ShapeKind>(other);
    SCOPED_TRACE(std::string(name_of(kind_a)) + " from " + name_of(kind_b));
    test::for_each_seed(test::fewer_when_sanitized(12), [&](Source& source) {
      const PairCase c = any_case(source, kind_a, kind_b);
      const HausdorffOptions options{.relative_error = 0.05, .max_points = 5000};
      const OneSidedHausdorff h =
          one_sided_hausdorff(c.a.shape, c.a.pose, c.b.shape, c.b.pose, options);
      const std::vector<Vec3> samples = samples_of(source, c.a, 20);
      const auto verdict = verify::check_hausdorff(c.a, c.b, h, samples, tolerance_of(c));
      EXPECT_TRUE(verdict) << verdict.why << "; value " << h.value << " bounds " << h.lower_bound
                           << " " << h.upper_bound << " size " << c.size;
      if (h.status == Status::ok && h.value < INFINITY) {
        EXPECT_LE(h.upper_bound - h.lower_bound, std::max(0.05 * h.value, 1e-12 * c.size + 1e-10 * c.size * !c.polyhedral()));
      }
      if (kind_b != ShapeKind::custom && kind_a != ShapeKind::custom && c.a.shape.convex() &&
          c.b.shape.convex() && c.a.shape.polyhedral()) {
        EXPECT_EQ(h.status, Status::ok);
      }
    });
  }
}

} // namespace
} // namespace carom
