// Lines against boxes and k-DOPs: the slab method. See cast.h for what is returned.
#pragma once

#include "carom/geometry/box.h"
#include "carom/geometry/cast.h"
#include "carom/geometry/kdop.h"

#include <span>

namespace [[gnu::visibility("default")]] carom {

/// A line parallel to a slab is judged exactly: on the plane of a face is in. The normals are axes of the world; at an edge or a corner,
/// one of those that meet there.
[[nodiscard]] LineSpan clip(const Line& line, const Aabb& box);

/// In the frame of the box. The normals are its axes or their opposites.
[[nodiscard]] LineSpan clip(const Line& line, const Obb& box);

/// The points with min[i] <= direction[i] . x <= max[i] for all i. The directions need not be unit vectors; the normals are.
[[nodiscard]] LineSpan clip_slabs(const Line& line, std::span<const Vec3> directions,
                                  std::span<const double> min, std::span<const double> max);

template<int K>
[[nodiscard]] LineSpan clip(const Line& line, const Kdop<K>& kdop) {
  return clip_slabs(line, Kdop<K>::directions(), kdop.min, kdop.max);
}

} // namespace gnu::visibility("default")]]carom
