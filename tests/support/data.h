// External data: the folder that CAROM_DATA names, or ../shared/data. Tests on it are skipped, and say so, where it is not there.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>

namespace carom::test {

/// An absolute path: a test may run a program in another folder.
inline std::optional<std::filesystem::path> data_folder() {
  const char* named = std::getenv("CAROM_DATA");
  std::error_code ignored;
  const std::filesystem::path folder =
      std::filesystem::absolute(named ? named : "../shared/data", ignored);
  if (std::filesystem::is_directory(folder, ignored)) return folder;
  return std::nullopt;
}

} // namespace carom::test

/// Within a TEST: the folder of data is `folder`; without one, the test is skipped.
#define CAROM_DATA_OR_SKIP(folder)                                                                 \
  const auto found_##folder = ::carom::test::data_folder();                                        \
  if (!found_##folder) GTEST_SKIP() << "no external data: CAROM_DATA names no folder";             \
  const std::filesystem::path& folder = *found_##folder
