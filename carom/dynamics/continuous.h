// Nothing passes through anything within a step, however fast it moves or spins. Internal to the world; docs/world-continuous.md.
//
// After the solver has moved the bodies, each that came far for its size is followed from where it was to where it is (motion/time_of_impact.h, rotation included), past everything that cannot be pushed aside; bodies that
// ask for it, past other bodies that move, too. One that would hit something is stopped just before; its velocity stays, and the next step deals with the contact. Sensors that it passes on the way are told.
#pragma once

#include "carom/dynamics/broad_phase.h"
#include "carom/dynamics/clear_way.h"
#include "carom/dynamics/contact_solver.h"
#include "carom/dynamics/contact_store.h"
#include "carom/dynamics/inner_core.h"
#include "carom/dynamics/narrow_phase.h"
#include "carom/dynamics/team.h"
#include "carom/motion/time_of_impact.h"
#include "carom/tree/function_ref.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// A displacement that is far for the body: of any point of it, in a step. What stays below is held by contacts made ahead.
[[nodiscard]] inline double far_for(const Body& body, double margin) {
  return body.inner > 0 ? std::max(0.25 * body.inner, 0.02 * margin) : 0.5 * margin;
}
/// Whether it will come far in this time, if nothing stops it.
[[nodiscard]] inline bool moves_far(const Body& body, double time, double margin) {
  return (length(body.velocity) + length(body.angular_velocity) * body.reach) * time >
         far_for(body, margin);
}

/// A step, as the solver leaves it: bodies in the store are where they were before.
struct ContinuousStep {
  const BodyStore& bodies;
  ContactStore& pairs;
  const BroadPhase& boxes;
  const ContactSolver& solver;
  const std::vector<std::uint32_t>& active;
  NarrowPhase& narrow_phase;
  double margin;
  /// Whether a moving shape may matter to one that is not `continuous`: there are kinematic bodies, sensors that move, or continuous bodies.
  bool moving_targets;
  /// Whether two shapes, by their numbers, have to do with each other.
  FunctionRef<bool(std::uint32_t, std::uint32_t)> meet;
  /// Whether meet() may ask a function of the user's, which only the leader of the team does.
  bool filtered;
  Team& team;
};

/// Where a body's way ends before its time.
struct StoppedBody {
  std::uint32_t slot = no_index;
  double t = 1; ///< part of the step
  Quat rotation{};
  Vec3 center{};
  bool free = false; ///< nothing touched it in the step: its velocity at t is known
  /// What it hit, where that cannot be pushed and the body is not carried along: shapes, and where the other one is at t.
  std::uint32_t own = no_index, other = no_index;
  Pose other_pose{};
};

/// A sensor that was entered and left within the step. Numbers of shapes.
struct SensorPass {
  std::uint32_t sensor = no_index, visitor = no_index;
};

/// How many of a body's shapes ContinuousStep::moving_targets counts.
[[nodiscard]] std::size_t moving_targets_of(const BodyStore& bodies, const Body& body);

class Continuous {
public:
  void follow(const ContinuousStep& step);

  /// What another one knows about shapes, which saves time.
  void take_cores(Continuous& other) { cores_ = std::move(other.cores_); }

  /// Of the last step, in order of slots.
  [[nodiscard]] const std::vector<StoppedBody>& stopped() const { return stopped_; }
  [[nodiscard]] const StoppedBody* stop_of(std::uint32_t slot) const;
  /// Whether the body turned far in the last step and touched nothing but fixed bodies that do not run as belts: then it cannot have gained energy.
  [[nodiscard]] bool turned_against_fixed(std::uint32_t slot) const;
  /// In the order of the bodies' ways.
  [[nodiscard]] const std::vector<SensorPass>& passes() const { return passes_; }
  /// How many times of impact were asked for in the last step.
  [[nodiscard]] std::size_t impact_queries() const { return queries_; }

private:
  /// Of a body, through the step.
  struct Way {
    std::uint32_t slot = no_index;
    Motion motion;        ///< of the body
    Aabb box;             ///< around all of it
    double stop = 1;      ///< it goes no farther
    bool fast = false;    ///< it came far for its size
    bool seen = false;    ///< what follows is known: it is only asked for where it matters
    bool resting = false; ///< on something that cannot be pushed
    bool touched = false; ///< by anything
    bool hit_only_fixed = false;
    std::uint32_t own = no_index,
                  other = no_index; ///< shapes that stopped it, of which the other cannot be pushed
    Pose other_pose{};              ///< where that is then
    std::uint32_t carrier = no_index; ///< the way of a fast kinematic body that hit it
  };
  /// Two shapes that both can be stopped.
  struct Meeting {
    std::uint32_t way_a, way_b, shape_a, shape_b;
    double t;
  };
  /// One of those of a shape, ever smaller; the last one a ball. Made when it is asked for.
  struct Core {
    bool made = false;
    std::optional<InnerCore> inner;
    std::shared_ptr<const ConvexForm> form;
  };
  static constexpr std::size_t core_count = 4;
  /// A shape on its way.
  struct Follower {
    const Shape& shape;
    const ConvexForm* form; ///< or null
    Motion motion;
    const NearTriangles* near = nullptr; ///< what is known of the surface it is followed past
    bool innermost = false;              ///< nothing is smaller
  };
  /// What each thread has to itself.
  struct Scratch {
    ClearWay clear_way;
    std::vector<std::uint32_t> near; ///< shapes
    std::size_t queries = 0;
  };
  using Step = const ContinuousStep&;

  // continuous.cpp: ways, and what is near them
  [[nodiscard]] static Way make_way(Step step, std::uint32_t slot);
  std::uint32_t way_of(Step step, std::uint32_t slot);
  void find_fast(Step step);
  void see_touches(Step step, Way& way) const;
  void follow_one(Step step, std::uint32_t way);
  [[nodiscard]] bool follow_past_fixed(Step step, std::uint32_t way, Scratch& scratch);
  void look_at(Step step, std::uint32_t way, std::uint32_t own, std::uint32_t other,
               Scratch& scratch);
  void find_near(Step step, std::uint32_t way, std::uint32_t own,
                 std::vector<std::uint32_t>& near) const;
  void collect_stops();
  // continuous_pairs.cpp: times of impact
  [[nodiscard]] ClearWay::Touch glance(Step step, const Follower& follower, std::uint32_t other,
                                       const Motion& other_motion, double gap, double error,
                                       Scratch& scratch) const;
  [[nodiscard]] TimeOfImpact ask(Step step, const Follower& follower, std::uint32_t other,
                                 const Motion& other_motion, double error, double max_t,
                                 Scratch& scratch) const;
  [[nodiscard]] const Core& core_of(Step step, const Shape& shape, std::size_t number);
  [[nodiscard]] double impact(Step step, const Way& way, const Motion& motion, std::uint32_t own,
                              const Motion& other_motion, std::uint32_t other, double max_t,
                              Scratch& scratch, const NearTriangles* near = nullptr);
  [[nodiscard]] double meeting_time(Step step, const Meeting& m);
  void settle_meetings(Step step);
  void carry(Step step, std::uint32_t way);
  void find_passes(Step step);

  std::vector<std::uint8_t> came_far_; ///< by place in the list of active bodies
  std::vector<Way> ways_;
  std::vector<std::uint32_t> way_at_; ///< by slot of body
  std::size_t fast_ = 0;              ///< so many ways, the first ones, are those of fast bodies
  std::vector<std::uint8_t> later_;   ///< by way: not only fixed bodies are near it
  std::vector<Scratch> scratch_;      ///< by thread
  std::vector<Meeting> meetings_;
  struct Candidate {
    std::uint32_t own, other;
  };
  std::vector<Candidate> sensors_;
  std::map<std::uint64_t, std::array<Core, core_count>> cores_; ///< by the shape's id
  std::vector<StoppedBody> stopped_;
  std::vector<SensorPass> passes_;
  std::size_t queries_ = 0;
};

} // namespace carom
