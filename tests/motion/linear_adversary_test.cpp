// Situations with names: what other methods miss.
#include "carom/motion/edge_edge.h"
#include "carom/motion/vertex_face.h"
#include "tests/motion/linear_cases.h"
#include "tests/support/property.h"

namespace carom::test {
namespace {

MovingPoint still(const Vec3& p) { return {p, p}; }

const MovingFace big_face{still({-1, -1, 0}), still({1, -1, 0}), still({0, 1, 0})};

/// At any scale, and far away where the numbers stay exact.
template<class Check>
void at_all_places(const Check& check) {
  for (const double scale : {1.0, 0x1p-20, 0x1p20, 0x1p-60, 0x1p60}) check(scale, Vec3{});
  check(1, Vec3{0x1p20, -0x1p21, 0x1p19});
}

MovingPoint placed(const MovingPoint& p, double scale, const Vec3& away) {
  return {p.from * scale + away, p.to * scale + away};
}

LinearImpact ask_face(const MovingPoint& v, const MovingFace& f, double scale, const Vec3& away,
                      const LinearOptions& options = {}) {
  return vertex_face_impact(
      placed(v, scale, away),
      {placed(f[0], scale, away), placed(f[1], scale, away), placed(f[2], scale, away)}, options);
}
LinearImpact ask_edges(const MovingEdge& a, const MovingEdge& b, double scale, const Vec3& away) {
  return edge_edge_impact({placed(a[0], scale, away), placed(a[1], scale, away)},
                          {placed(b[0], scale, away), placed(b[1], scale, away)});
}

TEST(LinearAdversary, ThroughAFaceInOneStep) {
  at_all_places([](double scale, const Vec3& away) {
    const LinearImpact i = ask_face({{0, 0, 3}, {0, 0, -1}}, big_face, scale, away);
    EXPECT_TRUE(i.hit);
    EXPECT_LE(i.t, 0.75);
    EXPECT_GE(i.t_upper, 0.75);
    EXPECT_LE(i.t_upper - i.t, 1e-9);
    EXPECT_GT(std::fabs(i.normal.z), 1 - 1e-12);
    EXPECT_LT(i.normal.z, 0); // from the vertex, which is above
  });
}

TEST(LinearAdversary, TouchesAtTheVeryEndOrStart) {
  at_all_places([](double scale, const Vec3& away) {
    EXPECT_TRUE(ask_face({{0, 0, 1}, {0, 0, 0}}, big_face, scale, away));
    EXPECT_EQ(ask_face({{0, 0, 0}, {0, 0, 1}}, big_face, scale, away).t, 0);
    EXPECT_EQ(ask_face(still({0, 0, 0}), big_face, scale, away).t, 0);
    EXPECT_FALSE(ask_face({{0, 0, 1}, {0, 0, 0x1p-25}}, big_face, scale, away));
  });
}

TEST(LinearAdversary, SlidesIntoTheFaceWithinItsPlane) {
  at_all_places([](double scale, const Vec3& away) {
    // Into the middle of the edge from (-1, -1) to (1, -1), at t = 1/2; past a corner; and by, a hair aside of the corner.
    const LinearImpact i = ask_face({{0, -2, 0}, {0, 0, 0}}, big_face, scale, away);
    EXPECT_TRUE(i.hit);
    EXPECT_LE(i.t, 0.5);
    EXPECT_GE(i.t_upper, 0.5);
    EXPECT_TRUE(ask_face({{-1, 1, 0}, {1, 1, 0}}, big_face, scale, away));
    EXPECT_FALSE(ask_face({{-1, 1 + 0x1p-30, 0}, {1, 1 + 0x1p-30, 0}}, big_face, scale, away));
  });
}

/// A needle that passes between two faces that leave a crack of 2^-30; and one that hits the border.
TEST(LinearAdversary, NeedleThroughACrack) {
  const double crack = 0x1p-30;
  const MovingFace left{still({-1, -1, 0}), still({0, -1, 0}), still({0, 1, 0})};
  const MovingFace right{still({crack, -1, 0}), still({1, -1, 0}), still({crack, 1, 0})};
  at_all_places([&](double scale, const Vec3& away) {
    if (away != Vec3{}) return; // the crack would close
    const MovingPoint through{{crack / 2, 0, 1}, {crack / 2, 0, -1}};
    EXPECT_FALSE(ask_face(through, left, scale, away));
    EXPECT_FALSE(ask_face(through, right, scale, away));
    EXPECT_TRUE(ask_face({{0, 0, 1}, {0, 0, -1}}, left, scale, away));
    EXPECT_FALSE(ask_face({{0x1p-52, 0, 1}, {0x1p-52, 0, -1}}, left, scale, away));
    EXPECT_TRUE(ask_face({{crack, 0, 1}, {crack, 0, -1}}, right, scale, away));
  });
}

/// A vertex that runs along the border of two faces belongs to both: it cannot slip between.
TEST(LinearAdversary, NothingSlipsBetweenNeighbours) {
  for_each_seed(fewer_when_sanitized(3000), [](Source& source) {
    // Two faces with a common edge, in any position, and a vertex that crosses that edge exactly.
    const Vec3 a = dyadic_point(source);
    const Vec3 b = dyadic_point(source);
    const Vec3 c = dyadic_point(source);
    const Vec3 d = dyadic_point(source);
    const Vec3 way = dyadic_point(source);
    const Vec3 on = a + (b - a) * 0.25;
    const MovingPoint v{on - way, on + way};
    EXPECT_TRUE(vertex_face_impact(v, {still(a), still(b), still(c)}));
    EXPECT_TRUE(vertex_face_impact(v, {still(b), still(a), still(d)}));
    EXPECT_TRUE(edge_edge_impact({v, still(c)}, {still(a), still(b)}));
  });
}

TEST(LinearAdversary, EdgesThatAreParallelOrOnOneLine) {
  at_all_places([](double scale, const Vec3& away) {
    const MovingEdge a{still({0, 0, 0}), still({1, 0, 0})};
    const auto moved = [](const Vec3& p, const Vec3& by) { return MovingPoint{p, p + by}; };
    // From above, parallel all the way.
    EXPECT_TRUE(
        ask_edges(a, {moved({0.5, 0, 1}, {0, 0, -2}), moved({2, 0, 1}, {0, 0, -2})}, scale, away));
    // Beside the end of it: the lines meet, the edges do not.
    EXPECT_FALSE(
        ask_edges(a, {moved({1.5, 0, 1}, {0, 0, -2}), moved({2, 0, 1}, {0, 0, -2})}, scale, away));
    // Along the line, end to end.
    EXPECT_TRUE(
        ask_edges(a, {moved({2, 0, 0}, {-1, 0, 0}), moved({3, 0, 0}, {-1, 0, 0})}, scale, away));
    EXPECT_FALSE(ask_edges(a, {moved({2, 0, 0}, {-0.5, 0, 0}), moved({3, 0, 0}, {-0.5, 0, 0})},
                           scale, away));
    // Edges of length zero: two points that meet.
    EXPECT_TRUE(ask_edges({still({0, 0, 0}), still({0, 0, 0})},
                          {moved({1, 1, 1}, {-2, -2, -2}), moved({1, 1, 1}, {-2, -2, -2})}, scale,
                          away));
    EXPECT_FALSE(ask_edges({still({0, 0, 0}), still({0, 0, 0})},
                           {moved({1, 1, 1}, {-2, -2, -1}), moved({1, 1, 1}, {-2, -2, -1})}, scale,
                           away));
  });
}

/// The volume touches zero and turns back. The edge from (0, -1, 2t - 1) to (0, 2t + 1, 2 - 4t) is at height (2t - 1)^2 / (2t + 2) where it passes over the x axis.
TEST(LinearAdversary, GrazingIsAContact) {
  const MovingEdge swinging{MovingPoint{{0, -1, -1}, {0, -1, 1}},
                            MovingPoint{{0, 1, 2}, {0, 3, -2}}};
  const auto axis_at = [](double z) { return MovingEdge{still({-1, 0, z}), still({1, 0, z})}; };
  const LinearImpact i = edge_edge_impact(axis_at(0), swinging);
  EXPECT_TRUE(i.hit);
  EXPECT_LE(i.t, 0.5);
  EXPECT_GE(i.t_upper, 0.5);
  EXPECT_LE(i.t_upper - i.t, 1e-12);
  EXPECT_TRUE(edge_edge_impact(axis_at(0x1p-100), swinging));
  EXPECT_FALSE(edge_edge_impact(axis_at(-0x1p-99), swinging)); // by 1.6e-30
  // At a third of the time, which is no double.
  const MovingEdge thirds{MovingPoint{{0, -1, -1}, {0, -1, 2}}, MovingPoint{{0, 1, 2}, {0, 4, -4}}};
  const LinearImpact third = edge_edge_impact(axis_at(0), thirds);
  EXPECT_TRUE(third.hit);
  EXPECT_NEAR(third.t, 1.0 / 3, 1e-15);
  EXPECT_FALSE(edge_edge_impact(axis_at(-0x1p-99), thirds));
}

/// A face that turns about the point below a vertex, a millionth away: no single direction separates for long.
TEST(LinearAdversary, SeparationFromATurningFace) {
  const double h = 2e-6;
  const MovingFace turning{MovingPoint{{-1, -1, -1}, {-1, -1, 1}},
                           MovingPoint{{1, -1, -1}, {1, -1, 1}},
                           MovingPoint{{0, 1, 1}, {0, 1, -1}}};
  const MovingPoint v = still({0, 0, h});
  EXPECT_FALSE(vertex_face_impact(v, turning));
  EXPECT_FALSE(vertex_face_impact(v, turning, {h * 0.5, 0, nullptr}));
  EXPECT_TRUE(vertex_face_impact(v, turning, {h * 1.0001, 0, nullptr}));
  EXPECT_TRUE(vertex_face_impact(v, turning, {0, h, nullptr}));
}

/// An edge that turns in its plane close to a vertex: the slow case of the tolerant stage ends, and does not cry wolf.
TEST(LinearAdversary, SeparationFromATurningEdge) {
  const MovingEdge turning{MovingPoint{{-1, 0, -1}, {1, 0, -1}},
                           MovingPoint{{1, 0, 1}, {-1, 0, 1}}};
  for (const double gap : {1e-3, 1e-4, 3e-6}) {
    const MovingEdge beside{still({0, gap, 0}), still({0, gap, 0})};
    EXPECT_FALSE(edge_edge_impact(turning, beside, {gap * 0.1, 0, nullptr})) << gap;
    EXPECT_TRUE(edge_edge_impact(turning, beside, {gap * 1.001, 0, nullptr})) << gap;
    const MovingEdge in_plane{still({1.5 + gap, 0, 0}), still({1.5 + gap, 0, 0})};
    EXPECT_FALSE(edge_edge_impact(turning, in_plane, {0.1, 0, nullptr})) << gap;
  }
}

} // namespace
} // namespace carom::test
