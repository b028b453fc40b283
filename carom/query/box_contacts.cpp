// Two boxes: fifteen axes decide (box_axes-inl.h). Along the axis of a face, that rectangle clips the parallelogram that looks at it; along that of two edges, they
// cross in one point.
//
// Where axes are equally good to within rounding, faces come before edges. So boxes that lie flat on each other have four contacts, not one, and the choice does
// not flip.
//
// Boxes that are apart have the same gap for their distance if a point of the patch attains it. Where none does, a corner or an edge is
// nearest, and the search goes on elsewhere.
//
// Compiled once for each instruction set (everything between the HWY_ lines), and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "carom/query/box_contacts.cpp"
#include <hwy/foreach_target.h>

#include "carom/math/tolerance.h"
#include "carom/query/box_axes-inl.h"
#include "carom/query/box_contacts.h"
#include "carom/query/contact_patch.h"
#include "carom/query/lanes4-inl.h"

#include <algorithm>
#include <bit>
#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace carom {
namespace HWY_NAMESPACE {
namespace {

/// A face within 2 degrees of the normal of two edges that cross: there the faces are a better patch.
constexpr double nearly_face = 0.99939;

Vec3 vec3(const double (&v)[3]) { return {v[0], v[1], v[2]}; }

std::uint32_t edge_number(int axis, bool end1, bool end2) {
  const auto e = static_cast<std::uint32_t>(4 * axis + (end1 ? 1 : 0) + (end2 ? 2 : 0));
  return packed({FeatureKind::edge, e});
}
std::uint32_t face_number(int axis, bool far_end) {
  return packed({FeatureKind::face, static_cast<std::uint32_t>(2 * axis + (far_end ? 1 : 0))});
}

/// One of the boxes as the reference, and the other as seen from it. Which one is known when compiling: it is a coin's toss, and so is guessed once.
template<bool a_refers>
struct Reference {
  static constexpr bool is_a = a_refers;
  const BoxPair& pair;
  int axis;
  /// The direction to project along, outward, in the own axes: that of the face, or a little aside.
  double n[3];

  [[nodiscard]] const Mat3& axes() const { return is_a ? pair.axes_a : pair.axes_b; }
  [[nodiscard]] const Vec3& center() const { return is_a ? pair.center_a : pair.center_b; }
  [[nodiscard]] const double* half() const { return is_a ? pair.half_a : pair.half_b; }
  [[nodiscard]] const double* other_half() const { return is_a ? pair.half_b : pair.half_a; }
  [[nodiscard]] const double* t() const { return is_a ? pair.t_a : pair.t_b; }
  /// The own axis i . the other's axis j.
  [[nodiscard]] double r(int i, int j) const {
    return (&pair.r[0][0])[is_a ? 4 * i + j : 4 * j + i];
  }
};

/// The reference face is a rectangle, the other box's face that looks at it a parallelogram above it. All in the rectangle's own axes: u and v, and up.
///
/// Sixteen points may be corners of what they have in common: the four corners of the parallelogram; the four corners of the rectangle; where each of the
/// four edges of the parallelogram enters the rectangle, and where it leaves. All are computed, four at a time, and those that are wanted kept.
template<class Own>
class FaceClip {
public:
  /// Spots above `limit` are left out. A spot's id is the number of the point, in that order.
  FaceClip(const Own& own, double limit)
      : own_(own), i_(own.axis), u_(after(i_)), v_(last(i_)), up_(own.n[i_] > 0) {
    look_at_face();
    const double rounding = own.pair.rounding;
    const double hu = own_.half()[u_] + rounding;
    const double hv = own_.half()[v_] + rounding;
    // Around the parallelogram: -p -q, p -q, p q, -p q.
    const Lanes4 sign_p = lanes4(-1, 1, 1, -1);
    const Lanes4 sign_q = lanes4(-1, -1, 1, 1);
    const Lanes4 x = all4(middle_.x) + sign_p * all4(p_.x) + sign_q * all4(q_.x);
    const Lanes4 y = all4(middle_.y) + sign_p * all4(p_.y) + sign_q * all4(q_.y);
    const Lanes4 z = all4(middle_.z) + sign_p * all4(p_.z) + sign_q * all4(q_.z);
    const Mask4 inside = (abs4(x) <= all4(hu)) & (abs4(y) <= all4(hv));
    put(0, x, y, z, inside, limit);
    if (bits4(inside) != 15) {
      put_own_corners(rounding, limit);
      put_edges(x, y, z, hu, hv, limit);
    }
    for (unsigned left = wanted_; left != 0; left &= left - 1) {
      const auto k = static_cast<std::size_t>(std::countr_zero(left));
      spots_[count_++] = {x_[k], y_[k], z_[k], k};
    }
  }

  [[nodiscard]] std::span<const Spot> spots() const { return std::span(spots_).first(count_); }
  /// Whether the reference face is at the far end of its axis.
  [[nodiscard]] bool far_end() const { return up_; }

  /// The features that meet in point k, as feature.h numbers them.
  [[nodiscard]] std::uint64_t id(std::uint64_t point) const {
    const auto k = static_cast<int>(point % 4);
    const auto group = point / 4;
    const auto far = [](bool yes, int axis) { return static_cast<std::uint32_t>(yes) << axis; };
    const bool right = inverse_x_[k] > 0;
    const bool ahead = inverse_y_[k] > 0;
    // By group, looked up rather than branched on: nobody could guess which.
    const std::uint32_t own[4] = {face_number(i_, up_),
                                  far(up_, i_) | far(k & 1, u_) | far(k >= 2, v_),
                                  side_number(enter_x_[k] > enter_y_[k], !right, !ahead),
                                  side_number(leave_x_[k] < leave_y_[k], right, ahead)};
    // The edges: along p at q's near end, along q at p's far end, along p at q's far end, along q at p's near end.
    const bool along_p = k % 2 == 0;
    const std::uint32_t edge = edge_number(along_p ? after(k_) : last(k_),
                                           along_p ? k == 2 : far_k_, along_p ? far_k_ : k == 1);
    const std::uint32_t other[4] = {far(far_k_, k_) | far(k == 1 || k == 2, after(k_)) |
                                        far(k >= 2, last(k_)),
                                    face_number(k_, far_k_), edge, edge};
    const std::uint64_t high = own_.is_a ? own[group] : other[group];
    const std::uint64_t low = own_.is_a ? other[group] : own[group];
    return high << 32 | low;
  }

private:
  struct Point {
    double x, y, z;
  };

  /// The face of the other box that looks this way most nearly: its middle, and half its sides.
  void look_at_face() {
    const double c0 = std::fabs(own_.r(i_, 0));
    const double c1 = std::fabs(own_.r(i_, 1));
    const double c2 = std::fabs(own_.r(i_, 2));
    k_ = static_cast<int>(c1 > c0);
    k_ = c2 > std::max(c0, c1) ? 2 : k_;
    // Seen along n, what is higher lies a little aside.
    const double sign = std::copysign(1.0, own_.n[i_]);
    const double stretch = sign / own_.n[i_];
    const double aside_u = own_.n[u_] * stretch;
    const double aside_v = own_.n[v_] * stretch;
    const auto seen = [&](double u, double v, double up) {
      return Point{u - up * aside_u, v - up * aside_v, up * stretch};
    };
    const auto along = [&](int k, double length) {
      return seen(own_.r(u_, k) * length, own_.r(v_, k) * length, own_.r(i_, k) * length * sign);
    };
    const double* h = own_.other_half();
    const double toward = own_.r(i_, k_) * sign;
    far_k_ = !(toward > 0);
    const double out = -std::copysign(h[k_], toward);
    const double* t = own_.t();
    const double up = (t[i_] + own_.r(i_, k_) * out) * sign - own_.half()[i_];
    middle_ = seen(t[u_] + own_.r(u_, k_) * out, t[v_] + own_.r(v_, k_) * out, up);
    p_ = along(after(k_), h[after(k_)]);
    q_ = along(last(k_), h[last(k_)]);
  }

  void put(int first, const Lanes4& x, const Lanes4& y, const Lanes4& z, const Mask4& wanted,
           double limit) {
    store4(x, x_ + first);
    store4(y, y_ + first);
    store4(z, z_ + first);
    wanted_ |= bits4(wanted & (z <= all4(limit))) << static_cast<unsigned>(first);
  }

  /// The rectangle's corners within the parallelogram, not merely on its rim: there an edge was clipped.
  void put_own_corners(double rounding, double limit) {
    const double det = p_.x * q_.y - p_.y * q_.x;
    const double room_p = std::fabs(det) - rounding * (std::fabs(q_.x) + std::fabs(q_.y));
    const double room_q = std::fabs(det) - rounding * (std::fabs(p_.x) + std::fabs(p_.y));
    const Lanes4 x = all4(own_.half()[u_]) * lanes4(-1, 1, -1, 1);
    const Lanes4 y = all4(own_.half()[v_]) * lanes4(-1, -1, 1, 1);
    const Lanes4 dx = x - all4(middle_.x);
    const Lanes4 dy = y - all4(middle_.y);
    const Lanes4 s = dx * all4(q_.y) - dy * all4(q_.x);
    const Lanes4 t = dy * all4(p_.x) - dx * all4(p_.y);
    const Lanes4 z = all4(middle_.z) + (s * all4(p_.z) + t * all4(q_.z)) * all4(1 / det);
    put(4, x, y, z, (abs4(s) < all4(room_p)) & (abs4(t) < all4(room_q)), limit);
  }

  /// Where the edges cross the rectangle's sides. Along an edge that does not change in x the inverse is infinite, and so are the places where it enters and leaves: on
  /// the right sides.
  void put_edges(const Lanes4& x, const Lanes4& y, const Lanes4& z, double hu, double hv,
                 double limit) {
    // From corners 0, 1, 3, 0 along p, q, p, q to corners 1, 2, 2, 3.
    const Lanes4 from_x = shuffled4<0, 1, 3, 0>(x);
    const Lanes4 from_y = shuffled4<0, 1, 3, 0>(y);
    const Lanes4 from_z = shuffled4<0, 1, 3, 0>(z);
    const Lanes4 along_x = lanes4(2 * p_.x, 2 * q_.x, 2 * p_.x, 2 * q_.x);
    const Lanes4 along_y = lanes4(2 * p_.y, 2 * q_.y, 2 * p_.y, 2 * q_.y);
    const Lanes4 along_z = lanes4(2 * p_.z, 2 * q_.z, 2 * p_.z, 2 * q_.z);
    const Lanes4 inverse_x = all4(1) / along_x;
    const Lanes4 inverse_y = all4(1) / along_y;
    const Lanes4 x0 = (all4(-hu) - from_x) * inverse_x;
    const Lanes4 x1 = (all4(hu) - from_x) * inverse_x;
    const Lanes4 y0 = (all4(-hv) - from_y) * inverse_y;
    const Lanes4 y1 = (all4(hv) - from_y) * inverse_y;
    const Lanes4 enter_x = min4(x0, x1);
    const Lanes4 enter_y = min4(y0, y1);
    const Lanes4 leave_x = max4(x0, x1);
    const Lanes4 leave_y = max4(y0, y1);
    const Lanes4 enter = max4(enter_x, enter_y);
    const Lanes4 leave = min4(leave_x, leave_y);
    const Mask4 meets = max4(enter, all4(0)) <= min4(leave, all4(1));
    const Lanes4 to_x = shuffled4<1, 2, 2, 3>(x);
    const Lanes4 to_y = shuffled4<1, 2, 2, 3>(y);
    const Mask4 from_inside = (abs4(from_x) <= all4(hu)) & (abs4(from_y) <= all4(hv));
    const Mask4 to_inside = (abs4(to_x) <= all4(hu)) & (abs4(to_y) <= all4(hv));
    put(8, from_x + along_x * enter, from_y + along_y * enter, from_z + along_z * enter,
        meets & (all4(0) < enter) & ~from_inside, limit);
    put(12, from_x + along_x * leave, from_y + along_y * leave, from_z + along_z * leave,
        meets & (leave < all4(1)) & ~to_inside, limit);
    store4(enter_x, enter_x_);
    store4(enter_y, enter_y_);
    store4(leave_x, leave_x_);
    store4(leave_y, leave_y_);
    store4(inverse_x, inverse_x_);
    store4(inverse_y, inverse_y_);
  }

  /// The rectangle's sides: across u, at its far end or not; else across v.
  [[nodiscard]] std::uint32_t side_number(bool across_u, bool far_u, bool far_v) const {
    return across_u ? edge_number(v_, up_, far_u) : edge_number(u_, far_v, up_);
  }

  const Own& own_;
  int i_, u_, v_;
  bool up_;
  int k_ = 0; ///< the other box's face
  bool far_k_ = false;
  Point middle_, p_, q_;
  double x_[16], y_[16], z_[16];
  double enter_x_[4], enter_y_[4], leave_x_[4], leave_y_[4], inverse_x_[4], inverse_y_[4];
  unsigned wanted_ = 0;
  std::array<Spot, 16> spots_;
  std::size_t count_ = 0;
};

/// The manifold of a face, the reference, and what lies above it. False where no spot attains the gap.
template<class Own>
bool face_manifold(const Own& own, double gap, const ContactOptions& options, ContactManifold& m) {
  const double rounding = own.pair.rounding;
  const FaceClip<Own> clip(own, std::max(options.margin, gap) + rounding);
  const std::span<const Spot> spots = clip.spots();
  double least = INFINITY;
  for (const Spot& s : spots) least = std::min(least, s.separation);
  if (!(least <= gap + 4 * rounding)) return false;

  const Mat3& axes = own.axes();
  const Vec3& u = axes[after(own.axis)];
  const Vec3& v = axes[last(own.axis)];
  const Vec3 outward = axes * vec3(own.n);
  const double half = own.half()[own.axis];
  const Vec3 middle = own.center() + axes[own.axis] * (clip.far_end() ? half : -half);
  m.normal = own.is_a ? outward : -outward;
  const auto write = [&](const Spot& s, Contact& c) {
    const Vec3 on = middle + u * s.x + v * s.y;
    const Vec3 above = on + outward * s.separation;
    c.on_a = own.is_a ? on : above;
    c.on_b = own.is_a ? above : on;
    c.separation = s.separation;
    c.id = clip.id(s.id);
  };
  // Nearer than this, points may be one and the same in the world.
  const double same = 4 * (rounding + tolerance::epsilon * max_abs(own.center()));
  const FourSpots four = choose_four(spots, same);
  for (std::size_t k = 0; k < static_cast<std::size_t>(four.count); ++k) {
    write(spots[four.index[k]], m.points[k]);
  }
  m.count = four.count;
  if (!options.all) return true;
  for (std::size_t i = 0; i < spots.size(); ++i) {
    const auto coincides = [&](const Spot& s) { return distance(s, spots[i]) <= same; };
    if (std::any_of(spots.begin(), spots.begin() + static_cast<std::ptrdiff_t>(i), coincides))
      continue;
    write(spots[i], options.all->emplace_back());
  }
  return true;
}

/// Edges that cross in faces that nearly meet: the face that is more nearly at right angles to the normal, and what lies above it. A's unless B's is by far.
bool tilted_face_manifold(const BoxPair& pair, const BoxAxis& best, const ContactOptions& options,
                          ContactManifold& m) {
  const Vec3 in_a = vec3(best.n);
  const Vec3 in_b = -vec3(best.on_b);
  constexpr double bias = 1e-6;
  const bool of_a = max_abs(in_a) >= max_abs(in_b) - bias;
  const Vec3& n = of_a ? in_a : in_b;
  const int axis = largest_axis(n);
  if (!(std::fabs(n[axis]) > nearly_face)) return false;
  const Reference<true> a{pair, axis, {n.x, n.y, n.z}};
  const Reference<false> b{pair, axis, {n.x, n.y, n.z}};
  return of_a ? face_manifold(a, best.gap, options, m) : face_manifold(b, best.gap, options, m);
}

/// The face of one of the boxes, straight up.
template<bool is_a>
bool straight_face_manifold(const BoxPair& pair, int axis, double gap,
                            const ContactOptions& options, ContactManifold& m) {
  Reference<is_a> reference{pair, axis, {0, 0, 0}};
  reference.n[axis] = std::copysign(1.0, reference.t()[axis]);
  return face_manifold(reference, gap, options, m);
}

/// The one point where two edges cross, seen along their common normal. False where they do not.
bool edge_manifold(const BoxPair& pair, const BoxAxis& e, ContactManifold& m) {
  bool far_a[3], far_b[3];
  double on_a[3];
  double on_b[3] = {pair.t_a[0], pair.t_a[1], pair.t_a[2]};
  for (int k = 0; k < 3; ++k) {
    far_a[k] = e.n[k] > 0;
    far_b[k] = !(e.on_b[k] > 0);
    on_a[k] = far_a[k] ? pair.half_a[k] : -pair.half_a[k];
    const double h = k == e.j ? 0 : far_b[k] ? pair.half_b[k] : -pair.half_b[k];
    for (int x = 0; x < 3; ++x) on_b[x] += pair.r[x][k] * h;
  }
  on_a[e.i] = 0;
  // on_a + s (axis i) and on_b + u (axis j) differ by gap * n.
  double w[3];
  for (int x = 0; x < 3; ++x) w[x] = on_b[x] - on_a[x];
  const double along_i = w[e.i];
  const double along_j = w[0] * pair.r[0][e.j] + w[1] * pair.r[1][e.j] + w[2] * pair.r[2][e.j];
  const double p = pair.r[after(e.i)][e.j];
  const double q = pair.r[last(e.i)][e.j];
  const double d = pair.r[e.i][e.j];
  const double share = 1 / (p * p + q * q);
  const double half_i = pair.half_a[e.i];
  const double half_j = pair.half_b[e.j];
  const double s = std::max(-half_i, std::min(half_i, (along_i - d * along_j) * share));
  const double u = std::max(-half_j, std::min(half_j, (d * along_i - along_j) * share));
  on_a[e.i] = s;
  double off = 0;
  for (int x = 0; x < 3; ++x) {
    on_b[x] += pair.r[x][e.j] * u;
    off = std::max(off, std::fabs(on_b[x] - on_a[x] - e.n[x] * e.gap));
  }
  if (!(off <= 4 * pair.rounding)) return false;

  const auto in_world = [&](const double(&v)[3]) { return pair.axes_a * vec3(v); };
  m.normal = in_world(e.n);
  Contact& c = m.points[0];
  c.on_a = pair.center_a + in_world(on_a);
  c.on_b = c.on_a + m.normal * e.gap;
  c.separation = e.gap;
  c.id = std::uint64_t{edge_number(e.i, far_a[after(e.i)], far_a[last(e.i)])} << 32 |
         edge_number(e.j, far_b[after(e.j)], far_b[last(e.j)]);
  m.count = 1;
  return true;
}

/// Farther apart than the margin.
bool apart(const BoxPair& pair, const BoxAxis& best, ContactManifold& m) {
  if (best.kind == BoxAxis::Kind::edges) {
    m.normal = pair.axes_a * vec3(best.n);
  } else {
    const bool of_a = best.kind == BoxAxis::Kind::face_a;
    const Vec3& axis = of_a ? pair.axes_a[best.i] : pair.axes_b[best.j];
    const bool along = of_a ? pair.t_a[best.i] >= 0 : pair.t_b[best.j] < 0;
    m.normal = along ? axis : -axis;
  }
  m.upper_bound = INFINITY;
  m.status = Status::stopped;
  return true;
}

} // namespace

bool box_contacts_here(const Obb& a, const Pose& pose_a, const Obb& b, const Pose& pose_b,
                       const ContactOptions& options, ContactManifold& m) {
  const BoxPair pair(a, pose_a, b, pose_b);
  const double enough = options.margin + pair.rounding;
  const BoxAxis best = best_axis(pair, enough);
  m.value = best.gap;
  m.lower_bound = best.gap - pair.rounding;
  m.upper_bound = best.gap + 3 * pair.rounding; // other axes may be better by two
  if (best.gap > enough) return apart(pair, best, m);
  if (best.kind == BoxAxis::Kind::face_a)
    return straight_face_manifold<true>(pair, best.i, best.gap, options, m);
  if (best.kind == BoxAxis::Kind::face_b)
    return straight_face_manifold<false>(pair, best.j, best.gap, options, m);
  if (tilted_face_manifold(pair, best, options, m)) return true;
  if (!edge_manifold(pair, best, m)) return false;
  if (options.all) options.all->push_back(m.points[0]);
  return true;
}

} // namespace HWY_NAMESPACE
} // namespace carom
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace carom {
namespace {
HWY_EXPORT(box_contacts_here);
} // namespace

bool box_contacts(const Obb& a, const Pose& pose_a, const Obb& b, const Pose& pose_b,
                  const ContactOptions& options, ContactManifold& m) {
  return HWY_DYNAMIC_DISPATCH(box_contacts_here)(a, pose_a, b, pose_b, options, m);
}

} // namespace carom
#endif // HWY_ONCE
