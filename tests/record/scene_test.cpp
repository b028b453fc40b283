// The reader of scenes: what it makes of each field, and what it says about bad ones.
#include "carom/record/scene.h"

#include "carom/record/mesh_generators.h"
#include "carom/record/scene_run.h"
#include "carom/shape/composite.h"
#include "carom/shape/mass.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace carom::test {
namespace {

Scene parsed(const std::string& text) {
  Result<Scene> scene = parse_scene(text);
  EXPECT_TRUE(scene) << scene.error().message;
  return scene ? *scene : Scene{};
}

/// A scene with these fields beside its mark.
std::string with(const std::string& fields) { return R"({"carom_scene": 1, )" + fields + "}"; }

std::string error_of(const std::string& text) {
  const Result<Scene> scene = parse_scene(text);
  EXPECT_FALSE(scene) << text;
  return scene ? "" : scene.error().message;
}

TEST(Scene, EveryFieldOfABodyArrives) {
  const Scene scene = parsed(with(
      R"("materials": {"ice": {"friction": 0.01, "restitution": 0.5, "rolling_friction": 0.25, "surface_velocity": [1, 2, 3]}},
    "bodies": [{"name": "a", "kind": "dynamic", "shape": {"kind": "sphere", "radius": 2}, "position": [1, 2, 3], "rotation": [0, 0, 1, 1], "density": 7, "material": "ice",
    "filter": {"category": 18446744073709551615, "mask": 6, "group": -3}, "sensor": true, "velocity": [4, 5, 6], "angular_velocity": [7, 8, 9], "linear_damping": 0.1, "angular_damping": 0.2,
    "gravity_scale": -1, "locked": ["y", "turn_z"], "mass": {"mass": 3, "center": [0, 0, 1], "inertia": [1, 0.5, 0, 0.5, 2, 0, 0, 0, 3]}, "can_sleep": false, "awake": false, "user": 77, "colour": "#0a0b0c"}])"));
  ASSERT_EQ(scene.bodies.size(), 1u);
  const BodyDef& d = scene.bodies[0].def;
  EXPECT_EQ(scene.bodies[0].name, "a");
  EXPECT_EQ(scene.bodies[0].colour, 0x0a0b0cu);
  EXPECT_EQ(d.shape->kind(), ShapeKind::sphere);
  EXPECT_EQ(d.shape->rounding(), 2);
  EXPECT_EQ(d.pose.position, (Vec3{1, 2, 3}));
  EXPECT_NEAR(d.pose.rotation.z, std::sqrt(0.5), 1e-15);
  EXPECT_EQ(d.density, 7);
  EXPECT_EQ(d.material.friction, 0.01);
  EXPECT_EQ(d.material.restitution, 0.5);
  EXPECT_EQ(d.material.rolling_friction, 0.25);
  EXPECT_EQ(d.material.surface_velocity, (Vec3{1, 2, 3}));
  EXPECT_EQ(d.filter, (Filter{~std::uint64_t{0}, 6, -3}));
  EXPECT_TRUE(d.sensor);
  EXPECT_EQ(d.velocity, (Vec3{4, 5, 6}));
  EXPECT_EQ(d.angular_velocity, (Vec3{7, 8, 9}));
  EXPECT_EQ(d.linear_damping, 0.1);
  EXPECT_EQ(d.angular_damping, 0.2);
  EXPECT_EQ(d.gravity_scale, -1);
  EXPECT_TRUE(d.locked.y && d.locked.turn_z && !d.locked.x && !d.locked.turn_x);
  EXPECT_EQ(d.mass->mass, 3);
  EXPECT_EQ(d.mass->center, (Vec3{0, 0, 1}));
  EXPECT_EQ(d.mass->inertia.y, (Vec3{0.5, 2, 0}));
  EXPECT_FALSE(d.can_sleep);
  EXPECT_FALSE(d.awake);
  EXPECT_EQ(d.user, 77u);
}

TEST(Scene, SettingsOfTheWorldArrive) {
  const Scene scene = parsed(with(
      R"("name": "n", "about": "b", "seconds": 3, "steps_per_second": 50, "world": {"gravity": [0, 0, -1], "margin": 0.5, "persist_events": true,
    "solver": {"sub_steps": 2, "contact_frequency": 30, "contact_damping": 5, "rest_depth": 0.001, "push_speed": 2, "bounce_threshold": 0.5}, "sleep": {"enabled": false, "speed": 0.1, "time": 2}},
    "cameras": [{"name": "c", "eye": [1, 2, 3], "target": [0, 0, 1], "degrees": 30}])"));
  EXPECT_EQ(scene.name + scene.about, "nb");
  EXPECT_EQ(scene.seconds, 3);
  EXPECT_EQ(scene.time_step, 1.0 / 50);
  EXPECT_EQ(scene.world.gravity, (Vec3{0, 0, -1}));
  EXPECT_EQ(scene.world.margin, 0.5);
  EXPECT_TRUE(scene.world.persist_events);
  EXPECT_EQ(scene.world.solver.sub_steps, 2);
  EXPECT_EQ(scene.world.solver.contact_frequency, 30);
  EXPECT_EQ(scene.world.solver.contact_damping, 5);
  EXPECT_EQ(scene.world.solver.rest_depth, 0.001);
  EXPECT_EQ(scene.world.solver.push_speed, 2);
  EXPECT_EQ(scene.world.solver.bounce_threshold, 0.5);
  EXPECT_FALSE(scene.world.sleep.enabled);
  EXPECT_EQ(scene.world.sleep.speed, 0.1);
  EXPECT_EQ(scene.world.sleep.time, 2);
  EXPECT_EQ(scene.cameras.at(0).eye, (Vec3{1, 2, 3}));
  EXPECT_EQ(scene.cameras.at(0).degrees, 30);
}

TEST(Scene, TheSolverArrives) {
  const std::pair<const char*, SceneSolver> cases[] = {
      {R"("world": {})", {}},
      {R"("world": {"solver": {"sub_steps": 2}})", {}},
      {R"("world": {"solver": {"kind": "default"}})", {}},
      {R"("world": {"solver": {"kind": "events"}})", ClassicSolver::events},
      {R"("world": {"solver": {"kind": "resting"}})", ClassicSolver::resting},
      {R"("world": {"solver": {"kind": "penalty"}})", ClassicSolver::penalty},
  };
  for (const auto& [fields, solver] : cases)
    EXPECT_EQ(parsed(with(fields)).solver, solver) << fields;
  for (const auto& [word, solver] : scene_solvers) EXPECT_STREQ(solver_word(solver), word);
}

TEST(Scene, JointsArrive) {
  const Scene scene = parsed(with(R"("bodies": [{"name": "p"}, {"name": "q"}], "joints": [
    {"kind": "hinge", "a": "p", "b": "q", "position": [1, 0, 0], "limits": [-1, "pi / 2"], "motor": {"speed": 3, "max_force": 4}, "break_force": 9, "collide_connected": true},
    {"kind": "ball", "b": "p", "cone": 0.5, "twist": [-0.1, 0.1], "friction": 2, "spring": {"frequency": 3, "damping_ratio": 0.5}},
    {"kind": "distance", "a": "p", "b": "q", "range": [0, 5], "frame_b": {"position": [0, 0, 2]}, "local": true},
    {"kind": "six_dof", "b": "q", "x": {"free": true}, "turn_z": {"limits": [-1, 1], "motor": {"max_force": 1}}}])"));
  ASSERT_EQ(scene.joints.size(), 4u);
  EXPECT_EQ(scene.joints[0].a, std::size_t{0});
  EXPECT_EQ(scene.joints[0].b, 1u);
  const auto& hinge = std::get<HingeJoint>(scene.joints[0].def.kind);
  EXPECT_EQ(hinge.limits->upper, std::numbers::pi / 2);
  EXPECT_EQ(hinge.motor->max_force, 4);
  EXPECT_EQ(scene.joints[0].def.frame.position.x, 1);
  EXPECT_EQ(scene.joints[0].def.break_force, 9);
  EXPECT_TRUE(scene.joints[0].def.collide_connected);
  EXPECT_FALSE(scene.joints[1].a);
  EXPECT_EQ(std::get<BallJoint>(scene.joints[1].def.kind).spring->frequency, 3);
  EXPECT_EQ(scene.joints[2].def.frame_b->position.z, 2);
  EXPECT_TRUE(scene.joints[2].def.local);
  const auto& six = std::get<SixDofJoint>(scene.joints[3].def.kind);
  EXPECT_FALSE(six.axes[0].limits);
  EXPECT_EQ(six.axes[1].limits->upper, 0);
  EXPECT_EQ(six.axes[5].limits->upper, 1);
}

TEST(Scene, RepetitionsNestAndCarryTheirPose) {
  const Scene scene = parsed(with(
      R"("bodies": [{"name": "first"}, {"for": [["k", 3], ["i", "3 - k"]], "position": ["10 * k", 0, 0], "turn": [0, 0, 1, 90], "bodies": [
    {"name": "b {k} {i}", "position": ["i", 0, 0], "velocity": [1, 0, 0]}], "joints": [{"kind": "ball", "b": "b {k} {i}", "position": ["i", 0, 0]}]}])"));
  ASSERT_EQ(scene.bodies.size(), 7u);
  EXPECT_EQ(scene.bodies[1].name, "b 0 0");
  EXPECT_EQ(scene.bodies[6].name, "b 2 0");
  const BodyDef& d = scene.bodies[5].def; // b 1 1
  EXPECT_LT(distance(d.pose.position, {10, 1, 0}), 1e-12);
  EXPECT_LT(distance(d.velocity, {0, 1, 0}), 1e-12);
  ASSERT_EQ(scene.joints.size(), 6u);
  EXPECT_EQ(scene.joints[4].b, 5u);
  EXPECT_LT(distance(scene.joints[4].def.frame.position, {10, 1, 0}), 1e-12);
}

TEST(Scene, BadFieldsAreNamedByTheirPath) {
  const std::pair<const char*, const char*> cases[] = {
      {R"("bodies": [{}, {"shape": {"kind": "sphere", "radius": -1}}])",
       "bodies[1].shape.radius: must be at least 0, is -1"},
      {R"("bodies": [{"colour": "red"}])", "bodies[0].colour: must be a colour like #d8a25e"},
      {R"("bodies": [{"mas": 1}])", "bodies[0].mas: there is no such field"},
      {R"("bodys": [])", "bodys: there is no such field"},
      {R"("bodies": [{"mass": {"mass": -2, "inertia": [1, 1, 1]}}])",
       "bodies[0].mass.mass: must be positive, is -2"},
      {R"("bodies": [{"rotation": [0, 0, 0, 0]}])",
       "bodies[0].rotation: must be x, y, z, w of a quaternion that is not 0"},
      {R"("bodies": [{"position": [1, 2]}])", "bodies[0].position: must be 3 numbers, is 2"},
      {R"("bodies": [{"position": [1, 2, "i"]}])",
       "bodies[0].position[2]: 'i': expected a variable that is known, not 'i', at character 1"},
      {R"("bodies": [{"kind": "solid"}])",
       "bodies[0].kind: 'solid' is none of fixed, kinematic, dynamic"},
      {R"("bodies": [{"shape": "brick"}])",
       "bodies[0].shape: there is no shape 'brick' before this"},
      {R"("bodies": [{"shape": {"radius": 1}}])", "bodies[0].shape: the field 'kind' is missing"},
      {R"("bodies": [{"shape": {"kind": "box"}}])", "bodies[0].shape: the field 'half' is missing"},
      {R"("bodies": [{"shape": {"kind": "mesh", "file": "rock.obj"}}])",
       "bodies[0].shape.file: meshes cannot be loaded here"},
      {R"("bodies": [{"name": "a"}, {"name": "a"}])",
       "bodies[1].name: another body has the name 'a'"},
      {R"("joints": [{"kind": "ball", "b": "x"}])",
       "joints[0].b: there is no body 'x' before this"},
      {R"("bodies": [{"for": [["i", 1000000000]], "bodies": []}])",
       "bodies[0].for[0][1]: must be a whole number from 0 to 262144"},
      {R"("bodies": [{"for": [["i", 1000], ["k", 1000]], "bodies": []}])",
       "bodies[0]: the scene has more than 262144 bodies, joints, samples and "
       "repetitions"},
      {R"("seconds": "soon")",
       "seconds: 'soon': expected a variable that is known, not 'soon', at character 1"},
      {R"("world": 3)", "world: must be an object"},
      {R"("world": {"solver": {"kind": "springs"}})",
       "world.solver.kind: 'springs' is none of default, events, resting, penalty"},
      {R"("world": {"solver": {"kind": 1}})", "world.solver.kind: must be a text"},
      {R"("world": {"solver": "events"})",
       "world.solver: must be an object, with the name as its field 'kind'"},
      {R"("world": {"solver": 3})", "world.solver: must be an object"},
  };
  for (const auto& [fields, message] : cases) EXPECT_EQ(error_of(with(fields)), message);
}

TEST(Scene, TextsThatAreNoScenesAreErrors) {
  EXPECT_EQ(error_of("{\n  \"carom_scene\": 1,\n  oops\n}"), "line 3, column 3: no JSON at 'o'");
  EXPECT_EQ(error_of(R"({"carom_scene": 1, "name": "a", "name": "b"})"), "the name 'name' twice");
  EXPECT_EQ(error_of(R"({"name": "a"})"), "the field 'carom_scene' is missing");
  EXPECT_EQ(error_of("[]"), "must be an object");
  error_of("");
  error_of(R"({"carom_scene": 2})");
  error_of(R"({"carom_scene": 1, "seconds": 1e999})");
  error_of(std::string(1000000, '['));
  std::string deep = R"({"kind": "sphere", "radius": 1})";
  for (int i = 0; i < 20; ++i)
    deep = R"({"kind": "sum", "a": {"kind": "sphere", "radius": 1}, "b": )" + deep + "}";
  error_of(with(R"("bodies": [{"shape": )" + deep + "}]"));
}

TEST(Scene, MeshesAreLoadedByName) {
  SceneOptions options;
  std::string asked;
  options.load_mesh = [&](const std::string& name) {
    asked = name;
    return gear_mesh({.teeth = 5});
  };
  const auto scene =
      parse_scene(with(R"("bodies": [{"shape": {"kind": "mesh", "file": "a/b.obj"}}])"), options);
  ASSERT_TRUE(scene) << scene.error().message;
  EXPECT_EQ(asked, "a/b.obj");
  EXPECT_EQ(scene->bodies[0].def.shape->kind(), ShapeKind::mesh);
}

TEST(Scene, AWorldRefusesByTheBodysName) {
  const Result<SceneRun> run = SceneRun::build(
      parsed(with(R"("bodies": [{"name": "flat", "shape": {"kind": "box", "half": [1, 1, 0]}}])")));
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().message.substr(0, 16), "the body 'flat':");
}

/// Closed, wound outward, and of the volume that the formula says.
TEST(MeshGenerators, AreSolids) {
  const GearInput input{.teeth = 12,
                        .root = 0.8,
                        .tip = 1,
                        .bore = 0.2,
                        .half_width = 0.1,
                        .foot_share = 0.6,
                        .tip_share = 0.3};
  const Shape gear =
      Shape::mesh(gear_mesh(input).value(), {.body = MeshOptions::Body::solid}).value();
  double area = 0; // of the outline less the bore, by triangles from the axis
  const double pitch = 2 * std::numbers::pi / 12;
  const auto wedge = [&](double r, double s, double share) {
    return 0.5 * r * s * std::sin(share * pitch);
  };
  area += 12 * (wedge(1, 1, 0.3) + 2 * wedge(0.8, 1, 0.15) + wedge(0.8, 0.8, 0.4));
  area -= 12 * (wedge(0.2, 0.2, 0.3) + 2 * wedge(0.2, 0.2, 0.15) + wedge(0.2, 0.2, 0.4));
  EXPECT_NEAR(mass_properties(gear).volume, 0.2 * area, 1e-12);

  const Vec2 profile[] = {{0, 0}, {1, 0}, {0, 2}};
  for (const bool turned : {false, true}) {
    std::vector<Vec2> loop(std::begin(profile), std::end(profile));
    if (turned) std::reverse(loop.begin(), loop.end());
    const Shape cone =
        Shape::mesh(lathe_mesh(loop, 8).value(), {.body = MeshOptions::Body::solid}).value();
    EXPECT_NEAR(mass_properties(cone).volume, 2.0 / 3 * 4 * std::sin(std::numbers::pi / 4), 1e-12);
  }
  EXPECT_FALSE(gear_mesh({.teeth = 2}));
  EXPECT_FALSE(gear_mesh({.teeth = 12, .root = 2, .tip = 1}));
  EXPECT_FALSE(lathe_mesh(std::span(profile).first(2), 8));
  const Vec2 bad[] = {{-1, 0}, {1, 0}, {0, 1}};
  EXPECT_FALSE(lathe_mesh(bad, 8));
}

} // namespace
} // namespace carom::test
