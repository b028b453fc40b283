// A loop over all cores.
#pragma once

#include "tools/carom/progress.h"

#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace carom::tool {

/// work(i) for each i below count, by so many threads, of which the caller's is one. What work() writes is its own. Where it throws, the loop ends, and
/// the exception of the lowest i is thrown here: the same for any number of threads, since all lower ones have been begun, and are finished.
template<class Work>
void parallel_for(std::size_t count, unsigned threads, Progress& progress, const Work& work) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::pair<std::size_t, std::exception_ptr> failed{count, nullptr};
  std::atomic<std::size_t> done = 0;
  const auto run = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (i < failed.first) failed = {i, std::current_exception()};
        next = count;
      }
      progress.show(++done);
    }
  };
  std::vector<std::thread> helpers;
  for (unsigned t = 1; t < threads && t < count; ++t) helpers.emplace_back(run);
  run();
  for (std::thread& helper : helpers) helper.join();
  if (failed.second) std::rethrow_exception(failed.second);
}

} // namespace carom::tool
