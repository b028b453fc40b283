// Minimise |p + s u - q - t v|^2, a convex quadratic, over a box of (s, t): an interval for each thing, perhaps unbounded.
//
// The method: take the s of the two infinite lines, put it into its interval; take the best t for that s, put it into its interval;
// take the best s for that t, and put it into its interval. For a convex quadratic of two variables that is the minimum over the box.
//
// Why the digits are not lost. With w = q - p, n = u x v and the angle x between the lines,
//   s = (w x v) . n / n . n
// is off by about eps |w| / (|u| sin x), in length eps |w| / sin x. (The usual determinant u.u v.v - (u.v)^2 would lose the square of
// sin x.) The squared distance, with the best t for each s, rises by (sin x)^2 times the square of the error in length: by (eps |w|)^2.
// So a bad s of nearly parallel lines is harmless, as soon as t and then s are projections, which are well-conditioned. Nor does it matter
// which way the intervals cut: between the true and the found s that function is flat.
#include "carom/geometry/closest_line.h"

#include "carom/math/tolerance.h"

#include <array>
#include <cmath>

namespace carom {
namespace {

/// Which parameters belong to the thing.
enum class Reach { line, ray, segment };

template<Reach R>
constexpr double least = R == Reach::line ? -INFINITY : 0;
template<Reach R>
constexpr double greatest = R == Reach::segment ? 1 : INFINITY;

/// The nearest parameter that belongs to the thing. `zero` is 0, but not to the compiler: knowing the bounds, it would turn each of these
/// into a branch, which is often mispredicted, instead of a minimum and a maximum.
template<Reach R>
double clamped(double x, double zero) {
  const double low = zero, high = zero + 1;
  if constexpr (R != Reach::line) x = x > low ? x : low;
  if constexpr (R == Reach::segment) x = x < high ? x : high;
  return x;
}

constexpr Reach reach_of(const Line&) {
  return Reach::line;
}
constexpr Reach reach_of(const Ray&) {
  return Reach::ray;
}
constexpr Reach reach_of(const Segment&) {
  return Reach::segment;
}
constexpr const Vec3& origin_of(const Segment& s) {
  return s.a;
}
constexpr Vec3 direction_of(const Segment& s) {
  return s.b - s.a;
}
template<class X>
constexpr const Vec3& origin_of(const X& x) {
  return x.origin;
}
template<class X>
constexpr const Vec3& direction_of(const X& x) {
  return x.direction;
}

/// The point at a parameter; for a segment without a branch, and exact at both ends.
constexpr Vec3 point_at(const Segment& s, double t) {
  return s.a * (1 - t) + s.b * t;
}
template<class X>
constexpr Vec3 point_at(const X& x, double t) {
  return x.at(t);
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

template<class A, class B>
ClosestLines nearest(const A& a, const B& b) {
  constexpr Reach S = reach_of(A{}), T = reach_of(B{});
  // The square of the sine of the angle that counts as parallel: u and v are rounded, and so is n.
  constexpr double parallel = 16 * tolerance::epsilon * tolerance::epsilon;
  const Vec3 u = direction_of(a), v = direction_of(b);
  const Vec3 w = origin_of(b) - origin_of(a);
  const double uu = dot(u, u), vv = dot(v, v), uv = dot(u, v), uw = dot(u, w), vw = dot(v, w);
  const Vec3 n = cross(u, v);
  const double nn = dot(n, n);
  const double per_uu = uu > 0 ? 1 / uu : 0, per_vv = vv > 0 ? 1 / vv : 0;

  const double start = nn > parallel * (uu * vv)
                           ? dot(cross(w, v), n) / nn
                           : parallel_parameter<S, T>(uw * per_uu, uv * per_uu);
  const double zero = 0 * uu;
  const double t = clamped<T>((clamped<S>(start, zero) * uv - vw) * per_vv, zero);
  const double s = clamped<S>((t * uv + uw) * per_uu, zero);
  const Vec3 on_a = point_at(a, s), on_b = point_at(b, t);
  return {{on_a, on_b, length(on_b - on_a)}, s, t};
}

/// What tells things of the same origin apart. (Different ends of segments may round to one direction.)
constexpr const Vec3& second_of(const Segment& s) {
  return s.b;
}
template<class X>
constexpr const Vec3& second_of(const X& x) {
  return x.direction;
}

/// By origin, then by direction or end, component by component.
template<class X>
bool in_order(const X& a, const X& b) {
  const Vec3 &p = origin_of(a), &q = origin_of(b);
  if (p.x != q.x) [[likely]]
    return p.x < q.x;
  const Vec3 &u = second_of(a), &v = second_of(b);
  return std::array{p.y, p.z, u.x, u.y, u.z} <= std::array{q.y, q.z, v.x, v.y, v.z};
}

/// Two things of one kind are taken in an order of their own, so that the caller's order leaves no trace.
template<class X>
ClosestLines nearest_in_order(const X& a, const X& b) {
  const X* const things[] = {&a, &b};
  const int first = in_order(a, b) ? 0 : 1;
  const ClosestLines c = nearest(*things[first], *things[1 - first]);
  // The caller's order again, by indexing: a branch on `first` would be mispredicted every other time.
  const Vec3 points[] = {c.on_a, c.on_b};
  const double parameters[] = {c.s, c.t};
  return {{points[first], points[1 - first], c.distance}, parameters[first], parameters[1 - first]};
}

} // namespace

ClosestLines closest_points(const Line& a, const Line& b) {
  return nearest_in_order(a, b);
}
ClosestLines closest_points(const Line& a, const Ray& b) {
  return nearest(a, b);
}
ClosestLines closest_points(const Line& a, const Segment& b) {
  return nearest(a, b);
}
ClosestLines closest_points(const Ray& a, const Ray& b) {
  return nearest_in_order(a, b);
}
ClosestLines closest_points(const Segment& a, const Ray& b) {
  return nearest(a, b);
}
ClosestLines closest_points(const Segment& a, const Segment& b) {
  return nearest_in_order(a, b);
}

} // namespace carom
