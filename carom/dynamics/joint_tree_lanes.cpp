// The elimination of joint_tree_lanes.h in lanes. A block's joints have children and parents of their own, and come after all blocks in which these are parents, so lanes never meet.
#undef HWY_TARGET_INCLUDE
#if defined(__aarch64__)
#define HWY_DISABLED_TARGETS                                                                       \
  (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128) // vectors without a size cannot be members
#endif
#define HWY_TARGET_INCLUDE "carom/dynamics/joint_tree_lanes.cpp"
#include <hwy/foreach_target.h>

#include "carom/dynamics/joint_slots-inl.h"
#include "carom/dynamics/joint_tree_lanes.h"
#include "carom/dynamics/spatial_lanes-inl.h"

#include <type_traits>

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

/// Numbers of eight bodies of trees, as rows, and back. Nobody is body 0, which stays as it is.
template<std::size_t count>
HWY_INLINE void gather_bodies(std::span<const TreeBody> bodies, const std::uint32_t* of,
                              std::array<double, count> TreeBody::*field, LaneDoubles* rows) {
  for (std::size_t lane = 0; lane < lane_count; ++lane) {
    const std::array<double, count>& from = bodies[of[lane]].*field;
    for (std::size_t i = 0; i < count; ++i) rows[i][lane] = from[i];
  }
}
template<std::size_t count>
HWY_INLINE void scatter_bodies(const LaneDoubles* rows, std::span<TreeBody> bodies,
                               const std::uint32_t* of,
                               std::array<double, count> TreeBody::*field) {
  for (std::size_t lane = 0; lane < lane_count; ++lane) {
    if (of[lane] == 0) continue;
    std::array<double, count>& to = bodies[of[lane]].*field;
    for (std::size_t i = 0; i < count; ++i) to[i] = rows[i][lane];
  }
}
template<std::size_t count>
HWY_INLINE void add_to_bodies(const LaneDoubles* rows, std::span<TreeBody> bodies,
                              const std::uint32_t* of, std::array<double, count> TreeBody::*field) {
  for (std::size_t lane = 0; lane < lane_count; ++lane) {
    if (of[lane] == 0) continue;
    std::array<double, count>& to = bodies[of[lane]].*field;
    for (std::size_t i = 0; i < count; ++i) to[i] += rows[i][lane];
  }
}

/// Rows as of child and parent, instead of B and A.
HWY_INLINE void orient(TreeRow& row, const Float8& sign) {
  const FloatMask8 other = sign < zero();
  const Row3 a = load3(row.turn_a), b = load3(row.turn_b);
  store3(select3(other, b, a), row.turn_a);
  store3(select3(other, a, b), row.turn_b);
}

/// The rows of a block, as many as are known before: then loops over them are written out, and what they compute stays in registers. 0: not known.
template<std::size_t known>
struct BlockRows {
  TreeRow* first;
  std::size_t count;

  HWY_INLINE BlockRows(const TreeBlock& block, std::span<TreeRow> rows)
      : first(rows.data() + block.first_row), count(block.rows) {}
  [[nodiscard]] HWY_INLINE std::size_t size() const { return known > 0 ? known : count; }
  [[nodiscard]] HWY_INLINE TreeRow& operator[](std::size_t i) const { return first[i]; }
};
/// f<known>() for the number of rows that the block has: of balls, hinges and what is fixed; any other.
template<class Function>
HWY_INLINE void for_count(const TreeBlock& block, Function&& f) {
  switch (block.rows) {
  case 3:
    return f(std::integral_constant<std::size_t, 3>{});
  case 5:
    return f(std::integral_constant<std::size_t, 5>{});
  default:
    return f(std::integral_constant<std::size_t, 0>{});
  }
}

/// M*_p += J_p^T S^-1 J_p = Y^T D^-1 Y with Y = L^-1 J_p.
template<std::size_t known>
HWY_INLINE void hang_on_parent(const TreeBlock& block, const BlockRows<known>& rows,
                               const Double8* s, std::span<TreeBody> tree_bodies) {
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
  alignas(64) LaneDoubles sum[21];
  for (std::size_t i = 0; i < 21; ++i) store8(m[i], sum[i]);
  add_to_bodies(sum, tree_bodies, block.parent, &TreeBody::mass);
}

HWY_INLINE void invert_mass(TreeBlock& block, std::span<const TreeBody> tree_bodies) {
  alignas(64) LaneDoubles mass[21];
  gather_bodies(tree_bodies, block.child, &TreeBody::mass, mass);
  Double8 m[21];
  for (std::size_t i = 0; i < 21; ++i) m[i] = load8(mass[i]);
  factorize(m, 6);
  invert6(m, block.inverse);
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

template<std::size_t known>
HWY_INLINE void refresh_block(TreeBlock& block, const BlockRows<known>& rows,
                              std::span<const SolverBody> states, std::span<const JointBody> bodies,
                              std::span<TreeBody> tree_bodies, bool begins) {
  if (!block.leaves) invert_mass(block, tree_bodies);
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

/// S^-1 y in place.
HWY_INLINE void solve_factor(const TreeBlock& block, std::size_t n, Double8* y) {
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < i; ++k) y[i] = y[i] - load8(block.factor[at(i, k)]) * y[k];
  for (std::size_t i = n; i-- > 0;) {
    y[i] = y[i] * load8(block.factor[at(i, i)]);
    for (std::size_t k = i + 1; k < n; ++k) y[i] = y[i] - load8(block.factor[at(k, i)]) * y[k];
  }
}

HWY_INLINE Spatial motion_of(std::span<const SolverBody> states, const std::uint32_t* places) {
  return Spatial::widened_from(Speeds::load(states, places, &SolverBody::velocity),
                               Speeds::load(states, places, &SolverBody::spin));
}

/// Toward the roots.
template<std::size_t known>
HWY_INLINE void gather_up(TreeBlock& block, const BlockRows<known>& rows,
                          std::span<const SolverBody> states, std::span<TreeBody> tree_bodies,
                          const TreeBias& wanted) {
  Spatial rest = Spatial::zero();
  if (!block.leaves) {
    alignas(64) LaneDoubles push[6];
    gather_bodies(tree_bodies, block.child, &TreeBody::push, push);
    rest = times(block.inverse, Spatial::load(push));
    Spatial::zero().store(push);
    scatter_bodies(push, tree_bodies, block.child, &TreeBody::push);
    rest.store(block.rest);
  }
  if (rows.size() == 0) return;
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
  alignas(64) LaneDoubles pushes[6];
  push.store(pushes);
  add_to_bodies(pushes, tree_bodies, block.parent, &TreeBody::push);
}

/// Impulses act on bodies as they are.
template<class Rows>
HWY_INLINE void apply(const TreeBlock& block, const Rows& rows, std::span<SolverBody> states,
                      std::span<const JointBody> bodies, const Float8* impulses) {
  Row3 push = zero3(), twist_c = zero3(), twist_p = zero3();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    push = push + load3(rows[i].n) * impulses[i];
    twist_c = twist_c + load3(rows[i].turn_b) * impulses[i];
    twist_p = twist_p + load3(rows[i].turn_a) * impulses[i];
  }
  const auto change = [&](const std::uint32_t* places, SolverField field, const Row3& by) HWY_ATTR {
    Speeds::save(Speeds::load(states, places, field) + by, states, places, field);
  };
  const Float8 back = all_floats(-1);
  change(block.child_place, &SolverBody::velocity, scaled(load3(block.mass_child), push));
  change(block.parent_place, &SolverBody::velocity, scaled(load3(block.mass_parent), push) * back);
  change(block.child_place, &SolverBody::spin,
         inverse_inertia_of(bodies, block.child_place) * twist_c);
  change(block.parent_place, &SolverBody::spin,
         (inverse_inertia_of(bodies, block.parent_place) * twist_p) * back);
}

/// And back.
template<std::size_t known>
HWY_INLINE void hand_down(TreeBlock& block, const BlockRows<known>& rows,
                          std::span<SolverBody> states, std::span<const JointBody> bodies,
                          std::span<TreeBody> tree_bodies) {
  Spatial change = block.leaves ? Spatial::zero() : Spatial::load(block.rest);
  alignas(64) LaneDoubles changes[6];
  if (rows.size() > 0) {
    gather_bodies(tree_bodies, block.parent, &TreeBody::change, changes);
    const Spatial parent = Spatial::load(changes);
    Double8 y[6];
    for (std::size_t i = 0; i < rows.size(); ++i)
      y[i] = load8(rows[i].sum) - dot(on_parent(rows[i]), parent);
    solve_factor(block, rows.size(), y);
    Float8 impulses[6];
    for (std::size_t i = 0; i < rows.size(); ++i) {
      TreeRow& row = rows[i];
      impulses[i] = narrowed(none() - y[i]);
      store_floats(load_floats(row.impulse) + impulses[i], row.impulse);
      if (!block.leaves) change.add(Spatial::load(row.response), none() - y[i]);
    }
    apply(block, rows, states, bodies, impulses);
  }
  if (block.leaves) return;
  change.store(changes);
  scatter_bodies(changes, tree_bodies, block.child, &TreeBody::change);
}

} // namespace

void refresh_tree_blocks(std::span<TreeBlock> blocks, std::span<TreeRow> rows,
                         std::span<const SolverBody> states, std::span<const JointBody> bodies,
                         std::span<TreeBody> tree_bodies, bool begins) {
  for (TreeBlock& block : blocks)
    for_count(block, [&](auto known) HWY_ATTR {
      refresh_block(block, BlockRows<known()>(block, rows), states, bodies, tree_bodies, begins);
    });
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
void warm_tree_blocks(std::span<const TreeBlock> blocks, std::span<const TreeRow> rows,
                      std::span<SolverBody> states, std::span<const JointBody> bodies) {
  for (const TreeBlock& block : blocks) {
    if (block.rows == 0) continue;
    const std::span<const TreeRow> own = rows.subspan(block.first_row, block.rows);
    Float8 impulses[6];
    for (std::size_t i = 0; i < own.size(); ++i) impulses[i] = load_floats(own[i].impulse);
    apply(block, own, states, bodies, impulses);
  }
}
void solve_tree_blocks(std::span<TreeBlock> blocks, std::span<TreeRow> rows,
                       std::span<SolverBody> states, std::span<const JointBody> bodies,
                       std::span<TreeBody> tree_bodies, const TreeBias& bias) {
  for (TreeBlock& block : blocks)
    for_count(block, [&](auto known) HWY_ATTR {
      gather_up(block, BlockRows<known()>(block, rows), states, tree_bodies, bias);
    });
  for (std::size_t i = blocks.size(); i-- > 0;) {
    TreeBlock& block = blocks[i];
    for_count(block, [&](auto known) HWY_ATTR {
      hand_down(block, BlockRows<known()>(block, rows), states, bodies, tree_bodies);
    });
  }
}
void total_tree_rows(std::span<TreeRow> rows) {
  for (TreeRow& row : rows)
    store_floats(load_floats(row.total) + load_floats(row.impulse), row.total);
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
HWY_EXPORT(total_tree_rows);
} // namespace

void refresh_trees(std::span<TreeBlock> blocks, std::span<TreeRow> rows,
                   std::span<const SolverBody> states, std::span<const JointBody> bodies,
                   std::span<TreeBody> tree_bodies, bool begins) {
  HWY_DYNAMIC_DISPATCH(refresh_tree_blocks)(blocks, rows, states, bodies, tree_bodies, begins);
}
void foresee_drift(std::span<TreeBlock> blocks, std::span<const SolverBody> states, float time) {
  HWY_DYNAMIC_DISPATCH(drift_of_blocks)(blocks, states, time);
}
void warm_start_trees(std::span<const TreeBlock> blocks, std::span<const TreeRow> rows,
                      std::span<SolverBody> states, std::span<const JointBody> bodies) {
  HWY_DYNAMIC_DISPATCH(warm_tree_blocks)(blocks, rows, states, bodies);
}
void solve_trees(std::span<TreeBlock> blocks, std::span<TreeRow> rows, std::span<SolverBody> states,
                 std::span<const JointBody> bodies, std::span<TreeBody> tree_bodies,
                 const TreeBias& bias) {
  HWY_DYNAMIC_DISPATCH(solve_tree_blocks)(blocks, rows, states, bodies, tree_bodies, bias);
}
void relax_trees(std::span<TreeBlock> blocks, std::span<TreeRow> rows, std::span<SolverBody> states,
                 std::span<const JointBody> bodies, std::span<TreeBody> tree_bodies) {
  HWY_DYNAMIC_DISPATCH(solve_tree_blocks)(blocks, rows, states, bodies, tree_bodies, TreeBias{});
  HWY_DYNAMIC_DISPATCH(total_tree_rows)(rows);
}

} // namespace carom
#endif
