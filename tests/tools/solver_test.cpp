// carom sim with the solvers of the textbooks: by the scene's field, by the option, and what each refuses.
#include "tests/tools/run_tool.h"

namespace carom::test {
namespace {

using Json = nlohmann::json;

/// A box falls onto a floor, by the solver of that name; none: the scene says nothing of it.
std::string falling(const std::string& solver = "", const std::string& box_fields = "",
                    const std::string& scene_fields = "") {
  const std::string world =
      solver.empty() ? "" : R"("world": {"solver": {"kind": ")" + solver + "\"}}, ";
  return R"({"carom_scene": 1, "name": "Fall", "seconds": 1, )" + world + R"("bodies": [
    {"name": "floor", "kind": "fixed", "shape": {"kind": "box", "half": [5, 5, 0.5]}, "position": [0, 0, -0.5]},
    {"name": "box", "shape": {"kind": "box", "half": [0.5, 0.5, 0.5]}, "position": [0, 0, 1.5], "turn": [1, 2, 0, 20])" +
         box_fields + "}]" + scene_fields + "}";
}

class SolverTest : public ToolTest {
protected:
  void SetUp() override {
    ToolTest::SetUp();
    write(path("plain.json"), falling());
    for (const char* solver : {"default", "events", "resting", "penalty"})
      write(path(std::string(solver) + ".json"), falling(solver));
  }

  /// Exit code 2, nothing on the output, and this one line.
  void expect_refused(const std::vector<std::string>& words, const std::string& says) const {
    const ToolRun result = run(words);
    EXPECT_EQ(result.exit_code, 2) << says;
    EXPECT_EQ(result.err, "carom: " + says + "\n");
    EXPECT_EQ(result.out, "") << says;
  }
};

/// Without the time that it took.
Json timeless(Json json) {
  json.erase("seconds_a_step");
  return json;
}

TEST_F(SolverTest, FieldAndOptionAreTheSame) {
  std::vector<Json> answers;
  for (const std::string solver : {"default", "events", "resting", "penalty"}) {
    const ToolRun by_field = run({"sim", solver + ".json", "--json"});
    ASSERT_EQ(by_field.exit_code, 0) << by_field.err;
    const Json answer = timeless(by_field.json());
    EXPECT_EQ(answer["solver"], solver);
    EXPECT_EQ(answer["steps"], 60);
    EXPECT_EQ(answer["bodies"], 2);
    EXPECT_TRUE(answer["finite"].get<bool>());
    EXPECT_EQ(timeless(run({"sim", "plain.json", "--json", "--solver", solver}).json()), answer);
    // The option is stronger than the field.
    EXPECT_EQ(timeless(run({"sim", "events.json", "--json", "--solver", solver}).json()), answer);
    for (const Json& other : answers)
      EXPECT_NE(other["kinetic_energy"], answer["kinetic_energy"]) << solver;
    answers.push_back(answer);
  }
  EXPECT_EQ(timeless(run({"sim", "plain.json", "--json"}).json()), answers[0]);
}

TEST_F(SolverTest, NothingOverlapsButWithSprings) {
  const auto deepest = [&](const std::string& solver) {
    return run({"sim", "plain.json", "--json", "--solver", solver})
        .json()["deepest_penetration"]
        .get<double>();
  };
  EXPECT_EQ(deepest("events"), 0);
  EXPECT_EQ(deepest("resting"), 0);
  EXPECT_GT(deepest("penalty"), 1e-3);
}

TEST_F(SolverTest, TheSummarySaysWhichOne) {
  EXPECT_EQ(run({"sim", "plain.json"}).out.find("solver"), std::string::npos);
  EXPECT_EQ(run({"sim", "events.json", "--solver", "default"}).out.find("solver"),
            std::string::npos);
  const std::string out = run({"sim", "plain.json", "--solver", "resting"}).out;
  EXPECT_NE(out.find("  solver               resting\n"), std::string::npos) << out;
  EXPECT_NE(out.find("  deepest penetration  0.00 mm\n"), std::string::npos) << out;
  // Only worlds have the hash that recordings are compared by; only classic ones give up steps.
  const Json classic = run({"sim", "events.json", "--json"}).json();
  const Json world = run({"sim", "plain.json", "--json"}).json();
  EXPECT_FALSE(classic.contains("hash"));
  EXPECT_EQ(classic["stalls"], 0);
  EXPECT_TRUE(world.contains("hash"));
  EXPECT_FALSE(world.contains("stalls"));
}

TEST_F(SolverTest, PagesAndPictures) {
  const Json world = page_of({"sim", "plain.json"}, 0);
  const Json events = page_of({"sim", "plain.json", "--solver", "events"}, 0);
  EXPECT_EQ(events["frames"]["count"], 61);
  EXPECT_EQ(events["bodies"], world["bodies"]);
  EXPECT_EQ(events["shapes"], world["shapes"]);
  EXPECT_NE(events["frames"]["poses"], world["frames"]["poses"]);
  EXPECT_TRUE(events["frames"].contains("contacts"));
  const Json bare = page_of({"sim", "plain.json", "--solver", "events", "--no-contacts"}, 0);
  EXPECT_FALSE(bare["frames"].contains("contacts"));
  const std::vector<std::string> picture = {"sim",     "plain.json", "--png",    "fall.png",
                                            "--width", "32",         "--height", "20",
                                            "--json",  "--solver",   "events"};
  EXPECT_EQ(run(picture).json()["wrote"], Json{"fall.png"});
  EXPECT_EQ(contents(path("fall.png")).substr(1, 3), "PNG");
}

TEST_F(SolverTest, WhatASolverCannotDoIsRefused) {
  const struct {
    std::string box_fields, scene_fields, says;
  } cases[] = {
      {R"(, "locked": ["x"])", "", "the body 'box', locked: ? knows no locked axes"},
      {R"(, "sensor": true, "mass": {"mass": 1, "inertia": [1, 1, 1]})", "",
       "the body 'box', sensor: ? knows no sensors"},
      {R"(, "awake": false)", "", "the body 'box', awake: ? knows no sleep"},
      {R"(, "material": {"rolling_friction": 1})", "",
       "the body 'box', material.rolling_friction: ? knows no rolling friction"},
      {R"(, "material": {"surface_velocity": [1, 0, 0]})", "",
       "the body 'box', material.surface_velocity: ? knows no surfaces that run"},
      {"", R"(, "joints": [{"name": "rod", "kind": "ball", "b": "box"}])",
       "the joint 'rod': ? knows no joints"},
      {"", R"(, "mover": {"shape": {"kind": "sphere", "radius": 0.5}, "position": [3, 0, 2]})",
       "the mover: ? knows no mover"},
  };
  for (const auto& bad : cases)
    for (const std::string solver : {"events", "resting", "penalty"}) {
      std::string says = bad.says;
      says.replace(says.find('?'), 1, "the solver '" + solver + "'");
      write(path("bad.json"), falling("", bad.box_fields, bad.scene_fields));
      expect_refused({"sim", "bad.json", "--solver", solver}, "bad.json: " + says);
      write(path("bad.json"), falling(solver, bad.box_fields, bad.scene_fields));
      expect_refused({"sim", "bad.json"}, "bad.json: " + says);
      EXPECT_EQ(run({"sim", "bad.json", "--solver", "default", "--seconds", "0.1"}).exit_code, 0);
    }
}

TEST_F(SolverTest, NoRecordingsAndOneThread) {
  for (const std::string solver : {"events", "resting", "penalty"}) {
    const std::string the_solver = "the solver '" + solver + "' ";
    expect_refused({"sim", "plain.json", "--solver", solver, "--record", "x.crm"},
                   "--record: " + the_solver + "has no recordings: only 'default' has");
    expect_refused({"sim", solver + ".json", "--record", "x.crm"},
                   "--record: " + the_solver + "has no recordings: only 'default' has");
    expect_refused({"sim", "plain.json", "--solver", solver, "--threads", "2"},
                   "--threads: " + the_solver + "runs on one thread");
    EXPECT_EQ(run({"sim", "plain.json", "--solver", solver, "--threads", "1"}).exit_code, 0);
  }
  EXPECT_FALSE(std::filesystem::exists(path("x.crm")));
  // The default can, whatever the scene asks for; and so can the replay of it.
  ASSERT_EQ(
      run({"sim", "events.json", "--solver", "default", "--record", "x.crm", "--threads", "2"})
          .exit_code,
      0);
  const ToolRun again = run({"replay", "x.crm", "--verify", "--json"});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_TRUE(again.json()["same"].get<bool>());
}

TEST_F(SolverTest, BadNamesAreNamed) {
  expect_refused({"sim", "plain.json", "--solver", "springs"},
                 "--solver: 'springs' is none of default, events, resting, penalty");
  expect_refused({"sim", "plain.json", "--solver"},
                 "--solver: it needs a value, NAME (see carom sim --help)");
  write(path("bad.json"), falling("springs"));
  // The option does not hide what is wrong with the file.
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"sim", "bad.json"}, {"sim", "bad.json", "--solver", "events"}})
    expect_refused(
        words,
        "bad.json: world.solver.kind: 'springs' is none of default, events, resting, penalty");
}

} // namespace
} // namespace carom::test
