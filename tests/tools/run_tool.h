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
    std::string line = "cd " + quoted(folder_.string()) + " && " + quoted(CAROM_TOOL);
    for (const std::string& word : words) line += " " + quoted(word);
    line += " >.out 2>.err </dev/null";
    const int status = std::system(line.c_str());
    ToolRun result;
    if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
    result.out = contents(folder_ / ".out");
    result.err = contents(folder_ / ".err");
    return result;
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
