// Sets that grow together: the standard structure behind components and fans.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Elements 0 .. n-1, each a set of its own at first. The root of a set is its lowest element, so that nothing depends on the order of
/// the joins. No recursion; paths are halved on the way, so m steps take O(m log n) at worst, and nearly O(m) mostly.
class UnionFind {
public:
  explicit UnionFind(std::size_t n = 0) { reset(n); }
  void reset(std::size_t n) {
    parent_.resize(n);
    std::iota(parent_.begin(), parent_.end(), std::uint32_t{0});
  }

  [[nodiscard]] std::uint32_t root(std::uint32_t i) {
    while (parent_[i] != i) {
      parent_[i] = parent_[parent_[i]];
      i = parent_[i];
    }
    return i;
  }
  /// Returns whether they were in different sets.
  bool join(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t ra = root(a);
    const std::uint32_t rb = root(b);
    if (ra == rb) return false;
    (ra < rb ? parent_[rb] : parent_[ra]) = ra < rb ? ra : rb;
    return true;
  }

private:
  std::vector<std::uint32_t> parent_;
};

} // namespace carom
