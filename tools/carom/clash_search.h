// Which parts of an assembly overlap, touch, or are nearer to each other than they should be.
#pragma once

#include "carom/query/answer.h"
#include "tools/carom/clash_parts.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace carom::tool {

enum class ClashKind : std::uint8_t {
  overlapping, ///< deeper than the touch
  touching,    ///< no deeper than the touch in each other, and no farther than that apart
  near,        ///< apart, and nearer than the clearance
};

struct Clash {
  std::size_t a = 0, b = 0; ///< parts, a < b
  ClashKind kind = ClashKind::near;
  Distance distance{};       ///< 0 where they overlap or touch
  Penetration penetration{}; ///< where overlapping
  /// Where overlapping: how deep the deepest vertex of the one is inside of the other, and which it is; 0 where none is (edges cross, or the parts are open).
  double deepest = 0;
  Vec3 deepest_vertex{};

  /// Whether penetration.depth is no more than an upper bound of the depth, with another below.
  [[nodiscard]] bool depth_is_bound() const { return penetration.status == Status::wide; }
};

struct ClashOptions {
  double clearance = 0;
  /// A length. None: a millionth of the greatest coordinate of the two parts, which is some roundings of floats.
  std::optional<double> touch;
  unsigned threads = 1;
};

struct ClashReport {
  double clearance = 0;       ///< that was asked for
  std::size_t candidates = 0; ///< pairs whose boxes are near enough, all of which were measured
  /// Overlapping ones first, the deepest first; then those that touch; then the near ones, the nearest first.
  std::vector<Clash> clashes;

  [[nodiscard]] std::size_t count(ClashKind kind) const;
  /// Whether it is what was looked for: it overlaps, or is nearer than the clearance. What touches is so where a clearance is wanted.
  [[nodiscard]] bool is_finding(const Clash& clash) const;
};

[[nodiscard]] ClashReport find_clashes(const std::vector<Part>& parts, const ClashOptions& options);

} // namespace carom::tool
