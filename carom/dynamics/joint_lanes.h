// Eight joints side by side, as the solver reads them. Internal to the solver.
//
// A joint acts through rows. A row says how fast one coordinate changes: n . (v_B - v_A) + turn_b . w_B - turn_a . w_A; n is zero for turns. An impulse of the row acts along the same numbers, so that momentum stays.
// Rows are of two sorts. Those that hold, without bounds, a coordinate of a joint in a tree are solved together and exactly (TreeBlock). All others, limits, springs, motors, and joints that close loops, are solved one
// after the other (JointBlock), with bounds.
#pragma once

#include "carom/dynamics/contact_lanes.h"
#include "carom/dynamics/joint_store.h"

#include <array>
#include <cstdint>
#include <span>

namespace [[gnu::visibility("default")]] carom {

/// What joints need to know of a body in a sub-step, beside its velocities. The fourth numbers of matrices are not used.
struct alignas(16) JointBody {
  float turn[4] = {
      0, 0, 0, 1}; ///< since the step began: a quaternion x y z w whose scalar part is not negative
  float inverse_inertia[4] = {};  ///< xx yy zz
  float inverse_products[4] = {}; ///< xy yz zx
};

/// Where the frames of eight joints are when the step begins, relative to the bodies.
struct alignas(64) JointLanes {
  std::uint32_t a[lane_count] = {}, b[lane_count] = {}; ///< places of bodies; 0: none
  LaneRow arm_a[3] = {}, arm_b[3] = {}, gap[3] = {};
  LaneRow x_a[3] = {}, y_a[3] = {}, x_b[3] = {}; ///< axes
  LaneRow start[4][3] = {};                      ///< axes that slots 3 to 6 turn about, then
  LaneRow mass_a[3] = {}, mass_b[3] = {};        ///< inverse
  std::uint32_t slots = 0;                       ///< bits: those that any lane needs
};

/// Which slot each lane's row is of.
struct RowSlots {
  std::array<std::uint8_t, lane_count> of{255, 255, 255, 255, 255, 255, 255, 255}; ///< 255: no row
  std::uint8_t all =
      255; ///< the one that all lanes have which have any, and all bodies; 255: they differ
};

struct alignas(64) JointRow {
  LaneRow n[3], turn_a[3], turn_b[3];
  LaneRow spin_a[3], spin_b[3]; ///< what an impulse of 1 does to the spins
  LaneRow value;                ///< of turns: since the step began
  LaneRow mass;                 ///< impulse that changes the speed by 1; 0: no row
  LaneRow impulse, total;
  // change of impulse = -mass (scale speed + bias) - soft impulse, bounded.
  LaneRow scale, bias, soft, low, high;
  LaneRow relax_scale, relax_bias;
  // What these are made of. The error is value - target.
  LaneRow target, rate, drive, stiff_scale, stiff_soft, compliance, relax_part;
  LaneRow lower, upper, limited; ///< limited: 1 or 0
  RowSlots slot;
};

struct JointBlock {
  JointLanes lanes;
  std::uint32_t first_row = 0, rows = 0;
};

/// Of a sub-step. A limit that is passed, and a lock that is not in a tree, are soft.
struct JointStep {
  float inverse_time = 0;
  float rate = 0, mass_scale = 1, impulse_scale = 0;
  float push_speed = 0; ///< errors are not undone faster
};

// Rows that are solved one after the other.
/// Makes the rows anew where the bodies are now. `begins`: with the step.
void refresh_rows(std::span<JointBlock> blocks, std::span<JointRow> rows,
                  std::span<const SolverBody> states, std::span<const JointBody> bodies,
                  const JointStep& step, bool begins);
void warm_start_rows(std::span<const JointBlock> blocks, std::span<const JointRow> rows,
                     std::span<SolverBody> states);
void solve_rows(std::span<const JointBlock> blocks, std::span<JointRow> rows,
                std::span<SolverBody> states);
/// Without bias; also adds up the impulses.
void relax_rows(std::span<const JointBlock> blocks, std::span<JointRow> rows,
                std::span<SolverBody> states);

} // namespace carom
