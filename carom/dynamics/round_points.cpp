#include "carom/dynamics/round_points.h"

namespace carom {
namespace {

/// Points of the cores, in their bodies' frames, and the way from A's to B's in the world.
struct CorePoints {
  Vec3 a, b, between;
};

CorePoints cores_of(const RoundContact& at, const Vec3& n_a, const Vec3& n_b, const PairPoint& p) {
  CorePoints c{p.on_a - n_a * at.radius_a, p.on_b + n_b * at.radius_b, {}};
  c.between = (at.b.origin - at.a.origin) + (at.b.basis * c.b - at.a.basis * c.a);
  return c;
}

/// In the world.
Vec3 normal_now(const RoundContact& at, const Vec3& n_a, const Vec3& n_b, const Manifold& m) {
  if (at.radius_b == 0) return at.b.basis * n_b;
  const Vec3 held = at.a.basis * n_a;
  if (at.radius_a == 0 || m.count != 1) return held;
  const Vec3 between = cores_of(at, n_a, n_b, m.points[0]).between;
  const double far = length(between);
  return far > 0.5 * (at.radius_a + at.radius_b) ? between / far : held;
}

} // namespace

void place_round_points(const RoundContact& at, Manifold& m) {
  const Vec3 n_a = m.normal, n_b = transpose_mul(at.b_in_a, n_a);
  const Vec3 n = normal_now(at, n_a, n_b, m);
  m.normal = transpose_mul(at.a.basis, n);
  const Vec3 other_normal = transpose_mul(at.b.basis, n);
  for (int i = 0; i < m.count; ++i) {
    PairPoint& p = m.points[static_cast<std::size_t>(i)];
    const CorePoints c = cores_of(at, n_a, n_b, p);
    const Vec3 along = c.between - n * dot(n, c.between);
    // What is round stays where its core is; the other's point is across from it.
    p.on_a = c.a + m.normal * at.radius_a;
    p.on_b = c.b - other_normal * at.radius_b;
    if (at.radius_b > 0)
      p.on_a += transpose_mul(at.a.basis, along);
    else
      p.on_b -= transpose_mul(at.b.basis, along);
  }
}

} // namespace carom
