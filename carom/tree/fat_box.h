// Boxes somewhat larger than what they hold, so that it may move a little without anything having to be done.
#pragma once

#include "carom/geometry/box.h"

namespace [[gnu::visibility("default")]] carom {

/// How much larger.
struct FatBoxRule {
  /// By this on all sides: a length. 0 to 1e30.
  double margin = 0;
  /// And by this times the longest edge of the box. 0 to 16. 0: fat is tight, and nothing moves for free. 1: boxes three times as long, moves that are free for longer, and many more pairs.
  double relative_margin = 0.1;
  /// A box that moves is made longer in that direction: by so many times the displacement, but no more than its longest edge and the margin.
  double prediction = 2;

  /// The rule with its numbers brought into their ranges; what is no number is 0.
  [[nodiscard]] FatBoxRule in_range() const;
  /// Around a box that moves by so much. A component of the displacement that is NaN counts as zero; an infinite one, as far as the prediction goes.
  [[nodiscard]] Aabb around(const Aabb& box, const Vec3& displacement) const;
  /// Whether the fat box may stay: it holds the box, and is not more than twice as long as any made for a box of this size.
  [[nodiscard]] bool still_fits(const Aabb& fat, const Aabb& box) const {
    return room(fat, box) >= 0;
  }
  /// By how much all sides of the box may still move, in or out: as long as the fat box may stay. Negative or NaN where it may not.
  [[nodiscard]] double room(const Aabb& fat, const Aabb& box) const;

private:
  [[nodiscard]] double margin_for(double longest_edge) const;
};

} // namespace carom
