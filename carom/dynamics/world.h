// A world of rigid bodies that move, touch, stack and come to rest.
//
//   World world;
//   BodyId floor = world.add({.shape = slab, .kind = BodyKind::fixed}).value();
//   BodyId brick = world.add({.shape = box, .pose = Pose::at({0, 0, 5})}).value();
//   for (int i = 0; i < 300; ++i) world.step(1.0 / 60);
//   Pose where = world.pose(brick).value();
//
// Positions are doubles, and the solver works relative to the bodies: a pile 100 km from the origin stands like one at the origin. The same calls give the same bits, on every machine. Nothing has a fixed capacity. A copy
// of a world is a snapshot: both go on the same way.
//
// Asking with an id that is stale is an error value. Input that is not finite, or out of range, is an error value and changes nothing.
//
// A user's functions that a world calls (the pair filter, the executor) may ask it anything, and hear of bodies as they were before the step. They cannot change it: every such call gives WorldError::busy (add, add_joint and restore: an error that says so) and changes
// nothing; step() does nothing, and snapshot() gives no bytes. Nor may they copy, assign or destroy it.
#pragma once

#include "carom/dynamics/body.h"
#include "carom/dynamics/body_store.h"
#include "carom/dynamics/broad_phase.h"
#include "carom/dynamics/busy.h"
#include "carom/dynamics/contact_solver.h"
#include "carom/dynamics/contact_store.h"
#include "carom/dynamics/continuous.h"
#include "carom/dynamics/events.h"
#include "carom/dynamics/executor.h"
#include "carom/dynamics/islands.h"
#include "carom/dynamics/joint.h"
#include "carom/dynamics/joint_store.h"
#include "carom/dynamics/narrow_phase.h"
#include "carom/dynamics/seams.h"
#include "carom/dynamics/strike.h"
#include "carom/dynamics/world_filter.h"
#include "carom/math/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <tl/expected.hpp>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

struct WorldOptions {
  Vec3 gravity{0, 0, -9.81}; ///< metres a second squared
  SolverOptions solver{};
  SleepOptions sleep{};
  /// A length that is small for the bodies of this world: contacts are made this far ahead of a touch. A fiftieth of the smallest bodies' size or more.
  double margin = 0.02;
  /// Whether events tell of contacts that go on as well, in each step: not by default, as there may be many.
  bool persist_events = false;
  bool continuous =
      true; ///< whether fast bodies are kept from passing through others (continuous.h)
};

enum class WorldError : std::uint8_t {
  stale_id, ///< no body or joint has this id, or not any more
  out_of_range, ///< a number is not finite, or beyond what bodies may have (1e12 for positions, 1e8 for velocities)
  busy, ///< the world is in a step, or asks its pair filter: it cannot be changed from there
};
template<class T>
using WorldResult = tl::expected<T, WorldError>;

class World {
public:
  /// An option that is not finite or out of range is taken at its default; the number of sub-steps, at the nearest that is allowed.
  explicit World(const WorldOptions& options = {});

  /// Adds a body. Errors name what is wrong with the description; nothing has changed then.
  [[nodiscard]] Result<BodyId> add(const BodyDef& def);
  /// Removes it and its contacts, and wakes what it touched. Its contacts' ends are told by the next step.
  WorldResult<void> remove(BodyId id);

  [[nodiscard]] bool contains(BodyId id) const { return bodies_.find(id) != no_index; }
  [[nodiscard]] std::size_t body_count() const { return bodies_.count(); }
  [[nodiscard]] WorldResult<BodyInfo> body(BodyId id) const;
  [[nodiscard]] WorldResult<Pose> pose(BodyId id) const;

  /// Puts the body there, without a motion between. It wakes, and so does what it touched.
  WorldResult<void> set_pose(BodyId id, const Pose& pose);
  /// Of the centre of mass, metres and radians a second; with fixed bodies, nothing happens.
  WorldResult<void> set_velocity(BodyId id, const Vec3& velocity, const Vec3& angular_velocity);
  // Of dynamic bodies; with others, nothing happens. Points are in the world. They wake the body.
  /// Acts during the next step.
  WorldResult<void> add_force(BodyId id, const Vec3& force, const Vec3& point);
  WorldResult<void> add_force(BodyId id, const Vec3& force); ///< at the centre of mass
  WorldResult<void> add_torque(BodyId id, const Vec3& torque);
  /// Acts at once.
  WorldResult<void> add_impulse(BodyId id, const Vec3& impulse, const Vec3& point);
  WorldResult<void> add_impulse(BodyId id, const Vec3& impulse); ///< at the centre of mass
  WorldResult<void> add_angular_impulse(BodyId id, const Vec3& impulse);
  /// Gives it the velocities that bring it to the pose in `time` seconds (> 0), turning the shorter way: so a kinematic body is led along a path, call by call, and carries what stands on it. It keeps them when it is there. With fixed
  /// bodies, nothing happens.
  WorldResult<void> move_to(BodyId id, const Pose& pose, double time);
  /// Wakes the body and its island. Nothing happens where it is awake.
  WorldResult<void> wake(BodyId id);
  /// Puts the body to rest, with all that hangs together with it by contacts and joints. Something awake that touches it wakes it. With fixed and kinematic bodies, nothing happens.
  WorldResult<void> sleep(BodyId id);

  // world_settings.cpp. What BodyDef gave, anew; as there. They wake the body where that can matter.
  /// Of one of the body's shapes, by its number. Contacts that there are have it from the next step on.
  WorldResult<void> set_material(BodyId id, std::uint32_t shape, const Material& material);
  WorldResult<void> set_damping(BodyId id, double linear, double angular);
  WorldResult<void> set_gravity_scale(BodyId id, double scale);
  WorldResult<void> set_locked(BodyId id, const LockedAxes& locked);
  WorldResult<void> set_can_sleep(BodyId id, bool can_sleep);
  WorldResult<void> set_continuous(BodyId id, bool continuous);
  WorldResult<void> set_user(BodyId id, std::uint64_t user);

  // Joints (joint.h).
  /// Adds a joint between two bodies, and wakes them. Errors name what is wrong; nothing has changed then.
  [[nodiscard]] Result<JointId> add_joint(const JointDef& def);
  /// Wakes its bodies. A body that is removed takes its joints along.
  WorldResult<void> remove_joint(JointId id);
  [[nodiscard]] bool contains(JointId id) const { return joints_.find(id) != no_index; }
  [[nodiscard]] std::size_t joint_count() const { return joints_.count(); }
  [[nodiscard]] WorldResult<JointInfo> joint(JointId id) const;
  /// Of the joint's own coordinate: a hinge's angle, a slider's way, a wheel's spin, a distance; others are named. Wakes the bodies where anything changes. An error where a number is out of range, or the limits leave nothing.
  WorldResult<void> set_motor(JointId id, const std::optional<JointMotor>& motor,
                              std::optional<JointCoordinate> of = std::nullopt);
  WorldResult<void> set_limits(JointId id, const std::optional<JointRange>& limits,
                               std::optional<JointCoordinate> of = std::nullopt);
  /// Not given: none. Of a wheel, that of the suspension.
  WorldResult<void> set_spring(JointId id, const std::optional<JointSpring>& spring,
                               std::optional<JointCoordinate> of = std::nullopt);
  /// Of a ball joint: the greatest angle between the x axes, in [0, pi], or none. An error with others.
  WorldResult<void> set_cone(JointId id, const std::optional<double>& cone);
  /// Newtons and newton metres, > 0.
  WorldResult<void> set_break(JointId id, double force, double torque);
  /// Where the spring draws to; of a wheel, the angle of steering.
  WorldResult<void> set_target(JointId id, double target,
                               std::optional<JointCoordinate> of = std::nullopt);

  /// Goes on by `time` seconds. Not finite, 0 or negative: nothing happens, but events are cleared.
  /// With an executor, its threads share the work; the results are the same to the bit with any number of them.
  void step(double time, Executor* executor = nullptr);
  /// Of the last step.
  [[nodiscard]] const Events& events() const { return events_; }

  [[nodiscard]] const WorldOptions& options() const { return options_; }
  /// Metres a second squared, up to 1e8; wakes all bodies.
  WorldResult<void> set_gravity(const Vec3& gravity);

  // snapshot.cpp: a world as bytes, without its shapes (snapshot.h).
  [[nodiscard]] std::vector<std::byte> snapshot() const;
  /// Into a list that is filled anew, and keeps its memory.
  void snapshot(std::vector<std::byte>& into) const;
  /// Goes back to a snapshot. Errors: bytes that are none, or of a world with other shapes; the world is unchanged then.
  Result<void> restore(std::span<const std::byte> bytes);
  /// Gives the shape its number for snapshots now, not when the first body has it. The number.
  WorldResult<std::uint32_t> add_shape(const Shape& shape);
  /// Shapes are kept for snapshots, even if no body has them any more. Lets go of those; snapshots in which one is used cannot be restored any more.
  WorldResult<void> forget_unused_shapes();

  // world_filter.cpp. Who has to do with whom, beside the masks: world_filter.h.
  /// An empty function: all that the masks allow.
  WorldResult<void> set_pair_filter(PairFilter filter);
  /// A new filter for one of the body's shapes, by its number. What it touched and does not any more ends; both bodies wake.
  WorldResult<void> set_filter(BodyId id, std::uint32_t shape, const Filter& filter);
  /// Asks again about all pairs of the body: after the answers of a pair filter have changed.
  WorldResult<void> filter_again(BodyId id);
  /// Times of impact asked for in the last step: none where nothing was fast.
  [[nodiscard]] std::size_t impact_queries() const { return continuous_.impact_queries(); }

  /// Pairs of shapes whose boxes are near each other, whether they touch or not.
  [[nodiscard]] std::size_t pair_count() const { return pairs_.count(); }
  /// Bodies that are awake, moving or not.
  [[nodiscard]] std::size_t active_count() const { return active_.size(); }
  /// A number made of all bodies' poses and velocities, and what joints bear: the same for worlds that are the same to the bit.
  [[nodiscard]] std::uint64_t hash() const;

  // For tests and tools. References to what is in it end with a step.
  [[nodiscard]] const BodyStore& bodies() const { return bodies_; }
  [[nodiscard]] const ContactStore& contacts() const { return pairs_; }
  [[nodiscard]] const BroadPhase& boxes() const { return broad_phase_; }
  [[nodiscard]] const JointStore& joints() const { return joints_; }

private:
  // world.cpp
  /// The slot of what is to be changed; or why it cannot be.
  [[nodiscard]] WorldResult<std::uint32_t> to_change(BodyId id) const;
  [[nodiscard]] WorldResult<std::uint32_t> to_change(JointId id) const;
  void activate(std::uint32_t slot);
  void deactivate(std::uint32_t slot);
  void wake_slot(std::uint32_t slot);
  void wake_touched(std::uint32_t slot);
  void remove_pair(std::uint32_t pair);
  void update_boxes(std::uint32_t slot, const Vec3& displacement);
  [[nodiscard]] Aabb box_of(std::uint32_t shape, const Body& body);
  /// How far a body's boxes reach beyond its shapes.
  [[nodiscard]] double ahead_of(const PlacedShape& shape, const Body& body) const;
  void forget_room(std::uint32_t shape) { bodies_.shape(shape).box_room = {}; }
  // world_filter.cpp
  [[nodiscard]] bool may_touch(std::uint32_t shape_a, std::uint32_t shape_b) const;
  void filter_slot(std::uint32_t slot);
  [[nodiscard]] bool load_active(std::vector<std::uint32_t>&& active);
  // world_continuous.cpp
  void stop_fast_bodies(Team& team);
  /// Where a step leads a body, about its centre of mass.
  struct BodyEnd {
    Vec3 center;
    Quat rotation;
    Vec3 velocity, spin;
    StrikeTold struck{}; ///< where it hit something while it turned fast
  };
  [[nodiscard]] BodyEnd end_of(const StoppedBody& stop, StrikeScratch& scratch) const;
  void keep_energy(std::uint32_t slot, BodyEnd& end) const;
  void place_carried();
  void tell_strikes();
  void tell_passes();
  // world_joints.cpp
  void wake_joint(std::uint32_t slot);
  void drop_joint(std::uint32_t slot);
  void break_joints();
  // world_step.cpp
  void step_together(double time, Team& team);
  /// What is left to do for an active body when all have been placed.
  enum class BodyAfter : std::uint8_t { done, frozen, left_box };
  void freeze_before_step(double time, Team& team);
  [[nodiscard]] BodyAfter finish_body(std::size_t i, double time);
  void finish_bodies(double time, Team& team);
  [[nodiscard]] bool is_in_box(std::uint32_t shape, const Body& body) const;
  [[nodiscard]] bool leaves_box(std::uint32_t shape, const Body& body, const Vec3& displacement);
  void tell_frozen();
  void put_to_sleep();
  void sort_events();
  // world_regions.cpp
  void update_travels(double time, Team& team);
  void put_bodies_in_order();
  void part_regions(Team& team);
  // world_contacts.cpp
  void find_pairs();
  void look_at_moved_sensors();
  void update_contacts(double time, Team& team);
  [[nodiscard]] bool nothing_new(std::size_t at) const;
  [[nodiscard]] bool has_new_box(std::size_t at) const;
  [[nodiscard]] bool boxes_overlap(const PairRecord& p) const;
  [[nodiscard]] bool look_at_pair(std::size_t at, const NarrowPhaseOptions& options);
  void remake_pair(std::size_t at, const NarrowPhaseOptions& options, std::size_t thread);
  void tell_pair(std::size_t at, const PairUpdate& update, const NarrowPhaseOptions& options);
  void look_at_pairs(std::size_t begin, std::size_t end, const NarrowPhaseOptions& options,
                     std::size_t thread);
  void put_chain(std::size_t at);
  void settle_pair(std::size_t at);
  void weld_grounded(Team& team);
  void count_ground(std::uint32_t slot, std::uint8_t more);
  void end_contact(std::uint32_t pair);
  void find_tellers();
  void finish_contacts();

  /// What each thread of a step has to itself.
  struct StepScratch {
    NarrowScratch narrow;
    StrikeScratch strike;
    Seams seams;
    std::vector<std::uint32_t> to_look_at; ///< places in the list of active pairs
  };
  /// What is left to do for an active pair when all have been looked at: bits.
  enum PairAfter : std::uint8_t {
    pair_looked = 1,
    pair_gone = 2,
    pair_made = 4,
    pair_rechained = 8,
    pair_closes = 16, ///< two bodies that move come together
    pair_wakes = 32   ///< one sleeps
  };
  /// Where the new manifolds of a pair are that is rechained: a stretch of a thread's NarrowScratch::chains.
  struct PairChain {
    std::uint32_t thread = 0, first = 0, count = 0;
  };

  Busy busy_;
  WorldOptions options_;
  BodyStore bodies_;
  ContactStore pairs_;
  JointStore joints_;
  BroadPhase broad_phase_;
  NarrowPhase narrow_phase_;
  ContactSolver solver_;
  Continuous continuous_;
  PairFilter pair_filter_;
  std::size_t moving_targets_ = 0; ///< shapes that fast bodies look for among those that move
  Islands islands_;
  std::vector<std::uint32_t> active_; ///< slots of bodies that are awake
  std::vector<StepScratch> scratch_;  ///< by thread
  std::vector<ScratchPool> pools_;    ///< by thread
  Regions regions_;                   ///< of active bodies, in the order of their list
  RegionOrder body_order_, pair_order_;
  std::vector<RegionPoint> centers_;        ///< of active bodies
  std::vector<std::uint8_t> region_of_;     ///< by slot; of those that are not active, 255
  std::vector<std::uint8_t> pair_regions_;  ///< by place in the list of active pairs
  std::vector<std::uint32_t> other_active_; ///< active_ in another order, while it is put into it
  std::vector<std::uint8_t> after_;         ///< by place in the list of active pairs
  std::vector<PairChain> pair_chains_;      ///< the same
  std::vector<std::uint32_t> tellers_;      ///< see find_tellers()
  std::vector<std::uint32_t> gone_;         ///< pairs that have ended in this step
  std::vector<std::uint32_t> struck_;       ///< pairs whose strikes were told in this step
  std::vector<std::uint32_t> once_;         ///< pairs that are active for this step only
  std::vector<std::uint8_t> grounds_;       ///< by slot: what it stands on; 2 is many
  std::vector<std::uint8_t> remade_;        ///< by slot: manifolds of it were made in this step
  std::vector<std::uint32_t> grounded_;     ///< bodies with many
  std::vector<std::uint8_t> has_seams_;     ///< beside grounded_
  std::vector<BodyAfter> bodies_after_;     ///< by place in the list of active bodies
  std::vector<std::uint8_t> rested_;        ///< the same: whether it alone has rested long enough
  std::vector<BodyEnd> stops_;              ///< beside those that continuous_ has stopped
  std::uint32_t step_ = 0;                  ///< how many there were
  Events events_, next_events_;             ///< told; and to be told by the next step
  double last_time_ = 1.0 / 60;             ///< of a step: how far ahead boxes reach
};

} // namespace carom
