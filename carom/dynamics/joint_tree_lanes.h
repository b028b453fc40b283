// Trees of joints, solved exactly: eight joints at a time, from the leaves to the roots and back. Internal to the solver.
//
// Each body of a tree has one joint to its parent, the root one to what cannot be moved, or none. A joint's rows J_c on the child and J_p on the parent ask for J_c dv_c + J_p dv_p = -c. Eliminating children first,
//   M* = M of the child and what hangs on it,   S = J_c M*^-1 J_c^T,   M*_p += J_p^T S^-1 J_p,   p_p -= J_p^T S^-1 (c + J_c M*^-1 p_c)
// leads to the root in one pass, and impulses -S^-1 (c + J_c M*^-1 p_c + J_p dv_p) follow on the way back. That takes time in proportion to the number of joints, and no number of iterations replaces it where a heavy
// load hangs on light links. The impulses act on the bodies as they are, so that rounding costs a little accuracy that the next pass makes up for, and no momentum.
//
// A second joint to what cannot be moved closes a loop through it: such an anchor is a leaf without a body, and S is a small compliance. It yields to the whole impulse that it has, as a stiff spring does, not to each change: between two
// walls a straight bridge cannot be held up by any finite pull, and a joint that does not yield would pull harder in each sub-step, for ever.
#pragma once

#include "carom/dynamics/joint_lanes.h"

namespace [[gnu::visibility("default")]] carom {

/// Eight doubles. Masses that differ a thousandfold, and inertias of thin links beside them, leave no digits of a float.
using LaneDoubles = double[lane_count];

/// The children of a block while it is solved. Vectors of six: linear, then angular.
struct alignas(64) TreeBodies {
  LaneDoubles mass[21] =
      {}; ///< M*: the lower triangle by rows. Not kept where nothing hangs on any of them
  LaneDoubles push[6] = {};   ///< p
  LaneDoubles change[6] = {}; ///< dv
};

// Doubles come first in each struct, so that all rows are aligned.
struct alignas(64) TreeRow {
  LaneDoubles response[6];            ///< M*^-1 J_c^T, unless nothing hangs on any of the children
  LaneDoubles sum;                    ///< c + J_c M*^-1 p
  LaneRow n[3], turn_a[3], turn_b[3]; ///< as they come; then those of the parent and the child
  LaneRow value, target;
  LaneRow impulse, total;
  LaneRow yield; ///< speed for an impulse of 1
  RowSlots slot;
};

struct alignas(64) TreeBlock {
  JointLanes lanes;
  LaneDoubles inverse[21] = {}; ///< M*^-1: the lower triangle by rows; unless `leaves`
  LaneDoubles factor[21] = {};  ///< S = L D L^T: L below, 1 / D on the diagonal
  LaneDoubles rest[6] = {};     ///< M*^-1 p
  LaneRow sign = {};            ///< -1: the joint's A is the child; 1
  LaneRow compliance = {};      ///< a part of what the bodies alone yield
  LaneRow arm_child[3] = {}, arm_parent[3] = {}; ///< to the joint; of a point: to where forces act
  LaneRow error[3] = {}; ///< of a point: how far the child's is from the parent's, or the opposite
  LaneRow drift[3] = {}; ///< speed: see foresee_drift
  LaneRow foreseen = {}; ///< 1; 0 of joints of which a body is made heavier to turn than it is
  LaneRow mass_child[3] = {}, mass_parent[3] = {}; ///< inverse
  std::uint32_t children = 0;                      ///< in TreeBodies, those of which 0 are nobody
  std::uint32_t parents = 0; ///< the same where all are in their own lanes; or scattered_parents
  std::uint32_t parent[lane_count] = {}; ///< TreeBodies times eight plus the lane; 0: none
  std::uint32_t child_place[lane_count] = {},
                parent_place[lane_count] = {}; ///< bodies of the solver
  std::uint32_t first_row = 0, rows = 0;
  bool leaves = false; ///< nothing hangs on any of the children
  /// The first three rows hold a point, along x, y and z, the others turns: of three, five or six rows. See joint_point-inl.h.
  bool point = false;
};

inline constexpr std::uint32_t scattered_parents = 0xffffffffU;

/// Speeds that a tree's joints are to have for the sake of where they are.
struct TreeBias {
  float rate = 0;       ///< parts a second of an error that are undone
  float push_speed = 0; ///< no faster
  float soft = 0;       ///< 1: joints yield to the impulses they have
  bool adds_up = false; ///< impulses, into the total
};

// Blocks are those of whole trees, in order; all rows are given.
/// Makes rows and factors anew. `tree_bodies` hold the bodies' own masses.
void refresh_trees(std::span<TreeBlock> blocks, std::span<TreeRow> rows,
                   std::span<const SolverBody> states, std::span<const JointBody> bodies,
                   std::span<TreeBodies> tree_bodies, bool begins);
/// Before a sub-step, with the spins that the last one left. A body goes straight on while it turns, so that a joint at an arm r on it drifts outward by w x (w x r) time^2 / 2 in a sub-step. That is known before, and taken away before, as a force
/// along the circle would do it. Taken away afterwards, as an error, it would cost a pendulum energy on its way down, and give it back late. Links that are steadied (JointSolver::steady) shake, and what they would drift by is not known.
void foresee_drift(std::span<TreeBlock> blocks, std::span<const SolverBody> states, float time);
void warm_start_trees(std::span<const TreeBlock> blocks, std::span<TreeRow> rows,
                      std::span<SolverBody> states, std::span<const JointBody> bodies);
/// For a sub-step to come.
void solve_trees(std::span<TreeBlock> blocks, std::span<TreeRow> rows, std::span<SolverBody> states,
                 std::span<const JointBody> bodies, std::span<TreeBodies> tree_bodies,
                 const TreeBias& bias);
/// Without bias; also adds up the impulses.
void relax_trees(std::span<TreeBlock> blocks, std::span<TreeRow> rows, std::span<SolverBody> states,
                 std::span<const JointBody> bodies, std::span<TreeBodies> tree_bodies);

} // namespace carom
