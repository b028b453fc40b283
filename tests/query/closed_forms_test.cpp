// The closed forms: every answer through the checker, and compared with the search that would have answered without them.
#include "carom/query/closed_forms.h"

#include "carom/math/random.h"
#include "carom/math/trig.h"
#include "carom/query/core_pair.h"
#include "carom/query/distance.h"
#include "carom/query/overlap.h"
#include "carom/query/rounded.h"
#include "carom/query/signed_distance.h"
#include "tests/query/pair_cases.h"
#include "tests/support/property.h"

#include <array>

namespace carom {
namespace {

using test::PairCase;
using test::Source;
using verify::PlacedShape;

PairCase placed(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  const double size = a.size() + b.size() + max_abs(pose_a.position) + max_abs(pose_b.position);
  return {{a, pose_a}, {b, pose_b}, size};
}

/// What the search says.
Distance searched(const PairCase& c) {
  const CorePair pair(c.a.shape, c.a.pose, c.b.shape, c.b.pose);
  const double radius_a = c.a.shape.rounding();
  const double radius_b = c.b.shape.rounding();
  const CoreDistance cores =
      nearest_cores(pair, nearest_question(pair, radius_a + radius_b), nullptr);
  return rounded_distance(pair, cores, radius_a, radius_b);
}

/// How far apart the bounds of two answers are at most: 1e-12 of the size; the search for curved pairs stops at that itself.
double agreement(const PairCase& c) { return (c.polyhedral() ? 1e-12 : 2e-12) * c.size; }

/// Both distances of a pair, as the queries give them; the value.
double checked(const PairCase& c) {
  const Distance d = distance(c.a.shape, c.a.pose, c.b.shape, c.b.pose);
  const auto verdict = verify::check_distance(c.a, c.b, d, c.band());
  EXPECT_TRUE(verdict) << verdict.why << ", " << name_of(c.a.shape.kind()) << " and "
                       << name_of(c.b.shape.kind()) << ", size " << c.size << ", value " << d.value;
  EXPECT_EQ(d.status, Status::ok);
  EXPECT_LE(d.value - d.lower_bound, agreement(c));
  const double along = max_abs(d.on_b - d.on_a - d.normal * d.value);
  if (d.value > 0) {
    EXPECT_LE(along, 1e-12 * c.size) << "value " << d.value;
  }
  EXPECT_NEAR(d.value, searched(c).value, agreement(c));
  const SignedDistance s = signed_distance(c.a.shape, c.a.pose, c.b.shape, c.b.pose);
  if (s.value > 0) {
    const auto proof =
        verify::check_signed_distance(c.a, c.b, s, c.band(), c.band() + 1e-12 * c.size, 4);
    EXPECT_TRUE(proof) << proof.why << ", size " << c.size << ", value " << s.value;
  }
  EXPECT_NEAR(std::max(s.value, 0.0), d.value, agreement(c));
  return d.value;
}

/// Whether a form answers.
bool answered(const PairCase& c) {
  const Form form = closed_form(c.a.shape, c.b.shape);
  FormAnswer cores;
  return form && form({c.a.shape, c.a.pose, c.b.shape, c.b.pose}, cores);
}

/// Checks the pair in both orders, that a form answers, and that its value is so.
void expect_distance(double value, const Shape& a, const Pose& pose_a, const Shape& b,
                     const Pose& pose_b) {
  SCOPED_TRACE("value " + std::to_string(value));
  const PairCase c = placed(a, pose_a, b, pose_b);
  const PairCase back = placed(b, pose_b, a, pose_a);
  EXPECT_TRUE(answered(c));
  EXPECT_TRUE(answered(back));
  EXPECT_NEAR(checked(c), value, agreement(c));
  EXPECT_NEAR(checked(back), value, agreement(c));
}

Pose turned(const Vec3& axis, double angle, const Vec3& position = {}) {
  const Vec3 v = axis * carom::sin(angle / 2);
  return {{v.x, v.y, v.z, carom::cos(angle / 2)}, position};
}

Shape box(double x, double y, double z) { return Shape::box({x, y, z}).value(); }
Shape rod(double half, double radius = 0) {
  return Shape::capsule({-half, 0, 0}, {half, 0, 0}, radius).value();
}
Shape cylinder(double half_height, double radius) {
  return Shape::cylinder(half_height, radius).value();
}

/// Of these kinds all ordered pairs of bounded ones have a form, but for boxes with round ones.
constexpr std::array kinds = {ShapeKind::point,   ShapeKind::segment, ShapeKind::sphere,
                              ShapeKind::capsule, ShapeKind::box,     ShapeKind::cylinder,
                              ShapeKind::cone};

class ClosedForms : public testing::TestWithParam<ShapeKind> {};
INSTANTIATE_TEST_SUITE_P(Kinds, ClosedForms, testing::ValuesIn(kinds),
                         [](const auto& kind) { return std::string(name_of(kind.param)); });

// Apart, touching to within a hair, deep, in the same place; flat, thin, tiny beside huge, far away.
TEST_P(ClosedForms, AreProvedAndAgreeWithTheSearch) {
  for (const ShapeKind other : kinds) {
    SCOPED_TRACE(name_of(other));
    test::for_each_seed(test::fewer_when_sanitized(1000), [&](Source& source) {
      checked(test::pair_case(source, GetParam(), other));
    });
  }
}

// Pairs that are apart by a part of their size: nearly all are answered without a search, or the forms are for nothing.
TEST_P(ClosedForms, AnswerMostPairsThatAreApart) {
  for (const ShapeKind other : kinds) {
    const auto round = [](ShapeKind k) { return k == ShapeKind::cylinder || k == ShapeKind::cone; };
    if ((round(GetParam()) && other == ShapeKind::box) ||
        (round(other) && GetParam() == ShapeKind::box))
      continue;
    SCOPED_TRACE(name_of(other));
    int apart = 0;
    int found = 0;
    test::for_each_seed(500, [&](Source& source) {
      const Shape a = test::ShapeGenerator(source, 1).of_kind(GetParam());
      const Shape b = test::ShapeGenerator(source, 1).of_kind(other);
      PairCase c = test::placed(source, a, b, 1);
      if (!(searched(c).value > 0.01 * c.size)) return;
      ++apart;
      found += answered(c) ? 1 : 0;
    });
    EXPECT_GT(apart, 50);
    EXPECT_GE(found, apart * 9 / 10) << "of " << apart;
  }
}

// From a part in 1e15 of their size on, through touching, to overlapping: always proved, by whomever.
TEST(ClosedFormGaps, FromAHairToAYard) {
  const std::array shapes = {Shape::sphere(0.3).value(),
                             rod(1, 0.2),
                             rod(1),
                             box(1, 0.7, 0.4),
                             cylinder(1, 0.5),
                             Shape::cone(1, 0.5).value(),
                             box(1, 0.7, 0.4).rounded(0.1).value()};
  test::for_each_seed(test::fewer_when_sanitized(300), [&](Source& source) {
    const Shape& a = shapes[static_cast<std::size_t>(source.index(7))];
    const Shape& b = shapes[static_cast<std::size_t>(source.index(7))];
    const Quat turn_a = test::rotation(source);
    const Quat turn_b = test::rotation(source);
    const Vec3 d = test::direction(source);
    PairCase c = placed(a, {turn_a, {}}, b, {turn_b, d * 5});
    const Distance far = distance(a, c.a.pose, b, c.b.pose);
    for (int k = -52; k <= 0; k += 4) {
      // Moved along the normal, until so much is left.
      c.b.pose.position = d * 5 - far.normal * (far.value - std::ldexp(1.0, k));
      checked(c);
    }
  });
}

TEST(ClosedFormBoxes, ParallelFacesAndEdges) {
  const Shape a = box(1, 1, 1);
  const Shape b = box(0.5, 0.5, 0.5);
  expect_distance(0.5, a, {}, b, Pose::at({2, 0, 0}));               // face on face
  expect_distance(0.5, a, {}, b, Pose::at({2, 0.25, -0.1}));         // not in the middle
  expect_distance(std::sqrt(0.5), a, {}, b, Pose::at({2, 2, 0}));    // edge along edge
  expect_distance(std::sqrt(0.75), a, {}, b, Pose::at({2, 2, 2}));   // corner to corner
  expect_distance(0.5, a, {}, b, turned({1, 0, 0}, 0.3, {2, 0, 0})); // turned about the normal
}

TEST(ClosedFormBoxes, EdgeAcrossEdge) {
  // Both on edge, the edges at right angles over each other.
  const Shape a = box(1, 1, 1);
  const double reach = std::sqrt(2.0);
  const Pose lying = turned({1, 0, 0}, half_pi / 2);
  const Pose above = turned({0, 1, 0}, half_pi / 2, {0, 0, 2 * reach + 0.25});
  expect_distance(0.25, a, lying, a, above);
  // As near as rounding allows a proof.
  const Pose nearer = turned({0, 1, 0}, half_pi / 2, {0.1, 0.2, 2 * reach + 1e-9});
  EXPECT_NEAR(checked(placed(a, lying, a, nearer)), 1e-9, 1e-12);
}

TEST(ClosedFormBoxes, FlatOnesAndPoints) {
  expect_distance(2, box(1, 1, 0), {}, box(0, 0, 0), Pose::at({0.5, 0.5, 2}));
  expect_distance(1, box(1, 0, 0), {}, box(0, 1, 0), Pose::at({0.5, 0.5, 1}));
  expect_distance(5, box(0, 0, 0), {}, box(0, 0, 0), Pose::at({3, 4, 0}));
}

TEST(ClosedFormBoxes, TinyBesideHuge) {
  const Shape huge = box(1e6, 1e6, 1e6);
  const Shape tiny = box(1e-6, 2e-6, 3e-6);
  for (const double x : {0.0, 1e5, 999999.0, 1e6, 1000001.0})
    checked(placed(huge, {}, tiny, turned({0.6, 0.8, 0}, 1, {x, 2e5, 1e6 + 1})));
  checked(placed(tiny, {}, huge, turned({0.6, 0.8, 0}, 1, {2e6, 2e5, 1e6})));
}

TEST(ClosedFormBoxes, FarFromTheOrigin) {
  const Vec3 far{1e9, -2e9, 3e9};
  expect_distance(0.5, box(1, 1, 1), Pose::at(far), box(0.5, 0.5, 0.5),
                  Pose::at(far + Vec3{2, 0, 0}));
}

TEST(ClosedFormBoxes, TurnedInTheirOwnFrame) {
  const Mat3 axes = to_matrix({0.1, 0.2, 0.3, 0.9});
  const Shape a = Shape::of(Obb{{1, 2, 3}, axes, {0.5, 0.4, 0.3}}).value();
  const Shape b = Shape::of(Obb{{-1, 0, 1}, transpose(axes), {0.3, 0.6, 0.5}}).value();
  const PairCase c = placed(a, {{0.3, 0.1, 0.2, 0.8}, {5, 1, 2}}, b, {});
  EXPECT_TRUE(answered(c));
  checked(c);
  checked(placed(b, {}, a, {{0.3, 0.1, 0.2, 0.8}, {5, 1, 2}}));
  // Axes that a builder accepts and a form does not.
  Mat3 skewed = axes;
  skewed.x += skewed.y * 5e-13;
  const Shape off = Shape::of(Obb{{1, 2, 3}, skewed, {0.5, 0.4, 0.3}}).value();
  const PairCase d = placed(off, {{0.3, 0.1, 0.2, 0.8}, {5, 1, 2}}, b, {});
  EXPECT_FALSE(answered(d));
  checked(d);
}

TEST(ClosedFormSegments, AgainstBoxes) {
  const Shape a = box(1, 1, 1);
  expect_distance(0.8, a, {}, rod(0.5, 0.2), Pose::at({0, 0, 2}));     // parallel to a face
  expect_distance(0.8, a, {}, rod(5, 0.2), Pose::at({0, 0, 2}));       // and longer
  expect_distance(0.8, a, {}, rod(5, 0.2), Pose::at({0, 1, 2}));       // along its edge
  expect_distance(std::sqrt(2.0), a, {}, rod(3), Pose::at({0, 2, 2})); // along an edge, aside
  expect_distance(1, a, {}, rod(0), Pose::at({0.5, 0.5, 2}));          // of no length
  expect_distance(3, a, {}, rod(1), Pose::at({5, 0, 0}));              // end on face
  // Tilted by a hair over a face.
  for (const double angle : {1e-3, 1e-6, 1e-9, 1e-12, 1e-15}) {
    const double low = 2 - 0.5 * carom::sin(angle);
    expect_distance(low - 1, a, {}, rod(0.5), turned({0, 1, 0}, angle, {0, 0, 2}));
  }
}

TEST(ClosedFormSegments, InsideAndThroughABoxAreLeftToTheSearch) {
  const Shape a = box(1, 1, 1);
  for (const Shape& s : {rod(0.5, 0.2), rod(5), rod(0)}) {
    const PairCase c = placed(a, {}, s, Pose::at({0.1, 0.2, 0.3}));
    EXPECT_FALSE(answered(c));
    EXPECT_EQ(checked(c), 0);
  }
  EXPECT_EQ(checked(placed(a, {}, rod(5), Pose::at({0, 0, 1}))), 0); // touching along a face
}

TEST(ClosedFormSegments, AgainstEachOther) {
  expect_distance(1, rod(1), {}, rod(1), turned({0, 0, 1}, half_pi, {0, 0, 1})); // across
  expect_distance(1, rod(1), {}, rod(2), Pose::at({0.5, 0, 1}));                 // parallel
  expect_distance(3, rod(1), {}, rod(2), Pose::at({6, 0, 0}));                   // in line
  expect_distance(0.4, rod(1, 0.3), {}, rod(2, 0.3), turned({0, 0, 1}, 1e-9, {0, 0, 1}));
  expect_distance(5, rod(0), {}, rod(0), Pose::at({3, 4, 0}));
  // Balls that overlap though their centres are apart: no distance, but a depth.
  const Shape ball = Shape::sphere(1).value();
  const SignedDistance s = signed_distance(ball, {}, ball, Pose::at({1.5, 0, 0}));
  EXPECT_NEAR(s.value, -0.5, 1e-15);
  EXPECT_EQ(distance(ball, {}, ball, Pose::at({1.5, 0, 0})).value, 0);
}

TEST(ClosedFormCylinders, EveryPairOfFeatures) {
  const Shape a = cylinder(1, 0.5);
  const Pose lying = turned({0, 1, 0}, half_pi);
  const auto lying_at = [&](const Vec3& p) { return Pose{lying.rotation, p}; };
  const Pose on_end = Pose::at({0.2, 0.1, 3});
  expect_distance(1, a, {}, a, turned({1, 0, 0}, half_pi, {2, 0, 0})); // side across side
  expect_distance(1, a, {}, a, on_end);                                // end on end
  expect_distance(2, a, {}, a, lying_at({3.5, 0, 0}));                 // end toward the side
  expect_distance(1, a, {}, rod(1), Pose::at({0, 0, 2}));              // a segment over an end
  expect_distance(1, a, {}, Shape::sphere(0.5).value(), Pose::at({0.3, 0, 2.5}));
  expect_distance(1, a, {}, Shape::sphere(0.5).value(), Pose::at({2, 0, 0.3}));
  expect_distance(std::sqrt(2.0), a, {}, Shape::point({0, 0, 0}).value(), Pose::at({1.5, 0, 2}));
  // A rim over an end, tilted: its lowest point.
  const double tilt = 0.3;
  const double low = 3 - carom::cos(tilt) - 0.5 * carom::sin(tilt);
  expect_distance(low - 1, a, {}, a, turned({1, 0, 0}, tilt, {0, -0.1, 3}));
}

// Parallel axes have many nearest pairs. Whoever answers, it is proved.
TEST(ClosedFormCylinders, ParallelAxes) {
  const Shape a = cylinder(1, 0.5);
  for (const double z : {0.0, 0.5, 1.9, 2.0, 2.1, 5.0}) {
    for (const double tilt : {0.0, 1e-15, 1e-9, 1e-5}) {
      const PairCase c = placed(a, {}, a, turned({1, 0, 0}, tilt, {2, 0, z}));
      const double up = std::max(z - 2, 0.0);
      EXPECT_NEAR(checked(c), std::sqrt(1 + up * up), 2.1 * tilt + agreement(c));
    }
  }
}

TEST(ClosedFormCylinders, DiscsNeedlesAndCones) {
  const Shape disc = cylinder(0, 1);
  expect_distance(2, disc, {}, disc, Pose::at({0.3, 0, 2}));
  expect_distance(1, disc, {}, disc, Pose::at({3, 0, 0}));
  expect_distance(1, disc, {}, disc, turned({1, 0, 0}, half_pi, {0.1, 0.2, 2}));
  expect_distance(1, cylinder(1, 0), {}, cylinder(2, 0), turned({1, 0, 0}, half_pi, {1, 0, 0}));
  const Shape cone = Shape::cone(1, 1).value();
  expect_distance(1, cone, {}, Shape::point({0, 0, 0}).value(), Pose::at({0, 0, 2}));    // apex
  expect_distance(1, cone, {}, Shape::point({0, 0, 0}).value(), Pose::at({0, 0.5, -1})); // base
  // The side, whose normal leans by 45 degrees.
  const double out = std::sqrt(0.5);
  expect_distance(1, cone, {}, Shape::point({0, 0, 0}).value(),
                  Pose::at({0.5 + out, 0, 0.5 + out}));
}

// What is left to the search costs ten times as much. The same pairs each time, so the count is exact.
TEST(ClosedFormCylinders, NearlyAllThatAreApart) {
  const Shape a = cylinder(0.5, 0.3);
  const Shape b = cylinder(0.4, 0.5);
  Random random(7);
  int apart = 0;
  int found = 0;
  for (int k = 0; k < 5000; ++k) {
    const Pose pose_a{random.rotation(), {}};
    Pose pose_b{random.rotation(), {}};
    for (int i = 0; i < 3; ++i) pose_b.position[i] = random.uniform(-3, 3);
    const PairCase c = placed(a, pose_a, b, pose_b);
    if (overlap(a, pose_a, b, pose_b).hit) continue;
    ++apart;
    found += answered(c) ? 1 : 0;
  }
  EXPECT_LE(apart - found, 9) << "of " << apart;
}

TEST(ClosedFormAnswers, AreTheSameInBothOrders) {
  const Shape a = box(0.5, 0.4, 0.3);
  const Shape b = rod(0.5, 0.2);
  test::for_each_seed(200, [&](Source& source) {
    const Pose pose{test::rotation(source), test::direction(source) * 3};
    const Distance there = distance(a, {}, b, pose);
    const Distance back = distance(b, pose, a, {});
    EXPECT_NEAR(there.value, back.value, 1e-15);
    EXPECT_LE(max_abs(there.normal + back.normal), 1e-13);
  });
}

} // namespace
} // namespace carom
