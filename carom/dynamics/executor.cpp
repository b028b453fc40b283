#include "carom/dynamics/executor.h"

#include "carom/dynamics/moment.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace carom {

namespace {

using Clock = std::chrono::steady_clock;

/// To wake a thread that sleeps takes the system a tenth of a millisecond, on a virtual machine with nothing else to do up to several. Those who step again and again do so within this; others lose no more than this, each thread once a step.
constexpr std::chrono::microseconds patience{200};

/// WebAssembly has no others, unless it is asked for; and to ask for one where nothing can be thrown ends the program.
#if defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__)
constexpr int most_threads = 1;
#else
constexpr int most_threads = 256;
#endif

/// Whether it came true before patience was at its end.
template<class Condition>
bool comes_true_soon(Condition&& condition) {
  const Clock::time_point end = Clock::now() + patience;
  for (int waited = 0; !condition(); wait_a_moment(waited))
    if (waited % 64 == 63 && Clock::now() > end) return false;
  return true;
}

} // namespace

struct ThreadPool::State {
  std::mutex mutex;
  std::condition_variable begins, ends;
  FunctionRef<void(int)>* task = nullptr;
  std::atomic<std::uint64_t> round = 0; ///< of work; grows by one with each
  std::atomic<std::size_t> busy = 0;
  std::atomic<bool> closing = false;
  std::vector<std::thread> others;

  void wait_for_all() {
    if (comes_true_soon([&] { return busy.load() == 0; })) return;
    std::unique_lock lock(mutex);
    ends.wait(lock, [&] { return busy.load() == 0; });
  }

  void work(int number) {
    std::uint64_t done = 0;
    const auto begun = [&] { return closing.load() || round.load() != done; };
    while (true) {
      if (!comes_true_soon(begun)) {
        std::unique_lock lock(mutex);
        begins.wait(lock, begun);
      }
      if (closing.load()) return;
      done = round.load();
      (*task)(number);
      if (busy.fetch_sub(1) != 1) continue;
      { const std::lock_guard lock(mutex); } // who waits is asleep by now, or will see it
      ends.notify_one();
    }
  }
};

ThreadPool::ThreadPool(int threads, std::size_t least_pairs)
    : least_pairs_(least_pairs), state_(std::make_unique<State>()) {
  const auto machine = static_cast<int>(std::min(std::thread::hardware_concurrency(), 256U));
  const int count = std::clamp(threads > 0 ? threads : machine, 1, most_threads);
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
