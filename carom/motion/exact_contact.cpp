// The first contact of four moving points, exactly.
//
// The coordinates are integers times a common power of two. The volume is a cubic with integer coefficients. Not touching at time 0, the parts first touch
//   - at a root of the volume, where it is not zero all the time;
//   - else (everything stays in a plane, which may turn) when one of the areas becomes zero: were all four weights of Radon's theorem not zero, the parts would have met
//     just before, too. An area that is zero all the time tells nothing; where all are, everything stays on a line;
//   - else when two points, one of each part, meet: a root of a coordinate of their difference.
// At each such time signs decide (four_points.h). Where all areas are zero, the points are on a line, and the parts overlap if they do in each coordinate.
#include "carom/motion/four_points.h"
#include "carom/motion/time_polynomial.h"

#include <algorithm>
#include <bit>

namespace carom {

namespace {

using std::size_t;
using Integer = TimePolynomial::Coefficient;

/// A double as odd 2^exponent; zero as 0 2^0.
struct Odd {
  std::uint64_t magnitude = 0;
  int exponent = 0;
  bool negative = false;

  explicit Odd(double x) {
    if (x == 0) return;
    const auto bits = std::bit_cast<std::uint64_t>(x);
    negative = bits >> 63 != 0;
    magnitude = (bits & 0xfffffffffffffU) | 0x10000000000000U; // normal: in range
    exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1075;
    const int zeros = std::countr_zero(magnitude);
    magnitude >>= zeros;
    exponent += zeros;
  }
};

struct ExactPoints {
  int first;
  /// Coordinate k of x[i] - x[0], i from 1, as polynomials {at 0, at 1}.
  std::array<std::array<TimePolynomial, 3>, 4> edge;

  explicit ExactPoints(const FourPoints& points) : first(points.first) {
    int least = 1 << 20;
    for (size_t i = 0; i < 4; ++i)
      for (int k = 0; k < 3; ++k)
        for (const double x : {points.from[i][k], points.to[i][k]})
          if (x != 0) least = std::min(least, Odd(x).exponent);
    const auto integer = [&](double x) {
      const Odd odd(x);
      return Integer(odd.magnitude, x == 0 ? 0 : odd.exponent - least, odd.negative);
    };
    for (size_t k = 0; k < 3; ++k) {
      const int axis = static_cast<int>(k);
      const Integer from = integer(points.from[0][axis]);
      const Integer to = integer(points.to[0][axis]);
      for (size_t i = 1; i < 4; ++i)
        edge[i][k] =
            TimePolynomial(integer(points.from[i][axis]) - from, integer(points.to[i][axis]) - to);
    }
  }

  /// Coordinate k of (x[i] - x[0]) x (x[j] - x[0]).
  [[nodiscard]] TimePolynomial cross(size_t i, size_t j, size_t k) const {
    const size_t k1 = (k + 1) % 3;
    const size_t k2 = (k + 2) % 3;
    return edge[i][k1] * edge[j][k2] - edge[i][k2] * edge[j][k1];
  }
};

/// The areas along axis k: Radon's weights.
struct Areas {
  bool known = false;
  std::array<TimePolynomial, 4> weight;
};

/// The whole search; polynomials are computed when they are first asked for.
class Search {
public:
  explicit Search(const FourPoints& points) : points_(points), exact_(points) {
    for (size_t k = 0; k < 3; ++k) cross23_[k] = exact_.cross(2, 3, k);
    volume_ = exact_.edge[1][0] * cross23_[0] + exact_.edge[1][1] * cross23_[1] +
              exact_.edge[1][2] * cross23_[2];
  }

  [[nodiscard]] ContactTime run() {
    if (sign_at(volume_, GridTime{0}) == 0 && touching(at_time(0))) return {true, 0, 0};
    ContactTime best;
    if (!volume_.zero()) {
      try_roots(volume_, best);
    } else {
      try_areas(best);
    }
    if (!best.hit && sign_at(volume_, grid_one) == 0 && touching(at_time(grid_one)))
      best = {true, 1, 1};
    return best;
  }

  [[nodiscard]] PlaneTimes plane_times() const {
    PlaneTimes times;
    times.always = volume_.zero();
    if (times.always) return times;
    times.at_start = sign_at(volume_, GridTime{0}) == 0;
    times.at_end = sign_at(volume_, grid_one) == 0;
    TimeRoots roots;
    find_roots(volume_, roots);
    times.count = roots.count;
    for (size_t i = 0; i < static_cast<size_t>(roots.count); ++i) {
      times.lo[i] = time_below(roots.root[i].lo);
      times.hi[i] = time_above(roots.root[i].hi);
    }
    return times;
  }

private:
  static TimeRoot at_time(GridTime time) {
    TimeRoot root;
    root.lo = root.hi = time;
    return root;
  }

  const std::array<TimePolynomial, 4>& weights(size_t k) {
    Areas& a = areas_[k];
    if (!a.known) {
      const TimePolynomial cross12 = exact_.cross(1, 2, k);
      a.weight[2] = exact_.cross(1, 3, k);
      a.weight[0] = cross12 - a.weight[2] + cross23_[k];
      a.weight[1] = -cross23_[k];
      a.weight[3] = -cross12;
      a.known = true;
    }
    return a.weight;
  }

  /// Whether the parts touch at a time when the four points are in a plane.
  bool touching(const TimeRoot& time) {
    // The axis along which the areas are greatest: one of those of a triangle is good enough a guess.
    std::array<size_t, 3> axes{0, 1, 2};
    const Vec3 n = normal_near(0.5 * (time_below(time.lo) + time_above(time.hi)));
    std::sort(axes.begin(), axes.end(), [&](size_t a, size_t b) {
      const double na = std::fabs(n[static_cast<int>(a)]);
      const double nb = std::fabs(n[static_cast<int>(b)]);
      return na != nb ? na > nb : a < b;
    });
    for (const size_t k : axes) {
      const auto& w = weights(k);
      bool plane = false;
      bool positive = true; // the first part may be that of the weights >= 0
      bool negative = true;
      for (size_t i = 0; i < 4; ++i) {
        int sign = sign_at(w[i], time);
        plane = plane || sign != 0;
        if (static_cast<int>(i) >= exact_.first) sign = -sign;
        positive = positive && sign >= 0;
        negative = negative && sign <= 0;
        if (!positive && !negative) return false;
      }
      if (plane) return positive || negative;
    }
    return overlapping_on_line(time);
  }

  bool overlapping_on_line(const TimeRoot& time) {
    for (size_t k = 0; k < 3; ++k) {
      bool some_below = false; // some b <= some a, and some b >= some a
      bool some_above = false;
      for (size_t a = 0; a < static_cast<size_t>(exact_.first); ++a)
        for (auto b = static_cast<size_t>(exact_.first); b < 4; ++b) {
          const int sign = sign_at(difference(a, b, k), time);
          some_below = some_below || sign <= 0;
          some_above = some_above || sign >= 0;
        }
      if (!some_below || !some_above) return false;
    }
    return true;
  }

  [[nodiscard]] TimePolynomial difference(size_t a, size_t b, size_t k) const {
    return a == 0 ? exact_.edge[b][k] : exact_.edge[b][k] - exact_.edge[a][k];
  }

  /// Takes the first root at which they touch, where it comes before the best so far.
  void try_roots(const TimePolynomial& p, ContactTime& best) {
    TimeRoots roots;
    find_roots(p, roots);
    for (int i = 0; i < roots.count; ++i) {
      const TimeRoot& root = roots.root[static_cast<size_t>(i)];
      const double lo = time_below(root.lo);
      if (best.hit && lo >= best.lo) return;
      if (!(root.crowded ? near(lo) : touching(root))) continue;
      best = {true, lo, time_above(root.hi)};
      return;
    }
  }

  void try_areas(ContactTime& best) {
    bool on_a_line = true;
    for (size_t i = 0; i < 4; ++i) {
      for (size_t k = 0; k < 3; ++k) {
        const TimePolynomial& area = weights(k)[i];
        if (area.zero()) continue;
        on_a_line = false;
        try_roots(area, best);
        break; // where they touch and this area is zero it is so along each axis
      }
    }
    if (!on_a_line) return;
    for (size_t a = 0; a < static_cast<size_t>(exact_.first); ++a)
      for (auto b = static_cast<size_t>(exact_.first); b < 4; ++b)
        for (size_t k = 0; k < 3; ++k) {
          const TimePolynomial d = difference(a, b, k);
          if (d.zero()) continue;
          try_roots(d, best);
          break;
        }
  }

  [[nodiscard]] Vec3 normal_near(double t) const {
    const std::array<Vec3, 4> x = points_.around_first(t);
    return abs(cross(x[1], x[2])) + abs(cross(x[2], x[3])) + abs(cross(x[3], x[1]));
  }

  /// Several roots that 2^-62 cannot tell apart: within 1e-12 of the size is taken for contact, on the safe side.
  [[nodiscard]] bool near(double t) const {
    return nearest_parts(points_.around_first(t), points_.first).distance <= 1e-12 * reach(points_);
  }

  const FourPoints& points_;
  ExactPoints exact_;
  std::array<TimePolynomial, 3> cross23_;
  TimePolynomial volume_;
  std::array<Areas, 3> areas_;
};

} // namespace

ContactTime exact_contact_time(const FourPoints& points) { return Search(points).run(); }

PlaneTimes plane_times(const FourPoints& points) { return Search(points).plane_times(); }

} // namespace carom
