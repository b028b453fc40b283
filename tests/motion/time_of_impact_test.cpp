// Every ordered pair of kinds with every kind of motion, every answer through the checker, and the hard cases by name.
#include "carom/motion/time_of_impact.h"

#include "carom/motion/prove_impact.h"
#include "carom/query/distance.h"
#include "carom/query/penetration.h"
#include "carom/verify/check_motion.h"
#include "tests/motion/motion_cases.h"
#include "tests/query/kind_pairs.h"

namespace carom {
namespace {

using test::CompositeCase;
using test::Source;

/// As ImpactOptions says.
double error_of(const CompositeCase& c, const Motion& a, const Motion& b) {
  const double size = c.a.shape.size() + c.b.shape.size();
  const double places = test::motion_size(a) + test::motion_size(b);
  return std::max(1e-9 * size, 4e-10 * size + 2e-13 * places);
}

/// One case, asked and checked.
struct Asked {
  Motion a, b;
  TimeOfImpact answer;
  double error, tolerance;
};
Asked ask(const CompositeCase& c, Source& source, const ImpactOptions& options = {}) {
  const double scale = c.a.shape.size() + c.b.shape.size();
  const Motion a = test::motion(source, c.a.pose, scale);
  Motion b = test::motion(source, c.b.pose, scale);
  const Vec3 toward = c.a.pose.position - c.b.pose.position;
  if (source.index(2)) b.translation = test::coordinates(toward * 1.5); // they shall meet
  Asked asked{a, b, time_of_impact(c.a.shape, a, c.b.shape, b, options), error_of(c, a, b), 0};
  // Curved parts are measured to 1e-10 of the size; turned places, to so many roundings.
  asked.tolerance = c.promised() + 1e-13 * (test::motion_size(a) + test::motion_size(b) + scale) *
                                       (1 + std::fabs(a.angle) + std::fabs(b.angle));
  return asked;
}

class ImpactPairs : public test::KindPairs {};
INSTANTIATE_TEST_SUITE_P(Kinds, ImpactPairs, testing::Range(0, shape_kinds), test::kind_name);

TEST_P(ImpactPairs, NothingTouchesBefore) {
  for_each_case(15, true, [](const CompositeCase& c, Source& source) {
    const Asked q = ask(c, source);
    ASSERT_NE(q.answer.status, Status::bad_input);
    const auto verdict = verify::check_impact(c.a.shape, q.a, c.b.shape, q.b, q.answer, 0, q.error,
                                              1, 8, q.tolerance);
    EXPECT_TRUE(verdict) << verdict.why << ", size " << c.size << ", t " << q.answer.t;
  });
}

TEST_P(ImpactPairs, ProofsHold) {
  for_each_case(5, true, [](const CompositeCase& c, Source& source) {
    if (c.searched) return; // known by their supports only: distances may be wide
    const Asked q = ask(c, source);
    if (q.answer.initial_overlap || q.answer.status != Status::ok) return;
    if (!c.a.shape.bounded() && !c.b.shape.bounded()) return;
    const auto proof = prove_impact(c.a.shape, q.a, c.b.shape, q.b, q.answer);
    ASSERT_TRUE(proof) << "hit " << q.answer.hit << ", t " << q.answer.t;
    EXPECT_EQ(proof->until, q.answer.hit ? q.answer.t : 1);
    const auto verdict =
        verify::check_motion_proof(c.a.shape, q.a, c.b.shape, q.b, *proof, q.tolerance);
    EXPECT_TRUE(verdict) << verdict.why << ", size " << c.size;
  });
}

/// Where a proof is spoiled, the checker says so.
TEST(MotionProofs, SpoiledOnesAreRefused) {
  const Shape box = Shape::box({1, 1, 1}).value();
  const Motion a = Motion::velocity(Pose::at({-6, 0, 0}), {5, 0, 0}, {0, 0, 2}, 1);
  const Motion b = Motion::velocity(Pose::at({0, 0.5, 0}), {}, {1, 1, 0}, 1);
  const TimeOfImpact i = time_of_impact(box, a, box, b);
  ASSERT_TRUE(i.hit && !i.initial_overlap);
  const auto proof = prove_impact(box, a, box, b, i);
  ASSERT_TRUE(proof);
  const auto holds = [&](const MotionProof& p) {
    return verify::check_motion_proof(box, a, box, b, p, 1e-12).ok;
  };
  EXPECT_TRUE(holds(*proof));
  MotionProof spoiled = *proof;
  spoiled.until += 1e-3; // more than was proved
  EXPECT_FALSE(holds(spoiled));
  spoiled = *proof;
  spoiled.steps.back().until += 0.05; // through the contact
  EXPECT_FALSE(holds(spoiled));
  spoiled = *proof;
  spoiled.bound = 1e-3;
  EXPECT_FALSE(holds(spoiled));
  spoiled = *proof;
  spoiled.steps.front().direction = -spoiled.steps.front().direction;
  EXPECT_FALSE(holds(spoiled));
  spoiled = *proof;
  spoiled.claims.clear();
  EXPECT_FALSE(holds(spoiled));
  spoiled = *proof;
  spoiled.steps.front().direction *= 2;
  EXPECT_FALSE(holds(spoiled));
}

/// A step may not be longer than the accelerations allow, however wide both of its ends are: a bar that turns by half, there and back, through a post.
TEST(MotionProofs, LongStepsNeedRoom) {
  const Shape bar = Shape::box({2, 0.1, 0.1}).value(), post = Shape::box({0.1, 0.1, 1}).value();
  const Motion a = Motion::rotation_about({}, {}, {0, 0, 1}, pi);
  const Motion b = Motion::rest(Pose::at({0, 1, 0}));
  MotionProof lie;
  lie.parts_a = lie.parts_b = {PartId{}};
  lie.steps = {{1, {0, 1, 0}, Carrier::world}};
  lie.claims = {{0, 1, 0, 1, 0, 1}};
  lie.until = 1;
  EXPECT_FALSE(verify::check_motion_proof(bar, a, post, b, lie, 1e-9));
  EXPECT_TRUE(time_of_impact(bar, a, post, b).hit);
}

TEST(TimeOfImpact, MarginIsTheTimeADistanceFallsBelow) {
  test::for_each_seed(test::fewer_when_sanitized(200), [](Source& source) {
    const CompositeCase c = test::any_case(source);
    const double margin = 0.1 * (c.a.shape.size() + c.b.shape.size());
    const Asked q = ask(c, source, {.margin = margin});
    const auto verdict = verify::check_impact(c.a.shape, q.a, c.b.shape, q.b, q.answer, margin,
                                              q.error, 1, 4, q.tolerance);
    ASSERT_TRUE(verdict) << verdict.why << ", t " << q.answer.t;
    // Never later than the touch.
    const TimeOfImpact touch = time_of_impact(c.a.shape, q.a, c.b.shape, q.b);
    if (touch.hit && touch.status == Status::ok) {
      ASSERT_TRUE(q.answer.hit && q.answer.t <= touch.t);
    }
  });
}

PROPERTY(TimeOfImpact, MethodsAgree) {
  const auto kind_a = static_cast<ShapeKind>(source.index(convex_kinds));
  const auto kind_b = static_cast<ShapeKind>(source.index(convex_kinds));
  const CompositeCase c = test::composite_case(source, kind_a, kind_b);
  ASSUME(!c.searched && c.a.shape.bounded() && c.b.shape.bounded());
  const double error = 1e-4 * (c.a.shape.size() + c.b.shape.size());
  const Asked q = ask(c, source, {.absolute_error = error});
  ASSUME(!q.answer.initial_overlap && q.answer.status == Status::ok);
  ASSUME(q.error < 0.4 * error); // else all stop where they like within the same error
  // Each has a true lower bound, and a distance within the error: none can be beyond where another would have had to stop.
  const auto nearest = [&](double t) {
    return distance(c.a.shape, pose_at(q.a, t), c.b.shape, pose_at(q.b, t)).value;
  };
  const TimeOfImpact exact = time_of_impact(c.a.shape, q.a, c.b.shape, q.b);
  const bool touches = exact.hit && exact.status == Status::ok;
  const auto agrees = [&](const TimeOfImpact& i) {
    if (i.hit) REQUIRE(nearest(i.t) <= std::max(error, q.error) * 1.001);
    if (touches) REQUIRE(i.hit && i.t <= exact.t);
  };
  agrees(q.answer);
  for (const ImpactMethod method : {ImpactMethod::speed_bound, ImpactMethod::subdivision}) {
    const TimeOfImpact other =
        time_of_impact(c.a.shape, q.a, c.b.shape, q.b, {.absolute_error = error, .method = method});
    if (other.status == Status::ok) agrees(other);
  }
  // Bisection may miss, and may be late; never early.
  const TimeOfImpact late = time_of_impact(
      c.a.shape, q.a, c.b.shape, q.b, {.absolute_error = error, .method = ImpactMethod::bisection});
  REQUIRE(late.status == Status::wide || late.t == 0);
  if (late.hit && nearest(late.t) < 0.4 * error) REQUIRE(q.answer.hit && q.answer.t <= late.t);
}

PROPERTY(TimeOfImpact, CastsAgreeWhereNothingTurns) {
  const auto kind_a = static_cast<ShapeKind>(source.index(convex_kinds));
  const auto kind_b = static_cast<ShapeKind>(source.index(convex_kinds));
  const CompositeCase c = test::composite_case(source, kind_a, kind_b);
  ASSUME(!c.searched);
  const Vec3 way = test::coordinates((c.b.pose.position - c.a.pose.position) * 1.25);
  const Motion a = Motion::translation_by(c.a.pose, way), b = Motion::rest(c.b.pose);
  const TimeOfImpact cast =
      time_of_impact(c.a.shape, a, c.b.shape, b, {.method = ImpactMethod::cast});
  const TimeOfImpact run = time_of_impact(c.a.shape, a, c.b.shape, b);
  ASSUME(cast.status == Status::ok && run.status == Status::ok);
  REQUIRE(cast.initial_overlap == run.initial_overlap || run.t == 0);
  if (cast.hit && cast.t > 0) REQUIRE(run.hit && run.t <= cast.t * (1 + 1e-12));
  if (!run.hit) REQUIRE(!cast.hit);
}

TEST(TimeOfImpact, TheTimeErrorIsKept) {
  test::for_each_seed(test::fewer_when_sanitized(200), [](Source& source) {
    const auto kind_a = static_cast<ShapeKind>(source.index(shape_kinds));
    const auto kind_b = static_cast<ShapeKind>(source.index(shape_kinds));
    const CompositeCase c = test::composite_case(source, kind_a, kind_b);
    const Asked q = ask(c, source, {.time_error = 1e-3});
    if (q.answer.status != Status::stopped) return;
    ASSERT_TRUE(q.answer.upper_t >= q.answer.t);
    ASSERT_TRUE(q.answer.upper_t <= q.answer.t + 1.0001e-3);
    ASSERT_TRUE(distance(c.a.shape, pose_at(q.a, q.answer.upper_t), c.b.shape,
                         pose_at(q.b, q.answer.upper_t))
                    .value <= q.tolerance);
    const TimeOfImpact exact = time_of_impact(c.a.shape, q.a, c.b.shape, q.b);
    ASSERT_TRUE(exact.hit && exact.t >= q.answer.t - 1e-12 && exact.t <= q.answer.upper_t);
  });
}

/// Which is called A does not matter: where only one order finds a hit, it is by the error allowed.
TEST(TimeOfImpact, TheOrderDoesNotMatter) {
  test::for_each_seed(test::fewer_when_sanitized(200), [](Source& source) {
    const CompositeCase c = test::any_case(source);
    const Asked q = ask(c, source);
    const TimeOfImpact other = time_of_impact(c.b.shape, q.b, c.a.shape, q.a);
    if (q.answer.status != Status::ok || other.status != Status::ok) return;
    if (q.answer.hit == other.hit) return;
    const double t = q.answer.hit ? q.answer.t : other.t;
    const double nearest = distance(c.a.shape, pose_at(q.a, t), c.b.shape, pose_at(q.b, t)).value;
    EXPECT_LE(nearest, q.error + q.tolerance);
    EXPECT_GT(nearest, 0);
  });
}

TEST(TimeOfImpact, ThinPlatesStopFastBalls) {
  const Shape ball = Shape::sphere(0.05).value(), plate = Shape::box({1, 1, 1e-6}).value();
  for (const double speed : {1.0, 300.0, 1e6}) {
    const TimeOfImpact i = time_of_impact(
        ball, Motion::velocity(Pose::at({0.3, 0.2, 1}), {0, 0, -speed}, {3, 4, 5}, 1), plate,
        Motion::rest({}));
    ASSERT_TRUE(i.hit);
    EXPECT_NEAR(i.t * speed, 1 - 0.05 - 1e-6, 1e-8 + 2e-13 * speed);
    EXPECT_LE(length(i.normal - Vec3{0, 0, -1}), 1e-7);
    EXPECT_FALSE(i.separating);
  }
}

TEST(TimeOfImpact, ASpinningBarDoesNotPassAPost) {
  const Shape bar = Shape::box({1, 0.01, 0.01}).value(),
              post = Shape::box({0.01, 0.01, 0.5}).value();
  // 100 radians a second for a second; the post is beside it, a little after the start of the first turn.
  const Motion spin = Motion::rotation_about({}, {}, {0, 0, 1}, 100);
  const TimeOfImpact i =
      time_of_impact(bar, spin, post, Motion::rest(Pose::at({0.9 * cos(0.5), 0.9 * sin(0.5), 0})));
  ASSERT_TRUE(i.hit);
  EXPECT_GT(i.t * 100, 0.45);
  EXPECT_LT(i.t * 100, 0.5);
  EXPECT_LE(i.distance, 1e-8);
}

TEST(TimeOfImpact, ANeedleThroughACrack) {
  // Two blocks a hair apart, and a needle thinner than that: it passes, turning about its own axis. A thicker one does not.
  const Shape block = Shape::box({1, 1, 1}).value();
  const Shape blocks = Shape::compound(std::vector<CompoundPart>{{block, Pose::at({-1.001, 0, 0})},
                                                                 {block, Pose::at({1.001, 0, 0})}})
                           .value();
  for (const double thick : {0.0009, 0.0011}) {
    const Shape needle = Shape::cylinder(0.5, thick).value();
    const Motion through = Motion::velocity(Pose::at({0, 0, 3}), {0, 0, -6}, {0, 0, 20}, 1);
    const TimeOfImpact i = time_of_impact(needle, through, blocks, Motion::rest({}));
    EXPECT_EQ(i.hit, thick > 0.001) << thick;
    if (i.hit) {
      EXPECT_NEAR(i.t * 6, 1.5, 1e-6);
    }
  }
}

TEST(TimeOfImpact, GrazingIsNoMiss) {
  // A ball that passes a ball: at a hair less than touching, at touching, at a hair more.
  const Shape ball = Shape::sphere(1).value();
  for (const double off : {1.9999, 2.0, 2.0001}) {
    const Motion past = Motion::velocity(Pose::at({-5, off, 0}), {10, 0, 0}, {0, 3, 0}, 1);
    const TimeOfImpact i = time_of_impact(ball, past, ball, Motion::rest({}));
    EXPECT_EQ(i.hit, off <= 2) << off;
  }
}

TEST(TimeOfImpact, ManyTurnsAtAHairsBreadth) {
  // A cube that spins beside a wall: its corners pass at 1e-4. The time for that is bounded, and the answer is a miss; a little nearer, a hit.
  const Shape cube = Shape::box({1, 1, 1}).value(),
              wall = Shape::half_space({-1, 0, 0}, -3).value();
  const double reach = std::sqrt(2.0);
  for (const double gap : {1e-4, -1e-4}) {
    const Motion spin = Motion::rotation_about(Pose::at({3 - reach - gap, 0, 0}),
                                               {3 - reach - gap, 0, 0}, {0, 0, 1}, 20);
    const TimeOfImpact i = time_of_impact(cube, spin, wall, Motion::rest({}));
    EXPECT_EQ(i.hit, gap < 0) << gap;
    EXPECT_EQ(i.status, Status::ok);
    if (i.hit) {
      EXPECT_NEAR(i.t * 20, quarter_pi, 0.02);
    }
    const TimeOfImpact box = time_of_impact(cube, spin, Shape::box({1, 5, 5}).value(),
                                            Motion::rest(Pose::at({4, 0, 0})));
    EXPECT_EQ(box.hit, gap < 0);
    EXPECT_EQ(box.status, Status::ok);
  }
}

TEST(TimeOfImpact, HalfSpacesMayTurn) {
  const Shape floor = Shape::half_space({0, 0, 1}, 0).value(), ball = Shape::sphere(1).value();
  // The floor tilts about the y axis; the ball is 10 out at height 5: it is touched when 10 sin(a) = 5 cos(a) - 1, rising side.
  const Motion tilt = Motion::rotation_about({}, {}, {0, 1, 0}, -half_pi);
  const TimeOfImpact i = time_of_impact(floor, tilt, ball, Motion::rest(Pose::at({10, 0, 5})));
  ASSERT_TRUE(i.hit);
  const double a = i.t * half_pi;
  EXPECT_NEAR(5 * cos(a) - 10 * sin(a), 1, 1e-7);
  EXPECT_GT(i.normal.z, 0);
  // Two that face each other: parallel, then not.
  const Shape ceiling = Shape::half_space({0, 0, -1}, -2).value();
  const TimeOfImpact parallel =
      time_of_impact(floor, Motion::translation_by({}, {0, 0, 4}), ceiling, Motion::rest({}));
  ASSERT_TRUE(parallel.hit);
  EXPECT_NEAR(parallel.t, 0.5, 1e-8);
  EXPECT_TRUE(time_of_impact(floor, tilt, ceiling, Motion::rest({})).hit);
}

TEST(TimeOfImpact, OverlapsAtTheStartTellTheWayOut) {
  const Shape box = Shape::box({1, 1, 1}).value();
  for (const double speed : {-1.0, 1.0}) {
    const TimeOfImpact i = time_of_impact(
        box, Motion::rest({}), box, Motion::translation_by(Pose::at({1.75, 0, 0}), {speed, 0, 0}));
    ASSERT_TRUE(i.hit && i.initial_overlap);
    EXPECT_EQ(i.t, 0);
    EXPECT_NEAR(i.distance, -0.25, 1e-12);
    EXPECT_LE(length(i.normal - Vec3{1, 0, 0}), 1e-12);
    EXPECT_EQ(i.separating, speed > 0);
  }
}

TEST(TimeOfImpact, BadInputIsTold) {
  const Shape box = Shape::box({1, 1, 1}).value();
  Motion bad = Motion::rest({});
  bad.angle = NAN;
  EXPECT_EQ(time_of_impact(box, bad, box, Motion::rest({})).status, Status::bad_input);
  EXPECT_EQ(time_of_impact(box, Motion::rest({}), box, bad).status, Status::bad_input);
  const Motion good = Motion::rest(Pose::at({9, 0, 0}));
  EXPECT_EQ(time_of_impact(box, good, box, Motion::rest({}), {.margin = -1}).status,
            Status::bad_input);
  EXPECT_EQ(time_of_impact(box, good, box, Motion::rest({}), {.margin = NAN}).status,
            Status::bad_input);
  EXPECT_EQ(time_of_impact(box, good, box, Motion::rest({}), {.max_t = NAN}).status,
            Status::bad_input);
  EXPECT_EQ(time_of_separation(box, bad, box, good).status, Status::bad_input);
}

TEST(TimeOfImpact, LaterThanMaxDoesNotCount) {
  const Shape ball = Shape::sphere(1).value();
  const Motion a = Motion::velocity(Pose::at({-6, 0, 0}), {8, 0, 0}, {0, 0, 1}, 1); // at t = 1/2
  EXPECT_TRUE(time_of_impact(ball, a, ball, Motion::rest({}), {.max_t = 0.51}).hit);
  EXPECT_FALSE(time_of_impact(ball, a, ball, Motion::rest({}), {.max_t = 0.49}).hit);
}

PROPERTY(TimeOfSeparation, OverlapsUntilThen) {
  const auto kind_a = static_cast<ShapeKind>(source.index(convex_kinds));
  const auto kind_b = static_cast<ShapeKind>(source.index(convex_kinds));
  const CompositeCase c = test::composite_case(source, kind_a, kind_b);
  ASSUME(!c.searched);
  const double scale = c.a.shape.size() + c.b.shape.size();
  const Motion a = test::motion(source, c.a.pose, scale), b = test::motion(source, c.b.pose, scale);
  const double error = 1e-4 * scale;
  const TimeOfSeparation s = time_of_separation(c.a.shape, a, c.b.shape, b, error);
  REQUIRE(s.t >= 0);
  REQUIRE(s.t <= 1);
  for (int i = 0; i < 5; ++i) {
    const double t = s.t * i / 5;
    REQUIRE(distance(c.a.shape, pose_at(a, t), c.b.shape, pose_at(b, t)).value <=
            (s.t > 0 ? c.promised() : INFINITY));
  }
  if (s.separated && s.status == Status::ok) {
    const Penetration p = penetration(c.a.shape, pose_at(a, s.t), c.b.shape, pose_at(b, s.t));
    REQUIRE(p.lower_bound <= 2 * std::max(error, error_of(c, a, b)));
  }
}

TEST(TimeOfSeparation, OfBoxesIsWhenTheyPart) {
  const Shape box = Shape::box({1, 1, 1}).value();
  const Motion away = Motion::translation_by(Pose::at({1, 0, 0}), {4, 0, 0});
  const TimeOfSeparation s = time_of_separation(box, Motion::rest({}), box, away);
  EXPECT_TRUE(s.separated);
  EXPECT_NEAR(s.t, 0.25, 1e-5);
  EXPECT_LE(s.t, 0.25);
  EXPECT_FALSE(
      time_of_separation(box, Motion::rest({}), box, Motion::rest(Pose::at({1, 0, 0}))).separated);
  EXPECT_EQ(time_of_separation(box, Motion::rest({}), box, Motion::rest(Pose::at({9, 0, 0}))).t, 0);
  // A mesh out of a mesh.
  const Shape cube = Shape::mesh(test::box_mesh({1, 1, 1})).value();
  const TimeOfSeparation m = time_of_separation(cube, Motion::rest({}), cube, away, 1e-2);
  EXPECT_TRUE(m.separated);
  EXPECT_NEAR(m.t, 0.25, 1e-2);
}

} // namespace
} // namespace carom
