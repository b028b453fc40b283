// The checker of curves finds what is wrong with an answer that was right.
#include "carom/verify/check_intersection.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

using namespace carom;

namespace {

struct Triangles {
  std::vector<Vec3> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;

  [[nodiscard]] verify::PlacedTriangles placed() const { return {vertices, triangles}; }
};

/// Two triangles, and one that lies in the first of them.
const Triangles square{{{-2, -2, 0}, {2, -2, 0}, {2, 2, 0}, {-2, 2, 0}}, {{0, 1, 2}, {0, 2, 3}}};
const Triangles flat{{{1, 0, 0}, {1, -1, 0}, {1.5, -1, 0}}, {{0, 1, 2}}};

constexpr double tolerance = 1e-14;

TrianglePartPair pair(std::uint32_t a, std::uint32_t b) { return {{a}, {b}}; }

/// Of one segment, by hand: the square's first triangle and an upright one.
const Triangles upright{{{1, -1, -1}, {1, -1, 1}, {1, 1, 0}}, {{0, 1, 2}}};
SurfaceIntersection one_segment() {
  return {{{{{1, -1, 0}, {1, 1, 0}}, {pair(0, 0)}, false}}, {}, {}};
}
verify::Verdict check(const SurfaceIntersection& answer) {
  return verify::check_intersection(square.placed(), upright.placed(), answer, tolerance);
}

} // namespace

TEST(CheckIntersection, AcceptsWhatIsRight) {
  const verify::Verdict v = check(one_segment());
  EXPECT_TRUE(v) << v.why;
}

TEST(CheckIntersection, RefusesASegmentThatIsMissingTwiceOrElsewhere) {
  EXPECT_FALSE(check({}));
  SurfaceIntersection twice = one_segment();
  twice.curves.push_back(twice.curves[0]);
  EXPECT_FALSE(check(twice));
  SurfaceIntersection moved = one_segment();
  moved.curves[0].points[1].y += 1e-9;
  EXPECT_FALSE(check(moved));
  SurfaceIntersection nan = one_segment();
  nan.curves[0].points[1].y = NAN;
  EXPECT_FALSE(check(nan));
  SurfaceIntersection other = one_segment();
  other.curves[0].triangles[0].a.element = 1; // does not meet it
  EXPECT_FALSE(check(other));
  other.curves[0].triangles[0].a.element = 7; // does not exist
  EXPECT_FALSE(check(other));
  SurfaceIntersection closed = one_segment();
  closed.curves[0].closed = true;
  EXPECT_FALSE(check(closed));
}

TEST(CheckIntersection, RefusesACurveThatEndsWhereItShouldGoOn) {
  // Across the diagonal of the square: two segments, which must be one curve.
  const Triangles across{{{1, -1, -1}, {1, -1, 1}, {1, 1.5, 0}}, {{0, 1, 2}}};
  const auto verdict = [&](const SurfaceIntersection& answer) {
    return verify::check_intersection(square.placed(), across.placed(), answer, tolerance);
  };
  const SurfaceIntersection one{
      {{{{1, -1, 0}, {1, 1, 0}, {1, 1.5, 0}}, {pair(0, 0), pair(1, 0)}, false}}, {}, {}};
  EXPECT_TRUE(verdict(one)) << verdict(one).why;
  const SurfaceIntersection two{{{{{1, -1, 0}, {1, 1, 0}}, {pair(0, 0)}, false},
                                 {{{1, 1, 0}, {1, 1.5, 0}}, {pair(1, 0)}, false}},
                                {},
                                {}};
  EXPECT_FALSE(verdict(two));
  // Joined at the wrong ends.
  const SurfaceIntersection crossed{
      {{{{1, 1, 0}, {1, -1, 0}, {1, 1.5, 0}}, {pair(0, 0), pair(1, 0)}, false}}, {}, {}};
  EXPECT_FALSE(verdict(crossed));
}

TEST(CheckIntersection, AnAreaIsListedOnceWithItsCorners) {
  const auto verdict = [&](const SurfaceIntersection& answer) {
    return verify::check_intersection(square.placed(), flat.placed(), answer, tolerance);
  };
  const SurfaceIntersection right{
      {}, {}, {{pair(0, 0), 3, {Vec3{1.5, -1, 0}, Vec3{1, -1, 0}, Vec3{1, 0, 0}}}}};
  EXPECT_TRUE(verdict(right)) << verdict(right).why;
  EXPECT_FALSE(verdict({}));
  SurfaceIntersection wrong = right;
  wrong.overlaps.push_back(wrong.overlaps[0]);
  EXPECT_FALSE(verdict(wrong));
  wrong = right;
  wrong.overlaps[0].points[2] = {1, -0.5, 0};
  EXPECT_FALSE(verdict(wrong));
  wrong = right;
  wrong.overlaps[0].triangles.a.element = 1;
  EXPECT_FALSE(verdict(wrong));
}

TEST(CheckIntersection, APointIsListedSomewhere) {
  const Triangles touching{{{1, -1, 0}, {1, -1, 1}, {1, 1, 1}}, {{0, 1, 2}}};
  const auto verdict = [&](const SurfaceIntersection& answer) {
    return verify::check_intersection(square.placed(), touching.placed(), answer, tolerance);
  };
  const SurfaceIntersection right{{}, {{{1, -1, 0}, pair(0, 0)}}, {}};
  EXPECT_TRUE(verdict(right)) << verdict(right).why;
  EXPECT_FALSE(verdict({}));
  EXPECT_FALSE(verdict({{}, {{{1, -1, 1e-9}, pair(0, 0)}}, {}}));
  EXPECT_FALSE(verdict({{}, {{{1, -1, 0}, pair(1, 0)}}, {}}));
}
