// The first contact of four moving points, as far as doubles with error bounds can tell. What is close is left undecided.
//
// 1. A coordinate axis separates at both times: then all the time. Comparisons only, exact.
// 2. The volume's coefficients (time_polynomial.h) all have one sign: the points are never in a plane. The moving plane of the face, or of both edges, separates.
// 3. The direction between the nearest points at half time separates at both times.
// 4. The times when the volume may vanish are shut up in short windows. In each, Radon's weights tell that the parts touch, or not; or their distance is too great for the rest of
//    the window. A contact counts when the volume surely changes its sign across the window.
//
// Errors. u = 2^-53. S is the greatest coordinate of x[i] - x[0], at both times and so between. Each coefficient of the volume is a sum of at most three determinants of three
// such vectors, 18 terms of at most S1 S2 S3, each through at most 10 roundings: off by less than 11 u 18 S1 S2 S3 < 2^-45 S1 S2 S3.
#include "carom/math/predicates.h"
#include "carom/motion/four_points.h"

#include <algorithm>

namespace carom {

namespace {

using std::size_t;

constexpr double volume_error = 0x1p-45;
/// Half the length of a window, tried in turn.
constexpr std::array<double, 3> reaches{0x1p-44, 0x1p-34, 0x1p-24};

struct Window {
  double lo, hi;
  bool crossing; ///< the volume surely changes sign from lo to hi
  int inner = 0; ///< its sign at the other end of a window that begins at 0 or ends at 1
};

/// The volume on [a, b], by its Bernstein coefficients there.
struct Piece {
  double a, b;
  std::array<double, 4> c;

  /// 1 or -1 where it surely has that sign all over the piece, else 0.
  [[nodiscard]] int sign(double error) const {
    const auto [low, high] = std::minmax({c[0], c[1], c[2], c[3]});
    return low > error ? 1 : high < -error ? -1 : 0;
  }
  /// The parts left and right of a + (b - a) s, by de Casteljau's rule: convex combinations, whose roundings the caller's error includes.
  void split(double s, Piece& left, Piece& right) const {
    const auto mix = [s](double x, double y) { return x * (1 - s) + y * s; };
    const double c01 = mix(c[0], c[1]);
    const double c12 = mix(c[1], c[2]);
    const double c23 = mix(c[2], c[3]);
    const double c012 = mix(c01, c12);
    const double c123 = mix(c12, c23);
    const double middle = mix(c012, c123);
    const double at = a + (b - a) * s;
    right = {at, b, {middle, c123, c23, c[3]}};
    left = {a, at, {c[0], c01, c012, middle}};
  }
  [[nodiscard]] double at(double s) const {
    const double r = 1 - s;
    return r * r * (r * c[0] + 3 * s * c[1]) + s * s * (3 * r * c[2] + s * c[3]);
  }
};

class Quick {
public:
  explicit Quick(const FourPoints& points) : points_(points) {}

  [[nodiscard]] QuickContact run() {
    constexpr QuickContact miss{true, {}};
    for (int k = 0; k < 3; ++k)
      if (separated_along(k)) return miss;
    make_volume();
    // Out of the range where nothing underflows, the exact stage decides.
    if (!(size_ > 0x1p-200 && size_ < 0x1p200)) return {};
    const Piece whole{0, 1, {c_[0], c_[1] / 3, c_[2] / 3, c_[3]}};
    if (whole.sign(error_) != 0) return miss;
    if (separated_at_half_time()) return miss;
    if (!find_windows(whole, 0)) return {};
    for (int i = 0; i < window_count_; ++i) {
      const Window& w = windows_[static_cast<size_t>(i)];
      const int touches = touching(w);
      if (touches > 0 && (w.crossing || reaches_plane(w))) return {true, {true, w.lo, w.hi}};
      if (touches >= 0) return {};
    }
    return miss;
  }

private:
  [[nodiscard]] bool separated_along(int k) const {
    const auto first = static_cast<size_t>(points_.first);
    const auto separated = [&](const std::array<Vec3, 4>& x, bool up) {
      for (size_t a = 0; a < first; ++a)
        for (size_t b = first; b < 4; ++b)
          if (!(up ? x[a][k] < x[b][k] : x[a][k] > x[b][k])) return false;
      return true;
    };
    const bool up = points_.from[0][k] < points_.from[3][k];
    return separated(points_.from, up) && separated(points_.to, up);
  }

  void make_volume() {
    std::array<double, 4> size{};
    for (size_t i = 1; i < 4; ++i) {
      d0_[i] = points_.from[i] - points_.from[0];
      d1_[i] = points_.to[i] - points_.to[0];
      size[i] = std::max(max_abs(d0_[i]), max_abs(d1_[i]));
    }
    size_ = std::max({size[1], size[2], size[3]});
    error_ = volume_error * (size[1] * size[2]) * size[3];
    const Vec3 n0 = cross(d0_[2], d0_[3]);
    const Vec3 n1 = cross(d0_[2], d1_[3]) + cross(d1_[2], d0_[3]);
    const Vec3 n2 = cross(d1_[2], d1_[3]);
    c_ = {dot(d0_[1], n0), dot(d1_[1], n0) + dot(d0_[1], n1), dot(d1_[1], n1) + dot(d0_[1], n2),
          dot(d1_[1], n2)};
  }

  /// The direction of the nearest points at half time, tried at both ends. Relative to x[0] everything is off by a few u S, and the products by as many.
  [[nodiscard]] bool separated_at_half_time() const {
    const NearestParts n = nearest_parts(points_.around_first(0.5), points_.first);
    const Vec3 direction = n.on_second - n.on_first;
    const double slack = 0x1p-47 * size_ * max_abs(direction);
    const auto gap = [&](const std::array<Vec3, 4>& d) {
      double least = INFINITY;
      double most = points_.first == 2 ? std::max(0.0, dot(direction, d[1])) : 0.0;
      for (auto b = static_cast<size_t>(points_.first); b < 4; ++b)
        least = std::min(least, dot(direction, d[b]));
      return least - most;
    };
    return gap(d0_) > slack && gap(d1_) > slack;
  }

  /// The windows of a piece, in order of time. False where they cannot be told.
  bool find_windows(const Piece& piece, int depth) {
    // Each split adds a few roundings of convex combinations of what is at most 6 S1 S2 S3.
    const double error = error_ * (1 + 0.5 * depth);
    if (piece.sign(error) != 0) return true;
    if (depth > 8 || window_count_ == 4) return false;
    const auto surely = [&](double x) { return x > error ? 1 : x < -error ? -1 : 0; };
    const int s0 = surely(piece.c[0]);
    const int s1 = surely(piece.c[3]);
    if (s0 * s1 < 0 && shut_in(piece, root_of(piece), true, error)) return true;
    if (s0 == 0 && shut_in(piece, 0, false, error)) return true;
    if (s1 == 0 && shut_in(piece, 1, false, error)) return true;
    Piece left, right;
    piece.split(0.5, left, right);
    return find_windows(left, depth + 1) && find_windows(right, depth + 1);
  }

  /// A window around s, where the volume surely does not vanish in the rest of the piece.
  bool shut_in(const Piece& piece, double s, bool crossing, double error) {
    for (const double reach : reaches) {
      const double low = s - reach;
      const double high = s + reach;
      Piece left, right, ignored;
      bool sure = true;
      int inner = 0;
      if (low > 0) {
        piece.split(low, left, ignored);
        inner = left.sign(error * 1.5);
        sure = inner != 0;
      }
      if (sure && high < 1) {
        piece.split(high, ignored, right);
        inner = right.sign(error * 1.5);
        sure = inner != 0;
      }
      if (!sure) continue;
      const double length = piece.b - piece.a;
      // Pieces begin and end at multiples of 2^-8; a rounding in the product is far below the reach.
      windows_[static_cast<size_t>(window_count_++)] = {
          low > 0 ? piece.a + length * (s - 2 * reach > 0 ? s - 2 * reach : 0) : piece.a,
          high < 1 ? piece.a + length * (s + 2 * reach < 1 ? s + 2 * reach : 1) : piece.b, crossing,
          inner};
      return true;
    }
    return false;
  }

  /// Where a piece whose ends have different signs vanishes, about.
  static double root_of(const Piece& piece) {
    double a = 0, b = 1;
    double fa = piece.c[0], fb = piece.c[3];
    int side = 0;
    for (int i = 0; i < 30; ++i) {
      double x = a + (b - a) * (fa / (fa - fb));
      if (i % 8 == 7 || !(x > a && x < b)) x = (a + b) / 2;
      const double f = piece.at(x);
      if (f == 0) return x;
      const bool left = (f < 0) == (piece.c[0] < 0);
      const double moved = left ? x - a : b - x;
      (left ? a : b) = x;
      (left ? fa : fb) = f;
      if (side == (left ? 1 : -1)) (left ? fb : fa) /= 2;
      side = left ? 1 : -1;
      if (moved < 0x1p-49 || b - a < 0x1p-49) return x;
    }
    return (a + b) / 2;
  }

  /// Whether, in a window at an end of time, the points surely are in a plane: at the end itself, by an exact sign, or before, since the signs differ.
  [[nodiscard]] bool reaches_plane(const Window& w) const {
    if (w.lo > 0 && w.hi < 1) return false;
    const auto& x = w.lo == 0 ? points_.from : points_.to;
    const int sign = orient3d(x[0], x[1], x[2], x[3]);
    if (sign == 0) return true;
    if (w.lo == 0 && w.hi == 1) return false;
    return sign * w.inner < 0;
  }

  /// 1: the parts touch at any time in the window when the points are in a plane. -1: at none. 0: it is close.
  ///
  /// Radon's weights, times a fixed vector n. At a time in the window, the points are off by at most e = 2^-50 S + speed times window, in each coordinate; differences of points, of at most 2 sqrt(3) S, by
  /// 2 sqrt(3) e; areas, products of two such, by 24 S e and a little; and as much, times |n|, is the weight. The 2^-50 and the rest of the 32 are for rounding.
  [[nodiscard]] int touching(const Window& w) const {
    const double t = 0.5 * (w.lo + w.hi);
    double speed = 0;
    for (size_t i = 1; i < 4; ++i) speed = std::max(speed, max_abs(d1_[i] - d0_[i]));
    const std::array<Vec3, 4> d = points_.around_first(t);
    const double off = 0x1p-50 * size_ + speed * (w.hi - w.lo);
    const Vec3 n12 = cross(d[1], d[2]);
    const Vec3 n13 = cross(d[1], d[3]);
    const Vec3 n23 = cross(d[2], d[3]);
    const Vec3 n0 = n12 - n13 + n23;
    // The normal of the face, or of both edges: (x1 - x0) x (x3 - x2).
    const Vec3 n = points_.first == 1 ? n0 : n13 - n12;
    const std::array<double, 4> weight{dot(n, n0), -dot(n, n23), dot(n, n13), -dot(n, n12)};
    const double error = 32 * size_ * off * length(n);
    int positive = 0;
    int negative = 0;
    for (size_t i = 0; i < 4; ++i) {
      const double x = static_cast<int>(i) < points_.first ? weight[i] : -weight[i];
      positive += x > error ? 1 : 0;
      negative += x < -error ? 1 : 0;
    }
    if (positive == 4 || negative == 4) return 1;
    if (positive > 0 && negative > 0) return -1;
    const double distance = nearest_parts(d, points_.first).distance;
    return distance > 4 * off + 0x1p-44 * size_ ? -1 : 0;
  }

  const FourPoints& points_;
  std::array<Vec3, 4> d0_, d1_; ///< x[i] - x[0] at both times
  double size_ = 0;
  double error_ = 0;
  std::array<double, 4> c_{};
  int window_count_ = 0;
  std::array<Window, 4> windows_{};
};

} // namespace

QuickContact quick_contact_time(const FourPoints& points) { return Quick(points).run(); }

} // namespace carom
