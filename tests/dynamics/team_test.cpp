// Work shared between threads: every part is done once, whoever comes to help, and whenever.
#include "carom/dynamics/team.h"

#include <atomic>
#include <gtest/gtest.h>
#include <stdexcept>
#include <thread>
#include <vector>

namespace carom {
namespace {

/// Has threads, but calls all one after the other.
class OneByOne final : public Executor {
public:
  [[nodiscard]] int threads() const override { return 4; }
  void run(FunctionRef<void(int)> task) override {
    for (int i = 0; i < 4; ++i) task(i);
  }
};

/// Its helper comes only when the leader has gone, or never during the first stages.
class Late final : public Executor {
public:
  [[nodiscard]] int threads() const override { return 2; }
  void run(FunctionRef<void(int)> task) override {
    std::thread other([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      task(1);
    });
    task(0);
    other.join();
  }
};

void with_team(Executor* executor, FunctionRef<void(Team&)> lead) {
  std::vector<ScratchPool> pools;
  carom::with_team(executor, pools, lead);
}

void expect_each_once(Executor* executor, std::size_t count, std::size_t grain, int stages) {
  std::vector<int> times(count);
  with_team(executor, [&](Team& team) {
    for (int i = 0; i < stages; ++i)
      team.share(count, grain, [&](std::size_t begin, std::size_t end) {
        EXPECT_LT(begin, end);
        if (executor != nullptr && executor->threads() > 1 && count > grain) {
          EXPECT_LE(end - begin, grain);
        }
        for (std::size_t k = begin; k < end; ++k) ++times[k];
      });
  });
  for (std::size_t k = 0; k < count; ++k) ASSERT_EQ(times[k], stages) << k;
}

TEST(Team, DoesEachPartOnceWithAnyNumberOfThreads) {
  for (const int threads : {1, 2, 3, 8}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (const std::size_t count : {0U, 1U, 7U, 64U, 1000U})
      for (const std::size_t grain : {1U, 5U, 100U, 5000U})
        expect_each_once(&pool, count, grain, 20);
  }
}

TEST(Team, AloneDoesAll) { expect_each_once(nullptr, 100, 7, 3); }

TEST(Team, GetsThroughWhenHelpersComeLateOrInTurn) {
  OneByOne one_by_one;
  expect_each_once(&one_by_one, 100, 7, 50);
  Late late;
  for (int i = 0; i < 20; ++i) expect_each_once(&late, 1000, 3, 5);
}

TEST(Team, GroupsAreDoneOnceHoweverUnequal) {
  const std::vector<std::vector<std::size_t>> all = {
      {0, 10, 10, 11, 500},       {0, 0, 0, 0, 300}, {0, 1000, 1000, 1000, 1000}, {0, 0}, {0, 77},
      {0, 1, 2, 3, 4, 5, 6, 7, 8}};
  for (const int threads : {1, 2, 3, 8}) {
    ThreadPool pool(threads);
    OneByOne one_by_one;
    for (Executor* executor : {static_cast<Executor*>(&pool), static_cast<Executor*>(&one_by_one)})
      for (const std::vector<std::size_t>& begins : all)
        for (const std::size_t grain : {1U, 9U, 400U}) {
          std::vector<int> times(begins.back());
          with_team(executor, [&](Team& team) {
            for (int i = 0; i < 10; ++i)
              team.share(begins, grain, [&](std::size_t begin, std::size_t end, std::size_t) {
                for (std::size_t k = begin; k < end; ++k) ++times[k];
              });
          });
          EXPECT_EQ(times, std::vector<int>(times.size(), 10));
        }
  }
}

TEST(Team, EachThreadBeginsWithTheSameGroups) {
  ThreadPool pool(2);
  const std::vector<std::size_t> begins = {0, 3, 8, 9, 20};
  // Stages last long enough for both to come; on a busy machine the helper may miss some.
  int leaders = 0, helpers = 0;
  constexpr int stages = 20;
  with_team(&pool, [&](Team& team) {
    for (int stage = 0; stage < stages; ++stage)
      team.share(begins, 1, [&](std::size_t begin, std::size_t, std::size_t thread) {
        std::this_thread::sleep_for(std::chrono::microseconds(300));
        if (begin == 0 && thread == 0) ++leaders;
        if (begin == 8 && thread == 1) ++helpers;
      });
  });
  EXPECT_EQ(leaders, stages); // of the first half of the groups, where the leader begins
  EXPECT_GT(helpers, 0);      // of the second
}

TEST(Team, MorePartsThanAreCountedAreDoneInLargerOnes) {
  ThreadPool pool(2);
  std::vector<std::uint8_t> times(300000);
  with_team(&pool, [&](Team& team) {
    team.share(times.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k) ++times[k];
    });
  });
  EXPECT_EQ(times, std::vector<std::uint8_t>(times.size(), 1));
}

TEST(Team, AStageSeesAllOfTheOneBefore) {
  ThreadPool pool(3);
  constexpr std::size_t count = 64;
  std::vector<std::uint64_t> now(count, 1), next(count);
  // Each number becomes a sum of its neighbours: a part done out of its stage would show.
  std::vector<std::uint64_t> expected = now;
  constexpr int stages = 3000;
  with_team(&pool, [&](Team& team) {
    for (int s = 0; s < stages; ++s) {
      team.share(count, 3, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k)
          next[k] = now[k] * 3 + now[(k + 1) % count] + k + now[(k + count - 1) % count];
      });
      std::swap(now, next);
    }
  });
  std::vector<std::uint64_t> other(count);
  for (int s = 0; s < stages; ++s) {
    for (std::size_t k = 0; k < count; ++k)
      other[k] =
          expected[k] * 3 + expected[(k + 1) % count] + k + expected[(k + count - 1) % count];
    std::swap(expected, other);
  }
  EXPECT_EQ(now, expected);
}

TEST(Team, ALeaderThatThrowsLetsTheHelpersGo) {
  ThreadPool pool(3);
  EXPECT_THROW(with_team(&pool, [](Team&) { throw std::runtime_error("no memory"); }),
               std::runtime_error);
  expect_each_once(&pool, 100, 7, 3);
}

TEST(Team, NoTwoThreadsHaveTheSameNumberAtOnce) {
  ThreadPool pool(4);
  with_team(&pool, [&](Team& team) {
    ASSERT_EQ(team.size(), 4u);
    std::vector<std::atomic<int>> inside(team.size());
    std::vector<int> times(500);
    for (int stage = 0; stage < 50; ++stage)
      team.share(times.size(), 3, [&](std::size_t begin, std::size_t end, std::size_t thread) {
        ASSERT_LT(thread, team.size());
        EXPECT_EQ(inside[thread].fetch_add(1), 0);
        for (std::size_t k = begin; k < end; ++k) ++times[k];
        inside[thread].fetch_sub(1);
      });
    EXPECT_EQ(times, std::vector<int>(times.size(), 50));
  });
}

TEST(Team, LetsOneAtATimeIn) {
  ThreadPool pool(4);
  int count = 0;
  with_team(&pool, [&](Team& team) {
    team.share(10000, 1, [&](std::size_t, std::size_t) { team.one_at_a_time([&] { ++count; }); });
  });
  EXPECT_EQ(count, 10000);
}

TEST(Team, WhatAPartThrowsComesOutAfterAllOthersHaveEnded) {
  ThreadPool pool(3);
  for (const std::size_t bad : {0U, 500U, 999U}) {
    std::vector<std::uint8_t> done(1000);
    std::atomic<int> inside = 0;
    const auto all = [&](Team& team) {
      team.share(done.size(), 1, [&](std::size_t i, std::size_t) {
        ++inside;
        done[i] = 1;
        --inside;
        if (i == bad) throw std::runtime_error("no memory");
      });
    };
    EXPECT_THROW(with_team(&pool, all), std::runtime_error);
    EXPECT_EQ(inside, 0);
    EXPECT_EQ(done[bad], 1);
  }
  expect_each_once(&pool, 100, 7, 3);
}

TEST(ThreadPool, HasAtLeastOneThread) {
  EXPECT_GE(ThreadPool().threads(), 1);
  EXPECT_GE(ThreadPool(-5).threads(), 1);
  EXPECT_LE(ThreadPool(1 << 30).threads(), 256);
}

TEST(ThreadPool, CallsEachNumberOnce) {
  ThreadPool pool(5);
  for (int round = 0; round < 200; ++round) {
    std::vector<int> called(5);
    pool.run([&](int number) { ++called[static_cast<std::size_t>(number)]; });
    EXPECT_EQ(called, std::vector<int>(5, 1));
  }
}

} // namespace
} // namespace carom
