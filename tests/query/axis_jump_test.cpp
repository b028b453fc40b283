// Features of two round cores, chosen here: the jump finds the points that a drawing gives, and the ascent finds the same from a start that is off. (Through distance() neither is seen to fail: the
// search would answer.)
#include "carom/query/axis_jump.h"

#include "carom/math/random.h"
#include "carom/query/round_ascent.h"

#include <gtest/gtest.h>

namespace carom {
namespace {

/// The core of a cylinder at a pose.
RoundCore core_of(const Shape& s, const Pose& pose) {
  const Frame frame = pose.frame();
  const ConeFrustum f = to_frustum(std::get<Cylinder>(s.core()));
  return {f, frame.direction_to_world(f.axis), frame.to_world(f.a)};
}

/// An upright cylinder at the origin, and one beside it that leans away by 45 degrees: its low rim's point toward the other is over `at` on the other's axis, `gap` from its side.
struct Beside {
  explicit Beside(double up, double gap)
      : height(up), apart(gap), leaning{{0, 0.38268343236508977, 0, 0.92387953251128674}, {}} {
    // The axis is (s, 0, s). From the low rim's middle the point is r (-s, 0, s) away, from the centre another h (-s, 0, -s).
    const double s = 0.70710678118654752;
    leaning.position = {0.5 + gap + s * (0.4 + 0.6), 0, up + s * (0.6 - 0.4)};
  }

  double height, apart;
  Shape upright = Shape::cylinder(1, 0.5).value();
  Shape other = Shape::cylinder(0.6, 0.4).value();
  Pose standing, leaning;
};

/// To within rounding of a size of a few.
constexpr double exactly = 1e-14;

void expect_points(const FormAnswer& answer, const Beside& c, double sign) {
  const Vec3 on_side{0.5, 0, c.height};
  const Vec3 on_rim{0.5 + c.apart, 0, c.height};
  const Vec3 from = sign > 0 ? Vec3{} : c.leaning.position;
  EXPECT_NEAR(answer.distance, c.apart, exactly);
  EXPECT_NEAR(answer.lower, c.apart, 1e-12);
  EXPECT_LE(max_abs(answer.on_a + from - (sign > 0 ? on_side : on_rim)), exactly);
  EXPECT_LE(max_abs(answer.between - Vec3{sign * c.apart, 0, 0}), exactly);
  EXPECT_LE(max_abs(answer.normal - Vec3{sign, 0, 0}), exactly);
}

TEST(AxisJump, FromTheSideToARim) {
  for (const double up : {-0.9, 0.0, 0.3, 0.9}) {
    const Beside c(up, 1.5);
    const FormPair pair(c.upright, c.standing, c.other, c.leaning);
    FormAnswer answer;
    const Jump j = jump_to_axis(pair, core_of(c.upright, {}), core_of(c.other, c.leaning),
                                RoundFeature::side, RoundFeature::low_rim, answer);
    EXPECT_TRUE(j.proved);
    expect_points(answer, c, 1);
  }
}

TEST(AxisJump, FromARimToTheSide) {
  for (const double up : {-0.9, 0.0, 0.3, 0.9}) {
    const Beside c(up, 1.5);
    const FormPair pair(c.other, c.leaning, c.upright, c.standing);
    const Pose here{c.leaning.rotation, {}};
    FormAnswer answer;
    const Jump j =
        jump_to_axis(pair, core_of(c.other, here), core_of(c.upright, Pose::at(pair.translation)),
                     RoundFeature::low_rim, RoundFeature::side, answer);
    EXPECT_TRUE(j.proved);
    expect_points(answer, c, -1);
  }
}

// The side goes on beyond its ends for the equations, not for the answer.
TEST(AxisJump, BeyondTheSideNothingIsProved) {
  for (const double up : {-1.1, 1.1}) {
    const Beside c(up, 1.5);
    FormAnswer answer;
    const FormPair pair(c.upright, c.standing, c.other, c.leaning);
    const Jump j = jump_to_axis(pair, core_of(c.upright, {}), core_of(c.other, c.leaning),
                                RoundFeature::side, RoundFeature::low_rim, answer);
    EXPECT_TRUE(j.found);
    EXPECT_FALSE(j.proved);
    EXPECT_LE(max_abs(j.n - Vec3{1, 0, 0}), exactly);
    const FormPair flipped(c.other, c.leaning, c.upright, c.standing);
    const Jump k = jump_to_axis(flipped, core_of(c.other, {c.leaning.rotation, {}}),
                                core_of(c.upright, Pose::at(flipped.translation)),
                                RoundFeature::low_rim, RoundFeature::side, answer);
    EXPECT_TRUE(k.found);
    EXPECT_FALSE(k.proved);
  }
}

// Two rims nearly over each other, turned at random: of the part across the axis, as short as it is, nothing is along it.
TEST(AxisJump, NearTheAxis) {
  const Shape a = Shape::cylinder(1, 0.5).value();
  const Shape b = Shape::cylinder(0.2, 0.1).value();
  Random random(3);
  for (int k = 0; k < 100; ++k) {
    const Pose turned{random.rotation(), {}};
    const Frame frame = turned.frame();
    const Vec3 up{0.6 + 0.1, 0, 3.2};
    const Pose pose_b{turned.rotation, frame.to_world(up)};
    const FormPair pair(a, turned, b, pose_b);
    FormAnswer answer;
    const Jump j = jump_to_axis(pair, core_of(a, turned), core_of(b, pose_b),
                                RoundFeature::high_rim, RoundFeature::low_rim, answer);
    EXPECT_TRUE(j.proved);
    EXPECT_NEAR(answer.distance, std::sqrt(4 + 0.01), exactly);
    // Around the axis rounding turns it, by the part of the line that is across: a twentieth. But it is on the rim.
    const Vec3 on_a = frame.to_local(answer.on_a);
    EXPECT_LE(max_abs(on_a - Vec3{0.5, 0, 1}), 1e-13);
    EXPECT_NEAR(on_a.z, 1, 2e-15);
  }
}

// Without a jump: turned around the axis, step by step.
TEST(RoundAscent, AlongTheSide) {
  const Beside c(0.3, 1.5);
  const Vec3 n{0.8, 0.6, 0}; // 37 degrees off
  FormAnswer answer;
  const FormPair pair(c.upright, c.standing, c.other, c.leaning);
  EXPECT_TRUE(ascend(pair, core_of(c.upright, {}), core_of(c.other, c.leaning),
                     {RoundFeature::side, RoundFeature::low_rim, n}, Jump{}, answer));
  expect_points(answer, c, 1);
  const FormPair flipped(c.other, c.leaning, c.upright, c.standing);
  EXPECT_TRUE(ascend(flipped, core_of(c.other, {c.leaning.rotation, {}}),
                     core_of(c.upright, Pose::at(flipped.translation)),
                     {RoundFeature::low_rim, RoundFeature::side, -n}, Jump{}, answer));
  expect_points(answer, c, -1);
}

} // namespace
} // namespace carom
