// Discrete-orientation polytopes: the space between K/2 pairs of parallel planes whose directions are fixed for all.
//
// The directions are small integer vectors and are *not* normalised: a slab is min <= direction . x <= max with that direction.
//   6    the coordinate axes (an AABB)
//   14   those and the four cube diagonals
//   18   the axes and the six face diagonals
//   26   all thirteen
#pragma once

#include "carom/math/vec3.h"

#include <array>
#include <cmath>
#include <span>

namespace [[gnu::visibility("default")]] carom {

namespace kdop_detail {
inline constexpr Vec3 axes_then_edges_then_corners[13] = {
    {1, 0, 0}, {0, 1, 0},  {0, 0, 1},                                     // axes
    {1, 1, 0}, {1, -1, 0}, {1, 0, 1},  {1, 0, -1}, {0, 1, 1}, {0, 1, -1}, // face diagonals
    {1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {1, -1, -1}};                      // cube diagonals
inline constexpr Vec3 axes_then_corners[7] = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1},  {1, 1, 1},
                                              {1, 1, -1}, {1, -1, 1}, {1, -1, -1}};
} // namespace kdop_detail

/// Slabs that are tight touch the set they bound; the functions that fit a Kdop give tight ones. The default is empty.
template<int K>
struct Kdop {
  static_assert(K == 6 || K == 14 || K == 18 || K == 26,
                "the directions are those of 6, 14, 18 and 26 planes");
  static constexpr int slabs = K / 2;

  std::array<double, slabs> min = filled(INFINITY);
  std::array<double, slabs> max = filled(-INFINITY);

  [[nodiscard]] static constexpr std::span<const Vec3, slabs> directions() {
    if constexpr (K == 14) {
      return std::span<const Vec3, slabs>(kdop_detail::axes_then_corners, slabs);
    } else {
      return std::span<const Vec3, slabs>(kdop_detail::axes_then_edges_then_corners, slabs);
    }
  }

private:
  [[nodiscard]] static constexpr std::array<double, slabs> filled(double value) {
    std::array<double, slabs> a{};
    for (double& x : a) x = value;
    return a;
  }
};

using Kdop6 = Kdop<6>;
using Kdop14 = Kdop<14>;
using Kdop18 = Kdop<18>;
using Kdop26 = Kdop<26>;

} // namespace carom
