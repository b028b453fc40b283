// A bounding volume around two of its kind: what the inner nodes of a hierarchy are made of.
//
// The result encloses both. Where one contains the other, it is that one (up to rounding for those along their own axes). The empty
// one (an empty box, a negative radius or half extent) vanishes. Shells: spherical_shell.h.
#pragma once

#include "carom/geometry/box.h"
#include "carom/geometry/kdop.h"
#include "carom/geometry/swept_sphere.h"

namespace [[gnu::visibility("default")]] carom {

/// The least; exact.
[[nodiscard]] constexpr Aabb merge(const Aabb& a, const Aabb& b) {
  return {min(a.min, b.min), max(a.max, b.max)};
}

/// Tight slabs where both have them; exact. (Not the hull's: the merged slabs may have room at their corners.)
template<int K>
[[nodiscard]] constexpr Kdop<K> merge(const Kdop<K>& a, const Kdop<K>& b) {
  Kdop<K> result = a;
  for (std::size_t i = 0; i < a.min.size(); ++i) {
    if (b.min[i] < a.min[i]) result.min[i] = b.min[i];
    if (b.max[i] > a.max[i]) result.max[i] = b.max[i];
  }
  return result;
}

/// The least ball, up to rounding; encloses both in exact arithmetic. One in the other, also touching from inside or about the same
/// centre: the greater, to the bit, wherever intervals can tell.
[[nodiscard]] Sphere merge(const Sphere& a, const Sphere& b);

/// The least of: along the axes of a, of b, halfway between (as rotations), and the best by principal axes of the corners. Not the least of all.
/// Enclosed up to 32 epsilon of the size by a margin of that.
[[nodiscard]] Obb merge(const Obb& a, const Obb& b);

/// The least of: along the core of a, of b, between the two cores, and from one to the other; or a ball. Encloses both in exact arithmetic.
[[nodiscard]] Capsule merge(const Capsule& a, const Capsule& b);

/// The least with the axes of a or of b, their roles permuted. Enclosed up to 32 epsilon of the size by a margin of that.
[[nodiscard]] Lozenge merge(const Lozenge& a, const Lozenge& b);

} // namespace carom
