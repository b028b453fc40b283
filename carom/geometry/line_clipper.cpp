// The round wall. With q = gap, R = radius, k = widening, |k| < 1, the ends solve
//   (1 - k^2) s^2 - 2 R k s + q^2 - R^2 = 0   with R + k s >= 0.
// A quarter of the discriminant is R^2 - (1 - k^2) q^2 = (R - w q)(R + w q), w = sqrt(1 - k^2): a product of two lengths without
// cancellation, whose sign is that of R - w q. That is the least of R + k s - sqrt(q^2 + s^2) but for a factor: how far the line dips
// into the wall. Where 1 - k^2 is small, the root that would subtract equals is taken from the product of both.
#include "carom/geometry/line_clipper.h"

namespace carom::cast_detail {

LineSpan join(const LineSpan& a, const LineSpan& b) {
  if (!a.hit) return b;
  if (!b.hit) return a;
  LineSpan result = a;
  if (b.enter < a.enter) {
    result.enter = b.enter;
    result.enter_normal = b.enter_normal;
  }
  if (b.exit > a.exit) {
    result.exit = b.exit;
    result.exit_normal = b.exit_normal;
  }
  return result;
}

Approach approach(const Vec3& m, const Vec3& d) {
  const double dd = length_squared(d);
  if (!(dd > 0)) return {0, m, length(m), {}, 0};
  const double first = -dot(m, d) / dd;
  const Vec3 near = m + d * first;
  const double second = -dot(near, d) / dd;
  const Vec3 nearest = near + d * second;
  const double speed = std::sqrt(dd);
  return {first + second, nearest, length(nearest), d / speed, speed};
}

Reach reach(double gap, double radius, double widening) {
  const double a = (1 - widening) * (1 + widening);
  const double w = std::sqrt(a);
  if (!(radius >= w * gap)) return {};
  const double root = std::sqrt((radius - w * gap) * (radius + w * gap));
  const double half_sum = radius * widening;
  if (a >= 0.25) return {true, (half_sum - root) / a, (half_sum + root) / a};
  const double larger = half_sum >= 0 ? half_sum + root : half_sum - root;
  if (larger == 0) return {true, 0, 0};
  const double s1 = larger / a;
  const double s2 = (gap - radius) * (gap + radius) / larger;
  return s1 < s2 ? Reach{true, s1, s2} : Reach{true, s2, s1};
}

} // namespace carom::cast_detail
