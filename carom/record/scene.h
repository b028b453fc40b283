// A scene: what a world is built from, as JSON. The same scenes serve tests, the demo and the viewer.
//
//   Scene scene = load_scene("scenes/brick_wall.json").value();
//   SceneRun run = SceneRun::build(scene).value();               // scene_run.h
//   for (int i = 0; i < 600; ++i) run.step();
//
// docs/scenes.md tells the format, docs/scene.schema.json is its schema. Up is z; metres, kilograms, seconds; quaternions x, y, z, w. Repetitions are expanded while reading: what is here are bodies and joints, each on its own.
// What is wrong with a text is an error that begins with the path of the field: "bodies[3].shape.radius: must be at least 0, is -1". A field that is not known is an error.
#pragma once

#include "carom/dynamics/body.h"
#include "carom/dynamics/joint.h"
#include "carom/dynamics/world.h"
#include "carom/mesh/polygon_mesh.h"
#include "carom/mover/mover.h"
#include "carom/record/scene_fields.h"
#include "carom/record/scene_solver.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

struct SceneBody {
  std::string name; ///< no two have the same; "body 7" where none is given
  BodyDef def;
  std::uint32_t colour = 0; ///< 0xrrggbb
};

struct SceneJoint {
  std::string name;
  std::optional<std::size_t> a{}; ///< which of the scene's bodies; none: the world itself
  std::size_t b = 0;
  JointDef def{}; ///< but for its bodies
};

struct SceneCamera {
  std::string name;
  Vec3 eye{8, -8, 5}, target{};
  double degrees = 45; ///< how wide it sees, from the lower to the upper border
};

/// What the mover does for a while.
struct SceneWalk {
  double seconds = 1;
  Vec3 velocity{}; ///< what it wants
  double jump = 0; ///< the speed it jumps with, once, as soon as it stands on ground; 0: no jump
};

struct SceneMover {
  MoverSettings settings;
  Pose pose{};
  std::vector<SceneWalk> walks; ///< one after the other, then it stands
  std::uint32_t colour = 0;
};

/// A mesh that the scene calls by name.
struct SceneMesh {
  std::string name;
  PolygonMesh mesh;
};

struct Scene {
  std::string name, about; ///< a title, and a sentence on what is to be seen
  WorldOptions world{};
  SceneSolver solver{}; ///< World's, or another: then classic_run.h runs it
  double time_step = 1.0 / 60;
  double seconds = 10; ///< how long it is worth looking at
  std::vector<SceneBody> bodies;
  std::vector<SceneJoint> joints;
  std::vector<SceneCamera> cameras;
  std::optional<SceneMover> mover;
  // What it was read from: enough to read it again anywhere.
  std::string text;
  std::vector<SceneMesh> meshes;
};

struct SceneOptions {
  /// Gives the mesh of a name as it stands in the scene. Not given: meshes by name are errors.
  std::function<Result<PolygonMesh>(const std::string& name)> load_mesh{};
  FieldLog* log = nullptr; ///< gets the names of all fields asked for; for tests
};

/// No text makes it crash, hang or take memory without bounds: at most most_scene_items bodies and joints, and as many samples and points made by repetition.
inline constexpr std::uint64_t most_scene_items = std::uint64_t{1} << 18;

[[nodiscard]] Result<Scene> parse_scene(std::string_view text, const SceneOptions& options = {});

/// Of a file; meshes are looked for beside it. A scene without a name has that of the file. Errors name the file.
[[nodiscard]] Result<Scene> load_scene(const std::string& path, FieldLog* log = nullptr);

} // namespace carom
