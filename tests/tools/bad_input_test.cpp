// Every verb with every kind of bad input: exit code 2, nothing on standard output, and one line on standard error that names the file or the option.
#include "tests/tools/run_tool.h"

#include <cstdint>
#include <functional>

namespace carom::test {
namespace {

using Words = std::vector<std::string>;

/// A verb with its usual words, where FILE is the mesh that goes wrong and GOOD one that does not.
struct Verb {
  const char* name;
  Words words;
};

const std::vector<Verb> verbs = {
    {"info", {"info", "FILE"}},
    {"info_second", {"info", "GOOD", "FILE"}},
    {"repair", {"repair", "FILE", "out.obj"}},
    {"hull", {"hull", "FILE", "out.obj"}},
    {"decompose", {"decompose", "FILE", "outdir"}},
    {"overlap", {"overlap", "FILE", "GOOD"}},
    {"overlap_b", {"overlap", "GOOD", "FILE"}},
    {"overlap_hull", {"overlap", "GOOD", "hull:FILE"}},
    {"overlap_surface", {"overlap", "GOOD", "surface:FILE"}},
    {"distance", {"distance", "FILE", "GOOD"}},
    {"distance_b", {"distance", "sphere:1", "FILE"}},
    {"penetration", {"penetration", "FILE", "GOOD"}},
    {"penetration_b", {"penetration", "GOOD", "FILE"}},
    {"hausdorff", {"hausdorff", "FILE", "GOOD"}},
    {"hausdorff_b", {"hausdorff", "GOOD", "FILE"}},
    {"impact", {"impact", "FILE", "GOOD", "--motion-a", "1,0,0"}},
    {"impact_b", {"impact", "GOOD", "FILE", "--motion-a", "1,0,0"}},
    {"ray", {"ray", "FILE", "--from", "0,0,5", "--dir", "0,0,-1"}},
    {"closest", {"closest", "FILE", "--point", "0,0,5"}},
    {"clash", {"clash", "GOOD", "FILE"}},
    {"clash_first", {"clash", "FILE", "GOOD"}},
};

/// Sanitized, a program takes a third of a second to start: then one case in five is tried, every verb and every file among them (5 divides the number of neither).
bool is_turn(std::size_t number) {
#ifdef CAROM_SANITIZED
  return number % 5 == 0;
#else
  return number < SIZE_MAX;
#endif
}

const char* const triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

struct BadFile {
  const char* name; ///< of the file
  std::function<void(const std::string& path)> make;
};

std::string garbage() {
  std::string bytes;
  unsigned state = 12345;
  for (int i = 0; i < 4096; ++i) {
    state = state * 1664525U + 1013904223U;
    bytes += static_cast<char>(state >> 24U);
  }
  return bytes;
}

/// Three vertices, and a triangle whose last corner is vertex 9.
std::string gltf_with_a_corner_too_many() {
  return R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
    "meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],
    "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]},
                 {"bufferView":1,"componentType":5121,"count":6,"type":"SCALAR"}],
    "bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":6}],
    "buffers":[{"byteLength":42,"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAECAAEJ"}]})";
}

BadFile with(const char* name, const std::string& bytes) {
  return {name, [bytes](const std::string& path) { write(path, bytes); }};
}

const std::vector<BadFile> bad_files = {
    {"missing.obj", [](const std::string&) {}},
    {"missing.glb", [](const std::string&) {}},
    {"folder.obj", [](const std::string& path) { std::filesystem::create_directory(path); }},
    with("empty.obj", ""),
    with("empty.gltf", ""),
    with("truncated.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3 4\n"),
    with("half_a_vertex.obj", "v 0 0 0\nv 1 0"),
    with("truncated.stl", std::string(80, ' ') + std::string("\x02\0\0\0", 4) + "abc"),
    with("truncated.ply", "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty "
                          "float y\nproperty float z\nend_header\n0 0 0\n"),
    with("truncated.off", "OFF\n3 1 0\n0 0 0\n"),
    with("truncated.gltf", "{\"asset\":{\"version\":\"2.0\"},"),
    with("garbage.obj", garbage()),
    with("garbage.stl", garbage()),
    with("garbage.ply", garbage()),
    with("garbage.off", garbage()),
    with("garbage.glb", garbage()),
    with("garbage.dae", garbage()),
    with("garbage", garbage()),
    with("nan.obj", "v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
    with("inf.obj", "v 0 0 0\nv 1e999 0 0\nv 0 1 0\nf 1 2 3\n"),
    with("words.obj", "these are\nno numbers\n"),
    with("nan.ply", "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
                    "property float z\nelement face 1\nproperty list uchar int vertex_indices\n"
                    "end_header\n0 0 nan\n1 0 0\n0 1 0\n3 0 1 2\n"),
    with("nan.stl", std::string(80, ' ') + std::string("\1\0\0\0", 4) + std::string(12, '\0') +
                        std::string("\0\0\xc0\x7f", 4) + std::string(34, '\0')),
    with("truncated.glb", std::string("glTF\2\0\0\0\x20\3\0\0", 12) + "and no more"),
    with("header.glb", "glTF\2"),
    with("corner.gltf", gltf_with_a_corner_too_many()),
};

class BadInput : public ToolTest {
protected:
  void SetUp() override {
    ToolTest::SetUp();
    write(path("good.obj"), triangle);
  }
  /// What every refusal looks like. `named`: the file or option that the line must name.
  void expect_refused(const Words& words, const std::string& named) const {
    std::string line;
    for (const std::string& word : words) line += word + " ";
    const ToolRun result = run(words);
    EXPECT_EQ(result.exit_code, 2) << line << result.err;
    EXPECT_EQ(result.error_lines(), 1U) << line << "\n" << result.err;
    EXPECT_EQ(result.err.rfind("carom: ", 0), 0U) << line << result.err;
    EXPECT_NE(result.err.find(named), std::string::npos) << line << "\n" << result.err;
    // More than the name: the reason.
    EXPECT_GT(result.err.size(), std::string("carom: ").size() + named.size() + 8) << result.err;
    if (words[0] != "info") {
      EXPECT_EQ(result.out, "") << line;
    }
    EXPECT_FALSE(std::filesystem::exists(path("out.obj"))) << line;
    EXPECT_FALSE(std::filesystem::exists(path("outdir"))) << line;
  }
  /// Whether it is about shapes with poses, and draws.
  static bool is_placed(const Verb& verb) {
    for (const char* name : {"info", "repair", "hull", "decompose", "clash"}) {
      if (verb.words[0] == name) return false;
    }
    return true;
  }
  static Words filled(const Verb& verb, const std::string& file) {
    Words words;
    for (std::string word : verb.words) {
      if (const auto at = word.find("FILE"); at != std::string::npos) word.replace(at, 4, file);
      words.push_back(word == "GOOD" ? "good.obj" : word);
    }
    return words;
  }
};

TEST_F(BadInput, EveryVerbRefusesEveryBadFile) {
  for (const BadFile& file : bad_files) file.make(path(file.name));
  std::size_t number = 0;
  for (const Verb& verb : verbs) {
    for (const BadFile& file : bad_files) {
      if (is_turn(number++)) expect_refused(filled(verb, file.name), file.name);
    }
  }
}

TEST_F(BadInput, SaysWhatIsWrongWithAForeignFile) {
  for (const BadFile& file : bad_files) file.make(path(file.name));
  EXPECT_EQ(run({"info", "corner.gltf"}).err,
            "carom: corner.gltf: a face has a corner that does not exist\n");
  EXPECT_EQ(run({"info", "truncated.glb"}).err,
            "carom: truncated.glb: the file is cut short: it has 23 bytes of 800\n");
  EXPECT_EQ(run({"info", "header.glb"}).err,
            "carom: header.glb: the file is cut short: it has 5 bytes\n");
  EXPECT_EQ(run({"info", "garbage.glb"}).err,
            "carom: garbage.glb: it is not GLB: it should begin with 'glTF'\n");
}

TEST_F(BadInput, EveryVerbTakesTheGoodFile) {
  // Else the tables above would prove nothing. A triangle has no volume; that is no reason to refuse it.
  for (const Verb& verb : verbs) {
    const ToolRun result = run(filled(verb, "good.obj"));
    EXPECT_LE(result.exit_code, 1) << verb.name << ": " << result.err;
    EXPECT_EQ(result.err, "") << verb.name;
    std::filesystem::remove(path("out.obj"));
    std::filesystem::remove_all(path("outdir"));
  }
}

TEST_F(BadInput, EveryVerbRefusesUnknownOptionsAndMissingOperands) {
  for (const Verb& verb : verbs) {
    Words words = filled(verb, "good.obj");
    words.emplace_back("--no-such-option");
    expect_refused(words, "--no-such-option");
    expect_refused({verb.words[0]}, verb.words[0]); // the line ends with how to get help
  }
}

/// An option that goes wrong, with what it is given.
struct BadOption {
  const char* option;
  std::vector<const char*> values;
};

TEST_F(BadInput, EveryVerbRefusesBadPoses) {
  const std::vector<BadOption> poses = {
      {"--pose-a",
       {"1", "1,2", "1,2,3,4", "1,2,3,4,5,6", "1,2,3,4,5,6,7,8", "1,2,x", "1,,2", "1,2,3,",
        "nan,0,0", "inf,0,0", "1e31,0,0", "1e-31,0,0", "1 2 3", "0,0,0,0,0,0,0", "0x10,0,0"}},
      {"--euler-a", {"1", "1,2,3,4", "90,a,0", "1e400,0,0"}},
      {"--pose-b", {"1", "0,0,0,0,0,0,0", "1,2,x"}},
      {"--euler-b", {"1,2"}},
  };
  std::size_t number = 0;
  for (const Verb& verb : verbs) {
    if (!is_placed(verb)) continue;
    const std::string& name = verb.words[0];
    const bool single = name == "ray" || name == "closest";
    for (const BadOption& bad : poses) {
      if (single && std::string(bad.option).back() == 'b') continue;
      for (const char* value : bad.values) {
        if (!is_turn(number++)) continue;
        Words words = filled(verb, "good.obj");
        words.insert(words.end(), {bad.option, value});
        expect_refused(words, bad.option);
      }
    }
    Words words = filled(verb, "good.obj");
    words.insert(words.end(), {"--pose-a", "0,0,0,0,0,0,1", "--euler-a", "0,0,90"});
    expect_refused(words, "--euler-a");
  }
}

TEST_F(BadInput, OptionsOfTheVerbs) {
  struct Case {
    Words words;
    const char* named;
  };
  const std::vector<Case> cases = {
      {{"ray", "good.obj", "--from", "0,0", "--dir", "0,0,1"}, "--from"},
      {{"ray", "good.obj", "--from", "0,0,1", "--dir", "0,0,0"}, "--dir"},
      {{"ray", "good.obj", "--from", "0,0,1"}, "--dir"},
      {{"ray", "good.obj", "--from", "0,0,1", "--dir", "0,0,1", "--max", "-1"}, "--max"},
      {{"closest", "good.obj", "--point", "a,b,c"}, "--point"},
      {{"closest", "good.obj"}, "--point"},
      {{"hausdorff", "good.obj", "good.obj", "--error", "-1"}, "--error"},
      {{"impact", "good.obj", "good.obj", "--motion-a", "1,2"}, "--motion-a"},
      {{"impact", "good.obj", "good.obj", "--motion-a", "jump:1,2,3"}, "--motion-a"},
      {{"impact", "good.obj", "good.obj", "--motion-a", "turn:0,0,0,90"}, "--motion-a"},
      {{"impact", "good.obj", "good.obj", "--motion-a", "turn:0,0,1"}, "--motion-a"},
      {{"impact", "good.obj", "good.obj", "--motion-b", "to:0,0,0,0,0,0,0"}, "--motion-b"},
      {{"impact", "good.obj", "good.obj", "--motion-b", "1,0,0", "--motion-b", "2,0,0"},
       "--motion-b"},
      {{"impact", "good.obj", "good.obj", "--motion-b", "turn:0,0,1,1e30"}, "--motion-b"},
      {{"hull", "good.obj", "out.obj", "--vertices", "3"}, "--vertices"},
      {{"decompose", "good.obj", "outdir", "--pieces", "0"}, "--pieces"},
      {{"decompose", "good.obj", "outdir", "--pieces", "1.5"}, "--pieces"},
      {{"decompose", "good.obj", "outdir", "--pieces", "many"}, "--pieces"},
      {{"repair", "good.obj", "out.obj", "--tolerance", "-1"}, "--tolerance"},
      {{"clash", "good.obj", "--clearance", "-1"}, "--clearance"},
      {{"clash", "good.obj", "--clearance", "wide"}, "--clearance"},
      {{"clash", "good.obj", "--touch", "-1"}, "--touch"},
      {{"clash", "good.obj", "--split", "colour"}, "--split"},
      {{"clash", "good.obj", "--threads", "0"}, "--threads"},
      {{"clash", "good.obj", "--rows", "-1"}, "--rows"},
      {{"distance", "box:1,2", "good.obj"}, "box:1,2"},
      {{"distance", "box:1,2,-3", "good.obj"}, "box:1,2,-3"},
      {{"distance", "sphere:", "good.obj"}, "sphere:"},
      {{"distance", "sphere:nan", "good.obj"}, "sphere:nan"},
      {{"distance", "half-space:0,0,0,1", "good.obj"}, "half-space:0,0,0,1"},
      {{"distance", "torus:1,2", "good.obj"},
       "torus:1,2: there is no such file, and no primitive 'torus'"},
      {{"distance", "good.obj", "hull:"}, "'hull:'"},
      {{"distance", "good.obj", ""}, "'': no file"},
      {{"distance", "good.obj", "good.obj", "--pose-b"}, "--pose-b: it needs a value, x,y,z"},
      {{"distance", "good.obj", "good.obj", "--pose-b", "1,2,3", "--pose-b", "1,2,3"},
       "--pose-b: it is given more than once"},
      {{"distance", "good.obj", "good.obj", "--pose", "1,2,3"}, "--pose: there is no such option"},
      {{"distance", "good.obj", "--bogus"}, "--bogus: there is no such option"},
      {{"distance", "good.obj", "good.obj", "third.obj", "fourth.obj"},
       "third.obj: that is one word too many"},
      {{"distance", "good.obj", "good.obj", "--pose-b", "3", "0", "0"},
       "0: that is one word too many: numbers that belong together have commas between"},
      {{"distance", "good.obj", "good.obj", "--pose-b", "3 0 0"},
       "--pose-b: '3 0 0' is not a number: several have commas between"},
      {{"distance", "sphere:-1", "good.obj"}, "sphere:-1: the radius is"},
      {{"distance", "good.obj", "good.obj", "--svg", "x.svg", "--html", "./x.svg"},
       "--html: './x.svg' is the same file"},
      {{"no-such-verb"}, "no-such-verb"},
      {{"help", "no-such-verb"}, "no-such-verb: there is no such verb"},
      {{"distance", "good.obj"}, "B: it is missing"},
      {{"--no-such-option"}, "--no-such-option"},
      {{}, "carom --help"},
  };
  for (const Case& c : cases) {
    if (c.words.empty()) {
      const ToolRun result = run({});
      EXPECT_EQ(result.exit_code, 2);
      EXPECT_EQ(result.err, "carom: a verb is wanted (see carom --help)\n");
    } else {
      expect_refused(c.words, c.named);
    }
  }
}

TEST_F(BadInput, OutputsThatCannotBeWritten) {
  std::filesystem::create_directory(path("folder"));
  std::filesystem::create_directory(path("full"));
  write(path("full/file"), "x");
  write(path("file"), "x");
  const std::vector<std::pair<Words, std::string>> cases = {
      {{"repair", "good.obj", "nowhere/x.obj"}, "nowhere/x.obj"},
      {{"repair", "good.obj", "x.txt"}, "x.txt"},
      {{"hull", "good.obj", "nowhere/x.stl"}, "nowhere/x.stl"},
      {{"hull", "good.obj", "x"}, "x: the name"},
      {{"decompose", "good.obj", "full"}, "full"},
      {{"decompose", "good.obj", "file"}, "file"},
      {{"decompose", "good.obj", "nowhere/x"}, "nowhere/x"},
      {{"clash", "good.obj", "--html", "nowhere/x.html"}, "nowhere/x.html"},
      {{"clash", "good.obj", "--html", "folder"}, "folder"},
  };
  for (const auto& [words, named] : cases) expect_refused(words, named);
  std::size_t number = 0;
  for (const Verb& verb : verbs) {
    if (!is_placed(verb)) continue;
    for (const char* option : {"--svg", "--html"}) {
      for (const char* file : {"nowhere/x", "folder"}) {
        if (!is_turn(number++)) continue;
        Words words = filled(verb, "good.obj");
        words.insert(words.end(), {option, file});
        expect_refused(words, file);
      }
    }
  }
  EXPECT_EQ(contents(path("file")), "x");
}

TEST_F(BadInput, APageThatIsNotThereIsToldBeforeTheWork) {
  setenv("CAROM_PLAYER", "nowhere.html", 1);
  expect_refused({"clash", "missing.obj", "--html", "x.html"}, "$CAROM_PLAYER");
  expect_refused({"distance", "missing.obj", "good.obj", "--html", "x.html"}, "$CAROM_PLAYER");
  expect_refused({"clash", "missing.obj", "--html", "x.html"},
                 "--html: $CAROM_PLAYER names the page to fill in, and there is no file "
                 "'nowhere.html' (./dev viewer");
  unsetenv("CAROM_PLAYER");
  if (std::filesystem::exists(CAROM_SOURCE_DIR "/web/dist/player.html")) return; // it is built
  expect_refused({"clash", "missing.obj", "--html", "x.html"},
                 "--html: the page to fill in is not built: run ./dev viewer");
}

} // namespace
} // namespace carom::test
