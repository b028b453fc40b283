// Bodies that joints hold: how heavy they are to turn where they are by now. Eight at a time. Internal to the solver.
#pragma once

#include "carom/dynamics/joint_lanes.h"
#include "carom/dynamics/joint_tree_lanes.h"

namespace [[gnu::visibility("default")]] carom {

/// Eight of them as a step begins. Matrices by the world's axes: xx yy zz xy yz zx.
struct alignas(64) JointMass {
  LaneDoubles inertia[6] = {}, inverse[6] = {};
  LaneDoubles mass = {};
  LaneRow turns = {}; ///< 1; 0 where the inertia is taken to stay as it is while the body turns
  std::uint32_t place[lane_count] = {}; ///< 0: none
  std::uint32_t children =
      0; ///< the TreeBodies that they are, lane by lane; 0: none, or their masses are not asked for
};

/// Their turns since the step began, and what follows from these.
void place_joint_bodies(std::span<const JointMass> masses, std::span<const BodyMotion> motions,
                        std::span<JointBody> bodies, std::span<TreeBodies> tree_bodies);

} // namespace carom
