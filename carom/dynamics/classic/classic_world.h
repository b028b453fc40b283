// The same bodies under the solvers of the textbooks: to compare, to learn from, and for small scenes that must be exact. The default World is faster by far; docs/solvers.md compares them.
//
//   ClassicWorld world({.solver = ClassicSolver::events});
//   world.add({.shape = slab, .kind = BodyKind::fixed}).value();
//   BodyId ball = world.add({.shape = sphere, .pose = Pose::at({0, 0, 5}), .material = {.restitution = 0.5}}).value();
//   for (int i = 0; i < 300; ++i) world.step(1.0 / 60);
//
// Three solvers:
//   events   impulses only. All bodies fly to the earliest time at which two come within a skin of each other (motion/time_of_impact.h, with its proof); there they collide, and fly on. What rests hops by less than can be seen: impulses at each step hold it. Nothing
//            that was apart ever overlaps.
//   resting  collisions as above, at their times; contacts that rest are held by forces, from a linear complementarity problem (Baraff's), so that none comes nearer and none pulls.
//   penalty  springs where bodies overlap, in steps as short as the springs need (penalty.h). No time of impact: fast bodies may pass through thin ones.
//
// And two ways to move, for events and resting: all bodies at once, or one after the other, each past those that stand where they are then. The latter is what many games do; it sees collisions that are none, and misses some
// (tests/dynamics/classic/motion_mode_test.cpp has the three errors).
//
// Taken from bodies as World has them: shapes of all kinds, mass, material (friction, restitution), filters, damping, gravity scale. Not: locked axes (an error), rolling friction, surface velocity, sleep, sensors (they do nothing), joints.
// Cost grows with the square of the number of bodies: meant for some hundred at most. The same calls give the same bits everywhere.
#pragma once

#include "carom/dynamics/classic/collide.h"
#include "carom/dynamics/classic/event_queue.h"
#include "carom/dynamics/classic/flight.h"
#include "carom/dynamics/classic/penalty.h"
#include "carom/dynamics/world.h"

namespace [[gnu::visibility("default")]] carom {

enum class ClassicSolver : std::uint8_t { events, resting, penalty };

/// Who moves when.
enum class MotionMode : std::uint8_t {
  simultaneous, ///< all together, from event to event
  sequential,   ///< one body after the other, in the order they were added
};

struct ClassicOptions {
  Vec3 gravity{0, 0, -9.81};
  ClassicSolver solver = ClassicSolver::events;
  MotionMode motion = MotionMode::simultaneous;
  ImpulseOrder impulses = ImpulseOrder::at_once; ///< of collisions
  /// A length, > 0: bodies are in contact when they come so near, and rest at about half of it.
  double skin = 2e-4;
  /// A speed: what comes together slower does not bounce. Nor does what comes together no faster than gravity makes it in a step.
  double bounce_speed = 0.05;
  PenaltyOptions penalty{};
};

/// Since the world began.
struct ClassicCounters {
  std::uint64_t meetings = 0;       ///< times at which bodies met
  std::uint64_t collisions = 0;     ///< contacts that got an impulse because they came together
  std::uint64_t impact_queries = 0; ///< times of impact asked for
  std::uint64_t solves = 0;         ///< times that resting contacts were solved
  std::uint64_t pivots = 0;         ///< of complementarity problems
  std::uint64_t rounds = 0;         ///< of impulses one by one
  std::uint64_t sub_steps = 0;      ///< of springs
  std::uint64_t stalls =
      0; ///< steps in which bodies met too often, or came too near: all stood still for what was left of it
  double friction_excess =
      0; ///< the greatest of ContactSolution, as a part of what the contacts carry
};

/// What holds a contact.
struct ClassicContact : classic::ContactPoint {
  Vec3 force{}; ///< on B; in newtons
};

class ClassicWorld {
public:
  explicit ClassicWorld(const ClassicOptions& options = {});

  /// As World::add. Locked axes are an error.
  [[nodiscard]] Result<BodyId> add(const BodyDef& def);
  WorldResult<void> remove(BodyId id);
  [[nodiscard]] WorldResult<BodyInfo> body(BodyId id) const;
  [[nodiscard]] WorldResult<Pose> pose(BodyId id) const;
  WorldResult<void> set_velocity(BodyId id, const Vec3& velocity, const Vec3& angular_velocity);
  [[nodiscard]] std::size_t body_count() const { return bodies_.count(); }

  /// Goes on by `time` seconds. Not finite, 0 or negative: nothing happens.
  void step(double time);

  /// Kinetic and potential, of all that is dynamic. The height is measured from the origin.
  [[nodiscard]] double energy() const;
  /// Of any two bodies that have to do with each other; 0 where none overlap. Takes a look at all pairs.
  [[nodiscard]] double deepest_overlap() const;
  /// Of the last step, with the forces of its last part that was not short.
  [[nodiscard]] const std::vector<ClassicContact>& contacts() const { return contacts_; }
  [[nodiscard]] const ClassicCounters& counters() const { return counters_; }
  [[nodiscard]] const ClassicOptions& options() const { return options_; }
  [[nodiscard]] const BodyStore& bodies() const { return bodies_; }

private:
  // classic_events.cpp: flights and meetings
  void run_events(const std::vector<std::uint32_t>& movers);
  void respond(double now, const std::vector<std::uint32_t>& seeds);
  void find_cluster(double now, const std::vector<std::uint32_t>& seeds);
  void touch(double now, std::uint32_t slot, std::uint32_t other);
  void place_at(std::uint32_t slot, double now);
  void plan(double now);
  void foresee(double now, std::uint32_t slot);
  void finish_flights(double now);
  // classic_resting.cpp: what holds resting contacts
  void hold(double drive_time, double drift_time);
  void settle_velocities();
  void keep_forces(double time);
  [[nodiscard]] std::vector<classic::ContactWish> wishes(double drive_time,
                                                         double drift_time) const;
  // classic_penalty.cpp
  void step_springs();
  // classic_world.cpp
  void take_velocities(std::uint32_t slot);
  [[nodiscard]] Vec3 pull_on(std::uint32_t slot) const;

  ClassicOptions options_;
  BodyStore bodies_;
  ClassicCounters counters_;
  std::vector<ClassicContact> contacts_;
  // Of a step.
  double step_time_ = 0;
  classic::ResponseBodies response_; ///< by slot
  std::vector<classic::Flight> flights_;
  std::vector<Aabb> boxes_;    ///< around what is left of the flights
  std::vector<double> placed_; ///< the time at which the store has the body
  std::vector<char> moving_;   ///< by slot: it is its turn
  bool stalled_ = false;       ///< the step goes no farther
  classic::EventQueue queue_;
  std::vector<std::uint32_t> cluster_;          ///< bodies that respond together
  std::vector<char> in_cluster_;                ///< by slot
  std::vector<classic::ContactPoint> touching_; ///< their contacts
  std::vector<Vec3> held_;                      ///< impulses that hold them
  std::vector<classic::PenaltyAnchor> anchors_;
};

} // namespace carom
