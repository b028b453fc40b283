// The checkers of queries are fed wrong answers: each field wrong in turn, by little.
#include "carom/verify/check_query.h"

#include "carom/query/distance.h"
#include "carom/query/penetration.h"
#include "carom/query/signed_distance.h"
#include "carom/verify/shape.h"

#include <gtest/gtest.h>

namespace carom {
namespace {

constexpr double tolerance = 1e-13;
constexpr double wrong = 1e-9;

/// Two boxes, one turned, apart by 1.5 or reaching 0.5 into each other.
struct Boxes {
  verify::PlacedShape a{Shape::box({1, 2, 1}).value(), {}};
  verify::PlacedShape b;
  explicit Boxes(double gap)
      : b{Shape::box({1, 1, 1}).value(), Pose{{0, 0.6, 0, 0.8}, {2.24 + gap, 0.5, 0.1}}} {}
};

template<class Answer, class Check>
class Refutes {
public:
  Refutes(const Answer& right, Check check) : right_(right), check_(check) {
    const verify::Verdict verdict = check_(right_);
    EXPECT_TRUE(verdict) << verdict.why;
  }
  template<class Change>
  void operator()(const char* what, Change change) const {
    Answer answer = right_;
    change(answer);
    EXPECT_FALSE(check_(answer)) << what;
  }

private:
  Answer right_;
  Check check_;
};

TEST(CheckDistance, RefutesWrongAnswers) {
  const Boxes boxes(1.5);
  const verify::PlacedShape& a = boxes.a;
  const verify::PlacedShape& b = boxes.b;
  const Refutes refutes(distance(a.shape, a.pose, b.shape, b.pose), [&](const Distance& d) {
    return verify::check_distance(a, b, d, tolerance);
  });
  refutes("value too great", [](Distance& d) { d.value += wrong; });
  refutes("value too small", [](Distance& d) { d.value -= wrong; });
  refutes("negative", [](Distance& d) { d.value = d.lower_bound = -1; });
  refutes("not a number", [](Distance& d) { d.value = NAN; });
  refutes("lower bound above the value", [](Distance& d) { d.lower_bound = d.value + wrong; });
  refutes("lower bound below 0", [](Distance& d) { d.lower_bound = -wrong; });
  refutes("lower bound not proved", [](Distance& d) {
    d.normal = normalized(d.normal + Vec3{0, 1e-3, 0});
  });
  refutes("normal reversed", [](Distance& d) { d.normal = -d.normal; });
  refutes("normal not a unit vector", [](Distance& d) { d.normal = d.normal * 1.001; });
  refutes("on_a off A", [](Distance& d) { d.on_a.x += wrong; });
  refutes("on_b off B", [](Distance& d) { d.on_b.x -= wrong; });
  refutes("points not the nearest", [](Distance& d) { d.on_a.x -= wrong; });
  refutes("overlap where there is none", [](Distance& d) { d = {0, 0, d.on_a, d.on_a}; });
}

template<class Check>
void refutes_wrong_signed(const Refutes<SignedDistance, Check>& refutes) {
  using S = SignedDistance;
  refutes("all too great",
          [](S& s) { s.value += wrong, s.lower_bound += wrong, s.upper_bound += wrong; });
  refutes("all too small",
          [](S& s) { s.value -= wrong, s.lower_bound -= wrong, s.upper_bound -= wrong; });
  refutes("not a number", [](S& s) { s.value = NAN; });
  refutes("bounds exchanged", [](S& s) {
    std::swap(s.lower_bound, s.upper_bound);
    s.lower_bound += wrong;
  });
  refutes("lower bound not proved", [](S& s) { s.lower_bound += wrong; });
  refutes("upper bound too low", [](S& s) { s.upper_bound -= wrong; });
  refutes("normal reversed", [](S& s) { s.normal = -s.normal; });
  refutes("normal turned", [](S& s) { s.normal = normalized(s.normal + Vec3{0, 1e-6, 0}); });
  refutes("normal not a unit vector", [](S& s) { s.normal = s.normal * 1.001; });
  refutes("points exchanged", [](S& s) { std::swap(s.on_a, s.on_b); });
  refutes("on_a moved", [](S& s) { s.on_a.x += wrong; });
  refutes("on_b moved", [](S& s) { s.on_b.y += 3; });
}

TEST(CheckSignedDistance, RefutesWrongAnswersApart) {
  const Boxes boxes(1.5);
  const verify::PlacedShape& a = boxes.a;
  const verify::PlacedShape& b = boxes.b;
  refutes_wrong_signed(
      Refutes(signed_distance(a.shape, a.pose, b.shape, b.pose), [&](const SignedDistance& s) {
        return verify::check_signed_distance(a, b, s, tolerance, tolerance);
      }));
}

TEST(CheckSignedDistance, RefutesWrongAnswersInOverlap) {
  const Boxes boxes(-0.5);
  const verify::PlacedShape& a = boxes.a;
  const verify::PlacedShape& b = boxes.b;
  const auto check = [&](const SignedDistance& s) {
    return verify::check_signed_distance(a, b, s, tolerance, tolerance);
  };
  const SignedDistance right = signed_distance(a.shape, a.pose, b.shape, b.pose);
  EXPECT_LT(right.value, -0.1);
  refutes_wrong_signed(Refutes(right, check));
  // A direction that separates too, by moving farther: proved, but not the least.
  SignedDistance longer = right;
  longer.normal = {0, 1, 0};
  longer.value = longer.lower_bound = longer.upper_bound = verify::gap(a, b, longer.normal);
  longer.on_a = {0, 2, 0};
  longer.on_b = {0, 2 + longer.value, 0};
  EXPECT_FALSE(check(longer));
}

TEST(CheckPenetration, RefutesWrongAnswers) {
  using P = Penetration;
  const Boxes boxes(-0.5);
  const verify::PlacedShape& a = boxes.a;
  const verify::PlacedShape& b = boxes.b;
  const Refutes refutes(penetration(a.shape, a.pose, b.shape, b.pose), [&](const P& p) {
    return verify::check_penetration(a, b, p, tolerance, tolerance);
  });
  refutes("too deep",
          [](P& p) { p.depth += wrong, p.lower_bound += wrong, p.upper_bound += wrong; });
  refutes("not deep enough",
          [](P& p) { p.depth -= wrong, p.lower_bound -= wrong, p.upper_bound -= wrong; });
  refutes("bounds not around", [](P& p) { p.upper_bound = p.depth - wrong; });
  refutes("lower bound negative", [](P& p) { p.lower_bound = -wrong; });
  refutes("lower bound too high",
          [](P& p) { p.lower_bound = p.depth = p.upper_bound = p.depth + wrong; });
  refutes("normal reversed", [](P& p) { p.normal = -p.normal; });
  refutes("normal not a unit vector", [](P& p) { p.normal = p.normal * 0.999; });
  refutes("apart, it says", [](P& p) { p = P{}; });
  refutes("points exchanged", [](P& p) { std::swap(p.on_a, p.on_b); });

  const Boxes apart(1.5);
  const Refutes refutes_apart(
      penetration(apart.a.shape, apart.a.pose, apart.b.shape, apart.b.pose), [&](const P& p) {
        return verify::check_penetration(apart.a, apart.b, p, tolerance, tolerance);
      });
  refutes_apart("normal reversed", [](P& p) { p.normal = -p.normal; });
  refutes_apart("deep, it says", [](P& p) { p.depth = p.lower_bound = p.upper_bound = 0.5; });
}

} // namespace
} // namespace carom
