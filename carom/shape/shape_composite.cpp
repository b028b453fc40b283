// Building the shapes that are not convex: each body builds itself, and says what is wrong with what it was given.
#include "carom/shape/composite.h"
#include "carom/shape/support.h"

#include <algorithm>

namespace carom {
namespace {

struct SomePoint {
  Vec3 operator()(const TriangleMesh& mesh) const { return mesh.surface()[0].a; }
  Vec3 operator()(const HeightField& field) const {
    return field.triangle(2 * field.some_cell()).a;
  }
  Vec3 operator()(const PointCloud& cloud) const { return cloud.points()[0]; }
  Vec3 operator()(const Compound& compound) const {
    const CompoundPart& part = compound.parts()[0];
    return part.pose.frame().to_world(support_point(part.shape, {1, 0, 0}));
  }
};

double size_of(const Composite& composite) {
  const Aabb box = bounds_of(composite);
  const double reach = std::max(max_abs(box.min), max_abs(box.max));
  const auto* compound = std::get_if<Compound>(&composite.body);
  return compound ? std::max(reach, compound->size()) : reach;
}

Result<Shape> scaled_parts(const Compound& compound, const Vec3& factors) {
  const bool even = factors.x == factors.y && factors.y == factors.z && factors.x > 0;
  std::vector<CompoundPart> parts;
  for (const CompoundPart& part : compound.parts()) {
    if (!even && part.pose.frame().basis != Mat3::identity()) {
      return failure(
          ErrorCode::not_convex,
          "A compound whose parts are turned can only be scaled by three equal positive factors.");
    }
    Result<Shape> shape = part.shape.scaled(factors);
    if (!shape) return shape;
    const Vec3& p = part.pose.position;
    const Vec3 position{p.x * factors.x, p.y * factors.y, p.z * factors.z};
    parts.push_back({*shape, {part.pose.rotation, position}, part.material});
  }
  return Shape::compound(parts);
}

Result<Shape> rounded_parts(const Compound& compound, double radius) {
  std::vector<CompoundPart> parts;
  for (const CompoundPart& part : compound.parts()) {
    Result<Shape> shape = part.shape.rounded(radius);
    if (!shape) return shape;
    parts.push_back({*shape, part.pose, part.material});
  }
  return Shape::compound(parts);
}

} // namespace

Aabb bounds_of(const Composite& composite) {
  return std::visit([](const auto& body) { return body.bounds(); }, composite.body);
}

Shape::Data::Data(ShapeKind given_kind, std::shared_ptr<Composite> given, double given_rounding)
    : Data(given_kind, Vec3{}, given_rounding) {
  composite = std::move(given);
  polyhedral = false;
  composite_changed();
}

void Shape::Data::composite_changed() {
  const Vec3 point = std::visit(SomePoint{}, composite->body);
  core = point;
  inner_ball = {point, 0};
  size = size_of(*composite) + rounding;
  id = next_id();
}

Shape Shape::make(ShapeKind kind, Composite&& composite, double rounding) {
  return Shape(
      std::make_shared<Data>(kind, std::make_shared<Composite>(std::move(composite)), rounding));
}

Result<Shape> Shape::mesh(const PolygonMesh& mesh) { return Shape::mesh(mesh, MeshOptions{}); }

Result<Shape> Shape::mesh(const PolygonMesh& mesh, const MeshOptions& options) {
  return TriangleMesh::build(mesh, options).map([](TriangleMesh&& built) {
    return make(ShapeKind::mesh, Composite{std::move(built)});
  });
}

Result<Shape> Shape::height_field(const HeightFieldInput& input) {
  return HeightField::build(input).map([](HeightField&& built) {
    return make(ShapeKind::height_field, Composite{std::move(built)});
  });
}

Result<Shape> Shape::compound(std::span<const CompoundPart> parts) {
  return Compound::build(parts).map(
      [](Compound&& built) { return make(ShapeKind::compound, Composite{std::move(built)}); });
}

Result<Shape> Shape::point_cloud(std::span<const Vec3> points, double radius) {
  return PointCloud::build(points).and_then([&](PointCloud&& built) {
    return make(ShapeKind::point_cloud, Composite{std::move(built)}).rounded(radius);
  });
}

Result<Shape> Shape::deformed(std::span<const Vec3> vertices) const {
  const auto* mesh = body_of<TriangleMesh>(*this);
  if (!mesh) return failure(ErrorCode::degenerate, "Only a mesh can be deformed.");
  return mesh->deformed(vertices).map([&](TriangleMesh&& moved) {
    return make(ShapeKind::mesh, Composite{std::move(moved)}, rounding());
  });
}

Result<Shape> Shape::deformed(std::span<const Vec3> vertices, Shape&& spent) const {
  const auto* mesh = body_of<TriangleMesh>(*this);
  const auto* old = body_of<TriangleMesh>(spent);
  const bool last = old && mesh && old != mesh && old->same_topology(*mesh) &&
                    spent.data_.use_count() == 1 && spent.data_->composite.use_count() == 1;
  if (!last) return deformed(vertices);
  Data& data = *spent.data_;
  auto& body = std::get<TriangleMesh>(data.composite->body);
  if (auto fit = body.deform(vertices); !fit) return tl::unexpected(fit.error());
  data.rounding = rounding();
  data.composite_changed();
  return std::move(spent);
}

Result<Shape> Shape::rounded_composite(double radius) const {
  if (const auto* parts = body_of<Compound>(*this)) return rounded_parts(*parts, radius);
  const double sum = rounding() + radius;
  return Shape(std::make_shared<Data>(kind(), data_->composite, sum));
}

Result<Shape> Shape::scaled_composite(const Vec3& factors) const {
  if (const auto* parts = body_of<Compound>(*this)) return scaled_parts(*parts, factors);
  const Vec3 sizes = abs(factors);
  if (rounding() > 0 && (sizes.x != sizes.y || sizes.y != sizes.z)) {
    return failure(ErrorCode::not_convex,
                   "What is rounded and not convex can only be scaled by equal factors.");
  }
  const auto finish = [&](Shape&& shape) { return shape.rounded(rounding() * sizes.x); };
  if (const auto* cloud = body_of<PointCloud>(*this)) {
    std::vector<Vec3> points(cloud->points().begin(), cloud->points().end());
    for (Vec3& p : points) p = {p.x * factors.x, p.y * factors.y, p.z * factors.z};
    return point_cloud(points).and_then(finish);
  }
  if (const auto* field = body_of<HeightField>(*this)) {
    return field->scaled(factors)
        .map([](HeightField&& built) {
          return make(ShapeKind::height_field, Composite{std::move(built)});
        })
        .and_then(finish);
  }
  return std::get<TriangleMesh>(composite().body)
      .scaled(factors)
      .map([](TriangleMesh&& built) { return make(ShapeKind::mesh, Composite{std::move(built)}); })
      .and_then(finish);
}

} // namespace carom
