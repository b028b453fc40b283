// One step of all active bodies: from what touches where, to new velocities and poses. Internal to the world.
//
// The step is cut into sub-steps of time h, each of which does little work: forces change the velocities, the impulses of the last sub-step are applied again, one pass over all contacts corrects them,
// positions move, and a second pass takes the speed away that was only there to push overlaps apart. Bodies that collide bounce in the pass in which they meet. Many small steps with one pass each
// are worth far more than one step of many passes: errors of a step shrink with its square.
#pragma once

#include "carom/dynamics/burden.h"
#include "carom/dynamics/constraint_graph.h"
#include "carom/dynamics/contact_lanes.h"
#include "carom/dynamics/contact_store.h"
#include "carom/dynamics/integrator.h"
#include "carom/dynamics/joint_solver.h"
#include "carom/dynamics/regions.h"
#include "carom/dynamics/team.h"

#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

struct SolverOptions {
  /// 1 or more. Four do for towers of twenty bodies and pyramids of thirty layers: docs/world.md says why.
  int sub_steps = 4;
  double contact_frequency =
      45; ///< in Hertz: how stiff a contact is that overlaps; no more than a quarter of the sub-steps' rate is taken, and a tenth of it under loads (docs/world.md, "Lag")
  double contact_damping = 10; ///< over critical damping: how softly an overlap is undone
  /// In metres, > 0: what rests under a load of any weight yields to it by about that (at single corners by a few times as much), and by no more than 0.0005 of its reach from its centre of mass.
  double rest_depth = 0.0015;
  double push_speed = 3;       ///< metres a second: how fast at most
  double bounce_threshold = 1; ///< metres a second: what comes together slower does not bounce
};

class ContactSolver {
public:
  /// Moves the states of the bodies. `active` are slots of bodies; each has its place in Body::active_at, and its region. `pair_begins`: where active pairs of each region begin, nearly, and how many there are.
  void step(BodyStore& bodies, ContactStore& pairs, JointStore& joints,
            std::span<const std::uint32_t> active, const Regions& regions,
            std::span<const std::size_t> pair_begins, const Vec3& gravity, double time,
            const SolverOptions& options, Team& team);
  /// Afterwards, of active body i.
  [[nodiscard]] const SolverBody& state(std::size_t i) const { return states_[i + 1]; }
  [[nodiscard]] const BodyMotion& motion(std::size_t i) const { return motions_[i + 1]; }
  [[nodiscard]] const JointSolver& joints() const { return joints_; }

private:
  struct Constraint {
    const PairRecord* pair;
    Manifold* manifold;
    std::uint32_t place_a, place_b; ///< of the pair's bodies; 0: not active
    bool swapped;                   ///< lane A is the pair's B
  };
  // contact_collect.cpp
  template<class Found>
  void find_constraints(const BodyStore& bodies, ContactStore& pairs, std::size_t begin,
                        std::size_t end, Found found);
  void cut_parts(const ContactStore& pairs, std::span<const std::size_t> begins);
  void collect(const BodyStore& bodies, ContactStore& pairs, std::span<const std::size_t> begins,
               Team& team);
  /// Which bodies move past others that they touch; and those that are struck lose their burdens.
  void feel_strikes(BodyStore& bodies, std::span<const std::uint32_t> active,
                    const SolverOptions& options, const SoftStep& soft, double time, Team& team);
  bool find_borne(const BodyStore& bodies, std::span<const std::uint32_t> active,
                  const SolverOptions& options, const SoftStep& soft, double time, Team& team);
  // contact_solver.cpp
  void find_regions(const Regions& regions, std::size_t bodies);
  void fill(const BodyStore& bodies, const SoftStep& soft, Team& team);
  void fetch_block(std::size_t i) const;
  void fill_block(const BodyStore& bodies, const SoftStep& soft, std::size_t i);
  void fill_lane(const BodyStore& bodies, const Constraint& c, ContactBlock& block,
                 LaneInput& input, std::size_t lane) const;
  /// Contacts are begun with the impulses of the last step in the first sub-step; later, their bodies know what they did (BodyMotion::base_velocity).
  void sub_step(const BodyStore& bodies, double time, const SoftStep& soft, bool first, Team& team);
  void move_bodies(const BodyStore& bodies, double time, std::size_t begin, std::size_t end);
  void share_blocks(Team& team, FunctionRef<void(std::size_t, std::size_t)> work);
  /// Over all blocks, as the graph has them in order.
  void pass(Team& team, FunctionRef<void(std::span<ContactBlock>)> over);
  [[nodiscard]] double weigh_bodies(const BodyStore& bodies, std::span<const std::uint32_t> active,
                                    Team& team);
  void store_block(std::size_t i) const;

  std::vector<SolverBody> states_; ///< place 0: what cannot be moved and does not move
  std::vector<BodyMotion> motions_;
  std::vector<Frame> frames_;      ///< when the step began
  std::vector<std::uint8_t> fast_; ///< by blocks of eight bodies: those that turn fast
  std::vector<Constraint> constraints_;
  std::vector<Haste> hastes_; ///< beside constraints_: of the bodies past each other
  // Parts of the pairs that carry: where each begins; how many come before each region's; and the constraints before each.
  std::vector<std::size_t> parts_, part_begins_, firsts_;
  std::vector<float> borne_;        ///< by places: impulses that they withstand
  std::vector<float> struck_;       ///< by places of bodies: impulses; 0: not struck
  std::vector<float> struck_on_;    ///< the same after one more contact
  std::vector<std::uint8_t> hasty_; ///< by places
  std::vector<GraphEdge> edges_;
  std::vector<std::uint8_t> region_of_; ///< by place
  std::size_t regions_ = 1;
  std::vector<double> weights_; ///< of stretches of the bodies
  ConstraintGraph graph_;
  std::vector<ContactBlock> blocks_;
  JointSolver joints_;
};

} // namespace carom
