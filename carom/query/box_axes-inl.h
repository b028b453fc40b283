// The signed distance of boxes that overlap is the greatest gap along the three axes of A, the three of B and the nine cross products of both.
//
// The gap along any unit vector is a lower bound of the signed distance. So a rounded axis does no harm, as long as the boxes are projected on it as it
// stands. The usual short formulas for cross products suppose right angles; divided by the sine of the angle between nearly parallel
// edges, their rounding could be anything. So they are used to pass over axes, and one that remains is projected again as a unit vector.
//
// All three axes of a box at once in the lanes of a register, and no branches on what is a coin's toss: a wrong guess costs as much as three axes. Which
// box it is about is a number, not a branch: both are kept in the same form, each as it sees the other.
//
// Internal: for sources compiled once a target (foreach_target.h).
#include "carom/geometry/box.h"
#include "carom/math/tolerance.h"
#include "carom/math/wide.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>

// The per-target include guard that Highway asks for.
#if defined(CAROM_QUERY_BOX_AXES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CAROM_QUERY_BOX_AXES_INL_H_
#undef CAROM_QUERY_BOX_AXES_INL_H_
#else
#define CAROM_QUERY_BOX_AXES_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {

/// A box, and where the other is as seen from it. Arrays, because axes are chosen at run time; the fourth numbers are 0.
struct alignas(32) BoxView {
  double row[3][4]; ///< row[k][i]: in the world, coordinate k of axis i
  double half[4];
  double t[4];      ///< from this box's centre to the other's, along the own axes
  double r[3][4];   ///< r[i][j]: own axis i . the other's axis j
  double center[4]; ///< in the world

  [[nodiscard]] HWY_INLINE Double4 axis(int i) const {
    return lanes4(row[0][i], row[1][i], row[2][i], 0);
  }
  /// A vector given in the own axes, in the world.
  [[nodiscard]] HWY_INLINE Double4 to_world(const double* v) const {
    return axis(0) * all4(v[0]) + axis(1) * all4(v[1]) + axis(2) * all4(v[2]);
  }
};
struct BoxPair {
  BoxView of[2];   ///< A, B
  double rounding; ///< how much a gap may be off

  /// `size` is that of both shapes together.
  HWY_INLINE BoxPair(const Obb& a, const Pose& pose_a, const Obb& b, const Pose& pose_b,
                     double size);
};

/// The axis of least overlap. The gap along it is minus the depth of boxes that overlap.
struct BoxAxis {
  bool edges = false; ///< the cross product of A's axis i and B's axis j
  int box = 0;        ///< else: the axis of a face of A (0) or B (1), number i
  int i = 0, j = 0;
  double gap = 0;
  /// Edges only: unit vectors toward the other box, in A's axes and in B's.
  alignas(32) double toward[2][4];
};

/// Below this sine of their angle two edges count as parallel. What that loses is of the order of this part of an edge (geometry/separating_axis.h).
constexpr double parallel_sine = 1e-14;

constexpr int after(int i) { return i == 2 ? 0 : i + 1; }
constexpr int last(int i) { return i == 0 ? 2 : i - 1; }

/// A box's axis as a vector in its own axes.
constexpr double unit[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};

/// What is left of a vector in a box's axes without an axis.
constexpr double beside[3][4] = {{0, 1, 1, 0}, {1, 0, 1, 0}, {1, 1, 0, 0}};

/// Three lanes.
HWY_INLINE Vec3 vec3(const Double4& v) {
  double lanes[4];
  store4(v, lanes);
  return {lanes[0], lanes[1], lanes[2]};
}

/// Three rows of a matrix.
struct Rows {
  Double4 x, y, z;

  /// The columns . v.
  [[nodiscard]] HWY_INLINE Double4 dot(double vx, double vy, double vz) const {
    return x * all4(vx) + y * all4(vy) + z * all4(vz);
  }
  [[nodiscard]] HWY_INLINE Double4 dot(const Double4& v) const {
    return x * shuffled4<0, 0, 0, 0>(v) + y * shuffled4<1, 1, 1, 1>(v) +
           z * shuffled4<2, 2, 2, 2>(v);
  }
};

/// The rows of to_matrix(q), by the same operations: with e = 2 / |q|^2 and products such as xy = e (q.x q.y),
///   1 - (yy + zz), xy - zw, zx + yw;   xy + zw, 1 - (zz + xx), yz - xw;   zx - yw, yz + xw, 1 - (xx + yy).
HWY_INLINE Rows rows_of(const Quat& q) {
  const double l2 = length_squared(q);
  if (!(l2 >= 1e-300 && l2 < INFINITY)) {
    return {lanes4(1, 0, 0, 0), lanes4(0, 1, 0, 0), lanes4(0, 0, 1, 0)};
  }
  const Double4 v = lanes4(q.x, q.y, q.z, 0);
  const Double4 e = all4(2 / l2);
  const Double4 squares = v * v;
  const Double4 two_squares =
      e * shuffled4<1, 2, 0, 3>(squares) + e * shuffled4<2, 0, 1, 3>(squares);
  const Double4 with_w = e * (v * all4(q.w));
  const Double4 one = all4(1);
  return {
      blended4<0, 1, 1, 1>(one, e * (v * all4(q.x))) +
          blended4<0, 1, 1, 1>(two_squares, shuffled4<3, 2, 1, 3>(with_w)) * lanes4(-1, -1, 1, 1),
      blended4<1, 0, 1, 1>(one, e * (v * all4(q.y))) +
          blended4<1, 0, 1, 1>(two_squares, shuffled4<2, 3, 0, 3>(with_w)) * lanes4(1, -1, -1, 1),
      blended4<1, 1, 0, 1>(one, e * (v * all4(q.z))) +
          blended4<1, 1, 0, 1>(two_squares, shuffled4<1, 0, 3, 3>(with_w)) * lanes4(-1, 1, -1, 1)};
}

/// How far a box is from one around its origin and along its axes: center and axes, one number after the other.
HWY_INLINE Double4 placement(const Obb& box) {
  static_assert(sizeof box == 15 * sizeof(double) && std::is_standard_layout_v<Obb>);
  const auto* numbers = reinterpret_cast<const double*>(&box);
  const Double4 plain = lanes4(0, 0, 0, 1);
  return abs4(load4(numbers) - plain) + abs4(load4(numbers + 4) - plain) +
         abs4(load4(numbers + 8) - plain);
}

/// A position in three lanes, and 0.
HWY_INLINE Double4 position_of(const Pose& pose) {
  static_assert(sizeof pose == 7 * sizeof(double) && std::is_standard_layout_v<Pose>);
  const Double4 last_four = load4(reinterpret_cast<const double*>(&pose) + 3); // w, x, y, z
  return blended4<0, 0, 0, 1>(shuffled4<1, 2, 3, 0>(last_four), all4(0));
}

/// The axes of a box that is placed in its shape, in the world, and its centre from the pose's position: far from the world's origin nothing is lost.
HWY_INLINE void place(const Obb& box, const Pose& pose, Rows& rows, Double4& offset) {
  const Mat3 turned = to_matrix(pose.rotation);
  const Vec3 center = turned * box.center;
  const Mat3 axes = turned * box.axes;
  offset = lanes4(center.x, center.y, center.z, 0);
  rows = {lanes4(axes.x.x, axes.y.x, axes.z.x, 0), lanes4(axes.x.y, axes.y.y, axes.z.y, 0),
          lanes4(axes.x.z, axes.y.z, axes.z.z, 0)};
}

HWY_INLINE void fill(BoxView& view, const Obb& box, const Rows& own, const Rows& other,
                     const Double4& center, const Double4& to_other) {
  store4(own.x, view.row[0]);
  store4(own.y, view.row[1]);
  store4(own.z, view.row[2]);
  store4(lanes4(box.half.x, box.half.y, box.half.z, 0), view.half);
  store4(own.dot(to_other), view.t);
  for (int i = 0; i < 3; ++i) {
    store4(other.dot(view.row[0][i], view.row[1][i], view.row[2][i]), view.r[i]);
  }
  store4(center, view.center);
}

HWY_INLINE BoxPair::BoxPair(const Obb& a, const Pose& pose_a, const Obb& b, const Pose& pose_b,
                            double size) {
  Rows rows_a = rows_of(pose_a.rotation);
  Rows rows_b = rows_of(pose_b.rotation);
  Double4 offset_a = all4(0);
  Double4 offset_b = all4(0);
  if (bits4(placement(a) + placement(b) <= all4(0)) != 15) [[unlikely]] {
    place(a, pose_a, rows_a, offset_a);
    place(b, pose_b, rows_b, offset_b);
  }
  const Double4 position_a = position_of(pose_a);
  const Double4 position_b = position_of(pose_b);
  const Double4 between = position_b - position_a + (offset_b - offset_a);
  fill(of[0], a, rows_a, rows_b, position_a + offset_a, between);
  fill(of[1], b, rows_b, rows_a, position_b + offset_b, all4(0) - between);
  rounding = 16 * tolerance::epsilon * (size + first4(greatest4(abs4(between))));
}

/// Edge i of A with all edges of B: how good they are at most, as gap * |gap|; very little for parallel ones. No roots.
template<int i>
HWY_INLINE Double4 rate_edges(const BoxPair& p, const Double4 (&row)[3], const Double4& half1,
                              const Double4& half2) {
  constexpr int i1 = after(i);
  constexpr int i2 = last(i);
  const BoxView& a = p.of[0];
  const Double4& u = row[i1];
  const Double4& v = row[i2];
  const Double4 side = abs4(row[i]);
  const Double4 length_squared = u * u + v * v;
  const Double4 reach = (all4(a.half[i1]) * abs4(v) + all4(a.half[i2]) * abs4(u)) +
                        (half1 * shuffled4<2, 0, 1, 3>(side) + half2 * shuffled4<1, 2, 0, 3>(side));
  const Double4 apart = abs4(all4(a.t[i2]) * u - all4(a.t[i1]) * v);
  const Double4 gap = apart + all4(p.rounding) - reach;
  const Mask4 crossing = all4(parallel_sine * parallel_sine) < length_squared;
  return select4(crossing, gap * abs4(gap) / length_squared, all4(-1e300));
}

/// v[0] + v[1] + v[2].
HWY_INLINE double sum_of_three(const Double4& v) {
  return first4(v) + first4(shuffled4<1, 1, 1, 1>(v)) + first4(shuffled4<2, 2, 2, 2>(v));
}

/// The boxes projected on the cross product of axes i and j; taken if it is better than the best so far.
HWY_INLINE void try_edges(const BoxPair& p, int i, int j, BoxAxis& best) {
  const BoxView& a = p.of[0];
  const int i1 = after(i);
  const int i2 = last(i);
  const double u = a.r[i1][j];
  const double v = a.r[i2][j];
  const double scale = std::copysign(1 / std::sqrt(u * u + v * v), a.t[i2] * u - a.t[i1] * v);
  const double n1 = -v * scale;
  const double n2 = u * scale;
  const Double4 on_b = all4(n1) * load4(a.r[i1]) + all4(n2) * load4(a.r[i2]);
  const double gap = (a.t[i1] * n1 + a.t[i2] * n2) -
                     (a.half[i1] * std::fabs(n1) + a.half[i2] * std::fabs(n2)) -
                     sum_of_three(load4(p.of[1].half) * abs4(on_b));
  if (!(gap > best.gap + p.rounding)) return;
  best.edges = true;
  best.i = i;
  best.j = j;
  best.gap = gap;
  // Stored as one: it will be loaded as one.
  store4(all4(n1) * load4(unit[i1]) + all4(n2) * load4(unit[i2]), best.toward[0]);
  store4(all4(0) - on_b, best.toward[1]);
}

/// Stops at the first gap above `enough`. Of axes that are equally good to within rounding, A's faces come before B's, both before edges, lower numbers first; so
/// the gap is the greatest of all, or less by at most twice the rounding.
HWY_INLINE BoxAxis best_axis(const BoxPair& p, double enough) {
  const BoxView& a = p.of[0];
  const BoxView& b = p.of[1];
  const Double4 row[3] = {load4(a.r[0]), load4(a.r[1]), load4(a.r[2])};
  const Double4 column[3] = {load4(b.r[0]), load4(b.r[1]), load4(b.r[2])};
  const auto gaps = [](const BoxView& own, const Double4(&other)[3],
                       const double* other_half) HWY_ATTR {
    return (abs4(load4(own.t)) - (load4(own.half) + lanes4(0, 0, 0, INFINITY))) -
           (abs4(other[0]) * all4(other_half[0]) + abs4(other[1]) * all4(other_half[1]) +
            abs4(other[2]) * all4(other_half[2]));
  };
  const Double4 gap_a = gaps(a, column, b.half);
  const Double4 gap_b = gaps(b, row, a.half);
  // The first of those within rounding of the greatest, A's before B's.
  const Double4 enough_gap = greatest4(max4(gap_a, gap_b)) - all4(p.rounding);
  const int first = std::countr_zero(bits4(enough_gap <= gap_a) | bits4(enough_gap <= gap_b) << 4);
  alignas(32) double gap[8];
  store4(gap_a, gap);
  store4(gap_b, gap + 4);
  BoxAxis best;
  best.box = first / 4;
  best.i = first % 4;
  best.gap = gap[first % 8];
  if (best.gap > enough) return best;

  const Double4 half_b = load4(b.half);
  const Double4 half1 = shuffled4<1, 2, 0, 3>(half_b);
  const Double4 half2 = shuffled4<2, 0, 1, 3>(half_b);
  const Double4 rate[3] = {
      numbered4<0, 1, 2, 3>(rate_edges<0>(p, row, half1, half2)),
      numbered4<4, 5, 6, 7>(rate_edges<1>(p, row, half1, half2)),
      numbered4<8, 9, 10, 11>(rate_edges<2>(p, row, half1, half2)),
  };
  const double most = first4(greatest4(max4(max4(rate[0], rate[1]), rate[2])));
  const double bar = best.gap + p.rounding;
  if (!(most > bar * std::fabs(bar))) return best;
  // The most promising one, then others as long as they promise more than is known.
  const unsigned first_edge = 1u << (std::bit_cast<std::uint64_t>(most) & 15);
  for (unsigned left = first_edge, tried = 0; left != 0;) {
    const int k = std::countr_zero(left);
    tried |= 1u << k;
    try_edges(p, k / 4, k % 4, best);
    const double least = best.gap + p.rounding;
    const Double4 wanted = all4(least * std::fabs(least));
    left = (bits4(wanted < rate[0]) | bits4(wanted < rate[1]) << 4 | bits4(wanted < rate[2]) << 8) &
           ~tried;
  }
  return best;
}

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#endif // per-target guard
