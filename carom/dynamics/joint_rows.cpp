// Rows of joints that have bounds, or close loops: sequential impulses, eight joints at a time, none of which move the same body.
//
// Limits look ahead as contacts do: as much speed is left as closes the gap in this sub-step, and what has passed is brought back softly. Of the two ends of a range the nearer one counts.
// A spring is not iterated: scale, rate and soft (joint_solver.cpp) give it just the impulse of a sub-step, so that it keeps its period and damping; relaxing leaves it alone.
#undef HWY_TARGET_INCLUDE
#if defined(__aarch64__)
#define HWY_DISABLED_TARGETS                                                                       \
  (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128) // vectors without a size cannot be members
#endif
#define HWY_TARGET_INCLUDE "carom/dynamics/joint_rows.cpp"
#include <hwy/foreach_target.h>

#include "carom/dynamics/joint_lanes.h"
#include "carom/dynamics/joint_slots-inl.h"

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {
namespace {

constexpr float unbounded = 1e30F;

HWY_INLINE Float8 along(const JointRow& row, const Speeds& s) {
  return dot(load3(row.n), s.v_b - s.v_a) + dot(load3(row.turn_b), s.w_b) -
         dot(load3(row.turn_a), s.w_a);
}
HWY_INLINE void push(const JointLanes& lanes, const JointRow& row, Speeds& s,
                     const Float8& impulse) {
  s.push(lanes, load3(row.n) * impulse);
  s.w_a = s.w_a - load3(row.spin_a) * impulse;
  s.w_b = s.w_b + load3(row.spin_b) * impulse;
}

/// Scale, bias, softness and bounds, from where the coordinate is.
HWY_INLINE void set_course(JointRow& row, const JointStep& step) {
  const Float8 value = load_floats(row.value);
  const Float8 limit_push = all_floats(step.push_speed);
  // Springs by stiffness: how soft they are depends on the mass.
  const Float8 compliance = load_floats(row.compliance) * load_floats(row.mass);
  const Float8 stiff = one() / (one() + compliance);
  const Float8 free_scale = load_floats(row.stiff_scale) * stiff;
  const Float8 free_soft = load_floats(row.stiff_soft) + compliance * stiff;
  const Float8 error = (value - load_floats(row.target)) * load_floats(row.rate);
  const Float8 free_bias = (error + load_floats(row.drive)) * stiff;

  const Float8 lower = load_floats(row.lower), upper = load_floats(row.upper);
  const FloatMask8 limited = zero() < load_floats(row.limited);
  const FloatMask8 at_upper = (lower + upper) * all_floats(0.5F) < value;
  const Float8 gap = select(at_upper, upper - value, value - lower);
  const FloatMask8 apart = zero() < gap;
  const Float8 ahead = min(gap * all_floats(step.inverse_time), all_floats(unbounded));
  const Float8 back =
      max(gap * all_floats(step.rate), zero() - limit_push) * all_floats(step.mass_scale);
  const Float8 size = select(apart, ahead, back), relax_size = select(apart, ahead, zero());
  const Float8 sign = select(at_upper, all_floats(-1), one());

  store_floats(select(limited, select(apart, one(), all_floats(step.mass_scale)), free_scale),
               row.scale);
  store_floats(select(limited, select(apart, zero(), all_floats(step.impulse_scale)), free_soft),
               row.soft);
  store_floats(select(limited, sign * size, free_bias), row.bias);
  const Float8 relax_part = load_floats(row.relax_part);
  store_floats(relax_part, row.relax_scale);
  store_floats(select(limited, sign * relax_size, load_floats(row.drive) * relax_part),
               row.relax_bias);
  const Float8 low = select(limited & at_upper, all_floats(-unbounded),
                            select(limited, zero(), load_floats(row.low)));
  const Float8 high = select(limited & at_upper, zero(),
                             select(limited, all_floats(unbounded), load_floats(row.high)));
  store_floats(low, row.low);
  store_floats(high, row.high);
  store_floats(max(min(load_floats(row.impulse), high), low), row.impulse);
}

HWY_INLINE void refresh_block(JointBlock& block, std::span<JointRow> rows,
                              std::span<const SolverBody> states, std::span<const JointBody> bodies,
                              const JointStep& step, bool begins) {
  SlotRows slots;
  put_slots(block.lanes, states, bodies, begins, slots);
  const Symmetric3 inertia_a = inverse_inertia_of(bodies, block.lanes.a),
                   inertia_b = inverse_inertia_of(bodies, block.lanes.b);
  const Row3 mass = load3(block.lanes.mass_a) + load3(block.lanes.mass_b);
  for (std::uint32_t i = 0; i < block.rows; ++i) {
    JointRow& row = rows[block.first_row + i];
    take_slot(slots, row.slot, row, row.value);
    const Row3 n = load3(row.n), turn_a = load3(row.turn_a), turn_b = load3(row.turn_b);
    const Row3 spin_a = inertia_a * turn_a, spin_b = inertia_b * turn_b;
    store3(spin_a, row.spin_a);
    store3(spin_b, row.spin_b);
    store_floats(inverse_or_0(dot(scaled(mass, n), n) + dot(turn_a, spin_a) + dot(turn_b, spin_b)),
                 row.mass);
    set_course(row, step);
  }
}

HWY_INLINE void solve_row(const JointLanes& lanes, JointRow& row, Speeds& s, const Float8& scale,
                          const Float8& bias, const Float8& soft) {
  const Float8 old = load_floats(row.impulse);
  const Float8 wanted = old - load_floats(row.mass) * (scale * along(row, s) + bias) - soft * old;
  const Float8 impulse = max(min(wanted, load_floats(row.high)), load_floats(row.low));
  store_floats(impulse, row.impulse);
  push(lanes, row, s, impulse - old);
}

} // namespace

void refresh_all(std::span<JointBlock> blocks, std::span<JointRow> rows,
                 std::span<const SolverBody> states, std::span<const JointBody> bodies,
                 const JointStep& step, bool begins) {
  for (JointBlock& block : blocks) refresh_block(block, rows, states, bodies, step, begins);
}
void warm_all(std::span<const JointBlock> blocks, std::span<const JointRow> rows,
              std::span<SolverBody> states) {
  for (const JointBlock& block : blocks) {
    Speeds s(block.lanes, states);
    for (std::uint32_t i = 0; i < block.rows; ++i) {
      const JointRow& row = rows[block.first_row + i];
      push(block.lanes, row, s, load_floats(row.impulse));
    }
    s.store(block.lanes, states, false);
  }
}
void solve_all(std::span<const JointBlock> blocks, std::span<JointRow> rows,
               std::span<SolverBody> states) {
  for (const JointBlock& block : blocks) {
    Speeds s(block.lanes, states);
    for (std::uint32_t i = 0; i < block.rows; ++i) {
      JointRow& row = rows[block.first_row + i];
      solve_row(block.lanes, row, s, load_floats(row.scale), load_floats(row.bias),
                load_floats(row.soft));
    }
    s.store(block.lanes, states, false);
  }
}
void relax_all(std::span<const JointBlock> blocks, std::span<JointRow> rows,
               std::span<SolverBody> states) {
  for (const JointBlock& block : blocks) {
    Speeds s(block.lanes, states);
    for (std::uint32_t i = 0; i < block.rows; ++i) {
      JointRow& row = rows[block.first_row + i];
      solve_row(block.lanes, row, s, load_floats(row.relax_scale), load_floats(row.relax_bias),
                zero());
      store_floats(load_floats(row.total) + load_floats(row.impulse), row.total);
    }
    s.store(block.lanes, states, false);
  }
}

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace carom {
namespace {
HWY_EXPORT(refresh_all);
HWY_EXPORT(warm_all);
HWY_EXPORT(solve_all);
HWY_EXPORT(relax_all);
} // namespace

void refresh_rows(std::span<JointBlock> blocks, std::span<JointRow> rows,
                  std::span<const SolverBody> states, std::span<const JointBody> bodies,
                  const JointStep& step, bool begins) {
  HWY_DYNAMIC_DISPATCH(refresh_all)(blocks, rows, states, bodies, step, begins);
}
void warm_start_rows(std::span<const JointBlock> blocks, std::span<const JointRow> rows,
                     std::span<SolverBody> states) {
  HWY_DYNAMIC_DISPATCH(warm_all)(blocks, rows, states);
}
void solve_rows(std::span<const JointBlock> blocks, std::span<JointRow> rows,
                std::span<SolverBody> states) {
  HWY_DYNAMIC_DISPATCH(solve_all)(blocks, rows, states);
}
void relax_rows(std::span<const JointBlock> blocks, std::span<JointRow> rows,
                std::span<SolverBody> states) {
  HWY_DYNAMIC_DISPATCH(relax_all)(blocks, rows, states);
}

} // namespace carom
#endif
