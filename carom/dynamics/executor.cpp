#include "carom/dynamics/executor.h"

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace carom {

struct ThreadPool::State {
  std::mutex mutex;
  std::condition_variable begins, ends;
  FunctionRef<void(int)>* task = nullptr;
  std::uint64_t round = 0; ///< of work; grows by one with each
  std::size_t busy = 0;
  bool closing = false;
  std::vector<std::thread> others;

  void wait_for_all() {
    std::unique_lock lock(mutex);
    ends.wait(lock, [&] { return busy == 0; });
  }

  void work(int number) {
    std::uint64_t done = 0;
    std::unique_lock lock(mutex);
    while (true) {
      begins.wait(lock, [&] { return closing || round != done; });
      if (closing) return;
      done = round;
      FunctionRef<void(int)>& now = *task;
      lock.unlock();
      now(number);
      lock.lock();
      if (--busy == 0) ends.notify_one();
    }
  }
};

ThreadPool::ThreadPool(int threads, std::size_t least_pairs)
    : least_pairs_(least_pairs), state_(std::make_unique<State>()) {
  constexpr int most = 256;
  const auto machine = static_cast<int>(std::min(std::thread::hardware_concurrency(), 256U));
  const int count = std::clamp(threads > 0 ? threads : machine, 1, most);
  try {
    for (int i = 1; i < count; ++i)
      state_->others.emplace_back([state = state_.get(), i] { state->work(i); });
  } catch (const std::system_error&) {
    // No more threads to be had: those that are there will do.
  }
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->closing = true;
  }
  state_->begins.notify_all();
  for (std::thread& thread : state_->others) thread.join();
}

int ThreadPool::threads() const { return static_cast<int>(state_->others.size()) + 1; }

void ThreadPool::run(FunctionRef<void(int)> task) {
  State& s = *state_;
  struct WaitForAll {
    State& state;
    ~WaitForAll() { state.wait_for_all(); }
  };
  if (!s.others.empty()) {
    const std::lock_guard lock(s.mutex);
    s.task = &task;
    s.busy = s.others.size();
    ++s.round;
  }
  s.begins.notify_all();
  const WaitForAll at_the_end{s};
  task(0);
}

} // namespace carom
