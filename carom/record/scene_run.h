// A scene that runs: its world, which body is which, and its mover.
//
//   SceneRun run = SceneRun::build(scene).value();
//   run.step();                                                  // by the scene's time step
//   run.world().pose(run.id("brick 3").value()).value();
#pragma once

#include "carom/dynamics/world.h"
#include "carom/record/scene.h"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

class SceneRun {
public:
  /// Errors name the body or joint that its world refuses, or the field of the solver, where the scene asks for another than World's (classic_run.h).
  [[nodiscard]] static Result<SceneRun> build(const Scene& scene);

  /// One time step of the scene. The mover walks after the bodies have moved, among them where they are then; in the world it is a kinematic body, the last one, which pushes what is light enough.
  void step(Executor* executor = nullptr);

  [[nodiscard]] World& world() { return world_; }
  [[nodiscard]] const World& world() const { return world_; }
  /// In the order of the scene; the mover's comes last, if there is one.
  [[nodiscard]] std::span<const BodyId> bodies() const { return bodies_; }
  /// In the order of the scene; broken ones are stale.
  [[nodiscard]] std::span<const JointId> joints() const { return joints_; }
  /// By name; the mover's is "mover". Nothing where there is none.
  [[nodiscard]] std::optional<BodyId> id(std::string_view name) const;
  [[nodiscard]] std::uint64_t steps() const { return steps_; }
  [[nodiscard]] double time_step() const { return time_step_; }
  /// Null where the scene has none.
  [[nodiscard]] const MoverState* mover() const { return walker_ ? &walker_->state : nullptr; }

private:
  struct Walker {
    Mover mover;
    MoverState state{};
    std::vector<SceneWalk> walks{};
    Space space{};
    std::vector<ObjectId> objects{};          ///< in the space: shapes of the bodies, in order
    std::vector<std::uint32_t> object_body{}; ///< which body of bodies_ an object's slot is of
    double walked = 0;                        ///< seconds of walks[0]
    std::size_t walk = 0;
    bool jumped = false;
  };
  explicit SceneRun(const Scene& scene);
  [[nodiscard]] Result<void> add_mover(const SceneMover& mover);
  void move_walker();

  World world_;
  std::vector<BodyId> bodies_;
  std::vector<std::string> names_;
  std::vector<JointId> joints_;
  std::optional<Walker> walker_;
  double time_step_;
  std::uint64_t steps_ = 0;
};

/// What a run comes to: for summaries and tests.
struct RunState {
  std::size_t bodies = 0, moving = 0; ///< all; those that are dynamic and awake
  std::size_t contacts = 0;           ///< points of contact that touch or overlap
  double deepest = 0;                 ///< the greatest overlap of a contact point, a length >= 0
  double kinetic = 0,
         potential = 0; ///< energies of the dynamic bodies; the potential one is 0 at the origin
  bool finite = true;   ///< all poses and velocities are numbers, and none is frozen
};
[[nodiscard]] RunState state_of(const World& world);

} // namespace carom
