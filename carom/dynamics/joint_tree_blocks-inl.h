// What all blocks of trees do: how they hand on masses, pushes and changes, and how impulses act.
//
// Internal: for sources compiled once a target (foreach_target.h). Not installed.
#include "carom/dynamics/joint_slots-inl.h"
#include "carom/dynamics/joint_tree_lanes.h"
#include "carom/dynamics/spatial_lanes-inl.h"

// The per-target include guard that Highway asks for: this file is read once for each target.
#if defined(CAROM_DYNAMICS_JOINT_TREE_BLOCKS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CAROM_DYNAMICS_JOINT_TREE_BLOCKS_INL_H_
#undef CAROM_DYNAMICS_JOINT_TREE_BLOCKS_INL_H_
#else
#define CAROM_DYNAMICS_JOINT_TREE_BLOCKS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {
namespace {

HWY_INLINE Spatial change_of_parents(const TreeBlock& block, std::span<const TreeBodies> bodies) {
  if (block.parents != scattered_parents) return Spatial::load(bodies[block.parents].change);
  alignas(64) LaneDoubles rows[6];
  for (std::size_t lane = 0; lane < lane_count; ++lane) {
    const TreeBodies& from = bodies[block.parent[lane] / lane_count];
    const std::size_t at = block.parent[lane] % lane_count;
    for (std::size_t i = 0; i < 6; ++i) rows[i][lane] = from.change[i][at];
  }
  return Spatial::load(rows);
}
/// Nobody stays as it is.
template<std::size_t count>
HWY_INLINE void add_to_parents(const Double8* v, const TreeBlock& block,
                               std::span<TreeBodies> bodies,
                               LaneDoubles (TreeBodies::*field)[count]) {
  if (block.parents == 0) return;
  if (block.parents != scattered_parents) {
    LaneDoubles* to = bodies[block.parents].*field;
    for (std::size_t i = 0; i < count; ++i) store8(load8(to[i]) + v[i], to[i]);
    return;
  }
  alignas(64) LaneDoubles rows[count];
  for (std::size_t i = 0; i < count; ++i) store8(v[i], rows[i]);
  for (std::size_t lane = 0; lane < lane_count; ++lane) {
    if (block.parent[lane] == 0) continue;
    LaneDoubles* to = bodies[block.parent[lane] / lane_count].*field;
    const std::size_t at = block.parent[lane] % lane_count;
    for (std::size_t i = 0; i < count; ++i) to[i][at] += rows[i][lane];
  }
}

HWY_INLINE void invert_mass(TreeBlock& block, const TreeBodies& children) {
  Double8 m[21];
  for (std::size_t i = 0; i < 21; ++i) m[i] = load8(children.mass[i]);
  factorize(m, 6);
  Double8 inverse[21];
  invert<6>(m, inverse);
  for (std::size_t i = 0; i < 21; ++i) store8(inverse[i], block.inverse[i]);
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

/// What children do for the pushes on what hangs on them: M*^-1 p. These are used up.
HWY_INLINE Spatial take_rest(TreeBlock& block, std::span<TreeBodies> bodies) {
  if (block.leaves) return Spatial::zero();
  LaneDoubles* push = bodies[block.children].push;
  const Spatial rest = times(block.inverse, Spatial::load(push));
  Spatial::zero().store(push);
  rest.store(block.rest);
  return rest;
}

/// Impulses act on bodies as they are.
HWY_INLINE void push_bodies(const TreeBlock& block, std::span<SolverBody> states,
                            std::span<const JointBody> bodies, const Row3& push,
                            const Row3& twist_child, const Row3& twist_parent) {
  const auto change = [&](const std::uint32_t* places, SolverField field, const Row3& by) HWY_ATTR {
    Speeds::save(Speeds::load(states, places, field) + by, states, places, field);
  };
  const Float8 back = all_floats(-1);
  change(block.child_place, &SolverBody::velocity, scaled(load3(block.mass_child), push));
  change(block.parent_place, &SolverBody::velocity, scaled(load3(block.mass_parent), push) * back);
  change(block.child_place, &SolverBody::spin,
         inverse_inertia_of(bodies, block.child_place) * twist_child);
  change(block.parent_place, &SolverBody::spin,
         (inverse_inertia_of(bodies, block.parent_place) * twist_parent) * back);
}

} // namespace
} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#endif // per-target guard
