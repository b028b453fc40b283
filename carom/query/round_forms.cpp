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
#include "carom/query/formula_axes.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

/// Five are many.
constexpr int max_steps = 12;
/// The longest step, as a tangent.
constexpr double longest_step = 0.7;
/// Where n is so near to the axis, the flat end is tried.
constexpr double nearly_axial = 1e-6;
/// How far, as the square of a part of the distance, the last step of a jump may lead: twice as many digits are right then.
constexpr double jump_precision = 1e-15;
constexpr int max_jumps = 3;
/// Steps after which it is tried anyway.
constexpr int ends_after = 4;

enum class Feature { low_rim, high_rim, side };

/// The side at a share of the way up; beyond its ends, the rims.
constexpr Feature rim_beyond(double share) {
  return share <= 0 ? Feature::low_rim : share >= 1 ? Feature::high_rim : Feature::side;
}

/// The share of the way at which a line is nearest to p, also beyond the ends of the segment.
double share_nearest(const Segment& s, const Vec3& p) {
  const Vec3 along = s.direction();
  const double squared = length_squared(along);
  return squared > 0 ? dot(p - s.a, along) / squared : 0;
}

/// What of a core is farthest along n.
struct Contact {
  Vec3 point;
  Vec3 outward;         ///< from the axis, a unit vector
  Vec3 around;          ///< across that and the axis
  double curvature = 0; ///< how fast the point moves around as n turns there
};

/// A frustum along the world's axes.
class RoundCore {
public:
  RoundCore(const ConeFrustum& core, const Frame& frame)
      : axis_(frame.direction_to_world(core.axis)), center_{frame.to_world(core.a),
                                                            center_[0] + axis_ * core.height},
        radius_{core.radius_a, core.radius_b}, height_(core.height) {
    const double narrowing = core.radius_a - core.radius_b;
    if (narrowing == 0) return;
    const double l = std::sqrt(height_ * height_ + narrowing * narrowing);
    lean_ = narrowing / l;
    across_ = height_ / l;
  }
  RoundCore(const Vec3& low, const Vec3& high) : center_{low, high} {
    const Vec3 along = high - low;
    height_ = length(along);
    axis_ = normalized(along);
  }

  [[nodiscard]] Segment middle() const { return {center_[0], center_[1]}; }
  [[nodiscard]] const Vec3& axis() const { return axis_; }
  [[nodiscard]] double height() const { return height_; }

  /// The feature that is farthest along n; `share` is that of the point nearest to the other's middle line.
  [[nodiscard]] Feature feature(const Vec3& n, double share) const {
    if (share > 0 && share < 1 && lean_ == 0) return Feature::side;
    return static_cast<Feature>(above_side(n) > 0);
  }

  /// The feature where n has come to lie: where the rim is no longer farthest, the side.
  [[nodiscard]] Feature followed(Feature f, const Vec3& n) const {
    const double above = f == Feature::side ? 0 : above_side(n);
    const bool left = f == Feature::low_rim ? above > 0 : above < 0;
    return left ? Feature::side : f;
  }

  /// The part of v across the axis, and its direction.
  [[nodiscard]] Vec3 flat(const Vec3& v) const {
    const Vec3 once = v - axis_ * dot(axis_, v);
    // Again: where v is nearly along the axis, what is left of it there counts.
    return once - axis_ * dot(axis_, once);
  }
  [[nodiscard]] Vec3 outward(const Vec3& n) const { return normalized(flat(n)); }
  /// Turns n to the angle of the side.
  [[nodiscard]] Vec3 onto_side(const Vec3& n) const { return side_normal(outward(n)); }
  /// Turns n around the axis.
  [[nodiscard]] Vec3 turned(const Contact& c, double step) const {
    return side_normal(normalized(c.outward * across_ + c.around * step));
  }

  /// The contact on a rim. False where n is along the axis.
  [[nodiscard]] bool rim_contact(Feature f, const Vec3& n, Contact& c) const {
    const Vec3 v = flat(n);
    const double across = length(v);
    const double radius = this->radius(f);
    if (!(across > nearly_axial)) {
      c = {center(f), {}, perpendicular(n), 0};
      return radius == 0; // a corner is as good from there
    }
    const double per_across = 1 / across;
    c.outward = v * per_across;
    c.around = cross(axis_, c.outward);
    c.point = center(f) + c.outward * radius;
    c.curvature = radius * per_across;
    return true;
  }

  /// The contact on the side that is nearest to p. Beyond its ends it is on a rim, and the feature is that.
  void side_contact(const Vec3& n, const Vec3& p, Feature& f, Contact& c) const {
    c.outward = outward(n);
    c.around = cross(axis_, c.outward);
    const Segment line = side_line(c.outward);
    const double t = share_nearest(line, p);
    f = rim_beyond(t);
    const double share = std::clamp(t, 0.0, 1.0);
    c.point = line.at(share);
    c.curvature = (radius_[0] + (radius_[1] - radius_[0]) * share) / across_;
  }
  /// From rim to rim.
  [[nodiscard]] Segment side_line(const Vec3& outward) const {
    return {center_[0] + outward * radius_[0], center_[1] + outward * radius_[1]};
  }
  /// The component along the axis of normals of the side, and that across.
  [[nodiscard]] double lean() const { return lean_; }
  /// The disc of a rim; for the side, the low one.
  [[nodiscard]] const Vec3& center(Feature f) const { return center_[f == Feature::high_rim]; }
  [[nodiscard]] double radius(Feature f) const { return radius_[f == Feature::high_rim]; }

  /// How much farther along n the core reaches than p.
  [[nodiscard]] double slack(const Vec3& p, const Vec3& n) const {
    return slack(p, n, length(flat(n)));
  }
  /// The same, of an n whose part across the axis is so long.
  [[nodiscard]] double slack(const Vec3& p, const Vec3& n, double across) const {
    return std::max(dot(center_[0] - p, n) + radius_[0] * across,
                    dot(center_[1] - p, n) + radius_[1] * across);
  }

  /// The flat end along n.
  struct End {
    Vec3 normal, center;
    double radius;
  };
  [[nodiscard]] End end_toward(const Vec3& n) const {
    if (dot(axis_, n) > 0) return {axis_, center_[1], radius_[1]};
    return {-axis_, center_[0], radius_[0]};
  }

  /// Of the points farthest along n, the one nearest to p where that is a flat end or a line of the side; else the one on the rim.
  [[nodiscard]] Vec3 farthest(const Vec3& n, const Vec3& p) const {
    constexpr double level = 1e-12;
    const double above = above_side(n);
    const bool high = above > 0;
    const Vec3& center = center_[high];
    const double radius = radius_[high];
    const Vec3 v = flat(n);
    const double across = length(v);
    if (!(across > level)) {
      const Vec3 aside = flat(p - center);
      const double l = length(aside);
      return center + aside * (l > radius ? radius / l : 1);
    }
    if (std::fabs(above) <= level * height_) {
      const Segment line = side_line(v * (1 / across));
      return line.at(std::clamp(share_nearest(line, p), 0.0, 1.0));
    }
    return center + v * (radius / across);
  }

private:
  [[nodiscard]] Vec3 side_normal(const Vec3& outward) const {
    return axis_ * lean_ + outward * across_;
  }
  /// By how much the high rim is farther along n than the low one.
  [[nodiscard]] double above_side(const Vec3& n) const {
    const double along = height_ * dot(axis_, n);
    return lean_ == 0 ? along : along + (radius_[1] - radius_[0]) * length(flat(n));
  }

  Vec3 axis_;
  // Of the low rim and the high one. Arrays, because which it is would be a coin's toss for a branch.
  Vec3 center_[2];
  double radius_[2] = {0, 0};
  double height_ = 0;
  double lean_ = 0, across_ = 1; ///< of the side's normal, along the axis and across
};

/// The normal of a surface of revolution meets its axis. So the line through the nearest points runs from a point of the one axis to one of the other: along N = w + p u + q v, with u
/// and v the axes and w from centre to centre. With A = N . u, B = N . v and P, Q the lengths of N across u and v,
///   p = r_a A / P,   q = r_b B / Q   on rims, and   A = 0 or B = 0   on the side of a cylinder.
/// P depends on q alone and Q on p alone. That makes two equations in numbers, which Newton's method solves at a third of what a step with vectors takes. It may go astray
/// where N is nearly along an axis.
struct AxisPoints {
  double ww, wu, wv, cosine; ///< dot products
  double p = 0, q = 0;

  /// p P - r_a A and q Q - r_b B are 0, divided by what they have in common.
  bool solve_rims(double ra, double rb) {
    const double sine2 = 1 - cosine * cosine;
    const double pp = ww - wu * wu;
    const double qq = ww - wv * wv;
    const double pq = wv - cosine * wu; // half of how P^2 changes with q
    const double qp = wu - cosine * wv;
    const double small = jump_precision * ww;
    p = ra * wu / std::sqrt(pp);
    q = rb * wv / std::sqrt(qq);
    for (int i = 0; i < max_steps; ++i) {
      const double dp = pq + q * sine2;
      const double dq = qp + p * sine2;
      const double across_u = std::sqrt(pp + q * (pq + dp));
      const double across_v = std::sqrt(qq + p * (qp + dq));
      const double fp = across_u - ra;
      const double gq = across_v - rb;
      const double f = p * fp - ra * (wu + cosine * q);
      const double g = q * gq - rb * (wv + cosine * p);
      // The slopes across, times across_u and across_v: so there is one division.
      const double fq = p * dp - ra * cosine * across_u;
      const double gp = q * dq - rb * cosine * across_v;
      const double both = across_u * across_v;
      const double per = 1 / (fp * gq * both - fq * gp);
      const double step_p = (f * gq * both - g * fq * across_v) * per;
      const double step_q = (g * fp * both - f * gp * across_u) * per;
      p -= step_p;
      q -= step_q;
      if (step_p * step_p + step_q * step_q <= small || ra * rb == 0) return true;
    }
    return false;
  }

  /// A is a cylinder's side, of no matter which radius: p is such that N . u = 0.
  bool solve_side(double rb) {
    const double sine2 = 1 - cosine * cosine;
    const double qq = ww - wv * wv;
    const double qp = wu - cosine * wv;
    const double pq = wv - cosine * wu;
    const double small = jump_precision * ww;
    for (int i = 0; i < max_steps; ++i) {
      p = -(wu + cosine * q);
      const double dq = qp + p * sine2;
      const double across_v = std::sqrt(qq + p * (qp + dq));
      const double g = q * across_v - rb * (pq + q * sine2);
      const double gq = across_v * (across_v - rb * sine2) - q * cosine * dq; // times across_v
      const double step = g * across_v / gq;
      q -= step;
      if (step * step <= small || rb == 0) {
        p = -(wu + cosine * q);
        return true;
      }
    }
    return false;
  }
  bool flipped_solve_side(double ra) {
    AxisPoints f{ww, wv, wu, cosine};
    const bool found = f.solve_side(ra);
    p = f.q;
    q = f.p;
    return found;
  }
};

struct Jump {
  bool found = false;  ///< the equations have a solution
  bool proved = false; ///< and it is the answer
  Vec3 n;
};

/// The solution for two features.
[[gnu::always_inline]] inline Jump jump_to_axis(const FormPair& pair, const RoundCore& a,
                                                const RoundCore& b, Feature on_a, Feature on_b,
                                                FormAnswer& answer) {
  const bool side_a = on_a == Feature::side;
  const bool side_b = on_b == Feature::side;
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
                     : side_b ? at.flipped_solve_side(ra)
                              : at.solve_rims(ra, rb);
  if (!found) return {};
  const Vec3 line = w + u * at.p + v * at.q;
  const double per_length = 1 / length(line);
  const Vec3 n = line * per_length;
  const Vec3 flat_a = a.flat(line);
  const Vec3 flat_b = b.flat(line);
  const double across_a = length(flat_a);
  const double across_b = length(flat_b);
  Vec3 p = ra > 0 ? center_a + flat_a * (ra / across_a) : center_a;
  Vec3 q = rb > 0 ? center_b - flat_b * (rb / across_b) : center_b;
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
                                            a.slack(p, n, across_a * per_length),
                                            b.slack(q, -n, across_b * per_length));
  return {true, proved, n};
}

/// Goes on where one jump is not enough.
class Ascent {
public:
  Ascent(const FormPair& pair, const RoundCore& a, const RoundCore& b, Feature on_a, Feature on_b,
         const Vec3& n, FormAnswer& answer)
      : pair_(pair), a_(a), b_(b), answer_(answer), start_(n), start_a_(on_a), start_b_(on_b),
        n_(n), on_a_(on_a), on_b_(on_b), jumped_a_(on_a), jumped_b_(on_b) {}

  /// `first`: from where it starts, unproved.
  [[gnu::noinline]] bool run(const Jump& first) {
    if (first.found) take(first);
    Vec3 best;
    double best_gap = 0;
    for (int i = 0; i < max_steps; ++i) {
      if (on_a_ == Feature::side && on_b_ == Feature::side) {
        if (!turn_to_sides()) return false;
        const ClosestLines lines =
            closest_points(a_.side_line(of_a_.outward), b_.side_line(of_b_.outward));
        if (proved(lines.on_a, lines.on_b, n_)) return true;
        on_a_ = rim_beyond(lines.s);
        on_b_ = rim_beyond(lines.t);
        if (on_a_ == Feature::side && on_b_ == Feature::side) return false;
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
    if (on_a_ != Feature::side && !a_.rim_contact(on_a_, n_, of_a_)) return false;
    if (on_b_ != Feature::side && !b_.rim_contact(on_b_, -n_, of_b_)) return false;
    if (on_a_ == Feature::side) a_.side_contact(n_, of_b_.point, on_a_, of_a_);
    if (on_b_ == Feature::side) b_.side_contact(-n_, of_a_.point, on_b_, of_b_);
    return true;
  }

  void step(const Vec3& d, double gap) {
    const Vec3& ea = of_a_.around;
    const Vec3& eb = of_b_.around;
    const double ka = of_a_.curvature;
    const double kb = of_b_.curvature;
    if (on_a_ == Feature::side) {
      const double c = dot(ea, eb);
      n_ = a_.turned(of_a_, bounded(dot(d, ea) / (gap + ka + kb * c * c)));
    } else if (on_b_ == Feature::side) {
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
    if (on_a_ == Feature::side) n_ = a_.onto_side(n_);
    if (on_b_ == Feature::side) n_ = -b_.onto_side(-n_);
    follow();
  }

  /// On the features where n has come to lie.
  void follow() {
    const Feature f = a_.followed(on_a_, n_);
    if (f != on_a_) n_ = a_.onto_side(n_);
    on_a_ = f;
    const Feature g = b_.followed(on_b_, -n_);
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
  Feature start_a_, start_b_;
  Vec3 n_;
  Feature on_a_, on_b_;
  Feature jumped_a_, jumped_b_; ///< of the last jump
  int jumps_ = 0;
  Contact of_a_, of_b_;
};

[[gnu::always_inline]] inline RoundCore round_core(const Vec3& p, const Frame& frame) {
  const Vec3 at = frame.to_world(p);
  return {at, at};
}
[[gnu::always_inline]] inline RoundCore round_core(const Segment& s, const Frame& frame) {
  return {frame.to_world(s.a), frame.to_world(s.b)};
}
template<class Conic>
[[gnu::always_inline]] inline RoundCore round_core(const Conic& c, const Frame& frame) {
  return {to_frustum(c), frame};
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
bool round_form(const FormPair& pair, FormAnswer& answer) {
  const A& a = *std::get_if<A>(&pair.a.core());
  const B& b = *std::get_if<B>(&pair.b.core());
  if (!usable(a) || !usable(b)) return false;
  const RoundCore x = round_core(a, {to_matrix(pair.pose_a.rotation), {}});
  const RoundCore y = round_core(b, {to_matrix(pair.pose_b.rotation), pair.translation});
  const ClosestLines middle = closest_points(x.middle(), y.middle());
  if (!(middle.distance > pair.rounding)) return false;
  const Vec3 n = (middle.on_b - middle.on_a) * (1 / middle.distance);
  const Feature on_a = x.feature(n, middle.s);
  const Feature on_b = y.feature(-n, middle.t);
  const Jump j = jump_to_axis(pair, x, y, on_a, on_b, answer);
  return j.proved || Ascent(pair, x, y, on_a, on_b, n, answer).run(j);
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
