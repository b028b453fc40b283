// The reader of scenes, on bytes as they come and on whole scenes with damage: a scene or an error with a sentence, never a crash, and a scene that is read can be built and stepped, or is refused.
#include "carom/record/scene.h"
#include "carom/record/classic_run.h"
#include "carom/record/scene_run.h"
#include "tests/support/source.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

using namespace carom;

constexpr const char* seeds[] = {
    R"({"carom_scene": 1, "shapes": [{"name": "b", "kind": "box", "half": [1, 1, "0.5"]}], "bodies": [{"for": [["i", 3], ["k", "i + 1"]], "bodies": [{"name": "x {i} {k}", "shape": "b", "position": ["2 * i", 0, "k"]}], "joints": [{"kind": "ball", "b": "x {i} {k}"}]}]})",
    R"({"carom_scene": 1, "world": {"gravity": [0, 0, -9], "solver": {"sub_steps": 2}}, "bodies": [{"shape": {"kind": "hull", "scatter": {"count": 9, "radius": 2}}, "turn": [1, 0, 0, 30], "velocity": [1, 2, 3], "material": {"friction": 0.5}}, {"kind": "fixed", "shape": {"kind": "height_field", "columns": 4, "rows": 3, "formula": "sin(x) * y"}}]})",
    R"({"carom_scene": 1, "bodies": [{"name": "a", "shape": {"kind": "mesh", "gear": {"teeth": 4}}}, {"name": "b", "shape": {"kind": "sum", "a": {"kind": "sphere", "radius": 1}, "b": {"kind": "cone", "height": 1, "radius": 2}}}], "joints": [{"kind": "hinge", "a": "a", "b": "b", "limits": [-1, 1], "motor": {"speed": 1, "max_force": 2}}], "mover": {"shape": {"kind": "sphere", "radius": 1}, "position": [9, 9, 9], "walks": [{"seconds": 1, "velocity": [1, 0, 0]}]}})",
    R"({"carom_scene": 1, "world": {"solver": {"kind": "events"}}, "bodies": [{"kind": "fixed", "shape": {"kind": "box", "half": [5, 5, 1]}}, {"shape": {"kind": "sphere", "radius": 1}, "position": [0, 0, 3], "velocity": [0, 1, -90], "material": {"restitution": 0.5}}]})"};

void read(const std::string& text) {
  const Result<Scene> scene = parse_scene(text);
  if (!scene) {
    if (!scene.error().message.empty()) return;
    std::fprintf(stderr, "an error without a sentence\n");
    std::abort();
  }
  if (scene->bodies.size() > 20) return; // time, not safety
  if (scene->solver) {
    Result<ClassicRun> run = ClassicRun::build(*scene, *scene->solver);
    if (!run) return;
    run->step();
    for (const BodyId id : run->bodies())
      if (!is_finite(run->world().pose(id)->position)) std::abort();
    return;
  }
  Result<SceneRun> run = SceneRun::build(*scene);
  if (!run) return;
  run->step();
  if (!state_of(run->world()).finite && run->world().events().frozen.empty()) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  test::BytesSource source(data, size);
  if (source.index(4) == 0) {
    read({reinterpret_cast<const char*>(data), size});
    return 0;
  }
  std::string text = seeds[source.index(4)];
  for (int changes = source.index(4); changes >= 0; --changes) {
    const std::size_t at = source.below(text.size());
    const int how = source.index(3);
    if (how == 0) text[at] = static_cast<char>(source.below(256));
    if (how == 1) text.erase(at, 1 + source.below(8));
    if (how == 2) {
      const std::size_t from = source.below(text.size());
      text.insert(at, text.substr(from, source.below(40)));
    }
    if (text.empty()) break;
  }
  read(text);
  return 0;
}
