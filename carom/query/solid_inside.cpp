#include "carom/query/solid_inside.h"

#include "carom/shape/height_field_near.h"
#include "carom/shape/support.h"
#include "carom/tree/triangle_winding.h"
#include "carom/tree/volume_query.h"

namespace carom {
namespace {

class Solid {
public:
  Solid(const TriangleMesh& mesh, const Frame& frame, const Frame& other)
      : mesh_(mesh), frame_(frame), other_(other) {}

  /// Of a point in the other shape's frame.
  [[nodiscard]] bool contains(const Vec3& p) const {
    const Vec3 local = frame_.to_local(other_.to_world(p));
    const Aabb& box = mesh_.bounds();
    if (min(local, box.min) != box.min || max(local, box.max) != box.max) return false;
    return locate(mesh_.tree(), mesh_.surface(), local) != PointPlace::outside;
  }
  /// Around it, in the other shape's frame.
  [[nodiscard]] Obb box() const {
    const Obb own = to_obb(mesh_.bounds());
    const Mat3& basis = frame_.basis;
    return {other_.to_local(frame_.to_world(own.center)),
            {other_.direction_to_local(basis.x), other_.direction_to_local(basis.y),
             other_.direction_to_local(basis.z)},
            own.half};
  }

private:
  const TriangleMesh& mesh_;
  const Frame &frame_, &other_;
};

std::optional<InsidePoint> find_inside(const Solid& solid, const TriangleMesh& other) {
  for (const std::uint32_t triangle : other.anchor_triangles()) {
    const Vec3 corner = other.surface()[triangle].a;
    if (solid.contains(corner)) return InsidePoint{corner, {triangle, 0, other.material(triangle)}};
  }
  return {};
}

std::optional<InsidePoint> find_inside(const Solid& solid, const PointCloud& other) {
  std::optional<InsidePoint> found;
  visit_touching(other.tree(), solid.box(), [&](std::span<const std::uint32_t> points) {
    for (const std::uint32_t i : points) {
      if (!solid.contains(other.points()[i])) continue;
      found = {other.points()[i], {i, 0, 0}};
      return false;
    }
    return true;
  });
  return found;
}

/// Each piece of the field has a cell of lowest number: to the left of it and below it there is nothing.
std::optional<InsidePoint> find_inside(const Solid& solid, const HeightField& other) {
  const auto try_cell = [&](std::uint32_t cell) -> std::optional<InsidePoint> {
    const Vec3 p = other.triangle(2 * cell).a;
    if (!solid.contains(p)) return {};
    return InsidePoint{p, {2 * cell, 0, other.material(2 * cell)}};
  };
  if (!other.has_holes()) return try_cell(0);
  const std::uint32_t columns = other.cell_columns();
  const auto begins_piece = [&](std::uint32_t cell) {
    return (cell % columns == 0 || other.hole(cell - 1)) &&
           (cell < columns || other.hole(cell - columns));
  };
  const Obb box = solid.box();
  const Vec3 half = abs(box.axes) * box.half;
  std::optional<InsidePoint> found;
  visit_triangles(other, {box.center - half, box.center + half}, [&](std::uint32_t triangle) {
    if (triangle % 2 == 0 && begins_piece(triangle / 2)) found = try_cell(triangle / 2);
    return !found;
  });
  return found;
}

/// Taken apart before it comes to this.
std::optional<InsidePoint> find_inside(const Solid&, const Compound&) { return {}; }

} // namespace

std::optional<InsidePoint> point_inside(const Shape& solid, const Frame& solid_frame,
                                        const Shape& other, const Pose& pose) {
  const auto* mesh = body_of<TriangleMesh>(solid);
  if (!mesh || !mesh->solid() || !other.bounded()) return {};
  const Frame frame = pose.frame();
  const Solid view(*mesh, solid_frame, frame);
  std::optional<InsidePoint> found;
  if (other.convex()) {
    const Vec3 p = support_point(other, {1, 0, 0});
    if (view.contains(p)) found = {p, {}};
  } else {
    found = std::visit([&](const auto& body) { return find_inside(view, body); },
                       other.composite().body);
  }
  if (found) found->point = frame.to_world(found->point);
  return found;
}

} // namespace carom
