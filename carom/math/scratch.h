// Memory for lists that live no longer than a call: a stack of groups to look at, pairs that were found.
//
// A query makes such lists anew each time, and asks the system for their memory. Whoever asks many queries, one after the other, lends them a pool: what a list gives back is kept there for the next one, so that once the pool has seen
// all that is needed, nothing is asked of the system any more. The world does so in a step.
//
//   ScratchPool pool;                   // kept from step to step
//   {
//     const ScratchScope scope(pool);   // this thread, from here on
//     distance(gear, pose_a, casing, pose_b);
//   }
//
// Only where memory comes from depends on the pool, never what is found. Without one, or outside of the scope, the lists are as any other.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <new>
#include <utility>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Blocks of memory that nobody uses now. For one thread at a time. A copy is an empty one: there is nothing in it but room.
class ScratchPool {
public:
  ScratchPool() = default;
  ScratchPool(const ScratchPool&) noexcept {}
  ScratchPool(ScratchPool&& other) noexcept : free_(std::exchange(other.free_, {})) {}
  ScratchPool& operator=(const ScratchPool&) noexcept { return *this; }
  ScratchPool& operator=(ScratchPool&& other) noexcept {
    std::swap(free_, other.free_);
    return *this;
  }
  ~ScratchPool();

  /// From the pool of this thread, or from the system. Blocks may be given back on any thread, with or without a pool.
  [[nodiscard]] static void* take(std::size_t bytes);
  static void give(void* block, std::size_t bytes) noexcept;

private:
  friend class ScratchScope;
  struct Block {
    Block* next;
  };
  /// Of sizes, each twice the one before. Nothing is larger than what a difference of addresses can tell.
  static constexpr std::size_t classes = std::numeric_limits<std::ptrdiff_t>::digits;
  std::array<Block*, classes> free_{};
};

/// While it lives, lists of this thread have their memory from the pool. Scopes may be nested: the innermost counts.
class ScratchScope {
public:
  explicit ScratchScope(ScratchPool& pool) noexcept;
  ScratchScope(const ScratchScope&) = delete;
  ScratchScope& operator=(const ScratchScope&) = delete;
  ~ScratchScope();

private:
  ScratchPool* before_;
};

/// For the containers of the standard library.
template<class T>
struct ScratchAllocator {
  using value_type = T;
  static_assert(alignof(T) <= alignof(std::max_align_t));

  ScratchAllocator() = default;
  template<class U>
  ScratchAllocator(const ScratchAllocator<U>&) noexcept {} // NOLINT: containers need the conversion
  [[nodiscard]] T* allocate(std::size_t n) {
    if (n > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_array_new_length();
    return static_cast<T*>(ScratchPool::take(n * sizeof(T)));
  }
  void deallocate(T* p, std::size_t n) noexcept { ScratchPool::give(p, n * sizeof(T)); }
  template<class U>
  bool operator==(const ScratchAllocator<U>&) const noexcept {
    return true;
  }
};

template<class T>
using ScratchVector = std::vector<T, ScratchAllocator<T>>;
template<class Key, class T>
using ScratchMap = std::map<Key, T, std::less<Key>, ScratchAllocator<std::pair<const Key, T>>>;

/// As std::stable_sort, which asks the system for memory.
template<class List, class Less>
void sort_stable(List& list, Less&& less) {
  struct Place {
    typename List::value_type item;
    std::size_t at;
  };
  ScratchVector<Place> places;
  places.reserve(list.size());
  for (auto& item : list) places.push_back({std::move(item), places.size()});
  std::sort(places.begin(), places.end(), [&](const Place& x, const Place& y) {
    if (less(x.item, y.item)) return true;
    return !less(y.item, x.item) && x.at < y.at;
  });
  std::size_t i = 0;
  for (auto& item : list) item = std::move(places[i++].item);
}

} // namespace carom
