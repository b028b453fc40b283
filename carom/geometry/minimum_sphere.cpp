// Pivoting (after Gaertner 1999, in the spirit of Welzl 1991): keep the least ball of a support of at most four points; take in the
// point farthest from its centre; find the least ball of these five, whose support is the next. The radius grows at each step, so no
// support comes twice, and it ends when the farthest point is inside.
//
// The least ball of five points is found by trying all their subsets as supports. For each there is one centre at equal distance in the
// subset's own plane. A try is judged by both its sides: the radius that encloses all five from that centre, and the lower bound by its
// weights. For the true support they meet; the try where they come nearest wins. So slivers, duplicates and cospherical points need no special case:
// a subset whose centre is badly computed, or lies outside of it, is one whose sides do not meet, and then another's do.
#include "carom/geometry/minimum_sphere.h"

#include "carom/geometry/enclose.h"
#include "carom/math/solve3.h"

#include <algorithm>

namespace carom {
namespace {

constexpr int step_limit = 256;

/// The points a step works with, by their place in the input. At most five.
struct Few {
  std::size_t count = 0;
  std::array<std::size_t, 5> index{};
  std::array<Vec3, 5> at{}; ///< relative to a common origin

  [[nodiscard]] std::span<const Vec3> points() const { return {at.data(), count}; }
};

/// A subset tried as support.
struct Try {
  std::array<std::size_t, 4> member{}; ///< places in Few
  std::size_t count = 0;
  std::array<double, 4> weights{};
  Vec3 center;
  double upper = INFINITY, lower = 0;
};

/// The centre at equal distance from the members, in the plane they span, and its weights. Solves (p_i - p_0) . x = |p_i - p_0|^2 / 2.
/// False where the members do not span enough.
bool solve_center(const Few& few, Try& t) {
  const Vec3 a = few.at[t.member[0]];
  const auto edge = [&](std::size_t i) { return few.at[t.member[i]] - a; };
  if (t.count == 1) {
    t.center = a;
    t.weights = {1};
    return true;
  }
  if (t.count == 2) {
    t.center = a + edge(1) * 0.5;
    t.weights = {0.5, 0.5};
    return true;
  }
  const Vec3 b = edge(1);
  const Vec3 c = edge(2);
  const Vec3 d = t.count == 4 ? edge(3) : cross(b, c);
  const double d_level = t.count == 4 ? length_squared(d) / 2 : 0;
  const Solve3 x = solve(transpose(Mat3{b, c, d}),
                         {length_squared(b) / 2, length_squared(c) / 2, d_level});
  if (x.status != SolveStatus::unique) return false;
  // The centre is a + sum of w_i edge_i.
  const Solve3 w = solve(Mat3{b, c, d}, x.x);
  if (w.status != SolveStatus::unique || !is_finite(w.x) || !is_finite(x.x)) return false;
  t.center = a + x.x;
  t.weights = {0, w.x.x, w.x.y, t.count == 4 ? w.x.z : 0};
  t.weights[0] = 1 - t.weights[1] - t.weights[2] - t.weights[3];
  return true;
}

/// Weights made >= 0 and of sum 1 up to rounding.
void clamp_weights(Try& t) {
  double sum = 0;
  for (double& w : t.weights) {
    w = w > 0 ? w : 0;
    sum += w;
  }
  for (double& w : t.weights) w /= sum;
}

/// A lower bound of the radius of every ball around the members, by intervals; the weights' sum may be off by rounding.
double lower_bound(const Few& few, const Try& t) {
  // With W = sum w: sum w_i |p_i - g|^2 / W is sum over pairs of w_i w_j |p_i - p_j|^2 / W^2. No cancellation, all terms positive.
  Interval sum;
  Interval weight;
  for (std::size_t i = 0; i < t.count; ++i) {
    weight = weight + t.weights[i];
    for (std::size_t j = 0; j < i; ++j) {
      const IntervalVec3 difference = IntervalVec3(few.at[t.member[i]]) - few.at[t.member[j]];
      sum = sum + Interval(t.weights[i]) * t.weights[j] * length_squared(difference);
    }
  }
  return certainly_positive(weight) ? (sqrt(sum) / weight).lo : 0;
}

/// The least ball of the few points.
Try least_ball(const Few& few) {
  Try best;
  for (unsigned set = 1; set < 1u << few.count; ++set) {
    Try t;
    bool fits = true;
    for (std::size_t i = 0; i < few.count; ++i) {
      if (!(set >> i & 1)) continue;
      fits = t.count < 4;
      if (!fits) break;
      t.member[t.count++] = i;
    }
    if (!fits || !solve_center(few, t)) continue;
    t.upper = 0;
    for (const Vec3& p : few.points()) t.upper = std::max(t.upper, distance(p, t.center));
    if (!(t.upper < INFINITY)) continue;
    clamp_weights(t);
    t.lower = lower_bound(few, t);
    if (t.upper - t.lower < best.upper - best.lower) best = t;
  }
  return best;
}

/// The place of the finite point farthest from c; points.size() without any.
std::size_t farthest(std::span<const Vec3> points, const Vec3& c) {
  std::size_t best = points.size();
  double most = -1;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double d = distance_squared(points[i], c);
    if (d > most && d < INFINITY) {
      most = d;
      best = i;
    }
  }
  return best;
}

} // namespace

MinimumSphere minimum_sphere(std::span<const Vec3> points) {
  MinimumSphere result;
  const std::size_t start = farthest(points, {});
  if (start == points.size()) return result;
  const Vec3 origin = points[start];
  const auto record = [&](const Few& few, const Try& t) {
    result.count = t.count;
    result.lower_bound = t.lower;
    result.weights = t.weights;
    for (std::size_t i = 0; i < t.count; ++i) result.support[i] = few.index[t.member[i]];
    result.sphere.center = origin + t.center;
  };
  Few few;
  few.count = 1;
  few.index[0] = start;
  Try ball = least_ball(few);
  record(few, ball);
  while (result.steps < step_limit) {
    const std::size_t next = farthest(points, result.sphere.center);
    const std::span<const std::size_t> support(result.support.data(), result.count);
    const bool known = std::find(support.begin(), support.end(), next) != support.end();
    if (known || distance(points[next], result.sphere.center) <= ball.lower) break;
    few.count = result.count + 1;
    for (std::size_t i = 0; i < result.count; ++i) few.index[i] = result.support[i];
    few.index[result.count] = next;
    for (std::size_t i = 0; i < few.count; ++i) few.at[i] = points[few.index[i]] - origin;
    const Try grown = least_ball(few);
    // No more to gain: what is outside is so by rounding only.
    if (!(grown.lower > ball.lower)) break;
    ball = grown;
    record(few, ball);
    ++result.steps;
  }
  // Both sides of the proof from the points as they are, not as seen from the origin of the search.
  result.sphere.radius = enclose::radius(points, result.sphere.center);
  Try proof;
  proof.member = {0, 1, 2, 3};
  proof.count = result.count;
  proof.weights = result.weights;
  for (std::size_t i = 0; i < result.count; ++i) few.at[i] = points[result.support[i]];
  result.lower_bound = lower_bound(few, proof);
  return result;
}

} // namespace carom
