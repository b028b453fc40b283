// Two boxes: fifteen axes decide, then a rectangle clips a parallelogram.
//
// All in A's axes, or B's. The signed distance of boxes that overlap is the greatest gap along the three axes of A, the three of B and the nine cross products of
// both. The gap along any unit vector is a lower bound of the signed distance, so a rounded axis does no harm, as long as
// the boxes are projected on it as it stands. The usual short formulas for cross products are used to pass over most of them; what remains is
// projected again on the unit vector.
//
// Where axes are equally good to within rounding: A's faces before B's, both before edges, lower numbers first. So boxes that lie flat on each other have
// four contacts, not one, and the choice does not flip.
//
// Boxes that are apart have the same gap for their distance if a point of the patch attains it. Where none does, a corner or an edge is
// nearest, and the search goes on elsewhere.
#include "carom/query/box_contacts.h"

#include "carom/math/tolerance.h"
#include "carom/query/contact_patch.h"

#include <algorithm>

namespace carom {
namespace {

/// Below this sine of their angle two edges count as parallel. What that loses is of the order of this part of an edge (geometry/separating_axis.h).
constexpr double parallel_sine = 1e-14;
/// Edges that cross in faces within 5 degrees of each other's: there the faces are a better patch.
constexpr double nearly_face = 0.9962;

constexpr int after(int i) { return i == 2 ? 0 : i + 1; }
constexpr int last(int i) { return i == 0 ? 2 : i - 1; }
constexpr std::uint32_t bit(int i) { return 1u << static_cast<unsigned>(i); }

/// One box seen from the other.
struct View {
  double r[3][3]; ///< r[i][j]: own axis i . the other's axis j
  double t[3];    ///< the other's centre, along the own axes
  double half[3], other_half[3];
};

struct Placed {
  Mat3 axes;
  Vec3 center;

  Placed(const Obb& box, const Pose& pose) {
    const Frame frame = pose.frame();
    const bool plain = box.center == Vec3{} && box.axes == Mat3::identity();
    axes = plain ? frame.basis : frame.basis * box.axes;
    center = plain ? frame.origin : frame.to_world(box.center);
  }
};

View view(const Placed& a, const Placed& b, const Vec3& half_a, const Vec3& half_b) {
  const Vec3 between = b.center - a.center;
  View v;
  for (int i = 0; i < 3; ++i) {
    const Vec3& axis = a.axes[i];
    v.t[i] = dot(axis, between);
    for (int j = 0; j < 3; ++j) v.r[i][j] = dot(axis, b.axes[j]);
    v.half[i] = half_a[i];
    v.other_half[i] = half_b[i];
  }
  return v;
}

View other_view(const View& v) {
  View o;
  for (int i = 0; i < 3; ++i) {
    o.t[i] = -(v.t[0] * v.r[0][i] + v.t[1] * v.r[1][i] + v.t[2] * v.r[2][i]);
    for (int j = 0; j < 3; ++j) o.r[i][j] = v.r[j][i];
    o.half[i] = v.other_half[i];
    o.other_half[i] = v.half[i];
  }
  return o;
}

double gap_of_face(const View& v, int i) {
  return std::fabs(v.t[i]) - v.half[i] -
         (std::fabs(v.r[i][0]) * v.other_half[0] + std::fabs(v.r[i][1]) * v.other_half[1] +
          std::fabs(v.r[i][2]) * v.other_half[2]);
}

/// Which face of the box has the greatest gap; the first, to within rounding.
struct FaceAxis {
  int axis = 0;
  double gap;

  FaceAxis(const View& v, double rounding) : gap(gap_of_face(v, 0)) {
    for (int i = 1; i < 3; ++i) {
      const double g = gap_of_face(v, i);
      if (!(g > gap + rounding)) continue;
      gap = g;
      axis = i;
    }
  }
};

/// A pair of edges, seen from A.
struct EdgeAxis {
  int i = -1, j = -1; ///< the edges' axes; none: -1
  double gap = 0;
  double n[3] = {};    ///< a unit vector from A to B
  double on_b[3] = {}; ///< n . B's axes
};

/// The boxes projected on the cross product of axes i and j.
EdgeAxis project(const View& v, int i, int j, double length_squared) {
  EdgeAxis e;
  e.i = i;
  e.j = j;
  const int i1 = after(i);
  const int i2 = last(i);
  const bool flip = v.t[i2] * v.r[i1][j] < v.t[i1] * v.r[i2][j];
  const double scale = (flip ? -1 : 1) / std::sqrt(length_squared);
  e.n[i1] = -v.r[i2][j] * scale;
  e.n[i2] = v.r[i1][j] * scale;
  e.gap = std::fabs(v.t[i1] * e.n[i1] + v.t[i2] * e.n[i2]) -
          (v.half[i1] * std::fabs(e.n[i1]) + v.half[i2] * std::fabs(e.n[i2]));
  for (int k = 0; k < 3; ++k) {
    e.on_b[k] = e.n[i1] * v.r[i1][k] + e.n[i2] * v.r[i2][k];
    e.gap -= v.other_half[k] * std::fabs(e.on_b[k]);
  }
  return e;
}

/// The pair of edges whose gap is greater than `best` by more than rounding, and the greatest of those.
EdgeAxis best_edges(const View& v, double best, double rounding) {
  EdgeAxis found;
  // g / l > best as g |g| > best |best| l^2: without roots.
  double bar = (best + rounding) * std::fabs(best + rounding);
  for (int i = 0; i < 3; ++i) {
    const int i1 = after(i);
    const int i2 = last(i);
    for (int j = 0; j < 3; ++j) {
      const double p = v.r[i1][j];
      const double q = v.r[i2][j];
      const double l2 = p * p + q * q;
      const double g = std::fabs(v.t[i2] * p - v.t[i1] * q) + rounding -
                       (v.half[i1] * std::fabs(q) + v.half[i2] * std::fabs(p) +
                        v.other_half[after(j)] * std::fabs(v.r[i][last(j)]) +
                        v.other_half[last(j)] * std::fabs(v.r[i][after(j)]));
      if (!(g * std::fabs(g) > bar * l2) || !(l2 > parallel_sine * parallel_sine)) continue;
      const EdgeAxis e = project(v, i, j, l2);
      if (!(e.gap > best + rounding)) continue;
      found = e;
      best = e.gap;
      bar = (best + rounding) * std::fabs(best + rounding);
    }
  }
  return found;
}

// Faces. The reference face is a rectangle, the other box's face that looks at it a parallelogram above it.

class FaceClip {
public:
  /// `own`: the reference box's view; its face across `axis`. Spots above `limit` are left out.
  FaceClip(const View& own, int axis, bool reference_is_a, double limit, double rounding)
      : own_(own), i_(axis), u_(after(axis)), v_(last(axis)), up_(own.t[axis] >= 0),
        reference_is_a_(reference_is_a), limit_(limit), rounding_(rounding) {
    look_at_face();
    clip();
  }

  [[nodiscard]] std::span<const Spot> spots() const { return std::span(spots_).first(count_); }
  /// Whether the reference face is at the far end of its axis.
  [[nodiscard]] bool far_end() const { return up_; }

private:
  struct Point {
    double x, y, z; ///< in the rectangle's plane, and above it
  };

  [[nodiscard]] Point seen(const double (&w)[3]) const {
    return {w[u_], w[v_], up_ ? w[i_] : -w[i_]};
  }

  /// The face of the other box that looks this way most nearly: its middle, and half its sides.
  void look_at_face() {
    const double* row = own_.r[i_];
    const double c[3] = {std::fabs(row[0]), std::fabs(row[1]), std::fabs(row[2])};
    k_ = c[1] > c[0] ? 1 : 0;
    if (c[2] > c[k_]) k_ = 2;
    far_k_ = (row[k_] > 0) != up_;
    const double h = far_k_ ? own_.other_half[k_] : -own_.other_half[k_];
    const int k1 = after(k_);
    const int k2 = last(k_);
    double m[3], p[3], q[3];
    for (int a = 0; a < 3; ++a) {
      m[a] = own_.t[a] + own_.r[a][k_] * h;
      p[a] = own_.r[a][k1] * own_.other_half[k1];
      q[a] = own_.r[a][k2] * own_.other_half[k2];
    }
    middle_ = seen(m);
    middle_.z -= own_.half[i_];
    p_ = seen(p);
    q_ = seen(q);
  }

  void clip() {
    // Around the parallelogram: signs of p and q.
    static constexpr double sign_p[4] = {-1, 1, 1, -1};
    static constexpr double sign_q[4] = {-1, -1, 1, 1};
    const double hu = own_.half[u_] + rounding_;
    const double hv = own_.half[v_] + rounding_;
    Point corner[4];
    bool inside[4];
    for (int k = 0; k < 4; ++k) {
      corner[k] = {middle_.x + sign_p[k] * p_.x + sign_q[k] * q_.x,
                   middle_.y + sign_p[k] * p_.y + sign_q[k] * q_.y,
                   middle_.z + sign_p[k] * p_.z + sign_q[k] * q_.z};
      inside[k] = std::fabs(corner[k].x) <= hu && std::fabs(corner[k].y) <= hv;
    }
    for (int k = 0; k < 4; ++k) {
      if (inside[k]) add(corner[k], reference_face(), corner_id(k));
    }
    if (inside[0] && inside[1] && inside[2] && inside[3]) return;
    for (int k = 0; k < 4; ++k) {
      const int next = (k + 1) % 4;
      if (!inside[k] || !inside[next]) {
        clip_edge(corner[k], corner[next], inside[k], inside[next], hu, hv, edge_id(k));
      }
    }
    add_own_corners();
  }

  /// The part of an edge above the rectangle: its ends that are none of the edge's own.
  void clip_edge(const Point& from, const Point& to, bool from_inside, bool to_inside, double hu,
                 double hv, std::uint32_t edge) {
    double enter = 0;
    double leave = 1;
    std::uint32_t enter_side = 0;
    std::uint32_t leave_side = 0;
    const auto cut = [&](double x, double dx, double h, std::uint32_t low, std::uint32_t high) {
      if (dx == 0) return std::fabs(x) <= h;
      double in = (-h - x) / dx;
      double out = (h - x) / dx;
      if (dx < 0) {
        std::swap(in, out);
        std::swap(low, high);
      }
      if (in > enter) {
        enter = in;
        enter_side = low;
      }
      if (out < leave) {
        leave = out;
        leave_side = high;
      }
      return enter <= leave;
    };
    const Point d{to.x - from.x, to.y - from.y, to.z - from.z};
    if (!cut(from.x, d.x, hu, 0, 1) || !cut(from.y, d.y, hv, 2, 3)) return;
    const auto at = [&](double s) {
      return Point{from.x + d.x * s, from.y + d.y * s, from.z + d.z * s};
    };
    if (!from_inside && enter > 0) add(at(enter), side_id(enter_side), edge);
    if (!to_inside && leave < 1) add(at(leave), side_id(leave_side), edge);
  }

  /// The rectangle's corners within the parallelogram, not merely on its rim: there an edge was clipped.
  void add_own_corners() {
    const double det = p_.x * q_.y - p_.y * q_.x;
    const double room_p = std::fabs(det) - rounding_ * (std::fabs(q_.x) + std::fabs(q_.y));
    const double room_q = std::fabs(det) - rounding_ * (std::fabs(p_.x) + std::fabs(p_.y));
    for (std::uint32_t k = 0; k < 4; ++k) {
      const double x = k & 1 ? own_.half[u_] : -own_.half[u_];
      const double y = k & 2 ? own_.half[v_] : -own_.half[v_];
      const double dx = x - middle_.x;
      const double dy = y - middle_.y;
      const double s = dx * q_.y - dy * q_.x;
      const double t = p_.x * dy - p_.y * dx;
      if (!(std::fabs(s) < room_p && std::fabs(t) < room_q)) continue;
      const std::uint32_t id = (up_ ? bit(i_) : 0) | (k & 1 ? bit(u_) : 0) | (k & 2 ? bit(v_) : 0);
      add({x, y, middle_.z + (s * p_.z + t * q_.z) / det}, id, face_id(k_, far_k_));
    }
  }

  void add(const Point& p, std::uint32_t own, std::uint32_t other) {
    if (!(p.z <= limit_) || count_ == spots_.size()) return;
    const std::uint32_t high = reference_is_a_ ? own : other;
    const std::uint32_t low = reference_is_a_ ? other : own;
    spots_[count_++] = {{p.x, p.y}, p.z, std::uint64_t{high} << 32 | low};
  }

  // Features, packed, as feature.h numbers them.
  static std::uint32_t edge_number(int axis, bool end1, bool end2) {
    const auto e = static_cast<std::uint32_t>(4 * axis + (end1 ? 1 : 0) + (end2 ? 2 : 0));
    return packed({FeatureKind::edge, e});
  }
  static std::uint32_t face_id(int axis, bool far_end) {
    return packed({FeatureKind::face, static_cast<std::uint32_t>(2 * axis + (far_end ? 1 : 0))});
  }
  [[nodiscard]] std::uint32_t reference_face() const { return face_id(i_, up_); }
  /// The rectangle's sides: low u, high u, low v, high v.
  [[nodiscard]] std::uint32_t side_id(std::uint32_t side) const {
    return side < 2 ? edge_number(v_, up_, side == 1) : edge_number(u_, side == 3, up_);
  }
  [[nodiscard]] std::uint32_t corner_id(int k) const {
    return (far_k_ ? bit(k_) : 0) | (k == 1 || k == 2 ? bit(after(k_)) : 0) |
           (k >= 2 ? bit(last(k_)) : 0);
  }
  /// From corner k to the next: along p at q's low end, along q at p's high end, back.
  [[nodiscard]] std::uint32_t edge_id(int k) const {
    return k % 2 == 0 ? edge_number(after(k_), k == 2, far_k_)
                      : edge_number(last(k_), far_k_, k == 1);
  }

  const View& own_;
  int i_, u_, v_;
  bool up_, reference_is_a_;
  double limit_, rounding_;
  int k_ = 0; ///< the other box's face
  bool far_k_ = false;
  Point middle_{}, p_{}, q_{};
  std::array<Spot, 12> spots_;
  std::size_t count_ = 0;
};

/// The manifold of a face, the reference, and what lies above it. False where no spot attains the gap.
bool face_manifold(const View& own, const Placed& reference, int axis, bool reference_is_a,
                   double gap, double rounding, const ContactOptions& options, ContactManifold& m) {
  const double limit = std::max(options.margin, gap) + rounding;
  const FaceClip clip(own, axis, reference_is_a, limit, rounding);
  const std::span<const Spot> spots = clip.spots();
  double least = INFINITY;
  for (const Spot& s : spots) least = std::min(least, s.separation);
  if (!(least <= gap + 4 * rounding)) return false;

  const Vec3 outward = clip.far_end() ? reference.axes[axis] : -reference.axes[axis];
  m.normal = reference_is_a ? outward : -outward;
  const Vec3 middle = reference.center + outward * own.half[axis];
  const auto contact = [&](const Spot& s) {
    const Vec3 on =
        middle + reference.axes[after(axis)] * s.at.x + reference.axes[last(axis)] * s.at.y;
    const Vec3 above = on + outward * s.separation;
    return reference_is_a ? Contact{on, above, s.separation, s.id}
                          : Contact{above, on, s.separation, s.id};
  };
  const FourSpots four = choose_four(spots, 4 * rounding);
  for (int k = 0; k < four.count; ++k) {
    const auto c = static_cast<std::size_t>(k);
    m.points[c] = contact(spots[four.index[c]]);
  }
  m.count = four.count;
  if (!options.all) return true;
  for (std::size_t i = 0; i < spots.size(); ++i) {
    const bool known =
        std::any_of(spots.begin(), spots.begin() + static_cast<std::ptrdiff_t>(i),
                    [&](const Spot& s) { return distance(s.at, spots[i].at) <= 4 * rounding; });
    if (!known) options.all->push_back(contact(spots[i]));
  }
  return true;
}

/// The one point where two edges cross, seen along their common normal. False where they do not.
bool edge_manifold(const View& v, const EdgeAxis& e, const Placed& a, double rounding,
                   ContactManifold& m) {
  std::uint32_t bits_a = 0;
  std::uint32_t bits_b = 0;
  double on_a[3] = {};
  double on_b[3] = {v.t[0], v.t[1], v.t[2]};
  for (int k = 0; k < 3; ++k) {
    if (k != e.i) {
      on_a[k] = e.n[k] > 0 ? v.half[k] : -v.half[k];
      if (e.n[k] > 0) bits_a |= bit(k);
    }
    if (k != e.j) {
      const double h = e.on_b[k] > 0 ? -v.other_half[k] : v.other_half[k];
      if (!(e.on_b[k] > 0)) bits_b |= bit(k);
      for (int x = 0; x < 3; ++x) on_b[x] += v.r[x][k] * h;
    }
  }
  // on_a + s (axis i) and on_b + u (axis j) differ by gap * n.
  double w[3];
  for (int x = 0; x < 3; ++x) w[x] = on_b[x] - on_a[x];
  const double along_i = w[e.i];
  const double along_j = w[0] * v.r[0][e.j] + w[1] * v.r[1][e.j] + w[2] * v.r[2][e.j];
  const double p = v.r[after(e.i)][e.j];
  const double q = v.r[last(e.i)][e.j];
  const double d = v.r[e.i][e.j];
  const double share = 1 / (p * p + q * q);
  const double s = std::clamp((along_i - d * along_j) * share, -v.half[e.i], v.half[e.i]);
  const double u =
      std::clamp((d * along_i - along_j) * share, -v.other_half[e.j], v.other_half[e.j]);
  on_a[e.i] += s;
  double off = 0;
  for (int x = 0; x < 3; ++x) {
    on_b[x] += v.r[x][e.j] * u;
    off = std::max(off, std::fabs(on_b[x] - on_a[x] - e.n[x] * e.gap));
  }
  if (!(off <= 4 * rounding)) return false;

  const auto number = [](int axis, std::uint32_t bits) {
    const std::uint32_t end1 = bits & bit(after(axis)) ? 1 : 0;
    const std::uint32_t end2 = bits & bit(last(axis)) ? 2 : 0;
    return Feature{FeatureKind::edge, static_cast<std::uint32_t>(4 * axis) + end1 + end2};
  };
  m.normal = a.axes * Vec3{e.n[0], e.n[1], e.n[2]};
  const Vec3 place = a.center + a.axes * Vec3{on_a[0], on_a[1], on_a[2]};
  m.points[0] = {place, place + m.normal * e.gap, e.gap,
                 contact_id(number(e.i, bits_a), number(e.j, bits_b))};
  m.count = 1;
  return true;
}

void say(ContactManifold& m, double gap, double rounding) {
  m.value = gap;
  m.lower_bound = gap - rounding;
  m.upper_bound = gap + 2 * rounding; // an axis passed over may be better by one
}

/// Farther apart than the margin.
BoxContacts apart(ContactManifold& m, const Vec3& normal, double gap, double rounding) {
  m.normal = normal;
  m.value = gap;
  m.lower_bound = gap - rounding;
  m.upper_bound = INFINITY;
  m.status = Status::stopped;
  return BoxContacts::done;
}

} // namespace

BoxContacts box_contacts(const Obb& a, const Pose& pose_a, const Obb& b, const Pose& pose_b,
                         const ContactOptions& options, ContactManifold& m) {
  const Placed placed_a(a, pose_a);
  const Placed placed_b(b, pose_b);
  const View from_a = view(placed_a, placed_b, a.half, b.half);
  const View from_b = other_view(from_a);
  const double size =
      max_abs(a.half) + max_abs(b.half) + max_abs(Vec3{from_a.t[0], from_a.t[1], from_a.t[2]});
  const double rounding = 16 * tolerance::epsilon * size;

  const FaceAxis face_a(from_a, rounding);
  const FaceAxis face_b(from_b, rounding);
  const bool a_refers = !(face_b.gap > face_a.gap + rounding);
  const FaceAxis& face = a_refers ? face_a : face_b;
  const View& own = a_refers ? from_a : from_b;
  const Placed& reference = a_refers ? placed_a : placed_b;
  if (face.gap - rounding > options.margin) {
    const bool along = (own.t[face.axis] >= 0) == a_refers;
    const Vec3& axis = reference.axes[face.axis];
    return apart(m, along ? axis : -axis, face.gap, rounding);
  }
  const EdgeAxis edges = best_edges(from_a, face.gap, rounding);
  if (edges.i < 0) {
    say(m, face.gap, rounding);
    return face_manifold(own, reference, face.axis, a_refers, face.gap, rounding, options, m)
               ? BoxContacts::done
               : BoxContacts::search;
  }
  const Vec3 n{edges.n[0], edges.n[1], edges.n[2]};
  if (edges.gap - rounding > options.margin) {
    return apart(m, placed_a.axes * n, edges.gap, rounding);
  }
  say(m, edges.gap, rounding);
  if (!edge_manifold(from_a, edges, placed_a, rounding, m)) return BoxContacts::search;
  const double cosine =
      std::max(max_abs(n), max_abs(Vec3{edges.on_b[0], edges.on_b[1], edges.on_b[2]}));
  if (cosine > nearly_face) return BoxContacts::patch;
  if (options.all) options.all->push_back(m.points[0]);
  return BoxContacts::done;
}

} // namespace carom
