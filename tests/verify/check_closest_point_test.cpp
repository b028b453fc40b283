// The checker of points against shapes is checked: it accepts the answer, and refuses each way of spoiling it.
#include "carom/verify/check_closest_point.h"

#include "carom/verify/shape.h"

#include <gtest/gtest.h>

#include <functional>

namespace carom {
namespace {

using verify::PlacedShape;

struct Scene {
  PlacedShape box{Shape::box({1, 2, 3}).value(), {}};
  Vec3 p;
  SurfacePoint answer;

  [[nodiscard]] bool accepts(const SurfacePoint& s) const {
    return verify::check_closest_point(p, box, s, 1e-12, 1e-12).ok;
  }
  void refuses(const char* what, const std::function<void(SurfacePoint&)>& spoil) const {
    SurfacePoint s = answer;
    spoil(s);
    EXPECT_FALSE(accepts(s)) << what;
  }
  void every_field_counts() const {
    ASSERT_TRUE(accepts(answer));
    for (const double off : {1e-9, -1e-9, 0.1, -0.1}) {
      refuses("the value", [&](SurfacePoint& s) { s.value += off; });
      refuses("the value and its bounds", [&](SurfacePoint& s) {
        s.value += off;
        s.lower_bound += off;
        s.upper_bound += off;
      });
      refuses("the point", [&](SurfacePoint& s) { s.point.x += off; });
      refuses("the point aside", [&](SurfacePoint& s) { s.point.y += off; });
      refuses("the normal's length", [&](SurfacePoint& s) { s.normal.x += off; });
      refuses("the normal's direction", [&](SurfacePoint& s) {
        s.normal = normalized(s.normal + Vec3{0, off, 0});
      });
    }
    refuses("a lower bound above", [](SurfacePoint& s) { s.lower_bound += 0.1; });
    refuses("an upper bound below", [](SurfacePoint& s) { s.upper_bound -= 0.1; });
    refuses("the opposite normal", [](SurfacePoint& s) { s.normal = -s.normal; });
    refuses("no value", [](SurfacePoint& s) { s.value = NAN; });
    refuses("no point", [](SurfacePoint& s) { s.point.z = INFINITY; });
    refuses("no answer", [](SurfacePoint& s) { s.status = Status::bad_input; });
  }
};

TEST(CheckClosestPoint, Outside) {
  const Scene s{.p = {3, 0.5, 0},
                .answer = {.value = 2,
                           .lower_bound = 2,
                           .upper_bound = 2,
                           .point = {1, 0.5, 0},
                           .normal = {1, 0, 0}}};
  s.every_field_counts();
}

TEST(CheckClosestPoint, Inside) {
  const Scene s{.p = {0.75, 0.5, 0},
                .answer = {.value = -0.25,
                           .lower_bound = -0.25,
                           .upper_bound = -0.25,
                           .point = {1, 0.5, 0},
                           .normal = {1, 0, 0}}};
  s.every_field_counts();
  // Out through another face, farther away: points and plane agree, but there is a shorter way.
  EXPECT_FALSE(s.accepts({.value = -1.5,
                          .lower_bound = -1.5,
                          .upper_bound = -1.5,
                          .point = {0.75, 2, 0},
                          .normal = {0, 1, 0}}));
}

} // namespace
} // namespace carom
