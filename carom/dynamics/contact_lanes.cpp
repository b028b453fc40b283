// The contact solver: sequential impulses, eight contacts at a time, none of which move the same body.
//
// A point's speed is v = n . (v_B - v_A) + (r_B x n) . w_B - (r_A x n) . w_A. As both arms end in one point, r_B x n = r_A x n + (c_A - c_B) x n: one arm is stored for each point, and the
// difference once. The gap is the same form in displacements instead of velocities, linear in the turn: that is exact for what rolls, and off by turn^2 / 2 of the arm for corners, until the next
// step measures it anew.
//
// An impulse is soft where shapes overlap: as of a spring and damper, taken implicitly, so that it is stable at any stiffness. Where there is a gap, only as much speed is taken away as would close more
// than the gap in this sub-step. Friction is that of the patch: two directions and a twist at its middle, bounded by the normal impulses (times their distance from the middle for the twist).
// What sticks is drawn back to where it stuck, as bodies creep a little whenever overlaps are undone. Friction comes before the normal impulses, so that these, which matter more, have the last word.
//
// Compiled once for each instruction set (everything between the HWY_ lines), and chosen at run time. Lanes never meet, so that their number changes nothing.
#undef HWY_TARGET_INCLUDE
#if defined(__aarch64__)
#define HWY_DISABLED_TARGETS                                                                       \
  (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128) // vectors without a size cannot be members
#endif
#define HWY_TARGET_INCLUDE "carom/dynamics/contact_lanes.cpp"
#include <hwy/foreach_target.h>

#include "carom/dynamics/contact_lanes.h"
#include "carom/dynamics/lane_speeds-inl.h"
#include "carom/dynamics/several_points-inl.h"

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {
namespace {

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

HWY_INLINE void solve_rolling(ContactBlock& block, Speeds& s, const Row3& t1, const Row3& t2) {
  const Row3 spin = s.w_b - s.w_a;
  const Float8 r1 = dot(spin, t1), r2 = dot(spin, t2);
  const Float8 k11 = load_floats(block.roll_mass[0]), k12 = load_floats(block.roll_mass[1]),
               k22 = load_floats(block.roll_mass[2]);
  const Float8 old1 = load_floats(block.roll[0]), old2 = load_floats(block.roll[1]);
  Float8 new1 = old1 - (k11 * r1 + k12 * r2), new2 = old2 - (k12 * r1 + k22 * r2);
  shorten(new1, new2, load_floats(block.roll_limit) * sum_of_impulses(block));
  store_floats(new1, block.roll[0]);
  store_floats(new2, block.roll[1]);
  const Row3 impulse = t1 * (new1 - old1) + t2 * (new2 - old2);
  s.w_a = s.w_a - load_symmetric(block.inertia_a) * impulse;
  s.w_b = s.w_b + load_symmetric(block.inertia_b) * impulse;
}

/// `back`: 1 or 0, whether what has crept is to be undone.
HWY_INLINE void solve_friction(ContactBlock& block, Speeds& s, const Row3& n, float back) {
  const Row3 t1 = load3(block.tangent), t2 = cross(n, t1);
  if (block.rolls) solve_rolling(block, s, t1, t2);
  const Float8 friction = load_floats(block.friction);
  if (block.point_count > 1) {
    Float8 limit = load_floats(block.points[0].impulse) * load_floats(block.points[0].lever);
    for (std::uint32_t i = 1; i < block.point_count; ++i)
      limit = limit + load_floats(block.points[i].impulse) * load_floats(block.points[i].lever);
    limit = limit * friction;
    const Float8 old = load_floats(block.twist);
    const Float8 twist = max(
        min(old - load_floats(block.twist_mass) * dot(n, s.w_b - s.w_a), limit), zero() - limit);
    store_floats(twist, block.twist);
    s.w_a = s.w_a - load3(block.twist_a) * (twist - old);
    s.w_b = s.w_b + load3(block.twist_b) * (twist - old);
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
  shorten(new1, new2, friction * sum_of_impulses(block));
  store_floats(new1, block.slide[0]);
  store_floats(new2, block.slide[1]);
  const Float8 d1 = new1 - old1, d2 = new2 - old2;
  s.push(block, t1 * d1 + t2 * d2);
  s.w_a = s.w_a - (load3(block.slide_a[0]) * d1 + load3(block.slide_a[1]) * d2);
  s.w_b = s.w_b + (load3(block.slide_b[0]) * d1 + load3(block.slide_b[1]) * d2);
}

HWY_INLINE void push_point(const ContactBlock& block, const PointLanes& p, Speeds& s, const Row3& n,
                           const Float8& impulse) {
  s.push(block, n * impulse);
  s.w_a = s.w_a - load3(p.spin_a) * impulse;
  s.w_b = s.w_b + load3(p.spin_b) * impulse;
}

HWY_INLINE Float8 point_speed(const PointLanes& p, const Speeds& s, const Row3& n,
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
HWY_INLINE void solve_together(ContactBlock& block, Speeds& s, const Row3& n, const Row3& offset,
                               const Softness& soft) {
  if (block.point_count < 2) return;
  SeveralPoints all = no_points();
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
  SeveralPushes pushes = no_pushes();
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
HWY_INLINE void measure_gaps(ContactBlock& block, std::span<SolverBody> bodies, const Row3& n,
                             const Row3& offset) {
  const Row3 d_a = Speeds::load(bodies, block.a, &SolverBody::moved),
             d_b = Speeds::load(bodies, block.b, &SolverBody::moved);
  const Row3 turn_a = Speeds::load(bodies, block.a, &SolverBody::turned),
             turn_b = Speeds::load(bodies, block.b, &SolverBody::turned);
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

/// Two bodies that bounce, have not touched in this step so far, and do now: how fast is seen before anything is pushed, and all points that hit take the same. Apart from the rest, which is far more frequent. True where there are any.
HWY_NOINLINE bool meet_block(ContactBlock& block, std::span<SolverBody> bodies,
                             const Softness& soft) {
  Speeds s(block, bodies);
  const Row3 n = load3(block.normal), offset = load3(block.offset);
  measure_gaps(block, bodies, n, offset);
  const FloatMask8 fresh = not_touched(block) & (zero() < load_floats(block.restitution));
  SeveralPoints all = no_points();
  Float8 hits[4], bias = zero();
  for (std::uint32_t i = 0; i < block.point_count; ++i) {
    PointLanes& p = block.points[i];
    const Float8 speed = point_speed(p, s, n, offset), own_bias = soft.bias(load_floats(p.gap_now)),
                 approach = load_floats(p.approach);
    const FloatMask8 meets = fresh & (speed + own_bias < zero()) & (zero() < load_floats(p.mass));
    store_floats(select(meets, min(approach, speed), approach), p.approach);
    hits[i] = one_where(meets);
    all.add(p, hits[i]);
    bias = bias + hits[i] * own_bias;
  }
  if (bits(zero() < all.count) == 0) return false;
  all.close();
  const Float8 change = max(zero() - all.mass(block, n, offset) *
                                         (all.speed(s, n, offset) + bias * all.each) * all.each,
                            zero());
  SeveralPushes pushes = no_pushes();
  for (std::uint32_t i = 0; i < block.point_count; ++i) {
    PointLanes& p = block.points[i];
    const Float8 impulse = hits[i] * change;
    store_floats(load_floats(p.impulse) + impulse, p.impulse);
    pushes.add(p, impulse);
  }
  pushes.push(block, s, n);
  s.store(block, bodies, block.fixed);
  return true;
}

/// Notes speeds at the moment of impact: those of points which had not carried in this step so far, and do now. Where bodies do not bounce, of the first one only: what it is pushed by turns the bodies, and makes others hit harder.
class Impacts {
public:
  HWY_INLINE explicit Impacts(const ContactBlock& block)
      : bouncing_(zero() < load_floats(block.restitution)), told_(not_touched(block) | bouncing_) {}
  HWY_INLINE void note(PointLanes& p, const Float8& old, const Float8& impulse,
                       const Float8& speed) {
    const Float8 approach = load_floats(p.approach);
    const FloatMask8 hit = zero() < impulse;
    const FloatMask8 first = told_ & hit & (load_floats(p.total) + old <= zero());
    store_floats(select(first, min(approach, speed), approach), p.approach);
    told_ = (told_ & (impulse <= zero())) | bouncing_;
  }

private:
  FloatMask8 bouncing_, told_; ///< lanes
};

HWY_INLINE void solve_block(ContactBlock& block, std::span<SolverBody> bodies, const Softness& soft,
                            bool together) {
  Speeds s(block, bodies);
  const Row3 n = load3(block.normal), offset = load3(block.offset);
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
    impacts.note(p, old, impulse, speed);
  }
  s.store(block, bodies, block.fixed);
}

HWY_INLINE void relax_block(ContactBlock& block, std::span<SolverBody> bodies,
                            const Softness& hard) {
  Speeds s(block, bodies);
  const Row3 n = load3(block.normal), offset = load3(block.offset);
  measure_gaps(block, bodies, n, offset);
  solve_friction(block, s, n, 0);
  Impacts impacts(block);
  solve_together(block, s, n, offset, hard);
  for (std::uint32_t i = block.point_count; i-- > 0;) {
    PointLanes& p = block.points[i];
    const Float8 bias = max(load_floats(p.gap_now), zero()) * hard.inverse_time;
    const Float8 old = load_floats(p.impulse), speed = point_speed(p, s, n, offset);
    const Float8 impulse = max(old - load_floats(p.mass) * (speed + bias), zero());
    store_floats(impulse, p.impulse);
    push_point(block, p, s, n, impulse - old);
    impacts.note(p, old, impulse, speed);
    store_floats(load_floats(p.total) + impulse, p.total);
  }
  s.store(block, bodies, block.fixed);
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

HWY_INLINE void bounce_block(ContactBlock& block, std::span<SolverBody> bodies, float threshold) {
  Speeds s(block, bodies);
  const Row3 n = load3(block.normal), offset = load3(block.offset);
  const Float8 restitution = load_floats(block.restitution);
  const auto hits = [&](const PointLanes& p) HWY_ATTR {
    return (zero() < load_floats(p.total)) & (zero() < restitution) &
           (load_floats(p.approach) <= all_floats(-threshold));
  };
  SeveralPoints all = no_points();
  Float8 wanted_speed = zero();
  for (std::uint32_t i = 0; i < block.point_count; ++i) {
    const PointLanes& p = block.points[i];
    const Float8 on = one_where(hits(p));
    all.add(p, on);
    wanted_speed = wanted_speed - on * restitution * load_floats(p.approach);
  }
  all.close();
  const Float8 change =
      all.mass(block, n, offset) * (wanted_speed * all.each - all.speed(s, n, offset)) * all.each;
  // Not kept for the next step: it happens once.
  Float8 impulses[4];
  SeveralPushes pushes = no_pushes();
  for (std::uint32_t i = 0; i < block.point_count; ++i) {
    const PointLanes& p = block.points[i];
    const Float8 old = load_floats(p.impulse);
    impulses[i] = select(hits(p), max(old + change, zero()), old);
    pushes.add(p, impulses[i] - old);
  }
  pushes.push(block, s, n);
  for (std::uint32_t i = 0; i < block.point_count; ++i) {
    PointLanes& p = block.points[i];
    const Float8 speed = point_speed(p, s, n, offset) + restitution * load_floats(p.approach);
    const Float8 impulse =
        select(hits(p), max(impulses[i] - load_floats(p.mass) * speed, zero()), impulses[i]);
    push_point(block, p, s, n, impulse - impulses[i]);
    store_floats(load_floats(p.total) + (impulse - load_floats(p.impulse)), p.total);
  }
  s.store(block, bodies, block.fixed);
}

} // namespace

void warm_all(std::span<ContactBlock> blocks, std::span<SolverBody> bodies) {
  for (ContactBlock& block : blocks) warm_block(block, bodies);
}
void solve_all(std::span<ContactBlock> blocks, std::span<SolverBody> bodies, const SoftStep& soft) {
  for (ContactBlock& block : blocks) {
    const Softness softness = softness_of(block, soft);
    // Impulses of an impact are not soft: they are not to be shared out again.
    const bool met =
        block.bounces && bits(not_touched(block)) != 0 && meet_block(block, bodies, softness);
    solve_block(block, bodies, softness, soft.together && !met);
  }
}
void relax_all(std::span<ContactBlock> blocks, std::span<SolverBody> bodies, float inverse_time) {
  const Softness hard = no_softness(inverse_time);
  for (ContactBlock& block : blocks) {
    if (block.bounces && bits(not_touched(block)) != 0) (void)meet_block(block, bodies, hard);
    relax_block(block, bodies, hard);
  }
}
void bounce_all(std::span<ContactBlock> blocks, std::span<SolverBody> bodies, float threshold) {
  for (ContactBlock& block : blocks)
    if (block.bounces) bounce_block(block, bodies, threshold);
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
HWY_EXPORT(bounce_all);
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
void solve(std::span<ContactBlock> blocks, std::span<SolverBody> bodies, const SoftStep& soft) {
  HWY_DYNAMIC_DISPATCH(solve_all)(blocks, bodies, soft);
}
void relax(std::span<ContactBlock> blocks, std::span<SolverBody> bodies, float inverse_time) {
  HWY_DYNAMIC_DISPATCH(relax_all)(blocks, bodies, inverse_time);
}
void bounce(std::span<ContactBlock> blocks, std::span<SolverBody> bodies, float threshold) {
  HWY_DYNAMIC_DISPATCH(bounce_all)(blocks, bodies, threshold);
}

} // namespace carom
#endif
