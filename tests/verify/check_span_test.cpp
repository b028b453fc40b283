// The checker of spans is checked: it accepts the answer, and refuses each way of spoiling it.
#include "carom/verify/check_span.h"

#include <gtest/gtest.h>

#include <functional>

namespace carom {
namespace {

using verify::PlacedShape;

struct Scene {
  PlacedShape a, b;
  Span answer;

  [[nodiscard]] bool accepts(const Span& s) const { return verify::check_span(a, b, s, 1e-12).ok; }
  void refuses(const char* what, const std::function<void(Span&)>& spoil) const {
    Span s = answer;
    spoil(s);
    EXPECT_FALSE(accepts(s)) << what;
  }
};

void every_field_counts(const Scene& s) {
  ASSERT_TRUE(s.accepts(s.answer)) << verify::check_span(s.a, s.b, s.answer, 1e-12).why;
  for (const double off : {1e-9, -1e-9, 0.1, -0.1}) {
    s.refuses("the value", [&](Span& x) { x.value += off; });
    s.refuses("the value with its bound", [&](Span& x) {
      x.value += off;
      x.upper_bound += off;
    });
    s.refuses("on_a", [&](Span& x) { x.on_a.x += off; });
    s.refuses("on_b", [&](Span& x) { x.on_b.x += off; });
    s.refuses("on_b across", [&](Span& x) { x.on_b.z += off; });
    s.refuses("the direction's length", [&](Span& x) { x.direction.x += off; });
    s.refuses("the direction", [&](Span& x) {
      x.direction = normalized(x.direction + Vec3{0, 0, off});
    });
  }
  s.refuses("a bound below the value", [](Span& x) { x.upper_bound -= 1e-9; });
  s.refuses("the opposite direction", [](Span& x) { x.direction = -x.direction; });
  s.refuses("points swapped", [](Span& x) { std::swap(x.on_a, x.on_b); });
  s.refuses("infinity", [](Span& x) { x.value = x.upper_bound = INFINITY; });
  s.refuses("not a number", [](Span& x) { x.value = NAN; });
  s.refuses("a bound that is not a number", [](Span& x) { x.upper_bound = NAN; });
  s.refuses("no point", [](Span& x) { x.on_a.x = NAN; });
  s.refuses("no answer", [](Span& x) { x.status = Status::bad_input; });
}

TEST(CheckSpan, EveryFieldOfBoxesCounts) {
  const Shape box = Shape::box({1, 1, 1}).value();
  const Vec3 to{1, 1, 1};
  every_field_counts({{box, {}},
                      {box, Pose::at({3, 3, 3})},
                      {.value = 5 * std::sqrt(3),
                       .upper_bound = 5 * std::sqrt(3),
                       .on_a = -to,
                       .on_b = to * 4,
                       .direction = normalized(to)}});
}

TEST(CheckSpan, EveryFieldOfCurvedShapesCounts) {
  const Shape ball = Shape::sphere(1).value();
  const Shape cylinder = Shape::cylinder(2, 1).value(); // the rims at z = -2 and 2
  const Vec3 on_b = Vec3{8, 0, 2};                      // of both rims the farthest, from afar
  const Vec3 n = normalized(on_b);
  every_field_counts({{ball, {}},
                      {cylinder, Pose::at({7, 0, 0})},
                      {.value = length(on_b) + 1,
                       .upper_bound = length(on_b) + 1,
                       .on_a = -n,
                       .on_b = on_b,
                       .direction = n}});
}

// Points that are farthest from each other along their direction, and better than their neighbours; but not the farthest.
TEST(CheckSpan, LocalMaximaAreRefused) {
  const Shape box = Shape::box({1, 2, 3}).value();
  const Shape point = Shape::point({}).value();
  const Scene boxes{{box, {}},
                    {point, Pose::at({0, 0, -0.5})},
                    {.value = std::sqrt(5 + 2.5 * 2.5),
                     .upper_bound = std::sqrt(5 + 2.5 * 2.5),
                     .on_a = {1, 2, -3},
                     .on_b = {0, 0, -0.5},
                     .direction = normalized(Vec3{-1, -2, 2.5})}};
  EXPECT_FALSE(boxes.accepts(boxes.answer));
  const Shape taper = Shape::tapered_capsule({-1, 0, 0}, 1, {1, 0, 0}, 1 + 1e-9).value();
  Scene tapers{
      {taper, {}},
      {point, {}},
      {.value = 2, .upper_bound = 2, .on_a = {-2, 0, 0}, .on_b = {}, .direction = {1, 0, 0}}};
  EXPECT_FALSE(tapers.accepts(tapers.answer));
  tapers.answer.upper_bound = 2 + 1e-9; // says that it is not sure
  EXPECT_TRUE(tapers.accepts(tapers.answer));
}

TEST(CheckSpan, HalfSpacesHaveNoEnd) {
  const Shape ground = Shape::half_space({0, 1, 0}, 0).value();
  const Shape ball = Shape::sphere(1).value();
  Scene s{{ground, {}},
          {ball, Pose::at({0, 5, 0})},
          {.value = INFINITY,
           .upper_bound = INFINITY,
           .on_a = {},
           .on_b = {0, 6, 0},
           .direction = {0, 1, 0}}};
  EXPECT_TRUE(s.accepts(s.answer));
  s.refuses("a finite value", [](Span& x) { x.value = x.upper_bound = 6; });
  s.refuses("a finite value with an infinite bound", [](Span& x) { x.value = 6; });
  s.refuses("a direction with an end", [](Span& x) { x.direction = {0, -1, 0}; });
  s.refuses("a point outside", [](Span& x) { x.on_b = {0, 6.1, 0}; });
}

} // namespace
} // namespace carom
