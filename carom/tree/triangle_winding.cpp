// A ray along an axis meets only triangles whose boxes reach the line that it is on, on its side of the point: those of a box without width from the point to beyond the tree. A triangle on which the
// point lies is among them. One triangle alone counts 0 for rays that do not meet it, so it does no harm that the tree names some too many.
#include "carom/tree/triangle_winding.h"

#include "carom/geometry/containment.h"
#include "carom/tree/volume_query.h"

#include <cmath>

namespace carom {
namespace {

/// Of all triangles; a little larger, perhaps.
Aabb bounds_of(const WideTree& tree) {
  const TreeFrame& frame = tree.frame();
  const FloatBox box = tree.nodes()[0].box();
  Aabb bounds;
  for (int k = 0; k < 3; ++k) {
    const auto i = static_cast<std::size_t>(k);
    // Outward by what rounding may take away, here and where the boxes were made.
    const double slack =
        static_cast<double>(tree_slack) * frame.unit + 0x1p-50 * std::fabs(frame.center[k]);
    bounds.min[k] = frame.center[k] + static_cast<double>(box.min[i]) * frame.unit - slack;
    bounds.max[k] = frame.center[k] + static_cast<double>(box.max[i]) * frame.unit + slack;
  }
  return bounds;
}

/// The shortest way out.
AxisRay ray_out(const Aabb& bounds, const Vec3& p) {
  AxisRay ray;
  double least = INFINITY;
  for (int k = 0; k < 3; ++k) {
    for (const bool forward : {true, false}) {
      const double way = forward ? bounds.max[k] - p[k] : p[k] - bounds.min[k];
      if (!(way < least)) continue;
      least = way;
      ray = {k, forward};
    }
  }
  return ray;
}

/// What is looked for, and found so far: one object, so that the tree's visitor is one pointer and nothing is allocated.
struct Column {
  const TriangleSurface& surface;
  const Vec3& point;
  AxisRay ray;
  bool look_on, look_around;
  bool on = false;
  std::int64_t around = 0;

  /// Whether to go on.
  bool add(std::span<const std::uint32_t> triangles) {
    for (const std::uint32_t i : triangles) {
      const Triangle t = surface[i];
      if (look_on && locate_in_triangle(point, t) != Containment::outside) {
        on = true;
        return false;
      }
      if (look_around) around += crossing(t, point, ray);
    }
    return true;
  }
};

/// False where the point is beyond all triangles.
bool search(const TriangleTree& tree, Column& column) {
  const Vec3& p = column.point;
  if (tree.tree().empty() || !is_finite(p)) return false;
  const Aabb bounds = bounds_of(tree.tree());
  if (min(bounds.min, p) != bounds.min || max(bounds.max, p) != bounds.max) return false;
  Aabb box{p, p};
  if (column.look_around) {
    column.ray = ray_out(bounds, p);
    const int k = column.ray.axis;
    if (column.ray.forward)
      box.max[k] = bounds.max[k];
    else
      box.min[k] = bounds.min[k];
  }
  visit_touching(tree.tree(), box, [&column](std::span<const std::uint32_t> triangles) {
    return column.add(triangles);
  });
  return true;
}

} // namespace

std::int64_t winding_around(const TriangleTree& tree, const TriangleSurface& surface,
                            const Vec3& point) {
  Column column{surface, point, {}, false, true};
  search(tree, column);
  return column.around;
}

bool is_on_surface(const TriangleTree& tree, const TriangleSurface& surface, const Vec3& point) {
  Column column{surface, point, {}, true, false};
  search(tree, column);
  return column.on;
}

PointPlace locate(const TriangleTree& tree, const TriangleSurface& surface, const Vec3& point) {
  Column column{surface, point, {}, true, true};
  search(tree, column);
  if (column.on) return PointPlace::on_surface;
  return column.around > 0 ? PointPlace::inside : PointPlace::outside;
}

} // namespace carom
