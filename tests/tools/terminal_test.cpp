// At a terminal: progress is drawn there and nowhere else, and Ctrl-C leaves no half of a file.
#include "carom/carom.h"
#include "tests/support/procedural_meshes.h"
#include "tests/tools/run_tool.h"

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <pty.h>
#include <sys/resource.h>
#include <thread>

namespace carom::test {
namespace {

using Words = std::vector<std::string>;

class Terminal : public ToolTest {
protected:
  void SetUp() override {
    ToolTest::SetUp();
    ASSERT_TRUE(save_mesh(path("torus.obj"), torus_mesh(24, 12)));
    ASSERT_TRUE(save_mesh(path("ball.obj"), sphere_mesh(4)));
  }

  /// Becomes the command.
  [[noreturn]] void become(const Words& words) const {
    if (chdir(path("").c_str()) != 0) _exit(127);
    std::vector<char*> args = {const_cast<char*>(CAROM_TOOL)};
    for (const std::string& word : words) args.push_back(const_cast<char*>(word.c_str()));
    args.push_back(nullptr);
    execv(CAROM_TOOL, args.data());
    _exit(127);
  }

  /// All that a terminal sees, output and errors.
  [[nodiscard]] std::string seen(const Words& words) const {
    int terminal = -1;
    const pid_t child = forkpty(&terminal, nullptr, nullptr, nullptr);
    if (child == 0) become(words);
    std::string text;
    char bytes[4096];
    for (ssize_t n = 0; (n = read(terminal, bytes, sizeof bytes)) > 0;) {
      text.append(bytes, static_cast<std::size_t>(n));
    }
    close(terminal);
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) <= 1) << words[0] << "\n" << text;
    return text;
  }

  /// Starts it without a terminal, and presses Ctrl-C after a while. What it ended with.
  [[nodiscard]] int interrupted(const Words& words) const {
    const pid_t child = fork();
    if (child == 0) {
      const int nothing = open("/dev/null", O_RDWR);
      for (const int stream : {0, 1}) dup2(nothing, stream);
      dup2(open(path("errors").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 2);
      become(words);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    kill(child, SIGINT);
    int status = 0;
    waitpid(child, &status, 0);
    return status;
  }

  /// Where no file may grow beyond so many bytes. What it ended with.
  [[nodiscard]] int without_room(const Words& words, rlim_t most_bytes) const {
    const pid_t child = fork();
    if (child == 0) {
      const rlimit most{most_bytes, most_bytes};
      if (setrlimit(RLIMIT_FSIZE, &most) != 0) _exit(127);
      dup2(open(path("errors").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 2);
      become(words);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status;
  }

  [[nodiscard]] std::size_t file_count() const {
    const std::filesystem::directory_iterator all(path(""));
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
  }
};

const char* const falling =
    R"({"carom_scene": 1, "name": "Fall", "about": "A box falls.", "seconds": 1,
  "shapes": [{"name": "box", "kind": "box", "half": [0.5, 0.5, 0.5]}],
  "bodies": [{"name": "box", "shape": "box", "position": [0, 0, 2]}]})";

TEST_F(Terminal, LongWorkIsSeenToGoOn) {
  write(path("fall.json"), falling);
  const std::vector<std::pair<Words, std::string>> cases = {
      {{"info", "torus.obj"}, "reading and inspecting"},
      {{"decompose", "torus.obj", "pieces", "--pieces", "2"}, "cutting"},
      {{"hull", "torus.obj", "hull.obj"}, "wrapping"},
      {{"repair", "torus.obj", "clean.obj"}, "repairing"},
      {{"hausdorff", "torus.obj", "ball.obj"}, "asking"},
      {{"penetration", "torus.obj", "ball.obj"}, "asking"},
      {{"impact", "torus.obj", "ball.obj", "--pose-b", "9,0,0", "--motion-b", "-9,0,0"}, "asking"},
      {{"distance", "torus.obj", "ball.obj", "--check"}, "asking and checking"},
      {{"distance", "torus.obj", "ball.obj"}, "reading"},
      {{"clash", "torus.obj", "ball.obj"}, "reading ["},
      {{"sim", "fall.json"}, "running ["},
  };
  for (const auto& [words, label] : cases) {
    const std::string text = seen(words);
    const std::size_t first = text.find("\r" + label);
    EXPECT_NE(first, std::string::npos) << words[0] << "\n" << text;
    // The line is clean again before the answer.
    const std::size_t wiped = text.rfind("\r\033[K");
    ASSERT_NE(wiped, std::string::npos) << words[0];
    EXPECT_LT(first, wiped) << words[0];
    EXPECT_EQ(text.find(label, wiped), std::string::npos) << words[0];
    EXPECT_GT(text.size(), wiped + 20) << words[0]; // the answer
  }
}

TEST_F(Terminal, NothingIsDrawnElsewhere) {
  for (const Words& words : std::vector<Words>{{"decompose", "torus.obj", "pieces"},
                                               {"hausdorff", "torus.obj", "ball.obj", "--check"},
                                               {"clash", "torus.obj", "ball.obj"}}) {
    const ToolRun result = run(words);
    EXPECT_EQ(result.err, "") << words[0];
    EXPECT_EQ(result.out.find('\r'), std::string::npos) << words[0];
  }
}

TEST_F(Terminal, CtrlCLeavesNoFile) {
  write_empty_player();
  PolygonMesh heap; // a minute's work and more: all overlap all
  for (int i = 0; i < 60; ++i) {
    heap.parts.push_back({"torus", static_cast<std::uint32_t>(heap.face_count())});
    append(heap, torus_mesh(48, 24), {0.03 * i, 0.02 * i, 0.01 * i});
  }
  ASSERT_TRUE(save_mesh(path("heap.obj"), heap));
  write(path("fall.json"), falling);
  write(path("errors"), "");
  const std::size_t before = file_count();
  for (const Words& words :
       std::vector<Words>{{"clash", "heap.obj", "--html", "heap.html"},
                          {"sim", "fall.json", "--seconds", "100000", "--record", "fall.carom"},
                          {"sim", "fall.json", "--seconds", "100000", "--html", "fall.html"}}) {
    const int status = interrupted(words);
    // A shell says 130.
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) << words[0] << " " << status;
    EXPECT_EQ(file_count(), before) << words[0];
  }
  // All of that would have to be kept: 6 million steps of one body.
  EXPECT_EQ(contents(path("errors"))
                .rfind("carom: note: every step is kept in memory until the end, about 1.4 GB", 0),
            0U)
      << contents(path("errors"));
  unsetenv("CAROM_PLAYER");
}

TEST_F(Terminal, AWriteThatFailsHalfwayLeavesWhatWasThere) {
  write_empty_player();
  write(path("fall.json"), falling);
  const std::string old = "what was there before";
  write(path("old.obj"), old);
  write(path("errors"), "");
  const std::size_t before = file_count();
  for (const Words& words :
       std::vector<Words>{{"repair", "torus.obj", "old.obj"},
                          {"hull", "torus.obj", "old.obj"},
                          {"decompose", "torus.obj", "pieces", "--pieces", "2"},
                          {"sim", "fall.json", "--record", "old.obj"},
                          {"sim", "fall.json", "--png", "old.obj"},
                          {"sim", "fall.json", "--html", "old.obj"},
                          {"distance", "torus.obj", "sphere:1", "--svg", "old.obj"}}) {
    const int status = without_room(words, 1000);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 2) << words[0] << " " << status;
    EXPECT_EQ(contents(path("errors")),
              "carom: " + std::string(words[0] == "decompose" ? "pieces" : "old.obj") +
                  ": cannot be written: File too large\n");
    EXPECT_EQ(contents(path("old.obj")), old) << words[0];
    EXPECT_EQ(file_count(), before) << words[0]; // no part of it either
  }
  unsetenv("CAROM_PLAYER");
}

} // namespace
} // namespace carom::test
