#include "tools/carom/session.h"

#include <algorithm>
#include <cstdio>
#include <unistd.h>
#include <utility>

namespace carom::tool {

void fail(const std::string& what, const std::string& why) { throw Failure(what + ": " + why); }

Progress::Progress(std::string label, std::size_t total)
    : label_(std::move(label)), total_(total), terminal_(isatty(STDERR_FILENO) == 1) {
  show(0);
}

Progress::~Progress() {
  if (terminal_) std::fputs("\r\033[K", stderr);
}

void Progress::show(std::size_t done) {
  const int per_cent = total_ == 0 ? 0 : static_cast<int>(std::min(done, total_) * 100 / total_);
  if (!terminal_ || per_cent == drawn_) return;
  drawn_ = per_cent;
  if (total_ == 0) {
    std::fprintf(stderr, "\r%s ...", label_.c_str());
    return;
  }
  constexpr int width = 40;
  const int filled = per_cent * width / 100;
  std::fprintf(stderr, "\r%s [%s%s] %3d%%", label_.c_str(),
               std::string(static_cast<std::size_t>(filled), '#').c_str(),
               std::string(static_cast<std::size_t>(width - filled), '.').c_str(), per_cent);
  std::fflush(stderr);
}

} // namespace carom::tool
