// The checker is checked: its supports against its distances, which share no formula, and against samples.
#include "carom/verify/check.h"

#include "tests/support/generate_geometry.h"
#include "tests/support/property.h"

namespace carom {
namespace {

using test::Source;

// A sphere of a direction's half-spaces encloses a convex set: for any p, the distance from p is at least d . p - support(d), with
// equality for the best d. Searched from a few starts by rotating toward improvement, it must reach the brute-force distance.
template<class S>
double distance_by_support(const Vec3& p, const S& set) {
  double best = -INFINITY;
  Vec3 best_d{1, 0, 0};
  Random random(17);
  double step = 1;
  for (int i = 0; i < 4000; ++i) {
    const Vec3 d = normalized(best_d + random.direction() * step);
    const double value = dot(d, p) - verify::support(set, d);
    if (value > best) {
      best = value;
      best_d = d;
      step *= 1.5;
    } else {
      step = std::max(step * 0.97, 1e-9);
    }
  }
  return std::max(best, 0.0);
}

template<class S>
void expect_dual(const Vec3& p, const S& set) {
  const double by_features = verify::distance(p, set);
  const double by_support = distance_by_support(p, set);
  const double size = 1 + max_abs(p);
  // The search only ever finds lower bounds; it gets within a thousandth.
  RC_ASSERT(by_support <= by_features + 1e-12 * size);
  RC_ASSERT(by_support >= by_features - 2e-3 * size);
}

#define DUAL(name, generator)                                                                      \
  PROPERTY(VerifyDuality, name) {                                                                  \
    const auto set = generator;                                                                    \
    const Vec3 p = test::vec3(source) * 2;                                                         \
    expect_dual(p, set);                                                                           \
  }

DUAL(Segment, test::segment(source))
DUAL(Triangle, test::triangle(source))
DUAL(Tetrahedron, test::tetrahedron(source))
DUAL(Quad, test::quad(source))
DUAL(Rectangle, test::rectangle(source))
DUAL(Sphere, test::sphere(source))
DUAL(Capsule, test::capsule(source))
DUAL(Lozenge, test::lozenge(source))
DUAL(Cylinder, test::cylinder(source))
DUAL(Cone, test::cone(source))
DUAL(ConeFrustum, test::cone_frustum(source))
DUAL(Ellipsoid, test::ellipsoid(source))
DUAL(Aabb, test::aabb(source))
DUAL(Obb, test::obb(source))
DUAL(ViewFrustum, test::view_frustum(source))

} // namespace
} // namespace carom
