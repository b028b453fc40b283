// Points of a contact that are pushed at once: what comes down flat stays flat. One after the other, the first point would take it all, and the body would tip.
//
// Internal: for sources compiled once a target (foreach_target.h). Not installed.
#include "carom/dynamics/lane_speeds-inl.h"

// The per-target include guard that Highway asks for: this file is read once for each target.
#if defined(CAROM_DYNAMICS_SEVERAL_POINTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CAROM_DYNAMICS_SEVERAL_POINTS_INL_H_
#undef CAROM_DYNAMICS_SEVERAL_POINTS_INL_H_
#else
#define CAROM_DYNAMICS_SEVERAL_POINTS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {

/// Points that take the same impulse each. `Other`: lane_speeds-inl.h.
template<class Other>
struct SeveralPoints {
  Row3 arm, spin_a;
  Other spin_b;
  Float8 count, each;

  /// `on`: 1 or 0.
  HWY_INLINE void add(const PointLanes& p, const Float8& on) {
    arm = arm + load3(p.arm) * on;
    spin_a = spin_a + load3(p.spin_a) * on;
    spin_b = spin_b + load3(p.spin_b) * on;
    count = count + on;
  }
  /// Before the rest is asked for.
  HWY_INLINE void close() { each = inverse_or_0(count); }
  /// Of an impulse that is shared by all: the mean speed of the points by it, and without.
  [[nodiscard]] HWY_INLINE Float8 mass(const ContactBlock& block, const Row3& n,
                                       const Row3& offset) const {
    const Row3 bodies = load3(block.mass_a) + load3(block.mass_b);
    return inverse_or_0(dot(scaled(bodies, n), n) +
                        (dot(arm, spin_a) + dot(arm + offset * count, spin_b)) * each * each);
  }
  [[nodiscard]] HWY_INLINE Float8 speed(const SpeedsWith<Other>& s, const Row3& n,
                                        const Row3& offset) const {
    return dot(n, s.v_b - s.v_a) + dot(offset, s.w_b) + dot(arm, s.w_b - s.w_a) * each;
  }
};

/// Impulses of several points, pushed at once.
template<class Other>
struct SeveralPushes {
  Float8 sum;
  Row3 turn_a;
  Other turn_b;

  HWY_INLINE void add(const PointLanes& p, const Float8& impulse) {
    sum = sum + impulse;
    turn_a = turn_a + load3(p.spin_a) * impulse;
    turn_b = turn_b + load3(p.spin_b) * impulse;
  }
  HWY_INLINE void push(const ContactBlock& block, SpeedsWith<Other>& s, const Row3& n) const {
    s.push(block, n * sum);
    s.w_a = s.w_a - turn_a;
    s.w_b = s.w_b + turn_b;
  }
};

HWY_INLINE Row3 no_rows() { return {zero(), zero(), zero()}; }
template<class Other>
HWY_INLINE Other no_others() {
  if constexpr (std::is_same_v<Other, Row3>)
    return no_rows();
  else
    return {};
}
template<class Other>
HWY_INLINE SeveralPoints<Other> no_points() {
  return {no_rows(), no_rows(), no_others<Other>(), zero(), zero()};
}
template<class Other>
HWY_INLINE SeveralPushes<Other> no_pushes() {
  return {zero(), no_rows(), no_others<Other>()};
}
HWY_INLINE Float8 one_where(const FloatMask8& m) { return select(m, all_floats(1), zero()); }

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#endif // per-target guard
