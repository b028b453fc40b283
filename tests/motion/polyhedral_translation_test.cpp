#include "carom/motion/polyhedral_translation.h"

#include "tests/motion/polyhedral_primitive_cases.h"
#include "tests/support/property.h"

namespace carom {
namespace {

using namespace test;

constexpr int steps = 400;
/// The oracle's bounds are those of exact features: within this of their borders it has no opinion.
constexpr double margin = 1e-3;

ExpelZone any_zone(Source& source) {
  return ExpelZone::of(2, 4, source.chance(2) ? 0 : source.uniform(1e-4, 0.01));
}

/// What every hit must be, and that none is missed.
template<class DistanceAt>
void check(const ZoneHit& hit, const std::vector<Crossing>& seen, const ExpelZone& zone,
           DistanceAt&& distance_at) {
  for (const Crossing& c : seen) {
    if (c.inside < margin) continue;
    EXPECT_TRUE(hit.hit) << "missed at " << c.time;
    EXPECT_LE(hit.at, c.time + 1.0 / steps);
  }
  if (!hit.hit) return;
  EXPECT_GE(hit.at, 0);
  EXPECT_LE(hit.at, 1);
  EXPECT_GE(hit.meet, hit.at);
  EXPECT_NEAR(length(hit.normal), 1, 1e-14);
  const double d = distance_at(hit.at);
  EXPECT_LE(d, zone.thickness + 2 * zone.rounding);
  // It stops as soon as it is so near, not later.
  if (hit.at > 0) {
    EXPECT_GE(d, zone.thickness * 0.998);
  }
  // And it would have met.
  if (hit.meet < 1e3) {
    EXPECT_LE(distance_at(hit.meet), 2 * zone.lateral / 0.05 + 1e-9);
  }
}

TEST(PolyhedralTranslation, VertexPolygonAgreesWithSmallSteps) {
  int hits = 0;
  for_each_seed(fewer_when_sanitized(20000), [&](Source& source) {
    const PolygonCase p = polygon_case(source);
    const Vec3 at = any_vector(source, 0, 2);
    const Vec3 v = any_vector(source, 0.01, 3);
    const ExpelZone zone = any_zone(source);
    const ZoneHit hit = translate_vertex_polygon(at, p.view(), v, zone);
    hits += hit.hit ? 1 : 0;
    check(hit, crossings([&](double t) { return at + v * t; }, p, steps), zone,
          [&](double t) { return closest_point(at + v * t, Polygon{p.corners}).distance; });
    if (hit.hit) {
      EXPECT_LT(dot(hit.normal, v), 0);
    }
  });
  EXPECT_GT(hits, 30);
}

TEST(PolyhedralTranslation, PolygonVertexIsTheReverse) {
  for_each_seed(5000, [](Source& source) {
    const PolygonCase p = polygon_case(source);
    const Vec3 at = any_vector(source, 0, 2);
    const Vec3 v = any_vector(source, 0.01, 3);
    const ExpelZone zone = any_zone(source);
    const ZoneHit hit = translate_polygon_vertex(p.view(), at, v, zone);
    check(hit, crossings([&](double t) { return at - v * t; }, p, steps), zone,
          [&](double t) { return closest_point(at - v * t, Polygon{p.corners}).distance; });
    if (hit.hit) {
      EXPECT_LT(dot(hit.normal, v), 0);
    } // still toward what moves
  });
}

TEST(PolyhedralTranslation, EdgeEdgeAgreesWithSmallSteps) {
  int hits = 0;
  for_each_seed(fewer_when_sanitized(20000), [&](Source& source) {
    const EdgeView still = edge_case(source);
    EdgeView moving = edge_case(source);
    const Vec3 off = unit_vector(source);
    moving.from += off;
    moving.to += off;
    const Vec3 v = any_vector(source, 0.01, 3);
    const ExpelZone zone = any_zone(source);
    const ZoneHit hit = translate_edge_edge(moving, still, v, zone);
    hits += hit.hit ? 1 : 0;
    const auto placed = [&](double t) {
      return EdgeView{moving.from + v * t, moving.to + v * t, {}};
    };
    check(hit, crossings(placed, still, steps), zone, [&](double t) {
      const EdgeView e = placed(t);
      return closest_points(Segment{e.from, e.to}, Segment{still.from, still.to}).distance;
    });
    if (hit.hit) {
      EXPECT_LT(dot(hit.normal, v), 0);
    }
  });
  EXPECT_GT(hits, 30);
}

const PolygonCase square = [] {
  PolygonCase p;
  p.corners = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  p.plane = {{0, 0, 1}, 0};
  return p;
}();
const ExpelZone tenth = ExpelZone::of(1, 2, 0.1);

TEST(PolyhedralTranslation, ZoneOfAPolygon) {
  const auto from = [](double height, double down) {
    return translate_vertex_polygon({0.5, 0.5, height}, square.view(), {0, 0, -down}, tenth);
  };
  EXPECT_NEAR(from(1.1, 2).at, 0.5, 1e-12);    // at the zone: (alpha - e) / -beta
  EXPECT_NEAR(from(1.1, 2).meet, 0.55, 1e-12); // -alpha / beta
  EXPECT_TRUE(from(0.05, 0.001).hit);          // in the zone: not any nearer
  EXPECT_EQ(from(0.05, 0.001).at, 0);
  EXPECT_FALSE(from(0.05, -1).hit);  // outward: free
  EXPECT_FALSE(from(0.05, 0).hit);   // not at all: nothing
  EXPECT_FALSE(from(-0.05, 1).hit);  // behind: no hit
  EXPECT_FALSE(from(-0.05, -1).hit); // through from behind: no hit
  EXPECT_TRUE(from(-1e-15, 1).hit);  // behind by a rounding: in doubt, in the zone
  EXPECT_FALSE(from(1.1, 0.5).hit);  // does not come so far
  EXPECT_TRUE(from(1.1, 1.05).hit);  // into the zone, without meeting
}

TEST(PolyhedralTranslation, ZoneIsNotFartherThanEBesideAPolygon) {
  // A long flat path: in the slab of the plane from x = -1 on, near the polygon only at its end.
  const Vec3 from{-1, 0.5, 0.05}, v{2, 0, -0.06};
  const ZoneHit hit = translate_vertex_polygon(from, square.view(), v, tenth);
  ASSERT_TRUE(hit.hit);
  EXPECT_NEAR(closest_point(from + v * hit.at, Polygon{square.corners}).distance, 0.1, 2e-4);
}

TEST(PolyhedralTranslation, BothSides) {
  const auto from = [](double height, double down, bool both) {
    return translate_vertex_polygon({0.5, 0.5, height}, square.view(), {0, 0, -down}, tenth, both);
  };
  EXPECT_FALSE(from(-1, -2, false).hit);
  const ZoneHit up = from(-1, -2, true);
  ASSERT_TRUE(up.hit);
  EXPECT_NEAR(up.at, 0.45, 1e-12);
  EXPECT_EQ(up.normal, (Vec3{0, 0, -1}));
  // On the plane itself it is in front.
  EXPECT_TRUE(from(0, 1, true).hit);
  EXPECT_FALSE(from(0, -1, true).hit);
}

TEST(PolyhedralTranslation, EdgeZoneAndPlaneOfBoth) {
  const EdgeView still{{-1, 0, 0}, {1, 0, 0}, {}}, moving{{0, -1, 1}, {0, 1, 1}, {}};
  EXPECT_NEAR(translate_edge_edge(moving, still, {0, 0, -2}, tenth).at, 0.45, 1e-12);
  EXPECT_FALSE(translate_edge_edge(moving, still, {0, 0, 2}, tenth).hit);
  // In the span of both directions: no product changes, nothing to be hit.
  const EdgeView level{{0, -1, 0.05}, {0, 1, 0.05}, {}};
  EXPECT_FALSE(translate_edge_edge(level, still, {1, 1, 0}, tenth).hit);
  // Parallel: vertices see to it.
  const EdgeView parallel{{-1, 0, 1}, {1, 0, 1}, {}};
  EXPECT_FALSE(translate_edge_edge(parallel, still, {0, 0, -2}, tenth).hit);
}

TEST(PolyhedralTranslation, SharpEdgesReachNoFarther) {
  // A blade whose faces meet at a hundredth of a radian, edge up: planes moved out by e would meet 20 e above it.
  const EdgeView blade{
      {-1, 0, 0}, {1, 0, 0}, {normalized(Vec3{0, 0.005, -1}), normalized(Vec3{0, -0.005, -1})}};
  const EdgeView bar{{0, -1, 1}, {0, 1, 1}, {Vec3{1, 0, 0}, Vec3{-1, 0, 0.0}}};
  const ZoneHit hit = translate_edge_edge(bar, blade, {0, 0, -2}, tenth);
  ASSERT_TRUE(hit.hit);
  EXPECT_NEAR(1 - 2 * hit.at, 0.1, 1e-12);
  // From below, the blade's own polygons are in the way: something else was met before.
  const EdgeView under{{0, -1, -1}, {0, 1, -1}, {}};
  EXPECT_FALSE(translate_edge_edge(under, blade, {0, 0, 2}, tenth).hit);
}

TEST(PolyhedralTranslation, DanglingEdgeStopsWhatComesInItsPlane) {
  // The border of a sheet in z = 0, y <= 0; a bar comes along y.
  const EdgeView border{{-1, 0, 0}, {1, 0, 0}, {Vec3{0, -1, 0}, Vec3{}}};
  const EdgeView bar{{0, 1, -1}, {0, 1, 1}, {}};
  const ZoneHit hit = translate_edge_edge(bar, border, {0, -2, 0}, tenth);
  ASSERT_TRUE(hit.hit);
  EXPECT_NEAR(1 - 2 * hit.at, 0.1, 1e-12);
}

PROPERTY(PolyhedralTranslation, PassingSideIsAntisymmetric) {
  const Vec3 a = vec3_at_any_scale(source);
  const Vec3 b = vec3_at_any_scale(source);
  const Vec3 p = vec3_at_any_scale(source);
  const Vec3 v = vec3(source);
  REQUIRE(passing_side(p, v, a, b) == -passing_side(p, v, b, a));
}

} // namespace
} // namespace carom
