// The kernels are compiled once for each instruction set (everything between the HWY_ lines), and chosen at run time.
#undef HWY_TARGET_INCLUDE
#if defined(__aarch64__)
#define HWY_DISABLED_TARGETS                                                                       \
  (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128) // vectors without a size cannot be members
#endif
#define HWY_TARGET_INCLUDE "carom/geometry/batch.cpp"
#include <hwy/foreach_target.h>

#include "carom/geometry/batch.h"
#include "carom/geometry/cast_flat.h"
#include "carom/math/tolerance.h"
#include "carom/math/wide.h"

#include <algorithm>
#include <bit>

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {

std::uint8_t box_boxes(const Aabb& box, const Aabb8& boxes) {
  // Empty lanes are infinitely far the wrong way, and fail; the caller sees to an empty box.
  const auto along = [&](int axis) HWY_ATTR {
    return (load8(boxes.row[axis]) <= all8(box.max[axis])) &
           (all8(box.min[axis]) <= load8(boxes.row[axis + 3]));
  };
  return bits8(along(0) & along(1) & along(2));
}

std::uint8_t sphere_spheres(const Sphere& sphere, const Sphere8& spheres) {
  const Vec3x8 d{load8(spheres.row[0]) - all8(sphere.center.x),
                 load8(spheres.row[1]) - all8(sphere.center.y),
                 load8(spheres.row[2]) - all8(sphere.center.z)};
  const Double8 reach = all8(sphere.radius) + load8(spheres.row[3]);
  return bits8(sqrt8(dot8(d, d)) <= reach);
}

void ray_boxes(const RaySlabs& ray, const Aabb8& boxes, RayBoxes8& result) {
  Double8 low = all8(0), high = all8(ray.t_max * slab_widening);
  for (int axis = 0; axis < 3; ++axis) {
    const bool back = std::signbit(ray.inverse[axis]);
    const Double8 origin = all8(ray.origin[axis]), inverse = all8(ray.inverse[axis]);
    const Double8 near = (load8(boxes.row[back ? axis + 3 : axis]) - origin) * inverse;
    const Double8 far =
        (load8(boxes.row[back ? axis : axis + 3]) - origin) * inverse * all8(slab_widening);
    low = select8(low < near, near, low);
    high = select8(far < high, far, high);
  }
  // Parallel to a slab and outside it: the near end is infinite.
  const Mask8 hit = (low <= high) & (low < all8(INFINITY));
  store8(select8(hit, low, all8(INFINITY)), result.t);
  result.hit = bits8(hit);
}

/// Bit i: the line of the ray may pass triangle i: it does not go by two edges on certainly opposite sides. The numbers and their
/// error bound are those of the scalar cast (triangle_meeting.cpp).
std::uint8_t may_pass(const Ray& ray, const Triangle8& t) {
  const Vec3x8 origin{all8(ray.origin.x), all8(ray.origin.y), all8(ray.origin.z)};
  const Vec3x8 d{all8(ray.direction.x), all8(ray.direction.y), all8(ray.direction.z)};
  const auto corner = [&](int i) HWY_ATTR {
    return Vec3x8{load8(t.row[3 * i]), load8(t.row[3 * i + 1]), load8(t.row[3 * i + 2])} - origin;
  };
  const Vec3x8 a = corner(0), b = corner(1), c = corner(2);
  const auto greater = [](const Double8& x, const Double8& y)
                           HWY_ATTR { return select8(x < y, y, x); };
  const auto reach_of = [&](const Vec3x8& v)
                            HWY_ATTR { return greater(greater(abs8(v.x), abs8(v.y)), abs8(v.z)); };
  const Double8 reach = greater(greater(reach_of(a), reach_of(b)), reach_of(c));
  const double size =
      std::fabs(ray.direction.x) + std::fabs(ray.direction.y) + std::fabs(ray.direction.z);
  const Double8 bound = all8(9 * tolerance::epsilon * size) * reach * reach;
  const Double8 minus_bound = all8(0) - bound;
  const Vec3x8 d_a = cross8(d, a);
  const Double8 ab = dot8(d_a, b), ac = dot8(d_a, c), bc = dot8(cross8(d, b), c);
  const Mask8 all_may_be_positive = (minus_bound <= ab) & (ac <= bound) & (minus_bound <= bc);
  const Mask8 all_may_be_negative = (ab <= bound) & (minus_bound <= ac) & (bc <= bound);
  return bits8(all_may_be_positive | all_may_be_negative);
}

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace carom {
namespace {

HWY_EXPORT(box_boxes);
HWY_EXPORT(sphere_spheres);
HWY_EXPORT(ray_boxes);
HWY_EXPORT(may_pass);

// Lane i of every row from item i; the lanes behind the last item from `nothing`.
template<class Item, std::size_t Rows, class RowOf>
void fill(double (&row)[Rows][8], std::span<const Item> items, const Item& nothing, RowOf&& value) {
  for (std::size_t lane = 0; lane < 8; ++lane) {
    const Item& item = lane < items.size() ? items[lane] : nothing;
    for (std::size_t r = 0; r < Rows; ++r) row[r][lane] = value(item, static_cast<int>(r));
  }
}

} // namespace

Aabb8::Aabb8(std::span<const Aabb> boxes) {
  // Whatever way a box is empty, the lane holds the one that nothing overlaps.
  fill(row, boxes, Aabb{}, [](const Aabb& b, int r) {
    const Aabb box = b.empty() ? Aabb{} : b;
    return r < 3 ? box.min[r] : box.max[r - 3];
  });
}

Sphere8::Sphere8(std::span<const Sphere> spheres) {
  fill(row, spheres, Sphere{{}, -INFINITY},
       [](const Sphere& s, int r) { return r < 3 ? s.center[r] : s.radius; });
}

Triangle8::Triangle8(std::span<const Triangle> triangles)
    : used(static_cast<std::uint8_t>((1u << std::min<std::size_t>(triangles.size(), 8)) - 1)) {
  fill(row, triangles, Triangle{}, [](const Triangle& t, int r) { return t[r / 3][r % 3]; });
}

std::uint8_t overlaps(const Aabb& box, const Aabb8& boxes) {
  return box.empty() ? std::uint8_t{0} : HWY_DYNAMIC_DISPATCH(box_boxes)(box, boxes);
}

std::uint8_t overlaps(const Sphere& sphere, const Sphere8& spheres) {
  return HWY_DYNAMIC_DISPATCH(sphere_spheres)(sphere, spheres);
}

RayBoxes8 enter(const RaySlabs& ray, const Aabb8& boxes) {
  RayBoxes8 result;
  HWY_DYNAMIC_DISPATCH(ray_boxes)(ray, boxes, result);
  return result;
}

RayTriangles8 cast(const Ray& ray, const Triangle8& triangles, double t_max) {
  RayTriangles8 result{
      0, {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY}};
  unsigned candidates = HWY_DYNAMIC_DISPATCH(may_pass)(ray, triangles) & triangles.used;
  for (; candidates != 0; candidates &= candidates - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(candidates));
    Triangle t;
    for (int i = 0; i < 9; ++i) t[i / 3][i % 3] = triangles.row[i][lane];
    const TriangleHit hit = cast(ray, t, t_max);
    if (!hit.hit) continue;
    result.hit = static_cast<std::uint8_t>(result.hit | 1u << lane);
    result.t[lane] = hit.t;
  }
  return result;
}

} // namespace carom
#endif
