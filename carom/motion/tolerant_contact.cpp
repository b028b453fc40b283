// How long four moving points stay farther apart than a given distance.
//
// From a time t on: the direction of the nearest points there separates until the gap along it, which is linear in time for each pair of points, falls to the distance; then the same again from
// there. Each step is proved by its direction. Where it comes within the tolerance the answer is a hit.
//
// A face that turns about the point below a vertex, close to it, lets each direction hold for a moment only. There the moving normal n(t) serves: the volume is D = |n| times the
// distance from its plane, so D > d |n| will do, and |n| <= (|n|^2 + N^2) / (2 N) for any N > 0, which is off by a square only where N is about |n|. So
//   2 N D(t) - d (|n(t)|^2 + N^2) > 0,
// a polynomial of degree 4, which is positive where its Bernstein coefficients are.
//
// The number of steps is bounded since each gains at least the tolerance over the greatest speed. It starts with a tolerance of a few roundings, which is enough
// nearly always; only who has taken many steps gets the full one.
#include "carom/motion/four_points.h"

#include <algorithm>

namespace carom {

namespace {

using std::size_t;

/// Everything is computed from the differences, of at most S, through a dozen roundings: 2^-47 S for a length would do.
constexpr double rounding = 0x1p-44;
/// So many steps with the fine tolerance, then with that of linear_answer.h.
constexpr int fine_steps = 1 << 10;
constexpr double fine_tolerance = 0x1p-42;
constexpr int most_steps = 1 << 25;

class Advance {
public:
  Advance(const FourPoints& points, double distance)
      : points_(points), size_(reach(points)), distance_(distance + rounding * size_) {
    for (size_t i = 1; i < 4; ++i) {
      d0_[i] = points.from[i] - points.from[0];
      d1_[i] = points.to[i] - points.to[0];
    }
  }

  [[nodiscard]] ContactTime run() const {
    double t = 0;
    double length = 0.125; // of the intervals tried with the moving normal
    for (int step = 0; step < most_steps; ++step) {
      const double allowed = (step < fine_steps ? fine_tolerance : linear_tolerance / 2) * size_;
      const std::array<Vec3, 4> x = points_.around_first(t);
      const NearestParts n = nearest_parts(x, points_.first);
      if (!(n.distance > distance_ + allowed)) return {true, t, t};
      double next = until(t, (n.on_second - n.on_first) / n.distance);
      if (next - t < 0.125) next = std::max(next, until_beside(t, x, n));
      if (next - t < length) {
        const double end = std::min(1.0, t + length);
        const bool separates = normal_separates(t, end);
        if (separates) next = std::max(next, end == 1 ? 2.0 : end);
        length = separates ? 2 * length : std::max(length / 2, 0x1p-24);
      }
      if (next >= 1) return {};
      // No direction is exact enough: only then is a gap that is greater than the tolerance allowed.
      if (!(next > t) && (length == 0x1p-24 || step >= fine_steps)) return {true, t, t};
      t = std::max(t, next);
    }
    return {true, t, t};
  }

private:
  /// The direction between points that are close to each other is off by a rounding over their distance, too much for an edge that goes on from there. At right angles to an
  /// edge, or to two, it serves.
  [[nodiscard]] double until_beside(double t, const std::array<Vec3, 4>& x,
                                    const NearestParts& n) const {
    const Vec3 between = n.on_second - n.on_first;
    double best = t;
    const auto attempt = [&](const Vec3& along) {
      const Vec3 direction = normalized_or(dot(along, between) < 0 ? -along : along, {});
      best = std::max(best, until(t, direction));
    };
    const auto beside = [&](size_t a, size_t b) {
      const Vec3 edge = x[b] - x[a];
      attempt(cross(cross(edge, between), edge));
    };
    if (points_.first == 1) {
      beside(1, 2);
      beside(2, 3);
      beside(3, 1);
      attempt(cross(x[2] - x[1], x[3] - x[1]));
    } else {
      beside(0, 1);
      beside(2, 3);
      attempt(cross(x[1] - x[0], x[3] - x[2]));
    }
    return best;
  }

  /// When the gap along a direction of unit length falls to the distance; 1 or more where it does not.
  [[nodiscard]] double until(double t, const Vec3& direction) const {
    double end = 2;
    for (size_t a = 0; a < static_cast<size_t>(points_.first); ++a)
      for (auto b = static_cast<size_t>(points_.first); b < 4; ++b) {
        const double gap_0 = dot(direction, d0_[b] - d0_[a]) - distance_;
        const double gap_1 = dot(direction, d1_[b] - d1_[a]) - distance_;
        if (gap_1 > 0) {
          // Positive at both ends of [t, 1], or nothing is gained.
          if (!(gap_0 * (1 - t) + gap_1 * t > 0)) return t;
          continue;
        }
        if (!(gap_0 > 0)) return t;
        end = std::min(end, gap_0 / (gap_0 - gap_1));
      }
    return end;
  }

  /// The differences at a time.
  [[nodiscard]] Vec3 at(size_t i, double t) const { return lerp(d0_[i], d1_[i], t); }

  [[nodiscard]] bool normal_separates(double a, double b) const {
    // Two vectors that span the plane, and one across it: its volume with them.
    const bool face = points_.first == 1;
    const auto vectors = [&](double t) {
      const Vec3 x1 = at(1, t);
      const Vec3 x2 = at(2, t);
      const Vec3 x3 = at(3, t);
      return face ? std::array<Vec3, 3>{x2 - x1, x3 - x1, x1}
                  : std::array<Vec3, 3>{x1, x3 - x2, x2};
    };
    const auto [u0, v0, w0] = vectors(a);
    const auto [u1, v1, w1] = vectors(b);
    const std::array<Vec3, 3> n{cross(u0, v0), (cross(u0, v1) + cross(u1, v0)) * 0.5,
                                cross(u1, v1)};
    const double d0 = dot(w0, n[0]);
    const double d1 = (2 * dot(w0, n[1]) + dot(w1, n[0])) / 3;
    const double d2 = (dot(w0, n[2]) + 2 * dot(w1, n[1])) / 3;
    const double d3 = dot(w1, n[2]);
    const std::array<double, 5> volume{d0, (d0 + 3 * d1) / 4, (d1 + d2) / 2, (3 * d2 + d3) / 4, d3};
    const std::array<double, 5> square{dot(n[0], n[0]), dot(n[0], n[1]),
                                       (dot(n[0], n[2]) + 2 * dot(n[1], n[1])) / 3, dot(n[1], n[2]),
                                       dot(n[2], n[2])};
    const double typical = length((n[0] + n[1] * 2 + n[2]) * 0.25);
    const double side = d0 < 0 ? -2 * typical : 2 * typical;
    // n is at most 24 S^2 long, and D at most 48 S^3: a hundred terms, a dozen roundings.
    const double s2 = size_ * size_;
    const double error = 0x1p-40 * s2 * size_ * (typical + distance_ * size_);
    return std::all_of(indices_.begin(), indices_.end(), [&](size_t i) {
      return side * volume[i] - distance_ * (square[i] + typical * typical) > error;
    });
  }

  static constexpr std::array<size_t, 5> indices_{0, 1, 2, 3, 4};
  const FourPoints& points_;
  double size_;
  double distance_; ///< with what rounding may add
  std::array<Vec3, 4> d0_, d1_;
};

} // namespace

ContactTime tolerant_contact_time(const FourPoints& points, double separation, double input_error) {
  // Each of two points may be off by the diagonal of a cube: 2 sqrt(3) < 3.4642.
  return Advance(points, separation + 3.4642 * input_error).run();
}

} // namespace carom
