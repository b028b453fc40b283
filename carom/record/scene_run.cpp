#include "carom/record/scene_run.h"

#include "carom/record/body_state.h"
#include "carom/record/contact_points.h"

#include <algorithm>

namespace carom {

SceneRun::SceneRun(const Scene& scene) : world_(scene.world), time_step_(scene.time_step) {}

Result<SceneRun> SceneRun::build(const Scene& scene) {
  if (scene.solver)
    return failure(ErrorCode::out_of_range, std::string("world.solver.kind: '") +
                                                solver_word(scene.solver) +
                                                "' is for carom sim and ClassicRun; only 'default' "
                                                "runs here");
  SceneRun run(scene);
  for (const SceneBody& body : scene.bodies) {
    const Result<BodyId> id = run.world_.add(body.def);
    if (!id) return failure(id.error().code, "the body '" + body.name + "': " + id.error().message);
    run.bodies_.push_back(*id);
    run.names_.push_back(body.name);
  }
  for (const SceneJoint& joint : scene.joints) {
    JointDef def = joint.def;
    if (joint.a) def.a = run.bodies_[*joint.a];
    def.b = run.bodies_[joint.b];
    const Result<JointId> id = run.world_.add_joint(def);
    if (!id)
      return failure(id.error().code, "the joint '" + joint.name + "': " + id.error().message);
    run.joints_.push_back(*id);
  }
  if (scene.mover) {
    const Result<void> added = run.add_mover(*scene.mover);
    if (!added) return tl::unexpected(added.error());
  }
  return run;
}

Result<void> SceneRun::add_mover(const SceneMover& mover) {
  const Result<Mover> made = Mover::make(mover.settings);
  if (!made) return failure(made.error().code, "the mover: " + made.error().message);
  Walker& walker = walker_.emplace(Walker{.mover = *made});
  walker.state.pose = mover.pose;
  walker.walks = mover.walks;
  const BodyStore& store = world_.bodies();
  for (std::uint32_t i = 0; i < bodies_.size(); ++i) {
    const Body& body = store[bodies_[i].slot];
    for (const std::uint32_t shape : body.shapes) {
      const PlacedShape& placed = store.shape(shape);
      if (placed.def.sensor) continue;
      const auto id = walker.space.add(
          {.shape = placed.def.shape,
           .pose = placed.world,
           .mobility = body.kind == BodyKind::fixed ? Mobility::fixed : Mobility::moving});
      if (!id)
        return failure(ErrorCode::out_of_range, "the mover: " + std::string(describe(id.error())));
      walker.objects.push_back(*id);
      walker.object_body.push_back(i);
    }
  }
  const Result<BodyId> id =
      world_.add({.shape = mover.settings.shape, .pose = mover.pose, .kind = BodyKind::kinematic});
  if (!id) return failure(id.error().code, "the mover: " + id.error().message);
  bodies_.push_back(*id);
  names_.emplace_back("mover");
  return {};
}

void SceneRun::step(Executor* executor) {
  world_.step(time_step_, executor);
  if (walker_) move_walker();
  ++steps_;
}

void SceneRun::move_walker() {
  Walker& w = *walker_;
  const BodyStore& store = world_.bodies();
  std::size_t at = 0;
  for (std::uint32_t i = 0; i + 1 < bodies_.size(); ++i)
    for (const std::uint32_t shape : store[bodies_[i].slot].shapes) {
      const PlacedShape& placed = store.shape(shape);
      if (placed.def.sensor) continue;
      const SpaceObject* object = w.space.find(w.objects[at]);
      // A pose that the space refuses is none that a world has.
      if (object->pose != placed.world)
        static_cast<void>(w.space.move(w.objects[at], placed.world));
      ++at;
    }
  // Slots of the space are given in order, so they number the objects.
  const auto velocity_of = [&](ObjectId id) {
    const Body& body = store[bodies_[w.object_body[id.slot]].slot];
    const SpaceObject* object = w.space.find(id);
    const Vec3 arm = object->pose.position - body.frame.origin;
    return ObjectVelocity{body.velocity + cross(body.angular_velocity, arm), body.angular_velocity};
  };
  MoveInput input{
      .gravity = world_.options().gravity, .seconds = time_step_, .velocity_of = velocity_of};
  if (w.walk < w.walks.size()) {
    const SceneWalk& walk = w.walks[w.walk];
    input.walk = walk.velocity;
    if (walk.jump > 0 && w.state.grounded && !w.jumped) {
      w.state.velocity = w.mover.up() * walk.jump;
      w.jumped = true;
    }
    w.walked += time_step_;
    if (w.walked >= walk.seconds) {
      ++w.walk;
      w.walked = 0;
      w.jumped = false;
    }
  }
  const MoveResult moved = move(w.space, w.mover, w.state, input);
  static_cast<void>(world_.set_pose(bodies_.back(), w.state.pose));
  static_cast<void>(world_.set_velocity(bodies_.back(), moved.moved / time_step_, {}));
}

std::optional<BodyId> SceneRun::id(std::string_view name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end()) return {};
  return bodies_[static_cast<std::size_t>(found - names_.begin())];
}

RunState state_of(const World& world) {
  RunState state = state_of_bodies(world);
  std::vector<ContactPoint> points;
  contact_points(world, points);
  for (const ContactPoint& p : points) {
    if (p.separation <= 0) ++state.contacts;
    state.deepest = std::max(state.deepest, -p.separation);
  }
  return state;
}

} // namespace carom
