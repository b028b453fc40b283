// The contact solver: sequential impulses, eight contacts at a time, none of which move the same body.
//
// A point's speed is v = n . (v_B - v_A) + (r_B x n) . w_B - (r_A x n) . w_A. As both arms end in one point, r_B x n = r_A x n + (c_A - c_B) x n: one arm is stored for each point, and the
// difference once. The gap is the same form in displacements instead of velocities, linear in the turn: that is exact for what rolls, and off by turn^2 / 2 of the arm for corners, until the next
// step measures it anew.
//
// An impulse is soft where shapes overlap: as of a spring and damper, taken implicitly, so that it is stable at any stiffness. Where there is a gap, only as much speed is taken away as would close more
// than the gap in this sub-step. Friction (contact_friction-inl.h) comes before the normal impulses, so that these, which matter more, have the last word.
//
// What comes together faster than a threshold bounces at once (meet_block), in either pass: not a correction that may be taken back, but a collision that has happened. Its impulse is not kept as a contact's is: it goes into the velocities that the next
// sub-step begins with.
//
// Much of what things rest on is nobody (place 0): it cannot be moved, and does not move. Blocks of such contacts alone are solved by the same code with NoRow3 (lane_speeds-inl.h) for what is known of second bodies: that leaves out nearly a third.
//
// Compiled once for each instruction set (everything between the HWY_ lines), and chosen at run time. Lanes never meet, so that their number changes nothing.
#undef HWY_TARGET_INCLUDE
#if defined(__aarch64__)
#define HWY_DISABLED_TARGETS                                                                       \
  (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128) // vectors without a size cannot be members
#endif
#define HWY_TARGET_INCLUDE "carom/dynamics/contact_lanes.cpp"
#include <hwy/foreach_target.h>

#include "carom/dynamics/contact_friction-inl.h"
#include "carom/dynamics/contact_lanes.h"
#include "carom/dynamics/lane_speeds-inl.h"
#include "carom/dynamics/several_points-inl.h"

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {
namespace {

template<class Other>
HWY_INLINE void push_point(const ContactBlock& block, const PointLanes& p, SpeedsWith<Other>& s,
                           const Row3& n, const Float8& impulse) {
  s.push(block, n * impulse);
  s.w_a = s.w_a - load3(p.spin_a) * impulse;
  s.w_b = s.w_b + load3(p.spin_b) * impulse;
}

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

/// All points that carry.
template<class Other>
HWY_INLINE void solve_together(ContactBlock& block, SpeedsWith<Other>& s, const Row3& n,
                               const Row3& offset, const Softness& soft) {
  if (block.point_count < 2) return;
  SeveralPoints<Other> all = no_points<Other>();
  Float8 bias = zero(), held = zero();
  for (std::uint32_t i = 0; i < block.point_count; ++i) {
    const PointLanes& p = block.points[i];
    const Float8 impulse = load_floats(p.impulse);
    const Float8 on = one_where(zero() < impulse);
    all.add(p, on);
    held = held + impulse;
    bias = bias + on * soft.bias(load_floats(p.gap_now));
  }
  all.close();
  const Float8 change =
      (zero() -
       all.mass(block, n, offset) * soft.mass_scale * (all.speed(s, n, offset) + bias * all.each) -
       soft.impulse_scale * held) *
      all.each;
  SeveralPushes<Other> pushes = no_pushes<Other>();
  for (std::uint32_t i = 0; i < block.point_count; ++i) {
    PointLanes& p = block.points[i];
    const Float8 old = load_floats(p.impulse);
    const Float8 impulse = select(zero() < old, max(old + change, zero()), old);
    store_floats(impulse, p.impulse);
    pushes.add(p, impulse - old);
  }
  pushes.push(block, s, n);
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

/// Notes speeds at the moment of impact: that of the first point to carry of those whose bodies had not touched in this step so far: what it is pushed by turns the bodies, and makes others hit harder.
class Impacts {
public:
  HWY_INLINE explicit Impacts(const ContactBlock& block) : told_(not_touched(block)) {}
  HWY_INLINE void note(PointLanes& p, const Float8& impulse, const Float8& speed) {
    const Float8 approach = load_floats(p.approach);
    store_floats(select(told_ & (zero() < impulse), min(approach, speed), approach), p.approach);
    told_ = told_ & (impulse <= zero());
  }

private:
  FloatMask8 told_; ///< lanes that are to be told of
};

/// Whether a block in which nothing acts needs nothing in this pass either: no point comes together so fast that it would be pushed. Then the pass would change nothing.
template<class Other>
HWY_INLINE bool stays_idle(const ContactBlock& block, const Pass& pass, const Softness& soft) {
  const SpeedsWith<Other> s(block, pass.bodies);
  const Row3 n = load3(block.normal), offset = load3(block.offset);
  Float8 least = zero();
  for (std::uint32_t i = 0; i < block.point_count; ++i) {
    const PointLanes& p = block.points[i];
    least = min(least, load_floats(p.mass) *
                           (point_speed(p, s, n, offset) + soft.bias(load_floats(p.gap_now))));
  }
  return bits(least < zero()) == 0;
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

template<class Other>
HWY_INLINE void solve_block(ContactBlock& block, const Pass& pass, const Softness& soft,
                            bool together) {
  SpeedsWith<Other> s(block, pass.bodies);
  const Row3 n = load3(block.normal), offset = load3(block.offset);
  // Impulses of an impact are not soft: they are not to be shared out again.
  if (meets(block, s, n, offset, pass) && meet(block, s, pass, soft)) together = false;
  solve_friction(block, s, n, 1);
  Impacts impacts(block);
  if (together) solve_together(block, s, n, offset, soft);
  for (std::uint32_t i = 0; i < block.point_count; ++i) {
    PointLanes& p = block.points[i];
    const Float8 speed = point_speed(p, s, n, offset);
    const Float8 gap = load_floats(p.gap_now);
    const FloatMask8 apart = zero() < gap;
    const Float8 bias = soft.bias(gap);
    const Float8 mass_scale = select(apart, all_floats(1), soft.mass_scale);
    const Float8 impulse_scale = select(apart, zero(), soft.impulse_scale);
    const Float8 old = load_floats(p.impulse);
    const Float8 impulse =
        max(old - load_floats(p.mass) * mass_scale * (speed + bias) - impulse_scale * old, zero());
    store_floats(impulse, p.impulse);
    push_point(block, p, s, n, impulse - old);
    impacts.note(p, impulse, speed);
  }
  s.store(block, pass.bodies, block.fixed);
}

template<class Other>
HWY_INLINE void relax_block(ContactBlock& block, const Pass& pass, const Softness& hard) {
  SpeedsWith<Other> s(block, pass.bodies);
  const Row3 n = load3(block.normal), offset = load3(block.offset);
  if (meets(block, s, n, offset, pass)) (void)meet(block, s, pass, hard);
  measure_gaps<Other>(block, pass.bodies, n, offset);
  solve_friction(block, s, n, 0);
  Impacts impacts(block);
  solve_together(block, s, n, offset, hard);
  // What bounces when it meets in the next sub-step is not braked before.
  const Float8 fast = block.bounces ? select(zero() < load_floats(block.restitution),
                                             all_floats(-pass.bounce_speed), all_floats(-1e30F))
                                    : all_floats(-1e30F);
  for (std::uint32_t i = block.point_count; i-- > 0;) {
    PointLanes& p = block.points[i];
    const Float8 gap = max(load_floats(p.gap_now), zero()), bias = gap * hard.inverse_time;
    const Float8 old = load_floats(p.impulse), speed = point_speed(p, s, n, offset);
    const Float8 wanted = max(old - load_floats(p.mass) * (speed + bias), zero());
    const Float8 impulse = select((zero() < gap) & (speed <= fast), old, wanted);
    store_floats(impulse, p.impulse);
    push_point(block, p, s, n, impulse - old);
    impacts.note(p, impulse, speed);
    store_floats(load_floats(p.total) + impulse, p.total);
  }
  s.store(block, pass.bodies, block.fixed);
  if (block.bounces) end_bounces<Other>(block, pass.motions);
}

HWY_INLINE void warm_block(ContactBlock& block, std::span<SolverBody> bodies) {
  Speeds s(block, bodies);
  const Row3 n = load3(block.normal), t1 = load3(block.tangent), t2 = cross(n, t1);
  const Float8 slide1 = load_floats(block.slide[0]), slide2 = load_floats(block.slide[1]),
               twist = load_floats(block.twist);
  Row3 turn_a = load3(block.slide_a[0]) * slide1 + load3(block.slide_a[1]) * slide2 +
                load3(block.twist_a) * twist;
  Row3 turn_b = load3(block.slide_b[0]) * slide1 + load3(block.slide_b[1]) * slide2 +
                load3(block.twist_b) * twist;
  for (std::uint32_t i = 0; i < block.point_count; ++i) {
    const PointLanes& p = block.points[i];
    const Float8 impulse = load_floats(p.impulse);
    turn_a = turn_a + load3(p.spin_a) * impulse;
    turn_b = turn_b + load3(p.spin_b) * impulse;
  }
  if (block.rolls) {
    const Row3 roll = t1 * load_floats(block.roll[0]) + t2 * load_floats(block.roll[1]);
    turn_a = turn_a + load_symmetric(block.inertia_a) * roll;
    turn_b = turn_b + load_symmetric(block.inertia_b) * roll;
  }
  s.push(block, n * sum_of_impulses(block) + t1 * slide1 + t2 * slide2);
  s.w_a = s.w_a - turn_a;
  s.w_b = s.w_b + turn_b;
  s.store(block, bodies, block.fixed);
}

// From here on, as long as blocks are of one kind: those whose second bodies are nobodies, or others. They return the first that is not.

template<class Other>
inline constexpr bool alone_with = std::is_same_v<Other, NoRow3>;
template<class Other>
HWY_NOINLINE ContactBlock* solve_some(ContactBlock* at, ContactBlock* end, const Pass pass,
                                      const SoftStep soft) {
  for (; at != end && at->alone == alone_with<Other>; ++at) {
    const Softness own = softness_of(*at, soft);
    at->idle = at->idle && stays_idle<Other>(*at, pass, own);
    if (!at->idle) solve_block<Other>(*at, pass, own, soft.together);
  }
  return at;
}
template<class Other>
HWY_NOINLINE ContactBlock* relax_some(ContactBlock* at, ContactBlock* end, const Pass pass,
                                      float inverse_time) {
  const Softness hard = no_softness(inverse_time);
  for (; at != end && at->alone == alone_with<Other>; ++at) {
    if (at->idle) {
      measure_gaps<Other>(*at, pass.bodies, load3(at->normal), load3(at->offset));
      at->idle = stays_idle<Other>(*at, pass, hard);
    }
    if (!at->idle) relax_block<Other>(*at, pass, hard);
  }
  return at;
}

} // namespace

void warm_all(std::span<ContactBlock> blocks, std::span<SolverBody> bodies) {
  for (ContactBlock& block : blocks)
    if (!block.idle) warm_block(block, bodies);
}
void solve_all(std::span<ContactBlock> blocks, std::span<SolverBody> bodies,
               std::span<BodyMotion> motions, const SoftStep& soft) {
  const Pass pass{bodies, motions, soft.bounce_speed, true};
  ContactBlock *at = blocks.data(), *const end = at + blocks.size();
  while (at != end) {
    at = solve_some<Row3>(at, end, pass, soft);
    at = solve_some<NoRow3>(at, end, pass, soft);
  }
}
void relax_all(std::span<ContactBlock> blocks, std::span<SolverBody> bodies,
               std::span<BodyMotion> motions, const SoftStep& soft) {
  const Pass pass{bodies, motions, soft.bounce_speed, false};
  ContactBlock *at = blocks.data(), *const end = at + blocks.size();
  while (at != end) {
    at = relax_some<Row3>(at, end, pass, soft.inverse_time);
    at = relax_some<NoRow3>(at, end, pass, soft.inverse_time);
  }
}

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace carom {
namespace {
HWY_EXPORT(warm_all);
HWY_EXPORT(solve_all);
HWY_EXPORT(relax_all);
} // namespace

void weigh(std::span<const ContactBlock> blocks, std::span<SolverBody> bodies) {
  for (const ContactBlock& block : blocks) {
    for (std::size_t lane = 0; lane < lane_count && block.a[lane] != 0; ++lane) {
      float carried = 0;
      for (std::uint32_t i = 0; i < block.point_count; ++i)
        carried += block.points[i].impulse[lane];
      bodies[block.a[lane]].moved[3] += carried;
      if (!block.fixed) bodies[block.b[lane]].moved[3] += carried;
    }
  }
}
void warm_start(std::span<ContactBlock> blocks, std::span<SolverBody> bodies) {
  HWY_DYNAMIC_DISPATCH(warm_all)(blocks, bodies);
}
void solve(std::span<ContactBlock> blocks, std::span<SolverBody> bodies,
           std::span<BodyMotion> motions, const SoftStep& soft) {
  HWY_DYNAMIC_DISPATCH(solve_all)(blocks, bodies, motions, soft);
}
void relax(std::span<ContactBlock> blocks, std::span<SolverBody> bodies,
           std::span<BodyMotion> motions, const SoftStep& soft) {
  HWY_DYNAMIC_DISPATCH(relax_all)(blocks, bodies, motions, soft);
}

} // namespace carom
#endif
