// The depth of small hulls by all faces of their difference, against the expanding polytope.
#include "carom/query/hull_depth.h"

#include "carom/query/signed_distance.h"
#include "carom/verify/check_query.h"
#include "carom/verify/shape.h"
#include "tests/support/generate.h"
#include "tests/support/property.h"

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

} // namespace
} // namespace carom
