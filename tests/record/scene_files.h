// The scenes of scenes/, as tests find them.
#pragma once

#include "carom/record/scene.h"
#include "carom/record/scene_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace carom::test {

inline std::filesystem::path source_dir() { return CAROM_SOURCE_DIR; }

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::vector<std::filesystem::path> scene_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() / "scenes"))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

inline Scene scene_named(const std::string& name) {
  const Result<Scene> scene = load_scene((source_dir() / "scenes" / (name + ".json")).string());
  EXPECT_TRUE(scene) << scene.error().message;
  return scene ? *scene : Scene{};
}

inline int steps_of(const Scene& scene) {
  return static_cast<int>(std::lround(scene.seconds / scene.time_step));
}

} // namespace carom::test
