// Where a ray first meets a placed shape, with the proof.
//
//   RayHit h = ray_cast(rock, pose, Ray{eye, look});
//   if (h) paint(h.point, h.normal);                                 // h.t counts in multiples of `look`
//
// The proof is in the answer (answer.h); verify::check_ray_cast confirms it without trusting anything here.
#pragma once

#include "carom/geometry/line.h"
#include "carom/query/answer.h"
#include "carom/shape/shape.h"
#include "carom/tree/triangle_rays.h"

#include <cmath>

namespace [[gnu::visibility("default")]] carom {

struct RayCastOptions {
  /// How far to look, in multiples of the ray's direction: the end counts. Infinite: all the way. A negative one misses everything.
  double max_t = INFINITY;
  /// Give the direction that separates ray and shape, too, where they do not meet: a search, where a formula alone would do to say no.
  bool prove_misses = false;
  /// Of a mesh: which sides of its triangles count. Others are hit where the ray enters them.
  Faces faces = Faces::both;
  /// Any hit will do, not only the first: quicker, for shadows and lines of sight.
  bool any = false;
};

/// For every kind of shape. As for the primitives (geometry/cast.h): touching counts, the direction has any length, a zero direction makes the ray a
/// point that hits where it lies in the shape, and a start inside is a hit at t = 0 without a normal.
///
/// The position and the direction are finite, their coordinates at most 1e30 in absolute value, and the direction is zero or at least 1e-30 long;
/// max_t is a number. Else the status is bad_input. How exact: the point lies in the shape to within 1e-13 of the shape's size and distance (1e-11 where
/// it is curved and has no formula), and the shape behind the plane through it; a hit or miss may go either way only where the ray
/// passes the border as near as that.
[[nodiscard]] RayHit ray_cast(const Shape& shape, const Pose& pose, const Ray& ray,
                              const RayCastOptions& options = {});

} // namespace carom
