// Curved pairs against references in long double, and the kinks by name: where the best axis is at right angles to a side, along a cap, or one of a ring of equals.
#include "carom/query/axis_cap.h"
#include "carom/query/carriers.h"
#include "carom/query/distance.h"
#include "carom/query/newton.h"
#include "carom/query/signed_distance.h"
#include "carom/shape/support.h"
#include "tests/query/pair_cases.h"
#include "tests/support/property.h"

#include "carom/math/random.h"
#include "carom/math/trig.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

namespace carom {
namespace {

using Real = long double;
struct Real3 {
  Real x, y, z;
};
Real3 wide(const Vec3& v) { return {v.x, v.y, v.z}; }
Real3 operator+(const Real3& a, const Real3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Real3 operator*(const Real3& a, Real s) { return {a.x * s, a.y * s, a.z * s}; }
Real dot(const Real3& a, const Real3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Real length(const Real3& a) { return std::sqrt(dot(a, a)); }

/// How far a placed primitive reaches along y: from the definition, in long double.
struct Reach {
  Frame frame;
  std::function<Real(const Real3&)> of; ///< in the shape's own frame

  Real operator()(const Real3& y) const {
    const Real3 local{dot(wide(frame.basis.x), y), dot(wide(frame.basis.y), y),
                      dot(wide(frame.basis.z), y)};
    return dot(wide(frame.origin), y) + of(local);
  }
};

Reach cylinder(const Pose& pose, double half_height, double radius) {
  return {pose.frame(), [=](const Real3& y) {
            return half_height * std::fabs(y.z) + radius * std::hypot(y.x, y.y);
          }};
}
Reach cone(const Pose& pose, double height, double radius) {
  return {pose.frame(),
          [=](const Real3& y) { return std::max(height * y.z, radius * std::hypot(y.x, y.y)); }};
}
Reach ellipsoid(const Pose& pose, const Vec3& radii) {
  return {pose.frame(), [=](const Real3& y) {
            return length(Real3{radii.x * y.x, radii.y * y.y, radii.z * y.z});
          }};
}
Reach box(const Pose& pose, const Vec3& half) {
  return {pose.frame(), [=](const Real3& y) {
            return half.x * std::fabs(y.x) + half.y * std::fabs(y.y) + half.z * std::fabs(y.z);
          }};
}

/// The least value of a function with one minimum between low and high.
template<class Function>
Real golden_section(Real low, Real high, const Function& f) {
  const Real golden = (std::sqrt(Real(5)) - 1) / 2;
  Real a = high - golden * (high - low);
  Real b = low + golden * (high - low);
  Real fa = f(a);
  Real fb = f(b);
  for (int i = 0; i < 75; ++i) {
    if (fa < fb) {
      high = b;
      b = a;
      fb = fa;
      a = high - golden * (high - low);
      fa = f(a);
    } else {
      low = a;
      a = b;
      fa = fb;
      b = low + golden * (high - low);
      fb = f(b);
    }
  }
  return std::min(fa, fb);
}

/// The least reach of A - B: around the best of many directions, and around others nearly as good, the least of least values, by golden sections in both
/// coordinates of the tangent plane. Kinks do not matter to them.
Real least_reach(const Reach& a, const Reach& b) {
  const auto s = [&](const Real3& y) { return (a(y) + b(y * Real(-1))) / length(y); };
  std::vector<std::pair<Real, Vec3>> tried;
  constexpr int many = 20000;
  for (int i = 0; i < many; ++i) {
    const double z = 1 - (2 * i + 1) / static_cast<double>(many);
    const double r = std::sqrt(1 - z * z);
    const double turn = 2.399963229728653 * i;
    const Vec3 y{r * std::cos(turn), r * std::sin(turn), z};
    tried.emplace_back(s(wide(y)), y);
  }
  std::sort(tried.begin(), tried.end(),
            [](const auto& p, const auto& q) { return p.first < q.first; });
  Real least = tried[0].first;
  std::vector<Vec3> starts;
  for (const auto& candidate : tried) {
    const Vec3& y = candidate.second;
    if (starts.size() == 4) break;
    bool apart = true;
    for (const Vec3& start : starts) apart &= distance(start, y) > 0.1;
    if (!apart) continue;
    starts.push_back(y);
    const Real3 u = wide(perpendicular(y));
    const Real3 v = wide(cross(y, perpendicular(y)));
    for (const Real window : {0.1L, 0.03L, 0.01L}) {
      least = std::min(least, golden_section(-window, window, [&](Real x) {
                         return golden_section(-window, window,
                                               [&](Real t) { return s(wide(y) + u * x + v * t); });
                       }));
    }
  }
  return least;
}

/// Bounds that hold, agree to 1e-10, and have the reference between them, to a few hundred roundings.
void expect_signed_distance(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                            Real value) {
  constexpr double slack = 1e-13;
  const SignedDistance s = signed_distance(a, pose_a, b, pose_b);
  const double size = a.size() + b.size() + max_abs(pose_a.position) + max_abs(pose_b.position);
  EXPECT_EQ(s.status, Status::ok) << s.upper_bound - s.lower_bound;
  EXPECT_LE(s.upper_bound - s.lower_bound, 1e-10 * size);
  EXPECT_LE(s.lower_bound - slack * size, static_cast<double>(value));
  EXPECT_GE(s.upper_bound + slack * size, static_cast<double>(value));
  EXPECT_NEAR(s.value, static_cast<double>(value), 1e-11 * size);
  const auto verdict =
      verify::check_signed_distance(verify::PlacedShape{a, pose_a}, verify::PlacedShape{b, pose_b},
                                    s, 1e-14 * size, 1e-9 * size, 16);
  EXPECT_TRUE(verdict) << verdict.why << ", value " << s.value;
}

struct Poses {
  Pose a, b;
};
Poses random_poses(Random& random, double reach) {
  Poses p;
  p.a.rotation = random.rotation();
  p.b.rotation = random.rotation();
  for (int i = 0; i < 3; ++i) p.b.position[i] = random.uniform(-reach, reach);
  return p;
}

// Pairs at random, deep, touching and apart.
TEST(CurvedPairs, AgreeWithLongDoubleSearch) {
  Random random(11);
  for (int i = 0; i < 6; ++i) {
    const Poses p = random_poses(random, 1.0);
    SCOPED_TRACE(i);
    const Vec3 radii{0.5, 0.8, 1.2};
    const Vec3 half{0.5, 0.6, 0.9};
    const Shape c = Shape::cylinder(1, 0.5).value();
    const Shape k = Shape::cone(1.5, 0.7).value();
    const Shape e = Shape::ellipsoid(radii).value();
    const Shape x = Shape::box(half).value();
    const Reach ca = cylinder(p.a, 1, 0.5);
    const Reach ea = ellipsoid(p.a, radii);
    expect_signed_distance(c, p.a, c, p.b, -least_reach(ca, cylinder(p.b, 1, 0.5)));
    expect_signed_distance(c, p.a, k, p.b, -least_reach(ca, cone(p.b, 1.5, 0.7)));
    expect_signed_distance(e, p.a, e, p.b, -least_reach(ea, ellipsoid(p.b, radii)));
    expect_signed_distance(e, p.a, x, p.b, -least_reach(ea, box(p.b, half)));
  }
}

// Shapes of 20 cm, two millimetres apart or into each other, in every turn.
TEST(CurvedPairs, SmallGaps) {
  Random random(12);
  const Shape shapes[] = {
      Shape::cylinder(0.1, 0.06).value(),
      Shape::cone(0.2, 0.1).value(),
      Shape::ellipsoid({0.1, 0.07, 0.05}).value(),
      Shape::tapered_capsule({0, 0, -0.05}, 0.05, {0, 0, 0.07}, 0.03).value(),
      Shape::cylinder(0.05, 0.05).value().rounded(0.02).value(),
      Shape::sum(Shape::cylinder(0.05, 0.04).value(), Shape::ellipsoid({0.02, 0.04, 0.05}).value())
          .value(),
      Shape::hull_of_two(Shape::cylinder(0.02, 0.1).value(),
                         Shape::sphere(0.03, {0, 0, 0.1}).value())
          .value(),
      Shape::cylinder(0.05, 0.04).value().rounded(0.03).value().scaled({1, 1.4, 0.8}).value()};
  for (const Shape& a : shapes) {
    for (const Shape& b : shapes) {
      for (const double gap : {0.002, -0.002}) {
        Poses p = random_poses(random, 0);
        const Vec3 d = random.direction();
        const verify::PlacedShape placed_a{a, p.a};
        p.b.position = d * (gap - verify::gap(placed_a, verify::PlacedShape{b, p.b}, d));
        const SignedDistance s = signed_distance(a, p.a, b, p.b);
        EXPECT_EQ(s.status, Status::ok) << name_of(a.kind()) << " " << name_of(b.kind());
        EXPECT_LE(s.upper_bound - s.lower_bound, 1e-10);
        EXPECT_GE(s.upper_bound,
                  gap - 1e-15); // along d it is the gap, or there is a better direction
        const auto verdict =
            verify::check_signed_distance(placed_a, verify::PlacedShape{b, p.b}, s, 1e-14, 1e-9, 4);
        EXPECT_TRUE(verdict) << verdict.why;
      }
    }
  }
}

Pose turned(const Vec3& axis, double angle, const Vec3& position) {
  const double half = angle / 2;
  const Vec3 v = normalized(axis) * carom::sin(half);
  return {{v.x, v.y, v.z, carom::cos(half)}, position};
}

// The kinks by name, all with exact answers.
TEST(CurvedPairs, ParallelCylindersSideBySide) {
  const Shape a = Shape::cylinder(1, 0.5).value();
  const Shape b = Shape::cylinder(0.7, 0.25).value();
  for (const double x : {1.0, 0.75, 0.7, 0.5, 0.01}) {
    const Pose pose = Pose::at({0.6 * x, 0.8 * x, 0.1});
    expect_signed_distance(a, {}, b, pose, Real(x) - 0.75L);
  }
}

TEST(CurvedPairs, CrossingCylinders) {
  const Shape a = Shape::cylinder(2, 0.5).value();
  const Shape b = Shape::cylinder(2, 0.25).value();
  for (const double angle : {0.5, 1.0, pi / 2}) {
    for (const double x : {1.0, 0.7, 0.3, 0.0}) {
      SCOPED_TRACE(angle);
      expect_signed_distance(a, {}, b, turned({1, 0, 0}, angle, {x, 0.1, 0.1}), Real(x) - 0.75L);
    }
  }
}

TEST(CurvedPairs, CapOnCap) {
  const Shape a = Shape::cylinder(0.25, 1).value();
  for (const double z : {1.0, 0.5, 0.4, 0.01, 0.0}) {
    expect_signed_distance(a, {}, a, Pose::at({0.3, 0.4, z}), Real(z) - 0.5L);
  }
}

TEST(CurvedPairs, ConeTipInCap) {
  const Shape cap = Shape::cylinder(1, 2).value();
  const Shape tip = Shape::cone(1, 0.5).value();
  for (const double z : {2.5, 2.0, 1.5}) {
    expect_signed_distance(cap, {}, tip, turned({1, 0, 0}, pi, {0.2, -0.1, z}), Real(z) - 2);
  }
}

// A cone of base 0.6 and height 0.8 on its side: the side's normal is (0.8, 0, 0.6), its distance from the base's centre 0.48.
TEST(CurvedPairs, ConeSideOnBoxFace) {
  const Shape cone = Shape::cone(0.8, 0.6).value();
  const Shape box = Shape::box({2, 2, 2}).value();
  const double lean = pi - std::atan(4.0 / 3); // turns (0.8, 0, 0.6) to -z, about y
  for (const double gap : {0.5, 0.0, -0.1}) {
    const Pose pose = turned({0, 1, 0}, lean, {0.1, 0.2, 2 + 0.48 + gap});
    const Vec3 down = pose.frame().direction_to_world({0.8, 0, 0.6});
    ASSERT_NEAR(down.z, -1, 1e-15);
    expect_signed_distance(box, {}, cone, pose, gap);
  }
}

TEST(CurvedPairs, RimOnSide) {
  // A disc's rim above a cylinder lying along x, at right angles to it: one point of the rim is lowest.
  const Shape lying = Shape::of(Cylinder{{}, {1, 0, 0}, 3, 0.5}).value();
  const Shape disc = Shape::of(Cylinder{{}, {1, 0, 0}, 0, 1}).value();
  for (const double z : {2.0, 1.5, 1.25}) {
    expect_signed_distance(lying, {}, disc, Pose::at({0.2, 0, z}), Real(z) - 1.5L);
  }
}

TEST(CurvedPairs, EllipsoidInBoxCorner) {
  // Deep in the corner: each face is one way out, the nearest is the answer.
  const Shape box = Shape::box({1, 1, 1}).value();
  const Shape egg = Shape::ellipsoid({0.25, 0.5, 0.375}).value();
  expect_signed_distance(box, {}, egg, Pose::at({0.75, 0.75, 0.75}), -0.5L); // 0.25 and 0.25 beyond
}

// Rings and spheres of equally good directions.
TEST(CurvedPairs, ConcentricAndCoaxial) {
  const Shape long_one = Shape::cylinder(2, 0.5).value();
  const Shape flat_one = Shape::cylinder(0.1, 0.75).value();
  expect_signed_distance(long_one, {}, long_one, {}, -1.0L);
  expect_signed_distance(long_one, {}, flat_one, {}, -1.25L);
  expect_signed_distance(long_one, {}, flat_one, Pose::at({0, 0, 1.5}), -0.6L);
  const Shape round = Shape::ellipsoid({0.5, 0.5, 0.5}).value();
  expect_signed_distance(round, {}, round, {}, -1.0L);
  expect_signed_distance(round, {}, long_one, Pose::at({0, 0, 0.5}), -1.0L);
  const Shape egg = Shape::ellipsoid({0.5, 0.5, 1}).value();
  expect_signed_distance(egg, {}, egg, {}, -1.0L);
  expect_signed_distance(egg, {}, long_one, {}, -1.0L);
  const Shape capsule = Shape::tapered_capsule({0, 0, -1}, 0.5, {0, 0, 1}, 0.5).value();
  expect_signed_distance(capsule, {}, long_one, {}, -1.0L);
}

// The proof by curvature claims what is true: no direction in the cap is below the floor.
// Two discs of which the one is nearly a line, in two basins: Newton's method leads from the first nearest face to the worse one, past a face that reaches less. A proof for that basin's
// depth says too much in the other.
TEST(CurvedPairs, ProofsAreForTheLeastReachSeen) {
  const Mat3 turned{{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}};
  const Vec3 center{-0x1.d5463d7959f4p-35, 0x1p-31, -0x1.3bd37851011e6p-31};
  const Shape a = Shape::of(Ellipsoid{center, turned, {0x1p-32, 0, 0x1.8p-30}}).value();
  const Shape b = Shape::of(Ellipsoid{{}, Mat3::identity(), {0, 0x1p-29, 0x1p-40}}).value();
  const Pose pose_a{{0, -0x1.10e611402f537p-2, 0x1.10e611402f537p-3, 0x1.1e2f49845779fp-5},
                    {-0x1.654b1d2f2c5ecp-9, 0x1.289762fd65938p-9, -0x1.e0027bb5ab5a9p-9}};
  const Pose pose_b{{0, 1, 0, 0},
                    {-0x1.654b19a715da8p-9, 0x1.289776634ed99p-9, -0x1.e00275045a089p-9}};
  const SignedDistance s = signed_distance(a, pose_a, b, pose_b);
  const verify::PlacedShape placed_a{a, pose_a};
  const verify::PlacedShape placed_b{b, pose_b};
  const double best = verify::gap(placed_a, placed_b, normalized(Vec3{0.9867, 1.99e-5, 0.16256}));
  EXPECT_GE(s.upper_bound, best - 1e-17);
  EXPECT_EQ(s.status, Status::ok);
}

TEST(AxisCap, HoldsInAllDirections) {
  int caps = 0;
  test::for_each_seed(test::fewer_when_sanitized(400), [&](test::Source& source) {
    static constexpr ShapeKind kinds[] = {
        ShapeKind::cylinder,    ShapeKind::cone,   ShapeKind::ellipsoid, ShapeKind::tapered_capsule,
        ShapeKind::hull_of_two, ShapeKind::scaled, ShapeKind::sum,       ShapeKind::box};
    const int kind_a = source.index(8);
    const int kind_b = source.index(8);
    const test::PairCase c = test::pair_case(source, kinds[kind_a], kinds[kind_b]);
    const CorePair pair(c.a.shape, c.a.pose, c.b.shape, c.b.pose);
    const Vec3 start = test::direction(source);
    RefinedAxis found = refine_axis(pair, start, 0.25 * pair.agreement());
    settle_carriers(pair, found);
    const double floor = found.reach - 16 * pair.agreement();
    if (!(floor > 0)) return;
    const double tangent = proved_cap(pair, found, floor);
    if (!(tangent > 0)) return;
    ++caps;
    for (int i = 0; i < 64; ++i) {
      const Vec3 aside = test::direction(source);
      const double share = i % 2 ? 1.0 : source.unit();
      const Vec3 x = normalized_or(cross(found.axis, aside), Vec3{}) * (tangent * share);
      const Vec3 n = normalized(found.axis + x);
      const double reach = dot(pair.corner_toward(n).difference, n);
      EXPECT_GE(reach, floor - 2 * pair.rounding()) << "tangent " << tangent;
    }
  });
  EXPECT_GT(caps, test::fewer_when_sanitized(400) / 10);
}

// Newton's method does the work: steps are counted, not time. Without it 20 in the mean.
TEST(CurvedPairs, SmoothPairsTakeFewSteps) {
  Random random(6);
  const Shape egg = Shape::ellipsoid({0.5, 0.8, 1.2}).value();
  int steps = 0;
  constexpr int cases = 500;
  for (int i = 0; i < cases; ++i) {
    const Poses p = random_poses(random, 3);
    steps += distance(egg, p.a, egg, p.b).iterations;
  }
  EXPECT_LE(steps, 9 * cases);
}

// A proof mixes bounds: with weights that add up to more than 1 it would claim too much.
TEST(Carriers, AreMixtures) {
  static constexpr ShapeKind kinds[] = {ShapeKind::cone, ShapeKind::sum, ShapeKind::hull_of_two,
                                        ShapeKind::cylinder, ShapeKind::ellipsoid};
  test::for_each_seed(test::fewer_when_sanitized(2000), [](test::Source& source) {
    const ShapeKind kind_a = kinds[source.index(5)];
    const ShapeKind kind_b = kinds[source.index(5)];
    const test::PairCase c = test::pair_case(source, kind_a, kind_b);
    const CorePair pair(c.a.shape, c.a.pose, c.b.shape, c.b.pose);
    RefinedAxis axis = refine_axis(pair, test::direction(source), pair.agreement());
    settle_carriers(pair, axis);
    double whole = 0;
    for (int k = 0; k < axis.count; ++k) {
      const double weight = axis.weight[static_cast<std::size_t>(k)];
      EXPECT_GE(weight, 0);
      whole += weight;
    }
    EXPECT_NEAR(whole, 1, 8 * tolerance::epsilon);
  });
}

TEST(AxisCap, RefusesWhatIsNoMixture) {
  const Shape ball = Shape::ellipsoid({1, 1, 1}).value();
  const CorePair pair(ball, {}, ball, {});
  RefinedAxis axis = refine_axis(pair, {1, 0, 0}, pair.agreement());
  EXPECT_GT(proved_cap(pair, axis, axis.reach - 1e-9), 0);
  axis.weight[0] = 2;
  EXPECT_EQ(proved_cap(pair, axis, axis.reach - 1e-9), 0);
}

} // namespace
} // namespace carom
