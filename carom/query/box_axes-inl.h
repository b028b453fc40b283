// The signed distance of boxes that overlap is the greatest gap along the three axes of A, the three of B and the nine cross products of both.
//
// The gap along any unit vector is a lower bound of the signed distance. So a rounded axis does no harm, as long as the boxes are projected on it as it
// stands. The usual short formulas for cross products suppose right angles; divided by the sine of the angle between nearly parallel
// edges, their rounding could be anything. So they are used to pass over axes, and one that remains is projected again as a unit vector.
//
// All three axes of a box at once in the lanes of a register, and no branches on what is a coin's toss: a wrong guess costs as much as three axes.
//
// Internal: for sources compiled once a target (foreach_target.h).
#include "carom/geometry/box.h"
#include "carom/math/tolerance.h"
#include "carom/query/lanes4-inl.h"

#include <algorithm>
#include <bit>
#include <cmath>

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

/// Where two boxes are, each seen from the other. Arrays, because axes are chosen at run time; the fourth numbers are 0.
struct BoxPair {
  Mat3 axes_a, axes_b; ///< in the world
  Vec3 center_a, center_b;
  double half_a[4], half_b[4];
  double r[3][4];  ///< r[i][j]: axis i of A . axis j of B
  double t_a[4];   ///< from A's centre to B's, along A's axes
  double t_b[4];   ///< from B's centre to A's, along B's axes
  double rounding; ///< how much a gap may be off

  HWY_INLINE BoxPair(const Obb& a, const Pose& pose_a, const Obb& b, const Pose& pose_b);
};

/// The axis of least overlap. The gap along it is minus the depth of boxes that overlap.
struct BoxAxis {
  enum class Kind { face_a, face_b, edges };
  Kind kind = Kind::face_a;
  int i = 0; ///< the axis of A, where it is a face of A or an edge
  int j = 0; ///< the axis of B, where it is a face of B or an edge
  double gap = 0;
  double n[3];    ///< edges only: a unit vector from A to B, in A's axes
  double on_b[3]; ///< edges only: the same in B's
};

/// Below this sine of their angle two edges count as parallel. What that loses is of the order of this part of an edge (geometry/separating_axis.h).
constexpr double parallel_sine = 1e-14;

constexpr int after(int i) { return i == 2 ? 0 : i + 1; }
constexpr int last(int i) { return i == 0 ? 2 : i - 1; }

/// Around its origin and along its axes. In one sum, so that there is one branch.
HWY_INLINE bool is_plain(const Obb& box) {
  const Mat3& m = box.axes;
  const Vec3 off = abs(Vec3{m.x.y, m.y.z, m.z.x}) + abs(Vec3{m.x.z, m.y.x, m.z.y}) +
                   abs(Vec3{m.x.x - 1, m.y.y - 1, m.z.z - 1}) + abs(box.center);
  return off.x + off.y + off.z == 0;
}

/// A box's axes in the world, and its centre from the pose's position: far from the world's origin nothing is lost.
HWY_INLINE void place(const Obb& box, const Pose& pose, Mat3& axes, Vec3& offset) {
  axes = to_matrix(pose.rotation);
  if (is_plain(box)) return;
  offset = axes * box.center;
  axes = axes * box.axes;
}

/// Component k of all three axes.
struct Components {
  Lanes4 x, y, z;

  HWY_INLINE explicit Components(const Mat3& m)
      : x(lanes4(m.x.x, m.y.x, m.z.x, 0)), y(lanes4(m.x.y, m.y.y, m.z.y, 0)),
        z(lanes4(m.x.z, m.y.z, m.z.z, 0)) {}

  /// All three axes . v.
  HWY_INLINE Lanes4 dot(const Vec3& v) const {
    return x * all4(v.x) + y * all4(v.y) + z * all4(v.z);
  }
};

/// Edge i of A with all edges of B: how good they are at most, as gap * |gap|; minus infinity for parallel ones. No roots.
template<int i>
HWY_INLINE Lanes4 rate_edges(const BoxPair& p, const Lanes4 (&row)[3], const Lanes4& half1,
                             const Lanes4& half2) {
  constexpr int i1 = after(i);
  constexpr int i2 = last(i);
  const Lanes4& u = row[i1];
  const Lanes4& v = row[i2];
  const Lanes4 side = abs4(row[i]);
  const Lanes4 length_squared = u * u + v * v;
  const Lanes4 reach = all4(p.half_a[i1]) * abs4(v) + all4(p.half_a[i2]) * abs4(u) +
                       half1 * shuffled4<2, 0, 1, 3>(side) + half2 * shuffled4<1, 2, 0, 3>(side);
  const Lanes4 apart = abs4(all4(p.t_a[i2]) * u - all4(p.t_a[i1]) * v);
  const Lanes4 gap = apart + all4(p.rounding) - reach;
  const Mask4 crossing = all4(parallel_sine * parallel_sine) < length_squared;
  return select4(crossing, gap * abs4(gap) / length_squared, all4(-INFINITY));
}

/// The boxes projected on the cross product of axes i and j.
HWY_INLINE BoxAxis project(const BoxPair& p, int i, int j) {
  const int i1 = after(i);
  const int i2 = last(i);
  const double u = p.r[i1][j];
  const double v = p.r[i2][j];
  const double* t = p.t_a;
  BoxAxis e;
  e.kind = BoxAxis::Kind::edges;
  e.i = i;
  e.j = j;
  const double scale = std::copysign(1 / std::sqrt(u * u + v * v), t[i2] * u - t[i1] * v);
  e.n[i] = 0;
  e.n[i1] = -v * scale;
  e.n[i2] = u * scale;
  e.gap = t[i1] * e.n[i1] + t[i2] * e.n[i2] -
          (p.half_a[i1] * std::fabs(e.n[i1]) + p.half_a[i2] * std::fabs(e.n[i2]));
  for (int k = 0; k < 3; ++k) {
    e.on_b[k] = e.n[i1] * p.r[i1][k] + e.n[i2] * p.r[i2][k];
    e.gap -= p.half_b[k] * std::fabs(e.on_b[k]);
  }
  return e;
}

HWY_INLINE BoxPair::BoxPair(const Obb& a, const Pose& pose_a, const Obb& b, const Pose& pose_b) {
  Vec3 offset_a, offset_b;
  place(a, pose_a, axes_a, offset_a);
  place(b, pose_b, axes_b, offset_b);
  center_a = pose_a.position + offset_a;
  center_b = pose_b.position + offset_b;
  const Components all_a(axes_a);
  const Components all_b(axes_b);
  const Vec3 between = pose_b.position - pose_a.position + (offset_b - offset_a);
  store4(all_a.dot(between), t_a);
  store4(all_b.dot(-between), t_b);
  store4(all_b.dot(axes_a.x), r[0]);
  store4(all_b.dot(axes_a.y), r[1]);
  store4(all_b.dot(axes_a.z), r[2]);
  store4(lanes4(a.half.x, a.half.y, a.half.z, 0), half_a);
  store4(lanes4(b.half.x, b.half.y, b.half.z, 0), half_b);
  const double size = max_abs(a.half) + max_abs(b.half) + max_abs(between) +
                      (max_abs(offset_a) + max_abs(offset_b));
  rounding = 16 * tolerance::epsilon * size;
}

/// Stops at the first gap above `enough`. Of axes that are equally good to within rounding, A's faces come before B's, both before edges, lower numbers first; so
/// the gap is the greatest of all, or less by at most twice the rounding.
HWY_INLINE BoxAxis best_axis(const BoxPair& p, double enough) {
  const Lanes4 row[3] = {load4(p.r[0]), load4(p.r[1]), load4(p.r[2])};
  const Lanes4 column[3] = {lanes4(p.r[0][0], p.r[1][0], p.r[2][0], 0),
                            lanes4(p.r[0][1], p.r[1][1], p.r[2][1], 0),
                            lanes4(p.r[0][2], p.r[1][2], p.r[2][2], 0)};
  const Lanes4 half_b = load4(p.half_b);
  const auto gaps = [](const double* t, const double* half, const Lanes4(&other)[3],
                       const double* other_half) HWY_ATTR {
    return abs4(load4(t)) - lanes4(half[0], half[1], half[2], INFINITY) -
           (abs4(other[0]) * all4(other_half[0]) + abs4(other[1]) * all4(other_half[1]) +
            abs4(other[2]) * all4(other_half[2]));
  };
  const Lanes4 gap_a = gaps(p.t_a, p.half_a, column, p.half_b);
  const Lanes4 gap_b = gaps(p.t_b, p.half_b, row, p.half_a);
  // The first of those within rounding of the greatest, A's before B's.
  const Lanes4 enough_gap = all4(greatest4(max4(gap_a, gap_b)) - p.rounding);
  const int first = std::countr_zero(bits4(enough_gap <= gap_a) | bits4(enough_gap <= gap_b) << 4);
  double gap[8];
  store4(gap_a, gap);
  store4(gap_b, gap + 4);
  BoxAxis best;
  best.kind = first < 4 ? BoxAxis::Kind::face_a : BoxAxis::Kind::face_b;
  best.i = best.j = first % 4;
  best.gap = gap[first % 8];
  if (best.gap > enough) return best;

  const Lanes4 half1 = shuffled4<1, 2, 0, 3>(half_b);
  const Lanes4 half2 = shuffled4<2, 0, 1, 3>(half_b);
  Lanes4 rate[3] = {rate_edges<0>(p, row, half1, half2), rate_edges<1>(p, row, half1, half2),
                    rate_edges<2>(p, row, half1, half2)};
  // One by one, the best first, as long as they promise more than is known. The fourth lanes are minus infinity.
  for (int tries = 0; tries < 9; ++tries) {
    const double bar = best.gap + p.rounding;
    const double promise = greatest4(max4(max4(rate[0], rate[1]), rate[2]));
    if (!(promise > bar * std::fabs(bar))) break;
    const Lanes4 wanted = all4(promise);
    unsigned found = 0;
    for (unsigned i = 0; i < 3; ++i) found |= bits4(wanted <= rate[i]) << (4 * i);
    const int k = std::countr_zero(found);
    const Lanes4 number = lanes4(0, 1, 2, 3);
    const Mask4 others = ~((all4(k % 4) <= number) & (number <= all4(k % 4)));
    rate[k / 4] = select4(others, rate[k / 4], all4(-INFINITY));
    const BoxAxis e = project(p, k / 4, k % 4);
    if (e.gap > bar) best = e;
  }
  return best;
}

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#endif // per-target guard
