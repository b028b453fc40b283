// What events tell: where contacts end, who is in a sensor that was moved, how hard a spinning hit was.
#include "tests/dynamics/scenes.h"

namespace carom::test {
namespace {

/// It was told as (0, 0, 0).
TEST(Events, AnEndTellsWhereTheyTouchedLast) {
  World world(plain());
  add_floor(world);
  const BodyId a = world.add({.shape = cube(0.3), .pose = Pose::at({3, 4, 0.3})}).value();
  const BodyId b = world.add({.shape = ball(0.3), .pose = Pose::at({-3, 4, 0.3})}).value();
  run(world, 0.5);
  ASSERT_TRUE(world.set_velocity(a, {0, 0, 5}, {}));
  ASSERT_TRUE(world.set_velocity(b, {0, 0, 5}, {}));
  int ends = 0;
  for (int i = 0; i < 20; ++i) {
    world.step(frame);
    for (const ContactEvent& e : world.events().contacts) {
      if (e.kind != EventKind::end) continue;
      ++ends;
      const Vec3 at = e.b == a || e.a == a ? Vec3{3, 4, 0} : Vec3{-3, 4, 0};
      EXPECT_LT(distance(e.point, at), 0.1);
    }
  }
  EXPECT_EQ(ends, 2);
  // Of a body that is removed.
  const BodyId c = world.add({.shape = cube(0.3), .pose = Pose::at({7, 0, 0.3})}).value();
  run(world, 0.5);
  ASSERT_TRUE(world.remove(c));
  world.step(frame);
  ASSERT_EQ(world.events().contacts.size(), 1U);
  EXPECT_LT(distance(world.events().contacts[0].point, {7, 0, 0}), 0.05);
}

/// The same after a way through bytes.
TEST(Events, AnEndIsTheSameAfterARestore) {
  World world(plain());
  add_floor(world);
  const BodyId a = world.add({.shape = cube(0.3), .pose = Pose::at({3, 4, 0.3})}).value();
  run(world, 0.5);
  ASSERT_TRUE(world.set_velocity(a, {0, 0, 5}, {}));
  World twin = world;
  ASSERT_TRUE(twin.restore(world.snapshot()));
  for (int i = 0; i < 20; ++i) {
    world.step(frame);
    twin.step(frame);
    ASSERT_EQ(world.events().contacts.size(), twin.events().contacts.size());
    for (std::size_t k = 0; k < world.events().contacts.size(); ++k)
      EXPECT_EQ(world.events().contacts[k].point, twin.events().contacts[k].point);
  }
}

/// Neither the sensor nor who sleeps there is awake.
TEST(Events, AFixedSensorMovedOntoASleeperTells) {
  World world;
  const BodyId sensor = world
                            .add({.shape = cube(1),
                                  .pose = Pose::at({0, 0, 10}),
                                  .kind = BodyKind::fixed,
                                  .sensor = true})
                            .value();
  add_floor(world);
  const BodyId a = world.add({.shape = cube(0.3), .pose = Pose::at({0, 0, 0.3})}).value();
  run(world, 2);
  ASSERT_FALSE(world.body(a)->awake);
  const auto count = [&](EventKind kind) {
    int n = 0;
    for (int i = 0; i < 5; ++i) {
      world.step(frame);
      for (const SensorEvent& e : world.events().sensors) {
        EXPECT_TRUE(e.sensor == sensor && e.visitor == a && e.kind == kind);
        ++n;
      }
    }
    return n;
  };
  ASSERT_TRUE(world.set_pose(sensor, Pose::at({0, 0, 0.5})));
  EXPECT_EQ(count(EventKind::begin), 1);
  EXPECT_FALSE(world.body(a)->awake);
  EXPECT_TRUE(world.restore(world.snapshot()));
  ASSERT_TRUE(world.set_pose(sensor, Pose::at({0.1, 0, 0.5}))); // it stays inside
  EXPECT_EQ(count(EventKind::begin), 0);
  ASSERT_TRUE(world.set_pose(sensor, Pose::at({0, 0, 10})));
  EXPECT_EQ(count(EventKind::end), 1);
  EXPECT_FALSE(world.body(a)->awake);
}

/// Strikes (strike.h) are not of the solver: their impulse and approach were told as 0.
TEST(Events, ASpinningHitTellsItsImpulse) {
  for (const double restitution : {0.0, 0.6})
    for (const double speed : {5.0, 50.0, 300.0})
      for (const double spin : {40.0, 60.0, 120.0}) {
        World world(plain({}));
        (void)world.add({.shape = Shape::box({0.05, 3, 3}).value(), .kind = BodyKind::fixed});
        const BodyId b = world
                             .add({.shape = Shape::box({0.1, 0.2, 0.3}).value(),
                                   .pose = Pose::at({-3, 0, 0}),
                                   .material = {.friction = 0, .restitution = restitution},
                                   .velocity = {speed, 0, 0},
                                   .angular_velocity = {0, spin, 0}})
                             .value();
        const double mass = world.body(b)->mass;
        bool told = false;
        for (int i = 0; i < 120 && !told; ++i) {
          const double before = velocity(world, b).x;
          world.step(frame);
          for (const ContactEvent& e : world.events().contacts) {
            if (e.kind != EventKind::begin) continue;
            told = true;
            const double lost = mass * (before - velocity(world, b).x);
            EXPECT_NEAR(e.impulse, lost, 0.05 * lost) << speed << " " << spin << " " << restitution;
            EXPECT_GT(e.approach_speed, 0.5 * speed);
            EXPECT_LT(e.approach_speed, speed + 0.4 * spin);
            EXPECT_NEAR(std::fabs(e.normal.x), 1, 1e-6);
            EXPECT_NEAR(e.point.x, -0.05, 0.03);
          }
        }
        EXPECT_TRUE(told) << speed << " " << spin;
        // It flies off, or stays: the contact ends once at most, and begins no second time without one.
        int balance = 1;
        for (int i = 0; i < 30; ++i) {
          world.step(frame);
          for (const ContactEvent& e : world.events().contacts) {
            balance += e.kind == EventKind::begin ? 1 : -1;
            EXPECT_TRUE(balance == 0 || balance == 1);
          }
        }
      }
}

/// Contacts that a filter ends and lets begin again between two steps: of each pair the end comes first, however many there are.
TEST(Events, AnEndComesBeforeANewBegin) {
  World world(plain());
  add_floor(world);
  std::vector<BodyId> ids;
  for (int i = 0; i < 40; ++i)
    ids.push_back(world.add({.shape = cube(0.3), .pose = Pose::at({i - 20.0, 0, 0.3})}).value());
  run(world, 0.5);
  for (const BodyId id : ids) ASSERT_TRUE(world.set_filter(id, 0, {.mask = 0}));
  for (const BodyId id : ids) ASSERT_TRUE(world.set_filter(id, 0, {}));
  world.step(frame);
  const std::vector<ContactEvent>& told = world.events().contacts;
  ASSERT_EQ(told.size(), 80U);
  for (std::size_t i = 0; i < told.size(); i += 2) {
    EXPECT_TRUE(told[i].a == told[i + 1].a && told[i].b == told[i + 1].b) << i;
    EXPECT_EQ(told[i].kind, EventKind::end) << i;
    EXPECT_EQ(told[i + 1].kind, EventKind::begin) << i;
  }
}

} // namespace
} // namespace carom::test
