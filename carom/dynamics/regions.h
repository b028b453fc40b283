// Which bodies are dealt with together, so that each thread has bodies of its own in all stages of a step. Internal to the world.
//
// What one processor has written, another must fetch, at the price of a few hundred instructions; and where threads wait for each other after each colour of contacts, they mostly wait. So active bodies are parted into
// regions, halves of halves of space with as many bodies each; bodies and pairs stand in their lists by regions, a thread begins each stage with the same regions, and contacts within a region are solved without waiting for
// any other (constraint_graph.h). Where bodies are, and how many pairs there are, tells the regions: never the number of threads. Small worlds have one region.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace [[gnu::visibility("default")]] carom {

/// Where an active body is; to within the rounding of a float, which makes no difference to anybody.
using RegionPoint = std::array<float, 3>;

class Regions {
public:
  static constexpr std::size_t most = 32;
  /// How many there are where so many pairs of shapes are near each other: a power of two.
  [[nodiscard]] static std::size_t wanted(std::size_t pairs);

  /// Parts the bodies, all of which are given in the order of their list.
  void find(std::span<const RegionPoint> bodies, std::size_t regions);
  [[nodiscard]] std::size_t count() const { return count_; }
  /// The region of each body, below count().
  [[nodiscard]] std::span<const std::uint8_t> of() const { return of_; }

  [[nodiscard]] std::span<std::uint8_t> of() { return of_; }

private:
  void part(std::span<std::uint32_t> bodies, std::span<const RegionPoint> points, std::size_t first,
            std::size_t regions);
  void halve(std::span<std::uint32_t> bodies, std::span<const RegionPoint> points, std::size_t axis,
             float low, float high);

  std::size_t count_ = 1;
  std::vector<std::uint8_t> of_;
  std::vector<std::uint32_t> bodies_, upper_, middle_;
};

/// An order by regions, of things that are nearly in one: few are moved.
class RegionOrder {
public:
  /// `of`: the region of each thing, below `regions`.
  void count(std::span<const std::uint8_t> of, std::size_t regions);
  /// There is one region.
  void all_in_one(std::size_t things) { begins_.assign({0, things}); }
  /// Where each region begins, and at last the number of things: as many numbers as regions and one.
  [[nodiscard]] std::span<const std::size_t> begins() const { return begins_; }
  [[nodiscard]] bool is_home(std::size_t place, std::size_t region) const {
    return begins_[region] <= place && place < begins_[region + 1];
  }
  /// Of so many things, those that may be elsewhere: to bring them home is not worth it.
  [[nodiscard]] static std::size_t few(std::size_t things) { return things / 16; }
  /// Whether more than a few are elsewhere.
  [[nodiscard]] bool is_due(std::span<const std::uint8_t> of) const;
  /// Which thing comes where, if those of a region stay in the order that they have.
  [[nodiscard]] std::span<const std::uint32_t> order(std::span<const std::uint8_t> of);
  /// Brings all home: swap(i, k) changes two places, beside those of `of`.
  template<class Swap>
  void settle(std::span<std::uint8_t> of, Swap&& swap);

private:
  std::vector<std::size_t> begins_, next_;
  std::vector<std::uint32_t> order_;
};

template<class Swap>
void RegionOrder::settle(std::span<std::uint8_t> of, Swap&& swap) {
  next_.assign(begins_.begin(), begins_.end());
  for (std::size_t region = 0; region + 1 < begins_.size(); ++region)
    for (std::size_t i = begins_[region]; i < begins_[region + 1]; ++i)
      while (of[i] != region) {
        std::size_t& home = next_[of[i]];
        while (of[home] == of[i]) ++home;
        std::swap(of[i], of[home]);
        swap(i, home);
      }
}

} // namespace carom
