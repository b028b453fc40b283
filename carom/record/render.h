// A picture of a scene, by ray casts: what the library itself sees.
//
//   std::string file = png(render(scene, run, scene.cameras.front(), {.width = 640, .height = 400}));
#pragma once

#include "carom/record/classic_run.h"
#include "carom/record/png.h"
#include "carom/record/scene.h"
#include "carom/record/scene_run.h"

#include <functional>

namespace [[gnu::visibility("default")]] carom {

struct RenderOptions {
  std::uint32_t width = 640, height = 400; ///< 1 to 8192
  int samples = 2; ///< rays a pixel, along x and along y, 1 to 8: edges get smoother
  Vec3 to_light{-0.4, -0.55, 0.9};
  std::function<void(std::size_t row)> progress{}; ///< told when a row is done
};

/// Light from one side with shadows, and from the sky; sharper creases by nothing else. Sensors are not drawn. A picture without a pixel where a size is out of range.
[[nodiscard]] Image render(const Scene& scene, const SceneRun& run, const SceneCamera& camera,
                           const RenderOptions& options = {});
[[nodiscard]] Image render(const Scene& scene, const ClassicRun& run, const SceneCamera& camera,
                           const RenderOptions& options = {});

} // namespace carom
