// The cases that other libraries are known to fail on, by name. Every answer goes through the checker; where the true value is known it is compared, too.
#include "carom/math/random.h"
#include "carom/math/tolerance.h"
#include "carom/math/trig.h"
#include "carom/query/distance.h"
#include "carom/query/overlap.h"
#include "carom/query/signed_distance.h"
#include "carom/verify/check_query.h"
#include "carom/verify/shape.h"
#include "tests/support/property.h"

#include <vector>

namespace carom {
namespace {

/// The three queries about how far apart a pair is, checked, in both orders; the signed distance, and the other two agree with it.
double checked(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  const verify::PlacedShape placed_a{a, pose_a};
  const verify::PlacedShape placed_b{b, pose_b};
  const double size = a.size() + b.size() + max_abs(pose_a.position) + max_abs(pose_b.position);
  const double band = tolerance::boolean_band * size;
  const double exact = 1e-12 * size;

  const SignedDistance s = signed_distance(a, pose_a, b, pose_b);
  EXPECT_EQ(s.status, Status::ok);
  const auto proof = verify::check_signed_distance(placed_a, placed_b, s, band, band + exact, 8);
  EXPECT_TRUE(proof) << proof.why;
  const SignedDistance back = signed_distance(b, pose_b, a, pose_a);
  EXPECT_NEAR(s.value, back.value, exact);

  const Distance d = distance(a, pose_a, b, pose_b);
  EXPECT_EQ(d.status, Status::ok);
  const auto distance_proof = verify::check_distance(placed_a, placed_b, d, band);
  EXPECT_TRUE(distance_proof) << distance_proof.why;
  EXPECT_NEAR(d.value, std::max(s.value, 0.0), exact);

  const ShapeOverlap o = overlap(a, pose_a, b, pose_b);
  const auto overlap_proof = verify::check_overlap(placed_a, placed_b, o, band);
  EXPECT_TRUE(overlap_proof) << overlap_proof.why;
  if (std::fabs(s.value) > band) {
    EXPECT_EQ(o.hit, s.value < 0);
  }
  return s.value;
}

Pose turned(const Vec3& axis, double angle, const Vec3& position = {}) {
  const Vec3 v = axis * carom::sin(angle / 2);
  return {{v.x, v.y, v.z, carom::cos(angle / 2)}, position};
}

Quat stretched(const Quat& q, double factor) {
  return {q.x * factor, q.y * factor, q.z * factor, q.w * factor};
}

const Shape& cube() {
  static const Shape shape = Shape::box({1, 1, 1}).value();
  return shape;
}

std::vector<Vec3> sphere_points(int count, std::uint64_t seed) {
  Random random(seed);
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) points.push_back(random.direction());
  return points;
}

TEST(HardCases, CoplanarFacesSliding) {
  for (int i = -30; i <= 30; ++i) {
    const Vec3 at{0.1 * i, 0.037 * i, 2};
    const double apart = std::max(std::fabs(at.x) - 2, 0.0);
    EXPECT_NEAR(checked(cube(), {}, cube(), Pose::at(at)), apart, 1e-15) << i;
  }
}

TEST(HardCases, StackedInEveryTurnAndEveryGap) {
  for (const double gap :
       {0.0, 1e-15, -1e-15, 1e-12, -1e-12, 1e-9, -1e-9, 1e-6, -1e-6, 0.01, -0.01}) {
    for (int i = 0; i < 36; ++i) {
      const Pose pose = turned({0, 0, 1}, i * pi / 36, {0.1, 0.2, 2 + gap});
      EXPECT_NEAR(checked(cube(), {}, cube(), pose), pose.position.z - 2, 4e-15) << gap << " " << i;
    }
  }
}

TEST(HardCases, EdgeOnParallelEdge) {
  const Pose edge_up = turned({1, 0, 0}, pi / 4);
  const double half_diagonal = std::sqrt(2.0);
  for (const double gap : {0.0, 1e-12, -1e-12, 1e-6, -1e-6, 0.1, -0.1}) {
    for (const double slide : {-1.9, 0.0, 0.5, 1.0}) {
      Pose above = edge_up;
      above.position = {slide, 0, 2 * half_diagonal + gap};
      EXPECT_NEAR(checked(cube(), edge_up, cube(), above), gap >= 0 ? gap : gap * std::sqrt(0.5),
                  4e-15)
          << gap << " " << slide; // overlapping: along the faces, which are at 45 degrees
    }
  }
}

TEST(HardCases, EdgeOnCrossingEdge) {
  const Pose edge_up = turned({1, 0, 0}, pi / 4);
  for (const double gap : {0.0, 1e-12, -1e-12, 1e-6, -1e-6, 0.01, -0.01}) {
    Pose above = turned({0, 1, 0}, pi / 4);
    above.position = {0, 0, 2 * std::sqrt(2.0) + gap};
    EXPECT_NEAR(checked(cube(), edge_up, cube(), above), gap, 4e-15) << gap;
  }
}

TEST(HardCases, VertexOnVertex) {
  const Vec3 along = normalized(Vec3{1, 1, 1});
  for (const double gap : {0.0, 1e-12, 1e-6, 0.1}) {
    const Vec3 at = Vec3{2, 2, 2} + along * gap;
    EXPECT_NEAR(checked(cube(), {}, cube(), Pose::at(at)), gap, 4e-15) << gap;
  }
  // Overlapping by a corner: out along an edge direction.
  EXPECT_NEAR(checked(cube(), {}, cube(), Pose::at({1.9, 1.9, 1.8})), -0.1, 4e-15);
}

// Two half-spaces that nearly face each other meet far away; the point they have in common is right to rounding there.
TEST(HardCases, HalfSpacesThatMeetFarAway) {
  const Shape a = Shape::half_space({0x1p-34, 0, 0}, -0x1.67a1c58dac0e2p-1).value();
  const Shape b = Shape::half_space(
                      {-0x1.7fffffffe4cabp+0, 0x1.f4aa876c5d37ep-18, -0x1.214186421fb59p-18}, -0.5)
                      .value();
  const Pose pose{{0x1.96a0a226ba453p-1, -0x1.0c5d6a1979a96p-1, 0, 0x1.3ad2aef72e95p-2},
                  {0x1.37fe1fd049f4ap+43, -0x1.1fbde3557398dp+42, 0x1.5f33faec83b08p+43}};
  const Distance d = distance(a, pose, b, pose);
  const double far = max_abs(d.on_a);
  const auto verdict = verify::check_distance(
      verify::PlacedShape{a, pose}, verify::PlacedShape{b, pose}, d, tolerance::boolean_band * far);
  EXPECT_TRUE(verdict) << verdict.why;
}

// Cores that are as far apart as their roundings reach, give or take a bit: the rounded shapes touch, and the bounds of their distance agree, even where nothing is known of the
// cores but that they are near enough.
TEST(HardCases, RoundingsThatJustReach) {
  test::for_each_seed(test::fewer_when_sanitized(3000), [](test::Source& source) {
    const double radius = source.uniform(1e-9, 1e-3);
    const double half = source.uniform(1e-4, 1e-3);
    const Shape plate = Shape::box({8, 2, 0.01}).value();
    const Shape brick = Shape::box({half, half / 2, half / 4}).value().rounded(radius).value();
    const double height = 0.01 + half / 4 + radius;
    const double shift = source.uniform(-1, 1);
    const Distance d = distance(plate, {}, brick, Pose::at({shift, 0, height}));
    EXPECT_EQ(d.status, Status::ok);
    EXPECT_LE(d.value - d.lower_bound, 1e-12 * 10);
  });
}

TEST(HardCases, NeedleAgainstPlate) {
  const Shape needle = Shape::box({1e-6, 1e-6, 1}).value();
  const Shape plate = Shape::box({1, 1, 1e-6}).value();
  for (int i = 0; i <= 20; ++i) {
    const double angle = i * pi / 40;
    const double reach = carom::cos(angle) + 1e-6 * carom::sin(angle);
    for (const double gap : {0.0, 1e-9, -1e-9, 0.5}) {
      const Pose pose =
          turned({1, 0, 0}, angle, {0.1, 0.2 - carom::sin(angle), reach + 1e-6 + gap});
      EXPECT_NEAR(checked(plate, {}, needle, pose), gap, 4e-15) << i << " " << gap;
    }
    // Stuck through the middle.
    const double value = checked(plate, {}, needle, turned({1, 0, 0}, angle));
    EXPECT_LT(value, 0);
    EXPECT_GE(value, -reach - 1.1e-6);
  }
}

TEST(HardCases, SliverHulls) {
  Random random(11);
  for (int i = 0; i < 100; ++i) {
    std::vector<Vec3> points;
    const double thin = std::pow(10.0, -(i % 12));
    for (int k = 0; k < 12; ++k) {
      const Vec3 p = random.direction();
      points.push_back({p.x, p.y * thin, p.z * thin * thin});
    }
    const Shape sliver = Shape::hull(points).value();
    const Pose a{random.rotation(), {}};
    const Pose b{random.rotation(), random.direction() * (0.1 * (i % 25))};
    checked(sliver, a, sliver, b);
  }
}

TEST(HardCases, NearSpheresOfTenThousandVertices) {
  const Shape a = Shape::hull(sphere_points(10000, 1)).value();
  const Shape b = Shape::hull(sphere_points(10000, 2)).value();
  Random random(3);
  for (const double apart : {2.5, 2.001, 2.0, 1.999, 1.5, 0.1}) {
    const Pose pose{random.rotation(), random.direction() * apart};
    const double value = checked(a, {}, b, pose);
    EXPECT_GE(value, apart - 2);
    EXPECT_LE(value, apart - 2 + 4e-3); // the facets are that deep
  }
}

TEST(HardCases, IdenticalAtIdenticalPoses) {
  const Vec3 tetrahedron[] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  const Shape hull = Shape::hull(tetrahedron).value();
  Random random(4);
  for (int i = 0; i < 20; ++i) {
    const Pose pose{random.rotation(), random.direction()};
    EXPECT_NEAR(checked(cube(), pose, cube(), pose), -2, 8e-15);
    // The tetrahedron's difference with itself is a cuboctahedron, whose squares are 2 from the middle.
    EXPECT_NEAR(checked(hull, pose, hull, pose), -2, 8e-15);
  }
}

TEST(HardCases, TinyInHuge) {
  const Shape huge = Shape::box({1e6, 1e6, 1e6}).value();
  const Shape tiny = Shape::box({1e-6, 1e-6, 1e-6}).value();
  EXPECT_NEAR(checked(huge, {}, tiny, {}), -1e6 - 1e-6, 1e-9);
  EXPECT_NEAR(checked(huge, {}, tiny, Pose::at({1e6 - 1, 0, 0})), -1 - 1e-6, 1e-9);
  EXPECT_NEAR(checked(huge, {}, tiny, Pose::at({1e6 + 1, 0, 0})), 1 - 1e-6, 1e-9);
  const Shape ball = Shape::sphere(1e-6).value();
  const Shape globe = Shape::sphere(1e6).value();
  EXPECT_NEAR(checked(globe, {}, ball, Pose::at({0, 1e6 + 0.5, 0})), 0.5 - 1e-6, 1e-9);
  EXPECT_NEAR(checked(globe, {}, ball, Pose::at({0, 3, 0})), -1e6 + 3 - 1e-6, 1e-9);
}

// The frames' difference is formed before anything else, so that the bits lost are those of the positions alone.
TEST(HardCases, FarFromTheOrigin) {
  Random random(5);
  const Shape hull = Shape::hull(sphere_points(30, 6)).value();
  for (int i = 0; i < 50; ++i) {
    const Pose a{random.rotation(), {1048576, -524288, 2097152}};
    Pose b{random.rotation(), {}};
    // Multiples of 2^-20: added to the far position without rounding.
    for (int k = 0; k < 3; ++k)
      b.position[k] = std::floor(random.uniform(-2, 2) * 0x1p20) * 0x1p-20;
    const Pose near_a{a.rotation, {}};
    const double value = checked(hull, near_a, hull, b);
    const Pose far_b{b.rotation, b.position + a.position};
    EXPECT_NEAR(checked(hull, a, hull, far_b), value, 1e-14) << i;
  }
}

TEST(HardCases, FlatAgainstFlat) {
  const Shape square = Shape::box({1, 1, 0}).value();
  const Shape triangle = Shape::triangle({0, 0, 0}, {1, 0, 0}, {0, 1, 0}).value();
  EXPECT_EQ(checked(square, {}, square, {}), 0);
  EXPECT_NEAR(checked(square, {}, square, Pose::at({0.5, 0, 0})), 0, 1e-15);
  EXPECT_NEAR(checked(square, {}, square, Pose::at({2, 0, 0})), 0, 1e-15);
  EXPECT_NEAR(checked(square, {}, square, Pose::at({3, 0, 0})), 1, 1e-15);
  EXPECT_NEAR(checked(square, {}, square, Pose::at({0, 0, 0.25})), 0.25, 1e-15);
  EXPECT_NEAR(checked(square, {}, triangle, turned({1, 0, 0}, pi / 2, {0, 0, -0.5})), -0.5, 4e-15);
  const Shape segment = Shape::segment({-1, 0, 0}, {1, 0, 0}).value();
  EXPECT_EQ(checked(segment, {}, segment, {}), 0);
  EXPECT_NEAR(checked(segment, {}, segment, turned({0, 0, 1}, pi / 2)), 0, 1e-15);
  const Shape point = Shape::point({0.5, 0.5, 0}).value();
  EXPECT_EQ(checked(point, {}, point, {}), 0);
  EXPECT_EQ(checked(point, {}, square, {}), 0);
}

// The simplex becomes three points in a line with the origin: in their plane, but the weights do not add up.
TEST(HardCases, NeedlesInALine) {
  const Shape needle = Shape::ellipsoid({0x1p-26, 1, 0x1p-19}).value();
  const Shape segment = Shape::segment({0, -1, 0}, {0, 1, 0}).value();
  const Pose pose{{0, 0, 1.2476856073993175e-08, 1}, {0, -1.2984588896685012, 0}};
  for (const double error : {0.0, 0.01}) {
    const Distance d = distance(needle, {}, segment, pose, {.relative_error = error});
    const auto verdict = verify::check_distance(verify::PlacedShape{needle, {}},
                                                verify::PlacedShape{segment, pose}, d, 1e-13);
    EXPECT_TRUE(verdict) << verdict.why;
  }
}

TEST(HardCases, RotationsAccumulatedOverAMillionSteps) {
  // Never normalised on the way: the quaternion drifts from unit length, and the matrix is that of its direction.
  Quat q;
  const Quat step{1e-3, 2e-3, -5e-4, 1};
  for (int i = 0; i < 1'000'000; ++i) {
    q = step * q;
    if (i % 1000 == 0) q = stretched(q, 0.01); // far from unit length, far from overflow
    if (i % 50'000 == 0) {
      const double value = checked(cube(), {q, {}}, cube(), Pose::at({3.9, 0, 0}));
      const double unit = checked(cube(), {normalized(q), {}}, cube(), Pose::at({3.9, 0, 0}));
      EXPECT_NEAR(value, unit, 1e-14) << i;
    }
  }
}

TEST(HardCases, QuaternionsOfAnyLength) {
  const Pose unit = turned({0, 0.6, 0.8}, 1, {2.5, 0.3, -0.2});
  const double value = checked(cube(), {}, cube(), unit);
  for (const double length : {1e-100, 1e-3, 0.5, 7.0, 1e100}) {
    Pose pose = unit;
    pose.rotation = stretched(pose.rotation, length);
    EXPECT_NEAR(checked(cube(), {}, cube(), pose), value, 1e-15) << length;
  }
  // None: no turn.
  EXPECT_EQ(checked(cube(), {}, cube(), {Quat{0, 0, 0, 0}, {3, 0, 0}}), 1);
}

TEST(HardCases, NothingThatIsNotANumberComesOut) {
  const Shape shapes[] = {cube(), Shape::cone(2, 1).value(),
                          Shape::half_space({0, 0, 1}, 0).value(),
                          Shape::capsule({0, 0, -1}, {0, 0, 1}, 0.5).value()};
  const double odd[] = {NAN, INFINITY, -INFINITY, 1e300, 1e31, 1e-31, 5e-324};
  for (const Shape& a : shapes) {
    for (const Shape& b : shapes) {
      for (const double x : odd) {
        for (int k = 0; k < 7; ++k) {
          Pose pose;
          (k < 3    ? pose.position[k]
           : k == 3 ? pose.rotation.x
           : k == 4 ? pose.rotation.y
           : k == 5 ? pose.rotation.z
                    : pose.rotation.w) = x;
          const Distance d = distance(a, pose, b, {});
          const SignedDistance s = signed_distance(a, {}, b, pose);
          const ShapeOverlap o = overlap(a, pose, b, {});
          EXPECT_FALSE(std::isnan(d.value + d.lower_bound + d.normal.x + d.on_a.x + d.on_b.x));
          EXPECT_FALSE(std::isnan(s.value) || std::isnan(s.normal.x + s.on_a.x + s.on_b.x));
          EXPECT_FALSE(std::isnan(o.axis.x + o.point.x));
          if (!std::isfinite(x) || k < 3) {
            EXPECT_EQ(d.status, Status::bad_input) << x << " at " << k;
            EXPECT_EQ(s.status, Status::bad_input) << x << " at " << k;
            EXPECT_EQ(o.status, Status::bad_input) << x << " at " << k;
          }
        }
      }
    }
  }
}

} // namespace
} // namespace carom
