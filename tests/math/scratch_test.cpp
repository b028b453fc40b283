// Memory that is lent for a while: it comes back, serves the next one, and nobody else's list is written over.
#include "carom/math/scratch.h"

#include "carom/math/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

namespace carom {
namespace {

/// Where a list of so many has its memory.
template<class T>
const void* place_of(std::size_t count) {
  void* const block = ScratchPool::take(count * sizeof(T));
  ScratchPool::give(block, count * sizeof(T));
  return block;
}

// Sanitizers see each block come and go.
#ifndef CAROM_SANITIZED
TEST(ScratchPool, GivesTheSameBlockAgain) {
  ScratchPool pool;
  const ScratchScope scope(pool);
  const void* first = place_of<int>(1000);
  EXPECT_EQ(place_of<int>(1000), first);
  // Of any type, and any length that takes as much.
  EXPECT_EQ(place_of<double>(400), first);
  EXPECT_NE(place_of<double>(2000), first);
}

TEST(ScratchPool, IsKeptFromScopeToScope) {
  ScratchPool pool;
  const auto place = [&] {
    const ScratchScope scope(pool);
    return place_of<int>(5000);
  };
  const void* first = place();
  EXPECT_EQ(place(), first);
  ScratchPool moved = std::move(pool);
  const ScratchScope scope(moved);
  EXPECT_EQ(place_of<int>(5000), first);
}
#endif

TEST(ScratchPool, NoTwoListsShareABlock) {
  ScratchPool pool;
  const ScratchScope scope(pool);
  Random random(7);
  std::vector<ScratchVector<std::uint64_t>> lists(40);
  std::vector<std::vector<std::uint64_t>> same(lists.size());
  for (int i = 0; i < 20000; ++i) {
    const std::size_t k = random.below(lists.size());
    if (random.below(20) == 0) {
      lists[k] = {};
      same[k] = {};
    }
    lists[k].push_back(static_cast<std::uint64_t>(i));
    same[k].push_back(static_cast<std::uint64_t>(i));
    ASSERT_TRUE(std::equal(lists[k].begin(), lists[k].end(), same[k].begin(), same[k].end()));
  }
}

TEST(ScratchPool, BlocksMayComeBackAnywhere) {
  ScratchPool pool;
  ScratchVector<int> outside(100, 1), inside;
  {
    const ScratchScope scope(pool);
    inside.assign(3000, 2);
    outside = {};
    outside.assign(70, 3);
  }
  EXPECT_EQ(std::count(inside.begin(), inside.end(), 2), 3000);
  std::thread([&] {
    ScratchPool other;
    const ScratchScope scope(other);
    inside = {};
  }).join();
  EXPECT_EQ(std::count(outside.begin(), outside.end(), 3), 70);
}

TEST(ScratchPool, AnInnerScopeEndsBeforeTheOuterOne) {
  ScratchPool outer, inner;
  const ScratchScope scope(outer);
  const void* first = place_of<int>(1000);
  {
    const ScratchScope nested(inner);
    EXPECT_NE(place_of<int>(1000), first);
  }
#ifndef CAROM_SANITIZED
  EXPECT_EQ(place_of<int>(1000), first);
#endif
}

TEST(ScratchPool, ACopyHasNoneOfTheBlocks) {
  ScratchPool pool;
  {
    const ScratchScope scope(pool);
    ScratchVector<int>(1000).clear();
  }
  ScratchPool copy(pool);
  copy = pool;
  ScratchVector<int> a, b;
  {
    const ScratchScope scope(pool);
    a.assign(1000, 1);
  }
  {
    const ScratchScope scope(copy);
    b.assign(1000, 2);
  }
  EXPECT_NE(a.data(), b.data());
}

TEST(ScratchPool, WhatNoMachineHasIsRefused) {
  ScratchVector<double> list;
  EXPECT_THROW(list.reserve(list.max_size()), std::exception);
  EXPECT_THROW((void)ScratchPool::take(static_cast<std::size_t>(-1)), std::bad_alloc);
}

TEST(SortStable, KeepsTheOrderOfEquals) {
  struct Item {
    std::uint64_t key;
    int number;
    bool operator==(const Item&) const = default;
  };
  const auto less = [](const Item& a, const Item& b) { return a.key < b.key; };
  Random random(3);
  for (int round = 0; round < 50; ++round) {
    std::vector<Item> list;
    list.reserve(10 * static_cast<std::size_t>(round));
    for (int i = 0; i < 10 * round; ++i) list.push_back({random.below(8), i});
    std::vector<Item> expected = list;
    std::stable_sort(expected.begin(), expected.end(), less);
    sort_stable(list, less);
    EXPECT_EQ(list, expected);
  }
}

} // namespace
} // namespace carom
