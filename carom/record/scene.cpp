// The outermost fields of a scene; its parts are read by scene_shapes.cpp and scene_bodies.cpp.
#include "carom/record/scene.h"

#include "carom/mesh/mesh_file.h"
#include "carom/record/scene_parts.h"

#include <array>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <system_error>

namespace carom {
namespace {

SceneSolver read_solver_kind(Fields& in) {
  std::vector<std::string> words;
  for (const auto& known : scene_solvers) words.emplace_back(known.first);
  in.log_words("kind", words);
  const Reader kind = in["kind"];
  return kind ? scene_solvers[kind.word(words)].second : SceneSolver{};
}

void read_world(const Reader& reader, Scene& scene) {
  WorldOptions& world = scene.world;
  Fields in(reader, "world");
  in.read("gravity", world.gravity);
  in.read("margin", world.margin, positive);
  in.read("persist_events", world.persist_events);
  in.read("continuous", world.continuous);
  if (const Reader solver = in["solver"]) {
    if (solver.is_text()) solver.fail("must be an object, with the name as its field 'kind'");
    Fields s(solver, "solver");
    scene.solver = read_solver_kind(s);
    s.read("sub_steps", world.solver.sub_steps, 1, 1000);
    s.read("contact_frequency", world.solver.contact_frequency, positive);
    s.read("contact_damping", world.solver.contact_damping, at_least_zero);
    s.read("rest_depth", world.solver.rest_depth, positive);
    s.read("push_speed", world.solver.push_speed, at_least_zero);
    s.read("bounce_threshold", world.solver.bounce_threshold, at_least_zero);
    s.finish();
  }
  if (const Reader sleep = in["sleep"]) {
    Fields s(sleep, "sleep");
    s.read("enabled", world.sleep.enabled);
    s.read("speed", world.sleep.speed, at_least_zero);
    s.read("time", world.sleep.time, at_least_zero);
    s.finish();
  }
  in.finish();
}

SceneCamera read_camera(const Reader& reader) {
  SceneCamera camera;
  Fields in(reader, "camera");
  in.read("name", camera.name);
  camera.eye = in.need("eye").vec3();
  camera.target = in.need("target").vec3();
  in.read("degrees", camera.degrees, {1, 170});
  in.finish();
  if (reader && camera.eye == camera.target) reader.fail("the eye is at the target");
  return camera;
}

SceneWalk read_walk(const Reader& reader) {
  SceneWalk walk;
  Fields in(reader, "walk");
  walk.seconds = in.need("seconds").number(at_least_zero);
  in.read("velocity", walk.velocity);
  in.read("jump", walk.jump, at_least_zero);
  in.finish();
  return walk;
}

std::optional<SceneMover> read_mover(const Reader& reader, SceneReading& reading) {
  Fields in(reader, "mover");
  const std::optional<Shape> shape = read_shape(in.need("shape"), reading);
  if (!shape) return {};
  SceneMover mover{
      .settings = {.shape = *shape, .up = {0, 0, 1}}, .pose = {}, .walks = {}, .colour = 0x4f86c6};
  read_pose(in, mover.pose);
  in.read("up", mover.settings.up);
  in.read("skin", mover.settings.skin, positive);
  in.read("step_up", mover.settings.step_up, at_least_zero);
  in.read("step_down", mover.settings.step_down, at_least_zero);
  double degrees = 50;
  in.read("slope_degrees", degrees, {0, 90});
  mover.settings.slope_limit = degrees * std::numbers::pi / 180;
  if (const Reader walks = in["walks"])
    for (const Reader& item : walks.items()) mover.walks.push_back(read_walk(item));
  read_colour(in, mover.colour);
  in.finish();
  if (!reader) return {};
  const Result<Mover> made = Mover::make(mover.settings);
  if (!made) reader.fail(made.error().message, made.error().code);
  return mover;
}

void read_scene(const Reader& root, SceneReading& reading) {
  Scene& scene = reading.scene;
  Fields in(root, "scene");
  if (root.is_object()) static_cast<void>(in.need("carom_scene").whole(1, 1));
  static_cast<void>(in["$schema"]); // for editors
  in.read("name", scene.name);
  in.read("about", scene.about);
  in.read("seconds", scene.seconds, {0, 1e6});
  double rate = 60;
  in.read("steps_per_second", rate, {1, 1e6});
  scene.time_step = 1 / rate;
  if (const Reader world = in["world"]) read_world(world, scene);
  if (const Reader materials = in["materials"])
    for (const auto& [name, value] : materials.members())
      reading.materials.insert_or_assign(name, read_material(value, reading));
  if (const Reader shapes = in["shapes"])
    for (const Reader& item : shapes.items()) {
      // A list, since a shape may use those before it.
      std::string name;
      const std::optional<Shape> shape = read_shape(item, reading, 0, &name);
      if (!shape) return;
      if (!reading.shapes.emplace(name, *shape).second)
        item.fail("another shape has the name '" + name + "'");
    }
  if (const Reader bodies = in["bodies"]) read_bodies(bodies, reading);
  if (const Reader joints = in["joints"]) read_joints(joints, reading);
  if (const Reader cameras = in["cameras"])
    for (const Reader& item : cameras.items()) scene.cameras.push_back(read_camera(item));
  if (const Reader mover = in["mover"]) scene.mover = read_mover(mover, reading);
  in.finish();
}

Result<std::string> text_of_file(const std::string& path) {
  const auto bad = [&](const char* why) { return failure(ErrorCode::bad_file, path + ": " + why); };
  std::error_code none;
  if (!std::filesystem::exists(path, none)) return bad("there is no such file");
  if (std::filesystem::is_directory(path, none)) return bad("it is a folder, not a file");
  std::ifstream file(path, std::ios::binary);
  std::string text;
  std::array<char, 1 << 14>
      piece{}; // by read(), which throws nothing, as iterators of the buffer may
  while (file.good()) {
    file.read(piece.data(), piece.size());
    text.append(piece.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (!file.eof()) return bad("cannot be read");
  return text;
}

} // namespace

Result<Scene> parse_scene(std::string_view text, const SceneOptions& options) {
  const Result<JsonText> json = JsonText::parse(text);
  if (!json) return tl::unexpected(json.error());
  ReadContext context{.log = options.log};
  SceneReading reading{.options = options};
  read_scene(json->root(context), reading);
  if (context.error) return tl::unexpected(*context.error);
  reading.scene.text = text;
  return std::move(reading.scene);
}

Result<Scene> load_scene(const std::string& path, FieldLog* log) {
  const Result<std::string> text = text_of_file(path);
  if (!text) return tl::unexpected(text.error());
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  SceneOptions options;
  options.log = log;
  options.load_mesh = [&](const std::string& name) -> Result<PolygonMesh> {
    const std::string file = (folder / name).string();
    std::error_code none;
    if (!std::filesystem::exists(file, none))
      return failure(ErrorCode::bad_file, file + ": there is no such file");
    return load_mesh(file);
  };
  Result<Scene> scene = parse_scene(*text, options);
  if (!scene) return failure(scene.error().code, path + ": " + scene.error().message);
  if (scene->name.empty()) scene->name = std::filesystem::path(path).stem().string();
  return scene;
}

} // namespace carom
