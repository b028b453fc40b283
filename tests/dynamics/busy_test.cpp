// A world cannot be changed from inside its step, nor while it asks its pair filter: each call says so, and the world goes on as if it had not been made.
#include "carom/dynamics/world_queries.h"
#include "tests/dynamics/scenes.h"

#include <functional>
#include <string>
#include <utility>

namespace carom::test {
namespace {

/// Boxes that come near each other all the time, a fast ball, a chain.
struct Scene {
  World world;
  BodyId floor, box, ball, link;
  JointId joint;
  std::vector<std::byte> before;

  Scene() : world(plain()) {
    floor = add_floor(world);
    for (int i = 0; i < 20; ++i)
      box =
          world.add({.shape = cube(0.2), .pose = Pose::at({0.3 * (i % 4), 0.1 * i, 1.0 + 0.5 * i})})
              .value();
    ball = world
               .add({.shape = test::ball(0.05),
                     .pose = Pose::at({-5, 0, 1}),
                     .velocity = {200, 0, 0},
                     .continuous = true})
               .value();
    link = world.add({.shape = cube(0.1), .pose = Pose::at({5, 5, 5})}).value();
    joint = world.add_joint({.b = link, .frame = Pose::at({5, 5, 6})}).value();
    before = world.snapshot();
  }
};

using Call = std::pair<std::string, std::function<bool(Scene&)>>;

bool is_busy(const WorldResult<void>& done) { return !done && done.error() == WorldError::busy; }
template<class T>
bool is_refused(const Result<T>& done) {
  return !done && done.error().code == ErrorCode::out_of_range && !done.error().message.empty();
}

/// All calls that change a world, and whether each was refused.
std::vector<Call> changing_calls() {
  return {
      {"add", [](Scene& s) { return is_refused(s.world.add({.shape = cube()})); }},
      {"remove", [](Scene& s) { return is_busy(s.world.remove(s.box)); }},
      {"set_pose",
       [](Scene& s) {
         return is_busy(s.world.set_pose(s.box, Pose::at({0, 0, 9})));
       }},
      {"set_velocity",
       [](Scene& s) {
         return is_busy(s.world.set_velocity(s.box, {1, 0, 0}, {}));
       }},
      {"add_force",
       [](Scene& s) {
         return is_busy(s.world.add_force(s.box, {1, 0, 0}, {}));
       }},
      {"add_torque",
       [](Scene& s) {
         return is_busy(s.world.add_torque(s.box, {1, 0, 0}));
       }},
      {"add_impulse",
       [](Scene& s) {
         return is_busy(s.world.add_impulse(s.box, {1, 0, 0}, {}));
       }},
      {"add_angular_impulse",
       [](Scene& s) {
         return is_busy(s.world.add_angular_impulse(s.box, {1, 0, 0}));
       }},
      {"add_force_at_centre",
       [](Scene& s) {
         return is_busy(s.world.add_force(s.box, {1, 0, 0}));
       }},
      {"add_impulse_at_centre",
       [](Scene& s) {
         return is_busy(s.world.add_impulse(s.box, {1, 0, 0}));
       }},
      {"move_to",
       [](Scene& s) {
         return is_busy(s.world.move_to(s.box, Pose::at({0, 0, 9}), 1));
       }},
      {"sleep", [](Scene& s) { return is_busy(s.world.sleep(s.box)); }},
      {"set_material", [](Scene& s) { return is_busy(s.world.set_material(s.box, 0, {})); }},
      {"set_damping", [](Scene& s) { return is_busy(s.world.set_damping(s.box, 1, 1)); }},
      {"set_gravity_scale", [](Scene& s) { return is_busy(s.world.set_gravity_scale(s.box, 0)); }},
      {"set_locked", [](Scene& s) { return is_busy(s.world.set_locked(s.box, {.x = true})); }},
      {"set_can_sleep", [](Scene& s) { return is_busy(s.world.set_can_sleep(s.box, false)); }},
      {"set_continuous", [](Scene& s) { return is_busy(s.world.set_continuous(s.box, true)); }},
      {"set_user", [](Scene& s) { return is_busy(s.world.set_user(s.box, 5)); }},
      {"set_spring", [](Scene& s) { return is_busy(s.world.set_spring(s.joint, JointSpring{})); }},
      {"set_cone", [](Scene& s) { return is_busy(s.world.set_cone(s.joint, 1.0)); }},
      {"set_break", [](Scene& s) { return is_busy(s.world.set_break(s.joint, 1, 1)); }},
      {"wake", [](Scene& s) { return is_busy(s.world.wake(s.box)); }},
      {"add_joint",
       [](Scene& s) { return is_refused(s.world.add_joint({.a = s.box, .b = s.link})); }},
      {"remove_joint", [](Scene& s) { return is_busy(s.world.remove_joint(s.joint)); }},
      {"set_motor",
       [](Scene& s) {
         return is_busy(s.world.set_motor(s.joint, JointMotor{1, 1}));
       }},
      {"set_limits",
       [](Scene& s) {
         return is_busy(s.world.set_limits(s.joint, JointRange{0, 1}));
       }},
      {"set_target", [](Scene& s) { return is_busy(s.world.set_target(s.joint, 1)); }},
      {"set_gravity", [](Scene& s) { return is_busy(s.world.set_gravity({})); }},
      {"restore", [](Scene& s) { return is_refused(s.world.restore(s.before)); }},
      {"add_shape",
       [](Scene& s) {
         const auto number = s.world.add_shape(cube(0.123));
         return !number && number.error() == WorldError::busy;
       }},
      {"forget_unused_shapes", [](Scene& s) { return is_busy(s.world.forget_unused_shapes()); }},
      {"set_pair_filter", [](Scene& s) { return is_busy(s.world.set_pair_filter({})); }},
      {"set_filter", [](Scene& s) { return is_busy(s.world.set_filter(s.box, 0, {.mask = 2})); }},
      {"filter_again", [](Scene& s) { return is_busy(s.world.filter_again(s.box)); }},
      {"step",
       [](Scene& s) {
         s.world.step(frame);
         return true;
       }},
      {"snapshot", [](Scene& s) { return s.world.snapshot().empty(); }},
  };
}

/// What the world becomes while its filter does this in each call; and how often that was.
struct Outcome {
  std::vector<std::byte> bytes;
  int calls = 0;
};
Outcome play(const std::function<bool(Scene&)>& in_filter) {
  Scene scene;
  Outcome outcome;
  EXPECT_TRUE(scene.world.set_pair_filter([&](const WorldShape& a, const WorldShape& b) {
    ++outcome.calls;
    EXPECT_TRUE(in_filter(scene));
    return (a.body.slot + b.body.slot) % 5 != 0;
  }));
  for (int i = 0; i < 40; ++i) {
    scene.world.step(frame);
    if (i % 8 == 0) {
      EXPECT_TRUE(scene.world.filter_again(scene.box));
    }
  }
  outcome.bytes = scene.world.snapshot();
  return outcome;
}

TEST(Busy, NothingChangesTheWorldFromInsideItsFilter) {
  const Outcome plain_one = play([](Scene&) { return true; });
  ASSERT_GT(plain_one.calls, 40);
  for (const auto& [name, call] : changing_calls()) {
    const Outcome outcome = play(call);
    EXPECT_EQ(outcome.calls, plain_one.calls) << name;
    EXPECT_TRUE(outcome.bytes == plain_one.bytes) << name;
  }
}

/// The filter is asked again, in the midst of the lists that are walked then.
TEST(Busy, AlsoWhereTheFilterIsAskedBetweenSteps) {
  for (const Call& changing : changing_calls()) {
    Scene scene;
    run(scene.world, 2);
    ASSERT_TRUE(scene.world.set_pair_filter([&](const WorldShape&, const WorldShape&) {
      EXPECT_TRUE(changing.second(scene)) << changing.first;
      return false;
    }));
    ASSERT_TRUE(scene.world.filter_again(scene.floor)) << changing.first;
    ASSERT_TRUE(scene.world.set_filter(scene.box, 0, {})) << changing.first;
    ASSERT_TRUE(scene.world.remove(scene.box)) << changing.first; // it is not busy any more
  }
}

TEST(Busy, QuestionsAreAnswered) {
  Scene scene;
  int hits = 0;
  ASSERT_TRUE(scene.world.set_pair_filter([&](const WorldShape& a, const WorldShape&) {
    EXPECT_TRUE(scene.world.contains(a.body));
    EXPECT_TRUE(is_finite(scene.world.body(a.body)->velocity));
    EXPECT_TRUE(is_finite(scene.world.joint(scene.joint)->force));
    hits += ray_cast(scene.world, Ray{{0, 0, 50}, {0, 0, -1}}, {.max_t = 1000}) ? 1 : 0;
    return true;
  }));
  run(scene.world, 0.5);
  EXPECT_GT(hits, 10);
}

/// Its executor is asked for threads from inside the step.
TEST(Busy, NorFromItsExecutor) {
  class Meddling final : public Executor {
  public:
    explicit Meddling(Scene& scene) : scene_(scene) {}
    [[nodiscard]] int threads() const override { return 2; }
    void run(FunctionRef<void(int)> task) override {
      for (const auto& [name, call] : changing_calls()) EXPECT_TRUE(call(scene_)) << name;
      ++runs;
      task(0);
      task(1);
    }
    [[nodiscard]] std::size_t least_pairs() const override { return 0; }
    int runs = 0;

  private:
    Scene& scene_;
  };
  Scene scene, twin;
  Meddling executor(scene);
  for (int i = 0; i < 30; ++i) {
    scene.world.step(frame, &executor);
    twin.world.step(frame);
  }
  EXPECT_EQ(executor.runs, 30);
  EXPECT_TRUE(scene.world.snapshot() == twin.world.snapshot());
}

} // namespace
} // namespace carom::test
