// The lanes of the depth of small hulls against one at a time.
#include "carom/query/arc_lanes.h"

#include "carom/math/tolerance.h"
#include "carom/shape/polytope.h"
#include "tests/support/generate.h"
#include "tests/support/property.h"

#include <array>
#include <cmath>
#include <vector>

namespace carom {
namespace {

using test::Source;

Polytope random_polytope(Source& source) {
  std::vector<Vec3> p;
  const int points = 4 + source.index(40);
  for (int i = 0; i < points; ++i) p.push_back(test::direction(source));
  return Polytope(convex_hull(p).value());
}

// Of equals the lowest, as Polytope has it: the corners of a box, seen along its axes.
TEST(ArcLanes, FarthestIsThatOfAScan) {
  const ArcLanes lanes = ArcLanes::widest();
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i)
    corners.push_back({i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0});
  const Polytope box(convex_hull(corners).value());
  test::for_each_seed(test::fewer_when_sanitized(2000), [&](Source& source) {
    const bool boxes = source.chance(2);
    const Polytope p = boxes ? box : random_polytope(source);
    DirectionBlock d;
    std::array<Vec3, 8> directions;
    for (std::size_t k = 0; k < 8; ++k) {
      directions[k] = test::direction(source);
      const Vec3 axis = unit_axis(source.index(3));
      const bool back = source.chance(2);
      if (source.chance(2)) directions[k] = back ? -axis : axis;
      d.x[k] = directions[k].x;
      d.y[k] = directions[k].y;
      d.z[k] = directions[k].z;
    }
    std::array<std::uint32_t, 8> farthest;
    lanes.find_farthest(d, p.vertices().data(), p.vertices().size(), farthest.data());
    for (std::size_t k = 0; k < 8; ++k) EXPECT_EQ(farthest[k], p.farthest(directions[k]));
  });
}

// Along the normals, and along the arcs between two faces, a hull and a ball inside the other one reach no less far than the bounds say; also where the ball is beyond the faces.
TEST(ArcLanes, BoundsOfFacesHoldForTheArcsBetween) {
  const ArcLanes lanes = ArcLanes::widest();
  test::for_each_seed(test::fewer_when_sanitized(2000), [&](Source& source) {
    const Polytope p = random_polytope(source);
    const GaussArcs& map = p.arcs();
    if (map.arcs.empty()) return;
    const double far = source.uniform(0, 3);
    const double radius = source.uniform(0, 3);
    const Sphere ball{test::direction(source) * far, radius};
    const double rounding = 8 * tolerance::epsilon * (1 + far);
    alignas(64) std::array<double, (Polytope::most_faces + 7) / 8 * 8> bounds;
    const std::uint32_t first = lanes.bound_faces(map.face_blocks.data(), map.face_blocks.size(),
                                                  ball, rounding, bounds.data());
    const ConvexHull& hull = p.hull();
    for (std::uint32_t h = 0; h < hull.twin.size(); ++h) {
      const std::uint32_t f = hull.face[h];
      const std::uint32_t g = hull.face[hull.twin[h]];
      EXPECT_LE(bounds[first], bounds[f]);
      EXPECT_EQ(map.arc_of[h], map.arc_of[hull.twin[h]]);
      const GaussArcs::Arc& arc = map.arcs[map.arc_of[h]];
      EXPECT_TRUE((arc.left == p.planes()[f].normal && arc.right == p.planes()[g].normal) ||
                  (arc.left == p.planes()[g].normal && arc.right == p.planes()[f].normal));
      const double share = source.uniform(0, 1);
      const Vec3 n = normalized(p.planes()[f].normal * share + p.planes()[g].normal * (1 - share));
      const double reach = dot(n, p.vertices()[p.farthest(n)] - ball.center) + radius;
      // The bound is lowered by a rounding, so this needs no tolerance.
      EXPECT_GE(reach, std::min(bounds[f], bounds[g]));
    }
  });
}

} // namespace
} // namespace carom
