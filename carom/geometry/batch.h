// One against eight: the tests that a tree node or a leaf asks eight times, in one go.
//
// Eight things are stored side by side, coordinate by coordinate, and tested in lanes (AVX-512, AVX2, SSE: chosen at run time).
// Every lane is bit-equal to the scalar form named at the function. Lanes that hold nothing are filled with a thing that is never hit.
#pragma once

#include "carom/geometry/box.h"
#include "carom/geometry/line.h"
#include "carom/geometry/ray_slabs.h"
#include "carom/geometry/swept_sphere.h"
#include "carom/geometry/triangle.h"

#include <cstdint>
#include <span>

namespace [[gnu::visibility("default")]] carom {

/// Up to eight boxes; the rest are empty. Row 0, 1, 2: the least x, y, z of each; row 3, 4, 5: the greatest.
struct alignas(64) Aabb8 {
  double row[6][8];

  /// The first eight of them.
  explicit Aabb8(std::span<const Aabb> boxes);
};

/// Up to eight balls; the rest have no points. Rows: x, y, z of the centre, the radius.
struct alignas(64) Sphere8 {
  double row[4][8];

  explicit Sphere8(std::span<const Sphere> spheres);
};

/// Up to eight triangles; the rest are never hit. Rows: x, y, z of corner a, then of b, then of c.
struct alignas(64) Triangle8 {
  double row[9][8];
  std::uint8_t used; ///< bit i: lane i holds a triangle

  explicit Triangle8(std::span<const Triangle> triangles);
};

/// Bit i: box and box i overlap, as overlaps(Aabb, Aabb) says.
[[nodiscard]] std::uint8_t overlaps(const Aabb& box, const Aabb8& boxes);

/// Bit i: ball and ball i overlap, as overlaps(Sphere, Sphere) says.
[[nodiscard]] std::uint8_t overlaps(const Sphere& sphere, const Sphere8& spheres);

/// Bit i: the ray may hit box i. t[i] is enter(ray, box i), infinite where it does not.
struct RayBoxes8 {
  std::uint8_t hit;
  alignas(64) double t[8];
};
[[nodiscard]] RayBoxes8 enter(const RaySlabs& ray, const Aabb8& boxes);

/// Bit i: the ray hits triangle i. t[i] is that of cast(ray, triangle i, t_max), infinite where it does not. Exact, as that is:
/// lanes that rounding leaves in doubt are asked again, one by one.
struct RayTriangles8 {
  std::uint8_t hit;
  alignas(64) double t[8];
};
[[nodiscard]] RayTriangles8 cast(const Ray& ray, const Triangle8& triangles,
                                 double t_max = INFINITY);

} // namespace carom
