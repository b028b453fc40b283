// Bodies that bounce, in the passes of the solver; and what these passes have in common: the speeds of points, how contacts yield, how far apart points are now.
//
// Internal: for sources compiled once a target (foreach_target.h). Not installed.
#include "carom/dynamics/contact_friction-inl.h"
#include "carom/dynamics/several_points-inl.h"

// The per-target include guard that Highway asks for: this file is read once for each target.
#if defined(CAROM_DYNAMICS_CONTACT_BOUNCE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CAROM_DYNAMICS_CONTACT_BOUNCE_INL_H_
#undef CAROM_DYNAMICS_CONTACT_BOUNCE_INL_H_
#else
#define CAROM_DYNAMICS_CONTACT_BOUNCE_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {

template<class Other>
HWY_INLINE Float8 point_speed(const PointLanes& p, const SpeedsWith<Other>& s, const Row3& n,
                              const Row3& offset) {
  return dot(n, s.v_b - s.v_a) + dot(offset, s.w_b) + dot(load3(p.arm), s.w_b - s.w_a);
}

/// How contacts that overlap yield in a pass.
struct Softness {
  Float8 inverse_time, rate, mass_scale, impulse_scale, fastest;

  /// The speed at which a gap may close; negative: at which an overlap is to open.
  [[nodiscard]] HWY_INLINE Float8 bias(const Float8& gap) const {
    return select(zero() < gap, gap * inverse_time, max(gap * rate, fastest));
  }
};
HWY_INLINE Softness softness_of(const ContactBlock& block, const SoftStep& soft) {
  return {all_floats(soft.inverse_time), load_floats(block.rate), load_floats(block.mass_scale),
          load_floats(block.impulse_scale), all_floats(-soft.push_speed)};
}
/// They do not yield, and no overlap is undone.
HWY_INLINE Softness no_softness(float inverse_time) {
  return {all_floats(inverse_time), zero(), all_floats(1), zero(), zero()};
}

/// Where bodies have moved to.
template<class Other>
HWY_INLINE void measure_gaps(ContactBlock& block, std::span<SolverBody> bodies, const Row3& n,
                             const Row3& offset) {
  using With = SpeedsWith<Other>;
  const Row3 d_a = With::load(bodies, block.a, &SolverBody::moved),
             turn_a = With::load(bodies, block.a, &SolverBody::turned);
  const std::span<const SolverBody> of(bodies);
  const Other d_b = With::load_other(of, block.b, &SolverBody::moved),
              turn_b = With::load_other(of, block.b, &SolverBody::turned);
  const Float8 closed = dot(n, d_b - d_a) + dot(offset, turn_b);
  const Row3 turn = turn_b - turn_a;
  for (std::uint32_t i = 0; i < block.point_count; ++i) {
    PointLanes& p = block.points[i];
    store_floats(load_floats(p.gap) + closed + dot(load3(p.arm), turn), p.gap_now);
  }
}

/// Lanes whose bodies have not touched in this step so far.
HWY_INLINE FloatMask8 not_touched(const ContactBlock& block) {
  Float8 carried = zero();
  for (std::uint32_t i = 0; i < block.point_count; ++i)
    carried = carried + load_floats(block.points[i].total) + load_floats(block.points[i].impulse);
  return (carried <= zero()) & (zero() < load_floats(block.points[0].mass));
}

/// Moves bodies beside what their velocities do.
HWY_INLINE void shift(const std::uint32_t*, std::span<SolverBody>, NoRow3) {}
HWY_INLINE void shift(const std::uint32_t* places, std::span<SolverBody> bodies, const Row3& by) {
  const Row4 moved = load_row4(std::span<const SolverBody>(bodies), places, &SolverBody::moved);
  save_field(moved.v + by, moved.w, bodies, places, &SolverBody::moved);
}

/// What a pass over blocks works on.
struct Pass {
  std::span<SolverBody> bodies;
  std::span<BodyMotion> motions;
  float bounce_speed; ///< what comes together slower does not bounce
  bool moves;         ///< positions are yet to move in this sub-step
};

/// Whether meet_block may find any: a lane whose bodies have not touched, or a point that comes together fast enough to bounce.
template<class Other>
HWY_INLINE bool meets(const ContactBlock& block, const SpeedsWith<Other>& s, const Row3& n,
                      const Row3& offset, const Pass& pass) {
  if (!block.bounces) return false;
  Float8 least = point_speed(block.points[0], s, n, offset);
  for (std::uint32_t i = 1; i < block.point_count; ++i)
    least = min(least, point_speed(block.points[i], s, n, offset));
  return bits((least <= all_floats(-pass.bounce_speed)) | not_touched(block)) != 0;
}

/// Two bodies that bounce come together: all points that hit take the same. Apart from the rest, which is far more frequent. True where there are any.
///
/// They bounce at once, by Newton's rule, with the speed that they have: so what one is pushed by hits the next with all of it, and no collision makes energy. What soft contacts push is not theirs to keep: it counts
/// how fast they come together without that as well. A bounce happens once: the next sub-step is not to begin with it. They meet in the middle of a sub-step, or have met: until then they moved as they did, and from then on as they do now.
///
/// Forces change velocities at once where a sub-step begins, but what falls so goes through the points of a parabola, with the speed that a parabola has in the middle of the sub-step. So who meets after that is faster by what forces do in the time between, and is slower afterwards by as much; who meets before, the other way round.
template<class Other>
HWY_NOINLINE bool meet_block(ContactBlock& block, SpeedsWith<Other>& s, const Pass& pass,
                             const Softness& soft) {
  const Row3 n = load3(block.normal), offset = load3(block.offset);
  measure_gaps<Other>(block, pass.bodies, n, offset);
  const Float8 restitution = load_floats(block.restitution), fast = all_floats(-pass.bounce_speed);
  const FloatMask8 bouncing = zero() < restitution, fresh = not_touched(block);
  SeveralPoints<Other> all = no_points<Other>();
  Float8 hits[4], bias = zero(), gap = zero();
  for (std::uint32_t i = 0; i < block.point_count; ++i) {
    const PointLanes& p = block.points[i];
    const Float8 speed = point_speed(p, s, n, offset), gap_now = load_floats(p.gap_now),
                 own_bias = soft.bias(gap_now);
    FloatMask8 meets = bouncing & (speed + own_bias < zero()) & (zero() < load_floats(p.mass));
    // Those that are yet to meet do so in the next sub-step.
    if (!pass.moves) meets = meets & ((gap_now <= zero()) | (fast < speed));
    hits[i] = one_where(meets);
    all.add(p, hits[i]);
    bias = bias + hits[i] * own_bias;
    gap = gap + hits[i] * gap_now;
  }
  if (bits(zero() < all.count) == 0) return false;
  all.close();
  SpeedsWith<Other> base(block, std::span<const BodyMotion>(pass.motions));
  const Float8 speed = all.speed(s, n, offset), own = max(speed, all.speed(base, n, offset));
  const FloatMask8 bounces = (zero() < all.count) & (own <= fast), stays = fresh & (fast < own);
  const Float8 time =
      max(gap * all.each * inverse_or_0(zero() - speed), all_floats(-1) / soft.inverse_time);
  const SpeedsWith<Other> forces(block, std::span<const BodyMotion>(pass.motions),
                                 &BodyMotion::push, &BodyMotion::twist);
  const Float8 late = time * soft.inverse_time + all_floats(pass.moves ? -0.5F : 0.5F),
               faster = all.speed(forces, n, offset) * late;
  const Float8 mass = all.mass(block, n, offset);
  const Float8 bounce =
      select(bounces, zero() - mass * (speed + faster + restitution * (own + faster)), zero());
  const Float8 stop = select(stays, max(zero() - mass * (speed + bias * all.each), zero()), zero());
  SeveralPushes<Other> bounced = no_pushes<Other>(), stopped = no_pushes<Other>();
  for (std::uint32_t i = 0; i < block.point_count; ++i) {
    PointLanes& p = block.points[i];
    const Float8 part = hits[i] * all.each, approach = load_floats(p.approach);
    store_floats(
        select(fresh & (zero() < hits[i]), min(approach, point_speed(p, s, n, offset)), approach),
        p.approach);
    bounced.add(p, part * bounce);
    stopped.add(p, part * stop);
    store_floats(load_floats(p.total) + part * bounce, p.total);
    store_floats(load_floats(p.impulse) + part * stop, p.impulse);
  }
  const SpeedsWith<Other> before = s;
  bounced.push(block, s, n);
  bounced.push(block, base, n);
  base.store(block, pass.motions, block.fixed);
  shift(block.a, pass.bodies, (before.v_a - s.v_a) * time);
  if (!block.fixed) shift(block.b, pass.bodies, (before.v_b - s.v_b) * time);
  stopped.push(block, s, n);
  store_floats(load_floats(block.bounced) + bounce, block.bounced);
  return true;
}

/// The same, of copies: what is handed on by its address is not kept in registers.
template<class Other>
HWY_INLINE bool meet(ContactBlock& block, SpeedsWith<Other>& s, const Pass& pass,
                     const Softness& soft) {
  SpeedsWith<Other> own = s;
  const Softness own_soft = soft;
  const bool met = meet_block(block, own, Pass{pass}, own_soft);
  s = own;
  return met;
}
/// Friction of a bounce happens once, as that does.
template<class Other>
HWY_NOINLINE void end_bounces(ContactBlock& block, std::span<BodyMotion> motions) {
  const FloatMask8 bounced = zero() < load_floats(block.bounced);
  if (bits(bounced) == 0) return;
  SpeedsWith<Other> base(block, std::span<const BodyMotion>(motions));
  const auto take = [&](LaneRow& row) HWY_ATTR {
    const Float8 all = load_floats(row);
    store_floats(select(bounced, zero(), all), row);
    return select(bounced, all, zero());
  };
  const Float8 slide1 = take(block.slide[0]), slide2 = take(block.slide[1]),
               twist = take(block.twist);
  const Row3 n = load3(block.normal), t1 = load3(block.tangent), t2 = cross(n, t1);
  push_slide(block, base, t1, t2, slide1, slide2);
  push_twist(block, base, twist);
  if (block.rolls) push_rolling(block, base, t1 * take(block.roll[0]) + t2 * take(block.roll[1]));
  base.store(block, motions, block.fixed);
  store_floats(zero(), block.bounced);
}

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#endif // per-target guard
