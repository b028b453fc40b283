// Eight contacts side by side, as the solver reads them: one row of eight floats for each number. Internal to the solver.
//
// Lane A is always a body that can be moved. Impulses act on B, and their opposites on A. All is relative to the bodies: velocities, arms from the centres of mass, displacements since the
// step began. So floats do, wherever in the world it happens.
#pragma once

#include "carom/dynamics/solver_body.h"

#include <cstdint>
#include <span>
#include <type_traits>

namespace [[gnu::visibility("default")]] carom {

using LaneRow = float[lane_count];

// Rows come first in each struct, so that all are aligned.
struct PointLanes {
  // Of an impulse of 1 along the normal: its moment about A's centre, what it does to A's spin, and to B's.
  LaneRow arm[3], spin_a[3], spin_b[3];
  LaneRow gap; ///< when the step began
  LaneRow gap_now;
  LaneRow mass;     ///< impulse that changes the speed along the normal by 1; 0: no point
  LaneRow impulse;  ///< of the sub-step
  LaneRow total;    ///< of the step
  LaneRow approach; ///< speed along the normal before the impact: negative where they come together
  LaneRow lever;    ///< distance from the patch's middle
};

struct alignas(64) ContactBlock {
  std::uint32_t a[lane_count], b[lane_count]; ///< places of bodies; 0: none
  LaneRow normal[3], tangent[3];              ///< the second tangent is normal x tangent
  LaneRow mass_a[3], mass_b[3];               ///< inverse, by axes: 0 where locked
  LaneRow offset
      [3]; ///< (centre of A - centre of B) x normal: what is to be added to an arm about A for that about B
  LaneRow friction, restitution;
  LaneRow bounced; ///< impulses of bounces in this sub-step, of all points together
  // Where points overlap: their bias is `rate` times the overlap, impulses are scaled. A spring and damper, taken implicitly, so that it is stable for any step.
  LaneRow rate, mass_scale, impulse_scale;
  PointLanes points[4];
  // Friction of the whole patch at its middle, along two tangents: arms, what impulses do to the spins, the inverse of their mass.
  LaneRow middle_a[3], middle_b[3];
  LaneRow slide_a[2][3], slide_b[2][3];
  LaneRow slide_mass[3]; ///< 11, 12, 22
  LaneRow slide[2];      ///< impulses
  LaneRow belt[2];       ///< speed of B's surface past A's when both rest
  LaneRow drift[2];      ///< speed that would undo by how much B has crept past A
  // Twist about the normal.
  LaneRow twist_a[3], twist_b[3], twist_mass, twist;
  // Rolling.
  LaneRow roll_mass[3], roll[2], roll_limit;
  LaneRow inertia_a[6], inertia_b[6]; ///< inverse: xx yy zz xy yz zx
  std::uint32_t point_count = 0;
  bool fixed = false;   ///< B cannot be moved
  bool alone = false;   ///< B is nobody, in all lanes: it does not move, either
  bool rolls = false;   ///< a lane has rolling friction
  bool bounces = false; ///< a lane has restitution
  bool idle = false;    ///< nothing has acted in it in this step so far
};

/// What is copied in for each lane before the rest is computed, eight at a time.
struct alignas(64) LaneInput {
  LaneRow arm[4][3];  ///< from A's centre
  LaneRow used[4];    ///< 1 or 0
  LaneRow between[3]; ///< centre of A - centre of B; 0 where B cannot be moved and does not move
  LaneRow slide[3], roll[3], belt[3], drift[3]; ///< in the world
};

/// Of a sub-step.
struct SoftStep {
  float time = 0, inverse_time = 0;
  float frequency = 0; ///< radians a second: the stiffness of contacts that overlap
  float damping = 0;   ///< over critical
  /// Contacts of what bears a burden are softer by up to that (at least 1), as masses are heavier: docs/world.md, "Lag".
  float softest = 1;
  float push_speed = 0;   ///< overlaps are not undone faster
  float bounce_speed = 0; ///< what comes together slower does not bounce
  bool together = true;   ///< the overlap of a patch is undone as a whole before that of its points
};

/// Computes the rest of a block from its input (contact_prepare.cpp): numbers written before are the bodies, point_count, normals, gaps, impulses, twist, friction, restitution, roll_limit.
void prepare_block(ContactBlock& block, const LaneInput& input, const SoftStep& soft,
                   std::span<const SolverBody> bodies, std::span<const BodyMotion> motions);
/// Applies the impulses of the last step.
void warm_start(std::span<ContactBlock> blocks, std::span<SolverBody> bodies);
/// With a bias against overlap. What comes together faster than SoftStep::bounce_speed parts again, in either pass.
void solve(std::span<ContactBlock> blocks, std::span<SolverBody> bodies,
           std::span<BodyMotion> motions, const SoftStep& soft);
/// Without, after positions have moved: takes away the speed that the bias left.
void relax(std::span<ContactBlock> blocks, std::span<SolverBody> bodies,
           std::span<BodyMotion> motions, const SoftStep& soft);
/// Adds up what the contacts of each body carried in the last sub-step: in SolverBody::moved[3].
void weigh(std::span<const ContactBlock> blocks, std::span<SolverBody> bodies);

} // namespace carom
