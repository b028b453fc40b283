// Several threads that go through one piece of work after another together. Internal to the world.
//
// One thread leads: it does all that must be done in order, and calls share() where many things can be done at once. The others help. The leader waits for nobody to begin, only for those who
// have begun a part to finish it; so it gets through alone where no helper comes.
//
// A stage may take a few microseconds, and a line of memory that another processor has written a fifth of one. So all that a helper needs to know of a stage is one line of its own (Stretch), which it watches; it claims parts there, and
// tells in another line that it is done. Each thread begins with the same stretch of the numbers in every stage, where its memory is near; it takes parts of another's only where much is left of them, or nobody has come for
// them: for its memory has to come along.
#pragma once

#include "carom/dynamics/executor.h"
#include "carom/math/scratch.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <span>
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
  /// The same for numbers of which some belong together: [begins[i], begins[i + 1]), as many groups to each thread as to any other, the same whenever there are as many. Where there are fewer groups than threads, they are cut.
  void share(std::span<const std::size_t> begins, std::size_t grain,
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
  using Work = FunctionRef<void(std::size_t, std::size_t, std::size_t)>;
  /// What is left of a stretch in a stage: parts [next, end) of it. Eight bytes, which are read and replaced at once.
  struct alignas(8) Left {
    std::uint32_t stage = 0;
    std::uint16_t next = 0, end = 0;
  };
  static_assert(sizeof(Left) == 8 && std::atomic<Left>::is_always_lock_free);
  static constexpr std::uint32_t over = 0xffffffffU; ///< instead of a stage: there are no more
  /// A thread's part of a stage. All that it says belongs to the stage in `left` as long as parts of it are left.
  struct alignas(64) Stretch { // NOLINT(clang-analyzer-optin.performance.Padding)
    std::atomic<Left> left{};
    std::atomic<Work*> work = nullptr;
    std::atomic<std::size_t> begin = 0, end = 0, grain = 1; ///< numbers
    alignas(64) std::atomic<std::size_t> done = 0;          ///< parts, by helpers who begin here
  };
  static constexpr std::size_t most_stretches = 16; // more threads share some

  void help(std::size_t number);
  /// How many parts it did. `spared`: of another's stretch that has been begun, so many are left.
  std::size_t take_from(std::size_t stretch, std::size_t number, std::uint32_t stage, int spared);
  void work_through(const Stretch& stretch, std::size_t part, Work& work, std::size_t number);
  void wait_for_helpers(std::size_t parts);
  void share_stretches(std::size_t count, std::size_t grain,
                       FunctionRef<std::size_t(std::size_t, std::size_t)> begin_of, Work work);
  [[nodiscard]] std::size_t stretches() const { return std::min(size(), most_stretches); }

  int helpers_ = 0;
  std::array<Stretch, most_stretches> stretches_;
  alignas(64) std::uint32_t stage_ = 0; ///< the leader's
  std::size_t helped_ = 0;              ///< the leader's: parts that helpers have done
  std::mutex mutex_;
  std::exception_ptr thrown_; ///< the first in this stage; under the mutex while it is open
};

/// Calls lead(team) on this thread, while the executor's other threads help. No executor: alone. What each of them uses for a while comes from a pool of its own, of which there are made as many as it takes.
void with_team(Executor* executor, std::vector<ScratchPool>& pools, FunctionRef<void(Team&)> lead);

} // namespace carom
