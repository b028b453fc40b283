#include "carom/math/pose.h"

#include "tests/support/generate.h"
#include "tests/support/property.h"

#include <limits>

namespace carom {
namespace {

using namespace test;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

static_assert(Pose::identity() == Pose{});
static_assert(Pose::at({1, 2, 3}).frame().to_world({1, 1, 1}) == Vec3{2, 3, 4});
static_assert(Pose::at({1, 2, 3}).frame().to_local({2, 3, 4}) == Vec3{1, 1, 1});
static_assert(Pose::at({1, 2, 3}) * Pose::at({1, 0, 0}) == Pose::at({2, 2, 3}));
static_assert(inverse(Pose::at({1, 2, 3})) == Pose::at({-1, -2, -3}));
// The rotation comes first: a quarter turn about z takes x to y, then the translation.
constexpr Frame quarter = Pose{{0, 0, 1, 1}, {10, 0, 0}}.frame();
static_assert(quarter.to_world({1, 0, 0}) == Vec3{10, 1, 0});
static_assert(quarter.to_local({10, 1, 0}) == Vec3{1, 0, 0});
static_assert(quarter.direction_to_world({1, 0, 0}) == Vec3{0, 1, 0});
static_assert(quarter.direction_to_local({0, 1, 0}) == Vec3{1, 0, 0});

struct Case {
  Pose a, b;
  Vec3 p;
  double size; ///< the sum of all lengths
};

Case any(Source& source) {
  const double s = scale(source);
  Case c{pose(source), pose(source), vec3(source) * s, 0};
  c.a.position = c.a.position * s + offset(source) * s;
  c.b.position *= s;
  const double length_of_quat = std::ldexp(1.0, source.index(60) - 30);
  Quat& q = c.a.rotation;
  q = {q.x * length_of_quat, q.y * length_of_quat, q.z * length_of_quat, q.w * length_of_quat};
  c.size = length(c.a.position) + length(c.b.position) + length(c.p);
  return c;
}

PROPERTY(Pose, FrameThereAndBack) {
  const Case c = any(source);
  const Frame f = c.a.frame();
  // The matrix is a rotation to 16 epsilon an element; each way adds a few roundings of the lengths.
  REQUIRE(length(f.to_local(f.to_world(c.p)) - c.p) <= 40 * epsilon * c.size);
  REQUIRE(length(f.to_world(f.to_local(c.p)) - c.p) <= 40 * epsilon * c.size);
  REQUIRE(length(f.direction_to_local(f.direction_to_world(c.p)) - c.p) <=
          40 * epsilon * length(c.p));
}

PROPERTY(Pose, DirectionsKeepTheirLengthAndIgnoreThePosition) {
  const Case c = any(source);
  const Frame f = c.a.frame();
  const Vec3 turned = f.direction_to_world(c.p);
  REQUIRE(std::fabs(length(turned) - length(c.p)) <= 20 * epsilon * length(c.p));
  REQUIRE(turned == to_matrix(c.a.rotation) * c.p);
}

PROPERTY(Pose, ProductIsFirstTheRightThenTheLeft) {
  const Case c = any(source);
  const Vec3 at_once = (c.a * c.b).frame().to_world(c.p);
  const Vec3 in_turn = c.a.frame().to_world(c.b.frame().to_world(c.p));
  REQUIRE(length(at_once - in_turn) <= 60 * epsilon * c.size);
}

PROPERTY(Pose, InverseUndoes) {
  const Case c = any(source);
  const Frame there = c.a.frame(), back = inverse(c.a).frame();
  REQUIRE(back.basis == transpose(there.basis));
  REQUIRE(length(back.to_world(there.to_world(c.p)) - c.p) <= 60 * epsilon * c.size);
  REQUIRE(length(there.to_world(back.to_world(c.p)) - c.p) <= 60 * epsilon * c.size);
  REQUIRE(length(back.to_world(c.p) - there.to_local(c.p)) <= 40 * epsilon * c.size);
  REQUIRE(length((c.a * inverse(c.a)).position) <= 60 * epsilon * c.size);
}

PROPERTY(Pose, IdentityChangesNothing) {
  const Case c = any(source);
  REQUIRE(Pose::identity().frame().to_world(c.p) == c.p);
  REQUIRE((c.a * Pose::identity()) == c.a);
  REQUIRE((Pose::identity() * c.a) == c.a);
}

PROPERTY(Pose, ProductIsAssociative) {
  const Case c = any(source);
  const Pose third = pose(source);
  const double size = c.size + length(third.position);
  const Vec3 left = ((c.a * c.b) * third).position, right = (c.a * (c.b * third)).position;
  REQUIRE(length(left - right) <= 100 * epsilon * size);
}

TEST(Pose, QuarterTurnsComposeExactly) {
  const Pose turn{{0, 0, 1, 1}, {1, 0, 0}};
  Pose p;
  for (int i = 0; i < 4; ++i) p = turn * p;
  EXPECT_EQ(p.position, Vec3{}); // round a square
  EXPECT_EQ(p.frame().basis, Mat3::identity());
}

} // namespace
} // namespace carom
