#include "carom/geometry/clip_polygon.h"

#include "carom/math/tolerance.h"
#include "tests/geometry/exact_oracle.h"
#include "tests/support/generate_geometry.h"
#include "tests/support/property.h"

#include <algorithm>
#include <cstring>

using namespace carom;
using namespace carom::test;

namespace {

constexpr double eps = tolerance::epsilon;

Vec3 area(const std::vector<Vec3>& ring) {
  Vec3 sum;
  for (std::size_t i = 1; i + 1 < ring.size(); ++i)
    sum += cross(ring[i] - ring[0], ring[i + 1] - ring[0]);
  return sum * 0.5;
}
double reach(const std::vector<Vec3>& ring) {
  double r = 0;
  for (const Vec3& p : ring) r = std::max(r, max_abs(p));
  return r;
}

} // namespace

TEST(ClipPolygon, PartsAddUpAndKeepToTheirSide) {
  int straddling = 0;
  for_each_seed(10'000, [&](Source& source) {
    std::vector<Vec3> polygon = carom::test::polygon(source).corners;
    Plane plane = unit_plane(source);
    if (source.chance(2))
      plane.offset = dot(plane.normal, lerp(polygon.front(), polygon.back(), source.unit()));
    const double size = std::max(reach(polygon), 1.0),
                 thickness = source.chance(2) ? 0 : 4 * eps * size;
    std::vector<Vec3> front, back, inside;
    const PolygonCut cut = split_polygon(polygon, plane, thickness, front, back);
    clip_polygon(polygon, {plane.normal, plane.offset}, thickness, inside);
    ASSERT_EQ(inside, back);
    ASSERT_LE(cut.crossings, 2);
    const double slack = thickness + 8 * eps * size;
    for (const Vec3& p : front) ASSERT_GE(plane.signed_distance(p), -slack);
    for (const Vec3& p : back) ASSERT_LE(plane.signed_distance(p), slack);
    if (cut.side == PlaneSide::straddling) {
      ++straddling;
      // Corners on the plane are in both parts, and may be off it by the thickness and some roundings; the flatter the angle between the
      // polygon and the plane, the farther they lie from the cut.
      double low = INFINITY, high = -INFINITY;
      for (const Vec3& p : polygon) {
        low = std::min(low, plane.signed_distance(p));
        high = std::max(high, plane.signed_distance(p));
      }
      const double flat = size / (high - low);
      ASSERT_LE(length(area(front) + area(back) - area(polygon)), 32 * eps * size * size * flat);
      ASSERT_EQ(cut.crossings, 2);
    } else {
      const bool to_front = cut.side != PlaneSide::back, to_back = cut.side != PlaneSide::front;
      ASSERT_EQ(front, to_front ? polygon : std::vector<Vec3>{});
      ASSERT_EQ(back, to_back ? polygon : std::vector<Vec3>{});
    }
  });
  EXPECT_GT(straddling, 2000);
}

// Two triangles share an edge and run through it in opposite directions. A cut computed from the start of the edge
// to its end differs between them in the last bits.
TEST(ClipPolygon, SharedEdgesAreCutAtTheSamePoint) {
  int cracks_of_the_naive = 0;
  for_each_seed(20'000, [&](Source& source) {
    const Vec3 a = vec3(source), b = vec3(source), c = vec3(source), d = vec3(source);
    const Plane plane = unit_plane(source);
    const std::vector<Vec3> one{a, b, c}, two{b, a, d};
    std::vector<Vec3> front[2], back[2];
    split_polygon(one, plane, 0, front[0], back[0]);
    split_polygon(two, plane, 0, front[1], back[1]);
    const double da = plane.signed_distance(a), db = plane.signed_distance(b);
    if (!(da * db < 0)) return;
    const Vec3 shared = da > 0 ? cut_edge(a, b, plane) : cut_edge(b, a, plane);
    for (const auto& part : {front[0], front[1], back[0], back[1]}) {
      const bool found = std::any_of(part.begin(), part.end(), [&](const Vec3& p) {
        return std::memcmp(&p, &shared, sizeof p) == 0; // to the bit
      });
      ASSERT_TRUE(found);
    }
    const Vec3 there = a + (b - a) * (da / (da - db)), back_again = b + (a - b) * (db / (db - da));
    cracks_of_the_naive += !(there == back_again);
  });
  EXPECT_GT(cracks_of_the_naive, 100) << "the wrong rule makes cracks";
}

TEST(ClipPolygon, CutPointIsOnTheEdgeAndThePlane) {
  for_each_seed(10'000, [](Source& source) {
    const double s = scale(source);
    const Vec3 o = offset(source), a = (vec3(source) + o) * s, b = (vec3(source) + o) * s;
    Plane plane = unit_plane(source);
    plane.offset = dot(plane.normal, lerp(a, b, source.unit()));
    const bool a_in_front = plane.signed_distance(a) > plane.signed_distance(b);
    const Vec3 p = a_in_front ? cut_edge(a, b, plane) : cut_edge(b, a, plane);
    const double size = std::max(max_abs(a), max_abs(b));
    ASSERT_LE(std::fabs(plane.signed_distance(p)), 8 * eps * size);
    ASSERT_EQ(max(p, max(a, b)), max(a, b));
    ASSERT_EQ(min(p, min(a, b)), min(a, b));
  });
}

// A plane one ulp from the lower end, where t rounds to 1: a + (b - a) 1 is not b, and may lie beyond it.
TEST(ClipPolygon, CutPointStaysInTheBoxAtTheVeryEnd) {
  int beyond = 0;
  for_each_seed(2'000, [&](Source& source) {
    const Vec3 a{source.unit(), source.unit(), source.unit()}, b = vec3(source) - Vec3{2, 0, 0};
    const Plane plane{{1, 0, 0}, std::nextafter(b.x, INFINITY)};
    const Vec3 p = cut_edge(a, b, plane), straight = a + (b - a);
    beyond += !(max(straight, max(a, b)) == max(a, b) && min(straight, min(a, b)) == min(a, b));
    ASSERT_EQ(max(p, max(a, b)), max(a, b));
    ASSERT_EQ(min(p, min(a, b)), min(a, b));
  });
  EXPECT_GT(beyond, 100) << "without a clamp it is outside";
}

// Also at the same height, where there is nothing to divide by.
TEST(ClipPolygon, EndsOnTheSameSideGiveOneOfThem) {
  const Vec3 a{0, 0, 1}, higher{5, 0, 2}, level{5, 0, 1};
  for (const Vec3& b : {higher, level}) {
    for (const double offset : {0.0, 1.0, 2.0, 3.0}) {
      const Plane plane{{0, 0, 1}, offset};
      for (const Vec3& p : {cut_edge(a, b, plane), cut_edge(b, a, plane)}) {
        EXPECT_TRUE(p == a || p == b) << offset;
      }
    }
  }
}

TEST(ClipPolygon, WhatWasInTheOutputIsGone) {
  const std::vector<Vec3> square{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  std::vector<Vec3> front(3), back(3), inside(3);
  split_polygon(square, {{1, 0, 0}, 0.5}, 0, front, back);
  clip_polygon(square, {{1, 0, 0}, 0.5}, 0, inside);
  EXPECT_EQ(front.size(), 4u);
  EXPECT_EQ(back.size(), 4u);
  EXPECT_EQ(inside, back);
}

TEST(ClipPolygon, CornersOnThePlaneGoToBoth) {
  const std::vector<Vec3> square{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  std::vector<Vec3> front, back;
  const Plane diagonal = make_plane({0, 0, 0}, {1, -1, 0});
  EXPECT_EQ(split_polygon(square, diagonal, 1e-12, front, back).crossings, 2);
  EXPECT_EQ(front, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}));
  EXPECT_EQ(back, (std::vector<Vec3>{{0, 0, 0}, {1, 1, 0}, {0, 1, 0}}));
  // Touching along an edge: nothing on the other side.
  EXPECT_EQ(split_polygon(square, {{1, 0, 0}, 0}, 0, front, back).side, PlaneSide::front);
  EXPECT_EQ(front.size(), 4u);
  EXPECT_TRUE(back.empty());
  // Within the plane's thickness: no sliver is cut off.
  EXPECT_EQ(split_polygon(square, {{1, 0, 0}, 0.01}, 0.02, front, back).side, PlaneSide::front);
  EXPECT_TRUE(back.empty());
  EXPECT_EQ(split_polygon(square, {{0, 0, 1}, 0}, 0, front, back).side, PlaneSide::on);
  EXPECT_EQ(front, square);
  EXPECT_EQ(back, square);
  EXPECT_EQ(split_polygon({}, {{0, 0, 1}, 0}, 0, front, back).side, PlaneSide::on);
  EXPECT_TRUE(front.empty());
}

// Wherever the outline begins: at a corner on the plane, before or after one.
TEST(ClipPolygon, TwoCrossingsFromEveryFirstCorner) {
  std::vector<Vec3> square{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, front, back;
  for (int i = 0; i < 4; ++i) {
    std::rotate(square.begin(), square.begin() + 1, square.end());
    for (const double facing : {1.0, -1.0}) {
      const Plane diagonal = make_plane({0, 0, 0}, {facing, -facing, 0});
      EXPECT_EQ(split_polygon(square, diagonal, 1e-12, front, back).crossings, 2) << i;
      EXPECT_EQ(front.size(), 3u);
      EXPECT_EQ(back.size(), 3u);
    }
  }
}

TEST(ClipPolygon, ThePlaneIsThickOnBothSides) {
  const Plane plane{{0, 0, 1}, 1};
  EXPECT_EQ(classify({0, 0, 1.5}, plane, 0.5), PlaneSide::on);
  EXPECT_EQ(classify({0, 0, 0.5}, plane, 0.5), PlaneSide::on);
  EXPECT_EQ(classify({0, 0, 1.5 + eps}, plane, 0.5), PlaneSide::front);
  EXPECT_EQ(classify({0, 0, 0.5 - eps}, plane, 0.5), PlaneSide::back);
}

// An end on the plane is the cut, to the bit: a + (b - a) 1 is not always b.
TEST(ClipPolygon, AnEndOnThePlaneIsTheCut) {
  for_each_seed(500, [](Source& source) {
    const Vec3 a = vec3(source), b = vec3(source);
    const Plane through_b{{a.x < b.x ? -1.0 : 1.0, 0, 0}, a.x < b.x ? -b.x : b.x};
    const Plane through_a{through_b.normal, dot(through_b.normal, a)};
    if (a.x == b.x) return;
    EXPECT_EQ(cut_edge(a, b, through_b), b);
    EXPECT_EQ(cut_edge(a, b, through_a), a);
  });
}

// A comb cut across its teeth: one ring, hanging together along the plane, of the right area; and it says so.
TEST(ClipPolygon, ConcaveStaysOneRing) {
  const std::vector<Vec3> comb{{0, 0, 0}, {5, 0, 0}, {5, 2, 0}, {4, 2, 0},
                               {4, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}};
  std::vector<Vec3> front, back;
  EXPECT_EQ(split_polygon(comb, {{0, 1, 0}, 1.5}, 0, front, back).crossings, 4);
  EXPECT_EQ(area(front).z, 1);
  EXPECT_EQ(area(back).z, 6);
  EXPECT_EQ(split_polygon(comb, {{0, 1, 0}, 0.5}, 0, front, back).crossings,
            2); // below the teeth: simple
  EXPECT_EQ(area(back).z, 2.5);
}
