// Worlds by handles, with their bodies in the order of adding.
#pragma once

#include "carom/dynamics/world.h"
#include "carom/record/recording.h"
#include "carom/record/scene.h"
#include "carom/record/scene_run.h"
#include "carom/record/tessellate.h"
#include "web/wasm/interface.h"

#include <cstdint>
#include <map>
#include <span>

namespace carom::web {

/// A scene that runs in a world: what is drawn, shape by shape.
struct SceneSim {
  SceneRun run;
  std::vector<std::int32_t> body_of;   ///< of each placed shape: the number of its body
  std::vector<std::uint32_t> shape_of; ///< and which of the drawings it has
  std::vector<SurfaceMesh> drawings;
  std::vector<float> positions, poses;
  std::string description;            ///< JSON
  std::optional<Recording> recording; ///< that the scene is of, and that the run is compared with
  std::optional<std::uint64_t> first_difference; ///< the first step whose hash is another now
};

/// Bodies or joints, by their numbers in the order of adding. The number of one removed is not given again.
template<class Id>
class Numbered {
public:
  int add(Id id) {
    const int number = static_cast<int>(ids_.size());
    numbers_.emplace(key(id), number);
    ids_.push_back(id);
    return number;
  }
  [[nodiscard]] const Id* find(int number) const {
    const auto i = static_cast<std::size_t>(number);
    return i < ids_.size() ? &ids_[i] : nullptr;
  }
  /// -1: it is none of these.
  [[nodiscard]] int number_of(Id id) const {
    const auto found = numbers_.find(key(id));
    return found == numbers_.end() ? -1 : found->second;
  }
  [[nodiscard]] std::span<const Id> all() const { return ids_; }

private:
  static std::uint64_t key(Id id) { return std::uint64_t{id.slot} << 32 | id.generation; }

  std::vector<Id> ids_;
  std::map<std::uint64_t, int> numbers_;
};

/// What a handle of a world stands for. What functions give by address stays until the next call for the same world.
struct Sim {
  std::optional<World> own; ///< or
  std::optional<SceneSim> scene;
  Numbered<BodyId> bodies;
  Numbered<JointId> joints;
  std::vector<double> poses;
  std::vector<std::uint8_t> asleep;
  std::vector<std::int32_t> islands;
  std::vector<float> drawing;

  World& world() { return scene ? scene->run.world() : *own; }
};

Handles<Sim>& sims();
inline const char* const no_world = "There is no such world.";

/// 0, or -1 and the sentence.
template<class T>
int told(const WorldResult<T>& done, const char* stale) {
  if (done) return 0;
  return fail(done.error() == WorldError::stale_id ? stale
                                                   : "A number is not finite, or out of range.");
}

} // namespace carom::web
