// Whether a volume contains whole triangles, in rational numbers.
#pragma once

#include "carom/geometry/triangle.h"
#include "tests/geometry/exact_enclosure.h"

namespace carom::test {

/// The squared distance of a point from a triangle, exactly.
inline mpq_class exact_distance_squared(const Vec3& p, const Triangle& t) {
  mpq_class best = -1;
  const auto consider = [&](const Exact& q) {
    const Exact d = exact(p) - q;
    const mpq_class dd = dot(d, d);
    if (best < 0 || dd < best) best = dd;
  };
  const Exact corner[3] = {exact(t.a), exact(t.b), exact(t.c)};
  for (int i = 0; i < 3; ++i) {
    const Exact& a = corner[i];
    const Exact e = corner[(i + 1) % 3] - a;
    const mpq_class ee = dot(e, e);
    const mpq_class s = ee > 0 ? clamp(dot(exact(p) - a, e) / ee, 0, 1) : mpq_class(0);
    consider(a + e * s);
  }
  // Within: u and v of the projection solve two linear equations.
  const Exact e = corner[1] - corner[0];
  const Exact f = corner[2] - corner[0];
  const Exact q = exact(p) - corner[0];
  const mpq_class ee = dot(e, e);
  const mpq_class ef = dot(e, f);
  const mpq_class ff = dot(f, f);
  const mpq_class det = ee * ff - ef * ef;
  if (det > 0) {
    const mpq_class u = (dot(q, e) * ff - dot(q, f) * ef) / det;
    const mpq_class v = (dot(q, f) * ee - dot(q, e) * ef) / det;
    if (u >= 0 && v >= 0 && u + v <= 1) consider(corner[0] + e * u + f * v);
  }
  return best;
}

/// Convex volumes contain a triangle where they contain its corners.
template<class V>
bool contains_triangle(const V& volume, const Triangle& t) {
  return inside(t.a, volume) && inside(t.b, volume) && inside(t.c, volume);
}
/// A shell is not convex: the triangle must also keep out of the hollow, and the cone must be convex, or all of space.
inline bool contains_triangle(const SphericalShell& shell, const Triangle& t) {
  if (!(inside(t.a, shell) && inside(t.b, shell) && inside(t.c, shell))) return false;
  if (!shell.all_directions() && shell.cos_half_angle < 0) return false;
  return exact_distance_squared(shell.center, t) >= square(mpq_class(shell.inner));
}

} // namespace carom::test
