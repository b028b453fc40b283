// Where quickhull keeps the points that are still outside. A part of hull_surface.cpp.
#pragma once

#include "carom/math/vec3.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace [[gnu::visibility("default")]] carom {
namespace hull_surface {

/// A point that is still outside.
struct Outside {
  Vec3 point;
  std::uint32_t index = 0;
};

/// Ranges of points, of 2^k places each, used again after they are given back.
class Store {
public:
  [[nodiscard]] std::uint32_t take(std::uint32_t count) {
    const auto wanted = static_cast<std::size_t>(std::bit_width(count - 1));
    std::size_t have = wanted;
    while (have < free_.size() && free_[have].empty()) ++have;
    std::uint32_t begin = 0;
    if (have < free_.size()) {
      begin = free_[have].back();
      free_[have].pop_back();
    } else {
      begin = static_cast<std::uint32_t>(items_.size());
      items_.resize(items_.size() + (std::size_t{1} << wanted));
      have = wanted;
    }
    while (have > wanted) { // the halves that are not needed
      --have;
      free_[have].push_back(begin + (1u << have));
    }
    return begin;
  }
  void give_back(std::uint32_t begin, std::uint32_t count) {
    free_[static_cast<std::size_t>(std::bit_width(count - 1))].push_back(begin);
  }
  [[nodiscard]] Outside& operator[](std::uint32_t i) { return items_[i]; }
  [[nodiscard]] const Outside& operator[](std::uint32_t i) const { return items_[i]; }

private:
  std::vector<Outside> items_;
  std::array<std::vector<std::uint32_t>, 33> free_; ///< by the logarithm of the size
};

} // namespace hull_surface
} // namespace carom
