// The checker of ray casts is checked: it accepts the answer, and refuses each way of spoiling it.
#include "carom/verify/check_ray_cast.h"

#include "carom/verify/shape.h"

#include <gtest/gtest.h>

#include <functional>

namespace carom {
namespace {

using verify::PlacedShape;

/// A ray along x at a box around the origin: it hits at x = -1, at t = 2.
struct Scene {
  PlacedShape shape{Shape::box({1, 1, 1}).value(), {}};
  Ray ray{{-5, 0, 0}, {2, 0, 0}};
  double max_t = INFINITY;
  RayHit answer{.hit = true, .t = 2, .point = {-1, 0, 0}, .normal = {-1, 0, 0}};

  [[nodiscard]] bool accepts(const RayHit& h) const {
    return verify::check_ray_cast(shape, ray, max_t, h, 1e-12).ok;
  }
  void refuses(const char* what, const std::function<void(RayHit&)>& spoil) const {
    RayHit h = answer;
    spoil(h);
    EXPECT_FALSE(accepts(h)) << what;
  }
};

TEST(CheckRayCast, EveryFieldOfAHitCounts) {
  Scene s;
  ASSERT_TRUE(s.accepts(s.answer));
  s.refuses("a miss with a time", [](RayHit& h) { h.hit = false; });
  s.refuses("a miss", [](RayHit& h) { h = {}; });
  s.refuses("a miss with a normal", [](RayHit& h) { h = {.normal = {0, 1, 0}}; });
  s.refuses("inside", [](RayHit& h) { h.inside = true; });
  s.refuses("inside at the start",
            [&](RayHit& h) { h = {.hit = true, .t = 0, .point = s.ray.origin, .inside = true}; });
  for (const double off : {1e-9, -1e-9, 0.1, -0.1}) {
    s.refuses("the time", [&](RayHit& h) { h.t += off; });
    s.refuses("the point", [&](RayHit& h) { h.point.x += off; });
    s.refuses("the point aside", [&](RayHit& h) { h.point.z += off; });
    s.refuses("both", [&](RayHit& h) {
      h.t += off;
      h.point = s.ray.at(h.t);
    });
    s.refuses("the normal's length", [&](RayHit& h) { h.normal.x += off; });
    s.refuses("the normal's direction", [&](RayHit& h) {
      h.normal = normalized(Vec3{-1, off, 0});
    });
  }
  s.refuses("the opposite normal", [](RayHit& h) { h.normal = -h.normal; });
  s.refuses("a level normal", [](RayHit& h) { h.normal = {0, 1, 0}; });
  s.refuses("no normal", [](RayHit& h) { h.normal = {}; });
  s.refuses("not a number", [](RayHit& h) { h.t = NAN; });
  s.refuses("no point", [](RayHit& h) { h.point.x = NAN; });
  s.refuses("no answer", [](RayHit& h) { h.status = Status::bad_input; });
  s.max_t = 1.9;
  s.refuses("beyond the end", [](RayHit&) {});
}

TEST(CheckRayCast, Inside) {
  Scene s;
  s.ray.origin = {0, 0.5, 0};
  s.answer = {.hit = true, .t = 0, .point = {0, 0.5, 0}, .inside = true};
  ASSERT_TRUE(s.accepts(s.answer));
  s.refuses("a miss", [](RayHit& h) { h = {}; });
  s.refuses("with a normal", [](RayHit& h) { h.normal = {0, 1, 0}; });
  s.refuses("later", [&](RayHit& h) {
    h.t = 0.1;
    h.point = s.ray.at(0.1);
  });
  s.refuses("elsewhere", [](RayHit& h) { h.point.x += 0.1; });
  s.refuses("a hit with a normal", [](RayHit& h) {
    h.inside = false;
    h.normal = {-1, 0, 0};
  });
}

TEST(CheckRayCast, Misses) {
  Scene s;
  s.ray.origin.y = 2;
  EXPECT_TRUE(s.accepts({}));
  EXPECT_TRUE(s.accepts({.normal = {0, 1, 0}}));
  EXPECT_FALSE(s.accepts({.normal = {0, -1, 0}}));
  EXPECT_FALSE(s.accepts({.normal = {-1, 0, 0}})) << "separates at the start only";
  EXPECT_FALSE(s.accepts({.normal = {1, 0, 0}})) << "separates at the end only";
  EXPECT_FALSE(s.accepts({.normal = {0, 2, 0}}));
  EXPECT_FALSE(s.accepts({.t = 3, .normal = {0, 1, 0}}));
  EXPECT_FALSE(s.accepts(s.answer));
  s.ray = {{-5, 0, 0}, {-1, 0, 0}}; // it goes away
  EXPECT_TRUE(s.accepts({}));
  EXPECT_TRUE(s.accepts({.normal = {-1, 0, 0}}));
  s.ray = {{-5, 0, 0}, {1, 0, 0}};
  s.max_t = 3.5; // it ends before
  EXPECT_TRUE(s.accepts({}));
  EXPECT_TRUE(s.accepts({.normal = {-1, 0, 0}}));
  s.max_t = 4.5;
  EXPECT_FALSE(s.accepts({}));
  EXPECT_FALSE(s.accepts({.normal = {-1, 0, 0}}));
}

TEST(CheckRayCast, HalfSpacesAreLeftForEver) {
  Scene s;
  s.shape = {Shape::half_space({0, 1, 0}, 0).value(), {}};
  s.ray = {{0, 1, 0}, {1, 0, 0}};
  EXPECT_TRUE(s.accepts({.normal = {0, 1, 0}}));
  EXPECT_FALSE(s.accepts({})) << "without a normal";
  s.ray.direction = {1, -1e-6, 0};
  EXPECT_FALSE(s.accepts({.normal = {0, 1, 0}})) << "it will come to it";
  s.max_t = 1e5;
  EXPECT_TRUE(s.accepts({.normal = {0, 1, 0}}));
}

} // namespace
} // namespace carom
