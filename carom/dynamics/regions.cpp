#include "carom/dynamics/regions.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace carom {
namespace {

/// With fewer pairs than `least_pairs` there is one region; else as many as have `pairs_each`, and two at least. Each has blocks of contacts of its own, some of which are not full.
constexpr std::size_t least_pairs = 2500, pairs_each = 2048;

/// A cut goes across the first axis that is not much shorter than the longest: so it does not turn to and fro where two are about as long.
constexpr float much_shorter = 0.6F;

constexpr std::size_t bins = 256;

} // namespace

std::size_t Regions::wanted(std::size_t pairs) {
  if (pairs < least_pairs) return 1;
  return std::clamp<std::size_t>(std::bit_floor(pairs / pairs_each), 2, most);
}

void Regions::find(std::span<const RegionPoint> bodies, std::size_t regions) {
  count_ = regions;
  of_.assign(bodies.size(), 0);
  if (regions == 1) return;
  bodies_.resize(bodies.size());
  upper_.resize(bodies.size());
  middle_.resize(bodies.size());
  for (std::uint32_t i = 0; i < bodies_.size(); ++i) bodies_[i] = i;
  part(bodies_, bodies, 0, regions);
}

void Regions::part(std::span<std::uint32_t> bodies, std::span<const RegionPoint> points,
                   std::size_t first, std::size_t regions) {
  if (regions == 1) {
    for (const std::uint32_t i : bodies) of_[i] = static_cast<std::uint8_t>(first);
    return;
  }
  RegionPoint low{INFINITY, INFINITY, INFINITY}, high{-INFINITY, -INFINITY, -INFINITY};
  for (const std::uint32_t i : bodies)
    for (std::size_t k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], points[i][k]);
      high[k] = std::max(high[k], points[i][k]);
    }
  const RegionPoint size{high[0] - low[0], high[1] - low[1], high[2] - low[2]};
  const float enough = much_shorter * std::max({size[0], size[1], size[2]});
  const std::size_t axis = size[0] >= enough ? 0 : size[1] >= enough ? 1 : 2;
  halve(bodies, points, axis, low[axis], high[axis]);
  const std::size_t half = bodies.size() / 2;
  part(bodies.first(half), points, first, regions / 2);
  part(bodies.subspan(half), points, first + regions / 2, regions / 2);
}

/// By counting how many are in each of equal stretches of the axis: only those of the stretch in the middle are compared with each other. Without branches, which would be guessed wrong.
void Regions::halve(std::span<std::uint32_t> bodies, std::span<const RegionPoint> points,
                    std::size_t axis, float low, float high) {
  if (bodies.empty()) return;
  constexpr float least =
      1e-30F; // nearer together than that, all are in one stretch: their scale would be no number
  const float scale = high - low > least ? static_cast<float>(bins) / (high - low) : 0.0F;
  const auto bin_of = [&](std::uint32_t i) {
    return static_cast<std::size_t>(
        std::min((points[i][axis] - low) * scale, static_cast<float>(bins - 1)));
  };
  std::array<std::uint32_t, bins> count{};
  for (const std::uint32_t i : bodies) ++count[bin_of(i)];
  const std::size_t half = bodies.size() / 2;
  std::size_t middle = 0, below = 0;
  while (below + count[middle] < half) below += count[middle++];
  std::size_t lower = 0, between = 0, upper = 0;
  for (const std::uint32_t i : bodies) {
    const std::size_t bin = bin_of(i);
    bodies[lower] = middle_[between] = upper_[upper] = i;
    lower += bin < middle ? 1 : 0;
    between += bin == middle ? 1 : 0;
    upper += bin > middle ? 1 : 0;
  }
  const auto begin = middle_.begin(), end = begin + static_cast<std::ptrdiff_t>(between);
  std::nth_element(begin, begin + static_cast<std::ptrdiff_t>(half - lower), end,
                   [&](std::uint32_t i, std::uint32_t k) {
                     const float a = points[i][axis], b = points[k][axis];
                     return a != b ? a < b : i < k;
                   });
  const auto rest = std::copy(begin, end, bodies.begin() + static_cast<std::ptrdiff_t>(lower));
  std::copy_n(upper_.begin(), upper, rest);
}

void RegionOrder::count(std::span<const std::uint8_t> of, std::size_t regions) {
  // Neighbours mostly are of the same region: not all wait for one counter.
  constexpr std::size_t counters = 4;
  std::array<std::array<std::uint32_t, counters>, Regions::most + 1> counts{};
  for (std::size_t i = 0; i < of.size(); ++i) ++counts[of[i]][i % counters];
  begins_.assign(regions + 1, 0);
  for (std::size_t i = 0; i < regions; ++i)
    begins_[i + 1] = begins_[i] + counts[i][0] + counts[i][1] + counts[i][2] + counts[i][3];
}

bool RegionOrder::is_due(std::span<const std::uint8_t> of) const {
  std::size_t strays = 0;
  for (std::size_t i = 0; i < of.size(); ++i) strays += is_home(i, of[i]) ? 0 : 1;
  return strays > few(of.size());
}

std::span<const std::uint32_t> RegionOrder::order(std::span<const std::uint8_t> of) {
  next_.assign(begins_.begin(), begins_.end());
  order_.resize(of.size());
  for (std::uint32_t i = 0; i < of.size(); ++i) order_[next_[of[i]]++] = i;
  return order_;
}

} // namespace carom
