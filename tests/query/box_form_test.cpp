// The walk between boxes in lanes, alone: through distance() it is not seen to fail, for others would answer. (Its answers through the checker: closed_forms_test.cpp.)
#include "carom/query/box_form.h"

#include "carom/math/random.h"
#include "carom/query/flat_forms.h"
#include "carom/query/overlap.h"

#include <gtest/gtest.h>

namespace carom {
namespace {

struct BoxCount {
  int apart = 0, proved = 0;
};

/// Pairs at random in a cube, those apart: how many the walk proves. Each as the other form has it.
BoxCount count_proved(const Shape& a, const Shape& b, double reach) {
  Random random(7);
  BoxCount count;
  for (int k = 0; k < 2000; ++k) {
    Pose pose_a{random.rotation(), {}};
    Pose pose_b{random.rotation(), {}};
    for (int i = 0; i < 3; ++i) pose_b.position[i] = random.uniform(-reach, reach);
    if (overlap(a, pose_a, b, pose_b).hit) continue;
    ++count.apart;
    const FormPair pair(a, pose_a, b, pose_b);
    FormAnswer in_lanes;
    if (walk_boxes(pair, in_lanes) != BoxWalked::proved) continue;
    ++count.proved;
    EXPECT_LE(in_lanes.lower, in_lanes.distance - pair.rounding);
    FormAnswer other;
    if (!flat_form<Obb, Obb>(pair, other)) continue;
    // Both are within rounding of the true distance; what is nearest is one pair of points unless an edge or a face is parallel to another, which here none is.
    EXPECT_NEAR(in_lanes.distance, other.distance, 2 * pair.rounding);
    EXPECT_LE(max_abs(in_lanes.on_a - other.on_a), 1e-12);
    EXPECT_LE(max_abs(in_lanes.between - other.between), 1e-12);
  }
  return count;
}

TEST(BoxWalk, ProvesNearlyAllBoxesThatAreApart) {
  const Shape a = Shape::box({0.5, 0.4, 0.3}).value();
  const Shape b = Shape::box({0.3, 0.6, 0.5}).value();
  const BoxCount far = count_proved(a, b, 3);
  EXPECT_GE(far.proved, far.apart * 995 / 1000) << "of " << far.apart;
  const BoxCount near = count_proved(a, b, 1.2);
  EXPECT_GE(near.proved, near.apart * 98 / 100) << "of " << near.apart;
}

// Over faces for long: from the middle to an edge or a corner far away, either way around.
TEST(BoxWalk, OverPlatesAndBeams) {
  const Shape plate = Shape::box({2, 2, 0.1}).value();
  const Shape beam = Shape::box({2, 0.2, 0.1}).value();
  const BoxCount there = count_proved(plate, beam, 3);
  EXPECT_GE(there.proved, there.apart * 98 / 100) << "of " << there.apart;
  const BoxCount back = count_proved(beam, plate, 3);
  EXPECT_GE(back.proved, back.apart * 98 / 100) << "of " << back.apart;
}

TEST(BoxWalk, BoxesThatOverlapMeet) {
  const Shape a = Shape::box({0.5, 0.4, 0.3}).value();
  FormAnswer answer;
  EXPECT_EQ(walk_boxes({a, {}, a, Pose::at({0.1, 0.2, 0.3})}, answer), BoxWalked::met);
  EXPECT_EQ(walk_boxes({a, {}, a, {}}, answer), BoxWalked::met);
  EXPECT_EQ(walk_boxes({a, {}, a, Pose::at({1, 0, 0})}, answer), BoxWalked::met); // just touching
}

} // namespace
} // namespace carom
