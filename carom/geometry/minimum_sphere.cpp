// Pivoting (after Gaertner 1999, in the spirit of Welzl 1991): keep the least ball of a few points; take in the point farthest from its
// centre; find the least ball of those. The radius grows at each step, so it ends when the farthest point is inside. Four points would be enough
// in real numbers. Where many are nearly on one sphere the growth is of second order and lost in rounding, and points dropped would come back for
// ever; so a few more than the support are kept, and dropped when they lie deepest inside.
//
// The least ball of a few points is found by trying all their subsets of up to four as supports. For each there is one centre at equal distance in
// the subset's own plane. A try is judged by both its sides: the radius that encloses all the few from that centre, and the lower bound by its
// weights. For the true support they meet; the try where they come nearest wins. So slivers, duplicates and cospherical points need no
// special case: a subset whose centre is badly computed, or lies outside of it, is one whose sides do not meet, and then another's do.
#include "carom/geometry/minimum_sphere.h"

#include "carom/geometry/enclose.h"
#include "carom/math/solve3.h"

#include <algorithm>
#include <bit>

namespace carom {
namespace {

constexpr int step_limit = 256;
/// This many steps in turn that bring the two sides no nearer: what is left is rounding.
constexpr int stall_limit = 12;

/// The points a step works with, by their place in the input.
struct Few {
  static constexpr std::size_t capacity = 9;
  std::size_t count = 0;
  std::array<std::size_t, capacity> index{};
  std::array<Vec3, capacity> at{}; ///< relative to a common origin

  [[nodiscard]] bool holds(std::size_t i) const {
    return std::find(index.begin(), index.begin() + count, i) != index.begin() + count;
  }
  void add(std::size_t i, const Vec3& p) {
    index[count] = i;
    at[count++] = p;
  }

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
  const Solve3 x =
      solve(transpose(Mat3{b, c, d}), {length_squared(b) / 2, length_squared(c) / 2, d_level});
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
    if (std::popcount(set) > 4) continue;
    Try t;
    for (std::size_t i = 0; i < few.count; ++i) {
      if (set >> i & 1) t.member[t.count++] = i;
    }
    if (!solve_center(few, t)) continue;
    t.upper = 0;
    for (const Vec3& p : few.points()) t.upper = std::max(t.upper, distance(p, t.center));
    // No lower bound exceeds the best upper one: this try cannot come nearer.
    if (!(t.upper < best.upper + (best.upper - best.lower))) continue;
    clamp_weights(t);
    t.lower = lower_bound(few, t);
    if (t.upper - t.lower < best.upper - best.lower) best = t;
  }
  return best;
}

/// Makes room for one more: the point nearest to the centre goes, of those that are not in the support.
void drop_deepest(Few& few, const Try& ball) {
  std::size_t deepest = 0;
  double least = INFINITY;
  for (std::size_t i = 0; i < few.count; ++i) {
    const auto end = ball.member.begin() + ball.count;
    const double d = distance(few.at[i], ball.center);
    if (d < least && std::find(ball.member.begin(), end, i) == end) {
      least = d;
      deepest = i;
    }
  }
  --few.count;
  few.index[deepest] = few.index[few.count];
  few.at[deepest] = few.at[few.count];
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
  std::size_t next = farthest(points, {});
  if (next == points.size()) return result;
  const Vec3 origin = points[next];
  Few few;
  double least_gap = INFINITY;
  for (int step = 0, stalled = 0; step < step_limit && stalled < stall_limit; ++step) {
    few.add(next, points[next] - origin);
    const Try ball = least_ball(few);
    const Vec3 center = origin + ball.center;
    next = farthest(points, center);
    const double radius = distance(points[next], center);
    ++stalled;
    // Judged by both sides again: two balls about one centre may differ in what they prove.
    if (radius - ball.lower < least_gap) {
      stalled = 0;
      least_gap = radius - ball.lower;
      result.sphere.center = center;
      result.count = ball.count;
      result.weights = ball.weights;
      for (std::size_t i = 0; i < ball.count; ++i) result.support[i] = few.index[ball.member[i]];
    }
    result.steps = step;
    if (radius <= ball.lower || few.holds(next)) break;
    if (few.count == Few::capacity) drop_deepest(few, ball);
  }
  // Both sides of the proof from the points as they are, not as seen from the origin of the search.
  result.sphere.radius = enclose::radius(points, result.sphere.center);
  Few support;
  Try proof;
  proof.weights = result.weights;
  for (; proof.count < result.count; ++proof.count) {
    proof.member[proof.count] = proof.count;
    support.add(result.support[proof.count], points[result.support[proof.count]]);
  }
  result.lower_bound = lower_bound(support, proof);
  return result;
}

} // namespace carom
