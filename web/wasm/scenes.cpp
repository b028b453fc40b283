// Scenes (carom/record/scene.h) that run, and what is drawn of them.
#include "carom/record/scene.h"
#include "web/wasm/mesh_files.h"
#include "web/wasm/worlds.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

namespace carom::web {
namespace {

using Json = nlohmann::ordered_json;

std::string hex(std::uint32_t colour) {
  char text[8];
  std::snprintf(text, sizeof text, "#%06x", static_cast<unsigned>(colour & 0xffffff));
  return text;
}

Json point(const Vec3& v) { return {v.x, v.y, v.z}; }

/// f(number of the body, placed shape) for all that is drawn.
template<class F>
void each_placed(const SceneRun& run, F&& f) {
  const BodyStore& bodies = run.world().bodies();
  for (std::size_t i = 0; i < run.bodies().size(); ++i) {
    const std::uint32_t slot = bodies.find(run.bodies()[i]);
    if (slot == no_index) continue;
    for (const std::uint32_t s : bodies[slot].shapes) f(i, bodies.shape(s));
  }
}

/// Which drawing the shape has; a new one where it is new.
std::uint32_t drawing_of(const Shape& shape, std::vector<Shape>& known, SceneSim& sim) {
  const auto found = std::find(known.begin(), known.end(), shape);
  if (found != known.end()) return static_cast<std::uint32_t>(found - known.begin());
  known.push_back(shape);
  sim.drawings.push_back(tessellate(shape));
  return static_cast<std::uint32_t>(known.size() - 1);
}

void describe(const Scene& scene, SceneSim& sim) {
  Json bodies = Json::array();
  std::vector<Shape> known;
  const World& world = sim.run.world();
  each_placed(sim.run, [&](std::size_t i, const PlacedShape& placed) {
    const bool mover = i >= scene.bodies.size();
    const std::uint32_t shape = drawing_of(placed.def.shape, known, sim);
    const bool fixed = world.bodies()[placed.body].kind != BodyKind::dynamic;
    const std::uint32_t colour =
        mover ? (scene.mover ? scene.mover->colour : 0) : scene.bodies[i].colour;
    bodies.push_back({{"name", mover ? "mover" : scene.bodies[i].name},
                      {"shape", shape},
                      {"colour", hex(colour)},
                      {"fixed", fixed},
                      {"sensor", placed.def.sensor}});
    sim.body_of.push_back(static_cast<std::int32_t>(i));
    sim.shape_of.push_back(shape);
  });
  Json all{{"name", scene.name},
           {"about", scene.about},
           {"timeStep", scene.time_step},
           {"shapes", sim.drawings.size()},
           {"bodyCount", sim.run.bodies().size()},
           {"bodies", std::move(bodies)}};
  if (!scene.cameras.empty()) {
    const SceneCamera& camera = scene.cameras.front();
    all["camera"] = {{"eye", point(camera.eye)}, {"target", point(camera.target)}};
  }
  sim.description = all.dump(-1, ' ', true, Json::error_handler_t::replace);
}

SceneSim* scene_of(int world) {
  Sim* sim = sims().find(world);
  return sim && sim->scene ? &*sim->scene : nullptr;
}

/// Compares with the recording, where there is one.
void compare(SceneSim& scene) {
  const std::uint64_t step = scene.run.steps();
  if (!scene.recording || scene.first_difference || step > scene.recording->steps()) return;
  if (scene.run.world().hash() != scene.recording->hash(step)) scene.first_difference = step;
}

/// Seven floats of a pose.
void put(std::vector<float>& list, const Pose& pose) {
  const Vec3& p = pose.position;
  const Quat& q = pose.rotation;
  for (const double x : {p.x, p.y, p.z, q.x, q.y, q.z, q.w}) list.push_back(static_cast<float>(x));
}

int open(const Result<Scene>& scene, std::optional<Recording> recording = {}) {
  if (!scene) return fail(scene.error().message);
  Result<SceneRun> run = SceneRun::build(*scene);
  if (!run) return fail(run.error().message);
  if (recording && recording->bodies() != run->bodies().size())
    return fail("The recording has other bodies than its scene.");
  Sim sim;
  sim.scene.emplace(SceneSim{std::move(*run), {}, {}, {}, {}, {}, {}, std::move(recording), {}});
  describe(*scene, *sim.scene);
  compare(*sim.scene);
  for (const BodyId id : sim.scene->run.bodies()) sim.bodies.add(id);
  for (const JointId id : sim.scene->run.joints()) sim.joints.add(id);
  return sims().add(std::move(sim));
}

/// Mesh files that came with the next scene.
std::map<std::string, std::string>& files() {
  static std::map<std::string, std::string> all;
  return all;
}

/// By the name that the scene has for it, or the last part of that: files that were dropped have no folders.
Result<PolygonMesh> mesh_beside(const std::string& name) {
  auto found = files().find(name);
  if (found == files().end()) found = files().find(name.substr(name.find_last_of('/') + 1));
  if (found == files().end())
    return failure(ErrorCode::bad_file, "it needs the file " + name + ": drop both together");
  return read_mesh_file({found->first, found->second});
}

double address(const void* p) { return static_cast<double>(reinterpret_cast<std::uintptr_t>(p)); }

} // namespace

/// A mesh file that the next scene may name is in the text: its name, then its bytes.
CAROM_EXPORT void carom_scene_file(int name_bytes, int bytes) {
  const auto [name, content] = file_in_text(name_bytes, bytes);
  files().insert_or_assign(std::string(name), std::string(content));
}

/// Its text is in the text. The files that were given for it are then forgotten.
CAROM_EXPORT int carom_scene(int bytes) {
  const std::string_view content(text().data(), static_cast<std::size_t>(bytes));
  SceneOptions options;
  options.load_mesh = mesh_beside;
  const Result<Scene> scene = parse_scene(content, options);
  files().clear();
  return open(scene);
}

/// A recording (carom/record/recording.h) is in the text: its scene, which runs again.
CAROM_EXPORT int carom_recording(int bytes) {
  auto recording = Recording::read(text().substr(0, static_cast<std::size_t>(bytes)));
  if (!recording) return fail(recording.error().message);
  const Result<Scene> scene = recording->scene();
  return open(scene, std::move(*recording));
}

/// How many steps were recorded; -1 where the scene is of no recording.
CAROM_EXPORT int carom_recording_steps(int world) {
  const SceneSim* scene = scene_of(world);
  return scene && scene->recording ? static_cast<int>(scene->recording->steps()) : -1;
}

/// What was recorded after that step, without running anything: seven floats a placed shape; in the buffer, where a byte a body says whether it slept.
CAROM_EXPORT const float* carom_recording_frame(int world, int step) {
  Sim* sim = sims().find(world);
  SceneSim* scene = scene_of(world);
  if (!scene || !scene->recording || step < 0) return nullptr;
  const std::uint64_t last = scene->recording->steps();
  const RecordedFrame frame = scene->recording->frame(std::min<std::uint64_t>(step, last));
  scene->poses.clear();
  each_placed(scene->run, [&](std::size_t body, const PlacedShape& placed) {
    put(scene->poses, frame.poses[body] * placed.def.pose);
  });
  sim->asleep = frame.asleep;
  for (std::size_t i = 0; i < sim->asleep.size(); ++i) {
    const auto info = scene->run.world().body(scene->run.bodies()[i]);
    if (info && info->kind != BodyKind::dynamic) sim->asleep[i] = 0; // those never sleep
  }
  Writer(buffer()) << address(sim->asleep.data());
  return scene->poses.data();
}

/// The first step of a recording that came out differently so far; -1 where none did.
CAROM_EXPORT int carom_scene_difference(int world) {
  const SceneSim* scene = scene_of(world);
  return scene && scene->first_difference ? static_cast<int>(*scene->first_difference) : -1;
}

/// JSON: names, colours, which drawing and body each placed shape has, camera.
CAROM_EXPORT const char* carom_scene_description(int world) {
  SceneSim* scene = scene_of(world);
  return scene ? scene->description.c_str() : "null";
}

/// In the buffer afterwards: where the numbers are and how many, of positions (floats), triangles and edges (whole numbers).
CAROM_EXPORT int carom_scene_drawing(int world, int shape) {
  SceneSim* scene = scene_of(world);
  if (!scene || static_cast<std::size_t>(shape) >= scene->drawings.size())
    return fail("There is no such drawing.");
  const SurfaceMesh& mesh = scene->drawings[static_cast<std::size_t>(shape)];
  scene->positions.clear();
  for (const Vec3& p : mesh.positions)
    for (const double x : {p.x, p.y, p.z}) scene->positions.push_back(static_cast<float>(x));
  Writer out(buffer());
  out << address(scene->positions.data()) << static_cast<double>(scene->positions.size());
  out << address(mesh.triangles.data()) << static_cast<double>(mesh.triangles.size());
  out << address(mesh.edges.data()) << static_cast<double>(mesh.edges.size());
  return 0;
}

/// Which body each placed shape is of.
CAROM_EXPORT const std::int32_t* carom_scene_body_of(int world) {
  SceneSim* scene = scene_of(world);
  return scene ? scene->body_of.data() : nullptr;
}

/// Seven floats a placed shape.
CAROM_EXPORT const float* carom_scene_placed(int world) {
  SceneSim* scene = scene_of(world);
  if (!scene) return nullptr;
  scene->poses.clear();
  each_placed(scene->run,
              [&](std::size_t, const PlacedShape& placed) { put(scene->poses, placed.world); });
  return scene->poses.data();
}

CAROM_EXPORT void carom_scene_step(int world) {
  SceneSim* scene = scene_of(world);
  if (!scene) return;
  scene->run.step();
  compare(*scene);
}

/// In the buffer: radius, density, position, velocity. A ball that is none of the scene's bodies.
CAROM_EXPORT int carom_scene_shoot(int world) {
  Sim* sim = sims().find(world);
  if (!sim) return fail(no_world);
  const double* p = buffer();
  Result<Shape> ball = Shape::sphere(p[0]);
  if (!ball) return fail(ball.error().message);
  BodyDef def;
  def.shape = std::move(*ball);
  def.density = p[1];
  def.pose = Pose::at(vec3_at(p + 2));
  def.velocity = vec3_at(p + 5);
  const Result<BodyId> id = sim->world().add(def);
  if (!id) return fail(id.error().message);
  return sim->bodies.add(*id);
}

} // namespace carom::web
