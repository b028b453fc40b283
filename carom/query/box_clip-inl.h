// What a face of one box and the other box have in common, seen along a direction; and the choice of four points of it.
//
// The reference face is a rectangle, the other box's face that looks at it a parallelogram above it. All in the rectangle's own axes: u and v, and up.
//
// Sixteen points may be corners of what they have in common: the four corners of the parallelogram; the four corners of the rectangle; where each of the
// four edges of the parallelogram enters the rectangle, and where it leaves. All are computed, four at a time, and those that are wanted are marked. The points are
// chosen from where they lie, in lanes as well: no list of them is made, no branch depends on which they are.
//
// Internal: for sources compiled once a target (foreach_target.h).
#include "carom/query/box_axes-inl.h"
#include "carom/query/contact_patch.h"

#include <bit>
#include <cmath>

// The per-target include guard that Highway asks for.
#if defined(CAROM_QUERY_BOX_CLIP_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef CAROM_QUERY_BOX_CLIP_INL_H_
#undef CAROM_QUERY_BOX_CLIP_INL_H_
#else
#define CAROM_QUERY_BOX_CLIP_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {

constexpr std::uint32_t edge_number(int axis, bool end1, bool end2) {
  const auto e = static_cast<std::uint32_t>(4 * axis + (end1 ? 1 : 0) + (end2 ? 2 : 0));
  return packed({FeatureKind::edge, e});
}
constexpr std::uint32_t face_number(int axis, bool far_end) {
  return packed({FeatureKind::face, static_cast<std::uint32_t>(2 * axis + (far_end ? 1 : 0))});
}
constexpr std::uint32_t corner_number(int axis, bool end, bool end1, bool end2) {
  const auto bit = [](bool far_end, int k) { return static_cast<std::uint32_t>(far_end) << k; };
  return packed(
      {FeatureKind::vertex, bit(end, axis) | bit(end1, after(axis)) | bit(end2, last(axis))});
}

/// The features of a box around one of its faces, as feature.h numbers them: looked up rather than computed.
struct FaceFeatures {
  /// As the reference: the face; its four corners, bit 0 for the far end of the axis that follows that of the face, bit 1 for that of the one after; its four
  /// sides: across the axis that follows, at the near and the far end, and across the one after, the same.
  /// As doubles, which go through lanes.
  double own_face = 0;
  double own_corner[4] = {}, own_side[4] = {};
  /// As the one that looks at it, by number of the point: the corners around it, the face, and the edges, to enter and to leave. The edges: along p at
  /// q's near end, along q at p's far end, along p at q's far end, along q at p's near end.
  std::uint32_t other[16] = {};

  constexpr FaceFeatures(int axis, bool far_end) {
    const int p = after(axis);
    const int q = last(axis);
    own_face = face_number(axis, far_end);
    for (int k = 0; k < 4; ++k) {
      own_corner[k] = corner_number(axis, far_end, k % 2 == 1, k >= 2);
      own_side[k] = k < 2 ? edge_number(q, far_end, k == 1) : edge_number(p, k == 3, far_end);
      const bool far_p = k == 1 || k == 2;
      other[k] = corner_number(axis, far_end, far_p, k >= 2);
      other[4 + k] = face_number(axis, far_end);
      other[8 + k] = other[12 + k] =
          k % 2 == 0 ? edge_number(p, k == 2, far_end) : edge_number(q, far_end, k == 1);
    }
  }
};
/// By face number.
inline constexpr FaceFeatures face_features[6] = {{0, false}, {0, true},  {1, false},
                                                  {1, true},  {2, false}, {2, true}};

/// Up to four of the sixteen, by number, the deepest first.
struct FourPoints {
  int index[4];
  int count;
};

class FaceClip {
public:
  static constexpr int points = 16;

  /// `n` is the direction to project along: outward from face `axis` of `own`, in the own axes, or a little aside. Points above `limit` are left out.
  HWY_INLINE FaceClip(const BoxView& own, const BoxView& other, int axis, const double* n,
                      double rounding, double limit);

  /// The deepest of all; infinite where there is none.
  [[nodiscard]] HWY_INLINE double least() const { return first4(least_); }
  /// By the rule of choose_four (contact_patch.h), where the lowest number takes the place of the lowest id.
  [[nodiscard]] HWY_INLINE FourPoints choose(double same) const;
  /// All, but those that coincide with one of lower number.
  [[nodiscard]] HWY_INLINE unsigned distinct(double same) const;

  [[nodiscard]] HWY_INLINE double x(int k) const { return x_[k]; }
  [[nodiscard]] HWY_INLINE double y(int k) const { return y_[k]; }
  [[nodiscard]] HWY_INLINE double z(int k) const { return z_[k]; }
  /// What meets in point k: the own feature in the upper half, the other's in the lower.
  [[nodiscard]] HWY_INLINE std::uint64_t id(int k) const;

private:
  struct Point {
    double x, y, z;
  };

  HWY_INLINE void look_at_face(const BoxView& own, const BoxView& other, int i, const double* n);
  HWY_INLINE void put(int group, const Double4& x, const Double4& y, const Double4& z,
                      const Mask4& wanted, double limit);
  HWY_INLINE void put_own_corners(double hu, double hv, double rounding, double limit);
  HWY_INLINE void put_edges(const Double4& x, const Double4& y, const Double4& z,
                            const Mask4& inside, double hu, double hv, double limit);
  [[nodiscard]] HWY_INLINE FourPoints all_of(int first, double same) const;
  HWY_INLINE void remove_coinciding(FourPoints& four, double same) const;
  [[nodiscard]] HWY_INLINE FourPoints best_of(int first, double same) const;
  [[nodiscard]] HWY_INLINE bool coincide(int i, int k, double same) const {
    return std::max(std::fabs(x_[i] - x_[k]), std::fabs(y_[i] - y_[k])) <= same;
  }

  Point middle_, p_, q_; ///< of the parallelogram: its middle, and half its sides
  const FaceFeatures *own_, *other_;
  Double4 low_, least_;
  unsigned wanted_ = 0;
  bool clipped_ = false;             ///< there are more than the first four
  alignas(32) double x_[points + 3]; ///< the last three stand for none
  alignas(32) double y_[points + 3];
  alignas(32) double z_[points];       ///< infinite for those that are not wanted
  alignas(32) double feature_[points]; ///< of the reference
};

HWY_INLINE FaceClip::FaceClip(const BoxView& own, const BoxView& other, int axis, const double* n,
                              double rounding, double limit)
    : own_(&face_features[2 * axis + (n[axis] > 0 ? 1 : 0)]) {
  look_at_face(own, other, axis, n);
  const double hu = own.half[after(axis)];
  const double hv = own.half[last(axis)];
  // Around the parallelogram: -p -q, p -q, p q, -p q.
  const Double4 sign_p = lanes4(-1, 1, 1, -1);
  const Double4 sign_q = lanes4(-1, -1, 1, 1);
  const Double4 x = all4(middle_.x) + sign_p * all4(p_.x) + sign_q * all4(q_.x);
  const Double4 y = all4(middle_.y) + sign_p * all4(p_.y) + sign_q * all4(q_.y);
  const Double4 z = all4(middle_.z) + sign_p * all4(p_.z) + sign_q * all4(q_.z);
  const Mask4 inside = (abs4(x) <= all4(hu + rounding)) & (abs4(y) <= all4(hv + rounding));
  for (int k = 0; k < 3; ++k) x_[points + k] = y_[points + k] = INFINITY;
  store4(all4(own_->own_face), feature_);
  put(0, x, y, z, inside, limit);
  if (bits4(inside) != 15) {
    clipped_ = true;
    put_own_corners(hu, hv, rounding, limit);
    put_edges(x, y, z, inside, hu + rounding, hv + rounding, limit);
  }
  least_ = least4(low_);
}

/// The face of the other box that looks this way most nearly.
HWY_INLINE void FaceClip::look_at_face(const BoxView& own, const BoxView& other, int i,
                                       const double* n) {
  const int u = after(i);
  const int v = last(i);
  // Seen along n, what is higher lies a little aside. All three of the other's axes at once, each as long as half the box.
  const double sign = std::copysign(1.0, n[i]);
  const double stretch = sign / n[i];
  const double aside_u = n[u] * stretch;
  const double aside_v = n[v] * stretch;
  const Double4 half = load4(other.half);
  const Double4 up = load4(own.r[i]) * all4(sign);
  alignas(32) double side_x[4];
  alignas(32) double side_y[4];
  alignas(32) double side_z[4];
  store4((load4(own.r[u]) - up * all4(aside_u)) * half, side_x);
  store4((load4(own.r[v]) - up * all4(aside_v)) * half, side_y);
  store4(up * all4(stretch) * half, side_z);
  const auto side = [&](int k) { return Point{side_x[k], side_y[k], side_z[k]}; };

  const double c0 = std::fabs(own.r[i][0]);
  const double c1 = std::fabs(own.r[i][1]);
  const double c2 = std::fabs(own.r[i][2]);
  int k = static_cast<int>(c1 > c0);
  k = c2 > std::max(c0, c1) ? 2 : k;
  // From the other's centre to the face: down.
  const double toward = own.r[i][k] * sign;
  const double out = toward > 0 ? -1 : 1;
  other_ = &face_features[2 * k + (toward > 0 ? 0 : 1)];
  const double height = own.t[i] * sign - own.half[i];
  const Point center{own.t[u] - height * aside_u, own.t[v] - height * aside_v, height * stretch};
  const Point way = side(k);
  middle_ = {center.x + out * way.x, center.y + out * way.y, center.z + out * way.z};
  p_ = side(after(k));
  q_ = side(last(k));
}

HWY_INLINE void FaceClip::put(int group, const Double4& x, const Double4& y, const Double4& z,
                              const Mask4& wanted, double limit) {
  const Mask4 kept = wanted & (z <= all4(limit));
  store4(x, x_ + 4 * group);
  store4(y, y_ + 4 * group);
  const Double4 up = select4(kept, z, all4(INFINITY));
  store4(up, z_ + 4 * group);
  low_ = group == 0 ? up : min4(low_, up);
  wanted_ |= bits4(kept) << (4 * group);
}

/// The rectangle's corners within the parallelogram, not merely on its rim: there an edge was clipped.
HWY_INLINE void FaceClip::put_own_corners(double hu, double hv, double rounding, double limit) {
  const double det = p_.x * q_.y - p_.y * q_.x;
  const double room_p = std::fabs(det) - rounding * (std::fabs(q_.x) + std::fabs(q_.y));
  const double room_q = std::fabs(det) - rounding * (std::fabs(p_.x) + std::fabs(p_.y));
  const Double4 x = all4(hu) * lanes4(-1, 1, -1, 1);
  const Double4 y = all4(hv) * lanes4(-1, -1, 1, 1);
  const Double4 dx = x - all4(middle_.x);
  const Double4 dy = y - all4(middle_.y);
  const Double4 s = dx * all4(q_.y) - dy * all4(q_.x);
  const Double4 t = dy * all4(p_.x) - dx * all4(p_.y);
  const Double4 z = all4(middle_.z) + (s * all4(p_.z) + t * all4(q_.z)) * all4(1 / det);
  store4(load4(own_->own_corner), feature_ + 4);
  put(1, x, y, z, (abs4(s) < all4(room_p)) & (abs4(t) < all4(room_q)), limit);
}

/// Where the edges cross the rectangle's sides. Along an edge that does not change in x the inverse is infinite, and so are the places where it enters and leaves: on
/// the right sides.
HWY_INLINE void FaceClip::put_edges(const Double4& x, const Double4& y, const Double4& z,
                                    const Mask4& inside, double hu, double hv, double limit) {
  // From corners 0, 1, 3, 0 along p, q, p, q to corners 1, 2, 2, 3.
  const Double4 from_x = shuffled4<0, 1, 3, 0>(x);
  const Double4 from_y = shuffled4<0, 1, 3, 0>(y);
  const Double4 from_z = shuffled4<0, 1, 3, 0>(z);
  const Double4 along = lanes4(2 * p_.x, 2 * q_.x, 2 * p_.y, 2 * q_.y);
  const Double4 inverse = all4(1) / along;
  const Double4 along_x = shuffled4<0, 1, 0, 1>(along);
  const Double4 along_y = shuffled4<2, 3, 2, 3>(along);
  const Double4 along_z = lanes4(2 * p_.z, 2 * q_.z, 2 * p_.z, 2 * q_.z);
  const Double4 inverse_x = shuffled4<0, 1, 0, 1>(inverse);
  const Double4 inverse_y = shuffled4<2, 3, 2, 3>(inverse);
  const Double4 x0 = (all4(-hu) - from_x) * inverse_x;
  const Double4 x1 = (all4(hu) - from_x) * inverse_x;
  const Double4 y0 = (all4(-hv) - from_y) * inverse_y;
  const Double4 y1 = (all4(hv) - from_y) * inverse_y;
  const Double4 enter_x = min4(x0, x1);
  const Double4 enter_y = min4(y0, y1);
  const Double4 leave_x = max4(x0, x1);
  const Double4 leave_y = max4(y0, y1);
  const Double4 enter = max4(enter_x, enter_y);
  const Double4 leave = min4(leave_x, leave_y);
  const Mask4 meets = max4(enter, all4(0)) <= min4(leave, all4(1));
  // An edge that begins inside does not enter after 0: these signs are exact. One that ends inside may leave before 1 by rounding.
  const Double4 ends_inside = shuffled4<1, 2, 2, 3>(select4(inside, all4(1), all4(0)));
  put(2, from_x + along_x * enter, from_y + along_y * enter, from_z + along_z * enter,
      meets & (all4(0) < enter), limit);
  put(3, from_x + along_x * leave, from_y + along_y * leave, from_z + along_z * leave,
      meets & (leave + ends_inside < all4(1)), limit);
  // Which side an edge meets: it enters at the end that it comes from.
  const double* side = own_->own_side;
  const Mask4 to_far_u = all4(0) < inverse_x;
  const Mask4 to_far_v = all4(0) < inverse_y;
  store4(select4(enter_y < enter_x, select4(to_far_u, all4(side[0]), all4(side[1])),
                 select4(to_far_v, all4(side[2]), all4(side[3]))),
         feature_ + 8);
  store4(select4(leave_x < leave_y, select4(to_far_u, all4(side[1]), all4(side[0])),
                 select4(to_far_v, all4(side[3]), all4(side[2]))),
         feature_ + 12);
}

HWY_INLINE FourPoints FaceClip::choose(double same) const {
  const Double4 deep = least_ + all4(same);
  unsigned deepest = bits4(load4(z_) <= deep);
  if (clipped_) {
    for (int g = 1; g < 4; ++g) deepest |= bits4(load4(z_ + 4 * g) <= deep) << (4 * g);
  }
  const int first = std::countr_zero(deepest);
  return std::popcount(wanted_) <= 4 ? all_of(first, same) : best_of(first, same);
}

/// At most four are wanted: those, the first before the others.
HWY_INLINE FourPoints FaceClip::all_of(int first, double same) const {
  // Then numbers that stand for none.
  unsigned left = (wanted_ & ~(1u << first)) | 7u << points;
  const int second = std::countr_zero(left);
  left &= left - 1;
  const int third = std::countr_zero(left);
  left &= left - 1;
  const int fourth = std::countr_zero(left);
  FourPoints four{{first, second, third, fourth}, std::popcount(wanted_)};
  const Double4 x = lanes4(x_[first], x_[second], x_[third], x_[fourth]);
  const Double4 y = lanes4(y_[first], y_[second], y_[third], y_[fourth]);
  const Double4 x1 = abs4(x - shuffled4<1, 2, 3, 0>(x));
  const Double4 y1 = abs4(y - shuffled4<1, 2, 3, 0>(y));
  const Double4 x2 = abs4(x - shuffled4<2, 3, 0, 1>(x));
  const Double4 y2 = abs4(y - shuffled4<2, 3, 0, 1>(y));
  const Mask4 coinciding =
      ((x1 <= all4(same)) & (y1 <= all4(same))) | ((x2 <= all4(same)) & (y2 <= all4(same)));
  if (bits4(coinciding) != 0) remove_coinciding(four, same);
  return four;
}

HWY_INLINE void FaceClip::remove_coinciding(FourPoints& four, double same) const {
  int count = 1;
  for (int i = 1; i < four.count; ++i) {
    bool known = false;
    for (int k = 0; k < count; ++k) known |= coincide(four.index[i], four.index[k], same);
    if (!known) four.index[count++] = four.index[i];
  }
  four.count = count;
}

/// The merits of all points, and which are the best of them.
struct Merits {
  Double4 of[4];

  /// The first of those within a millionth of the greatest.
  HWY_INLINE int best(double& greatest) const {
    const Double4 most = greatest4(max4(max4(of[0], of[1]), max4(of[2], of[3])));
    const Double4 enough = most - all4(1e-6) * abs4(most);
    unsigned found = 0;
    for (int g = 0; g < 4; ++g) found |= bits4(enough <= of[g]) << (4 * g);
    greatest = first4(most);
    return std::countr_zero(found);
  }
};

/// More than four are wanted, so there are four groups.
HWY_INLINE FourPoints FaceClip::best_of(int first, double same) const {
  FourPoints four{{first}, 1};
  Double4 dx[4], dy[4];
  Mask4 wanted[4];
  Merits far, left, right;
  for (int g = 0; g < 4; ++g) {
    dx[g] = load4(x_ + 4 * g) - all4(x_[first]);
    dy[g] = load4(y_ + 4 * g) - all4(y_[first]);
    wanted[g] = load4(z_ + 4 * g) < all4(INFINITY);
    far.of[g] = select4(wanted[g], dx[g] * dx[g] + dy[g] * dy[g], all4(-1));
  }
  double width_squared;
  const int second = far.best(width_squared);
  const double width = std::sqrt(width_squared);
  if (!(width > same)) return four;
  four.index[four.count++] = second;

  const double bx = x_[second] - x_[first];
  const double by = y_[second] - y_[first];
  for (int g = 0; g < 4; ++g) {
    const Double4 area = all4(bx) * dy[g] - all4(by) * dx[g];
    left.of[g] = select4(wanted[g], area, all4(0));
    right.of[g] = all4(0) - left.of[g];
  }
  double left_area, right_area;
  const int third = left.best(left_area);
  const int fourth = right.best(right_area);
  if (left_area > same * width) four.index[four.count++] = third;
  if (right_area > same * width) four.index[four.count++] = fourth;
  if (four.count != 3) return four;

  // All lie on one side: the one that adds most to the triangle.
  const double turn = left_area > right_area ? 1 : -1;
  const int c = four.index[2];
  const double cx = x_[c] - x_[first];
  const double cy = y_[c] - y_[first];
  Merits added;
  for (int g = 0; g < 4; ++g) {
    const Double4 beside_a = all4(-cx) * dy[g] - all4(-cy) * dx[g];
    const Double4 beside_b =
        all4(cx - bx) * (dy[g] - all4(by)) - all4(cy - by) * (dx[g] - all4(bx));
    const Double4 least = min4(all4(turn) * beside_a, all4(turn) * beside_b);
    added.of[g] = select4(wanted[g], all4(0) - least, all4(0));
  }
  double area;
  const int last_one = added.best(area);
  if (area > same * width) four.index[four.count++] = last_one;
  return four;
}

HWY_INLINE unsigned FaceClip::distinct(double same) const {
  unsigned kept = 0;
  for (unsigned left = wanted_; left != 0; left &= left - 1) {
    const int i = std::countr_zero(left);
    bool known = false;
    for (unsigned k = kept; k != 0; k &= k - 1) known |= coincide(i, std::countr_zero(k), same);
    if (!known) kept |= 1u << i;
  }
  return kept;
}

HWY_INLINE std::uint64_t FaceClip::id(int k) const {
  const auto own = static_cast<std::int64_t>(feature_[k]);
  return static_cast<std::uint64_t>(own) << 32 | other_->other[k];
}

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#endif // per-target guard
