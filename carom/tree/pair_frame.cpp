// What doubles are off by. Let e = 2^-53, and |v| the greatest coordinate of v; a row of a rotation times v is at most 1.75 |v|. Placing a corner of B rounds it by at most
// 4 e 1.75 |corner| + e |origin| + e |placed|, and so it is for the centre of B: together less than 16 e |center of B| + 2 e |origin| and two roundings of the result, of which only
// what is `between` the centres can be much more than those: 4 e |between|, with that of the difference. In the common unit a corner goes on through a difference and a turn into the
// other frame, 7 e (1 + |between|), whose basis is orthonormal to a few e: again as much. In all
//   e (16 |center of B| + 4 |origin| + 20 |between| + 16 units).
//
// The tolerance. Along an axis the slack is taken eight times at most: two for each end of a pair, and four for the gap (near_walk-inl.h); between boxes six times. A pair that is in
// truth no nearer than the best found is thus ruled out for certain where ten times the slack are given away: less than 3e-14 of the numbers above.
#include "carom/tree/pair_frame.h"

#include <algorithm>
#include <type_traits>

namespace carom {

template<class Real>
PairFrameOf<Real>::PairFrameOf(const TreeFrame& a, const TreeFrame& b, const Frame& b_in_a)
    : unit(std::max(a.unit, b.unit)), scale_a(static_cast<Real>(a.unit / unit)),
      scale_b(static_cast<Real>(b.unit / unit)) {
  constexpr bool in_floats = std::is_same_v<Real, float>;
  Vec3 between = (b_in_a.to_world(b.center) - a.center) * (1 / unit);
  // Nothing is near when the centres are this far apart; farther, floats would only overflow.
  constexpr double most = 0x1p40;
  if (in_floats) between = max(min(between, {most, most, most}), {-most, -most, -most});
  for (int i = 0; i < 3; ++i) {
    origin[i] = static_cast<Real>(between[i]);
    for (int j = 0; j < 3; ++j) basis[i][j] = static_cast<Real>(b_in_a.basis[j][i]);
  }
  const double rounding = 0x1p-53 * ((16 * max_abs(b.center) + 4 * max_abs(b_in_a.origin)) / unit +
                                     20 * max_abs(between) + 16);
  const double in_lanes = in_floats ? tree_slack * (1 + max_abs(between)) : 0;
  slack = static_cast<Real>(in_lanes + rounding);
  blurred = rounding > 0x1p-6;
  if (!in_floats || blurred) tolerance = 10 * rounding;
}

template struct PairFrameOf<float>;
template struct PairFrameOf<double>;

namespace {

double greatest_origin(const PairFrame& f) {
  const float most =
      std::max({std::fabs(f.origin[0]), std::fabs(f.origin[1]), std::fabs(f.origin[2])});
  return static_cast<double>(most);
}

} // namespace

bool floats_do_for_distance(const PairFrame& f) {
  return greatest_origin(f) <= 3 && std::min(f.scale_a, f.scale_b) >= 0x1p-8F;
}

bool floats_do_for_overlap(const PairFrame& f) {
  // Far apart, the roots are told apart at once.
  return std::min(f.scale_a, f.scale_b) >= 0x1p-8F;
}

} // namespace carom
