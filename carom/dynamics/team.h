// Several threads that go through one piece of work after another together. Internal to the world.
//
// One thread leads: it does all that must be done in order, and calls share() where many things can be done at once. The others help. The leader waits for nobody to begin, only for those who
// have begun a part to finish it; so it gets through alone where no helper comes.
//
// Each thread begins with the same stretch of the numbers in every stage, where its memory is likely to be near; who is done helps the others with theirs.
#pragma once

#include "carom/dynamics/executor.h"
#include "carom/math/scratch.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Padded on purpose: what the threads write is in lines of memory apart.
class Team { // NOLINT(clang-analyzer-optin.performance.Padding)
public:
  /// Calls work(begin, end) for stretches of at most `grain` numbers that together are [0, count), each once, on any of the threads; returns when all is done. What the calls do must not depend on
  /// their order, nor on how the numbers are cut. What a call throws comes out here, after all others have ended.
  void share(std::size_t count, std::size_t grain,
             FunctionRef<void(std::size_t, std::size_t)> work);
  /// The same with the number of the thread, below size(), for memory that each has to itself. What the calls do must not depend on it, either.
  void share(std::size_t count, std::size_t grain,
             FunctionRef<void(std::size_t, std::size_t, std::size_t)> work);
  /// Calls it while no other thread of the team does the same.
  template<class F>
  decltype(auto) one_at_a_time(F&& what) {
    const std::lock_guard lock(mutex_);
    return what();
  }
  [[nodiscard]] bool alone() const { return helpers_ == 0; }
  /// How many threads there may be, the leader among them.
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(helpers_) + 1; }

private:
  friend void with_team(Executor* executor, std::vector<ScratchPool>& pools,
                        FunctionRef<void(Team&)> lead);
  void help(int number);
  void take_parts(std::size_t number);
  void take_from(std::size_t stretch, std::size_t number);

  int helpers_ = 0;
  // What is shared now: written by the leader while nobody is inside.
  FunctionRef<void(std::size_t, std::size_t, std::size_t)>* work_ = nullptr;
  std::size_t grain_ = 1;
  /// What is left of a stretch.
  struct alignas(64) Stretch {
    std::atomic<std::size_t> next = 0;
    std::size_t end = 0;
  };
  static constexpr std::size_t most_stretches = 16; // more threads share some
  std::array<Stretch, most_stretches> stretches_;
  alignas(64) std::atomic<std::uint64_t> stage_ = 0; ///< odd: open to helpers
  alignas(64) std::atomic<int> inside_ = 0;          ///< helpers that may be at work
  std::atomic<bool> over_ = false;
  std::mutex mutex_;
  std::exception_ptr thrown_; ///< the first in this stage; under the mutex while it is open
};

/// Calls lead(team) on this thread, while the executor's other threads help. No executor: alone. What each of them uses for a while comes from a pool of its own, of which there are made as many as it takes.
void with_team(Executor* executor, std::vector<ScratchPool>& pools, FunctionRef<void(Team&)> lead);

} // namespace carom
