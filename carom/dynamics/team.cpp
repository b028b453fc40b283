// A helper first says that it is inside, then looks whether the stage is still open; the leader closes the stage first, then looks whether anybody is inside. In the one order of these four that all
// threads agree on, either the helper sees the stage closed, or the leader sees the helper.
#include "carom/dynamics/team.h"

#include "carom/dynamics/moment.h"

#include <algorithm>
#include <utility>

namespace carom {
namespace {

/// Lets the helpers go, also where the leader was thrown out by a lack of memory.
struct SendHome {
  std::atomic<bool>& over;
  ~SendHome() { over.store(true, std::memory_order_release); }
};

} // namespace

void Team::take_from(std::size_t stretch, std::size_t number) {
  Stretch& from = stretches_[stretch];
  while (from.next.load(std::memory_order_relaxed) < from.end) {
    const std::size_t begin = from.next.fetch_add(grain_, std::memory_order_relaxed);
    if (begin >= from.end) return;
    (*work_)(begin, std::min(begin + grain_, from.end), number);
  }
}

void Team::take_parts(std::size_t number) {
  const std::size_t count = std::min(size(), most_stretches);
  try {
    for (std::size_t i = 0; i < count; ++i) take_from((number + i) % count, number);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!thrown_) thrown_ = std::current_exception();
  }
}

void Team::share(std::size_t count, std::size_t grain,
                 FunctionRef<void(std::size_t, std::size_t, std::size_t)> work) {
  if (count == 0) return;
  if (alone() || count <= grain) {
    work(0, count, 0);
    return;
  }
  work_ = &work;
  grain_ = grain;
  const std::size_t stretches = std::min(size(), most_stretches);
  const std::size_t parts = (count + grain - 1) / grain;
  for (std::size_t i = 0; i < stretches; ++i) {
    stretches_[i].next.store(parts * i / stretches * grain, std::memory_order_relaxed);
    stretches_[i].end = std::min(parts * (i + 1) / stretches * grain, count);
  }
  stage_.fetch_add(1); // open
  take_parts(0);
  stage_.fetch_add(1); // closed
  for (int waited = 0; inside_.load() != 0;) wait_a_moment(waited);
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

void Team::share(std::size_t count, std::size_t grain,
                 FunctionRef<void(std::size_t, std::size_t)> work) {
  share(count, grain, [&](std::size_t begin, std::size_t end, std::size_t) { work(begin, end); });
}

void Team::help(int number) {
  std::uint64_t helped = 0;
  for (int waited = 0; !over_.load(std::memory_order_acquire);) {
    const std::uint64_t stage = stage_.load();
    if (stage % 2 == 0 || stage == helped) {
      wait_a_moment(waited);
      continue;
    }
    inside_.fetch_add(1);
    if (stage_.load() == stage) {
      take_parts(static_cast<std::size_t>(number));
      helped = stage;
      waited = 0;
    }
    inside_.fetch_sub(1);
  }
}

void with_team(Executor* executor, std::vector<ScratchPool>& pools, FunctionRef<void(Team&)> lead) {
  Team team;
  if (executor != nullptr) team.helpers_ = std::max(executor->threads() - 1, 0);
  if (pools.size() < team.size()) pools.resize(team.size());
  if (team.alone()) {
    const ScratchScope scope(pools[0]);
    lead(team);
    return;
  }
  executor->run([&](int number) {
    const ScratchScope scope(pools[static_cast<std::size_t>(number)]);
    if (number != 0) return team.help(number);
    const SendHome at_the_end{team.over_};
    lead(team);
  });
}

} // namespace carom
