// Worlds whose futures are hashed: piles, fast bodies, sleep, sensors, snapshots; joints of all kinds on a height field, by one thread and by three.
#pragma once

#include "carom/carom.h"
#include "carom/dynamics/executor.h"
#include "carom/dynamics/world.h"
#include "carom/dynamics/world_queries.h"

#include <bit>
#include <cstdint>
#include <vector>

namespace carom {

/// What a step told.
inline std::uint64_t hash_of_events(const Events& events) {
  std::uint64_t hash = 0;
  const auto add = [&](std::uint64_t x) { hash = mix_bits(hash, x); };
  const auto add_number = [&](double x) { add(std::bit_cast<std::uint64_t>(x)); };
  const auto add_id = [&](BodyId id) { add(id.slot + (std::uint64_t{id.generation} << 32)); };
  for (const ContactEvent& e : events.contacts) {
    add(static_cast<std::uint64_t>(e.kind));
    add_id(e.a);
    add_id(e.b);
    add(e.shape_a + 1000 * std::uint64_t{e.shape_b});
    for (int i = 0; i < 3; ++i) {
      add_number(e.normal[i]);
      add_number(e.point[i]);
    }
    add_number(e.impulse);
    add_number(e.approach_speed);
  }
  for (const SensorEvent& e : events.sensors) {
    add(static_cast<std::uint64_t>(e.kind));
    add_id(e.sensor);
    add_id(e.visitor);
  }
  for (const SleepEvent& e : events.sleeps) {
    add_id(e.body);
    add(e.awake ? 1 : 0);
  }
  return hash;
}

/// A closed mesh with a dent.
inline Shape hash_mesh() {
  PolygonMesh mesh;
  mesh.vertices = {{-0.3, -0.3, -0.3}, {0.3, -0.3, -0.3}, {0.3, 0.3, -0.3},
                   {-0.3, 0.3, -0.3},  {-0.3, -0.3, 0.3}, {0.3, -0.3, 0.3},
                   {0.3, 0.3, 0.3},    {-0.3, 0.3, 0.3},  {0, 0, 0.1}};
  constexpr std::uint32_t sides[5][4] = {
      {0, 3, 2, 1}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
  for (const auto& f : sides) {
    mesh.add_face(std::vector{f[0], f[1], f[2]});
    mesh.add_face(std::vector{f[0], f[2], f[3]});
  }
  for (std::uint32_t i = 0; i < 4; ++i)
    mesh.add_face(std::vector<std::uint32_t>{4 + i, 4 + (i + 1) % 4, 8});
  return Shape::mesh(mesh).value();
}

/// Two closed meshes on each other; a box that slides over the seam of two surfaces of triangles, through a sensor.
inline void add_meshes(World& world) {
  const Shape dented = hash_mesh();
  (void)world.add({.shape = dented, .pose = Pose::at({20, 0, 0.3})}).value();
  (void)world
      .add({.shape = dented, .pose = {Quat::from_axis_angle({0, 0, 1}, 0.4), {20.05, 0, 0.91}}})
      .value();
  for (const double x : {18.0, 22.0}) {
    PolygonMesh square;
    square.vertices = {{x - 2, -3, 0}, {x + 2, -3, 0}, {x + 2, 3, 0}, {x - 2, 3, 0}};
    square.add_face(std::vector<std::uint32_t>{0, 1, 2});
    square.add_face(std::vector<std::uint32_t>{0, 2, 3});
    (void)world
        .add({.shape = Shape::mesh(square, {.body = MeshOptions::Body::surface}).value(),
              .kind = BodyKind::fixed,
              .material = {.friction = 0.1}})
        .value();
  }
  (void)world
      .add({.shape = Shape::box({0.3, 0.2, 0.2}).value(),
            .pose = Pose::at({17, 1.5, 0.2}),
            .velocity = {5, 0, 0}})
      .value();
  (void)world
      .add({.shape = Shape::sphere(0.5).value(),
            .pose = Pose::at({19, 1.5, 0.3}),
            .kind = BodyKind::fixed,
            .sensor = true})
      .value();
}

/// Hulls, balls, boxes, compounds and closed meshes fall on a bowl of triangles among walls; some are fast, one passes a sensor. A number made of all poses and velocities in each of many steps, of what events tell, of what rays meet, and of a world restored on the way.
inline std::uint64_t hash_of_world(Random& random, const Shape& bowl) {
  World world;
  (void)world.add({.shape = bowl, .kind = BodyKind::fixed}).value();
  (void)world
      .add({.shape = Shape::box({6, 6, 0.2}).value(),
            .pose = Pose::at({0, 0, -1}),
            .kind = BodyKind::fixed})
      .value();
  (void)world
      .add({.shape = Shape::box({2, 0.1, 0.5}).value(),
            .pose = Pose::at({0, 0, 1}),
            .kind = BodyKind::kinematic,
            .angular_velocity = {0, 0, 8}})
      .value();
  std::vector<Shape> shapes{Shape::sphere(0.3).value(), Shape::box({0.3, 0.2, 0.4}).value(),
                            Shape::cylinder(0.3, 0.2).value()};
  std::vector<Vec3> points;
  for (int i = 0; i < 14; ++i) points.push_back(random.direction() * 0.4);
  shapes.push_back(Shape::hull(points).value());
  const CompoundPart parts[] = {{shapes[0], {}}, {shapes[1], Pose::at({0.4, 0, 0.1})}};
  shapes.push_back(Shape::compound(parts).value());
  shapes.push_back(hash_mesh());
  add_meshes(world);
  for (int i = 0; i < 40; ++i) {
    const Vec3 at = random.in_box({2, 2, 1}) + Vec3{0, 0, 3 + 0.1 * i};
    const Quat turn = random.rotation();
    const Vec3 way = random.direction();
    (void)world
        .add({.shape = shapes[static_cast<std::size_t>(i) % shapes.size()],
              .pose = {turn, at},
              .material = {.restitution = 0.3, .rolling_friction = 0.01},
              .velocity = way * (i % 8 == 0 ? 150.0 : 1.0),
              .angular_velocity = way * (i % 5 == 0 ? 60.0 : 2.0),
              .continuous = i % 16 == 0})
        .value();
  }
  std::uint64_t hash = 0;
  std::vector<std::byte> then;
  for (int i = 0; i < 150; ++i) {
    world.step(1.0 / 60);
    hash = mix_bits(hash, world.hash());
    const Vec3 from = random.in_box({3, 3, 5});
    hash = mix_bits(hash, ray_cast(world, Ray{from, random.direction()}).shape.body.slot);
    hash = mix_bits(hash, hash_of_events(world.events()) + world.impact_queries());
    if (i == 60) then = world.snapshot();
    if (i == 90) hash = mix_bits(hash, world.restore(then) ? 1 : 0);
  }
  for (const std::byte b : world.snapshot()) hash = mix_bits(hash, static_cast<std::uint64_t>(b));
  return hash;
}

/// Hills, from heights that are drawn.
inline Shape hash_hills(Random& random) {
  constexpr std::uint32_t n = 17;
  std::vector<float> samples;
  for (std::uint32_t i = 0; i < n * n; ++i)
    samples.push_back(static_cast<float>(random.uniform(-0.3, 0.3)));
  HeightFieldInput input;
  input.columns = input.rows = n;
  input.spacing_x = input.spacing_y = 1;
  input.samples = samples;
  return Shape::height_field(input).value();
}

inline std::vector<JointKind> hash_joints() {
  const JointSpring spring{.frequency = 3, .damping_ratio = 0.3};
  return {
      BallJoint{.cone = 0.8, .twist = JointRange{-0.5, 0.5}, .friction = 0.1},
      HingeJoint{.limits = JointRange{-1, 1}, .motor = JointMotor{2, 5}},
      SliderJoint{.limits = JointRange{-0.3, 0.3}, .spring = spring},
      FixedJoint{.angular = spring},
      DistanceJoint{.range = JointRange{0.2, 0.9}},
      WheelJoint{.motor = JointMotor{10, 20}},
      SixDofJoint{.axes = {JointAxis::locked(), JointAxis::limited(-0.1, 0.1), JointAxis::locked(),
                           JointAxis::free(), JointAxis::limited(0, 1), JointAxis::locked()}}};
}

/// Chains of all kinds of joints fall on hills, one of them a net that cannot be closed. By one thread and by three: a number made of all steps, of what joints bear, and of whether both are the same.
inline std::uint64_t hash_of_jointed_world(Random& random) {
  World world;
  (void)world.add({.shape = hash_hills(random), .kind = BodyKind::fixed}).value();
  const Shape link = Shape::box({0.3, 0.1, 0.1}).value();
  const std::vector<JointKind> kinds = hash_joints();
  BodyId first{}, last{};
  for (int chain = 0; chain < 6; ++chain)
    for (int i = 0; i < 8; ++i) {
      const Vec3 at{4.0 + 0.8 * i, 3.0 + 2 * chain, 1.5 + 0.3 * chain};
      const Vec3 way = random.direction();
      const BodyId body = world.add({.shape = link, .pose = Pose::at(at), .velocity = way}).value();
      if (i == 0) first = body;
      const std::size_t kind = static_cast<std::size_t>(i + chain) % kinds.size();
      if (i > 0)
        (void)world
            .add_joint({.a = last,
                        .b = body,
                        .frame = Pose::at(at - Vec3{0.4, 0, 0}),
                        .frame_b = Pose::at(at - Vec3{0.3, 0, 0}),
                        .kind = kinds[kind]})
            .value();
      last = body;
      if (chain == 5 && i == 7)
        (void)world.add_joint({.a = first, .b = last, .local = true, .kind = FixedJoint{}}).value();
    }
  World twin = world;
#ifdef __EMSCRIPTEN__
  ThreadPool pool(1, 0); // a web page has no threads
#else
  ThreadPool pool(3, 0);
#endif
  std::uint64_t hash = 0;
  bool same = true;
  for (int i = 0; i < 120; ++i) {
    world.step(1.0 / 60);
    twin.step(1.0 / 60, &pool);
    same = same && world.hash() == twin.hash();
    hash = mix_bits(hash, world.hash());
  }
  return mix_bits(hash, same ? 1 : 0);
}

/// So many bodies that they are parted into regions: a block of small ones that is thrown onto the floor, by one thread and by three.
inline std::uint64_t hash_of_many(Random& random) {
  World alone, together;
  for (World* world : {&alone, &together})
    world
        ->add({.shape = Shape::box({20, 20, 0.5}).value(),
               .pose = Pose::at({0, 0, -0.5}),
               .kind = BodyKind::fixed})
        .value();
  const Shape shapes[2] = {Shape::box({0.1, 0.1, 0.1}).value(), Shape::sphere(0.1).value()};
  for (int i = 0; i < 900; ++i) {
    const Vec3 at{0.21 * (i % 10), 0.21 * (i / 10 % 10), 0.12 + 0.21 * (i / 100)};
    const Vec3 velocity = random.in_ball() + Vec3{2, 0, -1};
    for (World* world : {&alone, &together})
      world
          ->add({.shape = shapes[random.counter() % 3 == 0 ? 1 : 0],
                 .pose = Pose::at(at),
                 .velocity = velocity})
          .value();
  }
  ThreadPool pool(3, 0);
  std::uint64_t hash = 0;
  for (int i = 0; i < 8; ++i) {
    alone.step(1.0 / 60);
    together.step(1.0 / 60, &pool);
    hash = mix_bits(hash, alone.hash());
    hash = mix_bits(hash, hash_of_events(alone.events()));
    hash = mix_bits(hash, together.hash() == alone.hash() ? 1 : 0);
  }
  return hash;
}

} // namespace carom
