// A turn R takes an inertia I to R I R^T. In doubles: those of thin links would lose their small parts.
#undef HWY_TARGET_INCLUDE
#if defined(__aarch64__)
#define HWY_DISABLED_TARGETS                                                                       \
  (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128) // vectors without a size cannot be members
#endif
#define HWY_TARGET_INCLUDE "carom/dynamics/joint_bodies.cpp"
#include <hwy/foreach_target.h>

#include "carom/dynamics/joint_bodies.h"
#include "carom/dynamics/spatial_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {
namespace {

struct Matrix8 {
  Double8 m[3][3];
};

/// Of a quaternion that is not quite a unit one.
HWY_INLINE Matrix8 turn_of(const Double8& x, const Double8& y, const Double8& z, const Double8& w) {
  const Double8 scale = all8(2) / (x * x + y * y + z * z + w * w), one = all8(1);
  const Double8 sx = x * scale, sy = y * scale, sz = z * scale;
  const Double8 xx = x * sx, yy = y * sy, zz = z * sz, xy = x * sy, yz = y * sz, zx = z * sx;
  const Double8 wx = w * sx, wy = w * sy, wz = w * sz;
  return {{{one - (yy + zz), xy - wz, zx + wy},
           {xy + wz, one - (xx + zz), yz - wx},
           {zx - wy, yz + wx, one - (xx + yy)}}};
}

/// R I R^T, of the six numbers of a symmetric matrix.
HWY_INLINE void turned(const Matrix8& r, const LaneDoubles* from, Double8* to) {
  constexpr std::size_t place[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
  Double8 part[6];
  for (std::size_t i = 0; i < 6; ++i) part[i] = load8(from[i]);
  Double8 half[3][3];
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k)
      half[i][k] = r.m[i][0] * part[place[0][k]] + r.m[i][1] * part[place[1][k]] +
                   r.m[i][2] * part[place[2][k]];
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k <= i; ++k)
      to[place[i][k]] = half[i][0] * r.m[k][0] + half[i][1] * r.m[k][1] + half[i][2] * r.m[k][2];
}

HWY_INLINE void put_masses(const JointMass& block, const Double8* inertia, TreeBodies& to) {
  for (LaneDoubles& row : to.mass) store8(none(), row);
  for (const std::size_t i : {0U, 2U, 5U}) store8(load8(block.mass), to.mass[i]);
  constexpr std::size_t place[6] = {9, 14, 20, 13, 19, 18};
  for (std::size_t i = 0; i < 6; ++i) store8(inertia[i], to.mass[place[i]]);
}

HWY_INLINE void place_eight(const JointMass& block, std::span<const BodyMotion> motions,
                            std::span<JointBody> bodies, std::span<TreeBodies> tree_bodies) {
  const Row4 q = load_row4(motions, block.place, &BodyMotion::turn);
  const Float8 sign = select(q.w < zero(), all_floats(-1), all_floats(1));
  save_field(q.v * sign, q.w * sign, bodies, block.place, &JointBody::turn);
  const Row3 v = q.v * load_floats(block.turns);
  const Matrix8 r = turn_of(widened(v.x), widened(v.y), widened(v.z), widened(q.w));
  Double8 turned_to[6];
  turned(r, block.inverse, turned_to);
  const auto put = [&](std::size_t first, float(JointBody::*field)[4]) HWY_ATTR {
    save_field({narrowed(turned_to[first]), narrowed(turned_to[first + 1]),
                narrowed(turned_to[first + 2])},
               zero(), bodies, block.place, field);
  };
  put(0, &JointBody::inverse_inertia);
  put(3, &JointBody::inverse_products);
  if (block.children == 0) return;
  turned(r, block.inertia, turned_to);
  put_masses(block, turned_to, tree_bodies[block.children]);
}

} // namespace

void place_all(std::span<const JointMass> masses, std::span<const BodyMotion> motions,
               std::span<JointBody> bodies, std::span<TreeBodies> tree_bodies) {
  for (const JointMass& block : masses) place_eight(block, motions, bodies, tree_bodies);
}

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace carom {
namespace {
HWY_EXPORT(place_all);
} // namespace

void place_joint_bodies(std::span<const JointMass> masses, std::span<const BodyMotion> motions,
                        std::span<JointBody> bodies, std::span<TreeBodies> tree_bodies) {
  HWY_DYNAMIC_DISPATCH(place_all)(masses, motions, bodies, tree_bodies);
}

} // namespace carom
#endif
