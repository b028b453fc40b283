// The elimination of joint_tree_lanes.h in lanes. A block's joints have children and parents of their own, and come after all blocks in which these are parents, so lanes never meet.
#undef HWY_TARGET_INCLUDE
#if defined(__aarch64__)
#define HWY_DISABLED_TARGETS                                                                       \
  (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128) // vectors without a size cannot be members
#endif
#define HWY_TARGET_INCLUDE "carom/dynamics/joint_tree_lanes.cpp"
#include <hwy/foreach_target.h>

#include "carom/dynamics/joint_point-inl.h"
#include "carom/dynamics/joint_tree_blocks-inl.h"

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {
namespace {

HWY_INLINE Spatial of_rows(const LaneRow* linear, const LaneRow* angular) {
  return {{widened(linear[0]), widened(linear[1]), widened(linear[2]), widened(angular[0]),
           widened(angular[1]), widened(angular[2])}};
}
HWY_INLINE Spatial on_child(const TreeRow& row) { return of_rows(row.n, row.turn_b); }
/// The sign is the opposite one.
HWY_INLINE Spatial on_parent(const TreeRow& row) { return of_rows(row.n, row.turn_a); }

/// Rows as of child and parent, instead of B and A.
HWY_INLINE void orient(TreeRow& row, const Float8& sign) {
  const FloatMask8 other = sign < zero();
  const Row3 a = load3(row.turn_a), b = load3(row.turn_b);
  store3(select3(other, b, a), row.turn_a);
  store3(select3(other, a, b), row.turn_b);
}

/// M*_p += J_p^T S^-1 J_p = Y^T D^-1 Y with Y = L^-1 J_p.
HWY_INLINE void hang_on_parent(const TreeBlock& block, std::span<TreeRow> rows, const Double8* s,
                               std::span<TreeBodies> tree_bodies) {
  Double8 m[21];
  for (Double8& x : m) x = none();
  Spatial y[6];
  for (std::size_t i = 0; i < rows.size(); ++i) {
    y[i] = on_parent(rows[i]);
    for (std::size_t j = 0; j < i; ++j) y[i].add(y[j], none() - s[at(i, j)]);
    for (std::size_t r = 0; r < 6; ++r) {
      const Double8 part = y[i].part[r] * s[at(i, i)];
      for (std::size_t c = 0; c <= r; ++c) m[at(r, c)] = m[at(r, c)] + part * y[i].part[c];
    }
  }
  add_to_parents(m, block, tree_bodies, &TreeBodies::mass);
}

/// M^-1 of children that nothing hangs on.
struct OwnInverse {
  Double8 mass[3], diagonal[3], products[3]; ///< xy yz zx

  HWY_INLINE OwnInverse(const TreeBlock& block, const Symmetric3& inertia)
      : mass{widened(block.mass_child[0]), widened(block.mass_child[1]),
             widened(block.mass_child[2])},
        diagonal{widened(inertia.diagonal.x), widened(inertia.diagonal.y),
                 widened(inertia.diagonal.z)},
        products{widened(inertia.products.x), widened(inertia.products.y),
                 widened(inertia.products.z)} {}
  HWY_INLINE Spatial operator*(const Spatial& v) const {
    const Double8 *turn = v.part + 3, &xy = products[0], &yz = products[1], &zx = products[2];
    return {{mass[0] * v.part[0], mass[1] * v.part[1], mass[2] * v.part[2],
             diagonal[0] * turn[0] + xy * turn[1] + zx * turn[2],
             xy * turn[0] + diagonal[1] * turn[1] + yz * turn[2],
             zx * turn[0] + yz * turn[1] + diagonal[2] * turn[2]}};
  }
};

HWY_INLINE void refresh_block(TreeBlock& block, std::span<TreeRow> rows,
                              std::span<const SolverBody> states, std::span<const JointBody> bodies,
                              std::span<TreeBodies> tree_bodies, bool begins) {
  if (!block.leaves) invert_mass(block, tree_bodies[block.children]);
  if (rows.size() == 0) return;
  SlotRows slots;
  put_slots(block.lanes, states, bodies, begins, slots);
  const Symmetric3 inertia_c = inverse_inertia_of(bodies, block.child_place),
                   inertia_p = inverse_inertia_of(bodies, block.parent_place);
  const Row3 mass = load3(block.mass_child) + load3(block.mass_parent);
  const Float8 sign = load_floats(block.sign), compliance = load_floats(block.compliance);
  const FloatMask8 a_is_child = sign < zero();
  const Row3 arm_a = load3(slots.arm_a), arm_b = load3(slots.arm_b);
  store3(select3(a_is_child, arm_a, arm_b), block.arm_child);
  store3(select3(a_is_child, arm_b, arm_a), block.arm_parent);
  const OwnInverse own(block, inertia_c);
  Spatial response[6];
  Double8 s[21];
  for (std::size_t i = 0; i < rows.size(); ++i) {
    TreeRow& row = rows[i];
    take_slot(slots, row.slot, row, row.value);
    orient(row, sign);
    const Spatial c = on_child(row);
    if (block.leaves) {
      response[i] = own * c;
    } else {
      response[i] = times(block.inverse, c);
      response[i].store(row.response);
    }
    for (std::size_t k = 0; k <= i; ++k) s[at(i, k)] = dot(c, response[k]);
    const Row3 n = load3(row.n), turn_c = load3(row.turn_b), turn_p = load3(row.turn_a);
    const Float8 alone =
        dot(scaled(mass, n), n) + dot(inertia_c * turn_c, turn_c) + dot(inertia_p * turn_p, turn_p);
    const Float8 yield = alone * compliance;
    store_floats(yield, row.yield);
    s[at(i, i)] = s[at(i, i)] + widened(yield);
  }
  factorize(s, rows.size());
  for (std::size_t i = 0; i < at(rows.size(), 0); ++i) store8(s[i], block.factor[i]);
  hang_on_parent(block, rows, s, tree_bodies);
}

/// Toward the roots.
HWY_INLINE void gather_up(TreeBlock& block, std::span<TreeRow> rows,
                          std::span<const SolverBody> states, std::span<TreeBodies> tree_bodies,
                          const TreeBias& wanted) {
  const Spatial rest = take_rest(block, tree_bodies);
  if (rows.empty()) return;
  Spatial child = motion_of(states, block.child_place);
  const Spatial parent = motion_of(states, block.parent_place);
  child.add(rest, all8(1));
  const Float8 sign = load_floats(block.sign), limit = all_floats(wanted.push_speed);
  const Row3 drift = load3(block.drift);
  Double8 y[6];
  for (std::size_t i = 0; i < rows.size(); ++i) {
    TreeRow& row = rows[i];
    const Float8 error = (load_floats(row.value) - load_floats(row.target)) * sign;
    const Float8 speed = error * all_floats(wanted.rate) + dot(drift, load3(row.n));
    const Float8 bias = max(min(speed, limit), zero() - limit) +
                        load_floats(row.yield) * load_floats(row.impulse) * all_floats(wanted.soft);
    y[i] = (dot(on_child(row), child) - dot(on_parent(row), parent)) + widened(bias);
    store8(y[i], row.sum);
  }
  solve_factor(block, rows.size(), y);
  Spatial push = Spatial::zero();
  for (std::size_t i = 0; i < rows.size(); ++i) push.add(on_parent(rows[i]), y[i]);
  add_to_parents(push.part, block, tree_bodies, &TreeBodies::push);
}

HWY_INLINE void apply(const TreeBlock& block, std::span<const TreeRow> rows,
                      std::span<SolverBody> states, std::span<const JointBody> bodies,
                      const Float8* impulses) {
  Row3 push = zero3(), twist_c = zero3(), twist_p = zero3();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    push = push + load3(rows[i].n) * impulses[i];
    twist_c = twist_c + load3(rows[i].turn_b) * impulses[i];
    twist_p = twist_p + load3(rows[i].turn_a) * impulses[i];
  }
  push_bodies(block, states, bodies, push, twist_c, twist_p);
}
HWY_INLINE void warm_start(const TreeBlock& block, std::span<const TreeRow> rows,
                           std::span<SolverBody> states, std::span<const JointBody> bodies) {
  if (rows.empty()) return;
  Float8 impulses[6];
  for (std::size_t i = 0; i < rows.size(); ++i) impulses[i] = load_floats(rows[i].impulse);
  apply(block, rows, states, bodies, impulses);
}

/// And back.
HWY_INLINE void hand_down(TreeBlock& block, std::span<TreeRow> rows, std::span<SolverBody> states,
                          std::span<const JointBody> bodies, std::span<TreeBodies> tree_bodies,
                          bool adds_up) {
  Spatial change = block.leaves ? Spatial::zero() : Spatial::load(block.rest);
  if (rows.size() > 0) {
    const Spatial parent = change_of_parents(block, tree_bodies);
    Double8 y[6];
    for (std::size_t i = 0; i < rows.size(); ++i)
      y[i] = load8(rows[i].sum) - dot(on_parent(rows[i]), parent);
    solve_factor(block, rows.size(), y);
    Float8 impulses[6];
    for (std::size_t i = 0; i < rows.size(); ++i) {
      TreeRow& row = rows[i];
      impulses[i] = narrowed(none() - y[i]);
      const Float8 impulse = load_floats(row.impulse) + impulses[i];
      store_floats(impulse, row.impulse);
      if (adds_up) store_floats(load_floats(row.total) + impulse, row.total);
      if (!block.leaves) change.add(Spatial::load(row.response), none() - y[i]);
    }
    apply(block, rows, states, bodies, impulses);
  }
  if (!block.leaves) change.store(tree_bodies[block.children].change);
}

} // namespace

namespace {

/// f with the block's rows, as those of points where they are.
template<class Function>
HWY_INLINE void for_rows(const TreeBlock& block, std::span<TreeRow> rows, const Function& f) {
  TreeRow* first = rows.data() + block.first_row;
  if (!block.point) return f(rows.subspan(block.first_row, block.rows));
  if (block.rows == 3) return f(PointRows<3>{first});
  if (block.rows == 5) return f(PointRows<5>{first});
  f(PointRows<6>{first});
}

} // namespace

void refresh_tree_blocks(std::span<TreeBlock> blocks, std::span<TreeRow> rows,
                         std::span<const SolverBody> states, std::span<const JointBody> bodies,
                         std::span<TreeBodies> tree_bodies, bool begins) {
  for (TreeBlock& block : blocks) {
    const auto one = [&](const auto& own) HWY_ATTR {
      refresh_block(block, own, states, bodies, tree_bodies, begins);
    };
    for_rows(block, rows, one);
  }
}
void drift_of_blocks(std::span<TreeBlock> blocks, std::span<const SolverBody> states, float time) {
  // As a body turns by an angle x, x^2 / 2 is 1 - cos(x) of small ones; the divisor keeps it near that for large ones.
  const Float8 half = all_floats(0.5F * time), bound = all_floats(0.125F * time * time);
  const auto outward = [&](const std::uint32_t* places, const LaneRow* arm) HWY_ATTR {
    const Row3 spin = Speeds::load(states, places, &SolverBody::spin);
    return cross(spin, cross(spin, load3(arm))) * (half / (one() + dot(spin, spin) * bound));
  };
  for (TreeBlock& block : blocks)
    store3((outward(block.child_place, block.arm_child) -
            outward(block.parent_place, block.arm_parent)) *
               load_floats(block.foreseen),
           block.drift);
}
void warm_tree_blocks(std::span<const TreeBlock> blocks, std::span<TreeRow> rows,
                      std::span<SolverBody> states, std::span<const JointBody> bodies) {
  for (const TreeBlock& block : blocks) {
    const auto one = [&](const auto& own) HWY_ATTR { warm_start(block, own, states, bodies); };
    for_rows(block, rows, one);
  }
}
void solve_tree_blocks(std::span<TreeBlock> blocks, std::span<TreeRow> rows,
                       std::span<SolverBody> states, std::span<const JointBody> bodies,
                       std::span<TreeBodies> tree_bodies, const TreeBias& bias) {
  for (TreeBlock& block : blocks) {
    const auto one = [&](const auto& own)
                         HWY_ATTR { gather_up(block, own, states, tree_bodies, bias); };
    for_rows(block, rows, one);
  }
  for (std::size_t i = blocks.size(); i-- > 0;) {
    TreeBlock& block = blocks[i];
    const auto one = [&](const auto& own) HWY_ATTR {
      hand_down(block, own, states, bodies, tree_bodies, bias.adds_up);
    };
    for_rows(block, rows, one);
  }
}

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace carom {
namespace {
HWY_EXPORT(refresh_tree_blocks);
HWY_EXPORT(drift_of_blocks);
HWY_EXPORT(warm_tree_blocks);
HWY_EXPORT(solve_tree_blocks);
} // namespace

void refresh_trees(std::span<TreeBlock> blocks, std::span<TreeRow> rows,
                   std::span<const SolverBody> states, std::span<const JointBody> bodies,
                   std::span<TreeBodies> tree_bodies, bool begins) {
  HWY_DYNAMIC_DISPATCH(refresh_tree_blocks)(blocks, rows, states, bodies, tree_bodies, begins);
}
void foresee_drift(std::span<TreeBlock> blocks, std::span<const SolverBody> states, float time) {
  HWY_DYNAMIC_DISPATCH(drift_of_blocks)(blocks, states, time);
}
void warm_start_trees(std::span<const TreeBlock> blocks, std::span<TreeRow> rows,
                      std::span<SolverBody> states, std::span<const JointBody> bodies) {
  HWY_DYNAMIC_DISPATCH(warm_tree_blocks)(blocks, rows, states, bodies);
}
void solve_trees(std::span<TreeBlock> blocks, std::span<TreeRow> rows, std::span<SolverBody> states,
                 std::span<const JointBody> bodies, std::span<TreeBodies> tree_bodies,
                 const TreeBias& bias) {
  HWY_DYNAMIC_DISPATCH(solve_tree_blocks)(blocks, rows, states, bodies, tree_bodies, bias);
}
void relax_trees(std::span<TreeBlock> blocks, std::span<TreeRow> rows, std::span<SolverBody> states,
                 std::span<const JointBody> bodies, std::span<TreeBodies> tree_bodies) {
  HWY_DYNAMIC_DISPATCH(solve_tree_blocks)
  (blocks, rows, states, bodies, tree_bodies, TreeBias{.adds_up = true});
}

} // namespace carom
#endif
