// What the viewer's page shows: shapes as triangles, bodies, their poses in each frame, findings, a summary. docs/scenes.md has the format.
//
//   ScenePage page(scene, run);
//   for (...) { run.step(); page.add_frame(run); }
//   Result<std::string> html = fill_page(template_text, page.page());
#pragma once

#include "carom/record/scene.h"
#include "carom/record/scene_run.h"
#include "carom/record/tessellate.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// One placed shape.
struct PageBody {
  std::string name;
  std::size_t shape = 0; ///< in Page::shapes
  std::uint32_t colour = 0x9a9a94;
  bool fixed = false;
};

struct PageContact {
  Vec3 point{}, normal{1, 0, 0};
  double impulse = 0;
};

struct PageFrame {
  std::vector<Pose> poses;          ///< of all bodies of the page
  std::vector<std::uint8_t> asleep; ///< of all, or empty
  std::vector<PageContact> contacts;
};

/// Of a report: two bodies that overlap or are near.
struct PageFinding {
  std::string title;
  std::size_t a = 0, b = 0;
  bool overlap = true; ///< else: near
  double value = 0;    ///< depth or distance
  std::array<Vec3, 2> points{};
  Vec3 normal{1, 0, 0};
};

struct Page {
  std::string title;
  bool report = false; ///< else: a recording
  std::vector<SurfaceMesh> shapes;
  std::vector<PageBody> bodies;
  double dt = 1.0 / 60; ///< between frames
  std::vector<PageFrame> frames;
  std::optional<SceneCamera> camera;
  std::vector<PageFinding> findings;
  std::vector<std::pair<std::string, std::string>> summary;
};

/// The data of the page, as JSON. Numbers are floats there; poses whose sum of digits is large lose what floats lose. Texts that are no UTF-8 are mended.
[[nodiscard]] std::string page_json(const Page& page);

/// The page's template with the data in it: in place of the text `null` between the tags of the script with the id carom-data. Errors: bad_file where there is no such script.
[[nodiscard]] Result<std::string> fill_page(const std::string& html, const Page& page);

/// A page of a scene that runs.
class ScenePage {
public:
  /// With the contacts of each frame, where asked for: they take most of the room.
  ScenePage(const Scene& scene, const SceneRun& run, bool contacts = false);
  /// The scene as it stands now.
  void add_frame(const SceneRun& run);
  [[nodiscard]] Page& page() { return page_; }

private:
  Page page_;
  bool contacts_;
  std::vector<std::uint32_t> shapes_; ///< in the world's store, of each body of the page
};

} // namespace carom
