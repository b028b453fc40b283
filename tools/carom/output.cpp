#include "tools/carom/output.h"

#include "tools/carom/session.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <map>
#include <system_error>
#include <unistd.h>

namespace carom::tool {
namespace {

/// While it lives, what would end the program has to wait. One thread writes, and no other runs.
class Uninterrupted {
public:
  Uninterrupted() {
    sigset_t ends;
    sigemptyset(&ends);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&ends, signal);
    pthread_sigmask(SIG_BLOCK, &ends, &before_);
  }
  ~Uninterrupted() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  Uninterrupted(const Uninterrupted&) = delete;
  Uninterrupted& operator=(const Uninterrupted&) = delete;

private:
  sigset_t before_{};
};

std::string system_message(int error) { return std::generic_category().message(error); }

/// A name beside the path that no other run of the command uses.
std::string temporary_name(const std::string& path) {
  return path + ".part-" + std::to_string(getpid());
}

/// Writes it where it is, or says why that went wrong: an errno, or 0.
int write_bytes(const std::string& path, std::string_view bytes) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return errno;
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  int error = written ? 0 : errno;
  if (std::fclose(file) != 0 && error == 0) error = errno;
  return error;
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

/// "pieces/" is the folder 'pieces'.
std::string without_slash(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

void check_folder_takes_files(const std::string& path, const std::string& folder) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error)) {
    fail(path, "cannot be written: there is no folder '" + folder + "'");
  }
  if (access(folder.c_str(), W_OK) != 0) {
    fail(path, "cannot be written: " + system_message(errno));
  }
}

} // namespace

void check_writable(const std::string& path) {
  std::error_code error;
  if (path.empty()) fail("output", "the name of the file is empty");
  if (std::filesystem::is_directory(path, error)) fail(path, "it is a folder, not a file");
  if (std::filesystem::exists(path, error) && access(path.c_str(), W_OK) != 0) {
    fail(path, "cannot be written: " + system_message(errno));
  }
  if (std::filesystem::is_other(path, error)) return; // /dev/stdout
  check_folder_takes_files(path, folder_of(path));
}

void write_file(const std::string& path, std::string_view bytes) {
  check_writable(path);
  std::error_code ignored;
  if (std::filesystem::is_other(path, ignored)) { // nothing to rename to a pipe or a device
    if (const int error = write_bytes(path, bytes)) {
      fail(path, "cannot be written: " + system_message(error));
    }
    return;
  }
  // Where the name is a link, what it leads to is written, and the link stays.
  const std::filesystem::path real = std::filesystem::weakly_canonical(path, ignored);
  const std::string target = real.empty() ? path : real.string();
  const std::string temporary = temporary_name(target);
  const Uninterrupted whole;
  int error = write_bytes(temporary, bytes);
  if (error == 0 && std::rename(temporary.c_str(), target.c_str()) != 0) error = errno;
  if (error != 0) unlink(temporary.c_str());
  if (error != 0) fail(path, "cannot be written: " + system_message(error));
}

void check_distinct(const std::vector<std::pair<std::string, std::string>>& files) {
  std::map<std::filesystem::path, std::string> taken;
  for (const auto& [option, path] : files) {
    std::error_code ignored;
    if (path.empty() || std::filesystem::is_other(path, ignored)) continue; // /dev/null
    const std::filesystem::path whole = std::filesystem::absolute(path, ignored);
    const auto [place, added] =
        taken.emplace(std::filesystem::weakly_canonical(whole, ignored), option);
    if (!added) fail(option, "'" + path + "' is the same file as that of " + place->second);
  }
}

void check_writable_folder(const std::string& name) {
  const std::string path = without_slash(name);
  std::error_code error;
  if (path.empty()) fail("output", "the name of the folder is empty");
  if (std::filesystem::exists(path, error)) {
    if (!std::filesystem::is_directory(path, error)) fail(path, "it is a file, not a folder");
    if (!std::filesystem::is_empty(path, error)) {
      fail(path, "the folder is not empty: name a new one");
    }
  }
  check_folder_takes_files(path, folder_of(path));
}

void write_folder(const std::string& path,
                  const std::vector<std::pair<std::string, std::string>>& files) {
  const std::string target = without_slash(path);
  check_writable_folder(target);
  const std::string temporary = temporary_name(target);
  const Uninterrupted whole;
  std::error_code error;
  std::filesystem::create_directory(temporary, error);
  if (error) fail(path, "cannot be written: " + error.message());
  int failed = 0;
  for (const auto& [name, bytes] : files) {
    failed = write_bytes((std::filesystem::path(temporary) / name).string(), bytes);
    if (failed != 0) break;
  }
  if (failed == 0 && std::rename(temporary.c_str(), target.c_str()) != 0) failed = errno;
  if (failed == 0) return;
  std::filesystem::remove_all(temporary, error);
  fail(path, "cannot be written: " + system_message(failed));
}

} // namespace carom::tool
