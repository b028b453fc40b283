// A unit vector s separates if s . d > 0 for d = q - p, where p is A's vertex farthest along s and q is B's farthest against it. If not, d says how s has to
// change: every separating vector is in the half-space d . s > 0. Reflected at the plane of d, s gets there, by the angle that it was on
// the wrong side. (The sign: s - 2 (r . s) r with r = d / |d|.) Apart, this ends after a few steps, mostly.
//
// The half-spaces are kept. On the sphere of directions they cut out a convex polygon that has all separating vectors. A reflected s outside of it
// is no candidate, and replaced by the polygon's middle, through which the next cut takes a good part of the polygon away. When nothing is left, no
// vector separates. Then 0 is a positive combination of at most four d: with the same weights, the points p and q add up to one common
// point. The last d is one of the four, since without it something was left; the other three are mostly found by trying. If not, the weights
// are the multipliers by which a linear program (s . d >= 1 for all d) proves that it has no solution; in 104 bits, so that a polygon
// lost to rounding does no harm.
#include "carom/query/chung_wang.h"

#include "carom/math/linear_program.h"
#include "carom/math/tolerance.h"
#include "carom/query/rounded.h"

#include <algorithm>
#include <array>
#include <optional>

namespace carom {
namespace {

using Corner = PolytopePair::Corner;

/// A safety net. Hulls of up to 300 vertices take 4 steps in the middle and 13 at most, also where they are 1e-12 from touching.
constexpr std::size_t max_steps = 32;
/// Of so many d, all threes are tried: 220 at most, less work than one linear program in 104 bits.
constexpr std::size_t max_tried = 13;

/// The directions that are left: corners as unit vectors, counter-clockwise seen from outside. Sides longer than a right angle have a corner in between, so that no two
/// corners in a row are opposite.
class SphericalPolygon {
public:
  [[nodiscard]] bool empty() const { return count_ == 0; }

  /// Keeps the directions s with r . s >= 0; r is a unit vector.
  void cut(const Vec3& r) {
    if (!begun_) return begin(r);
    std::array<Vec3, capacity> kept;
    std::size_t n = 0;
    const auto keep = [&](const Vec3& p) {
      if (n < capacity) kept[n++] = p;
    };
    for (std::size_t i = 0; i < count_; ++i) {
      const Vec3& p = corner_[i];
      const Vec3& next = corner_[i + 1 < count_ ? i + 1 : 0];
      const double here = dot(r, p);
      const double there = dot(r, next);
      if (here >= 0) keep(p);
      if ((here >= 0) == (there >= 0)) continue;
      keep(crossing(p, next, r));
      // Out here: the new side begins, along the border of r with the inside on its left, to where the old sides come in again.
      if (here >= 0) {
        const Vec3 from = kept[n - 1];
        const Vec3 to = entry_after(i, r);
        if (dot(from, to) < 0) keep(normalized(from + to + cross(r, from - to)));
      }
    }
    std::copy(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(n), corner_.begin());
    count_ = n;
  }

  [[nodiscard]] Vec3 middle() const {
    Vec3 sum;
    for (std::size_t i = 0; i < count_; ++i) sum += corner_[i];
    return normalized(sum);
  }

private:
  /// A cut takes a corner away and adds two; a third only where a side is longer than a right angle, of which there are few.
  static constexpr std::size_t capacity = 8 + max_steps;

  /// The hemisphere.
  void begin(const Vec3& r) {
    begun_ = true;
    const Vec3 u = perpendicular(r);
    const Vec3 v = cross(r, u);
    count_ = 4;
    corner_[0] = u;
    corner_[1] = v;
    corner_[2] = -u;
    corner_[3] = -v;
  }

  /// Where the arc from p to q crosses the border of r; they are on different sides.
  static Vec3 crossing(const Vec3& p, const Vec3& q, const Vec3& r) {
    return normalized(p * std::fabs(dot(r, q)) + q * std::fabs(dot(r, p)));
  }

  /// Where the sides after number i come in again.
  [[nodiscard]] Vec3 entry_after(std::size_t i, const Vec3& r) const {
    for (std::size_t k = 1; k < count_; ++k) {
      const Vec3& p = corner_[(i + k) % count_];
      const Vec3& q = corner_[(i + k + 1) % count_];
      if (!(dot(r, p) >= 0) && dot(r, q) >= 0) return crossing(p, q, r);
    }
    return corner_[i];
  }

  bool begun_ = false;
  std::array<Vec3, capacity> corner_;
  std::size_t count_ = 4;
};

class Search {
public:
  explicit Search(const PolytopePair& pair) : pair_(pair) {}

  /// From s, a unit vector in A's frame. Nothing where rounding decides.
  std::optional<ShapeOverlap> run(Vec3 s) {
    while (count_ < max_steps) {
      const Corner c = pair_.facing(s);
      ++steps_;
      const double gap = dot(s, c.difference);
      if (gap > pair_.rounding())
        return ShapeOverlap{Overlap::separated(pair_.frame_a().direction_to_world(s)), Status::ok,
                            steps()};
      const double apart = length(c.difference);
      seen_[count_++] = c;
      if (apart <= pair_.rounding()) return touching(c);
      // Not against s: this d does not say how to go on. Twice the same: rounding goes around.
      if (gap > 0 || (by_program_ && seen_before(c))) return {};
      const Vec3 r = c.difference / apart;
      polygon_.cut(r);
      by_program_ = by_program_ || polygon_.empty() || seen_before(c);
      if (by_program_) {
        if (const auto answer = try_threes()) return answer;
        if (const auto answer = ask_program(s)) return answer;
      } else {
        s = reflected(s, r);
      }
    }
    return {};
  }

  [[nodiscard]] int steps() const { return steps_; }
  [[nodiscard]] int programs() const { return programs_; }

private:
  [[nodiscard]] bool seen_before(const Corner& c) const {
    return std::any_of(seen_.begin(), seen_.begin() + static_cast<std::ptrdiff_t>(count_) - 1,
                       [&](const Corner& o) { return o.a == c.a && o.b == c.b; });
  }

  [[nodiscard]] Vec3 reflected(const Vec3& s, const Vec3& r) const {
    const Vec3 mirrored = normalized(s - r * (2 * dot(r, s)));
    const bool candidate =
        std::all_of(seen_.begin(), seen_.begin() + static_cast<std::ptrdiff_t>(count_),
                    [&](const Corner& c) { return dot(c.difference, mirrored) > 0; });
    return candidate ? mirrored : polygon_.middle();
  }

  /// The common point, where the last d and three others have one: -d is in the cone of those. Their weights by Cramer's rule.
  [[nodiscard]] std::optional<ShapeOverlap> try_threes() const {
    const std::size_t last = count_ - 1;
    if (count_ > max_tried) return {};
    const Vec3 d = seen_[last].difference;
    for (std::size_t i = 0; i < last; ++i) {
      const Vec3 d_x_i = cross(d, seen_[i].difference);
      for (std::size_t j = i + 1; j < last; ++j) {
        const Vec3& dj = seen_[j].difference;
        const Vec3 i_x_j = cross(seen_[i].difference, dj);
        const double across = dot(d_x_i, dj);
        for (std::size_t k = j + 1; k < last; ++k) {
          const Vec3& dk = seen_[k].difference;
          const double whole = dot(i_x_j, dk);
          const double share = whole > 0 ? 1 : -1;
          const std::array<double, 4> weights{dot(cross(dj, d), dk) * share, dot(d_x_i, dk) * share,
                                              -across * share, std::fabs(whole)};
          if (!(weights[0] >= 0 && weights[1] >= 0 && weights[2] >= 0)) continue;
          const LinearProof<4> proof{4, {i, j, k, last}, weights};
          if (const auto answer = common_point(proof)) return answer;
        }
      }
    }
    return {};
  }

  /// The common point, or another s.
  std::optional<ShapeOverlap> ask_program(Vec3& s) {
    ++programs_;
    const double unit = 1 / pair_.size();
    const auto part = [](double x) { return std::fabs(x) < tolerance::coordinate_min ? 0 : x; };
    std::array<Constraint3, max_steps> constraints;
    for (std::size_t i = 0; i < count_; ++i) {
      const Vec3 d = seen_[i].difference * -unit;
      constraints[i] = {{part(d.x), part(d.y), part(d.z)}, -1};
    }
    const LinearOptimum3 answer = maximize(Vec3{}, std::span(constraints).first(count_));
    if (answer.status == LinearStatus::infeasible) return common_point(answer.proof);
    s = normalized(answer.point);
    return {};
  }

  [[nodiscard]] std::optional<ShapeOverlap> common_point(const LinearProof<4>& proof) const {
    std::array<Corner, 4> corners{};
    std::array<double, 4> weights{};
    double whole = 0;
    for (std::size_t k = 0; k < proof.count; ++k) whole += proof.multipliers[k];
    Vec3 rest;
    for (std::size_t k = 0; k < proof.count; ++k) {
      corners[k] = seen_[proof.indices[k]];
      weights[k] = proof.multipliers[k] / whole;
      rest += corners[k].difference * weights[k];
    }
    if (!(max_abs(rest) <= pair_.rounding())) return {};
    return at(
        pair_.points(std::span(corners).first(proof.count), std::span(weights).first(proof.count)));
  }

  [[nodiscard]] ShapeOverlap touching(const Corner& c) const {
    const double all = 1;
    return at(pair_.points({&c, 1}, {&all, 1}));
  }
  [[nodiscard]] ShapeOverlap at(const PolytopePair::Points& p) const {
    return {Overlap::at((p.on_a + p.on_b) * 0.5), Status::ok, steps()};
  }

  const PolytopePair& pair_;
  std::array<Corner, max_steps> seen_;
  std::size_t count_ = 0;
  SphericalPolygon polygon_;
  bool by_program_ = false;
  int steps_ = 0, programs_ = 0;
};

Vec3 middle(const Aabb& box) { return (box.min + box.max) * 0.5; }

} // namespace

ShapeOverlap overlap_by_separating_vector(const Polytope& a, const Pose& pose_a, const Polytope& b,
                                          const Pose& pose_b, const Vec3& start,
                                          MethodTrace* trace) {
  if (trace) *trace = {};
  if (!in_range(pose_a) || !in_range(pose_b)) return {{}, Status::bad_input};
  const PolytopePair pair(a, pose_a, b, pose_b);
  const Vec3 between = pair.b_in_a().to_world(middle(b.bounds())) - middle(a.bounds());
  Search search(pair);
  const Vec3 given = pair.frame_a().direction_to_local(start);
  const auto answer = search.run(normalized_or(given, normalized(between)));
  if (trace) trace->programs = search.programs();
  if (answer) return *answer;
  return settled_overlap(pair, search.steps(), trace);
}

} // namespace carom
