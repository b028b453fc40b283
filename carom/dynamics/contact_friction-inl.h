// Friction of a patch, eight contacts at a time: two directions and a twist at its middle, bounded by the normal impulses (times their distance from the middle for the twist), and rolling.
// What sticks is drawn back to where it stuck, as bodies creep a little whenever overlaps are undone.
//
// Internal: for sources compiled once a target (foreach_target.h). Not installed.
#include "carom/dynamics/contact_lanes.h"
#include "carom/dynamics/several_points-inl.h"

// The per-target include guard that Highway asks for: this file is read once for each target.
#if defined(CAROM_DYNAMICS_CONTACT_FRICTION_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CAROM_DYNAMICS_CONTACT_FRICTION_INL_H_
#undef CAROM_DYNAMICS_CONTACT_FRICTION_INL_H_
#else
#define CAROM_DYNAMICS_CONTACT_FRICTION_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {

/// Two impulses, no longer than the limit together.
HWY_INLINE void shorten(Float8& x, Float8& y, const Float8& limit) {
  const Float8 square = x * x + y * y;
  const FloatMask8 over = limit * limit < square;
  const Float8 scale =
      select(over, limit / sqrt(select(over, square, all_floats(1))), all_floats(1));
  x = x * scale;
  y = y * scale;
}

HWY_INLINE Float8 sum_of_impulses(const ContactBlock& block) {
  Float8 sum = load_floats(block.points[0].impulse);
  for (std::uint32_t i = 1; i < block.point_count; ++i)
    sum = sum + load_floats(block.points[i].impulse);
  return sum;
}

/// What bounds friction in this sub-step: bounces count as well.
HWY_INLINE Float8 pressed(const ContactBlock& block) {
  const Float8 sum = sum_of_impulses(block);
  return block.bounces ? sum + load_floats(block.bounced) : sum;
}

/// The same of twist: points share a bounce.
HWY_INLINE Float8 bounced_levers(const ContactBlock& block) {
  Float8 levers = zero(), count = zero();
  for (std::uint32_t i = 0; i < block.point_count; ++i) {
    levers = levers + load_floats(block.points[i].lever);
    count = count + one_where(zero() < load_floats(block.points[i].mass));
  }
  return load_floats(block.bounced) * levers * inverse_or_0(count);
}

template<class Other>
HWY_INLINE void push_rolling(const ContactBlock& block, SpeedsWith<Other>& s, const Row3& impulse) {
  s.w_a = s.w_a - load_symmetric(block.inertia_a) * impulse;
  s.w_b = s.w_b + load_symmetric(block.inertia_b) * impulse;
}
template<class Other>
HWY_INLINE void push_twist(const ContactBlock& block, SpeedsWith<Other>& s, const Float8& impulse) {
  s.w_a = s.w_a - load3(block.twist_a) * impulse;
  s.w_b = s.w_b + load3(block.twist_b) * impulse;
}
/// Along both tangents.
template<class Other>
HWY_INLINE void push_slide(const ContactBlock& block, SpeedsWith<Other>& s, const Row3& t1,
                           const Row3& t2, const Float8& d1, const Float8& d2) {
  s.push(block, t1 * d1 + t2 * d2);
  s.w_a = s.w_a - (load3(block.slide_a[0]) * d1 + load3(block.slide_a[1]) * d2);
  s.w_b = s.w_b + (load3(block.slide_b[0]) * d1 + load3(block.slide_b[1]) * d2);
}

template<class Other>
HWY_INLINE void solve_rolling(ContactBlock& block, SpeedsWith<Other>& s, const Row3& t1,
                              const Row3& t2) {
  const Row3 spin = s.w_b - s.w_a;
  const Float8 r1 = dot(spin, t1), r2 = dot(spin, t2);
  const Float8 k11 = load_floats(block.roll_mass[0]), k12 = load_floats(block.roll_mass[1]),
               k22 = load_floats(block.roll_mass[2]);
  const Float8 old1 = load_floats(block.roll[0]), old2 = load_floats(block.roll[1]);
  Float8 new1 = old1 - (k11 * r1 + k12 * r2), new2 = old2 - (k12 * r1 + k22 * r2);
  shorten(new1, new2, load_floats(block.roll_limit) * pressed(block));
  store_floats(new1, block.roll[0]);
  store_floats(new2, block.roll[1]);
  push_rolling(block, s, t1 * (new1 - old1) + t2 * (new2 - old2));
}

/// `back`: 1 or 0, whether what has crept is to be undone.
template<class Other>
HWY_INLINE void solve_friction(ContactBlock& block, SpeedsWith<Other>& s, const Row3& n,
                               float back) {
  const Row3 t1 = load3(block.tangent), t2 = cross(n, t1);
  if (block.rolls) solve_rolling(block, s, t1, t2);
  const Float8 friction = load_floats(block.friction);
  if (block.point_count > 1) {
    Float8 limit = load_floats(block.points[0].impulse) * load_floats(block.points[0].lever);
    for (std::uint32_t i = 1; i < block.point_count; ++i)
      limit = limit + load_floats(block.points[i].impulse) * load_floats(block.points[i].lever);
    if (block.bounces) limit = limit + bounced_levers(block);
    limit = limit * friction;
    const Float8 old = load_floats(block.twist);
    const Float8 twist = max(
        min(old - load_floats(block.twist_mass) * dot(n, s.w_b - s.w_a), limit), zero() - limit);
    store_floats(twist, block.twist);
    push_twist(block, s, twist - old);
  }
  const Row3 past =
      (s.v_b - s.v_a) + (cross(s.w_b, load3(block.middle_b)) - cross(s.w_a, load3(block.middle_a)));
  const Float8 s1 =
      dot(past, t1) + load_floats(block.belt[0]) + load_floats(block.drift[0]) * all_floats(back);
  const Float8 s2 =
      dot(past, t2) + load_floats(block.belt[1]) + load_floats(block.drift[1]) * all_floats(back);
  const Float8 k11 = load_floats(block.slide_mass[0]), k12 = load_floats(block.slide_mass[1]),
               k22 = load_floats(block.slide_mass[2]);
  const Float8 old1 = load_floats(block.slide[0]), old2 = load_floats(block.slide[1]);
  Float8 new1 = old1 - (k11 * s1 + k12 * s2), new2 = old2 - (k12 * s1 + k22 * s2);
  shorten(new1, new2, friction * pressed(block));
  store_floats(new1, block.slide[0]);
  store_floats(new2, block.slide[1]);
  push_slide(block, s, t1, t2, new1 - old1, new2 - old2);
}

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#endif // per-target guard
