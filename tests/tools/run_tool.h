// Runs the command as a user does: a process of its own, its output read from files.
#pragma once

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace carom::test {

struct ToolRun {
  int exit_code = -1; ///< -1: it did not end by itself
  std::string out, err;

  [[nodiscard]] nlohmann::json json() const {
    return nlohmann::json::parse(out, nullptr, false); // discarded where it is none: the tests see
  }
  [[nodiscard]] std::size_t error_lines() const {
    return static_cast<std::size_t>(std::count(err.begin(), err.end(), '\n'));
  }
};

inline std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

inline void write(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

/// A folder of its own for each test, empty at first.
class ToolTest : public ::testing::Test {
protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() /
              ("carom-tools-" + std::to_string(getpid()) + "-" + info->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_ / name).string();
  }

  /// In the test's folder, with these words, each as it stands.
  [[nodiscard]] ToolRun run(const std::vector<std::string>& words) const {
    return run_into(".out", words);
  }

  /// The same with its output there.
  [[nodiscard]] ToolRun run_into(const std::string& out,
                                 const std::vector<std::string>& words) const {
    std::string line = "cd " + quoted(folder_.string()) + " && " + quoted(CAROM_TOOL);
    for (const std::string& word : words) line += " " + quoted(word);
    line += " >" + quoted(out) + " 2>.err </dev/null";
    const int status = std::system(line.c_str());
    ToolRun result;
    if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
    if (out == ".out") result.out = contents(folder_ / out);
    result.err = contents(folder_ / ".err");
    return result;
  }

  /// A page without a viewer, and $CAROM_PLAYER that names it.
  void write_empty_player() const {
    write(path("player.html"),
          "<html><script id=\"carom-data\" type=\"application/json\">null</script></html>");
    setenv("CAROM_PLAYER", path("player.html").c_str(), 1);
  }

  /// The data of the page that these words write with --html.
  [[nodiscard]] nlohmann::json page_of(std::vector<std::string> words, int exit_code) const {
    write_empty_player();
    words.insert(words.end(), {"--html", "page.html"});
    const ToolRun result = run(words);
    unsetenv("CAROM_PLAYER");
    EXPECT_EQ(result.exit_code, exit_code) << words[0] << result.err;
    const std::string html = contents(path("page.html"));
    const std::size_t begin = html.find('>', html.find("<script")) + 1;
    const auto data =
        nlohmann::json::parse(html.substr(begin, html.find("</script") - begin), nullptr, false);
    EXPECT_FALSE(data.is_discarded()) << html.substr(0, 200);
    return data;
  }

private:
  static std::string quoted(const std::string& word) {
    std::string text = "'";
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
  }
  std::filesystem::path folder_;
};

} // namespace carom::test
