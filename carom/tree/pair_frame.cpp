#include "carom/tree/pair_frame.h"

#include <algorithm>

namespace carom {

PairFrame::PairFrame(const TreeFrame& a, const TreeFrame& b, const Frame& b_in_a)
    : unit(std::max(a.unit, b.unit)), scale_a(static_cast<float>(a.unit / unit)),
      scale_b(static_cast<float>(b.unit / unit)) {
  const Vec3 between = (b_in_a.to_world(b.center) - a.center) * (1 / unit);
  // Nothing is near when the centres are this far apart; farther, floats would only overflow.
  const Vec3 bounded = max(min(between, {0x1p40, 0x1p40, 0x1p40}), {-0x1p40, -0x1p40, -0x1p40});
  for (int i = 0; i < 3; ++i) {
    origin[i] = static_cast<float>(bounded[i]);
    for (int j = 0; j < 3; ++j) basis[i][j] = static_cast<float>(b_in_a.basis[j][i]);
  }
  // Doubles round as well, where the centres are far from the origins of the shapes.
  const double far = max_abs(b_in_a.origin) + max_abs(b.center) + max_abs(a.center);
  slack = tree_slack * (1 + static_cast<float>(max_abs(bounded))) +
          static_cast<float>(0x1p-49 * (far / unit));
}

} // namespace carom
