// What the viewer's page shows: shapes as triangles, bodies, their poses in each frame, findings, a summary. docs/scenes.md has the format.
//
//   ScenePage page(scene, run);
//   for (...) { run.step(); page.add_frame(run); }
//   Result<std::string> html = fill_page(template_text, page.page());
#pragma once

#include "carom/record/classic_run.h"
#include "carom/record/contact_points.h"
#include "carom/record/scene.h"
#include "carom/record/scene_run.h"
#include "carom/record/tessellate.h"

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
  bool sensor = false; ///< it stops nobody
};

struct PageContact {
  Vec3 point{}, normal{1, 0, 0};
  double impulse = 0;
  std::uint32_t row =
      0; ///< the same from frame to frame while it lasts; no other contact of the frame has it
};

struct PageFrame {
  std::vector<Pose> poses;          ///< of all bodies of the page
  std::vector<std::uint8_t> asleep; ///< of all, or empty
  std::vector<std::int32_t>
      islands; ///< of all, or empty: a number that those share which hang together; -1: none
  std::vector<PageContact> contacts;
};

/// A point and a direction there.
struct PageDirection {
  Vec3 point{}, direction{1, 0, 0}; ///< not zero
};

/// Of a report: what was found about one body or two.
struct PageFinding {
  enum class Kind { overlap, touch, near, answer };

  std::string title;
  std::string caption;      ///< what it is about; empty: the names of the bodies
  std::size_t a = 0, b = 0; ///< the same where there is one
  Kind kind = Kind::answer; ///< `answer`: of a question that is not about a clash
  double value = 0;         ///< depth, distance, time
  std::vector<Vec3> points; ///< what to look at: one, or the ends of a line; or none
  std::optional<PageDirection>
      plane; ///< that keeps the bodies apart, at right angles to the direction
  std::optional<PageDirection> arrow; ///< a normal
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

/// The data of the page, as JSON. Of a run, numbers are rounded to what the eye sees (page_frames.h): positions to 1/65536 of the size of what moves; a single frame has floats. Texts that are no UTF-8 are mended.
[[nodiscard]] std::string page_json(const Page& page);

/// The page's template with the data in it: in place of the text `null` between the tags of the script with the id carom-data. Errors: bad_file where there is no such script.
[[nodiscard]] Result<std::string> fill_page(const std::string& html, const Page& page);

/// A page of a scene that runs.
class ScenePage {
public:
  /// With contacts and islands of each frame, unless they are not wanted: contacts take half of the room.
  ScenePage(const Scene& scene, const SceneRun& run, bool contacts = true);
  /// The same, but that nothing sleeps and there are no islands.
  ScenePage(const Scene& scene, const ClassicRun& run, bool contacts = true);
  /// The scene as it stands now.
  void add_frame(const SceneRun& run);
  void add_frame(const ClassicRun& run);
  [[nodiscard]] Page& page() { return page_; }

private:
  using ContactKey =
      std::array<std::uint32_t, 3>; ///< slots of the bodies, and which of their points
  void add_bodies(const Scene& scene, const BodyStore& store, std::span<const BodyId> bodies);
  [[nodiscard]] PageFrame placed(const BodyStore& store) const;
  void add_contacts(const std::vector<ContactPoint>& points, PageFrame& frame);

  Page page_;
  bool contacts_;
  std::vector<std::uint32_t> shapes_;        ///< in the world's store, of each body of the page
  std::map<ContactKey, std::uint32_t> rows_; ///< of the last frame's contacts
};

} // namespace carom
