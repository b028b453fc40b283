// A convex volume that encloses the corners of a box encloses the box; one that encloses the balls at the ends of a capsule, or at the corners
// of a lozenge, encloses those. So merging is fitting to a few points or balls, along the axes that the two offer. Corners are rounded: a
// margin of a few epsilon makes up for it.
#include "carom/geometry/merge.h"

#include "carom/geometry/enclose.h"
#include "carom/geometry/fit_capsule.h"
#include "carom/geometry/fit_obb.h"
#include "carom/geometry/measure.h"

#include <algorithm>
#include <array>

namespace carom {
namespace {

constexpr double margin = 32 * tolerance::epsilon;

template<class Volume>
void keep_smaller(Volume& best, const Volume& candidate) {
  if (volume(candidate) < volume(best)) best = candidate;
}

/// The rotation halfway between two; the nearer of the two halfways.
Mat3 halfway(const Mat3& a, const Mat3& b) {
  const Quat p = normalized(Quat::from_matrix(a));
  const Quat q = normalized(Quat::from_matrix(b));
  const double s = p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w < 0 ? -1 : 1;
  return to_matrix(Quat{p.x + s * q.x, p.y + s * q.y, p.z + s * q.z, p.w + s * q.w});
}

/// Mirrored axes span the same box, and a quaternion stands for rotations only.
Mat3 right_handed(const Mat3& m) { return determinant(m) < 0 ? Mat3{m.x, m.y, -m.z} : m; }

} // namespace

Sphere merge(const Sphere& a, const Sphere& b) {
  if (!(a.radius >= 0)) return b;
  if (!(b.radius >= 0)) return a;
  const bool a_greater = a.radius >= b.radius;
  const Sphere& great = a_greater ? a : b;
  const Sphere& small = a_greater ? b : a;
  const double d = enclose::distance_above(great.center, small.center);
  // One in the other, or about one centre: t is negative or not a number, and the centre stays where it is.
  const double radius = 0.5 * (d + great.radius + small.radius);
  const double t = (radius - great.radius) / d;
  Sphere result{great.center + (small.center - great.center) * (t > 0 ? t : 0), 0};
  for (const Sphere& s : {a, b}) {
    const double reach = enclose::distance_above(s.center, result.center);
    result.radius = std::max(result.radius, rounding::add(reach, s.radius).upper());
  }
  return result;
}

Obb merge(const Obb& a, const Obb& b) {
  if (!(a.half.x >= 0)) return b;
  if (!(b.half.x >= 0)) return a;
  std::array<Vec3, 16> corners;
  for (std::size_t i = 0; i < 8; ++i) {
    corners[i] = a.corner(static_cast<int>(i));
    corners[i + 8] = b.corner(static_cast<int>(i));
  }
  Obb best = fit_obb(corners, a.axes);
  keep_smaller(best, fit_obb(corners, b.axes));
  keep_smaller(best, fit_obb(corners, halfway(right_handed(a.axes), right_handed(b.axes))));
  keep_smaller(best, best_obb(corners));
  const double more = margin * enclose::size(corners);
  best.half += {more, more, more};
  return best;
}

Capsule merge(const Capsule& a, const Capsule& b) {
  if (!(a.radius >= 0)) return b;
  if (!(b.radius >= 0)) return a;
  const std::array<Sphere, 4> ends = {Sphere{a.a, a.radius}, Sphere{a.b, a.radius},
                                      Sphere{b.a, b.radius}, Sphere{b.b, b.radius}};
  // Between the cores: from the middle of two ends to the middle of the other two, where the cores point the same way.
  const bool same_way = dot(a.b - a.a, b.b - b.a) >= 0;
  const Segment between = {(a.a + (same_way ? b.a : b.b)) * 0.5,
                           (a.b + (same_way ? b.b : b.a)) * 0.5};
  Capsule best = fit_capsule_on(ends, a.core());
  keep_smaller(best, fit_capsule_on(ends, b.core()));
  keep_smaller(best, fit_capsule_on(ends, between));
  for (const Vec3& p : {a.a, a.b}) {
    for (const Vec3& q : {b.a, b.b}) {
      keep_smaller(best, fit_capsule_on(ends, {p, q}));
      keep_smaller(best, fit_capsule_along(ends, normalized(q - p)));
    }
  }
  const Sphere ball = merge(merge(ends[0], ends[1]), merge(ends[2], ends[3]));
  keep_smaller(best, Capsule{ball.center, ball.center, ball.radius});
  return best;
}

Lozenge merge(const Lozenge& a, const Lozenge& b) {
  if (!(a.radius >= 0)) return b;
  if (!(b.radius >= 0)) return a;
  std::array<Sphere, 8> balls;
  double size = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    balls[i] = {a.core.vertices()[i], a.radius};
    balls[i + 4] = {b.core.vertices()[i], b.radius};
    size = std::max({size, max_abs(balls[i].center), max_abs(balls[i + 4].center)});
  }
  Lozenge best{{}, -1};
  for (const Rectangle& r : {a.core, b.core}) {
    const Mat3 m{r.u, r.v, normalized(cross(r.u, r.v))};
    for (int i = 0; i < 3; ++i) {
      const Lozenge l = fit_lozenge_along(balls, Mat3{m[(i + 1) % 3], m[(i + 2) % 3], m[i]});
      if (best.radius < 0 || volume(l) < volume(best)) best = l;
    }
  }
  best.radius += margin * size;
  return best;
}

} // namespace carom
