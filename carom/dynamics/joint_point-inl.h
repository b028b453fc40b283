// Blocks of trees whose joints hold a point: balls, hinges, and what is fixed.
//
// The three rows of a point are solved along the world's axes, whatever the axes of the joint: the same point is held. With an arm r to it, such a row is e_i on the velocity and r x e_i on the spin, which has more zeros than
// numbers; J v is v + w x r, and J^T f the force f with the torque r x f. The other rows are turns, with zeros for velocities. That takes half the arithmetic of rows of any numbers (joint_tree_lanes.cpp).
// Impulses are kept along the joint's own axes, as everywhere.
//
// Internal: for sources compiled once a target (foreach_target.h). Not installed.
#include "carom/dynamics/joint_tree_blocks-inl.h"

// The per-target include guard that Highway asks for: this file is read once for each target.
#if defined(CAROM_DYNAMICS_JOINT_POINT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CAROM_DYNAMICS_JOINT_POINT_INL_H_
#undef CAROM_DYNAMICS_JOINT_POINT_INL_H_
#else
#define CAROM_DYNAMICS_JOINT_POINT_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {
namespace {

/// The rows of a block: three of a point, and turns. As many as are known before, so that loops over them are written out, and what they compute stays in registers.
template<std::size_t known>
struct PointRows {
  static constexpr std::size_t count = known;
  TreeRow* first;

  [[nodiscard]] HWY_INLINE TreeRow& operator[](std::size_t i) const { return first[i]; }
};

struct Wide3 {
  Double8 x, y, z;

  [[nodiscard]] HWY_INLINE const Double8& operator[](std::size_t i) const {
    return i == 0 ? x : i == 1 ? y : z;
  }
};
HWY_INLINE Wide3 widened3(const LaneRow* rows) {
  return {widened(rows[0]), widened(rows[1]), widened(rows[2])};
}
HWY_INLINE Wide3 operator+(const Wide3& a, const Wide3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
HWY_INLINE Wide3 operator*(const Wide3& a, const Double8& s) { return {a.x * s, a.y * s, a.z * s}; }
HWY_INLINE Double8 dot(const Wide3& a, const Wide3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
HWY_INLINE Wide3 cross(const Wide3& a, const Wide3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
HWY_INLINE Wide3 linear_of(const Spatial& s) { return {s.part[0], s.part[1], s.part[2]}; }
HWY_INLINE Wide3 angular_of(const Spatial& s) { return {s.part[3], s.part[4], s.part[5]}; }

/// (r x e_i) . v
template<class V>
HWY_INLINE auto about(const V& r, std::size_t i, const V& v) {
  return i == 0 ? v.y * r.z - v.z * r.y : i == 1 ? v.z * r.x - v.x * r.z : v.x * r.y - v.y * r.x;
}
/// (r x e_i) . m (r x e_i)
HWY_INLINE Float8 yield_about(const Row3& r, std::size_t i, const Symmetric3& m) {
  const Row3 &d = m.diagonal, &p = m.products; // xy yz zx
  const auto of = [](const Float8& a, const Float8& b, const Float8& aa, const Float8& bb,
                     const Float8& ab) HWY_ATTR {
    const Float8 both = a * b * ab;
    return a * a * bb + b * b * aa - (both + both);
  };
  if (i == 0) return of(r.y, r.z, d.y, d.z, p.y);
  if (i == 1) return of(r.z, r.x, d.z, d.x, p.z);
  return of(r.x, r.y, d.x, d.y, p.x);
}

/// The inverse mass of a block's children, with what hangs on them, by its parts.
struct ChildInverse {
  const TreeBlock& block;
  Wide3 own_mass;
  Double8 own[6]; ///< inertia alone, where nothing hangs on any: a lower triangle

  HWY_INLINE ChildInverse(const TreeBlock& of, const Symmetric3& inertia)
      : block(of), own_mass(widened3(of.mass_child)), own{widened(inertia.diagonal.x),
                                                          widened(inertia.products.x),
                                                          widened(inertia.diagonal.y),
                                                          widened(inertia.products.z),
                                                          widened(inertia.products.y),
                                                          widened(inertia.diagonal.z)} {}
  /// Row i of the columns of turns.
  [[nodiscard]] HWY_INLINE Wide3 turns(std::size_t i) const {
    const auto of = [&](std::size_t k)
                        HWY_ATTR { return load8(block.inverse[k <= i ? at(i, k) : at(k, i)]); };
    return {of(3), of(4), of(5)};
  }
  /// Times a turn about an axis: the spin.
  [[nodiscard]] HWY_INLINE Wide3 spin_of(const Wide3& t) const {
    return {own[0] * t.x + own[1] * t.y + own[3] * t.z, own[1] * t.x + own[2] * t.y + own[4] * t.z,
            own[3] * t.x + own[4] * t.y + own[5] * t.z};
  }
};

/// r x e_i
HWY_INLINE Wide3 crossed(const Wide3& r, std::size_t i) {
  if (i == 0) return {none(), r.z, none() - r.y};
  if (i == 1) return {none() - r.z, none(), r.x};
  return {r.y, none() - r.x, none()};
}

/// What a row's impulse does to the children: M*^-1 J_c^T.
template<std::size_t known>
HWY_INLINE void respond(const PointRows<known>& rows, const ChildInverse& inverse, const Wide3& arm,
                        const Wide3* axes, Spatial* response) {
  const TreeBlock& block = inverse.block;
#pragma GCC unroll 6
  for (std::size_t i = 0; i < known; ++i) {
    Spatial& to = response[i];
    if (block.leaves) {
      const Wide3 spin = inverse.spin_of(i < 3 ? crossed(arm, i) : axes[i - 3]);
      to = {{none(), none(), none(), spin.x, spin.y, spin.z}};
      if (i < 3) to.part[i] = inverse.own_mass[i];
      continue;
    }
#pragma GCC unroll 6
    for (std::size_t k = 0; k < 6; ++k) {
      const Wide3 turns = inverse.turns(k);
      to.part[k] = i < 3 ? load8(block.inverse[i <= k ? at(k, i) : at(i, k)]) + about(arm, i, turns)
                         : dot(axes[i - 3], turns);
    }
    to.store(rows[i].response);
  }
}

/// M*_p += J_p^T S^-1 J_p. With K = S^-1, the columns of Q = J_turn^T K are q x K_j of the point, and the axes times the rest.
template<std::size_t known>
HWY_INLINE void hang_on_parent(const TreeBlock& block, const Wide3& arm, const Wide3* axes,
                               const Double8* s, std::span<TreeBodies> tree_bodies) {
  if (block.parents == 0) return;
  Double8 k[at(known, 0)], m[21];
  invert<known>(s, k);
  const auto of = [&](std::size_t r, std::size_t c)
                      HWY_ATTR { return k[c <= r ? at(r, c) : at(c, r)]; };
  Wide3 q[known];
#pragma GCC unroll 6
  for (std::size_t j = 0; j < known; ++j) {
    q[j] = cross(arm, {of(0, j), of(1, j), of(2, j)});
    for (std::size_t a = 3; a < known; ++a) q[j] = q[j] + axes[a - 3] * of(a, j);
  }
#pragma GCC unroll 6
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t c = 0; c <= r; ++c) m[at(r, c)] = of(r, c);
    const Wide3 row{q[0][r], q[1][r], q[2][r]}, turned = cross(arm, row);
    for (std::size_t c = 0; c < 3; ++c) m[at(r + 3, c)] = row[c];
    for (std::size_t c = 0; c <= r; ++c) {
      Double8 x = turned[c];
      for (std::size_t a = 3; a < known; ++a) x = x + q[a][r] * axes[a - 3][c];
      m[at(r + 3, c + 3)] = x;
    }
  }
  add_to_parents(m, block, tree_bodies, &TreeBodies::mass);
}

template<std::size_t known>
HWY_INLINE void refresh_block(TreeBlock& block, const PointRows<known>& rows,
                              std::span<const SolverBody> states, std::span<const JointBody> bodies,
                              std::span<TreeBodies> tree_bodies, bool begins) {
  if (!block.leaves) invert_mass(block, tree_bodies[block.children]);
  SlotRows slots;
  put_slots(block.lanes, states, bodies, begins, slots, true);
  const Row3 gap = load3(slots.gap), arm_a = load3(slots.arm_a) + gap, arm_b = load3(slots.arm_b);
  const FloatMask8 a_is_child = load_floats(block.sign) < zero();
  const Row3 arm_c = select3(a_is_child, arm_a, arm_b), arm_p = select3(a_is_child, arm_b, arm_a);
  store3(arm_c, block.arm_child);
  store3(arm_p, block.arm_parent);
  Row3 error = gap;
  for (std::size_t i = 0; i < 3; ++i) {
    const Row3 n = load3(slots.n[i]);
    store3(n, rows[i].n);
    error = error - n * load_floats(rows[i].target);
  }
  store3(error, block.error);

  const Symmetric3 inertia_c = inverse_inertia_of(bodies, block.child_place),
                   inertia_p = inverse_inertia_of(bodies, block.parent_place);
  const Row3 mass = load3(block.mass_child) + load3(block.mass_parent);
  const Float8 compliance = load_floats(block.compliance);
  const Wide3 arm = widened3(block.arm_child);
  Wide3 axes[3];
  Spatial response[known];
  Double8 s[at(known, 0)];
  Float8 alone[known] = {
      mass.x + yield_about(arm_c, 0, inertia_c) + yield_about(arm_p, 0, inertia_p),
      mass.y + yield_about(arm_c, 1, inertia_c) + yield_about(arm_p, 1, inertia_p),
      mass.z + yield_about(arm_c, 2, inertia_c) + yield_about(arm_p, 2, inertia_p)};
  for (std::size_t i = 3; i < known; ++i) {
    take_slot(slots, rows[i].slot, rows[i], rows[i].value);
    axes[i - 3] = widened3(rows[i].turn_b);
    const Row3 axis = load3(rows[i].turn_b);
    alone[i] = dot(inertia_c * axis, axis) + dot(inertia_p * axis, axis);
  }
  respond(rows, ChildInverse(block, inertia_c), arm, axes, response);
#pragma GCC unroll 6
  for (std::size_t i = 0; i < known; ++i) {
    for (std::size_t k = 0; k <= i; ++k) {
      const Wide3 spin = angular_of(response[k]);
      s[at(i, k)] = i < 3 ? response[k].part[i] + about(arm, i, spin) : dot(axes[i - 3], spin);
    }
    const Float8 yield = alone[i] * compliance;
    store_floats(yield, rows[i].yield);
    s[at(i, i)] = s[at(i, i)] + widened(yield);
  }
  factorize(s, known);
  for (std::size_t i = 0; i < at(known, 0); ++i) store8(s[i], block.factor[i]);
  hang_on_parent<known>(block, widened3(block.arm_parent), axes, s, tree_bodies);
}

/// A force at the point and torques, as impulses.
template<std::size_t known>
HWY_INLINE void apply(const TreeBlock& block, const PointRows<known>& rows,
                      std::span<SolverBody> states, std::span<const JointBody> bodies,
                      const Row3& push, const Float8* turns) {
  Row3 twist = zero3();
  for (std::size_t i = 3; i < known; ++i) twist = twist + load3(rows[i].turn_b) * turns[i - 3];
  push_bodies(block, states, bodies, push, cross(load3(block.arm_child), push) + twist,
              cross(load3(block.arm_parent), push) + twist);
}
template<std::size_t known>
HWY_INLINE Row3 push_of(const PointRows<known>& rows) {
  return load3(rows[0].n) * load_floats(rows[0].impulse) +
         load3(rows[1].n) * load_floats(rows[1].impulse) +
         load3(rows[2].n) * load_floats(rows[2].impulse);
}
template<std::size_t known>
HWY_INLINE void warm_start(const TreeBlock& block, const PointRows<known>& rows,
                           std::span<SolverBody> states, std::span<const JointBody> bodies) {
  Float8 turns[3];
  for (std::size_t i = 3; i < known; ++i) turns[i - 3] = load_floats(rows[i].impulse);
  apply(block, rows, states, bodies, push_of(rows), turns);
}

/// Toward the roots.
template<std::size_t known>
HWY_INLINE void gather_up(TreeBlock& block, const PointRows<known>& rows,
                          std::span<const SolverBody> states, std::span<TreeBodies> tree_bodies,
                          const TreeBias& wanted) {
  Spatial child = motion_of(states, block.child_place);
  child.add(take_rest(block, tree_bodies), all8(1));
  const Spatial parent = motion_of(states, block.parent_place);
  const Wide3 arm_c = widened3(block.arm_child), arm_p = widened3(block.arm_parent);
  const Wide3 spin_c = angular_of(child), spin_p = angular_of(parent);
  const Float8 rate = load_floats(block.sign) * all_floats(wanted.rate),
               limit = all_floats(wanted.push_speed);
  const auto bias_of = [&](std::size_t i, const Float8& speed, const Float8& impulse) HWY_ATTR {
    return widened(max(min(speed, limit), zero() - limit) +
                   load_floats(rows[i].yield) * impulse * all_floats(wanted.soft));
  };
  const Row3 speed = load3(block.error) * rate + load3(block.drift), push = push_of(rows);
  const Float8 speeds[3] = {speed.x, speed.y, speed.z}, pushes[3] = {push.x, push.y, push.z};
  Double8 y[known];
  for (std::size_t i = 0; i < 3; ++i)
    y[i] =
        ((child.part[i] + about(arm_c, i, spin_c)) - (parent.part[i] + about(arm_p, i, spin_p))) +
        bias_of(i, speeds[i], pushes[i]);
  Wide3 axes[3];
  for (std::size_t i = 3; i < known; ++i) {
    axes[i - 3] = widened3(rows[i].turn_b);
    const Float8 turned = load_floats(rows[i].value) - load_floats(rows[i].target);
    y[i] = (dot(axes[i - 3], spin_c) - dot(axes[i - 3], spin_p)) +
           bias_of(i, turned * rate, load_floats(rows[i].impulse));
  }
  for (std::size_t i = 0; i < known; ++i) store8(y[i], rows[i].sum);
  solve_factor(block, known, y);
  if (block.parents == 0) return;
  Wide3 twist = cross(arm_p, {y[0], y[1], y[2]});
  for (std::size_t i = 3; i < known; ++i) twist = twist + axes[i - 3] * y[i];
  const Double8 to_parent[6] = {y[0], y[1], y[2], twist.x, twist.y, twist.z};
  add_to_parents(to_parent, block, tree_bodies, &TreeBodies::push);
}

/// And back.
template<std::size_t known>
HWY_INLINE void hand_down(TreeBlock& block, const PointRows<known>& rows,
                          std::span<SolverBody> states, std::span<const JointBody> bodies,
                          std::span<TreeBodies> tree_bodies, bool adds_up) {
  const Spatial parent = change_of_parents(block, tree_bodies);
  const Wide3 arm_p = widened3(block.arm_parent), spin_p = angular_of(parent);
  Double8 y[known];
  for (std::size_t i = 0; i < known; ++i)
    y[i] = load8(rows[i].sum) - (i < 3 ? parent.part[i] + about(arm_p, i, spin_p)
                                       : dot(widened3(rows[i].turn_b), spin_p));
  solve_factor(block, known, y);
  Float8 impulses[known];
  for (std::size_t i = 0; i < known; ++i) impulses[i] = narrowed(none() - y[i]);
  const Row3 push{impulses[0], impulses[1], impulses[2]};
  for (std::size_t i = 0; i < known; ++i) {
    TreeRow& row = rows[i];
    const Float8 impulse =
        load_floats(row.impulse) + (i < 3 ? dot(load3(row.n), push) : impulses[i]);
    store_floats(impulse, row.impulse);
    if (adds_up) store_floats(load_floats(row.total) + impulse, row.total);
  }
  apply(block, rows, states, bodies, push, impulses + 3);
  if (block.leaves) return;
  Spatial change = Spatial::load(block.rest);
  for (std::size_t i = 0; i < known; ++i)
    change.add(Spatial::load(rows[i].response), none() - y[i]);
  change.store(tree_bodies[block.children].change);
}

} // namespace
} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#endif // per-target guard
