#include "tools/carom/progress.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <unistd.h>
#include <utility>

namespace carom::tool {

Progress::Progress(std::string label, std::size_t total) : label_(std::move(label)), total_(total) {
  if (isatty(STDERR_FILENO) != 1) return;
  draw(0);
  // Ctrl-C is for the thread that works, which may have to put it off (output.cpp).
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  drawer_ = std::thread([this] { keep_drawing(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Progress::~Progress() {
  if (!drawer_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  ends_.notify_one();
  drawer_.join();
  std::fputs("\r\033[K", stderr);
}

void Progress::keep_drawing() {
  std::unique_lock lock(mutex_);
  for (int turn = 1; !ends_.wait_for(lock, std::chrono::milliseconds(200), [&] { return ended_; });
       ++turn) {
    draw(turn);
  }
}

void Progress::draw(int turn) const {
  const auto spent = std::chrono::steady_clock::now() - start_;
  const auto seconds =
      static_cast<long>(std::chrono::duration_cast<std::chrono::seconds>(spent).count());
  if (total_ == 0) {
    std::fprintf(stderr, "\r%s %c %ld s\033[K", label_.c_str(), "|/-\\"[turn % 4], seconds);
  } else {
    constexpr std::size_t width = 40;
    const std::size_t done = std::min(done_.load(), total_);
    const std::size_t filled = done * width / total_;
    std::fprintf(stderr, "\r%s [%s%s] %3zu%%  %ld s\033[K", label_.c_str(),
                 std::string(filled, '#').c_str(), std::string(width - filled, '.').c_str(),
                 done * 100 / total_, seconds);
  }
  std::fflush(stderr);
}

} // namespace carom::tool
