// Does a direction lead away from a shape that is made of parts? What tells an inner edge of a mesh from a true one. Internal to the contacts.
//
// A contact with one part, a triangle, say, may have a normal that is right for the part alone: at its edge, any direction away from it. In the whole surface, that edge may be between two triangles of a
// floor, where the only way out is up. The rule that needs no adjacency: d leads out of the shape at its point p where no part that p belongs to reaches beyond the plane through p at right angles to d.
// That is how it is for a convex edge between the normals of its two faces; of an edge in a flat, only along its normal; of one in a valley, never. It holds alike for triangles with shared
// vertices, for soups and T-junctions, and for boxes that stand side by side.
#pragma once

#include "carom/math/scratch.h"
#include "carom/shape/parts.h"

namespace [[gnu::visibility("default")]] carom {

/// A part of a shape: of a compound, and within that part.
struct PartPlace {
  std::uint32_t part = 0, element = 0;

  constexpr bool operator==(const PartPlace&) const = default;
  constexpr bool operator<(const PartPlace& o) const {
    return part != o.part ? part < o.part : element < o.element;
  }
};

class OutwardTest {
public:
  /// Of the angle that another part may rise above the plane: faces that are flat to within it count as flat. Far above the rounding of the poses of what rests on a floor, far below what can be felt.
  static constexpr double flat_sine = 1e-4;

  /// Refers to the shape and the pose. `rounding` is how far points may be off.
  OutwardTest(const Shape& shape, const Pose& pose, double rounding);

  enum class Own : std::uint8_t {
    counts, ///< p is to be the farthest point of its own triangle, too, unless d is the normal of that, to within the 5 degrees of a patch
    joins   ///< what others say is enough
  };
  /// Whether d, a unit vector in the world, leads out at p, a point of the surface of the part `own`. Always for a convex shape. Of a solid mesh, not where it leads inward.
  [[nodiscard]] bool operator()(const PartPlace& own, const Vec3& p, const Vec3& d, Own kind);

private:
  /// Of one part, which `part_` has taken; p and d are in the frame of the whole.
  [[nodiscard]] bool allows_triangle(bool is_own, const Vec3& p, const Vec3& d, Own kind);
  [[nodiscard]] bool allows_convex(const Vec3& p, const Vec3& d) const;

  const Shape& shape_;
  Frame frame_;
  double rounding_, within_;
  bool solid_;
  double outwardness_ = 0; ///< of d, summed over the triangles at p
  PartTree tree_;
  PartShape part_;
  ScratchVector<PartGroup> waiting_;
};

} // namespace carom
