// Solids of revolution: cut across the axis into slabs whose outline is a straight line or an arc.
//
// With rho(z) the radius at height z, volume is pi times the integral of rho^2, the axial moments are pi times those of z rho^2 and
// z^2 rho^2, and the second moment across the axis, in any direction, is pi / 4 times that of rho^4 (Pappus, slice by slice).
//
// A frustum rounded by r has the outline: an arc of radius r around the rim of the lower disc, the side moved out by r, an arc around
// the upper rim. Along an arc rho = R + r cos(t), z = r sin(t), which makes polynomials in sine and cosine. Only differences of their
// integrals at the two ends appear; their errors are roundings of r, while the whole contains a ball of radius r.
#include "carom/geometry/moments.h"

#include "carom/math/trig.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace carom {
namespace {

double not_negative(double x) { return x > 0 ? x : 0; }

/// Moments of a solid of revolution about its axis: `along` and `across` are second moments about the centroid, which is at height z.
struct Axial {
  double volume = 0, z = 0, along = 0, across = 0;
};

Axial operator+(const Axial& a, const Axial& b) {
  if (!(b.volume > 0)) return a;
  if (!(a.volume > 0)) return b;
  const double total = a.volume + b.volume;
  const double share = b.volume / total;
  const double apart = b.z - a.z;
  return {total, a.z + apart * share, a.along + b.along + apart * apart * (a.volume * share),
          a.across + b.across};
}

/// From the integrals of rho^2 (1, s, s^2) and rho^4 over a slab, where s = z - origin runs from low to high. A slab thinner than
/// rounding lets one see still has its centroid within.
Axial slab(double origin, double low, double high, const std::array<double, 4>& integral) {
  const auto& [zeroth, first, second, fourth] = integral;
  if (!(zeroth > 0)) return {};
  const double mean = std::clamp(first / zeroth, low, high);
  const double spread =
      std::clamp(second - first * mean, 0.0, zeroth * (high - low) * (high - low));
  return {pi * zeroth, origin + mean, pi * spread, pi / 4 * fourth};
}

/// Between heights z and z + h, with radius p at the lower end and q at the upper.
Axial straight_slab(double z, double h, double p, double q) {
  const double pp = p * p;
  const double pq = p * q;
  const double qq = q * q;
  return slab(z, 0, h,
              {h / 3 * (pp + pq + qq), h * h / 12 * (pp + 2 * pq + 3 * qq),
               h * h * h / 30 * (pp + 3 * pq + 6 * qq),
               h / 5 * (pp * pp + pp * pq + pp * qq + pq * qq + qq * qq)});
}

struct Direction {
  double sin, cos;
};

/// The integrals of sin^m cos^(k+1) from 0 to an angle t within a quarter turn: what rho^2 and rho^4 come to along an arc.
struct ArcIntegrals {
  double cos1, cos2, cos3, cos4, cos5;
  double sin_cos1, sin_cos2, sin_cos3;
  double sin2_cos1, sin2_cos2, sin2_cos3;
};
ArcIntegrals arc_integrals(const Direction& at) {
  const double s = at.sin;
  const double c = at.cos;
  const double t = atan2(s, c);
  const double s3 = s * s * s;
  const double s5 = s3 * s * s;
  const double c2 = c * c;
  return {s,
          (t + s * c) / 2,
          s - s3 / 3,
          c2 * c * s / 4 + 3 * (t + s * c) / 8,
          s - 2 * s3 / 3 + s5 / 5,
          -c2 / 2,
          -c2 * c / 3,
          -c2 * c2 / 4,
          s3 / 3,
          (t - s * c * (1 - 2 * s * s)) / 8,
          s3 / 3 - s5 / 5};
}

/// The slab inside the arc of radius r around height z and distance R from the axis, from one direction to the other.
Axial arc_slab(double z, double R, double r, const Direction& from, const Direction& to) {
  const ArcIntegrals a = arc_integrals(from);
  const ArcIntegrals b = arc_integrals(to);
  const double R2 = R * R;
  const double r2 = r * r;
  // rho^2 = R^2 + 2 R r cos + r^2 cos^2, dz = r cos dt, and the binomials of the fourth power.
  const double zeroth =
      r * (R2 * (b.cos1 - a.cos1) + 2 * R * r * (b.cos2 - a.cos2) + r2 * (b.cos3 - a.cos3));
  const double first =
      r2 * (R2 * (b.sin_cos1 - a.sin_cos1) + 2 * R * r * (b.sin_cos2 - a.sin_cos2) +
            r2 * (b.sin_cos3 - a.sin_cos3));
  const double second =
      r2 * r *
      (R2 * (b.sin2_cos1 - a.sin2_cos1) + 2 * R * r * (b.sin2_cos2 - a.sin2_cos2) +
       r2 * (b.sin2_cos3 - a.sin2_cos3));
  const double fourth = r * (R2 * R2 * (b.cos1 - a.cos1) + 4 * R2 * R * r * (b.cos2 - a.cos2) +
                             6 * R2 * r2 * (b.cos3 - a.cos3) + 4 * R * r2 * r * (b.cos4 - a.cos4) +
                             r2 * r2 * (b.cos5 - a.cos5));
  return slab(z, r * from.sin, r * to.sin, {zeroth, first, second, fourth});
}

constexpr Direction down{-1, 0};
constexpr Direction up{1, 0};

Moments revolved(const Axial& m, const Vec3& origin, const Vec3& axis) {
  return {m.volume, origin + axis * m.z,
          Mat3::identity() * m.across + outer(axis, axis) * (m.along - m.across)};
}

} // namespace

Moments moments(const ConeFrustum& f, double rounding) {
  const double h = not_negative(f.height);
  const double a = not_negative(f.radius_a);
  const double b = not_negative(f.radius_b);
  const double r = not_negative(rounding);
  // The outward normal of the side, (cos across, sin along the axis). A point and a segment have one at right angles.
  const double side = std::sqrt(h * h + (a - b) * (a - b));
  const Direction normal = side > 0 ? Direction{(a - b) / side, h / side} : Direction{0, 1};
  Axial m = arc_slab(0, a, r, down, normal) +
            straight_slab(r * normal.sin, h, a + r * normal.cos, b + r * normal.cos) +
            arc_slab(h, b, r, normal, up);
  // Flat: a segment, else without height.
  if (!(m.volume > 0)) m.z = a == 0 && b == 0 ? h / 2 : 0;
  return revolved(m, f.a, f.axis);
}

Moments moments(const Cylinder& c, double rounding) {
  // From the middle, so that the centroid is the centre to the bit.
  const double h = not_negative(c.half_height);
  const Moments m = moments(ConeFrustum{{}, c.axis, 2 * h, c.radius, c.radius}, rounding);
  return {m.volume, c.center, m.second};
}

Moments moments(const Cone& c, double rounding) {
  return moments(ConeFrustum{c.apex, c.axis, c.height, 0, c.radius}, rounding);
}

Moments moments(const TaperedCapsule& c) {
  const bool a_larger = c.radius_a >= c.radius_b;
  const Sphere large = a_larger ? Sphere{c.a, c.radius_a} : Sphere{c.b, c.radius_b};
  const Sphere small = a_larger ? Sphere{c.b, c.radius_b} : Sphere{c.a, c.radius_a};
  const double p = not_negative(large.radius);
  const double q = not_negative(small.radius);
  const double l = distance(large.center, small.center);
  if (!(l > p - q)) return moments(large);
  // Where the side meets the balls: in the direction of its normal, whose cosine is computed without cancellation; the side's height
  // along the axis is l - (p - q) sin.
  const Direction normal{(p - q) / l, std::sqrt((l - (p - q)) * (l + (p - q))) / l};
  const double h = l * (normal.cos * normal.cos);
  Axial m = arc_slab(0, 0, p, down, normal) +
            straight_slab(p * normal.sin, h, p * normal.cos, q * normal.cos) +
            arc_slab(l, 0, q, normal, up);
  if (!(m.volume > 0)) m.z = l / 2;
  return revolved(m, large.center, (small.center - large.center) / l);
}

} // namespace carom
