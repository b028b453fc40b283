#include "carom/shape/height_levels.h"

#include "tests/support/generate.h"
#include "tests/support/property.h"

#include <map>

namespace carom::test {
namespace {

struct Grid {
  std::uint32_t columns, rows;                                         ///< of cells
  std::map<std::pair<std::uint32_t, std::uint32_t>, HeightSpan> spans; ///< of blocks of 4 x 4
  HeightSpan all;
};

Grid grid(Source& source) {
  Grid g;
  g.columns = static_cast<std::uint32_t>(1 + source.index(60));
  g.rows = static_cast<std::uint32_t>(1 + source.index(60));
  const double by = scale(source);
  static constexpr double bases[] = {0, 0, 1, -1e3, 1e9, 1e15};
  const double base = bases[source.index(6)];
  static constexpr double widths[] = {0, 1, 1e-6, 1e6};
  const double width = widths[source.index(4)];
  for (std::uint32_t y = 0; y < (g.rows + 3) / 4; ++y) {
    for (std::uint32_t x = 0; x < (g.columns + 3) / 4; ++x) {
      HeightSpan& span = g.spans[{x, y}];
      if (source.chance(4)) continue;
      const double a = real(source);
      const double b = real(source);
      span.add((base + a * width) * by);
      span.add((base + b * width) * by);
      g.all.add(span);
    }
  }
  return g;
}

HeightLevels levels_of(const Grid& g) {
  return {g.columns, g.rows, g.all, [&](std::uint32_t x, std::uint32_t y) {
            return g.spans.at({x, y});
          }};
}

PROPERTY(HeightLevels, HoldEverythingAndLittleMore) {
  const Grid g = grid(source);
  ASSUME(!g.all.empty());
  const HeightLevels levels = levels_of(g);
  const double width = g.all.high - g.all.low;
  const double size = std::max(std::fabs(g.all.low), std::fabs(g.all.high));
  // A tick on each side, and the rounding of a height.
  const double loose = width / 65535 * (1 + 1e-9) + 0x1p-52 * size;
  for (int level = HeightLevels::first; level <= levels.top(); ++level) {
    const std::uint32_t side = 1U << level;
    for (std::uint32_t y = 0; y * side < g.rows; ++y) {
      for (std::uint32_t x = 0; x * side < g.columns; ++x) {
        HeightSpan expected;
        for (const auto& [at, span] : g.spans)
          if (at.first * 4 / side == x && at.second * 4 / side == y) expected.add(span);
        const TickSpan ticks = levels.at(level, x, y);
        REQUIRE(ticks.empty() == expected.empty());
        if (ticks.empty()) continue;
        const HeightSpan found = levels.heights(ticks);
        REQUIRE(found.low <= expected.low && expected.high <= found.high);
        REQUIRE(expected.low - found.low <= loose && found.high - expected.high <= loose);
      }
    }
  }
  const std::uint32_t top = 1U << levels.top();
  REQUIRE(top >= g.columns && top >= g.rows);
  REQUIRE(levels.top() == HeightLevels::first || top / 2 < g.columns || top / 2 < g.rows);
}

TEST(HeightLevels, TheGreatestHeightHasATick) {
  for_each_seed(fewer_when_sanitized(100'000), [](Source& source) {
    const double a = real(source);
    const double b = halved_vec3(source, 60).x;
    HeightSpan all;
    all.add(a);
    all.add(a + b);
    const HeightLevels levels(1, 1, all, [&](std::uint32_t, std::uint32_t) { return all; });
    EXPECT_EQ(levels.height(0), all.low);
    EXPECT_GE(levels.height(0xffff), all.high);
    EXPECT_GT(levels.rise(), 0);
  });
}

// A height a last bit beside that of a tick, on either side.
TEST(HeightLevels, HeightsBesideTicks) {
  for_each_seed(fewer_when_sanitized(100'000), [](Source& source) {
    const double a = source.uniform(-1, 1);
    const double b = source.unit();
    const HeightSpan all{a, a + b};
    const auto levels_for = [&](const HeightSpan& span) {
      return HeightLevels(1, 1, all, [&](std::uint32_t, std::uint32_t) { return span; });
    };
    const double z = levels_for(all).height(static_cast<std::uint16_t>(source.index(65535)));
    const double beside =
        source.chance(2) ? std::nextafter(z, -INFINITY) : std::nextafter(z, INFINITY);
    if (!(beside >= all.low && beside <= all.high)) return;
    const HeightLevels levels = levels_for({beside, beside});
    const HeightSpan found = levels.heights(levels.at(HeightLevels::first, 0, 0));
    EXPECT_LE(found.low, beside);
    EXPECT_GE(found.high, beside);
  });
}

TEST(HeightLevels, AThirdOfAByteACell) {
  const HeightLevels levels(1024, 1024, {0, 1}, [](std::uint32_t, std::uint32_t) {
    return HeightSpan{0, 1};
  });
  EXPECT_LE(static_cast<double>(levels.bytes()), 0.334 * 1024 * 1024 + 1024);
}

} // namespace
} // namespace carom::test
