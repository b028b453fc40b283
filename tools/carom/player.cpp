#include "tools/carom/player.h"

#include "tools/carom/output.h"
#include "tools/carom/session.h"
#include "tools/carom/text.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

namespace carom::tool {
namespace {

namespace fs = std::filesystem;

fs::path find_player() {
  std::error_code none;
  if (const char* named = std::getenv("CAROM_PLAYER")) {
    if (fs::is_regular_file(named, none)) return named;
    fail("--html", "$CAROM_PLAYER names the page to fill in, and there is no file '" +
                       printable(named) + "' (./dev viewer builds web/dist/player.html)");
  }
  const fs::path program = fs::read_symlink("/proc/self/exe", none);
  const std::vector<fs::path> places{program.parent_path().parent_path() /
                                         "share/carom/player.html",
                                     fs::path(CAROM_PLAYER_SOURCE)};
  for (const fs::path& place : places)
    if (fs::is_regular_file(place, none)) return place;
  fail("--html", "the page to fill in is not built: run ./dev viewer in the source tree, or name "
                 "it by $CAROM_PLAYER");
}

} // namespace

std::string read_whole_file(const std::string& path) {
  std::error_code none;
  if (!fs::exists(path, none)) fail(path, "there is no such file");
  if (fs::is_directory(path, none)) fail(path, "it is a folder, not a file");
  std::ifstream file(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  if (!file) fail(path, "cannot be read");
  return bytes;
}

void prepare_file(const std::string& path) {
  std::error_code none;
  const fs::path folder = fs::path(path).parent_path();
  if (!folder.empty()) fs::create_directories(folder, none);
  check_writable(path);
}

void prepare_page(const std::string& path) {
  static_cast<void>(find_player());
  prepare_file(path);
}

void check_page(const std::string& path) {
  check_writable(path);
  static_cast<void>(find_player());
}

void write_page(const std::string& path, const Page& page) {
  const fs::path player = find_player();
  const Result<std::string> html = fill_page(read_whole_file(player.string()), page);
  if (!html) fail(player.string(), html.error().message);
  write_file(path, *html);
}

} // namespace carom::tool
