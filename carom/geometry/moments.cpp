// The sum of solids, their motion, and the solids that are products of intervals and balls.
//
// A box rounded by r is cut by the planes of its faces into 27 parts; by symmetry one octant will do, and its 8 parts. Each is a product:
// beyond k of the three faces stands the positive part of a k-dimensional ball of radius r, in the remaining directions the box itself.
// All terms are positive, so nothing cancels. A box with one edge length is a segment, with none a point: so this is also the
// capsule and the ball.
#include "carom/geometry/moments.h"

#include "carom/math/trig.h"

namespace carom {
namespace {

double not_negative(double x) { return x > 0 ? x : 0; }

/// f m f^T for a symmetric m: symmetric to the bit.
Mat3 transformed(const Mat3& m, const Mat3& f) {
  const Mat3 r = f * (m * transpose(f));
  return {{r.x.x, r.x.y, r.x.z}, {r.x.y, r.y.y, r.y.z}, {r.x.z, r.y.z, r.z.z}};
}

/// The part of the ball of radius r in 0 to 3 dimensions where all coordinates are positive: its measure, and the integrals of one
/// coordinate and of its square. (None in 0 dimensions.)
struct Orthant {
  double measure, first, second;
};
Orthant ball_orthant(int dimension, double r) {
  switch (dimension) {
  case 0:
    return {1, 0, 0};
  case 1:
    return {r, r * r / 2, r * r * r / 3};
  case 2:
    return {pi / 4 * r * r, r * r * r / 3, pi / 16 * (r * r) * (r * r)};
  default:
    return {pi / 6 * r * r * r, pi / 16 * (r * r) * (r * r), pi / 30 * (r * r) * (r * r) * r};
  }
}

/// Of the box around the origin.
Moments rounded_box(const Vec3& half, double r) {
  double volume = 0;
  Vec3 second;
  for (int beyond = 0; beyond < 8; ++beyond) { // bit i: the part beyond the face of axis i
    int dimension = 0;
    double inside = 1;
    for (int i = 0; i < 3; ++i) {
      if (beyond >> i & 1)
        ++dimension;
      else
        inside *= half[i];
    }
    const Orthant ball = ball_orthant(dimension, r);
    volume += inside * ball.measure;
    for (int i = 0; i < 3; ++i) {
      const double h = half[i];
      const double mean_square = beyond >> i & 1
                                     ? h * h * ball.measure + 2 * h * ball.first + ball.second
                                     : h * h / 3 * ball.measure;
      second[i] += inside * mean_square;
    }
  }
  return {8 * volume, {}, Mat3::diagonal(second * 8)};
}

} // namespace

Moments operator+(const Moments& a, const Moments& b) {
  if (!(b.volume > 0)) return a;
  if (!(a.volume > 0)) return b;
  const double total = a.volume + b.volume;
  const double share = b.volume / total;
  const Vec3 apart = b.centroid - a.centroid;
  return {total, a.centroid + apart * share,
          a.second + b.second + outer(apart, apart) * (a.volume * share)};
}

Moments moved(const Moments& m, const Vec3& by) { return {m.volume, m.centroid + by, m.second}; }

Moments moved(const Moments& m, const Frame& frame) {
  return {m.volume, frame.to_world(m.centroid), transformed(m.second, frame.basis)};
}

Moments scaled(const Moments& m, const Vec3& factors) {
  const double growth = std::fabs(factors.x * factors.y * factors.z);
  return {m.volume * growth, mul(m.centroid, factors),
          transformed(m.second, Mat3::diagonal(factors)) * growth};
}

Mat3 inertia(const Moments& m) {
  // Sums of two squares each rather than the trace less the third: nothing cancels.
  const Vec3 d{m.second.x.x, m.second.y.y, m.second.z.z};
  Mat3 result = m.second * -1;
  result.x.x = d.y + d.z;
  result.y.y = d.z + d.x;
  result.z.z = d.x + d.y;
  return result;
}

Moments moments(const Sphere& s) {
  return moved(rounded_box({}, not_negative(s.radius)), s.center);
}

Moments moments(const Capsule& c) {
  const Vec3 along = c.b - c.a;
  const double l = length(along);
  const Moments m = rounded_box({0, 0, l / 2}, not_negative(c.radius));
  const Vec3 axis = normalized(along);
  // All across alike, and more along.
  const Mat3 second =
      Mat3::identity() * m.second.x.x + outer(axis, axis) * (m.second.z.z - m.second.x.x);
  return {m.volume, c.a + along * 0.5, second};
}

Moments moments(const Obb& b, double rounding) {
  const Vec3 half = max(b.half, {});
  return moved(rounded_box(half, not_negative(rounding)), b.frame());
}

Moments moments(const Ellipsoid& e) {
  const Vec3 radii = max(e.radii, {});
  const Moments ball = rounded_box({}, 1);
  return moved(scaled(ball, radii), {e.axes, e.center});
}

} // namespace carom
