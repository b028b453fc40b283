// What a person sees while long work goes on: a bar where it is known how much there is, else a mark that turns, and the seconds so far.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>

namespace carom::tool {

/// Draws on standard error, at once and then some times a second, from a thread of its own: the library need not call back. Nothing where that is no terminal. It is gone when the work is done.
class Progress {
public:
  /// `total` steps of work, 0 where nobody knows how many; the label says what is done: "reading".
  explicit Progress(std::string label, std::size_t total = 0);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// So many are done. Any thread may call.
  void show(std::size_t done) { done_ = done; }

private:
  void draw(int turn) const;
  void keep_drawing();

  const std::string label_;
  const std::size_t total_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::atomic<std::size_t> done_ = 0;
  std::mutex mutex_;
  std::condition_variable ends_;
  bool ended_ = false; ///< behind the mutex
  std::thread drawer_; ///< none where there is no terminal
};

} // namespace carom::tool
