// The help of the command and of every verb.
#include "tests/tools/run_tool.h"

#include <sstream>

namespace carom::test {
namespace {

class Help : public ToolTest {
protected:
  /// Name and summary of each verb, by the command's own list.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> verbs() const {
    std::istringstream help(run({"--help"}).out);
    std::vector<std::pair<std::string, std::string>> found;
    std::string line;
    while (std::getline(help, line) && line != "Verbs:") {
    }
    while (std::getline(help, line) && !line.empty()) {
      std::istringstream words(line);
      std::string name, summary;
      words >> name >> std::ws;
      std::getline(words, summary);
      found.emplace_back(name, summary);
    }
    return found;
  }
};

TEST_F(Help, EveryVerbSaysInALineWhatItDoes) {
  EXPECT_EQ(verbs().size(), 15U);
  for (const auto& [name, summary] : verbs()) {
    EXPECT_GT(summary.size(), 20U) << name;
    EXPECT_LE(summary.size(), 80U) << name;
    EXPECT_NE(std::string(".?").find(summary.back()), std::string::npos) << name << summary;
  }
}

TEST_F(Help, EveryVerbHasExamplesAndNoNoise) {
  for (const auto& [name, summary] : verbs()) {
    const ToolRun help = run({name, "--help"});
    EXPECT_EQ(help.exit_code, 0) << name;
    EXPECT_EQ(help.out.rfind(summary, 0), 0U) << name;
    EXPECT_NE(help.out.find("Examples:\n  carom " + name + " "), std::string::npos) << help.out;
    for (const char* noise : {"REQUIRED", "TEXT", "Needs:"})
      EXPECT_EQ(help.out.find(noise), std::string::npos) << name << noise;
  }
  EXPECT_NE(run({"ray", "--help"}).out.find("--from x,y,z (needed)"), std::string::npos);
  EXPECT_NE(run({"overlap", "--help"}).out.find("Exit code 0: yes, 1: no."), std::string::npos);
}

TEST_F(Help, AVerbThatIsMistypedIsGuessed) {
  EXPECT_EQ(run({"distence", "a", "b"}).err,
            "carom: distence: there is no such verb or option: is distance meant? (see carom "
            "--help)\n");
  EXPECT_NE(run({"replai"}).err.find("is replay meant?"), std::string::npos);
  EXPECT_NE(run({"inf"}).err.find("is info meant?"), std::string::npos);
  EXPECT_EQ(run({"teapot"}).err.find("meant"), std::string::npos); // nothing is near
}

} // namespace
} // namespace carom::test
