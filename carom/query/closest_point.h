// How far a point is from a placed shape, or how deep inside, and the nearest point of its surface, with the proof.
//
//   SurfacePoint s = closest_point(p, rock, pose);
//   p += s.normal * (0.1 - s.value);                                 // now 0.1 outside
//
// verify::check_closest_point confirms it without trusting anything here. (The same for primitives that are no shapes, without depth:
// geometry/closest_point.h.)
#pragma once

#include "carom/query/answer.h"
#include "carom/query/pair_cache.h"
#include "carom/shape/shape.h"

namespace [[gnu::visibility("default")]] carom {

/// For every kind of shape. A flat shape has no inside: its value is never negative, and on it the normal is one of its two sides, of a segment or a point any at right
/// angles. Nothing is allocated for points outside, or of kinds with a formula: spheres, capsules, tapered capsules, boxes, cylinders, cones,
/// half-spaces, rounded triangles, and hulls and brushes from inside. Coordinates of p out of range give bad_input. The cache serves
/// the kinds without a formula.
[[nodiscard]] SurfacePoint closest_point(const Vec3& p, const Shape& shape, const Pose& pose,
                                         PairCache* cache = nullptr);

} // namespace carom
