// Scenes from the command: what a run says, that threads and replays change nothing, and every way a scene or a recording can be bad.
#include "carom/record/query_log.h"
#include "carom/record/recording.h"
#include "carom/record/render.h"
#include "tests/tools/run_tool.h"

#include <array>
#include <set>

namespace carom::test {
namespace {

using Json = nlohmann::json;

/// A box that falls on a floor.
const char* const falling =
    R"({"carom_scene": 1, "name": "Fall", "about": "A box falls.", "seconds": 2,
  "shapes": [{"name": "slab", "kind": "box", "half": [5, 5, 0.5]}, {"name": "box", "kind": "box", "half": [0.5, 0.5, 0.5]}],
  "bodies": [{"name": "floor", "kind": "fixed", "shape": "slab", "position": [0, 0, -0.5]},
             {"name": "box", "shape": "box", "position": [0, 0, 2]}]})";

std::string garbage() {
  std::string bytes;
  unsigned state = 54321;
  for (int i = 0; i < 2048; ++i) {
    state = state * 1664525U + 1013904223U;
    bytes += static_cast<char>(state >> 24U);
  }
  return bytes;
}

/// With a check sum that fits.
std::string sealed(const std::string& bytes) {
  ByteString out{bytes};
  out.put(byte_sum(bytes));
  return out.bytes;
}

class SimTest : public ToolTest {
protected:
  void SetUp() override {
    ToolTest::SetUp();
    write(path("fall.json"), falling);
  }
};

TEST_F(SimTest, SaysWhatCameOfIt) {
  const ToolRun result = run({"sim", "fall.json", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json json = result.json();
  EXPECT_EQ(json["scene"], "Fall");
  EXPECT_EQ(json["steps"], 120);
  EXPECT_EQ(json["bodies"], 2);
  EXPECT_EQ(json["contacts"], 4);
  EXPECT_TRUE(json["finite"].get<bool>());
  EXPECT_LT(json["deepest_penetration"].get<double>(), 0.05);
  // It has come down by 1.5 of its 2 metres, and lies still.
  EXPECT_LT(json["kinetic_energy"].get<double>(), 1e-3 * json["energy_before"].get<double>());
  EXPECT_NEAR(json["potential_energy"].get<double>() / json["energy_before"].get<double>(), 0.25,
              0.01);
}

TEST_F(SimTest, ThreadsChangeNothing) {
  const Json one = run({"sim", "fall.json", "--json"}).json();
  const Json three = run({"sim", "fall.json", "--json", "--threads", "3"}).json();
  EXPECT_EQ(one["hash"], three["hash"]);
  EXPECT_NE(one["hash"], run({"sim", "fall.json", "--json", "--seconds", "1"}).json()["hash"]);
}

TEST_F(SimTest, ARecordingReplaysToTheBit) {
  ASSERT_EQ(run({"sim", "fall.json", "--record", "fall.carom"}).exit_code, 0);
  const ToolRun again = run({"replay", "fall.carom", "--verify", "--json"});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(again.json()["steps"], 120);
  EXPECT_EQ(again.json()["scene"], "Fall");
  EXPECT_EQ(again.json()["seconds"], 2);
  EXPECT_EQ(run({"replay", "fall.carom"}).out, "fall.carom: Fall, 2 s: 120 steps of 2 bodies\n");
  EXPECT_TRUE(again.json()["same"].get<bool>());
}

TEST_F(SimTest, AReplayNamesTheStepThatDiffers) {
  ASSERT_EQ(run({"sim", "fall.json", "--record", "fall.carom"}).exit_code, 0);
  std::string bytes = contents(path("fall.carom"));
  // The hash that the recording has of step 20, changed in one bit, and a check sum that fits.
  ByteString hash;
  hash.put(Recording::read(bytes).value().hash(20));
  const std::size_t at = bytes.find(hash.bytes);
  ASSERT_NE(at, std::string::npos);
  bytes[at] = static_cast<char>(bytes[at] ^ 1);
  write(path("other.carom"), sealed(bytes.substr(0, bytes.size() - 8)));
  const ToolRun told = run({"replay", "other.carom", "--verify"});
  EXPECT_EQ(told.exit_code, 1) << told.err;
  EXPECT_NE(told.out.find("step 20"), std::string::npos) << told.out;
  EXPECT_EQ(run({"replay", "other.carom", "--verify", "--json"}).json()["first_difference"], 20);
}

TEST_F(SimTest, WhatCannotBeWrittenIsToldBeforeAnythingIs) {
  std::filesystem::create_directory(path("folder"));
  for (const char* option : {"--html", "--png"}) {
    write_empty_player();
    const ToolRun result = run({"sim", "fall.json", "--record", "fall.carom", option, "folder"});
    unsetenv("CAROM_PLAYER");
    EXPECT_EQ(result.exit_code, 2) << option;
    EXPECT_EQ(result.error_lines(), 1U) << result.err;
    EXPECT_NE(result.err.find("folder"), std::string::npos) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_FALSE(std::filesystem::exists(path("fall.carom"))) << option;
  }
}

TEST_F(SimTest, WritesAPicture) {
  ASSERT_EQ(
      run({"sim", "fall.json", "--png", "fall.png", "--width", "64", "--height", "40"}).exit_code,
      0);
  // What the library draws of the same end, which shows more than an even ground.
  const Scene scene = load_scene(path("fall.json")).value();
  SceneRun again = SceneRun::build(scene).value();
  for (int i = 0; i < 120; ++i) again.step();
  const Image image = render(scene, again, SceneCamera{}, {.width = 64, .height = 40});
  std::set<std::array<std::uint8_t, 3>> colours;
  for (std::size_t i = 0; i + 2 < image.pixels.size(); i += 3)
    colours.insert({image.pixels[i], image.pixels[i + 1], image.pixels[i + 2]});
  EXPECT_GT(colours.size(), 10U);
  EXPECT_EQ(contents(path("fall.png")), png(image));
}

TEST_F(SimTest, SaysWhatItWrote) {
  write_empty_player();
  const std::vector<std::string> words = {"sim",    "fall.json",     "--seconds", "0.1",
                                          "--html", "sub/fall.html", "--record",  "fall.carom"};
  const ToolRun text = run(words);
  EXPECT_NE(text.out.find("  wrote                fall.carom\n"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("  wrote                sub/fall.html\n"), std::string::npos) << text.out;
  std::vector<std::string> json = words;
  json.emplace_back("--json");
  EXPECT_EQ(run(json).json()["wrote"], (Json{"fall.carom", "sub/fall.html"}));
  EXPECT_EQ(run({"sim", "fall.json", "--seconds", "0.1", "--json"}).json()["wrote"], Json::array());
  const ToolRun played = run({"replay", "fall.carom", "--html", "play.html"});
  EXPECT_NE(played.out.find("\n  wrote  play.html\n"), std::string::npos) << played.out;
  EXPECT_EQ(run({"replay", "fall.carom", "--html", "play.html", "--json"}).json()["wrote"],
            Json{"play.html"});
  unsetenv("CAROM_PLAYER");
}

TEST_F(SimTest, NoFileIsWrittenOverAnother) {
  write_empty_player();
  ASSERT_EQ(run({"sim", "fall.json", "--seconds", "0.1", "--record", "fall.carom"}).exit_code, 0);
  const std::string recording = contents(path("fall.carom"));
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"sim", "fall.json", "--record", "x", "--html", "x"},
       "--html: 'x' is the same file as that of --record"},
      {{"sim", "fall.json", "--png", "./x", "--html", "x"},
       "--png: './x' is the same file as that of --html"},
      {{"sim", "fall.json", "--record", "fall.json"},
       "--record: 'fall.json' is the same file as that of SCENE"},
      {{"replay", "fall.carom", "--html", "fall.carom"},
       "--html: 'fall.carom' is the same file as that of FILE"},
  };
  for (const auto& [words, says] : cases) {
    const ToolRun result = run(words);
    EXPECT_EQ(result.exit_code, 2) << says;
    EXPECT_EQ(result.err, "carom: " + says + "\n");
    EXPECT_EQ(result.out, "") << says;
  }
  EXPECT_FALSE(std::filesystem::exists(path("x")));
  EXPECT_EQ(contents(path("fall.json")), falling);
  EXPECT_EQ(contents(path("fall.carom")), recording);
  unsetenv("CAROM_PLAYER");
}

TEST_F(SimTest, ASceneWithoutANameHasThatOfItsFile) {
  write(path("drop.json"), R"({"carom_scene": 1, "seconds": 0.1})");
  const ToolRun text = run({"sim", "drop.json", "--record", "some.carom"});
  EXPECT_EQ(text.out.rfind("drop\n", 0), 0U) << text.out << text.err;
  EXPECT_EQ(run({"sim", "drop.json", "--json"}).json()["scene"], "drop");
  // A recording has the scene's text, not the name of its file.
  EXPECT_EQ(run({"replay", "some.carom", "--json"}).json()["scene"], "some");
}

TEST_F(SimTest, PagesOfARunAndOfARecordingShowTheSame) {
  ASSERT_EQ(run({"sim", "fall.json", "--record", "fall.carom"}).exit_code, 0);
  const Json ran = page_of({"sim", "fall.json"}, 0);
  const Json played = page_of({"replay", "fall.carom"}, 0);
  EXPECT_EQ(played["title"], ran["title"]);
  EXPECT_EQ(played["bodies"].size(), 2U);
  EXPECT_EQ(played["frames"]["count"], 121);
  EXPECT_EQ(played["frames"]["count"], ran["frames"]["count"]);
  EXPECT_EQ(played["frames"]["dt"], ran["frames"]["dt"]);
  // Without contacts: smaller, the rest as before.
  const Json bare = page_of({"sim", "fall.json", "--no-contacts"}, 0);
  EXPECT_TRUE(ran["frames"].contains("contacts"));
  EXPECT_FALSE(bare["frames"].contains("contacts"));
  EXPECT_LT(bare.dump().size(), ran.dump().size());
  EXPECT_EQ(bare["frames"]["count"], ran["frames"]["count"]);
  EXPECT_EQ(bare["bodies"], ran["bodies"]);
}

/// Exit 2, nothing on the output, and one sentence that names the file and what is wrong.
TEST_F(SimTest, BadScenesAndRecordingsAreNamed) {
  const std::string good = falling;
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  };
  ASSERT_EQ(run({"sim", "fall.json", "--record", "whole.carom"}).exit_code, 0);
  const std::string whole = contents(path("whole.carom"));
  QueryLog log;
  const Shape box = Shape::box({1, 1, 1}).value();
  static_cast<void>(log.distance(box, {}, box, Pose::at({5, 0, 0})));
  write(path("nan.obj"), "v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const struct {
    const char* name;
    std::string bytes;
    const char* says;
  } cases[] = {
      {"empty.json", "", "empty.json"},
      {"cut.json", good.substr(0, good.size() / 2), "cut.json"},
      {"garbage.json", std::string("\x00\xff\x17garbage", 10), "garbage.json"},
      {"field.json", with("\"about\"", "\"abuot\""), "abuot"},
      {"radius.json", with("[0.5, 0.5, 0.5]", "[0.5, -0.5, 0.5]"), "shapes[1]"},
      {"shape.json", with("\"shape\": \"box\"", "\"shape\": \"bux\""), "bux"},
      {"mass_number.json", with("\"position\": [0, 0, 2]", "\"position\": [0, 0, 2], \"mass\": 1"),
       "bodies[1].mass: must be an object with 'mass' and 'inertia'; or leave it to the field "
       "'density'"},
      {"version.json", with("\"carom_scene\": 1", "\"carom_scene\": 2"),
       "carom_scene: must be 1\n"},
      {"mesh.json",
       with("{\"name\": \"box\", \"kind\": \"box\", \"half\": [0.5, 0.5, 0.5]}",
            "{\"name\": \"box\", \"kind\": \"mesh\", \"file\": \"no.obj\"}"),
       "mesh.json: shapes[1]: no.obj: there is no such file\n"},
      {"mass.json",
       with("\"position\": [0, 0, 2]",
            "\"position\": [0, 0, 2], \"mass\": {\"mass\": -1, \"inertia\": [1, 1, 1]}"),
       "bodies[1].mass.mass: must be positive"},
      {"density.json", with("\"position\": [0, 0, 2]", "\"position\": [0, 0, 2], \"density\": -1"),
       "bodies[1].density: must be at least 0"},
      {"turn.json",
       with("\"position\": [0, 0, 2]", "\"position\": [0, 0, 2], \"rotation\": [0, 0, 0, 0]"),
       "bodies[1].rotation: must be x, y, z, w of a quaternion that is not 0\n"},
      {"nan.json",
       with("{\"name\": \"box\", \"kind\": \"box\", \"half\": [0.5, 0.5, 0.5]}",
            "{\"name\": \"box\", \"kind\": \"mesh\", \"file\": \"nan.obj\"}"),
       "shapes[1]"},
      {"cut.carom", whole.substr(0, whole.size() / 2), "cut.carom"},
      {"empty.carom", "", "empty.carom"},
      {"garbage.carom", std::string("garbage, and more of it"), "garbage.carom"},
      {"binary.carom", garbage(), "binary.carom"},
      {"marked.carom", whole.substr(0, 8) + garbage(), "marked.carom"},
      {"sealed.carom", sealed(whole.substr(0, 8) + garbage()), "sealed.carom"},
      {"cut.log", log.dump().substr(0, log.dump().size() / 2), "cut.log"},
      {"empty.log", "", "empty.log"},
      {"garbage.log", std::string("\x00\xff\x17garbage", 10), "garbage.log"},
      {"binary.log", garbage(), "binary.log"},
      {"marked.log", log.dump().substr(0, 8) + garbage(), "marked.log"},
      {"sealed.log", sealed(log.dump().substr(0, 8) + garbage()), "sealed.log"},
      {"binary.json", garbage(), "binary.json"},
  };
  for (const auto& bad : cases) {
    write(path(bad.name), bad.bytes);
    const std::string kind = std::filesystem::path(bad.name).extension();
    const ToolRun result = run({kind == ".json"    ? "sim"
                                : kind == ".carom" ? "replay"
                                                   : "query-log",
                                bad.name});
    EXPECT_EQ(result.exit_code, 2) << bad.name << ": " << result.err;
    EXPECT_EQ(result.error_lines(), 1U) << bad.name << ": " << result.err;
    EXPECT_EQ(result.err.rfind(std::string("carom: ") + bad.name + ": ", 0), 0U) << result.err;
    EXPECT_NE(result.err.find(bad.says), std::string::npos) << bad.name << ": " << result.err;
    EXPECT_EQ(result.out, "") << bad.name;
  }
  std::filesystem::create_directory(path("folder"));
  for (const char* verb : {"sim", "replay", "query-log"}) {
    EXPECT_EQ(run({verb, "nowhere.file"}).err, "carom: nowhere.file: there is no such file\n");
    EXPECT_EQ(run({verb, "nowhere.file"}).exit_code, 2) << verb;
    EXPECT_EQ(run({verb, "folder"}).err, "carom: folder: it is a folder, not a file\n");
    EXPECT_EQ(run({verb, "folder"}).exit_code, 2) << verb;
  }
}

TEST_F(SimTest, BadOptionsAreNamed) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"--seconds"}, "--seconds: it needs a value, SECONDS"},
      {{"--seconds", "1s"}, "--seconds: '1s' is not a number"},
      {{"--seconds", "-1"}, "--seconds: '-1' is less than 0"},
      {{"--seconds", "1000001"}, "--seconds: '1000001' is more than a million"},
      {{"--threads", "0"}, "--threads: '0' is not a whole number from 1 to 256"},
      {{"--threads", "257"}, "--threads: '257' is not a whole number from 1 to 256"},
      {{"--png", "x.png", "--width", "0"}, "--width: '0' is not a whole number from 1 to 8192"},
      {{"--png", "x.png", "--height", "8193"}, "--height: '8193' is not a whole number"},
      // Without what they belong to they would do nothing.
      {{"--width", "64"}, "--width: it does nothing without --png"},
      {{"--height", "64"}, "--height: it does nothing without --png"},
      {{"--no-contacts"}, "--no-contacts: it does nothing without --html"},
  };
  for (const auto& [words, says] : cases) {
    std::vector<std::string> all = {"sim", "fall.json"};
    all.insert(all.end(), words.begin(), words.end());
    const ToolRun result = run(all);
    EXPECT_EQ(result.exit_code, 2) << says;
    EXPECT_EQ(result.err.rfind("carom: " + says, 0), 0U) << says << "\n" << result.err;
    EXPECT_EQ(result.error_lines(), 1U) << result.err;
    EXPECT_EQ(result.out, "") << says;
  }
}

TEST_F(SimTest, JsonSaysWhichVerbAnswered) {
  ASSERT_EQ(run({"sim", "fall.json", "--record", "fall.carom"}).exit_code, 0);
  write(path("none.log"), QueryLog().dump());
  EXPECT_EQ(run({"sim", "fall.json", "--json"}).json()["verb"], "sim");
  EXPECT_EQ(run({"replay", "fall.carom", "--json"}).json()["verb"], "replay");
  EXPECT_EQ(run({"query-log", "none.log", "--json"}).json()["verb"], "query-log");
}

TEST_F(SimTest, AnOutputThatIsFullIsAnError) {
  ASSERT_EQ(run({"sim", "fall.json", "--record", "fall.carom"}).exit_code, 0);
  write(path("none.log"), QueryLog().dump());
  for (const std::vector<std::string>& words : {std::vector<std::string>{"sim", "fall.json"},
                                                {"replay", "fall.carom"},
                                                {"query-log", "none.log"}}) {
    EXPECT_EQ(run_into("/dev/full", words).exit_code, 2) << words[0];
    EXPECT_EQ(run_into("/dev/full", words).err, "carom: standard output: cannot be written\n");
  }
}

} // namespace
} // namespace carom::test
