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
    const auto surface = MeshOptions::Body::surface;
    const bool as_surface = source.chance(2);
    const PolygonMesh& of = meshes[source.index(5)];
    const Shape mesh = as_surface ? mesh_of(of, surface) : mesh_of(of);
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
  const auto solids = verify::solid_meshes(placed);
  const Aabb box = bounds(placed.shape, placed.pose);
  for (int i = 0; i < count; ++i) {
    const PlacedShape& part = parts[source.below(parts.size())].placed;
    const Vec3 d = test::direction(source);
    const Frame frame = part.pose.frame();
    samples.push_back(frame.to_world(support_point(part.shape, frame.direction_to_local(d))));
    samples.push_back(test::point_of(source, part));
    const Vec3 at = test::vec3(source);
    const Vec3 p = box.center() + mul(box.half(), at);
    for (const PlacedShape& solid : solids) {
      if (verify::wound_around(solid, p)) samples.push_back(p);
    }
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
        EXPECT_LE(h.upper_bound - h.lower_bound,
                  std::max(0.05 * h.value, 1e-12 * c.size + 1e-10 * c.size * !c.polyhedral()));
      }
      if (kind_b != ShapeKind::custom && kind_a != ShapeKind::custom && c.a.shape.convex() &&
          c.b.shape.convex() && c.a.shape.polyhedral()) {
        EXPECT_EQ(h.status, Status::ok);
      }
    });
  }
}

// --- Answers that are known.

Shape ball(double radius, const Vec3& at = {}) { return Shape::sphere(radius, at).value(); }

/// The value is within the bounds, which are no farther apart than the error asked for.
void expect_near(const OneSidedHausdorff& h, double expected, double error) {
  EXPECT_EQ(h.status, Status::ok);
  EXPECT_LE(h.lower_bound, expected + 1e-12);
  EXPECT_GE(h.upper_bound, expected - 1e-12);
  EXPECT_LE(h.upper_bound - h.lower_bound, error);
}

TEST(Hausdorff, Balls) {
  const Hausdorff h = hausdorff(ball(2), Pose::at({1, 0, 0}), ball(0.5), {});
  expect_near(h.a_from_b, 2.5, 0.025);
  expect_near(h.b_from_a, 0, 1e-11);
  EXPECT_EQ(h.value, h.a_from_b.value);
  EXPECT_NEAR(h.on_a.x, 3, 1e-6);
  EXPECT_NEAR(h.on_b.x, 0.5, 1e-6);
  EXPECT_EQ(h.status, Status::ok);
}

TEST(Hausdorff, BoxesAndWhatIsInThem) {
  const Shape small = Shape::box({1, 1, 1}).value();
  const Shape large = Shape::box({2, 3, 4}).value();
  const Hausdorff h = hausdorff(small, {}, large, {}, {.relative_error = 1e-9});
  expect_near(h.a_from_b, 0, 1e-11);
  expect_near(h.b_from_a, std::sqrt(1.0 + 4 + 9), 1e-8);
  // Rounded, inside and out: what the rounding has beyond the other's border counts.
  const Shape round = Shape::box({1.75, 1, 1}).value().rounded(0.5).value();
  expect_near(one_sided_hausdorff(round, {}, large, {}), 0.25, 1e-8);
  // The same as meshes: solids, then surfaces.
  PolygonMesh cube = test::cube_mesh(2);
  for (Vec3& v : cube.vertices) v -= Vec3{1, 1, 1};
  PolygonMesh around = cube;
  for (Vec3& v : around.vertices) v = {2 * v.x, 3 * v.y, 4 * v.z};
  const HausdorffOptions fine{.relative_error = 1e-3};
  expect_near(one_sided_hausdorff(mesh_of(cube), {}, mesh_of(around), {}, fine), 0, 1e-11);
  expect_near(one_sided_hausdorff(mesh_of(around), {}, mesh_of(cube), {}, fine), std::sqrt(14.0),
              4e-3);
  expect_near(one_sided_hausdorff(mesh_of(around), {}, small, {}, fine), std::sqrt(14.0), 4e-3);
  const auto surface = MeshOptions::Body::surface;
  expect_near(one_sided_hausdorff(mesh_of(cube, surface), {}, mesh_of(around, surface), {}, fine),
              2, 2e-3);
  // A corner of the cube is 1, 2 and 3 away from three of the walls; the middle of its face at x = 1 is not farther. The middle of the large one is 2 away from its walls.
  expect_near(one_sided_hausdorff(mesh_of(around), {}, mesh_of(around, surface), {}), 2, 0.02);
  expect_near(one_sided_hausdorff(large, {}, mesh_of(around, surface), {}), 2, 0.02);
}

// The middle of the cavity of a thick shell, which is inside of A, is farthest from B.
TEST(Hausdorff, InsideOfA) {
  PolygonMesh shell = test::cube_mesh(6);
  PolygonMesh cavity = test::cube_mesh(4);
  for (std::size_t f = 0; f < cavity.face_count(); ++f) test::turn_face(cavity, f);
  test::append(shell, cavity, {1, 1, 1});
  const Shape b = mesh_of(shell, MeshOptions::Body::solid);
  const Shape a = mesh_of(test::cube_mesh(6), MeshOptions::Body::solid);
  expect_near(one_sided_hausdorff(a, {}, b, {}), 2, 0.02);
  expect_near(one_sided_hausdorff(b, {}, a, {}), 0, 1e-11);
  const Shape inner = mesh_of(test::cube_mesh(3.5), MeshOptions::Body::solid);
  const Pose in_the_cavity = Pose::at({1.25, 1.25, 1.25});
  expect_near(one_sided_hausdorff(inner, in_the_cavity, b, {}), 2, 0.02);
}

// Solids that nearly coincide: the boxes of the search need not become as small as the gap between them.
TEST(Hausdorff, SolidsCloseToEachOther) {
  for (const PolygonMesh& mesh : {test::sphere_mesh(2, 0.2), test::torus_mesh(9, 7),
                                  test::gear_mesh(5), test::sponge_mesh(1)}) {
    const Shape a = mesh_of(mesh, MeshOptions::Body::solid);
    const Shape copy = mesh_of(mesh, MeshOptions::Body::solid);
    const OneSidedHausdorff same = one_sided_hausdorff(a, {}, copy, {});
    expect_near(same, 0, 1e-11);
    EXPECT_LE(same.iterations, 20'000);
    for (const double moved : {1e-2, 1e-5}) {
      const Pose pose{Quat::from_axis_angle({1, 2, 3}, moved), {moved, 0, -moved}};
      const OneSidedHausdorff h = one_sided_hausdorff(a, {}, a, pose);
      EXPECT_EQ(h.status, Status::ok);
      EXPECT_LE(h.iterations, 30'000);
      EXPECT_LE(h.lower_bound, 7 * moved);
      const std::vector<Vec3> vertices(mesh.vertices);
      const auto verdict = verify::check_hausdorff({a, {}}, {a, pose}, h, vertices, 1e-11);
      EXPECT_TRUE(verdict) << verdict.why;
    }
  }
}

// A solid that cuts into itself, and one that is turned inside out in part: no normals to rely on.
TEST(Hausdorff, SolidsThatCutIntoThemselves) {
  PolygonMesh mesh = test::cube_mesh(2);
  test::append(mesh, test::cube_mesh(2), {1, 1, 1});
  PolygonMesh inverted = test::cube_mesh(1);
  for (std::size_t f = 0; f < 6; ++f) test::turn_face(inverted, f);
  test::append(mesh, inverted, {5, 0, 0});
  const Shape b = mesh_of(mesh, MeshOptions::Body::solid);
  // Around all of it. The middle between what is turned inside out and the rest is far from both; the farthest is in a corner.
  PolygonMesh cube = test::cube_mesh(6);
  const Shape a = mesh_of(cube, MeshOptions::Body::solid);
  const OneSidedHausdorff h = one_sided_hausdorff(a, {}, b, {});
  expect_near(h, std::sqrt(9.0 + 9 + 9), 0.06);
  // Inside of the cube that is turned inside out is outside of B.
  const Shape small = ball(0.1, {5.5, 0.5, 0.5});
  expect_near(one_sided_hausdorff(small, {}, b, {}), 0.5, 0.01);
  const Shape small_mesh =
      Shape::mesh(test::sphere_mesh(2)).value().scaled({0.1, 0.1, 0.1}).value();
  const OneSidedHausdorff from_mesh =
      one_sided_hausdorff(small_mesh, Pose::at({5.5, 0.5, 0.5}), b, {});
  expect_near(from_mesh, 0.5, 0.01);
}

TEST(Hausdorff, PointCloudsAndCompounds) {
  const Vec3 points[] = {{0, 0, 0}, {1, 0, 0}, {0, 5, 0}};
  const Shape cloud = Shape::point_cloud(points).value();
  expect_near(one_sided_hausdorff(cloud, {}, ball(1), {}), 4, 1e-10);
  const Shape apart[] = {ball(1), Shape::box({1, 1, 1}).value()};
  const CompoundPart parts[] = {{apart[0], Pose::at({-3, 0, 0})}, {apart[1], Pose::at({3, 0, 0})}};
  const Shape two = Shape::compound(parts).value();
  expect_near(one_sided_hausdorff(two, {}, ball(1), {}), std::sqrt(18.0) - 1, 0.04);
  // From the cloud's points, the farthest of the ball around the origin is opposite to both of the near ones.
  expect_near(one_sided_hausdorff(cloud, {}, two, {}),
              one_sided_hausdorff(cloud, {}, apart[1], Pose::at({3, 0, 0})).value, 0.1);
}

TEST(Hausdorff, HalfSpaces) {
  const Shape ground = Shape::half_space({0, 0, 2}, 0).value();
  const Shape lower = Shape::half_space({0, 0, 1}, -3).value();
  const Shape slanted = Shape::half_space({0, 1, 1}, 0).value();
  expect_near(one_sided_hausdorff(ball(1), Pose::at({5, 0, 2}), ground, {}), 3, 1e-11);
  expect_near(one_sided_hausdorff(ground, {}, lower, {}), 3, 1e-11);
  expect_near(one_sided_hausdorff(lower, {}, ground, {}), 0, 1e-11);
  EXPECT_EQ(one_sided_hausdorff(ground, {}, slanted, {}).value, INFINITY);
  const Hausdorff h = hausdorff(ball(1), {}, ground, {});
  EXPECT_EQ(h.value, INFINITY);
  expect_near(h.a_from_b, 1, 1e-11);
}

TEST(Hausdorff, SameShapeAndBadInput) {
  const Shape cow = mesh_of(test::sphere_mesh(3, 0.2));
  const Hausdorff same = hausdorff(cow, Pose::at({1, 2, 3}), cow, Pose::at({1, 2, 3}));
  EXPECT_EQ(same.upper_bound, 0);
  EXPECT_EQ(same.on_a, same.on_b);
  for (const double bad : {double{NAN}, double{INFINITY}, 1e31}) {
    const Hausdorff h = hausdorff(ball(1), Pose::at({bad, 0, 0}), cow, {});
    EXPECT_EQ(h.status, Status::bad_input);
    EXPECT_EQ(hausdorff(cow, {}, ball(1), Pose::at({0, bad, 0})).status, Status::bad_input);
  }
}

// The same question the other way round gives the same two sides.
TEST(Hausdorff, BothWays) {
  const Shape a = mesh_of(test::torus_mesh(9, 7));
  const Shape b = Shape::ellipsoid({1, 2, 3}).value();
  const Hausdorff h = hausdorff(a, {}, b, {});
  const Hausdorff turned = hausdorff(b, {}, a, {});
  EXPECT_EQ(h.a_from_b.value, turned.b_from_a.value);
  EXPECT_EQ(h.a_from_b.on_a, turned.b_from_a.on_b);
  EXPECT_EQ(h.value, turned.value);
  EXPECT_EQ(h.value, std::max(h.a_from_b.value, h.b_from_a.value));
}

} // namespace
} // namespace carom
