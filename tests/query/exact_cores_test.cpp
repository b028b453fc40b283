// Poses that need no rounding are decided exactly: all queries against integers of any length.
#include "carom/query/exact_cores.h"

#include "carom/math/tolerance.h"
#include "carom/query/closest_point.h"
#include "carom/query/contacts.h"
#include "carom/query/distance.h"
#include "carom/query/overlap.h"
#include "carom/query/penetration.h"
#include "carom/query/ray_cast.h"
#include "carom/query/shape_cast.h"
#include "carom/query/signed_distance.h"
#include "tests/query/exact_cases.h"
#include "tests/support/property.h"

#include <string>

namespace carom {
namespace {

using test::exact_distance;
using test::ExactPolytope;
using test::Source;

/// How far a distance may be off: a few dozen roundings of coordinates up to `size`.
double band(double size) { return tolerance::boolean_band * size; }

/// Asks everything that tells shapes that have a point in common from others. `truth` is their distance. Where gaps along the axes are no doubles, contacts of boxes may be off by a rounding.
void expect_decided(const ExactPolytope& a, const ExactPolytope& b, double truth, double size,
                    bool double_gaps = true) {
  const bool meet = truth == 0;
  const ShapeOverlap o = overlap(a.shape, a.pose, b.shape, b.pose);
  EXPECT_EQ(o.hit, meet) << truth;
  PairCache warm;
  for (int i = 0; i < 2; ++i) {
    const Distance d = distance(a.shape, a.pose, b.shape, b.pose, {}, &warm);
    EXPECT_EQ(d.value == 0, meet) << d.value << ", " << truth;
    EXPECT_NEAR(d.value, truth, band(size));
    EXPECT_LE(d.lower_bound, truth * (1 + 4 * tolerance::epsilon));
    EXPECT_EQ(d.status, Status::ok);
  }
  const SignedDistance s = signed_distance(a.shape, a.pose, b.shape, b.pose);
  EXPECT_EQ(s.value <= 0, meet) << s.value << ", " << truth;
  EXPECT_LE(s.lower_bound, s.value);
  EXPECT_LE(s.value, s.upper_bound);
  EXPECT_EQ(s.status, Status::ok);
  const Penetration p = penetration(a.shape, a.pose, b.shape, b.pose);
  EXPECT_EQ(p.upper_bound > 0, meet) << p.upper_bound << ", " << truth;
  // Contacts are for what touches or nearly does: of boxes they take the gap of a face that is the greatest to within rounding.
  const ContactManifold m = contacts(a.shape, a.pose, b.shape, b.pose);
  const double touching = double_gaps ? 0 : band(size);
  EXPECT_EQ(m.value <= touching, meet || (truth < band(size) && m.value <= touching)) << m.value;
  EXPECT_TRUE(meet || m.upper_bound >= truth) << m.upper_bound;
  EXPECT_TRUE(!meet || m.count > 0);
}

/// The sizes that errors are relative to.
double size_of(const ExactPolytope& a, const ExactPolytope& b) {
  return a.shape.size() + b.shape.size() + max_abs(b.pose.position - a.pose.position);
}

class ExactPairs : public testing::TestWithParam<int> {
protected:
  [[nodiscard]] static ShapeKind kind(int i) {
    return test::exact_kinds[static_cast<std::size_t>(i)];
  }
  template<class Check>
  void for_each_case(std::uint64_t cases, Check&& check) {
    for (int other = 0; other < 5 && !HasFailure(); ++other) {
      SCOPED_TRACE(std::string("against ") + name_of(kind(other)));
      test::for_each_seed(test::fewer_when_sanitized(cases),
                          [&](Source& source) { check(kind(GetParam()), kind(other), source); });
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Kinds, ExactPairs, testing::Range(0, 5),
                         [](const testing::TestParamInfo<int>& i) {
                           const auto at = static_cast<std::size_t>(i.param);
                           return std::string(name_of(test::exact_kinds[at]));
                         });

TEST_P(ExactPairs, IntegersAreDecided) {
  for_each_case(300, [](ShapeKind kind_a, ShapeKind kind_b, Source& source) {
    static constexpr double units[] = {1, 1, 1, 0x1p-60, 0x1p80};
    const double unit = units[source.index(5)];
    const ExactPolytope a = test::exact_polytope(source, kind_a, unit);
    const ExactPolytope drawn = test::exact_polytope(source, kind_b, unit);
    const ExactPolytope b = test::brought_near(source, a, drawn);
    expect_decided(a, b, exact_distance(a.corners, b.corners), size_of(a, b));
  });
}

// Apart or overlapping by a hair, of which doubles cannot tell the sign.
TEST_P(ExactPairs, HairsAreDecided) {
  for_each_case(200, [](ShapeKind kind_a, ShapeKind kind_b, Source& source) {
    const Vec3 hair = test::hair(source);
    const ExactPolytope a = test::exact_polytope(source, kind_a);
    const ExactPolytope drawn = test::exact_polytope(source, kind_b);
    const ExactPolytope b = test::brought_near(source, a, drawn, hair);
    expect_decided(a, b, exact_distance(a.corners, b.corners), size_of(a, b));
  });
}

TEST_P(ExactPairs, CastsHitWhatTheyTouch) {
  for_each_case(150, [](ShapeKind kind_a, ShapeKind kind_b, Source& source) {
    const ExactPolytope a = test::exact_polytope(source, kind_a);
    const ExactPolytope drawn = test::exact_polytope(source, kind_b);
    // Where they have a point in common, B goes away again; A comes after it, not far enough, just so far, or too far.
    ExactPolytope b = test::brought_near(source, a, drawn);
    const Vec3 away = test::integer_vec3(source, 4);
    b.pose.position += away;
    for (Vec3& p : b.corners) p += away;
    const Vec3 way = away * (0.5 * (1 + source.index(3)));
    std::vector<Vec3> swept = a.corners;
    for (const Vec3& p : a.corners) swept.push_back(p + way);
    const bool meet = exact_distance(swept, b.corners) == 0;
    const ShapeCast cast = shape_cast(a.shape, a.pose, way, b.shape, b.pose);
    EXPECT_EQ(cast.hit, meet);
    EXPECT_EQ(cast.status, Status::ok);
    const bool at_start = exact_distance(a.corners, b.corners) == 0;
    EXPECT_EQ(cast.initial_overlap, at_start);
  });
}

// The search for nearest points ends 2.7e-16 apart here.
TEST(ExactCores, BoxOnAPlate) {
  const Shape box = Shape::box({1, 1, 1}).value();
  for (const Vec3& half : {Vec3{1, 0, 2}, {2, 1, 1}, {2, 1, 2}}) {
    for (const Pose& pose : {Pose::at({0, 0, 2}), Pose::at({0, 2, 0}), Pose::at({2, 0, 0})}) {
      const Shape plate = Shape::box(half).value();
      const bool meet = overlap(box, {}, plate, pose).hit;
      EXPECT_EQ(distance(box, {}, plate, pose).value == 0, meet);
      EXPECT_EQ(distance(plate, pose, box, {}).value == 0, meet);
    }
  }
  EXPECT_EQ(distance(box, {}, Shape::box({1, 0, 2}).value(), Pose::at({0, 0, 2})).value, 0);
}

// 0.1 + 0.2 as doubles is a little more than 0.3, and 0.1 and 0.2 themselves a little more than they seem: as real numbers they meet at 0.3.
TEST(ExactCores, DecimalBoxes) {
  const Shape a = Shape::box({0.1, 0.1, 0.1}).value();
  const Shape b = Shape::box({0.2, 0.2, 0.2}).value();
  const double least_apart = 0.30000000000000004;
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(overlap(a, {}, b, Pose::at(unit_axis(i) * 0.3)));
    EXPECT_FALSE(overlap(a, {}, b, Pose::at(unit_axis(i) * least_apart)));
    EXPECT_GT(distance(a, {}, b, Pose::at(unit_axis(i) * least_apart)).value, 0);
    EXPECT_GT(signed_distance(a, {}, b, Pose::at(unit_axis(i) * least_apart)).value, 0);
  }
}

// The corners of a box off its frame's centre are sums of two doubles, and no doubles. They meet a corner of the other, or miss it by a rounding; only integers can tell.
TEST(ExactCores, OffCentreBoxes) {
  int met = 0, missed = 0;
  test::for_each_seed(test::fewer_when_sanitized(2000), [&](Source& source) {
    const ShapeKind kind_b = test::exact_kinds[source.below(test::exact_kinds.size())];
    const auto decimals = [&](int most) { return test::integer_vec3(source, most) * 0.1; };
    const Vec3 drawn_half = decimals(9);
    const Vec3 center = decimals(30);
    const Obb box{center, to_matrix(test::cube_rotation(source)), abs(drawn_half)};
    Pose pose_a{test::cube_rotation(source), {}};
    pose_a.position = decimals(20);
    const ExactPolytope drawn = test::exact_polytope(source, kind_b, 0x1p-3);
    Pose pose_b{drawn.pose.rotation, {}};
    const auto exact = [](const Vec3& p) { return test::IntegerVec3::of(p); };
    std::vector<test::IntegerVec3> corners_a, corners_b;
    const Mat3 turn_a = to_matrix(pose_a.rotation);
    for (int i = 0; i < 8; ++i) {
      const Vec3 from_center = Obb{{}, box.axes, box.half}.corner(i);
      corners_a.push_back(exact(turn_a * from_center) + exact(turn_a * center) +
                          exact(pose_a.position));
    }
    // A corner of the one on a corner of the other, to within rounding.
    const Vec3 local = drawn.corners[source.below(drawn.corners.size())] - drawn.pose.position;
    const Vec3 touched = pose_a.frame().to_world(box.corner(source.index(8)));
    pose_b.position = touched - local;
    const int axis = source.index(3);
    const int ulps = source.index(3) - 1;
    for (int i = 0; i < std::abs(ulps); ++i)
      pose_b.position[axis] = std::nextafter(pose_b.position[axis], 1e9 * ulps);
    for (const Vec3& p : drawn.corners)
      corners_b.push_back(exact(p - drawn.pose.position) + exact(pose_b.position));
    if (!tolerance::is_coordinate(pose_b.position.x) ||
        !tolerance::is_coordinate(pose_b.position.y) ||
        !tolerance::is_coordinate(pose_b.position.z))
      return;
    const ExactPolytope a{Shape::of(box).value(), pose_a, {}};
    const ExactPolytope b{drawn.shape, pose_b, {}};
    const double truth = exact_distance(corners_a, corners_b);
    ++(truth == 0 ? met : missed);
    expect_decided(a, b, truth, size_of(a, b), false);
    expect_decided(b, a, truth, size_of(a, b), false);
  });
  EXPECT_GT(met, 50);
  EXPECT_GT(missed, 50);
}

// A turn by 2^-58 leaves 1 on the diagonal, and something beside it.
TEST(ExactCores, OnlyQuarterTurnsNeedNoRounding) {
  const Shape box = Shape::box({1, 1, 1}).value();
  const Shape cube = Shape::hull(std::array{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}).value();
  const auto settled = [&](const Quat& q) {
    CoreDistance found;
    settle(CorePair(box, Pose{q, {}}, cube, Pose::at({1, 1, 1})), found);
    CoreDistance back;
    settle(CorePair(cube, Pose::at({1, 1, 1}), box, Pose{q, {}}), back);
    EXPECT_EQ(found.answered, back.answered);
    return found.answered;
  };
  EXPECT_TRUE(settled({}));
  EXPECT_TRUE(settled({0, 0, 1, 1}));
  EXPECT_TRUE(settled({1, -1, 1, 1}));
  EXPECT_FALSE(settled({0, 0, 0x1p-59, 1}));
  EXPECT_FALSE(settled({0, 0, 1, 2}));
}

class ExactShapes : public ExactPairs {};
INSTANTIATE_TEST_SUITE_P(Kinds, ExactShapes, testing::Range(0, 5),
                         [](const testing::TestParamInfo<int>& i) {
                           const auto at = static_cast<std::size_t>(i.param);
                           return std::string(name_of(test::exact_kinds[at]));
                         });

TEST_P(ExactShapes, PointsAreInsideOrNot) {
  test::for_each_seed(test::fewer_when_sanitized(1500), [](Source& source) {
    const ExactPolytope a = test::exact_polytope(source, kind(GetParam()));
    const Vec3 on = test::exact_point(source, a);
    const Vec3 hair = test::hair(source);
    const Vec3 p = source.chance(3) ? on : on + hair;
    const double truth = exact_distance(a.corners, {p});
    const SurfacePoint s = closest_point(p, a.shape, a.pose);
    EXPECT_EQ(s.value <= 0, truth == 0) << s.value << ", " << truth;
    EXPECT_LE(s.lower_bound, s.value);
    EXPECT_LE(s.value, s.upper_bound);
  });
}

TEST_P(ExactShapes, RaysHitWhatTheyTouch) {
  test::for_each_seed(test::fewer_when_sanitized(1500), [](Source& source) {
    const ExactPolytope a = test::exact_polytope(source, kind(GetParam()));
    // It ends at a point of the shape, or passes it, or does not come so far; or goes just anywhere.
    const Vec3 way = test::integer_vec3(source, 6);
    const Vec3 on = test::exact_point(source, a);
    const Vec3 anywhere = test::integer_vec3(source, 6);
    const Vec3 from = source.chance(4) ? anywhere : on - way * (0.5 * (1 + source.index(3)));
    const double truth = exact_distance(a.corners, {from, from + way});
    for (const bool proved : {false, true}) {
      const RayHit h = ray_cast(a.shape, a.pose, {from, way}, {.max_t = 1, .prove_misses = proved});
      EXPECT_EQ(h.hit, truth == 0) << truth << ", proved " << proved;
    }
  });
}

} // namespace
} // namespace carom
