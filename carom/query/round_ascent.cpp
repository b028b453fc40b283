// For chosen features the gap along n is smooth, and its greatest value is the distance. With a(n) the farthest point of A along n, b(n) that of B against it, and D = b - a,
//   gap = n . D,   its slope across n is D's part there,   its curvature across n is -(gap I + k_a e_a e_a' + k_b e_b e_b'),
// where e is the direction around the axis at the rim, and k the radius over the part of n across the axis: as n turns toward e, the point moves along e at the rate k. So a
// step of Newton's method is the solution of two equations. It leads uphill wherever the cores are apart along n. On a side n keeps its angle to
// the axis, and one equation is left: e is the way to turn, and the radius is that at the height of the point.
//
// Where a step crosses the angle of the side, it goes on along the side; where the point on the side is beyond a rim, on along the rim. A flat end is where rims turn faster and faster: there n is
// the axis, and one look is enough.
#include "carom/query/round_ascent.h"

#include "carom/geometry/closest_line.h"
#include "carom/geometry/closest_point.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

/// Five are many.
constexpr int max_steps = 12;
/// The longest step, as a tangent.
constexpr double longest_step = 0.7;
constexpr int max_jumps = 3;
/// How far off, in roundings, points may be that are worth a look at their own line.
constexpr double nearly_there = 64;
/// Steps after which the flat ends are tried.
constexpr int ends_after = 4;

/// Goes on where one jump is not enough.
class Ascent {
public:
  Ascent(const FormPair& pair, const RoundCore& a, const RoundCore& b, const RoundStart& start,
         FormAnswer& answer)
      : pair_(pair), a_(a), b_(b), answer_(answer), start_(start), n_(start.n), on_a_(start.on_a),
        on_b_(start.on_b), jumped_a_(on_a_), jumped_b_(on_b_) {}

  /// `first`: from where it starts, unproved.
  bool run(const Jump& first) {
    if (first.found) take(first);
    Best best;
    for (int i = 0; i < max_steps; ++i) {
      if (on_a_ == RoundFeature::side && on_b_ == RoundFeature::side) {
        if (!turn_to_sides()) return false;
        const ClosestLines lines =
            closest_points(a_.side_line(of_a_.outward), b_.side_line(of_b_.outward));
        if (proved(lines.on_a, lines.on_b, n_)) return true;
        on_a_ = rim_beyond(lines.s);
        on_b_ = rim_beyond(lines.t);
        if (on_a_ == RoundFeature::side && on_b_ == RoundFeature::side) return false;
      }
      if (jumps_ < max_jumps && (on_a_ != jumped_a_ || on_b_ != jumped_b_) && jump()) return true;
      if (!look()) return try_ends();
      if (i == ends_after && try_ends()) return true;
      const Vec3 d = of_b_.point - of_a_.point;
      const double gap = dot(n_, d);
      const double off = max_abs(d - n_ * gap);
      if (gap > 0 && off <= 2 * pair_.rounding) return proved(of_a_.point, of_b_.point, n_);
      // Near an axis that is the best that n comes to.
      if (gap > 0 && off <= nearly_there * pair_.rounding &&
          proved(of_a_.point, of_b_.point, normalized(d)))
        return true;
      if (best.gap > 0 && !(gap >= best.gap - pair_.rounding)) {
        if (best.crossed || !cross_over(best.of_a, best.of_b)) back_halfway(best.n);
        best.crossed = true;
        continue;
      }
      if (!(gap > 0)) {
        if (jumps_ <= max_jumps) {
          undo_jump();
          if (try_ends()) return true;
          continue;
        }
        if (best.crossed || !cross_over(of_a_, of_b_)) return false;
        best.crossed = true;
        continue;
      }
      best = {n_, gap, of_a_, of_b_, best.crossed && !(gap > best.gap + pair_.rounding)};
      step(d, gap);
    }
    return false;
  }

private:
  /// The greatest gap so far.
  struct Best {
    Vec3 n;
    double gap = 0;
    RoundContact of_a, of_b;
    bool crossed = false; ///< from here; it did not help
  };

  /// To where the equations have n, if they do. True where that is the end.
  bool jump() {
    jumped_a_ = on_a_;
    jumped_b_ = on_b_;
    const Jump j = jump_to_axis(pair_, a_, b_, on_a_, on_b_, answer_);
    if (j.found && !j.proved) take(j);
    return j.proved;
  }

  void take(const Jump& j) {
    ++jumps_;
    n_ = j.n;
    follow();
  }
  /// Where it led astray: back, for good.
  [[gnu::noinline]] void undo_jump() {
    n_ = start_.n;
    on_a_ = jumped_a_ = start_.on_a;
    on_b_ = jumped_b_ = start_.on_b;
    jumps_ = max_jumps + 1;
  }

  /// The contacts along n. False where there is no rim to speak of.
  bool look() {
    if (on_a_ != RoundFeature::side && !a_.rim_contact(on_a_, n_, of_a_)) return false;
    if (on_b_ != RoundFeature::side && !b_.rim_contact(on_b_, -n_, of_b_)) return false;
    if (on_a_ == RoundFeature::side) a_.side_contact(n_, of_b_.point, on_a_, of_a_);
    if (on_b_ == RoundFeature::side) b_.side_contact(-n_, of_a_.point, on_b_, of_b_);
    return true;
  }

  void step(const Vec3& d, double gap) {
    const Vec3& ea = of_a_.around;
    const Vec3& eb = of_b_.around;
    const double ka = of_a_.curvature;
    const double kb = of_b_.curvature;
    if (on_a_ == RoundFeature::side) {
      const double c = dot(ea, eb);
      n_ = a_.turned(of_a_, bounded(dot(d, ea) / (gap + ka + kb * c * c)));
    } else if (on_b_ == RoundFeature::side) {
      const double c = dot(ea, eb);
      n_ = -b_.turned(of_b_, bounded(-dot(d, eb) / (gap + kb + ka * c * c)));
    } else {
      const Vec3 u = ea;
      const Vec3 v = cross(n_, u);
      const double c = dot(u, eb);
      const double s = dot(v, eb);
      const double m11 = gap + ka + kb * c * c;
      const double m12 = kb * c * s;
      const double m22 = gap + kb * s * s;
      const double along_u = dot(d, u);
      const double along_v = dot(d, v);
      const double per = 1 / (m11 * m22 - m12 * m12);
      const double x = (m22 * along_u - m12 * along_v) * per;
      const double y = (m11 * along_v - m12 * along_u) * per;
      const double squared = x * x + y * y;
      const double scale =
          squared > longest_step * longest_step ? longest_step / std::sqrt(squared) : 1;
      n_ = normalized(n_ + u * (x * scale) + v * (y * scale));
    }
    follow();
  }
  static double bounded(double x) { return std::clamp(x, -longest_step, longest_step); }

  /// After a step too far: near an axis the rim's point swings around as n turns by a hair. But the point of that core which is nearest to the other's is known exactly, and the
  /// line between them is a better n. False where they are one.
  [[gnu::noinline]] bool cross_over(const RoundContact& of_a, const RoundContact& of_b) {
    const bool to_a = of_a.curvature > of_b.curvature;
    const Vec3 v = to_a ? line_from(a_, b_, of_b.point) : -line_from(b_, a_, of_a.point);
    const double l = length(v);
    if (!(l > pair_.rounding)) return false;
    n_ = v * (1 / l);
    if (on_a_ != RoundFeature::side) on_a_ = a_.rim_toward(n_);
    if (on_b_ != RoundFeature::side) on_b_ = b_.rim_toward(-n_);
    onto_sides();
    return true;
  }
  /// From the nearest point of a core to p, which is of the other. Over a flat end: to the lowest point of the other instead.
  static Vec3 line_from(const RoundCore& core, const RoundCore& other, const Vec3& p) {
    const Vec3 v = p - closest_point(p, core.frustum()).point;
    if (!core.is_axial(v)) return v;
    const Vec3 lowest = other.farthest(-v, p);
    return lowest - closest_point(lowest, core.frustum()).point;
  }

  /// After a step too far. (Along the arc between two directions the gap is nowhere less than at both ends.)
  [[gnu::noinline]] void back_halfway(const Vec3& best) {
    n_ = normalized(n_ + best);
    onto_sides();
  }
  void onto_sides() {
    if (on_a_ == RoundFeature::side) n_ = a_.onto_side(n_);
    if (on_b_ == RoundFeature::side) n_ = -b_.onto_side(-n_);
    follow();
  }

  /// On the features where n has come to lie.
  void follow() {
    const RoundFeature f = a_.followed(on_a_, n_);
    if (f != on_a_) n_ = a_.onto_side(n_);
    on_a_ = f;
    const RoundFeature g = b_.followed(on_b_, -n_);
    if (g != on_b_) n_ = -b_.onto_side(-n_);
    on_b_ = g;
  }

  /// The normal of both sides is where two circles of normals meet, on the side where n is. False where they do not, or only just.
  [[gnu::noinline]] bool turn_to_sides() {
    const Vec3& u = a_.axis();
    const Vec3& v = b_.axis();
    const Vec3 m = cross(u, v);
    const double mm = length_squared(m);
    const double cosine = dot(u, v);
    const double lean_a = a_.lean();
    const double lean_b = -b_.lean();
    const Vec3 within = u * (lean_a - cosine * lean_b) + v * (lean_b - cosine * lean_a);
    const double rest = mm - length_squared(within) / mm;
    if (!(rest > 1e-8)) return false;
    n_ = normalized(within + m * std::copysign(std::sqrt(rest), dot(m, n_)));
    of_a_.outward = a_.outward(n_);
    of_b_.outward = b_.outward(-n_);
    return true;
  }
  /// A flat end of the one against whatever of the other is lowest over it.
  [[gnu::noinline]] bool try_ends() {
    const RoundCore::End a = a_.end_toward(start_.n);
    const Vec3 above = b_.farthest(-a.normal, a.center);
    const Vec3 below = above - a.normal * dot(above - a.center, a.normal);
    if (distance(below, a.center) <= a.radius && proved(below, above, a.normal)) return true;
    const RoundCore::End b = b_.end_toward(-start_.n);
    const Vec3 on_a = a_.farthest(-b.normal, b.center);
    const Vec3 on_b = on_a - b.normal * dot(on_a - b.center, b.normal);
    return distance(on_b, b.center) <= b.radius && proved(on_a, on_b, -b.normal);
  }

  [[nodiscard]] bool proved(const Vec3& on_a, const Vec3& on_b, const Vec3& n) {
    const Vec3 between = on_b - on_a;
    return answer_.take(pair_, on_a, between, length(between), n, a_.slack(on_a, n),
                        b_.slack(on_b, -n));
  }

  const FormPair& pair_;
  const RoundCore &a_, &b_;
  FormAnswer& answer_;
  RoundStart start_;
  Vec3 n_;
  RoundFeature on_a_, on_b_;
  RoundFeature jumped_a_, jumped_b_; ///< of the last jump
  int jumps_ = 0;
  RoundContact of_a_, of_b_;
};

} // namespace

bool ascend(const FormPair& pair, const RoundCore& a, const RoundCore& b, const RoundStart& start,
            const Jump& first, FormAnswer& answer) {
  return Ascent(pair, a, b, start, answer).run(first);
}

} // namespace carom
