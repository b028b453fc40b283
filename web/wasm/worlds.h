// Worlds by handles, with their bodies in the order of adding.
#pragma once

#include "carom/dynamics/world.h"
#include "carom/record/scene.h"
#include "carom/record/scene_run.h"
#include "carom/record/tessellate.h"
#include "web/wasm/interface.h"

#include <cstdint>

namespace carom::web {

/// A scene that runs in a world: what is drawn, shape by shape.
struct SceneSim {
  SceneRun run;
  std::vector<std::int32_t> body_of;   ///< of each placed shape: the number of its body
  std::vector<std::uint32_t> shape_of; ///< and which of the drawings it has
  std::vector<SurfaceMesh> drawings;
  std::vector<float> positions, poses;
  std::string description;           ///< JSON
  std::vector<std::uint64_t> hashes; ///< of a recording: what the world's was after each step
  std::optional<std::uint64_t> first_difference; ///< the first step at which it is another now
};

/// What a handle of a world stands for. What functions give by address stays until the next call for the same world.
struct Sim {
  std::optional<World> own; ///< or
  std::optional<SceneSim> scene;
  std::vector<BodyId> bodies;
  std::vector<double> poses;
  std::vector<std::uint8_t> asleep;
  std::vector<std::int32_t> islands;
  std::vector<float> drawing;

  World& world() { return scene ? scene->run.world() : *own; }
};

Handles<Sim>& sims();
inline const char* const no_world = "There is no such world.";

} // namespace carom::web
