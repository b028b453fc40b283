// What docs/command.md shows of the command is what the command says: each line after a '$' is run, in the order of the page.
#include "tests/tools/run_tool.h"

namespace carom::test {
namespace {

struct Shown {
  std::string command, output;
};

/// Outputs end with a blank line, the next command, or the block.
std::vector<Shown> shown_on(const std::string& page) {
  std::vector<Shown> all;
  std::istringstream lines(page);
  bool open = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("$ ", 0) == 0) {
      all.push_back({line.substr(2), ""});
      open = true;
    } else if (line.empty() || line.rfind("```", 0) == 0) {
      open = false;
    } else if (open) {
      all.back().output += line + "\n";
    }
  }
  return all;
}

class Docs : public ToolTest {};

TEST_F(Docs, TheTourIsAsShown) {
  std::filesystem::create_directory_symlink(CAROM_SOURCE_DIR "/scenes", path("scenes"));
  std::filesystem::create_directory(path("out"));
  const std::string folder = std::filesystem::path(CAROM_TOOL).parent_path().string();
  const std::vector<Shown> all = shown_on(contents(CAROM_SOURCE_DIR "/docs/command.md"));
  EXPECT_GE(all.size(), 8U);
  for (const Shown& shown : all) {
    write(path("line.sh"), "cd '" + path("") + "'\nPATH='" + folder + "':$PATH\n" + shown.command);
    const int status =
        std::system(("sh '" + path("line.sh") + "' >'" + path("said") + "' 2>&1").c_str());
    EXPECT_TRUE(WIFEXITED(status)) << shown.command;
    EXPECT_EQ(contents(path("said")), shown.output) << shown.command;
  }
}

} // namespace
} // namespace carom::test
