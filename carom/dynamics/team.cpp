// A part is claimed by replacing what is left of its stretch, with the number of the stage beside it: who has read of one stage cannot claim a part of another. The leader writes the next stage when all parts of the last are done; who is
// late then finds another number, whatever else he has read.
#include "carom/dynamics/team.h"

#include "carom/dynamics/moment.h"

#include <limits>
#include <utility>

namespace carom {
namespace {

/// Parts that are left to a thread that has begun its stretch: to help with these costs more than it saves, unless it has been put aside by the system.
constexpr int left_alone = 2;
/// A stretch of fewer parts is done before it pays to help others afterwards.
constexpr std::size_t short_stretch = 4;
/// Looks at what helpers have done, until the leader takes from them: a microsecond or two.
constexpr int looks = 50;
/// So many times as long, until it takes all that it can get.
constexpr int long_wait = 20;

/// Lets the helpers go, also where the leader was thrown out by a lack of memory.
template<class F>
struct AtTheEnd {
  F f;
  ~AtTheEnd() { f(); }
};
template<class F>
AtTheEnd(F) -> AtTheEnd<F>;

} // namespace

void Team::work_through(const Stretch& stretch, std::size_t part, Work& work, std::size_t number) {
  const std::size_t grain = stretch.grain.load(std::memory_order_relaxed),
                    begin = stretch.begin.load(std::memory_order_relaxed) + part * grain,
                    end = stretch.end.load(std::memory_order_relaxed);
  try {
    work(begin, std::min(begin + grain, end), number);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!thrown_) thrown_ = std::current_exception();
  }
}

/// Its owners from the front, others from behind.
std::size_t Team::take_from(std::size_t i, std::size_t number, std::uint32_t stage, int spared) {
  Stretch& stretch = stretches_[i];
  const bool own = i == number % stretches();
  std::size_t parts = 0;
  Left left = stretch.left.load(std::memory_order_acquire);
  while (left.stage == stage && left.next < left.end) {
    const bool begun = left.next > 0;
    if (!own && begun && left.end - left.next <= spared) break;
    Work* const work = stretch.work.load(std::memory_order_relaxed);
    Left rest = left;
    const std::size_t part = own ? rest.next++ : --rest.end;
    if (!stretch.left.compare_exchange_weak(left, rest, std::memory_order_acq_rel,
                                            std::memory_order_acquire))
      continue;
    work_through(stretch, part, *work, number);
    ++parts;
    left = stretch.left.load(std::memory_order_acquire);
  }
  return parts;
}

void Team::wait_for_helpers(std::size_t parts) {
  const auto done = [&] {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < stretches(); ++i)
      sum += stretches_[i].done.load(std::memory_order_acquire);
    return sum - helped_ == parts;
  };
  int looked = 0;
  for (int waited = 0; !done(); wait_a_moment(waited)) {
    if (++looked % looks != 0) continue;
    const int spared = looked < long_wait * looks ? left_alone : 0;
    for (std::size_t i = 1; i < stretches(); ++i) parts -= take_from(i, 0, stage_, spared);
  }
  helped_ += parts;
}

/// begin_of(i, n): where stretch i of n begins; of n, where the last one ends.
void Team::share_stretches(std::size_t count, std::size_t grain,
                           FunctionRef<std::size_t(std::size_t, std::size_t)> begin_of, Work work) {
  if (count == 0) return;
  if (alone() || count <= grain) {
    work(0, count, 0);
    return;
  }
  constexpr std::size_t most_parts = std::numeric_limits<std::uint16_t>::max();
  grain = std::max(grain, (count + most_parts - 1) / most_parts);
  ++stage_;
  std::size_t parts = 0;
  for (std::size_t i = 0; i < stretches(); ++i) {
    Stretch& s = stretches_[i];
    const std::size_t begin = begin_of(i, stretches()), end = begin_of(i + 1, stretches());
    const std::size_t own = (end - begin + grain - 1) / grain;
    s.work.store(&work, std::memory_order_relaxed);
    s.begin.store(begin, std::memory_order_relaxed);
    s.end.store(end, std::memory_order_relaxed);
    s.grain.store(grain, std::memory_order_relaxed);
    s.left.store({stage_, 0, static_cast<std::uint16_t>(own)}, std::memory_order_release);
    parts += own;
  }
  wait_for_helpers(parts - take_from(0, 0, stage_, 0));
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

void Team::share(std::size_t count, std::size_t grain,
                 FunctionRef<void(std::size_t, std::size_t, std::size_t)> work) {
  const std::size_t parts = (count + grain - 1) / grain;
  const auto begin_of = [&](std::size_t i, std::size_t n) {
    return std::min(parts * i / n * grain, count);
  };
  share_stretches(count, grain, begin_of, work);
}

void Team::share(std::span<const std::size_t> begins, std::size_t grain,
                 FunctionRef<void(std::size_t, std::size_t, std::size_t)> work) {
  const std::size_t groups = begins.size() - 1;
  if (groups < stretches()) return share(begins.back(), grain, work);
  const auto begin_of = [&](std::size_t i, std::size_t n) { return begins[groups * i / n]; };
  share_stretches(begins.back(), grain, begin_of, work);
}

void Team::share(std::size_t count, std::size_t grain,
                 FunctionRef<void(std::size_t, std::size_t)> work) {
  share(count, grain, [&](std::size_t begin, std::size_t end, std::size_t) { work(begin, end); });
}

void Team::help(std::size_t number) {
  const std::size_t home = number % stretches();
  Stretch& own = stretches_[home];
  std::uint32_t helped = 0;
  for (int waited = 0;;) {
    const Left left = own.left.load(std::memory_order_acquire);
    if (left.stage == over) return;
    if (left.stage == helped) {
      wait_a_moment(waited);
      continue;
    }
    helped = left.stage;
    waited = 0;
    std::size_t parts = take_from(home, number, helped, 0);
    if (left.end >= short_stretch)
      for (std::size_t i = 1; i < stretches(); ++i)
        parts += take_from((home + i) % stretches(), number, helped, left_alone);
    if (parts > 0) own.done.fetch_add(parts, std::memory_order_release);
  }
}

void with_team(Executor* executor, std::vector<ScratchPool>& pools, FunctionRef<void(Team&)> lead) {
  Team team;
  if (executor != nullptr) team.helpers_ = std::max(executor->threads() - 1, 0);
  if (pools.size() < team.size()) pools.resize(team.size());
  if (executor == nullptr || team.alone()) {
    const ScratchScope scope(pools[0]);
    lead(team);
    return;
  }
  executor->run([&](int number) {
    const ScratchScope scope(pools[static_cast<std::size_t>(number)]);
    if (number != 0) return team.help(static_cast<std::size_t>(number));
    const AtTheEnd at_the_end{[&] {
      for (Team::Stretch& s : team.stretches_)
        s.left.store({Team::over, 0, 0}, std::memory_order_release);
    }};
    lead(team);
  });
}

} // namespace carom
