// The joints' part of a step: which rows they have, and when these are solved. Internal to the solver.
#pragma once

#include "carom/dynamics/integrator.h"
#include "carom/dynamics/joint_bodies.h"
#include "carom/dynamics/joint_forest.h"
#include "carom/dynamics/joint_lanes.h"
#include "carom/dynamics/joint_store.h"
#include "carom/dynamics/joint_strain.h"
#include "carom/dynamics/joint_tree_lanes.h"

#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

class JointSolver {
public:
  /// Takes up the joints of active bodies, and makes links heavier to turn where they need to be (see steady()). `time` is that of a sub-step.
  void begin(const BodyStore& bodies, JointStore& joints, std::span<const std::uint32_t> active,
             std::span<BodyMotion> motions, std::span<const SolverBody> states, double time);
  // Of a sub-step, in this order. What joints do to velocities counts for the bodies' base_velocity and base_spin.
  /// Velocities are as the last sub-step left them.
  void begin_sub_step(std::span<const SolverBody> states);
  void warm_start(std::span<BodyMotion> motions, std::span<SolverBody> states);
  void solve(std::span<BodyMotion> motions, std::span<SolverBody> states);
  /// Positions have moved.
  void relax(std::span<BodyMotion> motions, std::span<SolverBody> states);
  /// After the last: what the joints bore. `time` is that of the step.
  void finish(JointStore& joints, double time);
  /// Slots of joints that bore more than they can, in order.
  [[nodiscard]] std::span<const std::uint32_t> overloaded() const { return overloaded_; }

private:
  /// A joint of this step.
  struct Acting {
    std::uint32_t joint = no_index;
    std::uint32_t a = 0, b = 0; ///< places
    bool a_moves = false, b_moves = false;
    bool tree = false;                     ///< its locks are solved in a tree
    std::uint32_t first_row = 0, rows = 0; ///< in specs_: those that are solved one by one
    std::uint32_t first_lock = 0;          ///< in locked_at_, where `tree`
    std::uint8_t locks = 0;                ///< bits: slots that are locked, where `tree`
    std::uint8_t angles = 0;               ///< bits: slots of turns whose values count
    std::uint8_t tree_lane = 0, row_lane = 0;
    std::uint32_t tree_block = 0, row_block = 0;
    float compliance = 0; ///< in its tree: see TreeBlock
  };
  /// What a row is for, and what its coordinate is held between, or drawn to.
  struct RowSpec {
    std::uint8_t slot = 0;
    JointEffect effect = JointEffect::hold;
    double lower = 0, upper = 0;
  };
  /// What the order of joints depends on, of a body that they hold.
  struct Held {
    std::uint32_t place = 0;
    std::uint32_t slot = no_index;
    double mass = 0;
    bool movable = false;
    LockedAxes locked{};
    float burden = 0;     ///< that lanes have its mass with: the order does not depend on it
    std::uint32_t at = 0; ///< in mass_blocks_: a block times eight plus the lane
  };
  // joint_solver.cpp: which joints act, and the order they are solved in. That is kept while nothing changes that it depends on.
  [[nodiscard]] bool as_laid_out(const BodyStore& bodies, const JointStore& joints,
                                 std::span<const std::uint32_t> active) const;
  void lay_out(const BodyStore& bodies, const JointStore& joints,
               std::span<const std::uint32_t> active, std::span<const BodyMotion> motions);
  void collect(const BodyStore& bodies, const JointStore& joints,
               std::span<const std::uint32_t> active);
  void find_trees(const BodyStore& bodies, const JointStore& joints,
                  std::span<const BodyMotion> motions);
  void list_rows(const JointStore& joints);
  void steady(std::uint32_t place, const Vec3& arm, double force, const Body& body);
  [[nodiscard]] bool is_open(const Acting& j, const JointRecord& record, const JointPlace& place,
                             std::span<const double> values, const BodyStore& bodies,
                             std::span<const BodyMotion> motions) const;
  void begin_strain(const BodyStore& bodies, std::span<const BodyMotion> motions);
  void ease();
  void end_strain(std::span<const BodyMotion> motions, std::span<SolverBody> states);
  void steady_bodies(const BodyStore& bodies, std::span<BodyMotion> motions);
  void lay_bodies();
  void begin_bodies(const BodyStore& bodies, std::span<const BodyMotion> motions);
  void leave_out(std::span<BodyMotion> motions, std::span<const SolverBody> states, float sign);
  [[nodiscard]] std::span<TreeBlock> blocks_of(const ForestBatch& batch) {
    return std::span(tree_blocks_).subspan(batch.first, batch.count);
  }
  // joint_fill.cpp: lanes
  void lay_rows(const JointStore& joints, std::span<const BodyMotion> motions);
  void lay_trees(const JointStore& joints, std::span<const BodyMotion> motions);
  static void lay_lane(const Acting& j, std::uint32_t slots, JointLanes& lanes, std::size_t lane);
  void weigh_lanes(std::span<const BodyMotion> motions);
  void place_joints(const BodyStore& bodies, JointStore& joints,
                    std::span<const BodyMotion> motions);

  JointStep step_;
  double time_ = 0;   ///< of a sub-step
  bool first_ = true; ///< the sub-step is the step's first
  bool laid_out_ = false;
  std::uint64_t changes_ = 0;         ///< JointStore::changes, then
  std::vector<std::uint32_t> active_; ///< bodies, then
  std::vector<Held> held_;            ///< by place
  std::vector<Mat3> added_;           ///< by place: inertia that steadies it, in the body's frame
  std::vector<std::uint8_t> has_added_;
  bool any_added_ = false;
  std::vector<JointStrain::Edge> strain_edges_; ///< by acting joint
  JointStrain strain_;
  std::vector<std::uint32_t> slots_; ///< of joints
  std::vector<Acting> acting_;
  std::vector<RowSpec> specs_;
  std::vector<double> locked_at_;      ///< values, by joint of a tree and slot
  std::vector<std::uint32_t> tree_of_; ///< by place: TreeBodies times eight plus the lane, or 0
  std::vector<std::uint32_t> edge_of_; ///< by edge of the forest: acting joint
  std::vector<ForestEdge> edges_;
  std::vector<float> masses_;
  JointForest forest_;
  std::vector<std::uint32_t> by_rows_; ///< acting joints with rows, by edge of the graph
  std::vector<GraphEdge> graph_edges_;
  std::vector<std::uint8_t> one_region_; ///< by place
  ConstraintGraph graph_;
  std::vector<JointMass> mass_blocks_; ///< of held_
  std::vector<JointBody> bodies_;
  std::vector<JointBlock> blocks_;
  std::vector<JointRow> rows_;
  std::vector<TreeBodies> tree_bodies_;
  std::vector<TreeBlock> tree_blocks_;
  std::vector<TreeRow> tree_rows_;
  std::vector<std::uint32_t> overloaded_;
};

} // namespace carom
