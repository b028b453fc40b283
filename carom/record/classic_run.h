// A scene that runs under one of the solvers of the textbooks (docs/solvers.md), as scene_run.h runs it in the world.
//
//   ClassicRun run = ClassicRun::build(scene, ClassicSolver::events).value();
//   run.step();                                                  // by the scene's time step
//   run.world().deepest_overlap();
//
// Of the scene's world it takes gravity. Margin, sleep, continuous collision and the numbers of world.solver say how World works, and are for it alone.
#pragma once

#include "carom/dynamics/classic/classic_world.h"
#include "carom/record/scene.h"
#include "carom/record/scene_run.h"

#include <span>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

class ClassicRun {
public:
  /// Whatever the scene itself asks for. Nothing of a scene is left out: joints, a mover, and bodies with locked axes, sensors, rolling friction, a surface that runs or a start asleep are errors, which name the body and its field.
  [[nodiscard]] static Result<ClassicRun> build(const Scene& scene, ClassicSolver solver);

  void step() { world_.step(time_step_); }

  [[nodiscard]] const ClassicWorld& world() const { return world_; }
  /// In the order of the scene.
  [[nodiscard]] std::span<const BodyId> bodies() const { return bodies_; }
  [[nodiscard]] double time_step() const { return time_step_; }

private:
  ClassicRun(const Scene& scene, ClassicSolver solver)
      : world_({.gravity = scene.world.gravity, .solver = solver}), time_step_(scene.time_step) {}

  ClassicWorld world_;
  std::vector<BodyId> bodies_;
  double time_step_;
};

/// All dynamic bodies count as moving, since none sleeps; contacts are those that the solver looks at, which touch or nearly do; overlaps are those of ClassicWorld::deepest_overlap().
[[nodiscard]] RunState state_of(const ClassicWorld& world);

} // namespace carom
