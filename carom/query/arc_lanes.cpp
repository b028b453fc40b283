// Compiled once for each instruction set (everything between the HWY_ lines), and chosen at run time.
#undef HWY_TARGET_INCLUDE
#if defined(__aarch64__)
#define HWY_DISABLED_TARGETS                                                                       \
  (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128) // vectors without a size cannot be members
#endif
#define HWY_TARGET_INCLUDE "carom/query/arc_lanes.cpp"
#include <hwy/foreach_target.h>

#include "carom/math/choose_lanes-inl.h"
#include "carom/math/wide.h"
#include "carom/query/arc_lanes.h"

#include <bit>

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {

HWY_INLINE Vec3x8 all8(const Vec3& v) { return {all8(v.x), all8(v.y), all8(v.z)}; }

/// How far the planes are beyond a point: offset - normal . p.
HWY_INLINE Double8 heights_over(const Vec3x8& p, const PlaneBlock& b) {
  return load8(b.offset) - dot8({load8(b.x), load8(b.y), load8(b.z)}, p);
}

std::uint32_t bound_face_reaches(const PlaneBlock* blocks, std::size_t count, const Sphere& ball,
                                 double rounding, double* bounds) {
  const Vec3x8 center = all8(ball.center);
  const Double8 slack = all8(rounding);
  const Double8 radius = all8(ball.radius);
  const Double8 zero = all8(0);
  Double8 least = all8(INFINITY);
  for (std::size_t i = 0; i < count; ++i) {
    // Before it is stretched: of a blade, by a factor that makes much of a rounding.
    const Double8 height = heights_over(center, blocks[i]) - slack;
    const Double8 stretched = height * load8(blocks[i].stretch);
    const Double8 bound = select8(height < zero, stretched, height) + radius;
    store8(bound, bounds + 8 * i);
    least = lesser8(least, bound);
  }
  least = least8(least);
  for (std::size_t i = 0; i < count; ++i) {
    const unsigned bits = bits8(load8(bounds + 8 * i) <= least);
    if (bits != 0)
      return static_cast<std::uint32_t>(8 * i) + static_cast<std::uint32_t>(std::countr_zero(bits));
  }
  return 0;
}

/// Appends the numbers of the lanes of block i whose bits are set.
HWY_INLINE void append_lanes(unsigned bits, std::size_t i, std::uint32_t* out, std::size_t& found) {
  for (; bits != 0; bits &= bits - 1)
    out[found++] =
        static_cast<std::uint32_t>(8 * i) + static_cast<std::uint32_t>(std::countr_zero(bits));
}

std::size_t find_faces_below(const double* bounds, std::size_t blocks, double reach,
                             std::uint32_t* out) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < blocks; ++i)
    append_lanes(bits8(load8(bounds + 8 * i) < all8(reach)), i, out, found);
  return found;
}

void find_farthest_points(const DirectionBlock& directions, const Vec3* points, std::size_t count,
                          std::uint32_t* out) {
  const Vec3x8 d{load8(directions.x), load8(directions.y), load8(directions.z)};
  Double8 top = dot8(d, all8(points[0]));
  Double8 farthest = all8(0); // the number
  for (std::size_t i = 1; i < count; ++i) {
    const Double8 height = dot8(d, all8(points[i]));
    farthest = select8(top < height, all8(static_cast<double>(i)), farthest);
    top = greater8(top, height);
  }
  alignas(64) double numbers[8];
  store8(farthest, numbers);
  for (std::size_t k = 0; k < 8; ++k) out[k] = static_cast<std::uint32_t>(numbers[k]);
}

/// Where both are clearly positive, or both clearly negative.
HWY_INLINE Mask8 same_side(const Double8& p, const Double8& q) {
  const Double8 slack = all8(arc_slack);
  const Double8 minus = all8(-arc_slack);
  return ((slack < p) & (slack < q)) | ((p < minus) & (q < minus));
}

std::uint8_t find_crossing_arcs(const ArcFan& b, const GaussArcs::Arc& a, double reach,
                                double rounding) {
  const Vec3x8 along_a = all8(a.along);
  const Vec3x8 left_b{load8(b.left_x), load8(b.left_y), load8(b.left_z)};
  const Vec3x8 right_b{load8(b.right_x), load8(b.right_y), load8(b.right_z)};
  const Double8 p = dot8(left_b, along_a);
  const Double8 q = dot8(right_b, along_a);
  const Mask8 off_a = same_side(p, q);
  const Vec3x8 along_b{load8(b.along_x), load8(b.along_y), load8(b.along_z)};
  const Double8 r = dot8(all8(a.left), along_b);
  const Double8 s = dot8(all8(a.right), along_b);
  const Mask8 off = off_a | same_side(r, s);
  if (bits8(off) == 0xff) return 0;
  // Where the arcs meet the line of c: mixtures of their ends. B's is turned around.
  const Vec3x8 c = cross8(along_a, along_b);
  const Double8 side_a = dot8(all8(a.left), c) * abs8(s) + dot8(all8(a.right), c) * abs8(r);
  const Double8 side_b = dot8(left_b, c) * abs8(q) + dot8(right_b, c) * abs8(p);
  const Vec3x8 from_b{load8(b.from_x), load8(b.from_y), load8(b.from_z)};
  const Double8 apart = dot8(c, all8(a.from) - from_b);
  // c is not a unit vector; its error is that of one. So of nearly parallel edges, none is far.
  const Mask8 far = all8(reach) * sqrt8(dot8(c, c)) + all8(rounding) < abs8(apart);
  return static_cast<std::uint8_t>(~bits8(off | same_side(side_a, side_b) | far));
}

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace carom {
namespace {

HWY_EXPORT(bound_face_reaches);
HWY_EXPORT(find_faces_below);
HWY_EXPORT(find_farthest_points);
HWY_EXPORT(find_crossing_arcs);

} // namespace

ArcLanes ArcLanes::widest() {
  choose_lanes();
  return {&HWY_DYNAMIC_DISPATCH(bound_face_reaches), &HWY_DYNAMIC_DISPATCH(find_faces_below),
          &HWY_DYNAMIC_DISPATCH(find_farthest_points), &HWY_DYNAMIC_DISPATCH(find_crossing_arcs)};
}

} // namespace carom
#endif
