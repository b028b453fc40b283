#include "carom/motion/polyhedral_rotation.h"

#include "tests/motion/polyhedral_primitive_cases.h"
#include "tests/support/property.h"

namespace carom {
namespace {

using namespace test;

constexpr int steps = 400;
constexpr double margin =
    5e-3; // the oracle goes along chords: (pi / 400)^2 / 8 of the radius off, and more where it grazes

ExpelZone any_zone(Source& source) {
  return ExpelZone::of(2, 4, source.chance(2) ? 0 : source.uniform(1e-4, 0.01));
}
Vec3 turned(const Vec3& p, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {c * p.x - s * p.y, s * p.x + c * p.y, p.z};
}

/// As for translations; times of the oracle are shares of `angle`, those of the hit tan(angle / 2).
template<class DistanceAt, class GapAt>
void check(const ZoneHit& hit, const std::vector<Crossing>& seen, double angle,
           const ExpelZone& zone, DistanceAt&& distance_at, GapAt&& gap_at) {
  const double at = 2 * std::atan(hit.at);
  for (const Crossing& c : seen) {
    if (c.inside < margin) continue;
    EXPECT_TRUE(hit.hit) << "missed at " << c.time * angle;
    EXPECT_LE(at, (c.time + 1.0 / steps) * angle);
  }
  if (!hit.hit) return;
  EXPECT_GE(hit.at, 0);
  EXPECT_LE(at, angle * (1 + 1e-15));
  EXPECT_GE(hit.meet, hit.at);
  EXPECT_NEAR(length(hit.normal), 1, 1e-14);
  const double d = distance_at(at);
  EXPECT_LE(d, zone.thickness + 2 * zone.rounding);
  // Not later than that; but where it came into the zone from the side, and rose, at the top.
  if (hit.at > 0 && d < zone.thickness * 0.998) {
    const double h = 1e-4, top = std::fabs(gap_at(at));
    EXPECT_GE(top, std::fabs(gap_at(at - h)) - 1e-12);
    EXPECT_GE(top, std::fabs(gap_at(at + h)) - 1e-12);
  }
  EXPECT_LE(distance_at(2 * std::atan(hit.meet)), zone.thickness);
}

double any_angle(Source& source) {
  return source.chance(4) ? std::numbers::pi : source.uniform(0.01, 3.1);
}
double end_of(double angle) { return angle == std::numbers::pi ? INFINITY : std::tan(angle / 2); }

TEST(PolyhedralRotation, VertexPolygonAgreesWithSmallSteps) {
  int hits = 0;
  for_each_seed(fewer_when_sanitized(20000), [&](Source& source) {
    const PolygonCase p = polygon_case(source);
    const Vec3 at = any_vector(source, 0, 2);
    const double angle = any_angle(source);
    const ExpelZone zone = any_zone(source);
    const ZoneHit hit = rotate_vertex_polygon(at, p.view(), zone, false, end_of(angle));
    hits += hit.hit ? 1 : 0;
    check(
        hit, crossings([&](double t) { return turned(at, t * angle); }, p, steps), angle, zone,
        [&](double a) { return closest_point(turned(at, a), Polygon{p.corners}).distance; },
        [&](double a) { return p.plane.signed_distance(turned(at, a)); });
  });
  EXPECT_GT(hits, 30);
}

TEST(PolyhedralRotation, PolygonVertexAgreesWithSmallSteps) {
  int hits = 0;
  for_each_seed(fewer_when_sanitized(20000), [&](Source& source) {
    const PolygonCase p = polygon_case(source);
    const Vec3 at = any_vector(source, 0, 2);
    const double angle = any_angle(source);
    const ExpelZone zone = any_zone(source);
    const ZoneHit hit = rotate_polygon_vertex(p.view(), at, zone, false, end_of(angle));
    hits += hit.hit ? 1 : 0;
    check(
        hit, crossings([&](double t) { return turned(at, -t * angle); }, p, steps), angle, zone,
        [&](double a) { return closest_point(turned(at, -a), Polygon{p.corners}).distance; },
        [&](double a) { return p.plane.signed_distance(turned(at, -a)); });
  });
  EXPECT_GT(hits, 30);
}

TEST(PolyhedralRotation, EdgeEdgeAgreesWithSmallSteps) {
  int hits = 0, second = 0;
  for_each_seed(fewer_when_sanitized(20000), [&](Source& source) {
    const EdgeView still = edge_case(source), moving = edge_case(source);
    const double angle = any_angle(source);
    const ExpelZone zone = any_zone(source);
    const ZoneHit hit = rotate_edge_edge(moving, still, zone, end_of(angle));
    const auto placed = [&](double a) {
      return EdgeView{turned(moving.from, a), turned(moving.to, a), {}};
    };
    const auto seen = crossings([&](double t) { return placed(t * angle); }, still, steps);
    check(
        hit, seen, angle, zone,
        [&](double a) {
          const EdgeView e = placed(a);
          return closest_points(Segment{e.from, e.to}, Segment{still.from, still.to}).distance;
        },
        [&](double a) {
          const EdgeView e = placed(a);
          return dot(cross(e.to - e.from, still.to - still.from), e.from - still.from);
        });
    hits += hit.hit ? 1 : 0;
    second += seen.size() == 2 && seen[0].inside < -margin && seen[1].inside > margin ? 1 : 0;
  });
  EXPECT_GT(hits, 30);
  EXPECT_GT(second, 4); // in bounds at the second root only: both must be tested
}

const PolygonCase wall = [] { // in the plane y = 0, front toward +y, x from 1 to 3
  PolygonCase p;
  p.corners = {{1, 0, -1}, {1, 0, 1}, {3, 0, 1}, {3, 0, -1}};
  p.plane = {{0, 1, 0}, 0};
  return p;
}();
const ExpelZone tenth = ExpelZone::of(1, 2, 0.1);

/// The angle at which a vertex at radius 2, at this angle now, stops; -1 where it does not.
double stop(double from, double angle, double z = 0) {
  const ZoneHit hit =
      rotate_vertex_polygon(turned({2, 0, z}, from), wall.view(), tenth, false, end_of(angle));
  return hit.hit ? 2 * std::atan(hit.at) : -1;
}

TEST(PolyhedralRotation, FromTheBackAroundToTheFront) {
  // Behind the plane at the start (below y = 0 on the far side), over the top, and onto the front.
  EXPECT_LT(turned({2, 0, 0}, -3 * std::numbers::pi / 4).y, 0);
  const double pi = std::numbers::pi;
  // Counter-clockwise from -135 degrees the wall is met from behind, at 0 degrees: not a hit.
  EXPECT_EQ(stop(-0.75 * pi, 0.9 * pi), -1);
  // A wall on the other side, whose front looks to -y, is met from behind too; the one that looks to -y at positive x is met from its front.
  PolygonCase back = wall;
  std::reverse(back.corners.begin(), back.corners.end());
  back.plane = {{0, -1, 0}, 0};
  const ZoneHit hit = rotate_vertex_polygon(turned({2, 0, 0}, -0.75 * pi), back.view(), tenth,
                                            false, end_of(0.9 * pi));
  ASSERT_TRUE(hit.hit);
  EXPECT_NEAR(2 * std::atan(hit.at), 0.75 * pi - std::asin(0.05), 1e-3);
}

/// Near the axis' far side: a polygon in the plane y = -1.95, front up, around x = 0.
PolygonCase floor_case(double y) {
  PolygonCase p;
  p.corners = {{-3, y, -1}, {-3, y, 1}, {3, y, 1}, {3, y, -1}};
  p.plane = {{0, 1, 0}, y};
  return p;
}
double stop_on_floor(double y, double from, double angle) {
  const PolygonCase p = floor_case(y);
  const ZoneHit hit =
      rotate_vertex_polygon(turned({2, 0, 0}, from), p.view(), tenth, false, end_of(angle));
  return hit.hit ? 2 * std::atan(hit.at) : -1;
}

TEST(PolyhedralRotation, FigureTwoStopsAtOnce) {
  // In the zone and going down: the vertex at radius 2 is at y = -1.9 when its angle is asin(-0.95).
  const double here = std::asin(-0.95);
  EXPECT_EQ(stop_on_floor(-1.95, -std::numbers::pi - here, 0.5), 0);
}

TEST(PolyhedralRotation, FigureThreeRisesToTheTop) {
  // The top of the circle, y = 2, is in the zone of a floor at y = 1.95: up to the top, no farther.
  const double top = std::numbers::pi / 2;
  EXPECT_NEAR(stop_on_floor(1.95, top - 0.1, 1), 0.1, 1e-12);
  EXPECT_NEAR(stop_on_floor(1.95, top, 1), 0, 1e-15);
  EXPECT_EQ(stop_on_floor(1.95, top + 0.1, 1), 0);
  EXPECT_EQ(stop_on_floor(1.95, top - 0.1, 0.09), -1); // it ends before
}

TEST(PolyhedralRotation, FigureFourLeavesAndCollides) {
  // From the zone of a floor at y = 1, up, out of it, and down onto it again.
  const double low = std::asin(0.52), zone = std::asin(0.55);
  EXPECT_NEAR(stop_on_floor(1, low, 3), std::numbers::pi - zone - low, 1e-9);
  EXPECT_EQ(stop_on_floor(1, low, 1), -1);
}

TEST(PolyhedralRotation, EntryAfterComingFromBehindItsPlane) {
  // Behind the plane y = 1 at the start, through it from behind, down onto its front.
  EXPECT_NEAR(stop_on_floor(1, 0, 3), std::numbers::pi - std::asin(0.55), 1e-9);
}

TEST(PolyhedralRotation, NearHalfATurn) {
  // Met at just under half a turn, at half a turn, and not yet: a floor at y = 0, from (2, 0).
  const double e = std::asin(0.05);
  for (const double less : {0.2, 1e-3, 1e-6, 0.0}) {
    EXPECT_NEAR(stop_on_floor(0, 0, std::numbers::pi - e + 1e-9), std::numbers::pi - e, 1e-9);
    EXPECT_EQ(stop_on_floor(0, 0, std::numbers::pi - e - less - 1e-9), -1);
  }
  EXPECT_NEAR(stop_on_floor(0, 0, std::numbers::pi), std::numbers::pi - e, 1e-9);
}

TEST(PolyhedralRotation, LinearCaseHasHalfTheRoot) {
  // a = v0 - v2 = 0: the root is -c / (2 b). v0 = v2 = 1, v1 = -2: 2 - 4 r = 0.
  TurningGap gap;
  ASSERT_TRUE(TurningGap::find(1, -2, 1, 0, 0, 1e-9, INFINITY, gap));
  EXPECT_NEAR(gap.meet, 0.5, 1e-15);
  // a = b = 0, c != 0: only at half a turn.
  ASSERT_TRUE(TurningGap::find(1, 0, 1, 0, 0, 1e-9, INFINITY, gap));
  EXPECT_EQ(gap.meet, INFINITY);
  // Nothing changes: no root, whatever the value.
  EXPECT_FALSE(TurningGap::find(1, 0, 0, 0, 0, 1e-9, INFINITY, gap));
  EXPECT_FALSE(TurningGap::find(0, 0, 0, 0, 0, 1e-9, INFINITY, gap));
}

TEST(PolyhedralRotation, EnteringRootIsTheFallingOne) {
  for_each_seed(20000, [](Source& source) {
    const double v0 = source.uniform(-1, 1);
    const double v1 = source.uniform(-1, 1);
    const double v2 = source.uniform(-1, 1);
    const double e = source.uniform(0, 0.3);
    TurningGap gap;
    const auto value = [&](double angle) {
      return v0 + v2 * std::cos(angle) + v1 * std::sin(angle);
    };
    double falls = -1; // the oracle: where it falls through 0, in (0, pi)
    for (int i = 0; i < 2000; ++i) {
      const double a = i * std::numbers::pi / 2000, b = (i + 1) * std::numbers::pi / 2000;
      if (value(a) >= 0 && value(b) < 0) falls = a;
    }
    const bool found = TurningGap::find(v0, v1, v2, 0, 0, e, INFINITY, gap);
    if (falls >= 0) {
      ASSERT_TRUE(found);
      EXPECT_NEAR(2 * std::atan(gap.meet), falls, std::numbers::pi / 1000);
    }
    if (!found) return;
    // From low on it only falls; at low it is e, or as high as it gets, or at the start.
    const double low = 2 * std::atan(gap.low), meet = 2 * std::atan(gap.meet);
    EXPECT_LE(low, meet);
    EXPECT_NEAR(value(meet), 0, 1e-12);
    double last = value(low);
    EXPECT_LE(last, gap.low > 0 ? e + 1e-12 : INFINITY);
    for (int i = 1; i <= 50; ++i) {
      const double now = value(low + (meet - low) * i / 50);
      EXPECT_LE(now, last + 1e-12);
      last = now;
    }
  });
}

TEST(PolyhedralRotation, AxisAtRightAnglesToThePlaneAndVertexOnTheAxis) {
  PolygonCase p;
  p.corners = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
  p.plane = {{0, 0, 1}, 0};
  for (const double z : {0.0, 0.05, 1.0}) {
    EXPECT_FALSE(rotate_vertex_polygon({0.5, 0, z}, p.view(), tenth, false, INFINITY).hit);
    EXPECT_FALSE(rotate_vertex_polygon({0, 0, z}, p.view(), tenth, false, INFINITY).hit);
  }
  EXPECT_EQ(stop(0.3, 3, 0) < 0, true);
  EXPECT_FALSE(rotate_vertex_polygon({0, 0, 0.5}, wall.view(), tenth, false, INFINITY).hit);
}

TEST(PolyhedralRotation, HalfTurnsAreExact) {
  EXPECT_EQ(ZTurn(INFINITY)({1, 2, 3}), (Vec3{-1, -2, 3}));
  EXPECT_EQ(ZTurn(0)({1, 2, 3}), (Vec3{1, 2, 3}));
  EXPECT_EQ(ZTurn(1)({1, 2, 3}), (Vec3{-2, 1, 3}));
  EXPECT_EQ(ZTurn(1).back({-2, 1, 3}), (Vec3{1, 2, 3}));
}

} // namespace
} // namespace carom
