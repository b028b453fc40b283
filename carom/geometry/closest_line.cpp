// Minimise |p + s u - q - t v|^2, a convex quadratic, over a box of (s, t): an interval for each thing, perhaps unbounded.
//
// The method: take the s of the two infinite lines, put it into its interval; take the best t for that s, put it into its interval;
// take the best s for that t, and put it into its interval. For a convex quadratic of two variables that is the minimum over the box.
//
// Why the digits are not lost. With w = q - p, n = u x v and the angle x between the lines,
//   s = (w x v) . n / n . n
// is off by about eps |w| / (|u| sin x), in length eps |w| / sin x. (The usual determinant u.u v.v - (u.v)^2 loses the square of
// sin x: it is used, for speed, where the angle is wide.) The squared distance, with the best t for each s, rises by (sin x)^2 times the square of the error in length: by (eps |w|)^2.
// So a bad s of nearly parallel lines is harmless, as soon as t and then s are projections, which are well-conditioned. Nor does it matter
// which way the intervals cut: between the true and the found s that function is flat.
#include "carom/geometry/closest_line.h"

#include "carom/math/tolerance.h"

#include <cmath>

namespace carom {
namespace {

/// Which parameters belong to the thing.
enum class Reach { line, ray, segment };

template<Reach R>
constexpr double least = R == Reach::line ? -INFINITY : 0;
template<Reach R>
constexpr double greatest = R == Reach::segment ? 1 : INFINITY;

/// The nearest parameter that belongs to the thing.
template<Reach R>
double clamped(double x) {
  return x < least<R> ? least<R> : x > greatest<R> ? greatest<R> : x;
}

constexpr Reach reach_of(const Line&) { return Reach::line; }
constexpr Reach reach_of(const Ray&) { return Reach::ray; }
constexpr Reach reach_of(const Segment&) { return Reach::segment; }
constexpr const Vec3& origin_of(const Segment& s) { return s.a; }
constexpr Vec3 direction_of(const Segment& s) { return s.b - s.a; }
template<class X>
constexpr const Vec3& origin_of(const X& x) {
  return x.origin;
}
template<class X>
constexpr const Vec3& direction_of(const X& x) {
  return x.direction;
}

/// The s for parallel things: that of q is `s_of_q`, and a step of 1 in t is `step` in s (0 where the other is a point).
template<Reach S, Reach T>
double parallel_parameter(double s_of_q, double step) {
  if (step == 0) return s_of_q;
  const double end = s_of_q + step * greatest<T>;
  const double start = T == Reach::line ? -end : s_of_q;
  double low = start < end ? start : end;
  double high = start < end ? end : start;
  if (low < least<S>) low = least<S>;
  if (high > greatest<S>) high = greatest<S>;
  if (!(low <= high)) return s_of_q; // they do not face each other: clamped, this is the near end
  if (std::isfinite(low) && std::isfinite(high)) return 0.5 * (low + high);
  return std::isfinite(low) ? low : std::isfinite(high) ? high : 0;
}

/// The quadratic: the lengths of u and v squared, u.v, u.w and v.w.
struct Quadratic {
  double uu, vv, uv, uw, vw;

  [[nodiscard]] double determinant() const { return uu * vv - uv * uv; }
};

struct Parameters {
  double s, t;
};

/// A fraction, clamped to 0 .. 1: no division where it is an end.
double part(double numerator, double denominator) {
  return numerator <= 0 ? 0 : numerator >= denominator ? 1 : numerator / denominator;
}

/// Two segments at an angle of more than 14 degrees. With branches: most of them skip a division and shorten the chain of dependent steps,
/// which is worth more than the mispredictions cost.
Parameters segments_at_an_angle(const Quadratic& q, double determinant) {
  const double s = q.uw * q.vv - q.vw * q.uv;
  const double t = q.uw * q.uv - q.vw * q.uu;
  if (s > 0 && s < determinant && t > 0 && t < determinant) {
    const double scale = 1 / determinant;
    return {s * scale, t * scale};
  }
  const double clamped_s = part(s, determinant);
  const double foot = clamped_s * q.uv - q.vw;
  if (foot <= 0) return {part(q.uw, q.uu), 0};
  if (foot >= q.vv) return {part(q.uv + q.uw, q.uu), 1};
  return {clamped_s, foot / q.vv};
}

/// Any two things at any angle.
template<Reach S, Reach T>
Parameters at_any_angle(const Quadratic& q, const Vec3& u, const Vec3& v, const Vec3& w) {
  // The square of the sine of the angle that counts as parallel: u and v are rounded, and so is n.
  constexpr double parallel = 16 * tolerance::epsilon * tolerance::epsilon;
  const double per_uu = q.uu > 0 ? 1 / q.uu : 0, per_vv = q.vv > 0 ? 1 / q.vv : 0;
  const Vec3 n = cross(u, v);
  const double nn = dot(n, n);
  const double start = nn > parallel * (q.uu * q.vv)
                           ? dot(cross(w, v), n) / nn
                           : parallel_parameter<S, T>(q.uw * per_uu, q.uv * per_uu);
  const double t = clamped<T>((clamped<S>(start) * q.uv - q.vw) * per_vv);
  return {clamped<S>((t * q.uv + q.uw) * per_uu), t};
}

template<class A, class B>
ClosestLines nearest(const A& a, const B& b) {
  constexpr Reach S = reach_of(A{}), T = reach_of(B{});
  const Vec3 u = direction_of(a), v = direction_of(b);
  const Vec3 w = origin_of(b) - origin_of(a);
  const Quadratic q{dot(u, u), dot(v, v), dot(u, v), dot(u, w), dot(v, w)};
  Parameters at;
  if (const double d = q.determinant();
      S == Reach::segment && T == Reach::segment && d > 0.0625 * (q.uu * q.vv)) {
    at = segments_at_an_angle(q, d);
  } else {
    at = at_any_angle<S, T>(q, u, v, w);
  }
  const Vec3 on_a = origin_of(a) + u * at.s, on_b = origin_of(b) + v * at.t;
  return {{on_a, on_b, length(on_b - on_a)}, at.s, at.t};
}

} // namespace

ClosestLines closest_points(const Line& a, const Line& b) { return nearest(a, b); }
ClosestLines closest_points(const Line& a, const Ray& b) { return nearest(a, b); }
ClosestLines closest_points(const Line& a, const Segment& b) { return nearest(a, b); }
ClosestLines closest_points(const Ray& a, const Ray& b) { return nearest(a, b); }
ClosestLines closest_points(const Segment& a, const Ray& b) { return nearest(a, b); }
ClosestLines closest_points(const Segment& a, const Segment& b) { return nearest(a, b); }

} // namespace carom
