// Several threads that go through one piece of work after another together. Internal to the world.
//
// One thread leads: it does all that must be done in order, and calls share() where many things can be done at once. The others help. The leader waits for nobody to begin, only for those who
// have begun a part to finish it; so it gets through alone where no helper comes.
#pragma once

#include "carom/dynamics/executor.h"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace [[gnu::visibility("default")]] carom {

/// Padded on purpose: what the threads write is in lines of memory apart.
class Team { // NOLINT(clang-analyzer-optin.performance.Padding)
public:
  /// Calls work(begin, end) for stretches of at most `grain` numbers that together are [0, count), each once, on any of the threads; returns when all is done. What the calls do must not depend on
  /// their order, nor on how the numbers are cut.
  void share(std::size_t count, std::size_t grain,
             FunctionRef<void(std::size_t, std::size_t)> work);
  [[nodiscard]] bool alone() const { return helpers_ == 0; }

private:
  friend void with_team(Executor* executor, FunctionRef<void(Team&)> lead);
  void help();
  void take_parts();

  int helpers_ = 0;
  // What is shared now: written by the leader while nobody is inside.
  FunctionRef<void(std::size_t, std::size_t)>* work_ = nullptr;
  std::size_t count_ = 0, grain_ = 1;
  alignas(64) std::atomic<std::uint64_t> stage_ = 0; ///< odd: open to helpers
  alignas(64) std::atomic<std::size_t> next_ = 0;
  alignas(64) std::atomic<int> inside_ = 0; ///< helpers that may be at work
  std::atomic<bool> over_ = false;
};

/// Calls lead(team) on this thread, while the executor's other threads help. No executor: alone.
void with_team(Executor* executor, FunctionRef<void(Team&)> lead);

} // namespace carom
