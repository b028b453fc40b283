// The depth of small hulls by all faces of their difference, against the expanding polytope.
#include "carom/query/hull_depth.h"

#include "carom/math/tolerance.h"
#include "carom/query/signed_distance.h"
#include "carom/verify/check_query.h"
#include "carom/verify/shape.h"
#include "tests/query/long_depth.h"
#include "tests/support/generate.h"
#include "tests/support/property.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace carom {
namespace {

using test::Source;

Shape random_hull(Source& source, int points, const Vec3& stretch) {
  std::vector<Vec3> p;
  for (int i = 0; i < points; ++i) {
    const Vec3 d = test::direction(source);
    p.push_back({d.x * stretch.x, d.y * stretch.y, d.z * stretch.z});
  }
  return Shape::hull(p).value();
}

Pose random_pose(Source& source, double reach) {
  const Vec3 v = test::direction(source);
  const double w = source.uniform(-1, 1);
  const double x = source.uniform(-reach, reach);
  const double y = source.uniform(-reach, reach);
  const double z = source.uniform(-reach, reach);
  return {{v.x, v.y, v.z, w}, {x, y, z}};
}

/// Both methods; how many pairs the first one answered of those that overlap.
struct Answered {
  int overlapping = 0, answered = 0;
};

void compare(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
             Answered& count) {
  const CorePair pair(a, pose_a, b, pose_b);
  const CoreQuestion question{.agreement = pair.agreement(), .below = 0};
  PairCache simplex;
  const CoreDistance near = nearest_cores(pair, question, &simplex);
  if (near.lower > 0) return;
  ++count.overlapping;
  const auto quick = hull_depth(pair, std::get<Polytope>(a.core()), std::get<Polytope>(b.core()));
  if (!quick) return;
  ++count.answered;
  const CoreDepth slow = core_depth(pair, near, simplex);
  EXPECT_NEAR(quick->upper, slow.upper, 4e-13 * pair.size());
  EXPECT_LE(quick->lower, slow.upper + 1e-15 * pair.size());
  EXPECT_LE(quick->upper - quick->lower, 0.5e-12 * pair.size());
  const SignedDistance s = signed_distance(a, pose_a, b, pose_b);
  const double band = 1e-14 * (pair.size() + max_abs(pose_a.position));
  const auto verdict =
      verify::check_signed_distance(verify::PlacedShape{a, pose_a}, verify::PlacedShape{b, pose_b},
                                    s, band, band + 1e-12 * pair.size(), 4);
  EXPECT_TRUE(verdict) << verdict.why;
}

TEST(HullDepth, AgreesWithTheExpandingPolytope) {
  Answered count;
  test::for_each_seed(test::fewer_when_sanitized(3000), [&](Source& source) {
    const int points_a = 4 + source.index(source.chance(4) ? 252 : 60);
    const int points_b = 4 + source.index(60);
    const double flat = std::ldexp(1.0, -source.index(6));
    const Shape a = random_hull(source, points_a, {1, 1, flat});
    const Shape b = random_hull(source, points_b, {1, flat, 1});
    const Pose pose_a = random_pose(source, 1);
    const Pose pose_b = random_pose(source, 1);
    compare(a, pose_a, b, pose_b, count);
  });
  EXPECT_GT(count.answered, count.overlapping * 9 / 10);
}

TEST(HullDepth, OfLargeHullsToo) {
  Answered count;
  test::for_each_seed(test::fewer_when_sanitized(200), [&](Source& source) {
    const int points_a = 257 + source.index(768);
    const int points_b = source.chance(2) ? 1024 : 4 + source.index(600);
    const double flat = std::ldexp(1.0, -source.index(4));
    const Shape a = random_hull(source, points_a, {1, 1, flat});
    const Shape b = random_hull(source, points_b, {1, flat, 1});
    const Pose pose_a = random_pose(source, 0.8);
    const Pose pose_b = random_pose(source, 0.8);
    compare(a, pose_a, b, pose_b, count);
  });
  EXPECT_GT(count.answered, count.overlapping * 8 / 10);
}

// Parallel edges and faces in one plane are for the other method, and what is nearly so.
TEST(HullDepth, TurnedByLittle) {
  Answered count;
  test::for_each_seed(test::fewer_when_sanitized(2000), [&](Source& source) {
    const int points = 4 + source.index(20);
    const Shape a = random_hull(source, points, {1, 1, 1});
    const double angle = std::ldexp(1.0, -source.index(60));
    const Vec3 axis = test::direction(source) * (0.5 * angle);
    const Vec3 shift = test::direction(source) * 0.25;
    compare(a, {}, a, {{axis.x, axis.y, axis.z, 1}, shift}, count);
  });
  EXPECT_GT(count.overlapping, 0);
}

// Hulls whose arcs are a quarter of a circle: boxes, also of two sizes and far apart in size.
TEST(HullDepth, BoxesAsHulls) {
  Answered count;
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i)
    corners.push_back({i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0});
  const Shape box = Shape::hull(corners).value();
  for (Vec3& c : corners) c = {c.x * 0.25, c.y * 2, c.z * 0x1p-10};
  const Shape plate = Shape::hull(corners).value();
  test::for_each_seed(test::fewer_when_sanitized(3000), [&](Source& source) {
    const Pose pose_a = random_pose(source, 0.5);
    const Pose pose_b = random_pose(source, 0.5);
    compare(box, pose_a, plate, pose_b, count);
    compare(plate, pose_b, plate, pose_a, count);
  });
  EXPECT_GT(count.answered, count.overlapping / 2);
}

// A blade, whose edge has an arc of nearly half a circle, and a needle at its tip that can leave along the edge or across it: two ways that are equally long but for the
// rounding of the arc's bound.
TEST(HullDepth, BladesAndNeedles) {
  Answered count;
  test::for_each_seed(test::fewer_when_sanitized(4000), [&](Source& source) {
    const double thickness = std::pow(10.0, -2 - source.index(11));
    const double x = source.uniform(0.5, 1);
    const double y = source.uniform(0.5, 1);
    const double z = source.uniform(0.5, 1);
    const Vec3 at{x, y, z};
    std::vector<Vec3> blade{{0, -1, 0}, {0, 1, 0}, {-1, -0.2, thickness}, {-1, -0.5, -thickness}};
    for (Vec3& p : blade) p += at;
    const double r = 0.125;
    std::vector<Vec3> needle;
    for (int k = 0; k < 8; ++k)
      needle.push_back({k & 1 ? r : -r, k & 2 ? r : -r, k & 4 ? 1.0 : -1.0});
    const Shape a = Shape::hull(blade).value();
    const Shape b = Shape::hull(needle).value();
    const double edge_error = tolerance::epsilon / thickness;
    const double turn_share = source.uniform(-2, 0);
    const double turn = -edge_error * std::pow(10.0, turn_share);
    const double tilt = source.uniform(-0.3, 0.3);
    const double aside_share = source.uniform(0.2, 0.8);
    const double aside = aside_share * r;
    const double more_share = source.uniform(-2, 0.3);
    const double more = edge_error * std::pow(10.0, more_share);
    Pose pose{Quat{tilt / 2, 0, 0, 1} * Quat{0, 0, turn / 2, 1}, at + Vec3{aside, 0, 0}};
    // As deep along the needle's own normal as across the edge, and a little more.
    const Vec3 n = pose.frame().direction_to_world({0, 1, 0});
    pose.position.y += (n.y - n.x * aside + aside - more) / n.y;
    compare(a, {}, b, pose, count);
  });
  EXPECT_GT(count.answered, 0);
}

// A hull so thin that its upper and lower edges have one normal, and a prism with a parallel edge on its other side.
TEST(HullDepth, TheEdgesThatMeetAmongParallelOnes) {
  Answered count;
  test::for_each_seed(test::fewer_when_sanitized(2000), [&](Source& source) {
    const double thickness = std::pow(10.0, -12 - source.index(6));
    const double y0 = source.uniform(-0.5, 0.5);
    const double y1 = source.uniform(-0.5, 0.5);
    const std::vector<Vec3> thin{{0, -1, 0}, {0, 1, 0}, {-1, y0, thickness}, {-1, y1, -thickness}};
    const double r = 0.0625;
    std::vector<Vec3> prism;
    for (const Vec2& p : {Vec2{-r, -1.7 * r}, Vec2{-r, 1.7 * r}, Vec2{2 * r, 0}}) {
      const double top = source.uniform(0.9, 1.1);
      const double bottom = source.uniform(-1.1, -0.9);
      prism.push_back({p.x, p.y, top});
      prism.push_back({p.x, p.y, bottom});
    }
    const Shape a = Shape::hull(thin).value();
    const Shape b = Shape::hull(prism).value();
    const double tilt = source.uniform(-0.15, 0.15);
    const double turn = source.uniform(-0.3, 0.3);
    const double x = source.uniform(-r, r);
    const double y = source.uniform(-0.3, 0.3);
    compare(a, {}, b, {{tilt, 0, turn, 1}, {x, y, 0}}, count);
  });
  EXPECT_GT(count.answered, 0);
}

// A plate no thicker than the rounding of its corners, at any angle: the normals of its two sides are opposite but for rounding, and so is which way its edge faces.
TEST(HullDepth, PlatesAsThinAsRounding) {
  Answered count;
  test::for_each_seed(test::fewer_when_sanitized(4000), [&](Source& source) {
    const Vec3 about = test::direction(source);
    const double how_far = source.uniform(0.2, 1);
    const Mat3 turned = to_matrix(Quat{about.x, about.y, about.z, how_far});
    std::vector<Vec3> plate;
    for (const Vec2& p : {Vec2{0, -1}, Vec2{0, 1}, Vec2{-1, 0.5}, Vec2{-1, -0.5}}) {
      const double x = p.x + source.uniform(-0.1, 0.1);
      plate.push_back(turned * Vec3{x, p.y, 0});
    }
    const Shape a = Shape::hull(plate).value();
    if (std::get<Polytope>(a.core()).arcs().arcs.empty()) return; // flat
    std::vector<Vec3> bar;
    for (int k = 0; k < 8; ++k)
      bar.push_back({k & 1 ? 0.125 : -0.125, k & 2 ? 0.125 : -0.125, k & 4 ? 1.0 : -1.0});
    const Shape b = Shape::hull(bar).value();
    // Through the plate, near its edge.
    const double tilt = source.uniform(-0.5, 0.5);
    const double turn = source.uniform(-1, 1);
    const double y = source.uniform(-0.5, 0.5);
    const double x = source.uniform(-0.1, 0.1);
    const Quat q = Quat::from_matrix(turned) * Quat{tilt, 0, turn, 1};
    compare(a, {}, b, {q, turned * Vec3{x, y, 0}}, count);
  });
  EXPECT_GT(count.answered, count.overlapping / 4);
}

// A normal from two edges is off by a few epsilon over the sine of their angle: the bound that is claimed allows for it, down to the least sine, and below nothing is claimed.
TEST(HullDepth, BoundsHoldForEdgesAtSmallAngles) {
  int near_least = 0;
  int answered = 0;
  test::for_each_seed(test::fewer_when_sanitized(1000), [&](Source& source) {
    const bool usable = source.chance(2);
    const double spread = source.unit();
    const double sine = usable ? (1 + spread) / 126 : std::ldexp(1 / 131.0, -source.index(8));
    const test::Roofs r(source, sine);
    const CorePair pair(r.lower, r.pose_a, r.upper, r.pose_b);
    const auto& a = std::get<Polytope>(r.lower.core());
    const auto& b = std::get<Polytope>(r.upper.core());
    const auto quick = hull_depth(pair, a, b);
    near_least += usable;
    answered += usable && quick;
    EXPECT_TRUE(usable || !quick) << sine;
    if (!quick) return;
    const test::LongDepth::Long truth = test::LongDepth(a, r.pose_a, b, r.pose_b).value();
    EXPECT_LE(quick->lower, truth) << static_cast<double>(quick->lower - truth);
    EXPECT_GE(quick->upper, truth - 1e-15 * pair.size());
  });
  EXPECT_GT(answered, near_least * 9 / 10);
}

// Hardly deeper than rounding, or not at all: not for this method, which cannot tell them apart.
TEST(HullDepth, NothingIsSaidOfATouch) {
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i)
    corners.push_back({i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0});
  const Shape box = Shape::hull(corners).value();
  const auto& hull = std::get<Polytope>(box.core());
  // On a corner.
  const Quat on_corner{0.4, 0.3, 0.1, 1};
  double lowest = 0;
  for (const Vec3& c : corners) lowest = std::min(lowest, (to_matrix(on_corner) * c).z);
  const auto at_depth = [&](double depth) {
    const Pose pose{on_corner, {0.1, 0.2, 1 - lowest - depth}};
    return hull_depth(CorePair(box, {}, box, pose), hull, hull);
  };
  // As much as the bounds are apart, twice, is the least that is answered: a quarter of 1e-12 of the size.
  const double error = 0.25e-12 * CorePair(box, {}, box, Pose::at({0.1, 0.2, 1 - lowest})).size();
  for (const double depth : {0.0, 1e-15, 1e-14, -1e-15, -1e-14, 0.5 * error, 1.5 * error})
    EXPECT_FALSE(at_depth(depth)) << depth;
  for (const double depth : {2.5 * error, 1e-3}) {
    ASSERT_TRUE(at_depth(depth)) << depth;
    EXPECT_NEAR(at_depth(depth)->upper, depth, 4 * tolerance::epsilon);
    EXPECT_GT(at_depth(depth)->lower, 0);
  }
}

} // namespace
} // namespace carom
