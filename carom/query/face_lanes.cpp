// Compiled once for each instruction set (everything between the HWY_ lines), and chosen at run time.
#undef HWY_TARGET_INCLUDE
#if defined(__aarch64__)
#define HWY_DISABLED_TARGETS                                                                       \
  (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128) // vectors without a size cannot be members
#endif
#define HWY_TARGET_INCLUDE "carom/query/face_lanes.cpp"
#include <hwy/foreach_target.h>

#include "carom/math/choose_lanes-inl.h"
#include "carom/math/wide.h"
#include "carom/query/face_lanes.h"

#include <bit>

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {

std::uint32_t nearest_face(const FaceBlock* blocks, std::size_t count) {
  Double8 least = load8(blocks[0].key);
  for (std::size_t i = 1; i < count; ++i) least = lesser8(least, load8(blocks[i].key));
  least = least8(least);
  for (std::size_t i = 0; i < count; ++i) {
    const unsigned bits = bits8(load8(blocks[i].key) <= least);
    if (bits != 0)
      return static_cast<std::uint32_t>(8 * i) + static_cast<std::uint32_t>(std::countr_zero(bits));
  }
  return 0;
}

bool find_faces_above(const FaceBlock* blocks, std::size_t count, const Vec3& p, double unsure,
                      std::uint8_t* above, std::uint8_t* level) {
  const Vec3x8 point{all8(p.x), all8(p.y), all8(p.z)};
  const Double8 most = all8(unsure);
  const Double8 least = all8(-unsure);
  unsigned any = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const FaceBlock& b = blocks[i];
    const Double8 height = dot8({load8(b.x), load8(b.y), load8(b.z)}, point) - load8(b.distance);
    above[i] = bits8(most < height);
    level[i] = bits8((least <= height) & (height <= most));
    any |= level[i];
  }
  return any != 0;
}

std::uint8_t make_face_planes(const FanBlock& fan, const Vec3& w, FaceBlock& planes) {
  const Vec3x8 from{load8(fan.from_x), load8(fan.from_y), load8(fan.from_z)};
  const Vec3x8 to{load8(fan.to_x), load8(fan.to_y), load8(fan.to_z)};
  const Vec3x8 u = to - from;
  const Vec3x8 v = Vec3x8{all8(w.x), all8(w.y), all8(w.z)} - from;
  Vec3x8 n = cross8(u, v);
  const Double8 squared = dot8(n, n);
  const Double8 inverse = all8(1) / sqrt8(squared);
  n = {n.x * inverse, n.y * inverse, n.z * inverse};
  store8(n.x, planes.x);
  store8(n.y, planes.y);
  store8(n.z, planes.z);
  store8(dot8(n, from), planes.distance);
  const Double8 least = all8(thin_triangle * thin_triangle) * dot8(u, u) * dot8(v, v);
  return bits8((least < squared) & (squared < all8(INFINITY)));
}

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace carom {
namespace {

HWY_EXPORT(nearest_face);
HWY_EXPORT(find_faces_above);
HWY_EXPORT(make_face_planes);

} // namespace

FaceLanes FaceLanes::widest() {
  choose_lanes();
  return {&HWY_DYNAMIC_DISPATCH(nearest_face), &HWY_DYNAMIC_DISPATCH(find_faces_above),
          &HWY_DYNAMIC_DISPATCH(make_face_planes)};
}

} // namespace carom
#endif
