// The checker of contacts is fed right answers, made by hand, and wrong ones of every sort.
#include "carom/verify/check_contacts.h"

#include "carom/verify/shape.h"

#include <gtest/gtest.h>

#include <cmath>

namespace carom {
namespace {

using verify::PlacedShape;

constexpr double depth = 0x1p-4;
constexpr verify::ContactTolerance tolerance{.points = 1e-12, .gap = 1e-12, .same = 1e-12};

/// Two cubes of side 2, one on the other, `depth` deep, moved by 1 along x.
class CheckContacts : public testing::Test {
protected:
  CheckContacts() {
    m.normal = {0, 0, 1};
    m.value = -depth;
    m.lower_bound = -depth - 1e-15;
    m.upper_bound = -depth + 1e-15;
    m.count = 4;
    for (std::size_t i = 0; i < 4; ++i) {
      const double x = i & 1 ? 1 : 0;
      const double y = i & 2 ? 1 : -1;
      m.points[i] = {{x, y, 1}, {x, y, 1 - depth}, -depth, i};
    }
  }
  [[nodiscard]] verify::Verdict check(double margin = 0) const {
    return verify::check_contacts(a, b, m, margin, tolerance);
  }
  void expect_wrong(const std::string& why) const {
    const auto verdict = check();
    EXPECT_FALSE(verdict);
    EXPECT_NE(verdict.why.find(why), std::string::npos) << "said: " << verdict.why;
  }

  Shape cube = Shape::box({1, 1, 1}).value();
  PlacedShape a{cube, {}};
  PlacedShape b{cube, Pose::at({1, 0, 2 - depth})};
  ContactManifold m;
};

TEST_F(CheckContacts, RightAnswersPass) {
  EXPECT_TRUE(check());
  EXPECT_TRUE(check(0.1));
  m.count = 1;
  EXPECT_TRUE(check()); // fewer points are no lie
  EXPECT_TRUE(verify::check_contact_points(a, b, m.contacts(), m.normal, m.value, 0, tolerance));
}

TEST_F(CheckContacts, PointsOffTheShapes) {
  m.points[2].on_a.y = m.points[2].on_b.y = 1.001;
  expect_wrong("on_a is off its shape");
}

TEST_F(CheckContacts, PointsOffTheOtherShape) {
  m.points[2].on_a.x = m.points[2].on_b.x = -0.001; // on A still
  expect_wrong("on_b is off its shape");
}

TEST_F(CheckContacts, PointsWithinTheShapes) {
  m.points[1].on_a.z -= 0.01;
  m.points[1].on_b.z -= 0.01;
  expect_wrong("on_a is deep within");
}

TEST_F(CheckContacts, PointsWithinTheOtherShape) {
  b.shape = Shape::box({1, 1, 1.5}).value(); // reaches half a unit farther down
  m.value = -depth - 0.5;
  m.lower_bound = m.value - 1e-14;
  m.upper_bound = 0;
  m.points[0].on_b.z = 0.5 - depth;
  m.points[0].separation = m.value;
  expect_wrong("on_b is deep within");
}

TEST_F(CheckContacts, PointsNotAlongTheNormal) {
  m.points[3].on_b.x -= 1e-6;
  expect_wrong("separation * normal apart");
}

TEST_F(CheckContacts, WrongSeparation) {
  m.points[3].separation = -depth / 2;
  expect_wrong("separation * normal apart");
}

TEST_F(CheckContacts, SignOfTheNormal) {
  m.normal = {0, 0, -1};
  expect_wrong("nearer along the normal than the lower bound");
}

TEST_F(CheckContacts, NormalOfAnotherLength) {
  m.normal = {0, 0, 2};
  expect_wrong("unit vector");
}

TEST_F(CheckContacts, TiltedNormal) {
  m.normal = normalized(Vec3{1e-5, 0, 1});
  expect_wrong("nearer along the normal than the lower bound");
}

TEST_F(CheckContacts, ValueThatIsNotAttained) {
  m.value = -2 * depth;
  m.lower_bound = -3 * depth;
  expect_wrong("the value is not the gap");
}

TEST_F(CheckContacts, BoundsTheWrongWayRound) {
  std::swap(m.lower_bound, m.upper_bound);
  expect_wrong("bounds");
}

TEST_F(CheckContacts, DeepestIsMissing) {
  // B tilted about y: only two of the corners are deep. The others alone are not enough.
  const double angle = 0.01;
  b = {cube, {{0, std::sin(angle / 2), 0, std::cos(angle / 2)}, {0, 0, 2}}};
  const Frame frame = b.pose.frame();
  const auto corner = [&](double x, double y, std::uint64_t id) {
    const Vec3 p = frame.to_world({x, y, -1});
    return Contact{{p.x, p.y, 1}, p, p.z - 1, id};
  };
  ContactManifold right;
  right.normal = {0, 0, 1};
  right.points[0] = corner(1, -1, 0);
  if (!(right.points[0].separation < 0)) right.points[0] = corner(-1, -1, 0);
  right.count = 1;
  right.value = right.points[0].separation;
  right.lower_bound = right.value - 1e-14;
  right.upper_bound = right.value + 1e-14;
  m = right;
  // Within A's face, or to within what the tilt moves it: the tolerance is wider here.
  const verify::ContactTolerance wide{.points = 1e-3, .gap = 1e-12, .same = 1e-12};
  EXPECT_TRUE(verify::check_contacts(a, b, m, 0.1, wide));
  const double other_x = frame.to_local(right.points[0].on_b).x > 0 ? -1 : 1;
  m.points[0] = corner(other_x, -1, 1);
  const auto verdict = verify::check_contacts(a, b, m, 0.1, wide);
  EXPECT_FALSE(verdict);
  EXPECT_NE(verdict.why.find("does not attain"), std::string::npos) << verdict.why;
}

TEST_F(CheckContacts, AboveTheMargin) {
  b.pose.position.z = 2.5;
  m.value = 0.5;
  m.lower_bound = m.upper_bound = 0.5;
  for (Contact& c : m.points) {
    c.separation = 0.5;
    c.on_b.z = 1.5;
  }
  EXPECT_TRUE(check(0.5));
  EXPECT_FALSE(check(0.4));
  // The bounds lie: then the points tell.
  m.lower_bound = 0;
  EXPECT_TRUE(check(0.5));
}

TEST_F(CheckContacts, SamePlaceOrNameTwice) {
  m.points[1].id = m.points[2].id;
  expect_wrong("same id");
  m.points[1].id = 99;
  m.points[1].on_a = m.points[2].on_a;
  m.points[1].on_b = m.points[2].on_b;
  expect_wrong("same place");
}

TEST_F(CheckContacts, NoContactsWhereThereAreSome) {
  m.count = 0;
  expect_wrong("no contacts, and no separation");
  b.pose.position.z = 2.5;
  m.value = m.lower_bound = 0.5;
  m.upper_bound = INFINITY;
  m.status = Status::stopped;
  EXPECT_TRUE(check());
}

TEST_F(CheckContacts, NotFinite) {
  m.points[0].on_a.x = NAN;
  expect_wrong("not finite");
  m.count = 5;
  expect_wrong("count");
}

} // namespace
} // namespace carom
