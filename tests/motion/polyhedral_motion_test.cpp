#include "carom/motion/polyhedral_motion.h"

#include "tests/motion/polyhedral_cases.h"
#include "tests/support/property.h"

#include <limits>

namespace carom {
namespace {

using namespace test;
using Kind = PolyhedralContact::Kind;
constexpr double pi = std::numbers::pi;

std::array<PlacedPolyhedron, 1> alone(const Body& body, const Pose& pose = {}) {
  return {PlacedPolyhedron{&body.parts, pose}};
}
bool same(const PolyhedralMove& a, const PolyhedralMove& b) {
  if (a.hit != b.hit || a.fraction != b.fraction || !(a.pose == b.pose)) return false;
  if (a.contacts.size() != b.contacts.size()) return false;
  for (std::size_t i = 0; i < a.contacts.size(); ++i) {
    const PolyhedralContact &x = a.contacts[i], &y = b.contacts[i];
    if (x.kind != y.kind || x.on_moving != y.on_moving || x.on_resting != y.on_resting ||
        x.stationary != y.stationary || !(x.moving_point == y.moving_point))
      return false;
  }
  return true;
}

/// A random motion of a random body beside another.
struct MotionCase {
  Body a, b;
  Pose pose_a, pose_b;
  Vec3 translation, point, axis;
  double angle = 0;
  bool both_sides = false;

  explicit MotionCase(Source& source) : a(random_body(source)), b(random_body(source)) {
    pose_b.rotation = any_rotation(source);
    pose_b.position = vec3(source) * 0.3;
    do {
      pose_a.rotation = any_rotation(source);
      const Vec3 away = unit_vector(source);
      pose_a.position = away * source.uniform(1, 3.5);
    } while (apart(a, pose_a, b, pose_b) < 1e-3);
    translation = (pose_b.position - pose_a.position) * source.uniform(0.2, 1.5);
    translation += vec3(source) * 0.3;
    axis = unit_vector(source);
    point = lerp(pose_a.position, pose_b.position, source.uniform(0, 1));
    point += vec3(source) * 0.4;
    angle = source.uniform(-7, 7);
    both_sides = !a.solid || !b.solid;
  }
  [[nodiscard]] PolyhedralMove move(bool turn, PolyhedralOptions options = {}) const {
    options.both_sides = both_sides;
    const PlacedPolyhedron still{&b.parts, pose_b};
    return turn ? move_rotation(a.parts, pose_a, point, axis, angle, {&still, 1}, options)
                : move_translation(a.parts, pose_a, translation, {&still, 1}, options);
  }
  [[nodiscard]] Pose at(bool turn, double share) const {
    if (!turn) return {pose_a.rotation, pose_a.position + translation * share};
    const Quat by = Quat::from_axis_angle(axis, angle * share);
    return {by * pose_a.rotation, point + to_matrix(by) * (pose_a.position - point)};
  }
};

TEST(PolyhedralMotion, NothingMeetsBeforeTheStop) {
  std::array<int, 2> hits{};
  for_each_seed(fewer_when_sanitized(250), [&](Source& source) {
    const MotionCase c(source);
    for (const bool turn : {false, true}) {
      const PolyhedralMove m = c.move(turn);
      hits[turn ? 1 : 0] += m.hit ? 1 : 0;
      for (int i = 0; i <= 60; ++i) {
        const double gap = apart(c.a, c.at(turn, m.fraction * i / 60), c.b, c.pose_b);
        ASSERT_GT(gap, 0) << (turn ? "turn " : "go ") << i << " of 60, fraction " << m.fraction;
      }
      const double gap = apart(c.a, m.pose, c.b, c.pose_b);
      ASSERT_GT(gap, 0);
      if (!m.hit) continue;
      ASSERT_LE(gap, m.expel_zone + 1e-12);
      // The pose is that of the fraction, the contact is where it says.
      ASSERT_LT(distance(m.pose.position, c.at(turn, m.fraction).position), 1e-13);
      const PolyhedralContact& k = m.contacts[0];
      ASSERT_NEAR(distance(k.moving_point, k.resting_point), k.separation, 1e-13);
      ASSERT_LE(k.separation, m.expel_zone + 1e-12);
      ASSERT_NEAR(length(k.normal), 1, 1e-13);
      for (const PolyhedralContact& other : m.contacts)
        ASSERT_LE(other.separation, 2 * m.expel_zone + 1e-12);
    }
  });
  EXPECT_GT(hits[0], 5);
  EXPECT_GT(hits[1], 5);
}

TEST(PolyhedralMotion, AStopIsAlmostAMeeting) {
  // Ten zones farther on, along the motion, solids overlap: it does not stop for nothing.
  int cases = 0;
  for_each_seed(fewer_when_sanitized(300), [&](Source& source) {
    MotionCase c(source);
    if (!c.a.solid || !c.b.solid) return;
    const PolyhedralMove m = c.move(false);
    if (!m.hit || std::fabs(dot(m.contacts[0].normal, normalized(c.translation))) < 0.3) return;
    const double more = 10 * m.expel_zone / length(c.translation);
    ++cases;
    ASSERT_LE(apart(c.a, c.at(false, m.fraction + more), c.b, c.pose_b), 1e-15);
  });
  EXPECT_GT(cases, 3);
}

TEST(PolyhedralMotion, SameAnswerWithAndWithoutTheSidednessCache) {
  for_each_seed(fewer_when_sanitized(250), [](Source& source) {
    const MotionCase c(source);
    for (const bool turn : {false, true})
      ASSERT_TRUE(same(c.move(turn), c.move(turn, {.sidedness_cache = false})));
  });
}

TEST(PolyhedralMotion, SameAnswerForEveryCulling) {
  for_each_seed(fewer_when_sanitized(250), [](Source& source) {
    const MotionCase c(source);
    for (const bool turn : {false, true}) {
      const PolyhedralMove all = c.move(turn, {.culling = PolyhedralOptions::Culling::none});
      ASSERT_TRUE(same(c.move(turn), all));
      ASSERT_TRUE(same(c.move(turn, {.culling = PolyhedralOptions::Culling::bsp}), all));
    }
  });
}

TEST(PolyhedralMotion, SameAnswerWithInternalFeatures) {
  for_each_seed(fewer_when_sanitized(250), [](Source& source) {
    const MotionCase c(source);
    for (const bool turn : {false, true}) {
      const PolyhedralMove skipped = c.move(turn), full = c.move(turn, {.skip_internal = false});
      ASSERT_EQ(skipped.hit, full.hit);
      // A flat edge may be a rounding earlier than the polygon it is in, and the search ends within a thousandth of e.
      ASSERT_NEAR(skipped.fraction, full.fraction, 1e-7);
    }
  });
}

TEST(PolyhedralMotion, SameAnswerForTrianglesAndPolygons) {
  for_each_seed(fewer_when_sanitized(250), [](Source& source) {
    const MotionCase c(source);
    const Polyhedron a = Polyhedron::build(c.a.mesh, {.merge = false}).value();
    const Polyhedron b = Polyhedron::build(c.b.mesh, {.merge = false}).value();
    const PlacedPolyhedron still{&b, c.pose_b};
    const PolyhedralOptions options{.both_sides = c.both_sides};
    const PolyhedralMove m = move_translation(a, c.pose_a, c.translation, {&still, 1}, options);
    ASSERT_EQ(m.hit, c.move(false).hit);
    ASSERT_NEAR(m.fraction, c.move(false).fraction, 1e-7);
  });
}

TEST(PolyhedralMotion, MirroredRotationIsTheNegativeOne) {
  for_each_seed(fewer_when_sanitized(300), [](Source& source) {
    const MotionCase c(source);
    const PolyhedralOptions options{.both_sides = c.both_sides};
    // Mirrored in z: faces wound the other way, the axis' turn reversed.
    const auto mirror = [](const Vec3& v) { return Vec3{v.x, v.y, -v.z}; };
    const auto mirrored = [&](const Body& body, const Pose& pose) {
      PolygonMesh mesh = body.mesh;
      const Frame frame = pose.frame();
      for (Vec3& v : mesh.vertices) v = mirror(frame.to_world(v));
      for (std::size_t f = 0; f < mesh.face_count(); ++f) turn_face(mesh, f);
      return Polyhedron::build(mesh).value();
    };
    const Polyhedron a = mirrored(c.a, c.pose_a), b = mirrored(c.b, c.pose_b);
    const PlacedPolyhedron still{&b, {}};
    const PolyhedralMove m =
        move_rotation(a, {}, mirror(c.point), mirror(c.axis), -c.angle, {&still, 1}, options);
    ASSERT_EQ(m.hit, c.move(true).hit);
    // Another size of coordinates, another e: 2^-24 of a few units, seen at a radius of up to 5.
    if (m.hit) {
      ASSERT_NEAR(std::fabs(c.angle) * m.fraction, std::fabs(c.angle) * c.move(true).fraction,
                  2e-3);
    }
  });
}

TEST(PolyhedralMotion, OppositeAxisAndAngleIsTheSame) {
  for_each_seed(fewer_when_sanitized(500), [](Source& source) {
    MotionCase c(source);
    const PolyhedralMove m = c.move(true);
    c.axis = -c.axis;
    c.angle = -c.angle;
    ASSERT_TRUE(same(m, c.move(true)));
  });
}

TEST(PolyhedralMotion, PartsOfARotationAddUp) {
  // Whole, or in three parts one after the other: the same end.
  for_each_seed(fewer_when_sanitized(250), [](Source& source) {
    MotionCase c(source);
    const PolyhedralMove whole = c.move(true);
    const double angle = c.angle;
    double done = 0;
    c.angle = angle / 3;
    PolyhedralMove m;
    for (int i = 0; i < 3; ++i) {
      m = c.move(true);
      done += m.fraction / 3;
      c.pose_a = m.pose;
      if (m.hit) break;
    }
    ASSERT_EQ(m.hit, whole.hit);
    ASSERT_NEAR(done * std::fabs(angle), whole.fraction * std::fabs(angle), 1e-6);
  });
}

const Body& floor_body() {
  static const Body body = body_of(centred_box({10, 10, 1}));
  return body;
}
const Body& brick() {
  static const Body body = body_of(centred_box({1, 0.5, 0.25}));
  return body;
}

TEST(PolyhedralMotion, BoxOnFloorRestsOnFourCorners) {
  const PolyhedralMove m =
      move_translation(brick().parts, Pose::at({0, 0, 5}), {0, 0, -10}, alone(floor_body()));
  ASSERT_TRUE(m.hit);
  EXPECT_NEAR(m.pose.position.z, 1.25 + m.expel_zone, 1e-12);
  ASSERT_EQ(m.contacts.size(), 4U);
  for (const PolyhedralContact& c : m.contacts) {
    EXPECT_EQ(c.kind, Kind::vertex_polygon);
    EXPECT_NEAR(c.normal.z, -1, 1e-15);
    EXPECT_NEAR(std::fabs(c.moving_point.x), 1, 1e-12);
  }
}

TEST(PolyhedralMotion, CrossedBarsRestOnTheirEdges) {
  const Body bar = body_of(centred_box({2, 0.1, 0.1}));
  const Quat tip = Quat::from_axis_angle({1, 0, 0}, pi / 4);
  const Pose below{tip, {}}, above{Quat::from_axis_angle({0, 0, 1}, pi / 2) * tip, {0, 0, 3}};
  const PolyhedralMove m = move_translation(bar.parts, above, {0, 0, -5}, alone(bar, below));
  ASSERT_TRUE(m.hit);
  EXPECT_EQ(m.contacts[0].kind, Kind::edge_edge);
  EXPECT_NEAR(m.pose.position.z, 0.2 * std::sqrt(2.0) + m.expel_zone, 1e-9);
  EXPECT_NEAR(m.contacts[0].normal.z, -1, 1e-12);
}

TEST(PolyhedralMotion, BothDirectionsOfVertexAndPolygon) {
  // A spike that rests and a plate that comes down on it: no vertex of the plate is near.
  const Body spike = body_of(hull_mesh(
      convex_hull(std::vector<Vec3>{{0, 0, 1}, {1, 0, 0}, {-1, 1, 0}, {-1, -1, 0}}).value()));
  const PolyhedralMove m =
      move_translation(floor_body().parts, Pose::at({0.5, 0.25, 5}), {0, 0, -9}, alone(spike));
  ASSERT_TRUE(m.hit);
  EXPECT_EQ(m.contacts[0].kind, Kind::polygon_vertex);
  EXPECT_NEAR(m.pose.position.z, 2 + m.expel_zone, 1e-12);
  const PolyhedralMove t = move_rotation(floor_body().parts, Pose::at({0, 0, 5}), {-10, 0, 5},
                                         {0, 1, 0}, 1, alone(spike));
  ASSERT_TRUE(t.hit);
  EXPECT_EQ(t.contacts[0].kind, Kind::polygon_vertex);
}

TEST(PolyhedralMotion, PointsAimedAtSharedEdgesAndVerticesNeverLeak) {
  const Body point = body_of(one_point(), false);
  int aimed = 0;
  for_each_seed(fewer_when_sanitized(400), [&](Source& source) {
    const Mat3 turn = to_matrix(any_rotation(source));
    const Body target = body_of(placed(sphere_mesh(1, 0.2), turn, 1, vec3(source)));
    PolyhedralCache cache;
    for (const PolyhedralEdge& e : target.parts.edges()) {
      const Vec3 from = unit_vector(source) * 5;
      const double share = source.chance(4) ? 0 : source.uniform(0, 1);
      const Vec3 at = lerp(target.parts.vertices()[e.from], target.parts.vertices()[e.to], share);
      const Vec3 inside = target.parts.bounds().center();
      // To the edge's point, and on into the body.
      const PolyhedralMove m = move_translation(point.parts, Pose::at(from), (at - from) * 1.001,
                                                alone(target), {}, &cache);
      const PolyhedralMove n = move_translation(
          point.parts, m.pose, (inside - m.pose.position) * 0.999, alone(target), {}, &cache);
      ++aimed;
      ASSERT_GT(apart(point, n.pose, target, {}), 0);
    }
  });
  EXPECT_GT(aimed, 1000);
}

TEST(PolyhedralMotion, StackedBricksUnderRandomImpulses) {
  for_each_seed(fewer_when_sanitized(20), [](Source& source) {
    std::vector<Pose> poses;
    for (int i = 0; i < 8; ++i)
      poses.push_back(Pose::at({i % 2 * 2.1 - 1.0, i / 2 % 2 * 1.1, 1.3 + i / 2 * 0.6}));
    PolyhedralCache cache;
    for (int step = 0; step < 200; ++step) {
      const auto who = static_cast<std::size_t>(source.index(8));
      std::vector<PlacedPolyhedron> others{{&floor_body().parts, {}}};
      for (std::size_t i = 0; i < poses.size(); ++i)
        if (i != who) others.push_back({&brick().parts, poses[i]});
      const Vec3 way = any_vector(source, 0, 0.5);
      const Vec3 push = source.chance(2) ? Vec3{0, 0, -2} : way;
      const Vec3 axis = unit_vector(source);
      const double angle = source.uniform(-0.5, 0.5);
      poses[who] = move_translation(brick().parts, poses[who], push, others, {}, &cache).pose;
      poses[who] = move_rotation(brick().parts, poses[who], poses[who].position, axis, angle,
                                 others, {}, &cache)
                       .pose;
      poses[who] = move_translation(brick().parts, poses[who], {0, 0, -1}, others, {}, &cache).pose;
      ASSERT_GT(apart(brick(), poses[who], floor_body(), {}), 0);
      for (std::size_t i = 0; i < poses.size(); ++i)
        if (i != who) {
          ASSERT_GT(apart(brick(), poses[who], brick(), poses[i]), 0);
        }
    }
  });
}

TEST(PolyhedralMotion, WhatRestsMaySlideSpinAndLeave) {
  for_each_seed(fewer_when_sanitized(300), [](Source& source) {
    const Vec3 start{source.uniform(-3, 3), 0, 5};
    const double turn = source.uniform(-3, 3);
    const Pose from{Quat::from_axis_angle({0, 0, 1}, turn), start};
    PolyhedralMove m = move_translation(brick().parts, from, {0, 0, -10}, alone(floor_body()));
    ASSERT_TRUE(m.hit);
    const double angle = source.uniform(-6, 6);
    const Vec3 aside{source.uniform(-3, 3), source.uniform(-3, 3), 0};
    m = move_translation(brick().parts, m.pose, aside, alone(floor_body()));
    EXPECT_EQ(m.fraction, 1);
    m = move_rotation(brick().parts, m.pose, m.pose.position, {0, 0, 1}, angle,
                      alone(floor_body()));
    EXPECT_EQ(m.fraction, 1);
    EXPECT_EQ(move_translation(brick().parts, m.pose, {0, 0, 1}, alone(floor_body())).fraction, 1);
    EXPECT_LT(move_translation(brick().parts, m.pose, {0, 0, -1}, alone(floor_body())).fraction,
              1e-6);
  });
}

TEST(PolyhedralMotion, ConvexBodiesAlwaysPartAlongTheNormal) {
  int hits = 0;
  for_each_seed(fewer_when_sanitized(250), [&](Source& source) {
    const MotionCase c(source);
    if (!c.a.solid || !c.b.solid) return;
    if (c.a.parts.vertices().size() > 40 || c.a.mesh.vertices.size() > 30) return;
    for (const bool turn : {false, true}) {
      const PolyhedralMove m = c.move(turn);
      bool convex = m.hit;
      for (const PolyhedralEdge& e : c.a.parts.edges())
        convex = convex && e.kind == PolyhedralEdgeKind::convex;
      for (const PolyhedralEdge& e : c.b.parts.edges())
        convex = convex && e.kind == PolyhedralEdgeKind::convex;
      if (!convex) continue;
      ++hits;
      const PlacedPolyhedron still{&c.b.parts, c.pose_b};
      const PolyhedralMove away =
          move_translation(c.a.parts, m.pose, m.contacts[0].normal * -1.0, {&still, 1});
      ASSERT_EQ(away.fraction, 1);
    }
  });
  EXPECT_GT(hits, 3);
}

TEST(PolyhedralMotion, SlidesOverSeamsOfCoplanarTiles) {
  // Tiles of one floor, each a body of its own, touching: nothing catches.
  const Body tile = body_of(centred_box({0.5, 0.5, 0.5}));
  std::vector<PlacedPolyhedron> tiles;
  for (int i = -5; i <= 5; ++i)
    for (int j = -1; j <= 1; ++j)
      tiles.push_back({&tile.parts, Pose::at({i * 1.0, j * 1.0, -0.5})});
  Pose pose = move_translation(brick().parts, Pose::at({-3, 0, 2}), {0, 0, -5}, tiles).pose;
  for (int i = 0; i < 40; ++i) {
    const PolyhedralMove m = move_translation(brick().parts, pose, {0.15, 0.001, 0}, tiles);
    ASSERT_EQ(m.fraction, 1) << i;
    pose = m.pose;
  }
}

TEST(PolyhedralMotion, ShrunkenModelsTouchExactly) {
  const double e = 0.01;
  const PolygonMesh cube = centred_box({1, 1, 1});
  const Polyhedron small = Polyhedron::build(cube, {.shrink = e / 2}).value();
  const PlacedPolyhedron still{&small, {}};
  const PolyhedralMove m =
      move_translation(small, Pose::at({0.3, 0.2, 5}), {0, 0, -5}, {&still, 1}, {.expel_zone = e});
  ASSERT_TRUE(m.hit);
  EXPECT_NEAR(m.pose.position.z, 2, 1e-12);
}

TEST(PolyhedralMotion, ExpelZoneIsChosenAndSettable) {
  const auto drop = [](double wanted, double scale) {
    const Polyhedron cube = Polyhedron::build(centred_box(Vec3{1, 1, 1} * scale)).value();
    const PlacedPolyhedron still{&cube, {}};
    const PolyhedralMove m = move_translation(cube, Pose::at({0, 0, 5 * scale}), {0, 0, -5 * scale},
                                              {&still, 1}, {.expel_zone = wanted});
    EXPECT_NEAR(m.pose.position.z, 2 * scale + m.expel_zone, 1e-12 * scale);
    return m.expel_zone;
  };
  EXPECT_EQ(drop(0, 1), 0x1p-23); // of both bodies
  EXPECT_EQ(drop(0, 1e6), 1e6 * 0x1p-23);
  EXPECT_EQ(drop(0, 1e-6), 1e-6 * 0x1p-23);
  EXPECT_EQ(drop(0.125, 1), 0.125);
  EXPECT_GT(drop(1e-30, 1), 1e-10); // raised
}

TEST(PolyhedralMotion, FarFromTheOrigin) {
  const Vec3 far{1e6, -2e6, 3e5};
  const PolyhedralMove m = move_translation(brick().parts, Pose::at(far + Vec3{0, 0, 5}),
                                            {0, 0, -10}, alone(floor_body(), Pose::at(far)));
  ASSERT_TRUE(m.hit);
  EXPECT_GT(apart(brick(), m.pose, floor_body(), Pose::at(far)), 0);
  EXPECT_LT(m.pose.position.z - far.z, 1.25 + 1e-3);
}

TEST(PolyhedralMotion, SheetsFromTheFrontAndFromBothSides) {
  const Body sheet = body_of(one_polygon({{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}}), false);
  const Body point = body_of(one_point(), false);
  const auto go = [&](double from, double to, bool both) {
    return move_translation(point.parts, Pose::at({0, 0, from}), {0, 0, to - from}, alone(sheet),
                            {.both_sides = both})
        .hit;
  };
  EXPECT_TRUE(go(1, -1, false));
  EXPECT_FALSE(go(-1, 1, false));
  EXPECT_TRUE(go(1, -1, true));
  EXPECT_TRUE(go(-1, 1, true));
  // Two sheets edge on: their dangling edges cross.
  const Pose upright{Quat::from_axis_angle({1, 0, 0}, pi / 2), {0, 3, 0}};
  const PolyhedralMove m =
      move_translation(sheet.parts, upright, {0, -4, 0}, alone(sheet), {.both_sides = true});
  ASSERT_TRUE(m.hit);
  EXPECT_NEAR(m.pose.position.y, 1 + m.expel_zone, 1e-9);
}

TEST(PolyhedralMotion, FromInsideItIsFreeToLeave) {
  const Body small = body_of(centred_box({0.1, 0.1, 0.1}));
  const PolyhedralMove m =
      move_translation(small.parts, Pose::at({0.3, 0.2, 0.1}), {0, 0, 5}, alone(floor_body()));
  EXPECT_FALSE(m.hit);
}

TEST(PolyhedralMotion, TurnsOfAnySize) {
  // A hand of a clock and a peg at a quarter turn, either way, after many turns or none.
  const Body hand = body_of(placed(centred_box({1, 0.01, 0.01}), Mat3::identity(), 1, {1, 0, 0}));
  const Body peg = body_of(centred_box({0.1, 0.1, 0.1}));
  const Pose at = Pose::at({0, 1.5, 0});
  const auto turn = [&](double angle) {
    const PolyhedralMove m = move_rotation(hand.parts, {}, {}, {0, 0, 1}, angle, alone(peg, at));
    EXPECT_EQ(m.hit, std::fabs(angle) > 1.55);
    return m.fraction * angle;
  };
  const double stop = turn(2);
  EXPECT_NEAR(stop, pi / 2 - std::atan(0.11 / 1.5), 0.01);
  for (const double angle : {1.6, pi - 1e-9, pi, pi + 1e-9, 4.0, 2 * pi, 7.0, 100.0, 1e6})
    EXPECT_NEAR(turn(angle), stop, 1e-9 * std::max(1.0, angle));
  const double back = turn(-5);
  EXPECT_NEAR(back, pi - stop - 2 * pi, 1e-9); // the same on the other side of the peg
  for (const double angle : {-5.0, -2 * pi, -7.0, -100.0}) EXPECT_NEAR(turn(angle), back, 1e-7);
  turn(1);
  // A whole turn and more with nothing in the way ends where the angle says.
  const PolyhedralMove free =
      move_rotation(hand.parts, {}, {}, {0, 0, 1}, 9 * pi / 2, alone(peg, Pose::at({9, 9, 9})));
  EXPECT_NEAR(to_matrix(free.pose.rotation).x.y, 1, 1e-12);
}

TEST(PolyhedralMotion, TwoMoversAreOneRelativeMotion) {
  for_each_seed(fewer_when_sanitized(300), [](Source& source) {
    const MotionCase c(source);
    const Vec3 other = vec3(source);
    const PolyhedralOptions options{.both_sides = c.both_sides};
    const PolyhedralPairMove m = move_both_translation(c.a.parts, c.pose_a, c.translation + other,
                                                       c.b.parts, c.pose_b, other, options);
    EXPECT_EQ(m.a.hit, c.move(false).hit);
    EXPECT_NEAR(m.a.fraction, c.move(false).fraction, 1e-9);
    EXPECT_GT(apart(c.a, m.a.pose, c.b, m.pose_b), 0);
    EXPECT_LT(distance(m.pose_b.position, c.pose_b.position + other * m.a.fraction), 1e-13);
    const PolyhedralPairMove t = move_both_rotation(c.a.parts, c.pose_a, c.angle + 1, c.b.parts,
                                                    c.pose_b, 1, c.point, c.axis, options);
    EXPECT_EQ(t.a.hit, c.move(true).hit);
    EXPECT_GT(apart(c.a, t.a.pose, c.b, t.pose_b), 0);
    if (t.a.hit) {
      EXPECT_LE(apart(c.a, t.a.pose, c.b, t.pose_b), t.a.expel_zone + 1e-12);
      EXPECT_NEAR(distance(t.a.contacts[0].moving_point, t.a.contacts[0].resting_point),
                  t.a.contacts[0].separation, 1e-12);
    }
  });
}

TEST(PolyhedralMotion, NothingToHitAndBadInput) {
  EXPECT_EQ(move_translation(brick().parts, {}, {1, 2, 3}, {}).pose.position, (Vec3{1, 2, 3}));
  EXPECT_EQ(move_translation(brick().parts, Pose::at({0, 0, 5}), {}, alone(floor_body())).fraction,
            1);
  EXPECT_EQ(move_rotation(brick().parts, Pose::at({0, 0, 5}), {}, {0, 0, 1}, 0, alone(floor_body()))
                .fraction,
            1);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(move_translation(brick().parts, {}, {nan, 0, 0}, alone(floor_body())).status,
            Status::bad_input);
  EXPECT_EQ(
      move_translation(brick().parts, Pose::at({INFINITY, 0, 0}), {}, alone(floor_body())).status,
      Status::bad_input);
  EXPECT_EQ(move_rotation(brick().parts, {}, {}, {}, 1, alone(floor_body())).status,
            Status::bad_input);
  EXPECT_EQ(move_rotation(brick().parts, {}, {}, {0, 0, 1}, nan, alone(floor_body())).status,
            Status::bad_input);
  const PlacedPolyhedron nobody{};
  EXPECT_EQ(move_translation(brick().parts, {}, {1, 0, 0}, {&nobody, 1}).status, Status::bad_input);
}

TEST(PolyhedralMotion, AnySoupMovesWithoutHarm) {
  for_each_seed(fewer_when_sanitized(400), [](Source& source) {
    const Polyhedron a = Polyhedron::build(soup_mesh(source)).value();
    const Polyhedron b = Polyhedron::build(soup_mesh(source)).value();
    const PlacedPolyhedron still{&b, pose(source)};
    const Pose from = pose(source);
    const Vec3 by = vec3_at_any_scale(source);
    const Vec3 axis = direction(source);
    const double angle = real(source) * 4;
    for (const bool both : {false, true}) {
      const PolyhedralMove m = move_translation(a, from, by, {&still, 1}, {.both_sides = both});
      ASSERT_TRUE(m.fraction >= 0 && m.fraction <= 1 && is_finite(m.pose.position));
      const PolyhedralMove t =
          move_rotation(a, from, by, axis, angle, {&still, 1}, {.both_sides = both});
      ASSERT_TRUE(t.fraction >= 0 && t.fraction <= 1 && is_finite(t.pose.position));
    }
  });
}

} // namespace
} // namespace carom
