// A frustum is the hull of two discs about a line; a cylinder, a cone, a segment and a point are frustums. The nearest points of two of them lie on the rims of discs, on the
// sides between (where both rims are farthest along the normal n), or on the flat ends.
//
// Which ones they are, the nearest points of the middle lines tell, mostly; then a jump (axis_jump.h) finds the axis. Else that is where to go on from (round_ascent.h).
#include "carom/query/round_forms.h"

#include "carom/geometry/closest_point.h"
#include "carom/query/formula_axes.h"
#include "carom/query/round_ascent.h"

#include <algorithm>
#include <cmath>

namespace carom {
namespace {

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
  const double off_z =
      std::fabs(f.axis.x) + std::fabs(f.axis.y) + std::fabs(f.a.x) + std::fabs(f.a.y);
  if (off_z == 0) {
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

/// Flattened: of the calls in it each takes more than its share.
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
  return l > pair.rounding && ascend(pair, x, y, {on_a, on_b, m.between * (1 / l)}, j, answer);
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
