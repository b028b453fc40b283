// Ticks are chosen by what height() makes of them, so a span in ticks holds the heights it was made from without any slack.
#include "carom/shape/height_levels.h"

#include <algorithm>

namespace carom {
namespace {

constexpr double last_tick = 0xffff;

std::uint32_t halved(std::uint32_t n) { return n / 2 + n % 2; }

} // namespace

HeightLevels::HeightLevels(std::uint32_t cell_columns, std::uint32_t cell_rows,
                           const HeightSpan& all,
                           FunctionRef<HeightSpan(std::uint32_t x, std::uint32_t y)> span_of) {
  set_scale(all);
  Level next{0, halved(halved(cell_columns)), halved(halved(cell_rows))};
  std::size_t count = 0;
  levels_.reserve(most);
  while (true) {
    levels_.push_back(next);
    count += std::size_t{next.columns} * next.rows;
    if (next.columns == 1 && next.rows == 1) break;
    next = {count, halved(next.columns), halved(next.rows)};
  }
  ticks_.resize(count);
  const Level& lowest = levels_.front();
  for (std::uint32_t y = 0; y < lowest.rows; ++y)
    for (std::uint32_t x = 0; x < lowest.columns; ++x)
      ticks_[std::size_t{lowest.columns} * y + x] = outward(span_of(x, y));
  for (std::size_t i = 1; i < levels_.size(); ++i) fill(levels_[i], levels_[i - 1]);
}

// The last tick is at the greatest height or above it: the width is made greater by 8 half-epsilons, of which four roundings take at most four back.
void HeightLevels::set_scale(const HeightSpan& all) {
  base_ = all.low;
  const double width = all.high - all.low;
  rise_ = width > 0 ? width * (1 + 0x1p-50) / last_tick : 1;
}

TickSpan HeightLevels::outward(const HeightSpan& span) const {
  if (span.empty()) return {};
  const auto tick_near = [&](double z) {
    return static_cast<std::uint16_t>(std::clamp((z - base_) / rise_, 0.0, last_tick));
  };
  // The division may round to a tick beyond; the loops end after one or two steps.
  TickSpan result{tick_near(span.low), tick_near(span.high)};
  while (result.low > 0 && height(result.low) > span.low) --result.low;
  while (result.high < last_tick && height(result.high) < span.high) ++result.high;
  return result;
}

void HeightLevels::fill(const Level& level, const Level& below) {
  for (std::uint32_t y = 0; y < below.rows; ++y) {
    for (std::uint32_t x = 0; x < below.columns; ++x) {
      const TickSpan& from = ticks_[below.start + std::size_t{below.columns} * y + x];
      TickSpan& to = ticks_[level.start + std::size_t{level.columns} * (y / 2) + x / 2];
      to.low = std::min(to.low, from.low);
      to.high = std::max(to.high, from.high);
    }
  }
}

} // namespace carom
