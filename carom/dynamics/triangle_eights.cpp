// Compiled once for each instruction set, and chosen at run time. Lanes never meet, so that their number changes nothing.
#undef HWY_TARGET_INCLUDE
#if defined(__aarch64__)
#define HWY_DISABLED_TARGETS                                                                       \
  (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128) // vectors without a size cannot be members
#endif
#define HWY_TARGET_INCLUDE "carom/dynamics/triangle_eights.cpp"
#include <hwy/foreach_target.h>

#include "carom/dynamics/triangle_eights.h"
#include "carom/math/wide_float-inl.h"

#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {
namespace {

struct PlaneLanes {
  Float8 x, y, z, offset;

  HWY_INLINE PlaneLanes(const TriangleEight::Plane& p, const float* shift)
      : x(load_floats(p.x)), y(load_floats(p.y)), z(load_floats(p.z)),
        offset(load_floats(p.offset) + x * all_floats(shift[0]) + y * all_floats(shift[1]) +
               z * all_floats(shift[2])) {}
  [[nodiscard]] HWY_INLINE Float8 height(const Float8& px, const Float8& py,
                                         const Float8& pz) const {
    return x * px + y * py + z * pz - offset;
  }
};

/// 1 where the centre of the points is on the normal's side, else -1.
HWY_INLINE Float8 side_of(const PlaneLanes& own, const EightPoints& points) {
  const Float8 middle = own.height(all_floats(points.center[0]), all_floats(points.center[1]),
                                   all_floats(points.center[2]));
  return select(middle < all_floats(0), all_floats(-1), all_floats(1));
}

HWY_INLINE void measure_eight(const PlacedEight& e, const EightPoints& points, EightGaps& gaps) {
  const TriangleEight& t = *e.planes;
  const PlaneLanes own(t.own, e.shift), a(t.sides[0], e.shift), b(t.sides[1], e.shift),
      c(t.sides[2], e.shift);
  const Float8 side = side_of(own, points);
  Float8 low = all_floats(3e38F), beyond_a = low, beyond_b = low, beyond_c = low;
  Float8 tip_a = low, tip_b = low, tip_c = low;
  for (std::size_t i = 0; i < points.count; ++i) {
    const Float8 x = all_floats(points.x[i]), y = all_floats(points.y[i]),
                 z = all_floats(points.z[i]);
    const Float8 h = own.height(x, y, z) * side;
    const Float8 at_a = a.height(x, y, z), at_b = b.height(x, y, z), at_c = c.height(x, y, z);
    const FloatMask8 deeper = h < low;
    low = select(deeper, h, low);
    tip_a = select(deeper, at_a, tip_a);
    tip_b = select(deeper, at_b, tip_b);
    tip_c = select(deeper, at_c, tip_c);
    beyond_a = min(at_a, beyond_a);
    beyond_b = min(at_b, beyond_b);
    beyond_c = min(at_c, beyond_c);
  }
  store_floats(low, gaps.above);
  store_floats(max(max(beyond_a, beyond_b), beyond_c), gaps.beside);
  store_floats(beyond_a, gaps.beyond[0]);
  store_floats(beyond_b, gaps.beyond[1]);
  store_floats(beyond_c, gaps.beyond[2]);
  store_floats(tip_a, gaps.tip_beyond[0]);
  store_floats(tip_b, gaps.tip_beyond[1]);
  store_floats(tip_c, gaps.tip_beyond[2]);
  store_floats(side, gaps.side);
}

void measure_all(std::span<const PlacedEight> eights, const EightPoints& points, EightGaps* gaps) {
  for (std::size_t i = 0; i < eights.size(); ++i) measure_eight(eights[i], points, gaps[i]);
}

HWY_INLINE Float8 lowest_of(const PlaneLanes& own, const EightPoints& points, const Float8& side,
                            Float8 low) {
  for (std::size_t i = 0; i < points.count; ++i)
    low =
        min(own.height(all_floats(points.x[i]), all_floats(points.y[i]), all_floats(points.z[i])) *
                side,
            low);
  return low;
}
void find_low_lanes(std::span<const PlacedEight> eights, const EightPoints& first,
                    const EightPoints& last, float most, std::uint8_t* lanes) {
  for (std::size_t i = 0; i < eights.size(); ++i) {
    const PlaneLanes own(eights[i].planes->own, eights[i].shift);
    const Float8 side = side_of(own, first);
    const Float8 low = lowest_of(own, last, side, lowest_of(own, first, side, all_floats(3e38F)));
    lanes[i] = static_cast<std::uint8_t>(bits(low <= all_floats(most)));
  }
}

} // namespace
} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace carom {
namespace {
HWY_EXPORT(measure_all);
HWY_EXPORT(find_low_lanes);
} // namespace

void measure(std::span<const PlacedEight> eights, const EightPoints& points, EightGaps* gaps) {
  HWY_DYNAMIC_DISPATCH(measure_all)(eights, points, gaps);
}
void find_low(std::span<const PlacedEight> eights, const EightPoints& first,
              const EightPoints& last, double most, std::uint8_t* lanes) {
  const float limit = std::nextafter(static_cast<float>(most), INFINITY);
  HWY_DYNAMIC_DISPATCH(find_low_lanes)(eights, first, last, limit, lanes);
}

void EightPoints::set(std::span<const Vec3> points, const Vec3& center_of_all, const Vec3& middle) {
  count = points.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 p = points[i] - middle;
    x[i] = static_cast<float>(p.x);
    y[i] = static_cast<float>(p.y);
    z[i] = static_cast<float>(p.z);
  }
  for (int i = 0; i < 3; ++i) center[i] = static_cast<float>(center_of_all[i] - middle[i]);
}

PlacedEight::PlacedEight(const TriangleEight& eight, const Vec3& center, const Vec3& middle)
    : planes(&eight) {
  for (int i = 0; i < 3; ++i) shift[i] = static_cast<float>(center[i] - middle[i]);
}

void TriangleEight::set(std::size_t lane, const Triangle& t, const Vec3& normal) {
  const auto put = [lane](Plane& plane, const Vec3& n, const Vec3& through) {
    plane.x[lane] = static_cast<float>(n.x);
    plane.y[lane] = static_cast<float>(n.y);
    plane.z[lane] = static_cast<float>(n.z);
    plane.offset[lane] = static_cast<float>(dot(n, through));
  };
  const std::array<Vec3, 3> corners{t.a, t.b, t.c};
  put(own, normal, t.a);
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 along = corners[(i + 1) % 3] - corners[i];
    put(sides[i], normalized_or(cross(along, normal), {}), corners[i]);
  }
}

} // namespace carom

#endif
