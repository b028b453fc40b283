// A frustum is the hull of two discs about a line; a cylinder, a cone, a segment and a point are frustums. The nearest points of two of them lie on the rims of discs, on the
// sides between (where both rims are farthest along the normal n), or on the flat ends.
//
// For chosen features the gap along n is smooth, and its greatest value is the distance. With a(n) the farthest point of A along n, b(n) that of B against it, and D = b - a,
//   gap = n . D,   its slope across n is D's part there,   its curvature across n is -(gap I + k_a e_a e_a' + k_b e_b e_b'),
// where e is the direction around the axis at the rim, and k the radius over the part of n across the axis: as n turns toward e, the point moves along e at the rate k. So a
// step of Newton's method is the solution of two equations. It leads uphill wherever the cores are apart along n. On a side n keeps its angle to
// the axis, and one equation is left: e is the way to turn, and the radius is that at the height of the point.
//
// Where a step crosses the angle of the side, it goes on along the side; where the point on the side is beyond a rim, on along the rim. A flat end is where rims turn faster and faster: there n is
// the axis, and one look is enough.
#include "carom/query/round_forms.h"

#include "carom/geometry/closest_line.h"
#include "carom/geometry/closest_point.h"
#include "carom/query/axis_points.h"
#include "carom/query/formula_axes.h"
#include "carom/query/round_core.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

/// Five are many.
constexpr int max_steps = 12;
/// The longest step, as a tangent.
constexpr double longest_step = 0.7;
constexpr int max_jumps = 3;
/// Steps after which the flat ends are tried.
constexpr int ends_after = 4;

struct Jump {
  bool found = false;  ///< the equations have a solution
  bool proved = false; ///< and it is the answer
  Vec3 n;
};

/// The part of a line across an axis, of which the part along it is known to within rounding of `size`, as a square.
struct AcrossAxis {
  Vec3 part;
  double length;

  [[gnu::always_inline]] AcrossAxis(const RoundCore& core, const Vec3& line, double along,
                                    double size_squared)
      : part(line - core.axis() * along) {
    double squared = length_squared(part);
    // Of what is short, what rounding left of it along the axis counts.
    if (squared < 0.04 * size_squared) [[unlikely]] {
      part = core.flat(line);
      squared = length_squared(part);
    }
    length = std::sqrt(squared);
  }
};

/// The solution for two features.
[[gnu::always_inline]] inline Jump jump_to_axis(const FormPair& pair, const RoundCore& a,
                                                const RoundCore& b, RoundFeature on_a,
                                                RoundFeature on_b, FormAnswer& answer) {
  const bool side_a = on_a == RoundFeature::side;
  const bool side_b = on_b == RoundFeature::side;
  if ((side_a && a.lean() != 0) || (side_b && (side_a || b.lean() != 0))) return {};
  const Vec3& u = a.axis();
  const Vec3& v = b.axis();
  const Vec3& center_a = a.center(on_a);
  const Vec3& center_b = b.center(on_b);
  const Vec3 w = center_b - center_a;
  AxisPoints at{length_squared(w), dot(w, u), dot(w, v), dot(u, v)};
  const double ra = a.radius(on_a);
  const double rb = b.radius(on_b);
  const bool found = side_a   ? at.solve_side(rb)
                     : side_b ? at.solve_side_of_b(ra)
                              : at.solve_rims(ra, rb);
  if (!found) return {};
  const Vec3 line = w + u * at.p + v * at.q;
  const double line_squared = length_squared(line);
  const double per_length = 1 / std::sqrt(line_squared);
  const Vec3 n = line * per_length;
  const AcrossAxis across_a(a, line, at.along_u(), at.ww + line_squared);
  const AcrossAxis across_b(b, line, at.along_v(), at.ww + line_squared);
  Vec3 p = ra > 0 ? center_a + across_a.part * (ra / across_a.length) : center_a;
  Vec3 q = rb > 0 ? center_b - across_b.part * (rb / across_b.length) : center_b;
  bool inside = true;
  if (side_a) {
    const double up = dot(q - center_a, u);
    p += u * up;
    inside = up >= 0 && up <= a.height();
  } else if (side_b) {
    const double up = dot(p - center_b, v);
    q += v * up;
    inside = up >= 0 && up <= b.height();
  }
  const Vec3 between = q - p;
  const bool proved = inside && answer.take(pair, p, between, length(between), n,
                                            a.slack(p, n, across_a.length * per_length),
                                            b.slack(q, -n, across_b.length * per_length));
  return {true, proved, n};
}

/// Goes on where one jump is not enough.
class Ascent {
public:
  Ascent(const FormPair& pair, const RoundCore& a, const RoundCore& b, RoundFeature on_a,
         RoundFeature on_b, const Vec3& n, FormAnswer& answer)
      : pair_(pair), a_(a), b_(b), answer_(answer), start_(n), start_a_(on_a), start_b_(on_b),
        n_(n), on_a_(on_a), on_b_(on_b), jumped_a_(on_a), jumped_b_(on_b) {}

  /// `first`: from where it starts, unproved.
  [[gnu::noinline]] bool run(const Jump& first) {
    if (first.found) take(first);
    Vec3 best;
    double best_gap = 0;
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
      if (gap > 0 && max_abs(d - n_ * gap) <= 2 * pair_.rounding)
        return proved(of_a_.point, of_b_.point, n_);
      if (best_gap > 0 && !(gap >= best_gap - pair_.rounding)) {
        back_halfway(best);
        continue;
      }
      if (!(gap > 0)) {
        if (jumps_ > max_jumps) return false;
        undo_jump();
        if (try_ends()) return true;
        continue;
      }
      best = n_;
      best_gap = gap;
      step(d, gap);
    }
    return false;
  }

private:
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
    n_ = start_;
    on_a_ = jumped_a_ = start_a_;
    on_b_ = jumped_b_ = start_b_;
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

  /// After a step too far. (Along the arc between two directions the gap is nowhere less than at both ends.)
  [[gnu::noinline]] void back_halfway(const Vec3& best) {
    n_ = normalized(n_ + best);
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
    const RoundCore::End a = a_.end_toward(start_);
    const Vec3 above = b_.farthest(-a.normal, a.center);
    const Vec3 below = above - a.normal * dot(above - a.center, a.normal);
    if (distance(below, a.center) <= a.radius && proved(below, above, a.normal)) return true;
    const RoundCore::End b = b_.end_toward(-start_);
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
  Vec3 start_;
  RoundFeature start_a_, start_b_;
  Vec3 n_;
  RoundFeature on_a_, on_b_;
  RoundFeature jumped_a_, jumped_b_; ///< of the last jump
  int jumps_ = 0;
  RoundContact of_a_, of_b_;
};

/// The nearest points of the middle lines, to start from. (closest_line.h is right to the last bit, which takes longer.)
struct MiddleLine {
  double up_a, up_b; ///< heights above the low ends
  Vec3 between;      ///< from the one to the other
};
[[gnu::always_inline]] inline MiddleLine nearest_on_axes(const RoundCore& a, const RoundCore& b) {
  const Vec3& u = a.axis();
  const Vec3& v = b.axis();
  const Vec3 w = b.low() - a.low();
  const double wu = dot(w, u);
  const double wv = dot(w, v);
  const double cosine = dot(u, v);
  const auto within = [](double x, double top) { return x > 0 ? x < top ? x : top : 0; };
  // Of parallel axes any will do.
  const double sine2 = std::max(1 - cosine * cosine, 1e-20);
  const double first = within((wu - cosine * wv) / sine2, a.height());
  const double up_b = within(cosine * first - wv, b.height());
  const double up_a = within(wu + cosine * up_b, a.height());
  return {up_a, up_b, w + v * up_b - u * up_a};
}

[[gnu::always_inline]] inline RoundCore round_core(const Vec3& p, const Quat& rotation,
                                                   const Vec3& origin) {
  const Vec3 at = Frame{to_matrix(rotation), origin}.to_world(p);
  return {at, at};
}
[[gnu::always_inline]] inline RoundCore round_core(const Segment& s, const Quat& rotation,
                                                   const Vec3& origin) {
  const Frame frame{to_matrix(rotation), origin};
  return {frame.to_world(s.a), frame.to_world(s.b)};
}
template<class Conic>
[[gnu::always_inline]] inline RoundCore round_core(const Conic& c, const Quat& rotation,
                                                   const Vec3& origin) {
  const ConeFrustum f = to_frustum(c);
  const bool on_z = f.axis.x == 0 && f.axis.y == 0 && f.a.x == 0 && f.a.y == 0;
  if (on_z) {
    // The commonest: one column of the matrix is all that it takes.
    const Vec3 z = to_matrix(rotation).z;
    return {f, z * f.axis.z, z * f.a.z + origin};
  }
  const Frame frame{to_matrix(rotation), origin};
  return {f, frame.direction_to_world(f.axis), frame.to_world(f.a)};
}

/// A point and the nearest of a core. `sign`: 1 where the point is A, -1 where it is B.
bool point_form(const FormPair& pair, const Vec3& p, const RoundCore& core, double sign,
                FormAnswer& answer) {
  const Vec3 foot = closest_point(p, core.frustum()).point;
  const Vec3 to_core = foot - p;
  const double l = length(to_core);
  const Vec3 n = to_core * (1 / l);
  return answer.take_straight(pair, sign > 0 ? p : foot, to_core * sign, l, n * sign, 0,
                              core.slack(foot, -n));
}

/// Whether the axis is what a form takes it for.
bool usable(const Vec3&) { return true; }
bool usable(const Segment&) { return true; }
template<class Conic>
bool usable(const Conic& c) {
  return is_unit(c.axis);
}

} // namespace

template<class A, class B>
[[gnu::flatten]] bool round_form(const FormPair& pair, FormAnswer& answer) {
  const A& a = std::get<A>(pair.a.core());
  const B& b = std::get<B>(pair.b.core());
  if (!usable(a) || !usable(b)) return false;
  const RoundCore x = round_core(a, pair.pose_a.rotation, {});
  const RoundCore y = round_core(b, pair.pose_b.rotation, pair.translation);
  // From a point there is no need to search; only close by, the axis may be better known this way.
  if constexpr (std::is_same_v<A, Vec3>) {
    if (point_form(pair, x.low(), y, 1, answer)) return true;
  } else if constexpr (std::is_same_v<B, Vec3>) {
    if (point_form(pair, y.low(), x, -1, answer)) return true;
  }
  const MiddleLine m = nearest_on_axes(x, y);
  const RoundFeature on_a = x.feature(m.up_a, m.between);
  const RoundFeature on_b = y.feature(m.up_b, -m.between);
  const Jump j = jump_to_axis(pair, x, y, on_a, on_b, answer);
  if (j.proved) return true;
  const double l = length(m.between);
  return l > pair.rounding && Ascent(pair, x, y, on_a, on_b, m.between * (1 / l), answer).run(j);
}

template bool round_form<Vec3, Cylinder>(const FormPair&, FormAnswer&);
template bool round_form<Vec3, Cone>(const FormPair&, FormAnswer&);
template bool round_form<Segment, Cylinder>(const FormPair&, FormAnswer&);
template bool round_form<Segment, Cone>(const FormPair&, FormAnswer&);
template bool round_form<Cylinder, Vec3>(const FormPair&, FormAnswer&);
template bool round_form<Cylinder, Segment>(const FormPair&, FormAnswer&);
template bool round_form<Cylinder, Cylinder>(const FormPair&, FormAnswer&);
template bool round_form<Cylinder, Cone>(const FormPair&, FormAnswer&);
template bool round_form<Cone, Vec3>(const FormPair&, FormAnswer&);
template bool round_form<Cone, Segment>(const FormPair&, FormAnswer&);
template bool round_form<Cone, Cylinder>(const FormPair&, FormAnswer&);
template bool round_form<Cone, Cone>(const FormPair&, FormAnswer&);

} // namespace carom
