// Debug drawing: counts of what is drawn, by a back end that keeps all.
#include "carom/record/draw.h"

#include "carom/query/distance.h"
#include "carom/query/ray_cast.h"
#include "carom/record/tree_boxes.h"
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
