// A convex solid given by its faces' planes.
#pragma once

#include "carom/geometry/plane.h"

#include <span>

namespace [[gnu::visibility("default")]] carom {

/// The points in all of the half-spaces. It refers to them and does not own them. It may be empty, flat, or reach to infinity; with no
/// half-space it is all of space.
struct ConvexPolyhedron {
  std::span<const HalfSpace> faces;
};

} // namespace carom
