// Scenes under the solvers of the textbooks: what runs, what comes out of it, and what is refused.
#include "carom/record/classic_run.h"

#include "carom/record/page.h"
#include "carom/record/recording.h"
#include "carom/record/render.h"
#include "tests/record/scene_files.h"

#include <map>

namespace carom::test {
namespace {

constexpr ClassicSolver all_solvers[] = {ClassicSolver::events, ClassicSolver::resting,
                                         ClassicSolver::penalty};

/// A floor, and what the text has beside it.
Scene scene_with(const std::string& bodies, const std::string& fields = "") {
  const Result<Scene> scene = parse_scene(
      R"({"carom_scene": 1, "bodies": [{"name": "floor", "kind": "fixed", "shape": {"kind": "box", "half": [5, 5, 0.5]}, "position": [0, 0, -0.5]})" +
      (bodies.empty() ? "" : ", " + bodies) + "]" + fields + "}");
  EXPECT_TRUE(scene) << scene.error().message;
  return scene ? *scene : Scene{};
}

Scene one_box(const std::string& fields = "") {
  return scene_with(
      R"({"name": "box", "shape": {"kind": "box", "half": [0.5, 0.5, 0.5]}, "position": [0, 0, 0.6]})",
      fields);
}

/// Why the scene is not run with it; empty where it is.
std::string refusal(const Scene& scene, ClassicSolver solver) {
  const Result<ClassicRun> run = ClassicRun::build(scene, solver);
  return run ? "" : run.error().message;
}

TEST(ClassicRun, WhatASolverWouldLeaveOutIsRefused) {
  const std::string body = R"({"name": "b", "shape": {"kind": "sphere", "radius": 1}, )";
  const struct {
    std::string bodies, fields, says;
  } cases[] = {
      {body + R"("locked": ["turn_x"]})", "", "the body 'b', locked: ? knows no locked axes"},
      {body + R"("sensor": true})", "", "the body 'b', sensor: ? knows no sensors"},
      {body + R"("awake": false})", "", "the body 'b', awake: ? knows no sleep"},
      {body + R"("material": {"rolling_friction": 0.01}})", "",
       "the body 'b', material.rolling_friction: ? knows no rolling friction"},
      {body + R"("kind": "fixed", "material": {"surface_velocity": [0, 1, 0]}})", "",
       "the body 'b', material.surface_velocity: ? knows no surfaces that run"},
      {R"({"name": "c", "shapes": [{"shape": {"kind": "sphere", "radius": 1}}, {"shape": {"kind": "sphere", "radius": 2}, "sensor": true}]})",
       "", "the body 'c', shapes[1].sensor: ? knows no sensors"},
      {body + R"("density": 1})", R"(, "joints": [{"kind": "ball", "name": "j", "b": "b"}])",
       "the joint 'j': ? knows no joints"},
      {"", R"(, "mover": {"shape": {"kind": "sphere", "radius": 0.5}})",
       "the mover: ? knows no mover"},
  };
  for (const auto& bad : cases)
    for (const ClassicSolver solver : all_solvers) {
      std::string says = bad.says;
      says.replace(says.find('?'), 1, std::string("the solver '") + solver_word(solver) + "'");
      EXPECT_EQ(refusal(scene_with(bad.bodies, bad.fields), solver), says);
    }
  // What a world refuses, they refuse, too.
  const std::string flat = R"({"name": "flat", "shape": {"kind": "box", "half": [1, 1, 0]}})";
  EXPECT_EQ(refusal(scene_with(flat), ClassicSolver::events),
            SceneRun::build(scene_with(flat)).error().message);
  // What makes no difference is no reason.
  EXPECT_EQ(refusal(scene_with(R"({"name": "k", "kind": "kinematic", "awake": false})"),
                    ClassicSolver::events),
            "");
}

/// So that a scene which the solvers cannot run is never run in part.
TEST(ClassicRun, ScenesThatAreRefused) {
  const std::map<std::string, std::string> refused = {
      {"conveyor", "surface_velocity"}, {"gears", "locked"},        {"mover_level", "mover"},
      {"newtons_cradle", "joints"},     {"ragdolls", "joints"},     {"terrain", "rolling_friction"},
      {"wrecking_ball", "joints"},      {"zoo", "rolling_friction"}};
  for (const auto& file : scene_files()) {
    const std::string name = file.stem();
    const std::string said = refusal(scene_named(name), ClassicSolver::resting);
    const auto expected = refused.find(name);
    if (expected == refused.end())
      EXPECT_EQ(said, "") << name;
    else
      EXPECT_NE(said.find(expected->second), std::string::npos) << name << ": " << said;
  }
}

TEST(ClassicRun, OtherRunsRefuseSuchAScene) {
  Scene scene = one_box(R"(, "world": {"solver": {"kind": "resting"}})");
  const Result<SceneRun> run = SceneRun::build(scene);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().message, "world.solver.kind: 'resting' is for carom sim and ClassicRun; "
                                 "only 'default' runs here");
  scene.solver.reset();
  EXPECT_TRUE(SceneRun::build(scene));
}

/// What the scene is about holds under each: those with less friction than the slope's tangent slide, the others stay. Nothing overlaps but where springs push.
TEST(ClassicRun, TheSlopeOfFriction) {
  const Scene scene = scene_named("friction_slope");
  for (const ClassicSolver solver : all_solvers) {
    SCOPED_TRACE(solver_word(solver));
    ClassicRun run = ClassicRun::build(scene, solver).value();
    ASSERT_EQ(run.bodies().size(), scene.bodies.size());
    double deepest = 0;
    for (int i = 0; i < 60; ++i) {
      run.step();
      deepest = std::max(deepest, state_of(run.world()).deepest);
    }
    if (solver == ClassicSolver::penalty)
      EXPECT_TRUE(deepest > 1e-5 && deepest < 1e-3) << deepest;
    else
      EXPECT_EQ(deepest, 0);
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
      if (scene.bodies[i].name.rfind("box ", 0) != 0) continue;
      const double moved =
          distance(run.world().pose(run.bodies()[i])->position, scene.bodies[i].def.pose.position);
      const double friction = std::sqrt(scene.bodies[i].def.material.friction);
      EXPECT_EQ(moved > 0.05, friction < 0.466) << scene.bodies[i].name << " by " << moved;
    }
  }
}

TEST(ClassicRun, TakesGravityAndTheTimeStepOfTheScene) {
  const Scene scene = scene_with(
      R"({"name": "ball", "shape": {"kind": "sphere", "radius": 0.1}, "position": [0, 0, 4]})",
      R"(, "steps_per_second": 100, "world": {"gravity": [0, 0, -2]})");
  for (const ClassicSolver solver : all_solvers) {
    ClassicRun run = ClassicRun::build(scene, solver).value();
    const RunState before = state_of(run.world());
    for (int i = 0; i < 100; ++i) run.step();
    const RunState after = state_of(run.world());
    EXPECT_NEAR(run.world().body(run.bodies()[1])->velocity.z, -2, 1e-12) << solver_word(solver);
    EXPECT_EQ(after.bodies, 2u);
    EXPECT_EQ(after.moving, 1u);
    EXPECT_EQ(after.contacts, 0u);
    EXPECT_TRUE(after.finite);
    const double mass = run.world().body(run.bodies()[1])->mass;
    EXPECT_NEAR(before.potential, mass * 2 * 4, 1e-9);
    EXPECT_NEAR(after.kinetic, 0.5 * mass * 4, 1e-9);
  }
}

/// The forces of a box that lies still bear its weight: on the page, as impulses of a step. Nothing sleeps.
TEST(ClassicRun, APageShowsWhatHoldsABox) {
  const Scene scene = one_box();
  for (const ClassicSolver solver : all_solvers) {
    SCOPED_TRACE(solver_word(solver));
    ClassicRun run = ClassicRun::build(scene, solver).value();
    ScenePage page(scene, run), bare(scene, run, false);
    for (int i = 0; i < 120; ++i) {
      run.step();
      page.add_frame(run);
      bare.add_frame(run);
    }
    EXPECT_EQ(state_of(run.world()).contacts, 4u);
    ASSERT_EQ(page.page().bodies.size(), 2u);
    EXPECT_EQ(page.page().bodies[1].name, "box");
    ASSERT_EQ(page.page().frames.size(), 121u);
    const PageFrame& last = page.page().frames.back();
    EXPECT_EQ(last.poses[1].position, run.world().pose(run.bodies()[1])->position);
    double impulse = 0;
    for (const PageContact& c : last.contacts) impulse += c.impulse * c.normal.z;
    EXPECT_NEAR(impulse / (1000 * 9.81 / 60), 1, 1e-3);
    EXPECT_TRUE(last.asleep.empty() && last.islands.empty());
    EXPECT_TRUE(bare.page().frames.back().contacts.empty());
    EXPECT_EQ(page_json(page.page()).find("\"asleep\""), std::string::npos);
  }
}

TEST(ClassicRun, ThePictureIsOfTheRun) {
  const Scene scene = one_box();
  const ClassicRun run = ClassicRun::build(scene, ClassicSolver::events).value();
  ClassicRun later = ClassicRun::build(scene, ClassicSolver::events).value();
  for (int i = 0; i < 30; ++i) later.step();
  const RenderOptions small{.width = 32, .height = 20};
  const SceneRun same = SceneRun::build(scene).value(); // before a step they stand alike
  EXPECT_EQ(render(scene, run, {}, small).pixels, render(scene, same, {}, small).pixels);
  EXPECT_NE(render(scene, run, {}, small).pixels, render(scene, later, {}, small).pixels);
}

/// A recording is one of the world, also where the scene asks for another solver and was run with the default one.
TEST(ClassicRun, ARecordingIsRunAgainInTheWorld) {
  Scene scene = one_box(R"(, "world": {"solver": {"kind": "events"}})");
  scene.solver.reset();
  SceneRun run = SceneRun::build(scene).value();
  Recorder recorder(scene, run);
  for (int i = 0; i < 30; ++i) {
    run.step();
    recorder.add(run);
  }
  const Recording recording = Recording::read(recorder.bytes()).value();
  const Result<ReplayCheck> check = run_again(recording);
  ASSERT_TRUE(check) << check.error().message;
  EXPECT_EQ(check->steps, 30u);
  EXPECT_FALSE(check->first_difference);
}

} // namespace
} // namespace carom::test
