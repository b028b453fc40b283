// carom sim: runs a scene, says what came of it, and writes what there is to see.
#include "carom/record/classic_run.h"
#include "carom/record/page.h"
#include "carom/record/recording.h"
#include "carom/record/render.h"
#include "carom/record/scene_run.h"
#include "tools/carom/answer.h"
#include "tools/carom/output.h"
#include "tools/carom/player.h"
#include "tools/carom/progress.h"
#include "tools/carom/record_verbs.h"
#include "tools/carom/text.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

namespace carom::tool {
namespace {

/// As they were typed.
struct SimWords {
  std::string scene, html, png, record;
  std::string seconds, solver, threads = "1", width = "640", height = "400";
  bool no_contacts = false;
};

struct SimOptions {
  std::string scene, html, png, record;
  std::optional<double> seconds;     ///< none: as the scene says
  std::optional<SceneSolver> solver; ///< the same
  int threads = 1;
  bool contacts = true;
  std::uint32_t width = 640, height = 400;
};

SceneSolver parse_solver(const std::string& text) {
  std::string words;
  for (const auto& [word, solver] : scene_solvers) {
    if (text == word) return solver;
    words += (words.empty() ? "" : ", ") + std::string(word);
  }
  fail("--solver", "'" + printable(text) + "' is none of " + words);
}

SimOptions parse(const SimWords& words) {
  SimOptions options{.scene = words.scene,
                     .html = words.html,
                     .png = words.png,
                     .record = words.record,
                     .seconds = {},
                     .solver = {},
                     .threads = static_cast<int>(parse_count("--threads", words.threads, 1, 256)),
                     .contacts = !words.no_contacts,
                     .width = parse_count("--width", words.width, 1, 8192),
                     .height = parse_count("--height", words.height, 1, 8192)};
  if (!words.seconds.empty()) {
    options.seconds = parse_number_from("--seconds", words.seconds, 0);
    if (*options.seconds > 1e6) fail("--seconds", "'" + words.seconds + "' is more than a million");
  }
  if (!words.solver.empty()) options.solver = parse_solver(words.solver);
  return options;
}

/// In bytes: what is kept of each step until the files are written, at the most; contacts come on top. A pose is 7 doubles, and then, in the page's text and its copies, some four times 7 floats in base64; a recording has some 20 bytes for a body that moves, and one copy.
double memory_needed(const SimOptions& options, std::size_t steps, std::size_t bodies) {
  constexpr double page_bytes = 240, recording_bytes = 48;
  const double a_body =
      (options.html.empty() ? 0 : page_bytes) + (options.record.empty() ? 0 : recording_bytes);
  return a_body * static_cast<double>(steps) * static_cast<double>(bodies);
}

/// Before a run that may not fit.
void warn_of_memory(double bytes) {
  constexpr double much = 1e9;
  if (bytes <= much) return;
  std::fprintf(stderr,
               "carom: note: every step is kept in memory until the end, about %.1f GB (--seconds "
               "makes it less)\n",
               bytes / 1e9);
}

struct Outcome {
  std::size_t steps = 0;
  double seconds_a_step = 0; ///< of the simulation alone
  std::size_t most_contacts = 0;
  double deepest = 0;
  double energy_before = 0;
  RunState end{};
  SceneSolver solver{};
  std::uint64_t stalls = 0; ///< of a classic solver: steps that it did not bring to their end
  std::optional<std::uint64_t> hash{}; ///< of the world's end; classic ones have none
};

std::size_t steps_of(const SimOptions& options, const Scene& scene) {
  const double seconds = options.seconds.value_or(scene.seconds);
  return static_cast<std::size_t>(std::llround(seconds / scene.time_step));
}

/// `step` and `after_step` are called for each step; only the first is timed.
template<class Run, class Step, class AfterStep>
Outcome run_scene(std::size_t steps, const Run& run, Step step, AfterStep after_step) {
  Outcome out;
  out.end = state_of(run.world());
  out.energy_before = out.end.kinetic + out.end.potential;
  Progress progress("running", steps);
  using Clock = std::chrono::steady_clock;
  Clock::duration spent{};
  for (std::size_t i = 0; i < steps; ++i) {
    const Clock::time_point before = Clock::now();
    step();
    spent += Clock::now() - before;
    out.end = state_of(run.world());
    out.most_contacts = std::max(out.most_contacts, out.end.contacts);
    out.deepest = std::max(out.deepest, out.end.deepest);
    after_step();
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
  Rows rows{
      {"steps", std::to_string(out.steps)},
      {"time a step", text_of("%.3f ms", out.seconds_a_step * 1e3)},
      {"bodies",
       std::to_string(out.end.bodies) + ", " + std::to_string(out.end.moving) + " of them moving"},
      {"contact points", std::to_string(out.end.contacts) + " at the end, " +
                             std::to_string(out.most_contacts) + " at most"},
      {"deepest penetration", text_of("%.2f mm", out.deepest * 1e3)},
      {"energy", text_of("%.6g J", out.energy_before) + " before, " + text_of("%.6g J", energy) +
                     " after, " + text_of("%.3g J", out.end.kinetic) + " of it in motion"}};
  if (out.solver) rows.emplace_back("solver", solver_word(out.solver));
  if (out.stalls > 0)
    rows.emplace_back("stalls",
                      counted(out.stalls, "step") +
                          " in which all stood still before the end: bodies met too often");
  return rows;
}

/// What it wrote, in the order of writing.
std::vector<std::string> written(const SimOptions& options) {
  std::vector<std::string> files;
  for (const std::string* file : {&options.record, &options.html, &options.png})
    if (!file->empty()) files.push_back(*file);
  return files;
}

void print_outcome(const Session& session, const SimOptions& options, const Scene& scene,
                   const Outcome& out) {
  if (session.json) {
    nlohmann::ordered_json json{{"verb", "sim"},
                                {"scene", scene.name},
                                {"solver", solver_word(out.solver)},
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
                                {"finite", out.end.finite}};
    if (out.solver) json["stalls"] = out.stalls;
    if (out.hash) {
      char hex[17];
      std::snprintf(hex, sizeof hex, "%016llx", static_cast<unsigned long long>(*out.hash));
      json["hash"] = hex;
    }
    json["wrote"] = written(options);
    print(json);
    return;
  }
  std::vector<std::vector<std::string>> lines;
  for (const auto& [name, value] : rows_of(out)) lines.push_back({"  " + name, value});
  for (const std::string& file : written(options)) lines.push_back({"  wrote", file});
  const std::string about = scene.about.empty() ? "" : ": " + scene.about;
  print(printable(scene.name + about) + "\n" + table(lines));
}

/// Before a run of that length: whether its files can be written, and what they take.
void prepare_files(const SimOptions& options, const Scene& scene, std::size_t bodies) {
  check_distinct({{"SCENE", options.scene},
                  {"--record", options.record},
                  {"--html", options.html},
                  {"--png", options.png}});
  if (!options.html.empty()) prepare_page(options.html);
  for (const std::string* file : {&options.record, &options.png})
    if (!file->empty()) prepare_file(*file);
  warn_of_memory(memory_needed(options, steps_of(options, scene), bodies));
}

template<class Run>
std::unique_ptr<ScenePage> page_of(const SimOptions& options, const Scene& scene, const Run& run) {
  return options.html.empty() ? nullptr : std::make_unique<ScenePage>(scene, run, options.contacts);
}

/// The page and the picture, where they are wanted.
template<class Run>
void write_views(const SimOptions& options, const Scene& scene, const Run& run, const Outcome& out,
                 ScenePage* page) {
  if (page != nullptr) {
    page->page().summary = rows_of(out);
    write_page(options.html, page->page());
  }
  if (options.png.empty()) return;
  Progress progress("drawing", options.height);
  const SceneCamera camera = scene.cameras.empty() ? SceneCamera{} : scene.cameras.front();
  const Image image =
      render(scene, run, camera,
             {.width = options.width, .height = options.height, .progress = [&](std::size_t row) {
                progress.show(row);
              }});
  write_file(options.png, png(image));
}

Outcome sim_world(const SimOptions& options, const Scene& scene) {
  Result<SceneRun> run = SceneRun::build(scene);
  if (!run) fail(options.scene, run.error().message);
  prepare_files(options, scene, run->bodies().size());
  const auto page = page_of(options, scene, *run);
  std::unique_ptr<Recorder> recorder;
  if (!options.record.empty()) recorder = std::make_unique<Recorder>(scene, *run);
  ThreadPool pool(options.threads);
  Outcome out = run_scene(
      steps_of(options, scene), *run, [&] { run->step(&pool); },
      [&] {
        if (page != nullptr) page->add_frame(*run);
        if (recorder != nullptr) recorder->add(*run);
      });
  out.hash = run->world().hash();
  if (recorder != nullptr) write_file(options.record, recorder->bytes());
  write_views(options, scene, *run, out, page.get());
  return out;
}

Outcome sim_classic(const SimOptions& options, const Scene& scene) {
  const std::string solver = std::string("the solver '") + solver_word(scene.solver) + "'";
  if (!options.record.empty()) fail("--record", solver + " has no recordings: only 'default' has");
  if (options.threads > 1) fail("--threads", solver + " runs on one thread");
  Result<ClassicRun> run = ClassicRun::build(scene, *scene.solver);
  if (!run) fail(options.scene, run.error().message);
  prepare_files(options, scene, run->bodies().size());
  const auto page = page_of(options, scene, *run);
  Outcome out = run_scene(
      steps_of(options, scene), *run, [&] { run->step(); },
      [&] {
        if (page != nullptr) page->add_frame(*run);
      });
  out.solver = scene.solver;
  out.stalls = run->world().counters().stalls;
  write_views(options, scene, *run, out, page.get());
  return out;
}

void sim(const SimOptions& options, Session& session) {
  Result<Scene> scene = load_scene(options.scene);
  if (!scene) throw Failure(scene.error().message);
  if (options.solver) scene->solver = *options.solver;
  const Outcome out = scene->solver ? sim_classic(options, *scene) : sim_world(options, *scene);
  print_outcome(session, options, *scene, out);
}

} // namespace

void add_sim(CLI::App& app, Session& session) {
  const auto words = std::make_shared<SimWords>();
  CLI::App& verb = add_verb(
      app, session,
      {"sim", "Run a scene and say what came of it.",
       "  carom sim scenes/brick_wall.json\n"
       "  carom sim scenes/brick_wall.json --seconds 4 --html out/wall.html --png out/wall.png\n"
       "  carom sim scenes/friction_slope.json --solver events\n"});
  verb.add_option("SCENE", words->scene, "a scene, JSON (docs/scenes.md)")->required();
  verb.add_option("--seconds", words->seconds,
                  "of the scene's time, 0 to 1000000 (default: as the scene says)")
      ->type_name("SECONDS");
  verb.add_option("--solver", words->solver,
                  "events, resting or penalty (docs/solvers.md), or default; not given: as the "
                  "scene says")
      ->type_name("NAME");
  verb.add_option("--threads", words->threads,
                  "that share the work, 1 to 256 (default 1); the result is the same")
      ->type_name("N");
  verb.add_option("--record", words->record, "write a recording (carom replay)")->type_name("FILE");
  CLI::Option* html =
      verb.add_option("--html", words->html, "write a page that plays it")->type_name("FILE");
  verb.add_flag("--no-contacts", words->no_contacts, "a smaller page, without contacts and islands")
      ->needs(html);
  CLI::Option* png = verb.add_option("--png", words->png,
                                     "write a picture of the end, seen by the scene's first camera")
                         ->type_name("FILE");
  verb.add_option("--width", words->width, "of the picture, 1 to 8192 (default 640)")
      ->type_name("PIXELS")
      ->needs(png);
  verb.add_option("--height", words->height, "of the picture, 1 to 8192 (default 400)")
      ->type_name("PIXELS")
      ->needs(png);
  verb.callback([words, &session] { sim(parse(*words), session); });
}

} // namespace carom::tool
