// Debug drawing: counts of what is drawn, by a back end that keeps all.
#include "carom/record/draw.h"

#include "carom/motion/time_of_impact.h"
#include "carom/query/closest_point.h"
#include "carom/query/contacts.h"
#include "carom/query/distance.h"
#include "carom/query/overlap.h"
#include "carom/query/penetration.h"
#include "carom/query/prove.h"
#include "carom/query/ray_cast.h"
#include "carom/query/shape_cast.h"
#include "carom/record/body_islands.h"
#include "carom/record/tree_boxes.h"
#include "carom/shape/composite.h"
#include "carom/shape/support.h"
#include "tests/record/scene_files.h"

#include <set>

namespace carom::test {
namespace {

struct Kept : DebugDraw {
  struct Line {
    Vec3 a, b;
    std::uint32_t colour;
  };
  std::vector<Line> lines;
  std::vector<Vec3> corners;
  std::set<std::uint32_t> fills;
  std::vector<std::string> words;

  void line(const Vec3& a, const Vec3& b, std::uint32_t colour) override {
    lines.push_back({a, b, colour});
  }
  void triangle(const Vec3& a, const Vec3& b, const Vec3& c, std::uint32_t colour) override {
    corners.insert(corners.end(), {a, b, c});
    fills.insert(colour);
  }
  void text(const Vec3&, std::string_view text, std::uint32_t) override {
    words.emplace_back(text);
  }
};

/// Two piles of two cubes, apart from each other, at rest.
World piles(bool sleep) {
  WorldOptions options;
  options.sleep.enabled = sleep;
  World world(options);
  const Shape cube = Shape::box({0.5, 0.5, 0.5}).value();
  EXPECT_TRUE(world.add({.shape = Shape::box({9, 9, 1}).value(),
                         .pose = Pose::at({0, 0, -1}),
                         .kind = BodyKind::fixed}));
  for (const double x : {-3.0, 3.0})
    for (const double z : {0.5, 1.5})
      EXPECT_TRUE(world.add({.shape = cube, .pose = Pose::at({x, 0, z})}));
  for (int i = 0; i < 120; ++i) world.step(1.0 / 60);
  return world;
}

TEST(Draw, ShapesAreWhereTheyAre) {
  Kept kept;
  draw(piles(false), kept);
  EXPECT_EQ(kept.corners.size(), 5u * 36);
  EXPECT_EQ(kept.lines.size(), 5u * 12);
  EXPECT_EQ(kept.fills.size(), 2u); // fixed, dynamic
  double highest = 0;
  for (const Vec3& c : kept.corners) highest = std::max(highest, c.z);
  EXPECT_NEAR(highest, 2, 0.01);
  Kept asleep;
  draw(piles(true), asleep);
  EXPECT_NE(asleep.fills, kept.fills); // darker
}

TEST(Draw, IslandsHaveAColourEach) {
  Kept kept;
  draw(piles(false), kept, {.islands = true});
  EXPECT_EQ(kept.fills.size(), 3u); // the floor, and one for each pile
}

TEST(Draw, JointsMakeAnIsland) {
  World world = piles(false);
  const Shape bulb = Shape::sphere(0.2).value();
  const BodyId upper = world.add({.shape = bulb, .pose = Pose::at({0, 0, 4})}).value();
  const BodyId lower = world.add({.shape = bulb, .pose = Pose::at({0, 0, 3})}).value();
  Kept apart, joined;
  draw(world, apart, {.islands = true});
  EXPECT_EQ(apart.fills.size(), 5u); // the floor, two piles, two bulbs
  // One from the world to a bulb joins nothing.
  ASSERT_TRUE(world.add_joint({.b = upper, .frame = Pose::at({0, 0, 5}), .kind = BallJoint{}}));
  ASSERT_TRUE(world.add_joint(
      {.a = upper, .b = lower, .frame = Pose::at({0, 0, 3.5}), .kind = BallJoint{}}));
  draw(world, joined, {.islands = true});
  EXPECT_EQ(joined.fills.size(), 4u);
  const std::vector<std::uint32_t> islands = body_islands(world);
  EXPECT_EQ(islands, (std::vector<std::uint32_t>{no_index, 1, 1, 3, 3, 5, 5}));
}

TEST(Draw, ContactsAndWhatTheyBear) {
  const World world = piles(false);
  Kept crosses, normals, impulses;
  draw(world, crosses, {.shapes = false, .contacts = true});
  EXPECT_EQ(crosses.lines.size(), 3u * 16); // four contacts of four points
  draw(world, normals, {.shapes = false, .normals = true, .size = 0.25});
  ASSERT_EQ(normals.lines.size(), 16u);
  for (const auto& l : normals.lines) EXPECT_NEAR(std::fabs(l.b.z - l.a.z), 0.25, 1e-3);
  draw(world, impulses, {.shapes = false, .impulses = true, .impulse_scale = 1});
  double sum = 0;
  for (const auto& l : impulses.lines) sum += std::fabs(l.b.z - l.a.z);
  // Two cubes of a tonne on each floor contact, one on each upper one, for a sixtieth of a second.
  EXPECT_NEAR(sum, 2 * (2 + 1) * 1000 * 9.81 / 60, 0.02 * 6 * 1000 * 9.81 / 60);
}

TEST(Draw, BoxesNamesAndJoints) {
  World world = piles(false);
  Kept kept;
  draw(world, kept, {.shapes = false, .boxes = true, .names = true});
  EXPECT_EQ(kept.lines.size(), 5u * 12);
  EXPECT_EQ(kept.words.size(), 5u);
  const BodyId bulb =
      world.add({.shape = Shape::sphere(0.2).value(), .pose = Pose::at({0, 0, 4})}).value();
  ASSERT_TRUE(world.add_joint({.b = bulb, .frame = Pose::at({0, 0, 5}), .kind = BallJoint{}}));
  Kept joints;
  draw(world, joints, {.shapes = false, .joints = true});
  ASSERT_EQ(joints.lines.size(), 4u); // to the body, and a cross
  EXPECT_NEAR(joints.lines[0].b.z, 5, 1e-9);
}

TEST(Draw, TreesAreTheBoxesThatFindPairs) {
  WorldOptions options;
  options.sleep.enabled = false;
  World world(options);
  const Shape ball = Shape::sphere(0.5).value();
  EXPECT_TRUE(world.add({.shape = Shape::half_space({0, 0, 1}, -1).value(),
                         .kind = BodyKind::fixed})); // without end: not drawn
  EXPECT_TRUE(world.add({.shape = ball, .pose = Pose::at({0, 9, 8}), .kind = BodyKind::fixed}));
  constexpr int balls = 40;
  for (int i = 0; i < balls; ++i)
    EXPECT_TRUE(world.add({.shape = ball, .pose = Pose::at({3.0 * i, 0, 8})}));
  world.step(1.0 / 60);
  std::vector<TreeBox> boxes;
  tree_boxes(world, boxes);
  int leaves = 0, roots = 0, highest = 0;
  for (const TreeBox& b : boxes) highest = std::max(highest, b.level);
  EXPECT_GE(highest, 2); // 40 do not go into one node of eight
  for (const TreeBox& b : boxes) {
    leaves += b.level == 0;
    roots += b.level == highest;
    // Around one ball each, or around several.
    const Vec3 side = b.box.max - b.box.min;
    EXPECT_GE(side.x, b.level == 0 ? 1 : 7);
    EXPECT_LE(side.x, b.level == 0 ? 3 : 3 * balls);
  }
  EXPECT_EQ(leaves, balls + 1); // and the fixed one
  EXPECT_EQ(roots, 1);
  Kept kept;
  draw(world, kept, {.shapes = false, .trees = true});
  EXPECT_EQ(kept.lines.size(), 12 * boxes.size());
}

TEST(Draw, AnswersWithTheirProofs) {
  const Shape box = Shape::box({1, 1, 1}).value();
  const Distance d = distance(box, {}, box, Pose::at({5, 0, 0}));
  Kept kept;
  draw(d, kept, 1);
  EXPECT_EQ(kept.lines.size(), 6u + 1 + 8);
  for (std::size_t i = 7; i < 15; ++i) EXPECT_NEAR(kept.lines[i].a.x, i < 11 ? 1 : 4, 1e-9);
  const Ray ray{{-4, 0, 0}, {1, 0, 0}};
  Kept cast;
  draw(ray_cast(box, {}, ray), ray, 9, cast, 1);
  EXPECT_NEAR(cast.lines[0].b.x, -1, 1e-12);
}

/// The middle of a square that was drawn with four lines, from line `first` on, and that it is at right angles to the normal.
Vec3 square_middle(const Kept& kept, std::size_t first, const Vec3& normal, double size) {
  Vec3 middle{};
  for (std::size_t i = first; i < first + 4; ++i) {
    EXPECT_NEAR(dot(kept.lines[i].b - kept.lines[i].a, normal), 0, 1e-12);
    EXPECT_NEAR(length(kept.lines[i].b - kept.lines[i].a), 2 * size, 1e-9);
    middle = middle + kept.lines[i].a / 4;
  }
  return middle;
}

TEST(Draw, APlaneBetweenOrAPointInCommon) {
  const Shape box = Shape::box({1, 1, 1}).value(), ball = Shape::sphere(1).value();
  const Pose far = Pose::at({6, 0, 0}), near = Pose::at({1.5, 0, 0});
  const ShapeOverlap apart = overlap(box, {}, ball, far), common = overlap(box, {}, ball, near);
  Kept plane, point;
  draw(apart, box, {}, ball, far, plane, 2);
  ASSERT_EQ(plane.lines.size(), 4u);
  // Halfway between where the two end along the axis.
  const double end = dot(apart.axis, support_point(box, apart.axis));
  const double begin = dot(apart.axis, far.position) - 1;
  EXPECT_NEAR(dot(square_middle(plane, 0, apart.axis, 2), apart.axis), (end + begin) / 2, 1e-9);
  draw(common, box, {}, ball, near, point, 2);
  ASSERT_EQ(point.lines.size(), 3u);
  EXPECT_EQ((point.lines[0].a + point.lines[0].b) / 2, common.point);
}

/// The middle of a cross, which is three lines.
Vec3 cross_middle(const Kept& kept, std::size_t first) {
  Vec3 middle{};
  for (std::size_t i = first; i < first + 3; ++i)
    middle = middle + (kept.lines[i].a + kept.lines[i].b) / 6;
  return middle;
}

TEST(Draw, HowDeepAndTheWayOut) {
  const Shape box = Shape::box({1, 1, 1}).value(), ball = Shape::sphere(1).value();
  const Penetration p = penetration(box, {}, ball, Pose::at({1.5, 0, 0}));
  Kept kept;
  draw(p, kept, 1);
  ASSERT_EQ(kept.lines.size(), 3u + 3 + 1);
  EXPECT_NEAR(distance(cross_middle(kept, 0), {1, 0, 0}), 0, 1e-9);
  EXPECT_NEAR(distance(cross_middle(kept, 3), {0.5, 0, 0}), 0, 1e-9);
  // From the ball's deepest point to the face that it has to leave by.
  EXPECT_NEAR(distance(kept.lines[6].a, {0.5, 0, 0}), 0, 1e-9);
  EXPECT_NEAR(distance(kept.lines[6].b, {1, 0, 0}), 0, 1e-9);
}

TEST(Draw, ContactsOfAManifold) {
  const Shape box = Shape::box({1, 1, 1}).value();
  const ContactManifold m = contacts(box, {}, box, Pose::at({0, 0, 1.9}));
  ASSERT_EQ(m.count, 4);
  Kept kept;
  draw(m, kept, 0.5);
  ASSERT_EQ(kept.lines.size(), 4u * 5);
  for (std::size_t i = 0; i < 4; ++i) {
    const Vec3 on_a = cross_middle(kept, 5 * i);
    EXPECT_NEAR(on_a.z, 1, 1e-9);
    EXPECT_NEAR(std::fabs(on_a.x), 1, 1e-9);
    const auto &between = kept.lines[5 * i + 3], &normal = kept.lines[5 * i + 4];
    EXPECT_NEAR(between.b.z - between.a.z, -0.1, 1e-9); // 0.1 in each other
    EXPECT_NEAR(normal.b.z - normal.a.z, 0.5, 1e-9);    // up, from A to B
  }
}

TEST(Draw, TheWayOfACast) {
  const Shape box = Shape::box({1, 1, 1}).value(), ball = Shape::sphere(1).value();
  const Pose from = Pose::at({-6, 0, 0});
  const ShapeCast hit = shape_cast(ball, from, {8, 0, 0}, box, {});
  ASSERT_TRUE(hit.hit);
  Kept kept;
  draw(hit, from.position, {8, 0, 0}, kept, 1);
  ASSERT_EQ(kept.lines.size(), 1u + 3 + 4);
  EXPECT_EQ(kept.lines[0].a.x, -6);
  EXPECT_NEAR(kept.lines[0].b.x, -2, 1e-9); // where the ball is then
  EXPECT_NEAR(cross_middle(kept, 1).x, -1, 1e-9);
  EXPECT_NEAR(square_middle(kept, 4, {1, 0, 0}, 1).x, -1, 1e-9);
  Kept missed;
  draw(shape_cast(ball, from, {0, 8, 0}, box, {}), from.position, {0, 8, 0}, missed, 1);
  ASSERT_EQ(missed.lines.size(), 1u);
  EXPECT_EQ(missed.lines[0].b, (Vec3{-6, 8, 0})); // the whole way
}

TEST(Draw, APointAndItsSurface) {
  const SurfacePoint s = closest_point({0, 0, 5}, Shape::box({1, 1, 1}).value(), {});
  Kept kept;
  draw(s, {0, 0, 5}, kept, 0.5);
  ASSERT_EQ(kept.lines.size(), 5u);
  EXPECT_EQ(kept.lines[0].a.z, 5);
  EXPECT_NEAR(kept.lines[0].b.z, 1, 1e-12);
  EXPECT_NEAR(kept.lines[4].b.z, 1.5, 1e-12);
}

TEST(Draw, TheWayToAnImpact) {
  const Shape ball = Shape::sphere(1).value();
  const Motion goes = Motion::translation_by({}, {8, 0, 0}),
               waits = Motion::rest(Pose::at({6, 0, 0}));
  const TimeOfImpact i = time_of_impact(ball, goes, ball, waits);
  Kept kept;
  draw(i, goes, waits, kept, 1);
  ASSERT_EQ(kept.lines.size(), 16u + 16 + 6 + 4);
  EXPECT_EQ(kept.lines[0].a.x, 0);
  EXPECT_NEAR(kept.lines[15].b.x, 4, 1e-6); // where it touches
  EXPECT_NEAR(square_middle(kept, 38, {1, 0, 0}, 1).x, 5, 1e-6);
  Kept missed;
  const Motion aside = Motion::translation_by({}, {0, 8, 0});
  draw(time_of_impact(ball, aside, ball, waits), aside, waits, missed, 1);
  ASSERT_EQ(missed.lines.size(), 32u); // the whole way
  EXPECT_EQ(missed.lines[15].b.y, 8);
}

TEST(Draw, AProofIsAPlaneForEachClaim) {
  const Shape ball = Shape::sphere(0.5).value();
  const std::vector<CompoundPart> parts{{ball, Pose::at({-3, 0, 0})}, {ball, Pose::at({3, 0, 0})}};
  const Shape pair = Shape::compound(parts).value();
  const Shape between = Shape::box({0.5, 0.5, 0.5}).value();
  const Distance d = distance(pair, {}, between, {});
  const auto proof = prove(pair, {}, between, {}, d);
  ASSERT_TRUE(proof);
  ASSERT_GE(proof->claims.size(), 2u); // one ball on each side: no one direction will do
  Kept kept;
  draw(*proof, pair, {}, between, {}, kept, 1);
  ASSERT_EQ(kept.lines.size(), 4 * proof->claims.size());
  for (std::size_t i = 0; i < proof->claims.size(); ++i) {
    const Vec3 middle = square_middle(kept, 4 * i, proof->claims[i].direction, 1);
    const double x = std::fabs(middle.x);
    EXPECT_GT(x, 0.5);
    EXPECT_LT(x, 2.5);
    EXPECT_GT(middle.x * -proof->claims[i].direction.x, 0); // from its ball toward the box
  }
  Kept other; // about other shapes
  draw(*proof, ball, {}, between, {}, other, 1);
  EXPECT_EQ(other.lines.size(), 0u);
}

TEST(Draw, SvgShowsTheNearLast) {
  SvgDraw svg({"", {0, -5, 0}, {0, 0, 0}, 90}, 200, 100);
  svg.triangle({-1, 0, -1}, {1, 0, -1}, {0, 0, 1}, 0xff0000);
  svg.triangle({-1, 3, -1}, {1, 3, -1}, {0, 3, 1}, 0x00ff00);
  svg.text({0, 0, 0}, "a < b", 0);
  svg.line({0, -9, 0}, {0, 0, 0}, 0); // reaches behind the camera
  const std::string text = svg.svg();
  EXPECT_LT(text.find("fill='#00"), text.find("fill='#c")); // the far one is green
  EXPECT_NE(text.find("points='90.00,60.00 110.00,60.00 100.00,40.00'"), std::string::npos);
  EXPECT_NE(text.find("a &lt; b"), std::string::npos);
  EXPECT_EQ(text.find("<line"), std::string::npos);
}

} // namespace
} // namespace carom::test
