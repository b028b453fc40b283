// Whole worlds against Bullet at its fastest: float, 10 iterations, its own margins, no polyhedral features, sleeping off on both sides, steps of 1/60 s without sub-steps of its own.
//
// The same scenes, built anew for each run; the time is that of one step, the building included (below a hundredth of it).
//   pyramid     cubes, 60 at the base, 300 steps
//   hulls       2,000 random hulls of 8 to 26 points dropped into a box, 400 steps
//   terrain     1,000 boxes, balls, capsules and hulls on a bowl of 32,768 triangles, 400 steps
//   brick wall  720 bricks, a heavy ball at 60 m/s, 300 steps
//   mixed sleep 20,000 boxes in columns of two, of which 1,000 never sleep: a world that goes on and on; sleeping is on, and Bullet leaves the boxes of sleeping bodies alone
//   ragdolls    200 of 12 bodies on a bowl of 18,432 triangles, 300 steps (ragdoll_cases.cpp)
//   pyramid ODE, hulls ODE, brick wall ODE: the same beside ODE 0.16 (ode_world.h says why not the terrain)
//   pyramid 2 threads, hulls 2 threads, terrain 2 threads: ours with two threads beside ours with one, by the clock on the wall; how far apart the two processors are is told beside it
// --growth measures piles of 100 to 100,000 bodies instead.
// Beside speed: how deep bodies are in the floor at the end, how many were lost, how much the pyramid still moves (--quality prints it).
#include "carom/dynamics/world.h"
#include "bench/bowl.h"
#include "bench/compare.h"
#include "bench/line_round_trip.h"
#include "bench/ode_world.h"
#include "bench/ragdoll_cases.h"
#include "bench/world_scene.h"
#include "carom/math/random.h"

#include "carom/math/trig.h"
#include "carom/shape/mass.h"

#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>

namespace carom::bench {
namespace {

class Ours final : public Simulation {
public:
  explicit Ours(const Scene& scene, Executor* executor = nullptr)
      : executor_(executor), world_(options(scene)) {
    std::vector<Shape> shapes;
    for (const Form& f : scene.forms) shapes.push_back(to_shape(f));
    for (const Placed& p : scene.bodies) {
      const bool fixed = p.density == 0;
      ids_.push_back(world_
                         .add({.shape = shapes[p.form],
                               .pose = p.pose,
                               .kind = fixed ? BodyKind::fixed : BodyKind::dynamic,
                               .density = fixed ? 1.0 : p.density,
                               .material = {.friction = 0.5},
                               .velocity = p.velocity,
                               .can_sleep = p.asleep,
                               .awake = !p.asleep})
                         .value());
    }
  }
  void step() override { world_.step(1.0 / 60, executor_); }
  [[nodiscard]] Vec3 position(std::size_t body) const override {
    return world_.pose(ids_[body])->position;
  }

private:
  static WorldOptions options(const Scene& scene) {
    WorldOptions o;
    o.sleep.enabled = scene.sleep;
    return o;
  }
  Executor* executor_;
  World world_;
  std::vector<BodyId> ids_;
};

btVector3 to_bullet(const Vec3& v) {
  return {static_cast<btScalar>(v.x), static_cast<btScalar>(v.y), static_cast<btScalar>(v.z)};
}

class Bullet final : public Simulation {
public:
  explicit Bullet(const Scene& scene) {
    world_.setGravity({0, 0, -9.81F});
    world_.getSolverInfo().m_numIterations = 10;
    world_.setForceUpdateAllAabbs(!scene.sleep);
    for (const Form& f : scene.forms) shapes_.push_back(shape(f));
    for (const Placed& p : scene.bodies) add(scene, p);
  }
  ~Bullet() override {
    for (auto& body : bodies_) world_.removeRigidBody(body.get());
  }
  Bullet(const Bullet&) = delete;
  Bullet& operator=(const Bullet&) = delete;
  void step() override { world_.stepSimulation(1.0F / 60, 0, 1.0F / 60); }
  [[nodiscard]] Vec3 position(std::size_t body) const override {
    // Bullet places a hull by its centre of mass, which we moved it to.
    const btVector3 p = bodies_[body]->getWorldTransform() * to_bullet(-offsets_[body]);
    return {p.x(), p.y(), p.z()};
  }

private:
  std::unique_ptr<btCollisionShape> shape(const Form& f) {
    const auto s = [](double x) { return static_cast<btScalar>(x); };
    switch (f.kind) {
    case Kind::box:
      return std::make_unique<btBoxShape>(to_bullet(f.half));
    case Kind::ball:
      return std::make_unique<btSphereShape>(s(f.half.x));
    case Kind::capsule:
      return std::make_unique<btCapsuleShapeZ>(s(f.half.x), s(2 * f.half.y));
    case Kind::hull: {
      auto hull = std::make_unique<btConvexHullShape>();
      const Vec3 center = center_of(f);
      for (const Vec3& p : f.points) hull->addPoint(to_bullet(p - center), false);
      hull->recalcLocalAabb();
      return hull;
    }
    case Kind::mesh:
      break;
    }
    triangles_.push_back(std::make_unique<btTriangleMesh>());
    for (std::size_t i = 0; i < f.mesh.face_count(); ++i) {
      const auto c = f.mesh.face(i);
      triangles_.back()->addTriangle(to_bullet(f.mesh.vertices[c[0]]),
                                     to_bullet(f.mesh.vertices[c[1]]),
                                     to_bullet(f.mesh.vertices[c[2]]));
    }
    return std::make_unique<btBvhTriangleMeshShape>(triangles_.back().get(), true);
  }
  static Vec3 center_of(const Form& f) {
    return f.kind == Kind::hull ? mass_properties(to_shape(f)).centroid : Vec3{};
  }
  void add(const Scene& scene, const Placed& p) {
    const Form& f = scene.forms[p.form];
    btCollisionShape* shape = shapes_[p.form].get();
    const Vec3 center = center_of(f);
    offsets_.push_back(center);
    const auto mass =
        static_cast<btScalar>(p.density == 0 ? 0 : p.density * mass_properties(to_shape(f)).volume);
    btVector3 inertia(0, 0, 0);
    if (mass > 0) shape->calculateLocalInertia(mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
    const Quat& q = p.pose.rotation;
    info.m_startWorldTransform =
        btTransform(btQuaternion(static_cast<btScalar>(q.x), static_cast<btScalar>(q.y),
                                 static_cast<btScalar>(q.z), static_cast<btScalar>(q.w)),
                    to_bullet(p.pose.frame().to_world(center)));
    info.m_friction = 0.7071F; // Bullet multiplies: 0.5 for a pair
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    bodies_.back()->setActivationState(p.asleep ? ISLAND_SLEEPING : DISABLE_DEACTIVATION);
    bodies_.back()->setLinearVelocity(to_bullet(p.velocity));
    world_.addRigidBody(bodies_.back().get());
  }
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
  std::vector<std::unique_ptr<btTriangleMesh>> triangles_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<Vec3> offsets_;
};

Form box_form(const Vec3& half) { return {.kind = Kind::box, .half = half}; }

Form hull_form(Random& random) {
  Form f{.kind = Kind::hull};
  const auto count = 8 + random.below(19);
  for (std::uint64_t i = 0; i < count; ++i) f.points.push_back(random.direction() * 0.5);
  return f;
}

Scene pyramid(int base) {
  Scene s{.name = "pyramid",
          .forms = {box_form({100, 100, 1}), box_form({0.5, 0.5, 0.5})},
          .steps = 300};
  s.bodies.push_back({0, Pose::at({0, 0, -1}), {}, 0});
  for (int row = 0; row < base; ++row)
    for (int i = 0; i < base - row; ++i)
      s.bodies.push_back({1, Pose::at({(i - 0.5 * (base - row)) * 1.1, 0, 0.5 + row})});
  return s;
}

void add_walls(Scene& s, double half, double height) {
  s.forms.push_back(box_form({half, 0.5, height}));
  s.forms.push_back(box_form({0.5, half, height}));
  const std::size_t along = s.forms.size() - 2;
  for (const double side : {-1.0, 1.0}) {
    s.bodies.push_back({along, Pose::at({0, side * (half + 0.5), height}), {}, 0});
    s.bodies.push_back({along + 1, Pose::at({side * (half + 0.5), 0, height}), {}, 0});
  }
}

Scene hulls(int count) {
  Random random(1);
  Scene s{.name = "hulls", .forms = {box_form({100, 100, 1})}, .steps = 400};
  s.bodies.push_back({0, Pose::at({0, 0, -1}), {}, 0});
  add_walls(s, 5, 30);
  for (int i = 0; i < count; ++i) {
    s.forms.push_back(hull_form(random));
    const Quat turn = random.rotation();
    const Vec3 shift = random.in_box({0.1, 0.1, 0.1});
    const Vec3 cell{(i % 8) * 1.2 - 4.2, (i / 8 % 8) * 1.2 - 4.2, 1 + (i / 64) * 1.1};
    s.bodies.push_back({s.forms.size() - 1, {turn, cell + shift}});
  }
  return s;
}

Scene terrain(int count) {
  Random random(2);
  Scene s{.name = "terrain", .steps = 400, .below = -3};
  s.forms.push_back({.kind = Kind::mesh, .mesh = bowl(128, 20, 8, 0.15)});
  s.bodies.push_back({0, {}, {}, 0});
  s.forms.push_back(box_form({0.4, 0.3, 0.25}));
  s.forms.push_back({.kind = Kind::ball, .half = {0.35, 0, 0}});
  s.forms.push_back({.kind = Kind::capsule, .half = {0.25, 0.3, 0}});
  for (int i = 0; i < 50; ++i) s.forms.push_back(hull_form(random));
  for (int i = 0; i < count; ++i) {
    const Quat turn = random.rotation();
    const Vec3 cell{(i % 10) * 1.6 - 7.2, (i / 10 % 10) * 1.6 - 7.2, 4 + (i / 100) * 1.3};
    const std::size_t form = i % 4 < 3 ? static_cast<std::size_t>(1 + i % 4) : 4 + random.below(50);
    s.bodies.push_back({form, {turn, cell}});
  }
  return s;
}

/// The floor is so large that nothing runs off it, not even the ball: what is lost has fallen through.
Scene brick_wall() {
  Scene s{.name = "brick wall",
          .forms = {box_form({500, 500, 1}),
                    box_form({0.4, 0.2, 0.2}),
                    {.kind = Kind::ball, .half = {1, 0, 0}}},
          .steps = 300};
  s.bodies.push_back({0, Pose::at({0, 0, -1}), {}, 0});
  for (int row = 0; row < 24; ++row)
    for (int i = 0; i < 30; ++i)
      s.bodies.push_back({1, Pose::at({(i - 15) * 0.81 + (row % 2) * 0.4, 0, 0.2 + 0.4 * row})});
  s.bodies.push_back({2, Pose::at({0, -20, 4}), {0, 60, 0}, 8000});
  return s;
}

/// Small pyramids of ten cubes, side by side: so many bodies that neither their pairs nor their piles depend on how many there are.
Scene piles(int count) {
  const int side = static_cast<int>(std::ceil(std::sqrt(count / 10.0)));
  const double reach = 3.0 * side + 10;
  Scene s{.name = "piles " + std::to_string(count),
          .forms = {box_form({reach, reach, 1}), box_form({0.5, 0.5, 0.5})},
          .steps = std::clamp(600000 / count, 20, 200)};
  s.bodies.push_back({0, Pose::at({0, 0, -1}), {}, 0});
  for (int pile = 0; pile < count / 10; ++pile) {
    const Vec3 at{6.0 * (pile % side) - 3.0 * side, 6.0 * (pile / side) - 3.0 * side, 0};
    for (int row = 0; row < 4; ++row)
      for (int i = 0; i < 4 - row; ++i)
        s.bodies.push_back({1, Pose::at(at + Vec3{(i - 0.5 * (4 - row)) * 1.1, 0, 0.5 + row})});
  }
  return s;
}

Scene mixed_sleep(int columns) {
  Scene s{.name = "mixed sleep",
          .forms = {box_form({200, 200, 1}), box_form({0.5, 0.5, 0.5})},
          .steps = 60,
          .sleep = true};
  s.bodies.push_back({0, Pose::at({0, 0, -1}), {}, 0});
  for (int i = 0; i < columns; ++i)
    for (int k = 0; k < 2; ++k)
      s.bodies.push_back({.form = 1,
                          .pose = Pose::at({(i % 100) * 2.0 - 99, (i / 100) * 2.0 - 99, 0.5 + k}),
                          .asleep = i % 20 != 0});
  return s;
}

double run(Simulation& simulation, const Scene& scene) {
  for (int i = 0; i < scene.steps; ++i) simulation.step();
  double sum = 0;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) sum += simulation.position(i).z;
  return sum;
}

/// The same world all the time, made when it is first asked for.
template<class Side>
double go_on(std::shared_ptr<Side>& world, const Scene& scene) {
  if (!world) world = std::make_shared<Side>(scene);
  return run(*world, scene);
}

/// How well it was done.
void report(const char* who, Simulation& simulation, const Scene& scene) {
  run(simulation, scene);
  std::vector<Vec3> before;
  double lowest = INFINITY;
  int lost = 0;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) before.push_back(simulation.position(i));
  for (int i = 0; i < 60; ++i) simulation.step();
  double most = 0, sum = 0;
  int moving = 0;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    if (scene.bodies[i].density == 0) continue;
    const Vec3 p = simulation.position(i);
    const double d = distance(p, before[i]);
    if (!(p.z > scene.below)) ++lost;
    lowest = std::min(lowest, p.z);
    most = std::max(most, d);
    sum += d;
    ++moving;
  }
  std::printf("%-11s %-7s lost %d, lowest %.4f, moved in the last second: most %.4f, mean %.5f\n",
              scene.name.c_str(), who, lost, lowest, most, sum / moving);
}

} // namespace

int quality(const char* only) {
  for (const Scene& s :
       {pyramid(60), hulls(2000), terrain(1000), brick_wall(), mixed_sleep(10000)}) {
    if (only != nullptr && s.name.find(only) == std::string::npos) continue;
    Ours ours(s);
    report("ours", ours, s);
    Bullet bullet(s);
    report("Bullet", bullet, s);
    if (ode_can_build(s)) report("ODE", *ode_simulation(s), s);
  }
  if (only == nullptr || std::strcmp(only, "ragdolls") == 0) ragdoll_quality();
  return 0;
}

void compare_with_bullet(const Scene& s) {
  compare(
      s.name, static_cast<std::size_t>(s.steps),
      [s] {
        Ours ours(s);
        return run(ours, s);
      },
      "Bullet",
      [s] {
        Bullet bullet(s);
        return run(bullet, s);
      });
}

void compare_two_threads(const Scene& s) {
  compare(
      s.name + " 2 threads", static_cast<std::size_t>(s.steps),
      [s, pool = std::make_shared<ThreadPool>(2)] {
        Ours ours(s, pool.get());
        return run(ours, s);
      },
      "one thread",
      [s] {
        Ours ours(s);
        return run(ours, s);
      },
      Clock::wall);
}

void add_cases() {
  for (const Scene& s : {pyramid(60), hulls(2000), terrain(1000), brick_wall()})
    compare_with_bullet(s);
  for (const Scene& s : {pyramid(60), hulls(2000), terrain(1000), brick_wall()}) {
    if (!ode_can_build(s)) continue;
    compare(
        s.name + " ODE", static_cast<std::size_t>(s.steps),
        [s] {
          Ours ours(s);
          return run(ours, s);
        },
        "ODE quick step", [s] { return run(*ode_simulation(s), s); });
  }
  add_ragdoll_cases();
  for (const Scene& s : {pyramid(60), hulls(2000), terrain(1000)}) compare_two_threads(s);
  const Scene sleep = mixed_sleep(10000);
  compare(
      sleep.name, static_cast<std::size_t>(sleep.steps),
      [sleep, world = std::shared_ptr<Ours>()]() mutable { return go_on(world, sleep); }, "Bullet",
      [sleep, world = std::shared_ptr<Bullet>()]() mutable { return go_on(world, sleep); });
}

} // namespace carom::bench

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "--quality") == 0)
    return carom::bench::quality(argc > 2 ? argv[2] : nullptr);
  if (argc > 1 && std::strcmp(argv[1], "--growth") == 0) {
    for (const int bodies : {100, 1000, 10000, 100000})
      carom::bench::compare_with_bullet(carom::bench::piles(bodies));
    return carom::bench::main(argc - 1, argv + 1);
  }
  carom::bench::add_cases();
  const double before = carom::bench::line_round_trip();
  const int result = carom::bench::main(argc, argv);
  std::printf("memory from one thread to another and back: %.0f ns before, %.0f ns after\n", before,
              carom::bench::line_round_trip());
  return result;
}
