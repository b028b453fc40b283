// carom sim: runs a scene, says what came of it, and writes what there is to see.
#include "carom/record/page.h"
#include "carom/record/recording.h"
#include "carom/record/render.h"
#include "carom/record/scene_run.h"
#include "tools/carom/output.h"
#include "tools/carom/player.h"
#include "tools/carom/record_verbs.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

namespace carom::tool {
namespace {

struct SimOptions {
  std::string scene, html, png, record;
  double seconds = -1;
  int threads = 1;
  bool contacts = false;
  std::uint32_t width = 640, height = 400;
};

struct Outcome {
  std::size_t steps = 0;
  double seconds_a_step = 0; ///< of the simulation alone
  std::size_t most_contacts = 0;
  double deepest = 0;
  double energy_before = 0;
  RunState end{};
};

Outcome run_scene(const SimOptions& options, const Scene& scene, SceneRun& run, ScenePage* page,
                  Recorder* recorder) {
  const double seconds = options.seconds < 0 ? scene.seconds : options.seconds;
  const auto steps = static_cast<std::size_t>(std::llround(seconds / scene.time_step));
  Outcome out;
  out.end = state_of(run.world());
  out.energy_before = out.end.kinetic + out.end.potential;
  Progress progress("running", steps);
  ThreadPool pool(options.threads);
  using Clock = std::chrono::steady_clock;
  Clock::duration spent{};
  for (std::size_t i = 0; i < steps; ++i) {
    const Clock::time_point before = Clock::now();
    run.step(&pool);
    spent += Clock::now() - before;
    out.end = state_of(run.world());
    out.most_contacts = std::max(out.most_contacts, out.end.contacts);
    out.deepest = std::max(out.deepest, out.end.deepest);
    if (page != nullptr) page->add_frame(run);
    if (recorder != nullptr) recorder->add(run);
    progress.show(i + 1);
  }
  out.steps = steps;
  const double total = std::chrono::duration<double>(spent).count();
  out.seconds_a_step = steps > 0 ? total / static_cast<double>(steps) : 0;
  return out;
}

std::string text_of(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

using Rows = std::vector<std::pair<std::string, std::string>>;
Rows rows_of(const Outcome& out) {
  const double energy = out.end.kinetic + out.end.potential;
  return {
      {"steps", std::to_string(out.steps)},
      {"time a step", text_of("%.3f ms", out.seconds_a_step * 1e3)},
      {"bodies",
       std::to_string(out.end.bodies) + ", " + std::to_string(out.end.moving) + " of them moving"},
      {"contact points", std::to_string(out.end.contacts) + " at the end, " +
                             std::to_string(out.most_contacts) + " at most"},
      {"deepest penetration", text_of("%.2f mm", out.deepest * 1e3)},
      {"energy", text_of("%.6g J", out.energy_before) + " before, " + text_of("%.6g J", energy) +
                     " after, " + text_of("%.3g J", out.end.kinetic) + " of it in motion"}};
}

void print_outcome(const Session& session, const Scene& scene, const Outcome& out,
                   std::uint64_t hash) {
  if (session.json) {
    char hex[17];
    std::snprintf(hex, sizeof hex, "%016llx", static_cast<unsigned long long>(hash));
    const nlohmann::ordered_json json{{"scene", scene.name},
                                      {"steps", out.steps},
                                      {"seconds_a_step", out.seconds_a_step},
                                      {"bodies", out.end.bodies},
                                      {"moving", out.end.moving},
                                      {"contacts", out.end.contacts},
                                      {"most_contacts", out.most_contacts},
                                      {"deepest_penetration", out.deepest},
                                      {"energy_before", out.energy_before},
                                      {"kinetic_energy", out.end.kinetic},
                                      {"potential_energy", out.end.potential},
                                      {"finite", out.end.finite},
                                      {"hash", hex}};
    std::printf("%s\n",
                json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace).c_str());
    return;
  }
  std::printf("%s: %s\n", scene.name.c_str(), scene.about.c_str());
  for (const auto& [name, value] : rows_of(out))
    std::printf("  %-20s %s\n", name.c_str(), value.c_str());
}

void sim(const SimOptions& options, Session& session) {
  const Result<Scene> scene = load_scene(options.scene);
  if (!scene) throw Failure(scene.error().message);
  Result<SceneRun> run = SceneRun::build(*scene);
  if (!run) fail(options.scene, run.error().message);
  if (!options.html.empty()) prepare_page(options.html);
  for (const std::string* file : {&options.record, &options.png})
    if (!file->empty()) prepare_file(*file);
  std::unique_ptr<ScenePage> page;
  if (!options.html.empty()) page = std::make_unique<ScenePage>(*scene, *run, options.contacts);
  std::unique_ptr<Recorder> recorder;
  if (!options.record.empty()) recorder = std::make_unique<Recorder>(*scene, *run);
  const Outcome out = run_scene(options, *scene, *run, page.get(), recorder.get());
  if (recorder != nullptr) write_file(options.record, recorder->bytes());
  if (page != nullptr) {
    page->page().summary = rows_of(out);
    write_page(options.html, page->page());
  }
  if (!options.png.empty()) {
    Progress progress("drawing", options.height);
    const SceneCamera camera = scene->cameras.empty() ? SceneCamera{} : scene->cameras.front();
    const Image image =
        render(*scene, *run, camera,
               {.width = options.width, .height = options.height, .progress = [&](std::size_t row) {
                  progress.show(row);
                }});
    write_file(options.png, png(image));
  }
  print_outcome(session, *scene, out, run->world().hash());
}

} // namespace

void add_sim(CLI::App& app, Session& session) {
  const auto options = std::make_shared<SimOptions>();
  CLI::App& verb = add_verb(
      app, session,
      {"sim", "Run a scene and say what came of it.",
       "  carom sim scenes/brick_wall.json\n"
       "  carom sim scenes/brick_wall.json --seconds 4 --html out/wall.html --png out/wall.png\n"});
  verb.add_option("scene", options->scene, "scene, JSON (docs/scenes.md)")->required();
  verb.add_option("--seconds", options->seconds, "how long; else as long as the scene says")
      ->check(CLI::Range(0.0, 1e6));
  verb.add_option("--threads", options->threads, "that share the work; the result is the same")
      ->check(CLI::Range(1, 256));
  verb.add_option("--record", options->record, "write a recording (carom replay)");
  verb.add_option("--html", options->html, "write a page that plays it");
  verb.add_flag("--contacts", options->contacts, "with the contacts of each step in the page");
  verb.add_option("--png", options->png,
                  "write a picture of the end, seen by the scene's first camera");
  verb.add_option("--width", options->width, "of the picture")->check(CLI::Range(1, 8192));
  verb.add_option("--height", options->height, "of the picture")->check(CLI::Range(1, 8192));
  verb.callback([options, &session] { sim(*options, session); });
}

} // namespace carom::tool
