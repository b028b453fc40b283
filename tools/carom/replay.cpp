// carom replay: runs a recording again and says whether it is the same; or plays it on a page.
#include "carom/record/page.h"
#include "carom/record/recording.h"
#include "tools/carom/answer.h"
#include "tools/carom/output.h"
#include "tools/carom/player.h"
#include "tools/carom/progress.h"
#include "tools/carom/record_verbs.h"
#include "tools/carom/text.h"

#include <filesystem>
#include <memory>

namespace carom::tool {
namespace {

struct ReplayOptions {
  std::string file, html;
  bool verify = false;
};

/// The poses as they were recorded; shapes of a body keep their places in it.
Page page_of(const Recording& recording, const Scene& scene, const SceneRun& run) {
  ScenePage page(scene, run);
  const BodyStore& store = run.world().bodies();
  page.page().frames.clear();
  for (std::uint64_t step = 0; step <= recording.steps(); ++step) {
    const RecordedFrame recorded = recording.frame(step);
    PageFrame& frame = page.page().frames.emplace_back();
    for (std::size_t b = 0; b < run.bodies().size(); ++b)
      for (const std::uint32_t shape : store[run.bodies()[b].slot].shapes) {
        frame.poses.push_back(recorded.poses[b] * store.shape(shape).def.pose);
        frame.asleep.push_back(recorded.asleep[b]);
      }
  }
  page.page().summary = {{"steps", std::to_string(recording.steps())}};
  return page.page();
}

void write_replay_page(const ReplayOptions& options, const Recording& recording,
                       const Scene& scene) {
  const Result<SceneRun> run = SceneRun::build(scene);
  if (!run) fail(options.file, run.error().message);
  if (run->bodies().size() != recording.bodies())
    fail(options.file, "has other bodies than its scene");
  write_page(options.html, page_of(recording, scene, *run));
}

void replay(const ReplayOptions& options, Session& session) {
  const Result<Recording> recording = Recording::read(read_whole_file(options.file));
  if (!recording) fail(options.file, recording.error().message);
  Result<Scene> scene = recording->scene();
  if (!scene) fail(options.file, scene.error().message);
  if (scene->name.empty()) scene->name = std::filesystem::path(options.file).stem().string();
  check_distinct({{"FILE", options.file}, {"--html", options.html}});
  if (!options.html.empty()) {
    prepare_page(options.html);
    write_replay_page(options, *recording, *scene);
  }
  const double seconds = static_cast<double>(recording->steps()) * scene->time_step;
  Json json{{"verb", "replay"},
            {"scene", scene->name},
            {"seconds", seconds},
            {"steps", recording->steps()},
            {"bodies", recording->bodies()},
            {"wrote", Json::array()}};
  if (!options.html.empty()) json["wrote"].push_back(options.html);
  std::string text = options.file + ": " + printable(scene->name) + ", " + show(seconds) +
                     " s: " + counted(recording->steps(), "step") + " of " +
                     std::to_string(recording->bodies()) +
                     (recording->bodies() == 1 ? " body" : " bodies");
  if (options.verify) {
    Progress progress("running again", recording->steps());
    const Result<ReplayCheck> check =
        run_again(*recording, [&](std::uint64_t step) { progress.show(step); });
    if (!check) fail(options.file, check.error().message);
    const bool same = !check->first_difference;
    json["same"] = same;
    if (!same) json["first_difference"] = *check->first_difference;
    text += same ? ", the same in every bit"
                 : "; the first that differs is step " + std::to_string(*check->first_difference);
    session.exit_code = same ? exit_answer : exit_no;
  }
  if (session.json) return print(json);
  if (!options.html.empty()) text += "\n  wrote  " + options.html;
  print(text + "\n");
}

} // namespace

void add_replay(CLI::App& app, Session& session) {
  const auto options = std::make_shared<ReplayOptions>();
  CLI::App& verb =
      add_verb(app, session,
               {"replay", "Show a recording of carom sim, or run it again and compare.",
                "  carom replay wall.crm --verify\n  carom replay wall.crm --html wall.html\n",
                "With --verify, exit code 1: a step differs, and the first of them is named."});
  verb.add_option("FILE", options->file, "what carom sim --record wrote")->required();
  verb.add_flag("--verify", options->verify, "run it again, and compare each step");
  verb.add_option("--html", options->html, "write a page that plays it")->type_name("FILE");
  verb.callback([options, &session] { replay(*options, session); });
}

} // namespace carom::tool
