#include "carom/record/classic_run.h"

#include "carom/record/body_state.h"
#include "carom/record/scene_solver.h"

namespace carom {
namespace {

/// A field that the solvers would leave out, and what it is about.
struct LeftOut {
  std::string field;
  const char* what;
};

/// Of a body with one shape, or of one of several.
template<class Def>
std::optional<LeftOut> surface_left_out(const Def& def) {
  if (def.sensor) return LeftOut{"sensor", "sensors"};
  if (def.material.rolling_friction != 0)
    return LeftOut{"material.rolling_friction", "rolling friction"};
  if (def.material.surface_velocity != Vec3{})
    return LeftOut{"material.surface_velocity", "surfaces that run"};
  return {};
}

std::optional<LeftOut> left_out(const BodyDef& def) {
  if (def.locked != LockedAxes{}) return LeftOut{"locked", "locked axes"};
  if (def.kind == BodyKind::dynamic && !def.awake) return LeftOut{"awake", "sleep"};
  if (auto found = surface_left_out(def)) return found;
  for (std::size_t i = 0; i < def.shapes.size(); ++i)
    if (auto found = surface_left_out(def.shapes[i]))
      return LeftOut{"shapes[" + std::to_string(i) + "]." + found->field, found->what};
  return {};
}

} // namespace

Result<ClassicRun> ClassicRun::build(const Scene& scene, ClassicSolver solver) {
  const auto refuse = [&](const std::string& where, const std::string& what) {
    return failure(ErrorCode::out_of_range,
                   where + ": the solver '" + solver_word(solver) + "' knows no " + what);
  };
  if (!scene.joints.empty())
    return refuse("the joint '" + scene.joints.front().name + "'", "joints");
  if (scene.mover) return refuse("the mover", "mover");
  ClassicRun run(scene, solver);
  for (const SceneBody& body : scene.bodies) {
    const std::string name = "the body '" + body.name + "'";
    if (const auto found = left_out(body.def))
      return refuse(name + ", " + found->field, found->what);
    const Result<BodyId> id = run.world_.add(body.def);
    if (!id) return failure(id.error().code, name + ": " + id.error().message);
    run.bodies_.push_back(*id);
  }
  return run;
}

RunState state_of(const ClassicWorld& world) {
  RunState state = state_of_bodies(world);
  state.contacts = world.contacts().size();
  state.deepest = world.deepest_overlap();
  return state;
}

} // namespace carom
