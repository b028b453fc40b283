// Once warm, a step takes no memory: whatever is in the world, and whatever happens there. Warm is a world that has seen the same before. Here each scene is played from its beginning again and again.
#include "tests/dynamics/allocation_scenes.h"

#include <atomic>
#include <cstdlib>
#include <limits>
#include <new>

namespace {
std::atomic<long> allocations{0}; // NOLINT: counts for the whole program
} // namespace

#ifndef CAROM_SANITIZED // sanitizers have their own
// Not inlined: g++ would take free() for a mistake there.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size)) return p; // NOLINT
  throw std::bad_alloc();
}
// Blocks of the solver are aligned to 64 bytes: those ask here.
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  ++allocations;
  const auto step = static_cast<std::size_t>(alignment);
  if (void* p = std::aligned_alloc(step, (size + step - 1) / step * step)) return p; // NOLINT
  throw std::bad_alloc();
}
// NOLINTBEGIN
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t, std::align_val_t) noexcept {
  std::free(p);
}
// NOLINTEND
#endif

namespace carom::test {
namespace {

struct WarmScene {
  const char* name;
  void (*build)(ReplayedScene&);
  bool (*shows)(const Sights&);
  int steps = 60;
  /// Who asks for much in between. Called before each step.
  void (*meddle)(ReplayedScene&, int step) = nullptr;
};

bool touches(const Sights& s) { return s.touches > 0; }
bool searches(const Sights& s) { return s.searches > 0; }

template<Ground ground>
void all_kinds_on(ReplayedScene& scene) {
  add_ground(scene, ground);
  drop_all(scene, dynamic_kinds(), {0, 0, -2});
}

template<Ground ground>
void all_kinds_into(ReplayedScene& scene) {
  add_ground(scene, ground);
  drop_all(scene, dynamic_kinds(), {12, 5, -150}, false, 1);
}

template<Ground ground>
void composites_on(ReplayedScene& scene) {
  add_ground(scene, ground);
  const Shape star = Shape::mesh(placed(star_mesh(5), oblique(), 0.4, {})).value();
  drop_all(scene, {dumbbell(), jack(), dented_mesh(0.3), star}, {0, 0, -2}, false, 5);
}

/// Bars that spin so fast that each end goes farther than the bar is thick, in a box of walls.
void spinning_bars(ReplayedScene& scene) {
  add_ground(scene, Ground::mesh);
  for (int i = 0; i < 4; ++i)
    (void)scene.world()
        .add({.shape = Shape::box({0.05, 3, 3}).value(),
              .pose = {Quat::from_axis_angle({0, 0, 1}, 0.5 * pi * i),
                       {i % 2 == 0 ? 2.2 * (1 - i) : 0, i % 2 == 1 ? 2.2 * (2 - i) : 0, 2}},
              .kind = BodyKind::fixed})
        .value();
  const Shape bars[] = {Shape::box({0.9, 0.04, 0.04}).value(),
                        Shape::capsule({-0.9, 0, 0}, {0.9, 0, 0}, 0.04).value(),
                        Shape::cylinder(0.8, 0.05).value()};
  for (int i = 0; i < 9; ++i) {
    const int row = i / 3;
    scene.add({.shape = bars[i % 3],
               .pose = {Quat::from_axis_angle({0, 1, 0}, 1.0 * i),
                        {0.9 * (i % 3) - 0.9, 0.9 * row - 0.9, 1.5}},
               .material = {.restitution = 0.5},
               .velocity = {20, 10, -10},
               .angular_velocity = {0, 30, 60},
               .continuous = i % 2 == 0});
  }
}

/// Two rows of everything, shot at each other.
void head_on(ReplayedScene& scene) {
  const std::vector<Shape> shapes = dynamic_kinds();
  for (std::size_t i = 0; i < shapes.size(); ++i)
    for (const double side : {-1.0, 1.0})
      scene.add({.shape = shapes[side > 0 ? i : shapes.size() - 1 - i],
                 .pose = Pose::at({5.3 * side, 1.2 * static_cast<double>(i), 0.03 * side}),
                 .velocity = {-140 * side, 0, 0},
                 .angular_velocity = {0, 25 * side, 3},
                 .continuous = true});
}

/// A wall of meshes and compounds that fast ones hit, and a sensor before it that they pass.
void composites_into(ReplayedScene& scene) {
  add_ground(scene, Ground::height_field);
  const Shape kinds[] = {dented_mesh(0.3), dumbbell(), jack()};
  for (int i = 0; i < 6; ++i) {
    const double y = 1.0 * i - 2.5;
    (void)scene.world()
        .add({.shape = kinds[i % 3],
              .pose = Pose::at({2.5, y, 1.5}),
              .kind = i < 3 ? BodyKind::fixed : BodyKind::kinematic})
        .value();
    scene.add({.shape = kinds[(i + i / 3) % 3],
               .pose = Pose::at({-1.5, y, 1.5}),
               .velocity = {170, 0, 0},
               .angular_velocity = {9, 20, 4},
               .continuous = i % 2 == 0});
  }
  for (const Shape& gate : {Shape::box({0.1, 4, 1}).value(), dented_mesh(0.4)})
    (void)scene.world()
        .add({.shape = gate,
              .pose = Pose::at({0.5, 0.5, 1.5}),
              .kind = BodyKind::fixed,
              .sensor = true})
        .value();
}

/// A paddle and a press of closed meshes that carry along what they hit, some of which was asleep.
void paddles(ReplayedScene& scene) {
  add_ground(scene, Ground::box);
  drop_all(scene, dynamic_kinds(), {}, false, 1);
  scene.add({.shape = Shape::box({3, 0.1, 0.5}).value(),
             .pose = Pose::at({0, 0, 0.6}),
             .kind = BodyKind::kinematic,
             .angular_velocity = {0, 0, 25}});
  scene.add({.shape = dented_mesh(0.6),
             .pose = Pose::at({-9, 0, 0.6}),
             .kind = BodyKind::kinematic,
             .velocity = {60, 0, 0}});
}

void all_joints(ReplayedScene& scene) {
  add_ground(scene, Ground::mesh);
  const JointKind kinds[] = {
      BallJoint{.cone = 0.4, .twist = JointRange{-0.2, 0.2}, .friction = 0.1},
      BallJoint{.spring = JointSpring{.frequency = 3}},
      HingeJoint{.limits = JointRange{-0.5, 0.5}, .motor = JointMotor{3, 20}},
      HingeJoint{.spring = JointSpring{.frequency = 2}, .target = 0.4},
      SliderJoint{.limits = JointRange{-0.3, 0.3}, .motor = JointMotor{2, 400}},
      SliderJoint{.spring = JointSpring{.stiffness = 500, .damping = 20}},
      FixedJoint{},
      FixedJoint{.linear = JointSpring{.frequency = 4}, .angular = JointSpring{.frequency = 4}},
      DistanceJoint{.range = JointRange{0, 1}, .motor = JointMotor{-1, 500}},
      DistanceJoint{.spring = JointSpring{.frequency = 2}},
      WheelJoint{.travel = JointRange{-0.1, 0.1}, .motor = JointMotor{10, 5}},
      SixDofJoint{{JointAxis::limited(-0.2, 0.2), JointAxis::locked(), JointAxis::free(),
                   JointAxis::locked(), JointAxis::limited(-0.3, 0.3), JointAxis::free()}}};
  // Chains, each of one kind, and the last of all kinds; some hang from the world, and some break.
  const int count = static_cast<int>(std::size(kinds));
  for (int i = 0; i <= count; ++i) {
    const double y = 0.8 * (i - 0.5 * count);
    BodyId last =
        i % 2 == 0 ? BodyId{} : scene.add({.shape = cube(0.15), .pose = Pose::at({-0.8, y, 3})});
    for (int k = 0; k < 5; ++k) {
      const BodyId next = scene.add({.shape = k % 2 == 0 ? cube(0.15) : ball(0.2),
                                     .pose = Pose::at({0.5 * k - 0.3, y, 3}),
                                     .velocity = {0, 0, k == 4 ? -20.0 : 0.0}});
      scene.add(JointDef{.a = last,
                         .b = next,
                         .frame = Pose::at({0.5 * k - 0.55, y, 3}),
                         .frame_b = i < count && kinds[i].index() == 4
                                        ? std::optional(Pose::at({0.5 * k - 0.25, y, 3}))
                                        : std::nullopt,
                         .kind = kinds[i < count ? i : (3 * k + 1) % count],
                         .break_force = k == 2 ? 2e4 : INFINITY});
      last = next;
    }
  }
}

/// A wall of bricks that sleeps until it is hit, hits told of, and sensors in it that move along.
void sleepers(ReplayedScene& scene) {
  add_ground(scene, Ground::plane);
  for (int i = 0; i < 24; ++i) {
    const int layer = i / 6;
    BodyDef def{.pose = Pose::at({1.0 * (i % 6) - 2.5, 0, 0.2 + 0.4 * layer})};
    def.shapes = {{.shape = Shape::box({0.45, 0.2, 0.2}).value()},
                  {.shape = ball(0.5), .sensor = true}};
    scene.add(def);
  }
  scene.add({.shape = ball(0.3), .pose = Pose::at({0.2, -60, 0.9}), .velocity = {0, 40, 3}});
}

/// So many that they are parted into regions: a block that slides apart, in the order that suits it least.
void regions(ReplayedScene& scene) {
  add_ground(scene, Ground::plane);
  for (int i = 0; i < 500; ++i) {
    const int k = i * 7 % 500;
    const Vec3 at{0.32 * (k % 10) - 1.4, 0.32 * (k / 10 % 10) - 1.4, 0.15 + 0.32 * (k / 100)};
    scene.add({.shape = i % 4 == 0 ? ball(0.15) : cube(0.15),
               .pose = Pose::at(at),
               .velocity = {4.0 * (i % 3) - 4, 4.0 * (i % 5) - 8, 0}});
  }
}

/// Bodies come and go while others move. Only the step itself is counted.
void come_and_go(ReplayedScene& scene, int step) {
  static std::vector<BodyId> visitors; // NOLINT: of one test at a time
  static const std::vector<Shape> kinds = dynamic_kinds();
  World& world = scene.world();
  if (step == 0) visitors.clear();
  const auto i = static_cast<std::size_t>(step);
  if (step < 30)
    visitors.push_back(world
                           .add({.shape = kinds[i % kinds.size()],
                                 .pose = Pose::at({0.1 * step - 1.5, 0.2, 3}),
                                 .velocity = {0, 0, -20}})
                           .value());
  else
    (void)world.remove(visitors[i - 30]);
}

const WarmScene scenes[] = {
    {"OnAPlane", all_kinds_on<Ground::plane>, touches},
    {"OnABox", all_kinds_on<Ground::box>, touches},
    {"OnAMesh", all_kinds_on<Ground::mesh>, touches},
    {"OnASolidMesh", all_kinds_on<Ground::solid_mesh>, touches},
    {"OnAHeightField", all_kinds_on<Ground::height_field>, touches},
    {"OnACompound", all_kinds_on<Ground::compound>, touches},
    {"CompositesOnAMesh", composites_on<Ground::mesh>, touches},
    {"CompositesOnASolidMesh", composites_on<Ground::solid_mesh>, touches},
    {"CompositesOnAHeightField", composites_on<Ground::height_field>, touches},
    {"IntoAPlane", all_kinds_into<Ground::plane>, searches},
    {"IntoABox", all_kinds_into<Ground::box>, searches},
    {"IntoAMesh", all_kinds_into<Ground::mesh>, searches},
    {"IntoASolidMesh", all_kinds_into<Ground::solid_mesh>, searches},
    {"IntoAHeightField", all_kinds_into<Ground::height_field>, searches},
    {"IntoACompound", all_kinds_into<Ground::compound>, searches},
    {"SpinningBars", spinning_bars, searches},
    {"HeadOn", head_on, searches},
    {"CompositesIntoSensorsAndWalls", composites_into,
     [](const Sights& s) { return s.searches > 0 && s.sensor_events > 1; }},
    {"Paddles", paddles, searches},
    {"AllJoints", all_joints, [](const Sights& s) { return s.touches > 0 && s.breaks > 3; }},
    {"Sleepers", sleepers,
     [](const Sights& s) { return s.asleep > 10 && s.woken > 10 && s.sensor_events > 5; }, 200},
    {"Regions", regions, [](const Sights& s) { return s.touches > 2500; }, 25},
    {"ComeAndGo", all_kinds_on<Ground::solid_mesh>, [](const Sights& s) { return s.removed == 30; },
     60, come_and_go},
};

/// Plays it once. How many times memory was asked for within steps.
long play(ReplayedScene& scene, const WarmScene& kind, Executor* executor, Sights& seen) {
  scene.rewind();
  World& world = scene.world();
  long asked = 0;
  for (int i = 0; i < kind.steps; ++i) {
    const std::size_t before = world.body_count();
    if (kind.meddle) kind.meddle(scene, i);
    if (world.body_count() < before) ++seen.removed;
    const long so_far = allocations;
    world.step(frame, executor);
    asked += allocations - so_far;
    seen.searches += world.impact_queries();
    seen.breaks += world.events().breaks.size();
    seen.sensor_events += world.events().sensors.size();
    seen.touches += world.events().contacts.size();
    for (const SleepEvent& e : world.events().sleeps) ++(e.awake ? seen.woken : seen.asleep);
  }
  return asked;
}

class Allocation : public testing::TestWithParam<WarmScene> {};

/// No two times are quite the same, and which thread does what is another matter each time: now and then a list has to grow by one more. But there come several times in a row when none does, all that is to be seen in them included.
void expect_none_once_warm(const WarmScene& kind, Executor* executor) {
  WorldOptions options;
  options.persist_events = true;
  options.sleep.time = 0.3;
  ReplayedScene scene(options);
  kind.build(scene);
  constexpr int in_a_row = 3;
  int clean = 0;
  for (int round = 0; round < 100 && clean < in_a_row; ++round) {
    Sights seen;
    const long asked = play(scene, kind, executor, seen);
    clean = asked == 0 ? clean + 1 : 0;
    ASSERT_TRUE(kind.shows(seen));
  }
  EXPECT_EQ(clean, in_a_row);
}

TEST_P(Allocation, NoneOnceWarm) { expect_none_once_warm(GetParam(), nullptr); }

TEST_P(Allocation, NoneOnceWarmWithTwoThreads) {
  ThreadPool pool(2, 0);
  expect_none_once_warm(GetParam(), &pool);
}

INSTANTIATE_TEST_SUITE_P(Scenes, Allocation, testing::ValuesIn(scenes),
                         [](const auto& of) { return std::string(of.param.name); });

} // namespace
} // namespace carom::test
