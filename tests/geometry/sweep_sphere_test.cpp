#include "carom/geometry/sweep_sphere.h"

#include "tests/geometry/sweep_cases.h"

namespace carom {
namespace {

using test::Source;

double reach_of(const Sphere& b) { return b.radius; }
double reach_of(const Capsule& b) { return b.radius; }
double reach_of(const Lozenge& b) { return b.radius; }
template<class B>
double reach_of(const B&) {
  return 0;
}

template<class B>
verify::Verdict check(const Sphere& a, const Vec3& motion, const B& b) {
  const double size = test::greatest(a) + max_abs(motion) + test::greatest(b);
  return verify::check_sweep(a, motion, b, sweep(a, motion, b),
                             test::sweep_tolerance(size, a.radius + reach_of(b)));
}

/// A ball and its motion, in the frame of a case: free, or made to touch at B's point `high`, farthest along n.
struct BallCase {
  Sphere ball;
  Vec3 motion;
};
BallCase ball_case(Source& source, const Vec3& high, const Vec3& n) {
  const double r = test::radius(source);
  if (source.chance(4)) {
    const Vec3 c = test::vec3(source) * 2;
    return {{c, r}, test::any_motion(source)};
  }
  const test::Approach a = test::approach(source, high, n);
  return {{a.start + n * r, r}, a.motion};
}

template<class B>
const B& view(const B& b) {
  return b;
}
Polygon view(const test::OwnedPolygon& p) { return p.view(); }

template<class B>
void expect_proved(Source& source, const B& b) {
  const Vec3 n = test::direction(source);
  const BallCase c = ball_case(source, support_point(view(b), n), n);
  const test::Placement place = test::placement(source);
  const Sphere ball = test::placed(c.ball, place);
  const B there = test::placed(b, place);
  const Vec3 motion = c.motion * place.scale;
  const verify::Verdict v = check(ball, motion, view(there));
  EXPECT_TRUE(v.ok) << v.why << "; ball " << test::text(ball.center) << " radius " << ball.radius
                    << " motion " << test::text(motion) << test::text(sweep(ball, motion, view(there)));
}

constexpr int cases = 20'000;

#define SWEEP_TEST(name, generator)                                                                \
  TEST(SweepSphere, name) {                                                                        \
    test::for_each_seed(cases, [](Source& source) { expect_proved(source, generator); });          \
  }

SWEEP_TEST(AgainstSphere, test::sphere(source))
SWEEP_TEST(AgainstSegment, test::segment(source))
SWEEP_TEST(AgainstCapsule, test::capsule(source))
SWEEP_TEST(AgainstRectangle, test::rectangle(source))
SWEEP_TEST(AgainstLozenge, test::lozenge(source))
SWEEP_TEST(AgainstTriangle, test::triangle(source))
SWEEP_TEST(AgainstPolygon, test::polygon(source))
SWEEP_TEST(AgainstAabb, test::aabb(source))
SWEEP_TEST(AgainstObb, test::obb(source))

} // namespace
} // namespace carom
