// The contact solver: sequential impulses, eight contacts at a time, none of which move the same body.
//
// A point's speed is v = n . (v_B - v_A) + (r_B x n) . w_B - (r_A x n) . w_A. As both arms end in one point, r_B x n = r_A x n + (c_A - c_B) x n: one arm is stored for each point, and the
// difference once. The gap is the same form in displacements instead of velocities, linear in the turn: that is exact for what rolls, and off by turn^2 / 2 of the arm for corners, until the next
// step measures it anew.
//
// An impulse is soft where shapes overlap: as of a spring and damper, taken implicitly, so that it is stable at any stiffness. Where there is a gap, only as much speed is taken away as would close more
// than the gap in this sub-step. Friction (contact_friction-inl.h) comes before the normal impulses, so that these, which matter more, have the last word.
//
// What comes together faster than a threshold bounces at once (contact_bounce-inl.h), in either pass: not a correction that may be taken back, but a collision that has happened. Its impulse is not kept as a contact's is: it goes into the velocities that the next
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

#include "carom/dynamics/contact_bounce-inl.h"
#include "carom/dynamics/contact_friction-inl.h"
#include "carom/dynamics/contact_lanes.h"
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
