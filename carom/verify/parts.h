// The checker's own view of a shape that is not convex: all its convex parts, one by one, and the solids that some of them bound.
//
// No trees, no order: lists. A compound's part is placed by pose * pose-of-the-part, as compound.h says; its meshes and clouds are taken apart in turn.
#pragma once

#include "carom/shape/composite.h"
#include "carom/shape/part_id.h"
#include "carom/verify/shape.h"

#include <utility>
#include <vector>

namespace [[gnu::visibility("default")]] carom {
namespace verify {

struct ConvexPart {
  PlacedShape placed;
  PartId id;
};

/// A triangle is Shape::triangle with the rounding of the mesh or height field, a point of a cloud Shape::sphere. A convex shape is its own one part.
[[nodiscard]] std::vector<ConvexPart> convex_parts(const PlacedShape& placed);

/// Those that are solid: the shape itself, or parts of a compound.
[[nodiscard]] std::vector<PlacedShape> solid_meshes(const PlacedShape& placed);

/// A compound's parts, meshes and clouds whole, each with its number; of any other shape itself.
[[nodiscard]] std::vector<std::pair<PlacedShape, std::uint32_t>>
components(const PlacedShape& placed);

/// Whether the solid mesh's triangles are wound around p, or touch it: exact, but for p's coordinates in the mesh's frame, which are rounded.
[[nodiscard]] bool wound_around(const PlacedShape& solid, const Vec3& p);
/// Of the triangles of a mesh or height field, without the rounding and what is inside.
[[nodiscard]] double distance_from_triangles(const Vec3& p, const PlacedShape& mesh);

/// A part of a compound, in the world. Rotations of any length count as what they turn by; a coordinate that comes out below the least is 0.
[[nodiscard]] Pose pose_of_part(const Pose& whole, const Pose& part);

/// Where p is in the frame: by the inverse of its matrix, not the transpose, which differs in the last bits. In extended precision, so that only the result
/// is rounded.
[[nodiscard]] Vec3 to_local(const Frame& frame, const Vec3& p);

// What shape.h says, for shapes that are not convex.
[[nodiscard]] double composite_support(const PlacedShape& placed, const Vec3& d);
[[nodiscard]] Vec3 composite_farthest(const PlacedShape& placed, const Vec3& d);
[[nodiscard]] double composite_distance(const Vec3& p, const PlacedShape& placed);

} // namespace verify
} // namespace carom
