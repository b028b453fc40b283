// How far the set reaches along a unit vector n is
//   F(n) = c . n + sum of |M_i' n| + radius,
// and the farthest point is where the greatest F is. There may be many local maxima, or a ring or sphere of equal ones.
//
// Going up: the farthest point along n lies in a direction along which the set reaches at least as far. Repeated, this climbs to a local maximum. Newton's steps
// on the direction make it quick.
//
// The proof. By the inequality of the means |x| <= (x^2 / s + s) / 2 for every s > 0, with equality at |x| = s. So with s_i = |M_i' n| of the peak
//   F(n) <= c . n + n' Q n / 2 + sum of s_i / 2 + radius,     Q = sum of M_i M_i' / s_i,
// a quadratic function, whose greatest value on the sphere is known: for every number l above the eigenvalues q_k of Q it is at most l / 2 + sum of c_k^2 / (l - q_k) / 2, with c_k along the eigenvectors. At a
// peak of height l (radius not counted) with q_k <= l this is l + sum of s_i / 2 - ...: exactly F. That is the Lagrangian dual of the problem. With one M it is always tight, and so it is with two around a common
// centre. It does not mind rings and spheres of equal peaks.
//
// Where it is not tight (two curved shapes with rival peaks), triangles of directions are searched (direction_cells.h). In each, the same quadratic function with the s_i of its middle is the bound,
// but only over the triangle. It errs by the square of its width times how fast |M_i' n| changes there; along a ring of nearly equal peaks that is slow.
#include "carom/query/farthest_in_sum.h"

#include "carom/math/eigen3.h"
#include "carom/query/direction_cells.h"
#include "carom/query/tangent_plane.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace carom {
namespace {

/// The greatest g x + h x^2 / 2 for |x| <= reach.
double greatest(double g, double h, double reach) {
  const double slope = std::fabs(g);
  if (h < 0 && slope < -h * reach) return slope * slope / (-2 * h);
  return slope * reach + h * reach * reach / 2;
}

/// The greatest g . x + x' H x / 2 in a square around the disc |x| <= reach, along the eigenvectors.
double greatest(const Vec2& g, const Mat2& h, double reach) {
  const double mean = 0.5 * (h.xx + h.yy);
  const double half = 0.5 * (h.xx - h.yy);
  const double spread = std::sqrt(half * half + h.xy * h.xy);
  const Vec2 u = half > 0 ? Vec2{half + spread, h.xy} : Vec2{h.xy, spread - half};
  const double l = length(u);
  const Vec2 e = l > 0 ? u / l : Vec2{1, 0};
  const Vec2 f{-e.y, e.x};
  return greatest(dot(e, g), mean + spread, reach) + greatest(dot(f, g), mean - spread, reach);
}

class BallSumSearch {
public:
  struct Corner {
    Vec3 direction;
  };

  BallSumSearch(const Vec3& center, std::span<const Mat3> images, double radius, Farthest& found)
      : center_(center), images_(images), radius_(radius), found_(found) {}

  // What search_directions asks for.
  [[nodiscard]] static Corner corner(const Vec3& direction) { return {direction}; }
  [[nodiscard]] double best() const { return found_.value; }
  [[nodiscard]] double ceiling() const { return ceiling_; }
  double bound(const std::array<Corner, 3>& corners) {
    const DirectionCap cap =
        cap_around(corners[0].direction, corners[1].direction, corners[2].direction);
    if (length(farthest_along(cap.axis)) + radius_ > found_.value) try_from(cap.axis);
    return bound_in(cap);
  }

  /// Climbs from n, and asks the dual bound there.
  void try_from(const Vec3& n) { ceiling_ = std::min(ceiling_, dual_bound(climb(n))); }

private:
  static constexpr int most_climbing_steps = 100;
  /// Less than a rounding is no progress.
  static constexpr double still = 0x1p-53;
  static constexpr double half_the_digits = 1e-6;

  /// From the direction n up to a peak; keeps the best. Returns the direction toward where it ended.
  Vec3 climb(Vec3 n) {
    Vec3 top = n;
    double height = -INFINITY;
    for (int i = 0; i < most_climbing_steps; ++i) {
      ++found_.steps;
      const Vec3 p = farthest_along(n);
      const double reached = length(p);
      if (!(reached > height * (1 + still))) break;
      height = reached;
      top = n = normalized_or(p, n);
      n = stepped(n);
    }
    if (height + radius_ > found_.value) {
      found_.value = height + radius_;
      found_.direction = top;
    }
    return sharpened(top, height);
  }

  /// The first of a few of Newton's steps from n that is better than n; n where none is. A long step along a ridge leaves it, and the next leads back up.
  [[nodiscard]] Vec3 stepped(const Vec3& n) const {
    const double height = length(farthest_along(n));
    Vec3 tried = n;
    for (int i = 0; i < 5; ++i) {
      tried = newton(tried);
      if (length(farthest_along(tried)) > height) return tried;
    }
    return n;
  }

  /// A peak of this height is found to half the digits when the height does not change any more. The dual bound wants all of them.
  [[nodiscard]] Vec3 sharpened(Vec3 n, double height) const {
    for (int i = 0; i < 3; ++i) {
      const Vec3 tried = newton(n);
      const bool near = length_squared(tried - n) < half_the_digits * half_the_digits;
      if (!near || length(farthest_along(tried)) < height * (1 - 8 * still)) break;
      n = tried;
    }
    return n;
  }

  /// The dual bound of the whole set from the peak at n, the best of a few l.
  [[nodiscard]] double dual_bound(const Vec3& n) const {
    Mat3 q = Mat3::zero();
    double half_sum = 0;
    for (const Mat3& m : images_) {
      const double s = length(transpose_mul(m, n));
      if (!(s > 0)) return INFINITY;
      q = q + (m * transpose(m)) * (1 / s);
      half_sum += s / 2;
    }
    const Eigen3 eigen = symmetric_eigen(q);
    if (!eigen.finite) return INFINITY;
    const Vec3 c = transpose_mul(eigen.vectors, center_);
    const double peak = std::max(length(farthest_along(n)), eigen.values.x);
    double least = INFINITY;
    double above = 1e-14;
    for (int i = 0; i < 7; ++i, above *= 4) {
      const double l = peak * (1 + above);
      double sum = l;
      for (int k = 0; k < 3; ++k) sum += c[k] * c[k] / (l - eigen.values[k]);
      least = std::min(least, sum / 2 + half_sum + radius_);
    }
    return least;
  }

  /// A point of the set, the rounding left out, that is farthest along n. Where a ball is pressed flat along n it is some point of its rim: never its middle, from
  /// which there is no way up.
  [[nodiscard]] Vec3 farthest_along(const Vec3& n) const {
    Vec3 p = center_;
    for (const Mat3& m : images_) {
      const Vec3 longest = unit_axis(largest_column(m));
      p += m * normalized_or(transpose_mul(m, n), longest);
    }
    return p;
  }
  static int largest_column(const Mat3& m) {
    return largest_axis({length_squared(m.x), length_squared(m.y), length_squared(m.z)});
  }

  /// A step of Newton's method from n, for the maximum of F on the sphere.
  [[nodiscard]] Vec3 newton(const Vec3& n) const {
    const TangentPlane plane(n);
    Mat2 bend;
    Vec3 p = center_;
    for (const Mat3& m : images_) {
      const Vec3 x = transpose_mul(m, n);
      const double s = length(x);
      if (!(s > 0)) return n;
      const Vec3 u = x / s;
      const Vec3 mu = m * u;
      p += mu;
      const Vec2 across = plane(mu);
      const Mat2 full = restrict_to(plane, m * transpose(m));
      bend = bend +
             (full - Mat2{across.x * across.x, across.x * across.y, across.y * across.y}) * (1 / s);
    }
    const Mat2 down = Mat2::multiple_of_identity(dot(p, n)) - bend;
    const Vec2 step = newton_step(down, -plane(p));
    const double l = length(step);
    if (!(l < INFINITY)) return n;
    const Vec2 limited = l > 0.5 ? step * (0.5 / l) : step;
    return normalized_or(n + plane.lift(limited), n);
  }

  /// n = cos u + x with x across the axis u, |x| <= the chord. The quadratic function is then, with 1 - cos = |x|^2 / (1 + cos),
  ///   q(u) + (c + Q u) . x + x' Q x / 2 - |x|^2 u'Qu / 2 - |x|^2 (c . u + u'Q x) / (1 + cos).
  [[nodiscard]] double bound_in(const DirectionCap& cap) const {
    const Vec3& u = cap.axis;
    Mat3 q = Mat3::zero();
    double half_sum = 0;
    for (const Mat3& m : images_) {
      // Near a kink, where |M' n| is small and changes fast, a larger s is better.
      const double size =
          std::sqrt(length_squared(m.x) + length_squared(m.y) + length_squared(m.z));
      const double s = std::max(length(transpose_mul(m, u)), 0.5 * size * cap.chord);
      if (!(s > 0)) continue; // M is zero, to within what can be squared
      q = q + (m * transpose(m)) * (1 / s);
      half_sum += s / 2;
    }
    const TangentPlane plane(u);
    const Vec3 qu = q * u;
    const double uqu = dot(u, qu);
    const double cu = dot(center_, u);
    const double inner = 1 + cap.cosine; // 1 + cos is between this and 2
    const double fall = uqu + (cu > 0 ? cu : 2 * cu / inner);
    const double skew = 2 * length(plane(qu)) * cap.chord / inner;
    const Mat2 h = restrict_to(plane, q) - Mat2::multiple_of_identity(fall - skew);
    return cu + uqu / 2 + half_sum + greatest(plane(center_ + qu), h, cap.chord) + radius_;
  }

  Vec3 center_;
  std::span<const Mat3> images_;
  double radius_;
  Farthest& found_;
  double ceiling_ = INFINITY;
};

} // namespace

void search_ball_sum(const Vec3& center, std::span<const Mat3> images, double radius,
                     const FarthestEffort& effort, Farthest& found) {
  if (images.empty()) {
    const double value = length(center) + radius;
    if (value > found.value) {
      found.value = value;
      found.direction = normalized(center);
    }
    found.upper = std::max(found.upper, value);
    return;
  }
  BallSumSearch search(center, images, radius, found);
  // The peaks at hand, the quick way.
  const Vec3 outward = normalized(center);
  for (const Vec3& n : {found.direction, outward, -outward}) {
    search.try_from(n);
    if (search.ceiling() <= found.value + effort.accept) break;
  }
  double upper = search.ceiling();
  if (!(upper <= found.value + effort.accept)) {
    int cells = 0;
    upper = search_directions(search, effort.accept, effort.most_steps - found.steps, cells);
    found.steps += cells;
  }
  found.upper = std::max(found.upper, upper);
}

} // namespace carom
