// Larger scenes with known answers: what must stand, stands; what must fall, falls in order; a hit adds nothing.
#include "tests/dynamics/scenes.h"

#include "carom/math/trig.h"

namespace carom::test {
namespace {

/// Seconds, fewer where a sanitizer makes each ten times as long.
double long_time(double seconds) {
  return static_cast<double>(fewer_when_sanitized(static_cast<std::uint64_t>(seconds)));
}

/// Without sleep, for a minute: a quarter of it to settle, then no more than a millimetre.
TEST(LargeScene, TwentyCubesStandForAMinute) {
  World world(plain());
  add_floor(world);
  std::vector<BodyId> ids;
  ids.reserve(20);
  for (int i = 0; i < 20; ++i)
    ids.push_back(world.add({.shape = cube(), .pose = Pose::at({0, 0, 0.5 + i})}).value());
  run(world, 15);
  const std::vector<Vec3> settled = positions(world, ids);
  for (int i = 0; i < 3; ++i) {
    run(world, long_time(15));
    ASSERT_LT(drift(world, ids, settled), 1e-3);
  }
  EXPECT_NEAR(settled.back().z, 19.5, 0.05);
}

/// Cards of 1 m by 0.6 m, 2 cm thick. Two that lean against each other, each by an angle from upright, need a friction of half its tangent.
struct CardHouse {
  static constexpr double thick = 0.02, high = 1, lean = 0.35, apart = 1;
  World world;
  std::vector<BodyId> cards;

  static WorldOptions options() {
    WorldOptions o = plain();
    o.margin = 0.005;
    return o;
  }
  CardHouse() : world(options()) { add_floor(world, {.friction = 0.6}); }

  void add(const Vec3& half, const Pose& pose) {
    cards.push_back(world
                        .add({.shape = Shape::box(half).value(),
                              .pose = pose,
                              .density = 500,
                              .material = {.friction = 0.6}})
                        .value());
  }
  /// Two cards that meet above x, on the height z.
  void add_tent(double x, double z) {
    const double s = std::sin(lean), c = std::cos(lean);
    const double out = 0.5 * (thick * c + high * s), up = 0.5 * (thick * s + high * c);
    for (const double side : {-1.0, 1.0})
      add({0.5 * thick, 0.3, 0.5 * high},
          {Quat::from_axis_angle({0, 1, 0}, -side * lean), {x + side * out, 0, z + up}});
  }
  [[nodiscard]] static double tent_height() {
    return thick * std::sin(lean) + high * std::cos(lean);
  }
  /// One across two tents.
  void add_roof(double x, double z) {
    add({0.49 * apart, 0.3, 0.5 * thick}, Pose::at({x, 0, z + 0.5 * thick}));
  }
};

TEST(LargeScene, AHouseOfCardsStands) {
  CardHouse house;
  double z = 0;
  for (int floor = 0; floor < 3; ++floor) {
    const int tents = 3 - floor;
    const double first = -0.5 * (tents - 1) * CardHouse::apart;
    for (int i = 0; i < tents; ++i) house.add_tent(first + i * CardHouse::apart, z);
    z += CardHouse::tent_height();
    for (int i = 0; i + 1 < tents; ++i) house.add_roof(first + (i + 0.5) * CardHouse::apart, z);
    z += CardHouse::thick;
  }
  const std::vector<Vec3> built = positions(house.world, house.cards);
  run(house.world, 5);
  const std::vector<Vec3> settled = positions(house.world, house.cards);
  EXPECT_LT(drift(house.world, house.cards, built), 0.03);
  run(house.world, 10);
  EXPECT_LT(drift(house.world, house.cards, settled), 1e-3);
}

/// With less friction than half the tangent of its lean it cannot stand. (With little more it need not: at the top, where edges meet, the normal may be that of either card.)
TEST(LargeScene, ATentOfSlipperyCardsFalls) {
  for (const double part : {0.7, 2.5}) {
    CardHouse house;
    const double needed = 0.5 * std::tan(CardHouse::lean);
    World world(CardHouse::options());
    add_floor(world, {.friction = part * needed});
    std::vector<BodyId> cards;
    house.add_tent(0, 0);
    for (const BodyId id : house.cards)
      cards.push_back(world
                          .add({.shape = Shape::box({0.01, 0.3, 0.5}).value(),
                                .pose = *house.world.pose(id),
                                .material = {.friction = part * needed}})
                          .value());
    run(world, 3);
    const double height = position(world, cards[0]).z;
    EXPECT_EQ(height > 0.4, part > 1) << height;
  }
}

/// They fall one after the other; after some, each takes as long as the one before.
TEST(LargeScene, DominoesFallInOrder) {
  World world(plain());
  add_floor(world, {.friction = 0.5});
  constexpr int count = 40;
  std::vector<BodyId> ids;
  ids.reserve(count);
  for (int i = 0; i < count; ++i)
    ids.push_back(world
                      .add({.shape = Shape::box({0.05, 0.25, 0.5}).value(),
                            .pose = Pose::at({0.5 * i, 0, 0.5}),
                            .material = {.friction = 0.3}})
                      .value());
  run(world, 0.5);
  ASSERT_TRUE(world.set_velocity(ids[0], {0.5, 0, 0}, {0, 1.5, 0}));
  std::vector<double> fell(count, -1); ///< when it had turned by a third of a right angle
  for (int step = 0; step < 900; ++step) {
    world.step(frame);
    for (std::size_t i = 0; i < count; ++i)
      if (fell[i] < 0 && to_matrix(world.pose(ids[i])->rotation).z.z < std::cos(half_pi / 3))
        fell[i] = step * frame;
  }
  for (std::size_t i = 0; i < count; ++i) {
    ASSERT_GT(fell[i], 0) << i;
    EXPECT_GE(fell[i], fell[i == 0 ? 0 : i - 1]) << i;
    EXPECT_LT(std::fabs(position(world, ids[i]).y), 0.05) << i;
  }
  const double early = (fell[25] - fell[15]) / 10, late = (fell[35] - fell[25]) / 10;
  EXPECT_NEAR(late / early, 1, 0.15);
}

/// A ball of 33 tonnes goes through a wall of bricks at 60 m/s, a metre in each step. What is hit without restitution gets no faster than what hits it, and all together have no more energy than before.
TEST(LargeScene, ABallThroughAWallAddsNoEnergy) {
  World world(plain());
  add_floor(world, {.friction = 0.5}, 500);
  std::vector<BodyId> bricks;
  for (int row = 0; row < 24; ++row)
    for (int i = 0; i < 12; ++i)
      bricks.push_back(
          world
              .add({.shape = Shape::box({0.4, 0.2, 0.2}).value(),
                    .pose = Pose::at({(i - 6) * 0.81 + (row % 2) * 0.4, 0, 0.2 + 0.4 * row}),
                    .density = 1000})
              .value());
  const BodyId hammer = world
                            .add({.shape = ball(1),
                                  .pose = Pose::at({0, -5, 4}),
                                  .density = 8000,
                                  .velocity = {0, 60, 0}})
                            .value();
  const auto total = [&] {
    double sum = 0;
    for (const BodyId id : bricks) {
      const BodyInfo b = *world.body(id);
      sum += energy(b) + b.mass * gravity * b.center.z;
    }
    const BodyInfo b = *world.body(hammer);
    return sum + energy(b) + b.mass * gravity * b.center.z;
  };
  const auto along = [&] {
    double sum = world.body(hammer)->mass * velocity(world, hammer).y;
    for (const BodyId id : bricks) sum += world.body(id)->mass * velocity(world, id).y;
    return sum;
  };
  const double before = total(), push = along();
  double last = before, pushed = 0;
  for (int i = 0; i < 240; ++i) {
    world.step(frame);
    const double now = total();
    ASSERT_LT(now, last + 1e-3 * before) << i;
    ASSERT_LT(now, 1.001 * before) << i;
    last = now;
    for (const BodyId id : bricks) ASSERT_LT(length(velocity(world, id)), 61) << i;
    if (i == 20) pushed = along();
  }
  EXPECT_NEAR(pushed / push, 1, 5e-3); // the floor has braked little by then
  int thrown = 0;
  for (const BodyId id : bricks) {
    EXPECT_GT(position(world, id).z, 0.1);
    thrown += position(world, id).y > 5 ? 1 : 0;
  }
  EXPECT_GE(thrown, 8); // those in the way: a disc of 1 m has the area of ten bricks
}

} // namespace
} // namespace carom::test
