// The triangles of a surface that are near something. Internal to the world.
#pragma once

#include "carom/geometry/box.h"
#include "carom/geometry/triangle.h"
#include "carom/shape/shape.h"
#include "carom/tree/triangle_surface.h"

#include <cstdint>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

class HeightField;

/// Whether a shape is a surface of triangles and nothing more: a mesh that is not a solid, or a height field, not rounded.
[[nodiscard]] bool is_surface(const Shape& shape);

// Of such a shape, in its own frame.

/// Of a mesh: numbers of the leaves of its tree whose boxes meet this one, sorted; some more may be among them.
void find_leaves(const Shape& surface, const Aabb& box, std::vector<std::uint32_t>& found);
/// Numbers of the triangles whose boxes meet this one, sorted.
void find_triangles(const Shape& surface, const Aabb& box, std::vector<std::uint32_t>& found);
[[nodiscard]] Triangle triangle_of(const Shape& surface, std::uint32_t number);
/// The same for many of them. The shape must outlive it.
class SurfaceTriangles {
public:
  SurfaceTriangles() = default;
  explicit SurfaceTriangles(const Shape& surface);
  [[nodiscard]] Triangle operator[](std::uint32_t number) const {
    return field_ == nullptr ? mesh_[number] : of_field(number);
  }

private:
  [[nodiscard]] Triangle of_field(std::uint32_t number) const;
  TriangleSurface mesh_;
  const HeightField* field_ = nullptr;
};
/// A distance that the box has from all triangles, at least; some of it at `most` is enough. Of a height field, 0.
[[nodiscard]] double distance_from(const Shape& surface, const Aabb& box, double most);

} // namespace carom
