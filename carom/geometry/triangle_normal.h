// The normal of a triangle, right also for slivers.
#pragma once

#include "carom/math/vec3.h"

namespace [[gnu::visibility("default")]] carom {

/// (b - a) x (c - a), twice the area long: its error is below 2^-48 of its own length, however thin the triangle and however far from
/// the origin. Zero only where the points are exactly collinear. (The plain formula has an error of a few epsilon of the *edges'*
/// lengths multiplied, which is all of a sliver's normal.)
[[nodiscard]] Vec3 triangle_normal(const Vec3& a, const Vec3& b, const Vec3& c);

} // namespace carom
