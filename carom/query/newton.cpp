// s is convex, and where it is smooth its gradient at n is the farthest corner w and its second derivative H is known. With y = n + x, x across n,
//   s(y) / |y| = s + w . x + x' (H - s I) x / 2 + ...,
// whose least value is one Newton step away. Two things need care.
//
// Kinks. Most often the best axis is where s has a kink: at right angles to a side, along the normal of a cap. There s is the greatest of several smooth
// pieces. So a few corners are kept (cuts), each with its direction m and second derivative: the piece of each is about
//   w . y + y' H y / 2      (H m = 0, so this is w . m at m),
// and a step goes to the least value of the greatest of them: of one, of two where they are equal (a line in the plane of x), or of three (a
// point). With the curvature weighted as the cuts are, that is Newton's method with constraints, and as fast. A cut grows stale as the axis moves away. It is
// renewed by looking a little to its own side of the kink.
//
// Depth. s is not convex on the sphere where it is positive: H - s I may have a negative eigenvalue away from the minimum. There its sign is
// changed, steps are bounded, and the best axis met is kept.
#include "carom/query/newton.h"

#include "carom/query/tangent_plane.h"

#include <algorithm>

namespace carom {
namespace {

constexpr int max_steps = 16;
constexpr int max_smooth_steps = 5;
/// Cuts: three that meet, some that might, and the one at the best axis.
constexpr int max_cuts = 8;
/// How far to the side a stale cut is renewed, at least: its square is below rounding, itself well above.
constexpr double nearest_side = 1e-7;
/// How far from the axis a cut's curvature is still believed.
constexpr double far_cut = 0.1;
/// Steps, as tangents: shorter ones change the direction by no more than its rounding does.
constexpr double shortest_step = 1e-15;
constexpr double longest_step = 0.5;

/// A cut in the tangent plane of the axis: value, slope and curvature of its piece at x = 0.
struct FlatCut {
  double value;
  Vec2 slope;
  Mat2 curvature;

  [[nodiscard]] double at(const Vec2& x) const {
    return value + dot(slope, x) + 0.5 * form(curvature, x);
  }
};

/// Where the cuts in the set meet, lowest.
struct Step {
  Vec2 x;
  double value = INFINITY; ///< that the cuts promise there
  int count = 0;           ///< of the cuts that meet
  std::array<int, 3> cut{};
  std::array<double, 3> weight{};
};

constexpr Step nowhere{{INFINITY, 0}, INFINITY, 0, {}, {}};

class Refinement {
public:
  Refinement(const CorePair& pair, double agreement) : pair_(pair), agreement_(agreement) {}

  RefinedAxis run(const Vec3& start) {
    best_.reach = INFINITY;
    add(look(start));
    for (int i = 0; i < max_steps; ++i) {
      flatten();
      const Step step = best_step();
      take(step);
      const double gain = best_.reach - step.value;
      if (std::fabs(gain) <= agreement_ && staleness(step) <= agreement_) break;
      if (length(step.x) <= shortest_step) break;
      move(step);
    }
    return best_;
  }

private:
  CurvedCorner look(const Vec3& along) {
    ++best_.iterations;
    const CurvedCorner c = curved_corner(pair_, along);
    const double reach = dot(c.corner.difference, along);
    if (reach < best_.reach) {
      best_.reach = reach;
      best_.axis = along;
      base_ = c;
    }
    return c;
  }

  void add(const CurvedCorner& c) {
    if (count_ == max_cuts) return;
    cuts_[static_cast<std::size_t>(count_++)] = c;
  }

  /// The cuts as the axis sees them.
  void flatten() {
    const Vec3& n = best_.axis;
    plane_ = TangentPlane(n);
    for (int i = 0; i < count_; ++i) {
      const CurvedCorner& c = cuts_[static_cast<std::size_t>(i)];
      // Without its curvature a cut is never above s. With it, it may be, far from where it was made; it is where it is above s at the axis.
      const double low = dot(c.corner.difference, n);
      const double lift = 0.5 * dot(n, c.hessian * n);
      const bool near = lift <= best_.reach - low + pair_.rounding() &&
                        distance_squared(c.along, n) <= far_cut * far_cut;
      const double trust = near ? 1 : 0;
      const Vec3 gradient = c.corner.difference + c.hessian * n * trust;
      flat_[static_cast<std::size_t>(i)] = {low + lift * trust, plane_(gradient),
                                            restrict_to(plane_, c.hessian) * trust};
    }
  }
  [[nodiscard]] const FlatCut& flat(int i) const { return flat_[static_cast<std::size_t>(i)]; }

  /// The curvature of s(y) / |y| where the cuts have these weights.
  [[nodiscard]] Mat2 curvature(const Mat2& of_cuts) const {
    return of_cuts - Mat2::multiple_of_identity(best_.reach);
  }

  /// The lowest point of the greatest of all cuts: where one, two or three of them meet, lowest, and the others are below. The cut at the end of the last
  /// step stands first, and is most often among them. Where curvatures do not fit together, there may be no such point: then the lowest of all tried.
  [[nodiscard]] Step best_step() const {
    Step best = nowhere;
    for (int i = 0; i < count_; ++i) {
      if (consider(lowest_of(i), best)) return best;
      for (int j = i + 1; j < count_; ++j) {
        if (consider(lowest_of(i, j), best)) return best;
      }
      for (int j = i + 1; j < count_; ++j) {
        for (int k = j + 1; k < count_; ++k) {
          if (consider(lowest_of(i, j, k), best)) return best;
        }
      }
    }
    return best;
  }

  /// Keeps the step where it is lower than the best so far. True where it is the lowest point, and no other need be tried.
  bool consider(Step step, Step& best) const {
    const double l = length(step.x);
    if (!(l < INFINITY)) return false;
    if (l > radius_) step.x = step.x * (radius_ / l);
    double greatest = -INFINITY;
    int which = 0;
    for (int i = 0; i < count_; ++i) {
      const double value = flat(i).at(step.x);
      if (value > greatest) {
        greatest = value;
        which = i;
      }
    }
    step.value = greatest - 0.5 * best_.reach * dot(step.x, step.x);
    if (step.value < best.value) best = step;
    const bool met = which == step.cut[0] || (step.count > 1 && which == step.cut[1]) ||
                     (step.count > 2 && which == step.cut[2]);
    return met && l <= radius_ && best.x == step.x;
  }

  [[nodiscard]] Step lowest_of(int i) const {
    const FlatCut& a = flat(i);
    return {newton_step(curvature(a.curvature), a.slope), 0, 1, {i}, {1}};
  }

  /// On the line where the two are equal.
  [[nodiscard]] Step lowest_of(int i, int j) const {
    const FlatCut& a = flat(i);
    const FlatCut& b = flat(j);
    const Vec2 between = a.slope - b.slope;
    const double l = length(between);
    const Vec2 e = between * (1 / l);
    const Vec2 t{-e.y, e.x};
    const double off = (b.value - a.value) / l;
    // The weights of the cuts weigh their curvatures too: from the slopes first, then once more from the step.
    double share = std::clamp(-dot(e, b.slope) / l, 0.0, 1.0);
    Vec2 x;
    for (int round = 0; round < 2; ++round) {
      const Mat2 m = curvature(a.curvature * share + b.curvature * (1 - share));
      const double bend = std::max(std::fabs(form(m, t)), 1e-300);
      const double along = -(dot(t, b.slope) + off * dot(t, m * e)) / bend;
      x = e * off + t * along;
      share = -(dot(e, b.slope) + dot(e, m * x)) / l;
      if (!(share >= 0 && share <= 1)) return nowhere; // one of them alone is better
    }
    return {x, 0, 2, {i, j}, {share, 1 - share}};
  }

  /// At the point where all three are equal.
  [[nodiscard]] Step lowest_of(int i, int j, int k) const {
    const FlatCut& a = flat(i);
    const FlatCut& b = flat(j);
    const FlatCut& c = flat(k);
    const Vec2 p = a.slope - c.slope;
    const Vec2 q = b.slope - c.slope;
    const double det = p.x * q.y - p.y * q.x;
    const double pa = c.value - a.value;
    const double qa = c.value - b.value;
    const Vec2 x{(pa * q.y - qa * p.y) / det, (qa * p.x - pa * q.x) / det};
    // The weights of -c.slope as a sum of p and q.
    const double wa = (c.slope.y * q.x - c.slope.x * q.y) / det;
    const double wb = (c.slope.x * p.y - c.slope.y * p.x) / det;
    if (!(wa >= 0 && wb >= 0 && wa + wb <= 1)) return nowhere;
    return {x, 0, 3, {i, j, k}, {wa, wb, 1 - wa - wb}};
  }

  void take(const Step& step) {
    best_.count = step.count;
    for (std::size_t k = 0; k < static_cast<std::size_t>(step.count); ++k) {
      best_.corners[k] = cuts_[static_cast<std::size_t>(step.cut[k])];
      best_.weight[k] = step.weight[k];
    }
  }

  /// How much the corners themselves fall short of their pieces.
  [[nodiscard]] double staleness(const Step& step) const {
    double worst = 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(step.count); ++k) {
      const FlatCut& f = flat(step.cut[k]);
      const CurvedCorner& c = cuts_[static_cast<std::size_t>(step.cut[k])];
      worst = std::max(worst, f.value - dot(c.corner.difference, best_.axis));
    }
    return worst;
  }

  /// Looks at the end of the step, and at each side of the kink there.
  void move(const Step& step) {
    const Vec3 to = normalized(best_.axis + plane_.lift(step.x));
    const double aside = std::max(nearest_side, length(step.x));
    Vec2 mean;
    for (std::size_t k = 0; k < static_cast<std::size_t>(step.count); ++k)
      mean += flat(step.cut[k]).slope * step.weight[k];

    const std::array<CurvedCorner, max_cuts> old = cuts_;
    const int old_count = count_;
    const double before = best_.reach;
    const CurvedCorner end = look(to);
    count_ = 0;
    add(end);
    for (std::size_t k = 0; k < static_cast<std::size_t>(step.count); ++k) {
      const CurvedCorner& stale = old[static_cast<std::size_t>(step.cut[k])];
      if (same_piece(stale, end)) continue;
      if (step.count > 1) {
        const Vec2 side = flat(step.cut[k]).slope - mean;
        const Vec3 toward = normalized_or(plane_.lift(side), Vec3{});
        const CurvedCorner renewed = look(normalized(to + toward * aside));
        if (same_piece(stale, renewed)) {
          add(renewed);
          continue;
        }
        if (!same_piece(end, renewed)) add(renewed);
      }
      add({stale.along, stale.corner, Mat3::zero()});
    }
    if (best_.reach < before) {
      radius_ = std::min(longest_step, 4 * radius_);
    } else {
      add(base_);
      radius_ = length(step.x) / 4;
    }
    for (int i = 0; i < old_count; ++i) {
      const CurvedCorner& c = old[static_cast<std::size_t>(i)];
      if (!has_piece(c)) add({c.along, c.corner, Mat3::zero()});
    }
  }

  /// Whether a cut newer than this one is of the same piece, or it is still there itself.
  [[nodiscard]] bool has_piece(const CurvedCorner& old) const {
    for (int i = 0; i < count_; ++i) {
      const CurvedCorner& c = cuts_[static_cast<std::size_t>(i)];
      if (c.along == old.along || same_piece(old, c)) return true;
    }
    return false;
  }

  [[nodiscard]] bool same_piece(const CurvedCorner& old, const CurvedCorner& now) const {
    return carom::same_piece(pair_, old, now);
  }

  const CorePair& pair_;
  double agreement_;
  std::array<CurvedCorner, max_cuts> cuts_;
  std::array<FlatCut, max_cuts> flat_{};
  int count_ = 0;
  double radius_ = longest_step; ///< how far the cuts are trusted
  TangentPlane plane_{Vec3{1, 0, 0}};
  CurvedCorner base_; ///< the cut at the best axis
  RefinedAxis best_;
};

} // namespace

CurvedCorner curved_corner(const CorePair& pair, const Vec3& along) {
  const CurvedSupport a = curved_support(pair.core_a(), along);
  const Mat3& turn = pair.b_in_a().basis;
  const CurvedSupport b = curved_support(pair.core_b(), transpose_mul(turn, -along));
  return {along, pair.corner(a.point, b.point), a.hessian + turn * b.hessian * transpose(turn)};
}

bool same_piece(const CorePair& pair, const CurvedCorner& old, const CurvedCorner& now) {
  const Vec3 moved = old.hessian * now.along;
  const Vec3 off = now.corner.difference - old.corner.difference - moved;
  return max_abs(off) <= 0.5 * max_abs(moved) + 4 * pair.rounding();
}

RefinedAxis smooth_axis(const CorePair& pair, const Vec3& start, double agreement) {
  RefinedAxis r;
  Vec3 axis = start;
  double promise = INFINITY;
  for (int i = 0; i < max_smooth_steps; ++i) {
    const CurvedCorner c = curved_corner(pair, axis);
    ++r.iterations;
    const double reach = dot(c.corner.difference, axis);
    // A kink breaks the promise by much more than the third order does.
    if (i > 0 && !(reach <= r.reach - 0.5 * promise)) break;
    r.axis = axis;
    r.reach = reach;
    r.corners[0] = c;
    const TangentPlane plane(axis);
    const Mat2 bend = restrict_to(plane, c.hessian) - Mat2::multiple_of_identity(reach);
    const Vec2 slope = plane(c.corner.difference);
    const Vec2 x = newton_step(bend, slope);
    promise = -0.5 * dot(x, slope);
    if (promise <= agreement) {
      r.count = 1;
      r.weight[0] = 1;
      break;
    }
    if (!(length(x) <= longest_step)) break;
    axis = normalized(axis + plane.lift(x));
  }
  return r;
}

RefinedAxis refine_axis(const CorePair& pair, const Vec3& start, double agreement) {
  return Refinement(pair, agreement).run(start);
}

} // namespace carom
