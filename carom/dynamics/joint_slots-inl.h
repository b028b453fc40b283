// Where joints are now, in lanes: for each coordinate, the row that says how fast it changes, and its value.
//
// Frames turn with their bodies, exactly. Values of lengths are measured; those of angles count from where they were when the step began: what the bodies have turned since about the row's axis, the mean of
// the axis then and now. That is right to the second order, and takes no trigonometry.
//
// With u = B's x axis in A's frame: turn_y = atan2(-u_z, u_x), so its rate is w_y - u_y (u_x w_x + u_z w_z) / (u_x^2 + u_z^2); turn_z = asin(u_y), with the rate (u_x w_z - u_z w_x) / sqrt(u_x^2 + u_z^2); the twist about the shortest turn from A's x to B's is
// w . (x_A + x_B) / (1 + u_x).
//
// Internal: for sources compiled once a target (foreach_target.h). Not installed.
#include "carom/dynamics/joint_lanes.h"
#include "carom/dynamics/lane_speeds-inl.h"

// The per-target include guard that Highway asks for: this file is read once for each target.
#if defined(CAROM_DYNAMICS_JOINT_SLOTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CAROM_DYNAMICS_JOINT_SLOTS_INL_H_
#undef CAROM_DYNAMICS_JOINT_SLOTS_INL_H_
#else
#define CAROM_DYNAMICS_JOINT_SLOTS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {
namespace {

HWY_INLINE Float8 one() { return all_floats(1); }
HWY_INLINE Row3 zero3() { return {zero(), zero(), zero()}; }

HWY_INLINE Symmetric3 inverse_inertia_of(std::span<const JointBody> bodies,
                                         const std::uint32_t* places) {
  return {load_field(bodies, places, &JointBody::inverse_inertia),
          load_field(bodies, places, &JointBody::inverse_products)};
}

/// What a turn changes of a vector.
struct Turn {
  Row3 q;
  Float8 w;
  HWY_INLINE explicit Turn(const Row4& turn) : q(turn.v), w(turn.w) {}
  HWY_INLINE Row3 change(const Row3& v) const {
    const Row3 c = cross(q, v), d = c * w + cross(q, c);
    return d + d;
  }
  HWY_INLINE Row3 operator()(const Row3& v) const { return v + change(v); }
};

struct alignas(64) SlotRows {
  LaneRow n[joint_slots][3], turn_a[joint_slots][3], turn_b[joint_slots][3], value[joint_slots];
  LaneRow arm_a[3], arm_b[3]; ///< from the centres of mass to the frames' origins
  LaneRow gap[3];             ///< from A's origin to B's, where forces act
};

struct Angles {
  JointLanes& lanes;
  SlotRows& out;
  Row3 turned; ///< of B against A since the step began
  bool begins;

  HWY_INLINE void put(std::size_t slot, const Row3& axis) const {
    LaneRow* start = lanes.start[slot - 3];
    if (begins) store3(axis, start);
    store3(zero3(), out.n[slot]);
    store3(axis, out.turn_a[slot]);
    store3(axis, out.turn_b[slot]);
    store_floats(dot(load3(start) + axis, turned) * all_floats(0.5F), out.value[slot]);
  }
};

HWY_INLINE void put_angles(JointLanes& lanes, SlotRows& out, const Row3& x, const Row3& y,
                           const Row3& z, const Row3& of_b, const Row3& turned, bool begins) {
  const Angles angles{lanes, out, turned, begins};
  const Float8 least = all_floats(1e-3F); // of divisors: where an angle means little
  const Float8 ux = dot(of_b, x), uy = dot(of_b, y), uz = dot(of_b, z);
  if ((lanes.slots & 8) != 0) {
    // Where the axes are nearly opposite, the row keeps the length that it has by then: one that vanishes would take impulses without bounds.
    const Row3 sum = x + of_b;
    const Float8 square = dot(sum, sum), limit = all_floats(44.7F);
    const Float8 scale =
        select(square < least + least, limit / sqrt(max(square, all_floats(1e-12F))),
               one() / max(one() + ux, least));
    angles.put(3, sum * scale);
  }
  if ((lanes.slots & 16) != 0)
    angles.put(4, y - (x * ux + z * uz) * (uy / max(ux * ux + uz * uz, least)));
  if ((lanes.slots & 32) != 0)
    angles.put(5, (z * ux - x * uz) *
                      (one() / sqrt(max(ux * ux + uz * uz, all_floats(1e-12F))))); // a unit vector
  if ((lanes.slots & 64) != 0) {
    const Row3 axis = cross(x, of_b);
    const Float8 sine = sqrt(dot(axis, axis));
    const FloatMask8 some = all_floats(1e-6F) < sine;
    const Float8 scale = one() / select(some, sine, one());
    angles.put(cone_slot, {select(some, axis.x * scale, y.x), select(some, axis.y * scale, y.y),
                           select(some, axis.z * scale, y.z)});
  }
}

/// All slots that the lanes need. `point`: of x, y and z nothing but n, as their turns and values follow from the arms and the gap.
HWY_INLINE void put_slots(JointLanes& lanes, std::span<const SolverBody> states,
                          std::span<const JointBody> bodies, bool begins, SlotRows& out,
                          bool point = false) {
  const Turn turn_a(load_row4(bodies, lanes.a, &JointBody::turn)),
      turn_b(load_row4(bodies, lanes.b, &JointBody::turn));
  const Row3 from_a = load3(lanes.arm_a), from_b = load3(lanes.arm_b);
  const Row3 change_a = turn_a.change(from_a), change_b = turn_b.change(from_b);
  const Row3 arm_a = from_a + change_a, arm_b = from_b + change_b;
  store3(arm_a, out.arm_a);
  store3(arm_b, out.arm_b);
  const Row3 moved = Speeds::load(states, lanes.b, &SolverBody::moved) -
                     Speeds::load(states, lanes.a, &SolverBody::moved);
  const Row3 gap = load3(lanes.gap) + (moved + (change_b - change_a));
  store3(gap, out.gap);
  if ((lanes.slots & 127) != 0) {
    const Row3 x = turn_a(load3(lanes.x_a)), y = turn_a(load3(lanes.y_a)), z = cross(x, y);
    const Row3 to_b = arm_a + gap;
    const Row3* const axes[3] = {&x, &y, &z};
    for (std::size_t i = 0; i < 3; ++i) {
      if ((lanes.slots >> i & 1) == 0) continue;
      store3(*axes[i], out.n[i]);
      if (point) continue;
      store3(cross(to_b, *axes[i]), out.turn_a[i]);
      store3(cross(arm_b, *axes[i]), out.turn_b[i]);
      store_floats(dot(gap, *axes[i]), out.value[i]);
    }
    if ((lanes.slots & 120) != 0) {
      const Row3 turned = Speeds::load(states, lanes.b, &SolverBody::turned) -
                          Speeds::load(states, lanes.a, &SolverBody::turned);
      put_angles(lanes, out, x, y, z, turn_b(load3(lanes.x_b)), turned, begins);
    }
  }
  if ((lanes.slots & 128) != 0) {
    const Float8 length = sqrt(dot(gap, gap));
    const Row3 n = gap * inverse_or_0(length);
    store3(n, out.n[length_slot]);
    store3(cross(arm_a, n), out.turn_a[length_slot]);
    store3(cross(arm_b, n), out.turn_b[length_slot]);
    store_floats(length, out.value[length_slot]);
  }
}

HWY_INLINE void copy3(const LaneRow* from, std::size_t lane, LaneRow* to) {
  for (std::size_t k = 0; k < 3; ++k) to[k][lane] = from[k][lane];
}

/// A row's numbers, each lane's from its own slot.
template<class Row>
HWY_INLINE void take_slot(const SlotRows& from, const RowSlots& slot, Row& row, LaneRow& value) {
  if (slot.all != 255) {
    store3(load3(from.n[slot.all]), row.n);
    store3(load3(from.turn_a[slot.all]), row.turn_a);
    store3(load3(from.turn_b[slot.all]), row.turn_b);
    store_floats(load_floats(from.value[slot.all]), value);
    return;
  }
  for (std::size_t lane = 0; lane < lane_count; ++lane) {
    const std::uint8_t s = slot.of[lane];
    if (s == 255) continue; // zero from the beginning
    copy3(from.n[s], lane, row.n);
    copy3(from.turn_a[s], lane, row.turn_a);
    copy3(from.turn_b[s], lane, row.turn_b);
    value[lane] = from.value[s][lane];
  }
}

} // namespace
} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#endif // per-target guard
