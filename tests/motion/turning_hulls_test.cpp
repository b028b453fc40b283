// Random hulls of 32 points that turn by up to 90 degrees: nothing touches before the time of impact, at many times. CAROM_PAIRS says how many pairs; 100,000 were tried (docs/time-of-impact.md).
#include "carom/motion/time_of_impact.h"
#include "carom/query/distance.h"
#include "tests/motion/motion_cases.h"
#include "tests/support/property.h"

#include <cstdlib>
#include <vector>

namespace carom {
namespace {

using test::Source;

Shape hull_on_sphere(Source& source) {
  std::vector<Vec3> points;
  for (int i = 0; i < 32; ++i) {
    const double z = source.uniform(-1, 1);
    const double angle = source.uniform(0, two_pi);
    const double r = std::sqrt(1 - z * z);
    points.push_back({r * cos(angle), r * sin(angle), z});
  }
  return Shape::hull(points).value();
}

TEST(TurningHulls, NothingTouchesBeforeTheImpact) {
  const char* text = std::getenv("CAROM_PAIRS");
  const std::uint64_t pairs =
      text ? std::strtoull(text, nullptr, 10) : test::fewer_when_sanitized(4000);
  int hits = 0;
  test::for_each_seed(pairs, [&](Source& source) {
    const Shape a = hull_on_sphere(source);
    const Shape b = hull_on_sphere(source);
    const auto moving = [&](const Vec3& from, const Vec3& way) {
      const Quat turned = test::rotation(source);
      const Vec3 axis = test::direction(source);
      const double angle = source.uniform(0, half_pi);
      return Motion::velocity({turned, from}, way, normalized(axis) * angle, 1);
    };
    const double away = source.uniform(2.05, 4);
    const double off = source.uniform(0, 2);
    const Vec3 place = test::direction(source) * away;
    const Vec3 aside = test::direction(source) * off;
    const Motion motion_a = moving({}, place * 0.6 + aside);
    const Motion motion_b = moving(place, place * -0.4);
    const TimeOfImpact i = time_of_impact(a, motion_a, b, motion_b, {.absolute_error = 1e-4});
    ASSERT_EQ(i.status, Status::ok);
    hits += i.hit ? 1 : 0;
    const auto apart = [&](double t) {
      return distance(a, pose_at(motion_a, t), b, pose_at(motion_b, t)).value;
    };
    for (int k = 0; k < 64; ++k) EXPECT_GT(apart((i.hit ? i.t : 1) * k / 64), 0) << k;
    if (i.hit) {
      EXPECT_LE(apart(i.t), 1e-4 * (1 + 1e-9));
    }
  });
  EXPECT_GT(hits, static_cast<int>(pairs / 4));
}

} // namespace
} // namespace carom
