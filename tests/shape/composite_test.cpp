// Building shapes that are not convex: what is refused and why, what is solid, what rounding, scaling and deforming make of them; how far they reach.
#include "carom/shape/composite.h"

#include "carom/shape/feature.h"
#include "carom/shape/mass.h"
#include "carom/shape/support.h"
#include "carom/verify/parts.h"
#include "tests/support/generate_composite.h"
#include "tests/support/property.h"

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace carom {
namespace {

using test::Source;
using tolerance::epsilon;
using Body = MeshOptions::Body;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::optional<ErrorCode> error_of(const Result<Shape>& result) {
  if (result) return std::nullopt;
  EXPECT_GT(result.error().message.size(), 8u);
  return result.error().code;
}
bool is_solid(const Result<Shape>& mesh) { return body_of<TriangleMesh>(mesh.value())->solid(); }
Result<Shape> compound(std::vector<CompoundPart> parts) { return Shape::compound(parts); }
Shape ball(double r) { return Shape::sphere(r).value(); }

// ---- what is refused ----

TEST(BuildMesh, SaysWhatIsWrong) {
  EXPECT_EQ(error_of(Shape::mesh(PolygonMesh{})), ErrorCode::too_few);
  PolygonMesh points;
  points.vertices = {{0, 0, 0}, {1, 0, 0}};
  test::add_face(points, {0, 1});
  test::add_face(points, {1});
  EXPECT_EQ(error_of(Shape::mesh(points)), ErrorCode::too_few);
  PolygonMesh mesh = test::cube_mesh();
  mesh.vertices[3].y = nan;
  EXPECT_EQ(error_of(Shape::mesh(mesh)), ErrorCode::not_finite);
  mesh.vertices[3].y = INFINITY;
  EXPECT_EQ(error_of(Shape::mesh(mesh)), ErrorCode::not_finite);
  for (const double x : {1e31, -1e200, 1e-31, 1e-300}) {
    mesh.vertices[3].y = x;
    EXPECT_EQ(error_of(Shape::mesh(mesh)), ErrorCode::out_of_range) << x;
  }
  mesh = test::cube_mesh();
  mesh.corners[5] = 99;
  EXPECT_EQ(error_of(Shape::mesh(mesh)), ErrorCode::out_of_range);
  mesh = test::cube_mesh();
  mesh.materials = {1, 2};
  EXPECT_EQ(error_of(Shape::mesh(mesh)), ErrorCode::out_of_range);
}

TEST(BuildMesh, ASolidMustBeOne) {
  PolygonMesh open = test::cube_mesh();
  open.corners.resize(open.corners.size() - 4);
  open.face_begin.pop_back();
  EXPECT_EQ(error_of(Shape::mesh(open, {Body::solid, {}})), ErrorCode::degenerate);
  EXPECT_FALSE(is_solid(Shape::mesh(open)));
  const PolygonMesh turned = test::inside_out(test::cube_mesh());
  const Result<Shape> refused = Shape::mesh(turned, {Body::solid, {}});
  EXPECT_EQ(error_of(refused), ErrorCode::degenerate);
  EXPECT_NE(refused.error().message.find("orient()"), std::string::npos);
  EXPECT_FALSE(is_solid(Shape::mesh(turned)));
  PolygonMesh one_turned = test::cube_mesh();
  test::turn_face(one_turned, 2);
  EXPECT_EQ(error_of(Shape::mesh(one_turned, {Body::solid, {}})), ErrorCode::degenerate);
  EXPECT_FALSE(is_solid(Shape::mesh(one_turned)));
  PolygonMesh flat; // there and back
  flat.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  test::add_face(flat, {0, 1, 2});
  test::add_face(flat, {0, 2, 1});
  EXPECT_EQ(error_of(Shape::mesh(flat, {Body::solid, {}})), ErrorCode::degenerate);
  EXPECT_FALSE(is_solid(Shape::mesh(flat)));
  EXPECT_TRUE(is_solid(Shape::mesh(test::cube_mesh())));
  EXPECT_TRUE(is_solid(Shape::mesh(test::cube_mesh(), {Body::solid, {}})));
  EXPECT_FALSE(is_solid(Shape::mesh(test::cube_mesh(), {Body::surface, {}})));
  EXPECT_TRUE(is_solid(Shape::mesh(test::with_own_corners(test::cube_mesh()))));
  EXPECT_TRUE(is_solid(Shape::mesh(test::torus_mesh(7, 5))));
  EXPECT_TRUE(is_solid(Shape::mesh(test::matryoshka_mesh())));
  EXPECT_FALSE(is_solid(Shape::mesh(test::terrain_mesh(4))));
  EXPECT_FALSE(is_solid(Shape::mesh(test::moebius_mesh(8, 2))));
}

TEST(BuildMesh, KeepsVerticesAndMaterials) {
  PolygonMesh mesh = test::cube_mesh();
  mesh.materials = {10, 11, 12, 13, 14, 15};
  mesh.vertices.push_back({77, 77, 77}); // no corner of a face: it does not count
  const Shape shape = Shape::mesh(mesh).value();
  const auto& body = *body_of<TriangleMesh>(shape);
  EXPECT_EQ(std::vector(body.vertices().begin(), body.vertices().end()), mesh.vertices);
  ASSERT_EQ(body.surface().size(), 12u);
  for (std::uint32_t t = 0; t < 12; ++t) {
    const Triangle triangle = body.surface()[t];
    // A face of the cube lies in one coordinate plane; its material is 10 and its number.
    const std::uint32_t face = body.material(t) - 10;
    ASSERT_LT(face, 6u);
    for (const Vec3& corner : {triangle.a, triangle.b, triangle.c}) {
      const auto of_face = mesh.face(face);
      EXPECT_TRUE(std::any_of(of_face.begin(), of_face.end(),
                              [&](std::uint32_t v) { return mesh.vertices[v] == corner; }));
    }
  }
  EXPECT_EQ(bounds(shape).max, (Vec3{1, 1, 1}));
  EXPECT_EQ(shape.size(), 1);
}

TEST(BuildCompound, SaysWhatIsWrong) {
  EXPECT_EQ(error_of(compound({})), ErrorCode::too_few);
  const Shape half_space = Shape::half_space({0, 0, 1}, 0).value();
  EXPECT_EQ(error_of(compound({{ball(1), {}}, {half_space, {}}})), ErrorCode::unbounded);
  for (const double x : {nan, 1e31, 1e-31, double{INFINITY}}) {
    EXPECT_EQ(error_of(compound({{ball(1), Pose::at({0, x, 0})}})), ErrorCode::out_of_range);
    if (!(std::fabs(x) < 1e200)) {
      EXPECT_EQ(error_of(compound({{ball(1), {{0, 0, x, 1}, {}}}})), ErrorCode::out_of_range);
    }
  }
  EXPECT_EQ(error_of(compound({{ball(1e30), Pose::at({1e30, 0, 0})}})), ErrorCode::out_of_range);
  const Shape inner = compound({{ball(1), Pose::at({1, 0, 0}), 5}, {ball(2), {}, 6}}).value();
  const Shape nested = compound({{ball(3), {}, 4}, {inner, Pose::at({0, 1, 0}), 9}}).value();
  const auto parts = body_of<Compound>(nested)->parts();
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[1].pose.position, (Vec3{1, 1, 0}));
  EXPECT_EQ(parts[1].material, 5u);
  EXPECT_EQ(parts[2].shape.rounding(), 2);
}

TEST(BuildPointCloud, SaysWhatIsWrong) {
  EXPECT_EQ(error_of(Shape::point_cloud({})), ErrorCode::too_few);
  EXPECT_EQ(error_of(Shape::point_cloud(std::vector<Vec3>{{0, nan, 0}})), ErrorCode::not_finite);
  EXPECT_EQ(error_of(Shape::point_cloud(std::vector<Vec3>{{0, 1e31, 0}})), ErrorCode::out_of_range);
  const std::vector<Vec3> one = {{1, 2, 3}};
  EXPECT_EQ(error_of(Shape::point_cloud(one, -1)), ErrorCode::out_of_range);
  EXPECT_EQ(error_of(Shape::point_cloud(one, nan)), ErrorCode::not_finite);
  EXPECT_EQ(error_of(Shape::point_cloud(one, 1e-31)), ErrorCode::out_of_range);
  EXPECT_EQ(Shape::point_cloud(one, 0.5).value().rounding(), 0.5);
  EXPECT_EQ(Shape::point_cloud(one, 0.5).value().size(), 3.5);
}

TEST(BuildComposite, NoPartOfConvexShapes) {
  const Shape mesh = Shape::mesh(test::cube_mesh()).value();
  EXPECT_EQ(error_of(Shape::sum(mesh, ball(1))), ErrorCode::not_convex);
  EXPECT_EQ(error_of(Shape::hull_of_two(ball(1), mesh)), ErrorCode::not_convex);
  EXPECT_FALSE(mesh.convex());
  EXPECT_FALSE(mesh.polyhedral());
  EXPECT_EQ(std::string(name_of(mesh.kind())), "mesh");
}

// ---- deforming ----

std::vector<Vec3> vertices_of(const Shape& mesh) {
  const auto v = body_of<TriangleMesh>(mesh)->vertices();
  return {v.begin(), v.end()};
}

TEST(Deformed, IsAsAFreshBuild) {
  test::for_each_seed(test::fewer_when_sanitized(300), [](Source& source) {
    const Shape shape = test::CompositeGenerator(source, 1).mesh();
    std::vector<Vec3> moved = vertices_of(shape);
    for (Vec3& v : moved) v = test::coordinates(v * 2 + test::vec3(source));
    const Shape deformed = shape.deformed(moved).value();
    EXPECT_EQ(vertices_of(deformed), moved);
    EXPECT_EQ(deformed.rounding(), shape.rounding());
    EXPECT_NE(deformed.id(), shape.id());
    EXPECT_EQ(body_of<TriangleMesh>(deformed)->solid(), body_of<TriangleMesh>(shape)->solid());
    PolygonMesh fresh;
    fresh.vertices = moved;
    for (const auto& [a, b, c] : body_of<TriangleMesh>(shape)->surface().triangles)
      test::add_face(fresh, {a, b, c});
    const Shape rebuilt = Shape::mesh(fresh).value().rounded(shape.rounding()).value();
    EXPECT_EQ(bounds(deformed).min, bounds(rebuilt).min);
    EXPECT_EQ(bounds(deformed).max, bounds(rebuilt).max);
    EXPECT_EQ(deformed.size(), rebuilt.size());
    for (int i = 0; i < 10; ++i) {
      const Vec3 d = test::direction(source);
      EXPECT_EQ(dot(d, support_point(deformed, d)), dot(d, support_point(rebuilt, d)));
    }
  });
}

TEST(Deformed, ReusesTheStorageOfASpentHandle) {
  const Shape shape = Shape::mesh(test::torus_mesh(6, 5)).value();
  std::vector<Vec3> moved = vertices_of(shape);
  for (Vec3& v : moved) v = v * 2;
  Shape first = shape.deformed(moved).value();
  const Vec3* storage = body_of<TriangleMesh>(first)->vertices().data();
  const std::uint64_t old_id = first.id();
  for (Vec3& v : moved) v = v * 0.25;
  Shape second = shape.deformed(moved, std::move(first)).value();
  EXPECT_EQ(body_of<TriangleMesh>(second)->vertices().data(), storage);
  EXPECT_EQ(vertices_of(second), moved);
  EXPECT_NE(second.id(), old_id);
  EXPECT_EQ(second.size(), bounds(second).max.x);
  // Not where someone else still has it.
  const Shape kept = second;
  const Shape third = shape.deformed(vertices_of(shape), std::move(second)).value();
  EXPECT_EQ(vertices_of(kept), moved);
  EXPECT_NE(body_of<TriangleMesh>(third)->vertices().data(), storage);
  // Not where a rounded one shares the triangles.
  Shape fourth = shape.deformed(moved).value();
  const Shape round = fourth.rounded(0.5).value();
  const Shape fifth = shape.deformed(vertices_of(shape), std::move(fourth)).value();
  EXPECT_EQ(vertices_of(round), moved);
  EXPECT_EQ(vertices_of(fifth), vertices_of(shape));
  // Other triangles: a new shape.
  Shape cube = Shape::mesh(test::cube_mesh()).value();
  EXPECT_EQ(vertices_of(shape.deformed(moved, std::move(cube)).value()), moved);
  // The rounding is this shape's.
  Shape plain = shape.deformed(moved).value();
  const Shape again = shape.rounded(0.25).value().deformed(moved, std::move(plain)).value();
  EXPECT_EQ(again.rounding(), 0.25);
}

TEST(Deformed, RefusesWhatDoesNotFit) {
  const Shape shape = Shape::mesh(test::cube_mesh()).value();
  std::vector<Vec3> moved = vertices_of(shape);
  moved.pop_back();
  EXPECT_EQ(error_of(shape.deformed(moved)), ErrorCode::too_few);
  moved.push_back({nan, 0, 0});
  EXPECT_EQ(error_of(shape.deformed(moved)), ErrorCode::not_finite);
  moved.back() = {1e31, 0, 0};
  EXPECT_EQ(error_of(shape.deformed(moved)), ErrorCode::out_of_range);
  Shape spent = shape.deformed(vertices_of(shape)).value();
  EXPECT_EQ(error_of(shape.deformed(moved, std::move(spent))), ErrorCode::out_of_range);
  EXPECT_EQ(error_of(ball(1).deformed(moved)), ErrorCode::degenerate);
  EXPECT_EQ(error_of(Shape::point_cloud(moved).value_or(ball(1)).deformed(moved)),
            ErrorCode::degenerate);
}

// ---- how far they reach ----

TEST(CompositeSupport, IsTheFarthestOfAllParts) {
  test::for_each_seed(test::fewer_when_sanitized(2000), [](Source& source) {
    static constexpr double scales[] = {1, 1e-6, 1e6, 1e-20, 1e20};
    const double scale = scales[source.index(5)];
    const Shape shape = test::CompositeGenerator(source, scale).any();
    const verify::PlacedShape here{shape, {}};
    const Vec3 d = test::any_direction(source);
    const Vec3 p = support_point(shape, d);
    const double slack = 64 * epsilon * shape.size() + tolerance::coordinate_min;
    const Vec3 e = d / max_abs(d);
    EXPECT_NEAR(dot(p, e), verify::support(here, e), slack);
    EXPECT_LE(verify::distance(p, here), slack);
    // The box holds all, and is no larger than it must be.
    const Pose pose = test::shape_pose(source, scale);
    const verify::PlacedShape there{shape, pose};
    const Aabb box = bounds(shape, pose);
    const double size = shape.size() + max_abs(pose.position);
    for (int i = 0; i < 3; ++i) {
      const double top = verify::support(there, unit_axis(i));
      const double bottom = -verify::support(there, -unit_axis(i));
      // The checker's own rounding: a matrix product.
      EXPECT_GE(box.max[i], top - 4 * epsilon * size);
      EXPECT_LE(box.min[i], bottom + 4 * epsilon * size);
      EXPECT_LE(box.max[i], top + 96 * epsilon * size + tolerance::coordinate_min);
      EXPECT_GE(box.min[i], bottom - 96 * epsilon * size - tolerance::coordinate_min);
    }
    // Where d says nothing: some point.
    for (const Vec3& bad : {Vec3{}, Vec3{nan, 0, 0}, Vec3{INFINITY, 1, 1}})
      EXPECT_LE(verify::distance(support_point(shape, bad), here), slack);
    EXPECT_LE(verify::distance(std::get<Vec3>(shape.core()), here), slack);
  });
}

TEST(CompositeSupport, AMeshAsItIsHasExactBounds) {
  const Shape mesh = Shape::mesh(test::torus_mesh(9, 7)).value();
  Aabb box;
  for (const Vec3& v : vertices_of(mesh)) box = {min(box.min, v), max(box.max, v)};
  EXPECT_EQ(bounds(mesh).min, box.min);
  EXPECT_EQ(bounds(mesh).max, box.max);
}

TEST(CompositeFeature, IsOneSurface) {
  const Shape mesh = Shape::mesh(test::cube_mesh()).value().rounded(0.5).value();
  FaceStorage storage;
  const SupportFace f = support_face(mesh, {1, 0, 0}, 0.9, storage);
  EXPECT_EQ(f.feature, (Feature{FeatureKind::face, 0}));
  ASSERT_EQ(f.corners.size(), 1u);
  EXPECT_EQ(f.corners[0].point.x, 1);
  EXPECT_EQ(f.normal, (Vec3{1, 0, 0}));
}

// ---- rounding and scaling ----

TEST(CompositeScaling, EveryPointIsScaled) {
  test::for_each_seed(test::fewer_when_sanitized(1500), [](Source& source) {
    const Shape shape = test::CompositeGenerator(source, 1).any();
    Vec3 f{test::positive(source), test::positive(source), test::positive(source)};
    if (source.index(2)) f = {f.x, f.x, f.x};
    if (source.chance(3)) f.y = -f.y;
    const Result<Shape> scaled = shape.scaled(f);
    if (!scaled) {
      EXPECT_EQ(error_of(scaled), ErrorCode::not_convex);
      EXPECT_FALSE(f.x == f.y && f.y == f.z);
      return;
    }
    EXPECT_EQ(scaled->kind(), shape.kind());
    const double size = scaled->size() + shape.size() * max_abs(f);
    for (int i = 0; i < 8; ++i) {
      const Vec3 d = test::direction(source);
      const double before = verify::support({shape, {}}, mul(f, d));
      EXPECT_NEAR(verify::support({*scaled, {}}, d), before, 1e-13 * size);
    }
    if (const auto* mesh = body_of<TriangleMesh>(*scaled)) {
      const auto& old = *body_of<TriangleMesh>(shape);
      EXPECT_EQ(mesh->solid(), old.solid());
      if (mesh->solid()) {
        EXPECT_GT(mass_properties(*scaled).volume, 0);
      }
      EXPECT_EQ(mesh->material(0), old.material(0));
    }
  });
}

TEST(CompositeRounding, GrowsByTheRadius) {
  test::for_each_seed(test::fewer_when_sanitized(1000), [](Source& source) {
    const Shape shape = test::CompositeGenerator(source, 1).any();
    const double r = test::positive(source);
    const Shape round = shape.rounded(r).value();
    EXPECT_EQ(round.kind(), shape.kind());
    const Vec3 p = test::vec3(source) * 3;
    const double before = verify::distance(p, {shape, {}});
    EXPECT_NEAR(verify::distance(p, {round, {}}), std::max(0.0, before - r), 1e-9);
    EXPECT_EQ(shape.rounded(0).value(), shape);
    EXPECT_EQ(error_of(shape.rounded(-1)), ErrorCode::out_of_range);
  });
}

} // namespace
} // namespace carom
