#include "carom/verify/parts.h"

#include "carom/mesh/winding_number.h"
#include "carom/shape/composite.h"

namespace carom::verify {
namespace {

void add_parts(const Shape& shape, const Pose& pose, const PartId& within,
               std::vector<PlacedPart>& parts) {
  const auto add = [&](std::uint32_t element, std::uint32_t material, Result<Shape> part) {
    const Shape rounded = part->rounded(shape.rounding()).value();
    parts.push_back({{element, within.part, material}, {rounded, pose}});
  };
  if (const auto* mesh = body_of<TriangleMesh>(shape)) {
    for (std::uint32_t i = 0; i < mesh->surface().size(); ++i) {
      const Triangle t = mesh->surface()[i];
      add(i, mesh->material(i), Shape::triangle(t.a, t.b, t.c));
    }
  } else if (const auto* cloud = body_of<PointCloud>(shape)) {
    for (std::uint32_t i = 0; i < cloud->points().size(); ++i)
      add(i, within.material, Shape::point(cloud->points()[i]));
  } else if (const auto* compound = body_of<Compound>(shape)) {
    for (std::uint32_t i = 0; i < compound->parts().size(); ++i) {
      const CompoundPart& part = compound->parts()[i];
      add_parts(part.shape, pose * part.pose, {PartId::none, i, part.material}, parts);
    }
  } else {
    parts.push_back({within, {shape, pose}});
  }
}

} // namespace

std::vector<PlacedPart> convex_parts(const PlacedShape& placed) {
  std::vector<PlacedPart> parts;
  add_parts(placed.shape, placed.pose, {}, parts);
  return parts;
}

bool inside_solid(const PlacedShape& placed, const Vec3& point) {
  if (const auto* compound = body_of<Compound>(placed.shape)) {
    for (const CompoundPart& part : compound->parts())
      if (inside_solid({part.shape, placed.pose * part.pose}, point)) return true;
    return false;
  }
  const auto* mesh = body_of<TriangleMesh>(placed.shape);
  if (!mesh || !mesh->solid()) return false;
  const TriangleSurface surface = mesh->surface();
  std::vector<std::uint32_t> begin, corners;
  for (const auto& triangle : surface.triangles) {
    begin.push_back(static_cast<std::uint32_t>(corners.size()));
    corners.insert(corners.end(), triangle.begin(), triangle.end());
  }
  begin.push_back(static_cast<std::uint32_t>(corners.size()));
  const Vec3 local = placed.pose.frame().to_local(point);
  return locate(PolygonSurface{surface.vertices, begin, corners}, local, true) !=
         PointPlace::outside;
}

} // namespace carom::verify
